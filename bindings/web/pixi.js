/* pixi.js - the entry pixverlet/pixi: bodies that move the sprites of PixiJS 8.
 *
 * Invariant: a sprite and its body are destroyed together. A sprite stays in its container, whose coordinates are the
 * world's.
 *
 * SPDX-License-Identifier: Zlib
 */
import { CanvasSource, Sprite, Texture } from 'pixi.js';
import { Actors } from './actors.js';
import { createCanvas, drawDebug, refuse } from './pictures.js';
import { World } from './world.js';

export * from './index.js';

/** Actors of each world. */
const stages = new WeakMap();

/** groupD8's number for TexturePacker's quarter turn in an atlas; frames that are not turned have 0. */
const TURNED = 2;

const createTexture = ({ canvas }, { resolution, scaleMode }) => new Texture({ source: new CanvasSource({ resource: canvas, resolution, scaleMode }) });

/** Sprites, as actors.js asks for them. */
class Engine {
    #actors;

    constructor(actors) {
        this.#actors = actors;
    }

    getFrame(sprite) {
        return sprite.texture;
    }

    describeFrame({ source, frame, orig, trim, rotate, label }) {
        const pixels = (length) => Math.round(length * source.resolution);
        if (rotate !== 0 && rotate !== TURNED) refuse('collider', 'texture', `texture ${label} is turned in a way that no packer of atlases writes`);
        return {
            name: `'${label ?? source.label}'`, image: source.resource, rotated: rotate === TURNED,
            x: pixels(frame.x), y: pixels(frame.y), w: pixels(frame.width), h: pixels(frame.height),
            left: pixels(trim?.x ?? 0), top: pixels(trim?.y ?? 0), width: pixels(orig.width), height: pixels(orig.height),
        };
    }

    getPlace({ x, y, rotation, scale, anchor, texture: { orig, source } }, place) {
        const { resolution } = source;
        return Object.assign(place, {
            x, y, angle: rotation, scaleX: scale.x / resolution, scaleY: scale.y / resolution,
            pivotX: anchor.x * orig.width * resolution, pivotY: anchor.y * orig.height * resolution,
        });
    }

    move(sprite, x, y, angle) {
        sprite.position.set(x, y);
        sprite.rotation = angle;
    }

    adopt(sprite) {
        sprite.once('destroyed', this.#lose);
    }

    forget(sprite) {
        sprite.off('destroyed', this.#lose);
    }

    show(sprite, skin) {
        sprite.stop?.();
        sprite.texture = skin.texture = createTexture(skin, sprite.texture.source);
    }

    update(sprite, skin) {
        skin.texture.source.update();
    }

    release({ texture }) {
        texture.destroy(true);
    }

    spawn(parent, skin) {
        skin.texture = createTexture(skin, parent.texture.source);
        const { alpha, tint, visible, blendMode, zIndex } = parent, part = new Sprite({ texture: skin.texture, alpha, tint, visible, blendMode, zIndex, scale: parent.scale.clone(), anchor: 0.5 });
        parent.parent?.addChildAt(part, parent.parent.getChildIndex(parent) + 1);
        return part;
    }

    remove(sprite) {
        sprite.destroy();
    }

    notify(sprite, name, value) {
        sprite.emit(name, value);
    }

    #lose = (sprite) => this.#actors().remove(sprite);
}

function stageOf(world, options) {
    if (!(world instanceof World)) refuse('pixi', 'world', 'world must be a World');
    let actors = stages.get(world);
    if (!actors) stages.set(world, (actors = new Actors(world, new Engine(() => actors), options)));
    return actors;
}

/** Makes a body of the pixels that a sprite shows. */
export function collider(world, sprite, options) {
    if (!(sprite instanceof Sprite)) refuse('collider', 'sprite', 'sprite must be a Sprite');
    if (sprite.texture === Texture.EMPTY) refuse('collider', 'texture', 'the texture of sprite is missing; load it with Assets.load()');
    if (sprite.skew.x || sprite.skew.y || sprite.pivot.x || sprite.pivot.y) refuse('collider', 'sprite', 'sprite has a skew or a pivot; use its anchor');
    return stageOf(world).add('collider', sprite, options);
}

/** Returns the sprite of a body, or null. */
export const spriteOf = (body) => stageOf(body.world).get(body)?.sprite ?? null;

/** Steps a world once, and moves its sprites. Returns the events. */
export const step = (world, dt) => stageOf(world).step(dt);

/** Steps a world with the time of a ticker. Returns a function that stops it.
 *  @param options fps, 60 by default; maxSteps of a frame, 5 by default; before(dt) and after(events) of each step */
export function run(world, ticker, { fps = 60, maxSteps = 5, before, after } = {}) {
    if (typeof ticker?.add !== 'function') refuse('run', 'ticker', 'ticker must be a Ticker');
    if (!(fps > 0)) refuse('run', 'options.fps', 'options.fps must be above 0');
    const actors = Object.assign(stageOf(world), { dt: 1 / fps, maxSteps });
    const stepOnce = (dt) => {
        before?.(dt);
        after?.(actors.step(dt));
    };
    const tick = ({ elapsedMS }) => actors.advance(elapsedMS / 1000, stepOnce);
    ticker.add(tick);
    return () => ticker.remove(tick);
}

/** Makes a sprite that shows world.debugDraw() for a box of the world. Its update() redraws it. */
export function createDebugSprite(world, { x = 0, y = 0, width, height }, flags) {
    if (!(width > 0 && height > 0)) refuse('createDebugSprite', 'box', 'box must have a width and a height');
    const overlay = createCanvas(Math.ceil(width), Math.ceil(height)), texture = createTexture(overlay, { resolution: 1, scaleMode: 'nearest' });
    const update = () => {
        drawDebug(overlay, world, { x, y, width, height }, flags);
        texture.source.update();
    };
    const sprite = Object.assign(new Sprite({ texture, x, y }), { update });
    sprite.once('destroyed', () => texture.destroy(true));
    update();
    return sprite;
}
