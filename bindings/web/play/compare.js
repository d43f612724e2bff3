/* compare.js - the same picture as box, hull and pixels, side by side.
 *
 * Invariant: the three worlds differ only in the mask of the collider.
 *
 * SPDX-License-Identifier: Zlib
 */
import { Body, Mask, World } from 'pixverlet';

const WIDTH = 200, HEIGHT = 240, COPIES = 6, TICK = 1 / 60;
const GROUND = HEIGHT - 14;

/** Colliders of a sprite: names and the masks that bodies get. */
const colliders = [
    function box({ mask }) {
        const made = Mask.create(mask.getWidth(), mask.getHeight());
        made.fillRect(mask.computeBounds(), true);
        return made;
    },
    function hull({ mask }) {
        const made = Mask.create(mask.getWidth(), mask.getHeight());
        made.fillPolygon(mask.createHull()[0].points, true);
        return made;
    },
    function pixels({ mask }) {
        return mask;
    },
];

class View {
    constructor(canvas, sprite, collider) {
        this.canvas = canvas;
        this.sprite = sprite;
        this.world = new World({ gravity: { x: 0, y: 400 } });
        this.mask = collider(sprite);
        this.#put(Mask.createRect(WIDTH * 3, 28), 'static', WIDTH / 2, GROUND + 14);
        for (const x of [-10, WIDTH + 10]) this.#put(Mask.createRect(20, 3 * HEIGHT), 'static', x, 0);
        this.#put(Mask.createPolygon([{ x: 0, y: 40 }, { x: 24, y: 0 }, { x: 48, y: 40 }]).mask ?? Mask.createRect(12, 40), 'static', WIDTH / 2, GROUND - 14);
        for (let i = 0; i < COPIES; i++) this.#put(this.mask, 'dynamic', 60 + 27 * ((i * 2) % 5), -40 - 70 * i, 0.6 * i);
    }

    #put(mask, type, x, y, angle = 0) {
        return new Body(this.world, { type, mask, position: { x, y }, angle, friction: 0.5 });
    }

    step() {
        this.world.step(TICK);
        this.#draw();
    }

    #draw() {
        const context = this.canvas.getContext('2d'), picture = this.sprite.getCanvas();
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, WIDTH, HEIGHT);
        context.imageSmoothingEnabled = false;
        for (const body of this.world.getBodies()) {
            if (body.getMask() !== this.mask) continue;
            const { x, y } = body.toWorld({ x: 0, y: 0 }), { c, s } = body.getTransform().rotation;
            context.setTransform(c, s, -s, c, x, y);
            context.drawImage(picture, 0, 0);
        }
        context.setTransform(1, 0, 0, 1, 0, 0);
        this.world.debugDraw(context);
    }
}

export class Comparison {
    /** Compares the sprite that was thrown in last, or a letter C. */
    constructor(canvases, stage) {
        const sprites = [...stage.sprites.values()], own = sprites.filter(({ builtIn }) => !builtIn).at(-1);
        const sprite = own ?? stage.sprites.get('letter_c');
        this.views = canvases.map((canvas, i) => new View(canvas, sprite, colliders[i]));
        this.running = true;
        const frame = () => {
            if (!this.running) return;
            for (const view of this.views) view.step();
            requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
    }

    destroy() {
        this.running = false;
        for (const { world } of this.views) world.destroy();
        this.views = [];
    }
}
