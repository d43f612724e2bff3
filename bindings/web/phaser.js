/* phaser.js - the entry pixverlet/phaser: a scene plugin for Phaser 3.90 and Phaser 4.
 *
 * Invariant: a game object with a body has it as its member `body`. Both are destroyed together. The
 * world, the textures of carved bodies and all callbacks end with the scene.
 *
 * SPDX-License-Identifier: Zlib
 */
import { Actors } from './actors.js';
import { errorAt } from './memory.js';
import { createCanvas, drawDebug, refuse } from './pictures.js';
import { World } from './world.js';

export { init } from './index.js';

let textureCount = 0;

/* ---- Game objects, as actors.js asks for them ---- */

class Engine {
    #scene;
    #actors;

    constructor(scene, actors, forebears) {
        this.#scene = scene;
        this.#actors = actors;
        this.forebears = forebears;
    }

    getFrame(object) {
        return object.frame;
    }

    describeFrame({ name, texture, source, cutX, cutY, cutWidth, cutHeight, rotated, x, y, realWidth, realHeight }) {
        const [w, h] = rotated ? [cutHeight, cutWidth] : [cutWidth, cutHeight];
        return { name: `'${texture.key}', frame ${name}`, image: source.image, x: cutX, y: cutY, w, h, rotated, left: x, top: y, width: realWidth, height: realHeight };
    }

    /** A flipped picture stays in its box, whatever the origin. */
    getPlace({ x, y, rotation, scaleX, scaleY, flipX, flipY, frame, displayOriginX, displayOriginY }, place) {
        return Object.assign(place, {
            x, y, angle: rotation, scaleX: flipX ? -scaleX : scaleX, scaleY: flipY ? -scaleY : scaleY,
            pivotX: flipX ? frame.realWidth - displayOriginX : displayOriginX, pivotY: flipY ? frame.realHeight - displayOriginY : displayOriginY,
        });
    }

    move(object, x, y, angle) {
        object.setPosition(x, y).setRotation(angle);
    }

    adopt(object, body) {
        object.body = body;
        object.once('destroy', this.#lose, this);
    }

    forget(object) {
        object.body = null;
        object.off('destroy', this.#lose, this);
    }

    show(object, skin) {
        object.anims?.stop();
        object.setTexture(this.#addTexture(skin).key);
    }

    update(object, skin) {
        skin.texture.refresh();
    }

    release({ texture }) {
        if (texture.manager) texture.manager.remove(texture);
    }

    spawn(parent, skin) {
        const part = this.#scene.add.image(parent.x, parent.y, this.#addTexture(skin).key);
        part.setScale(parent.scaleX, parent.scaleY).setFlip(parent.flipX, parent.flipY).setDepth(parent.depth).setAlpha(parent.alpha);
        part.setScrollFactor(parent.scrollFactorX, parent.scrollFactorY).setVisible(parent.visible).setBlendMode(parent.blendMode);
        if (parent.isTinted) part.setTint(parent.tintTopLeft, parent.tintTopRight, parent.tintBottomLeft, parent.tintBottomRight);
        this.forebears.set(part, parent);
        return part;
    }

    remove(object) {
        object.destroy();
    }

    notify(object, name, value) {
        object.emit(name, value);
    }

    #addTexture(skin) {
        skin.texture = addCanvas(this.#scene, skin.canvas);
        return skin.texture;
    }

    #lose(object) {
        this.#actors().remove(object);
    }
}

const addCanvas = (scene, canvas) => scene.sys.textures.addCanvas(`pixverlet-${++textureCount}`, canvas);

/* ---- Callbacks of pairs ---- */

/** Tells whether a target is a game object, or a group or an array that contains it. */
function has(target, object) {
    if (Array.isArray(target)) return target.some((item) => has(item, object));
    return target === object || Boolean(target.children && target.contains?.(object));
}

class Collider {
    #end;

    constructor(a, b, callback, process, context, end) {
        Object.assign(this, { a, b, callback, process, context, active: true });
        this.#end = end;
    }

    /** Returns a pair in the order of a and b, or null if it does not match them. */
    order(first, second, isOf) {
        const fits = (target, object) => target === null || isOf(target, object);
        if (fits(this.a, first) && fits(this.b, second)) return [first, second];
        return fits(this.a, second) && fits(this.b, first) ? [second, first] : null;
    }

    /** Asks the process callback about an ordered pair. */
    allows(pair) {
        return !this.process || this.process.apply(this.context, pair) !== false;
    }

    destroy() {
        this.active = false;
        this.#end(this);
    }
}

/** Touching pairs, tracked by the events of the steps. */
class Pairs {
    #pairs = new Map();

    static #key = (a, b) => `${a.index}:${a.generation} ${b.index}:${b.generation}`;

    /** Adds new pairs, calls back for each pair, and drops those that ended. */
    follow(begins, ends, call) {
        for (const [a, b] of begins) this.#pairs.set(Pairs.#key(a, b), [a, b]);
        for (const [a, b] of [...this.#pairs.values()]) if (a.isValid() && b.isValid()) call(a, b);
        for (const [a, b] of ends) this.#pairs.delete(Pairs.#key(a, b));
    }
}

/* ---- The plugin ---- */

export class PixverletPlugin {
    #actors = null;
    #forebears = new WeakMap();
    #colliders = new Set();
    #overlaps = new Set();
    #contacts = new Pairs();
    #visits = new Pairs();
    #overlay = null;

    constructor(scene) {
        this.scene = scene;
        this.world = null;
        this.add = this.#factory();
        const { events } = scene.sys;
        events.on('start', this.#start, this);
        events.once('destroy', this.#destroy, this);
    }

    /** Stops the time of the world. */
    pause() {
        this.isPaused = true;
    }

    resume() {
        this.isPaused = false;
    }

    /** Steps once, even while the world is paused. */
    step() {
        const { dt } = this.#actors;
        this.scene.sys.events.emit('pixverlet-step', dt);
        if (this.world) this.#callBack(this.#actors.step(dt));
    }

    /** Returns the game object of a body, or null. */
    getObject(body) {
        return this.#actors.get(body)?.sprite ?? null;
    }

    #start() {
        if (!errorAt) throw new Error('pixverlet/phaser: call await init() first, before new Phaser.Game()');
        const { events, settings, game } = this.scene.sys, { fps = 60, maxSteps, alphaThreshold, debug = false, gravity, ...def } = { ...game.config.physics?.pixverlet, ...settings.physics?.pixverlet };
        if (!(fps > 0)) refuse('PixverletPlugin', 'physics.pixverlet.fps', 'physics.pixverlet.fps must be above 0');
        this.world = new World({ ...def, gravity: { x: 0, y: 0, ...gravity } });
        this.#actors = new Actors(this.world, new Engine(this.scene, () => this.#actors, this.#forebears), { dt: 1 / fps, maxSteps, alphaThreshold });
        this.isPaused = false;
        this.debug = debug;
        events.on('update', this.#update, this);
        events.once('shutdown', this.#shutdown, this);
    }

    #update(time, delta) {
        if (!this.isPaused) this.#actors.advance(delta / 1000, () => this.step());
        if (this.world && (this.debug || this.#overlay)) this.#drawDebug();
    }

    #shutdown() {
        this.scene.sys.events.off('update', this.#update, this);
        this.#actors.clear();
        this.world.destroy();
        this.#removeOverlay();
        this.world = null;
        this.#colliders.clear();
        this.#overlaps.clear();
        [this.#contacts, this.#visits] = [new Pairs(), new Pairs()];
    }

    #destroy() {
        if (this.world) this.#shutdown();
        this.scene.sys.events.off('start', this.#start, this);
    }

    /* ---- What a scene adds ---- */

    #factory() {
        const add = {
            existing: (object, options) => this.#addBody('pixverlet.add.existing', object, options),
            sprite: (x, y, texture, frame, options) => this.#make('sprite', x, y, texture, frame, options),
            image: (x, y, texture, frame, options) => this.#make('image', x, y, texture, frame, options),
            layer: (layer, options) => this.#addLayer(layer, options),
            collider: (a, b, callback, process, context) => this.#addCollider('collider', this.#colliders, a, b, callback, process, context),
            overlap: (a, b, callback, process, context) => this.#addCollider('overlap', this.#overlaps, a, b, callback, process, context),
        };
        return Object.freeze(add);
    }

    #make(kind, x, y, key, frame, options) {
        const where = `pixverlet.add.${kind}`, { textures } = this.scene.sys;
        if (!Number.isFinite(x) || !Number.isFinite(y)) refuse(where, Number.isFinite(x) ? 'y' : 'x', `x and y must be finite numbers, not ${x} and ${y}`);
        if (!textures.exists(key)) refuse(where, 'texture', `texture '${key}' is missing; load it in preload()`);
        if (frame !== undefined && frame !== null && !textures.get(key).has(frame)) refuse(where, 'frame', `texture '${key}' has no frame ${frame}`);
        const object = this.scene.add[kind](x, y, key, frame);
        try {
            return this.#addBody(where, object, options);
        } catch (error) {
            object.destroy();
            throw error;
        }
    }

    #addBody(where, object, options) {
        if (!this.world) refuse(where, 'scene', 'the scene has not started; call it in create() or later');
        if (!object?.frame?.texture || !object.setTexture) refuse(where, 'object', 'object must be a sprite or an image');
        if (object.parentContainer) refuse(where, 'object', 'object is in a container; bodies move game objects of the scene itself');
        this.#actors.add(where, object, options);
        return object;
    }

    /** Turns a layer of tiles into an image with a static body that can be carved, and hides the layer. */
    #addLayer(layer, options) {
        if (!layer?.forEachTile) refuse('pixverlet.add.layer', 'layer', 'layer must be a layer of a tilemap');
        const { canvas, context } = createCanvas(layer.width, layer.height);
        layer.forEachTile((tile) => drawTile(context, tile), null, 0, 0, layer.layer.width, layer.layer.height, { isNotEmpty: true });
        const texture = addCanvas(this.scene, canvas), image = this.scene.add.image(layer.x, layer.y, texture.key);
        image.setOrigin(0).setScale(layer.scaleX, layer.scaleY).setDepth(layer.depth).setScrollFactor(layer.scrollFactorX, layer.scrollFactorY);
        image.once('destroy', () => texture.manager?.remove(texture));
        layer.setVisible(false);
        return this.#addBody('pixverlet.add.layer', image, { type: 'static', ...options });
    }

    #addCollider(kind, set, a, b = null, callback = null, process = null, context = this.scene) {
        const where = `pixverlet.add.${kind}`;
        if (a === null || typeof a !== 'object') refuse(where, 'a', `a must be a game object, a group or an array, not ${a}`);
        if (b !== null && typeof b !== 'object') refuse(where, 'b', `b must be a game object, a group, an array or null, not ${b}`);
        for (const [name, value] of Object.entries({ callback, process })) if (value !== null && typeof value !== 'function') refuse(where, name, `${name} must be a function or null`);
        const collider = new Collider(a, b, callback, process, context, (ended) => set.delete(ended));
        set.add(collider);
        if (kind === 'collider' && process) this.world.setFilterCallback((first, second) => this.#collides(first, second));
        return collider;
    }

    /* ---- Callbacks ---- */

    #isOf = (target, object) => {
        for (let one = object; one; one = this.#forebears.get(one)) if (has(target, one)) return true;
        return false;
    };

    #orderedPair(collider, bodyA, bodyB) {
        const [first, second] = [bodyA, bodyB].map((body) => this.getObject(body) ?? body);
        return collider.active ? collider.order(first, second, this.#isOf) : null;
    }

    /** Asks the process callbacks of colliders, as the world's filter. */
    #collides(bodyA, bodyB) {
        for (const collider of this.#colliders) {
            const pair = collider.process && this.#orderedPair(collider, bodyA, bodyB);
            if (pair && !collider.allows(pair)) return false;
        }
        return true;
    }

    #callBack({ contactBegins, contactEnds, sensorBegins, sensorEnds, hits }) {
        const pairs = (events) => events.map(({ a, b }) => [a, b]), visits = (events) => events.map(({ sensor, visitor }) => [sensor, visitor]);
        const findHit = (a, b) => hits.find((hit) => (hit.a === a && hit.b === b) || (hit.a === b && hit.b === a)) ?? null;
        this.#contacts.follow(pairs(contactBegins), pairs(contactEnds), (a, b) => this.#call(this.#colliders, a, b, () => findHit(a, b)));
        this.#visits.follow(visits(sensorBegins), visits(sensorEnds), (a, b) => this.#call(this.#overlaps, a, b, () => null));
    }

    #call(set, a, b, findHit) {
        for (const collider of set) {
            if (!collider.callback || !a.isValid() || !b.isValid()) continue;
            const pair = this.#orderedPair(collider, a, b);
            if (pair && (set === this.#colliders || collider.allows(pair))) collider.callback.call(collider.context, ...pair, findHit());
        }
    }

    /* ---- Debug drawing ---- */

    #drawDebug() {
        const { x, y, width, height } = this.scene.cameras.main.worldView;
        if (!this.debug || this.#overlay?.texture.width !== Math.ceil(width) || this.#overlay.texture.height !== Math.ceil(height)) this.#removeOverlay();
        if (!this.debug || width === 0) return;
        this.#overlay ??= this.#createOverlay(Math.ceil(width), Math.ceil(height));
        drawDebug(this.#overlay, this.world, { x, y, width, height });
        this.#overlay.texture.refresh();
        this.#overlay.image.setPosition(x, y);
    }

    #createOverlay(width, height) {
        const overlay = createCanvas(width, height), texture = addCanvas(this.scene, overlay.canvas);
        return { ...overlay, texture, image: this.scene.add.image(0, 0, texture.key).setOrigin(0).setDepth(Number.MAX_SAFE_INTEGER) };
    }

    #removeOverlay() {
        if (!this.#overlay) return;
        const { image, texture } = this.#overlay;
        this.#overlay = null;
        image.destroy();
        texture.manager?.remove(texture);
    }
}

/** Draws a tile at its place in the layer. */
function drawTile(context, { tileset, index, pixelX, pixelY, width, height, baseHeight, rotation, flipX, flipY }) {
    const from = tileset?.getTileTextureCoordinates(index);
    if (!from) return;
    context.save();
    context.translate(pixelX + width / 2, pixelY + baseHeight - height / 2);
    context.rotate(rotation);
    context.scale(flipX ? -1 : 1, flipY ? -1 : 1);
    context.drawImage(tileset.image.getSourceImage(), from.x, from.y, width, height, -width / 2, -height / 2, width, height);
    context.restore();
}
