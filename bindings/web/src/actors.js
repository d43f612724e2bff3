/* actors.js - an engine's sprites, moved by bodies: shared by phaser.js and pixi.js.
 *
 * An actor is a body with its sprite. The engine is an object of functions about sprites:
 *     getFrame(sprite)         identity of the picture that the sprite shows
 *     describeFrame(frame)     that picture, for Picture
 *     getPlace(sprite, place)  fills in x, y, angle, and the scale and the pivot of the picture's pixels
 *     move(sprite, x, y, angle)
 *     adopt(sprite, body), forget(sprite)
 *     show(sprite, skin), update(sprite, skin), release(skin)
 *     spawn(parent, skin)      makes the sprite of a part
 *     remove(sprite)
 *     notify(sprite, name, value)
 *
 * Invariant: after a step each sprite is where its body is. Changes that the program makes to a sprite go to the body
 * before the next step.
 *
 * SPDX-License-Identifier: Zlib
 */
import { Body } from './body.js';
import { POSES_DISABLED } from './flags.js';
import { Picture, refuse, Skin } from './pictures.js';
import { POSE_SIZE } from './world.js';

/** Factor of the generation in a key: above every index, and small enough for whole numbers. */
const GENERATION = 2 ** 21;
const keyOf = (index, generation) => generation * GENERATION + index;
const keyOfBody = (body) => keyOf(body.index, body.generation);

/** Members of a definition that the sprite decides. */
const told = ['mask', 'position', 'angle', 'scale'];

class Actor {
    /** @param x, y place of the body's pixel (0, 0) in the picture
     *  @param parent actor that it split off, or null */
    constructor(body, sprite, picture, x, y, parent) {
        Object.assign(this, { body, sprite, picture, x, y, parent, skin: null, frame: null, place: {} });
    }
}

/** Rounds off arithmetic errors, so that whole numbers stay whole in engines that round down [px]. */
const snap = (length) => Math.round(length * 65536) / 65536;

/** Tells whether two places differ in any of some members. */
const differs = (a, b, ...names) => names.some((name) => a[name] !== b[name]);

export class Actors {
    #engine;
    #alphaThreshold;
    #pictures = new WeakMap();
    #actors = new Map();
    #bySprite = new Map();
    #rest = 0;

    /** @param dt length of a step [s]
     *  @param maxSteps most steps of one frame; time beyond them is dropped
     *  @param alphaThreshold least alpha of a solid pixel */
    constructor(world, engine, { dt = 1 / 60, maxSteps = 5, alphaThreshold = 128 } = {}) {
        Object.assign(this, { world, dt, maxSteps });
        this.#engine = engine;
        this.#alphaThreshold = alphaThreshold;
    }

    /** Makes a body of the pixels that a sprite shows.
     *  @param where function that asks, for errors
     *  @param options members of a body's definition */
    add(where, sprite, options = {}) {
        if (options === null || typeof options !== 'object') refuse(where, 'options', 'options must be an object');
        for (const name of told) if (name in options) refuse(where, `options.${name}`, `options.${name} is not allowed: the sprite decides it`);
        if (this.#bySprite.has(sprite)) refuse(where, 'sprite', 'sprite has a body already');
        const frame = this.#engine.getFrame(sprite), picture = this.#getPicture(frame), place = this.#engine.getPlace(sprite, {});
        const body = new Body(this.world, { ...options, mask: picture.mask, angle: place.angle, scale: { x: place.scaleX, y: place.scaleY } });
        const actor = new Actor(body, sprite, picture, 0, 0, null);
        body.setPosition(centerAt(body, place));
        this.#enlist(actor);
        return body;
    }

    /** Returns the actor of a body, or undefined. */
    get(body) {
        return this.#actors.get(keyOfBody(body));
    }

    /** Returns the actor of a sprite, or undefined. */
    find(sprite) {
        return this.#bySprite.get(sprite);
    }

    /** Destroys the body of a sprite that is about to be destroyed. */
    remove(sprite) {
        const actor = this.#bySprite.get(sprite);
        if (!actor) return;
        this.#retire(actor);
        if (actor.body.isValid()) actor.body.destroy();
    }

    /** Calls a function for each step that is due.
     *  @param seconds time since the last call
     *  @param step gets the length of the step */
    advance(seconds, step) {
        const SLACK = 1e-6;
        this.#rest = Math.min(this.#rest + seconds, this.maxSteps * this.dt);
        for (; this.#rest >= this.dt - SLACK && this.world.pointer; this.#rest = Math.max(0, this.#rest - this.dt)) step(this.dt);
    }

    /** Steps once. Returns the events. */
    step(dt) {
        for (const actor of this.#bySprite.values()) if (actor.body.isValid()) this.#take(actor, dt);
        this.world.step(dt);
        const events = this.world.getEvents();
        this.#follow(events);
        this.#give();
        return events;
    }

    /** Frees all pictures, and forgets the sprites. */
    clear() {
        for (const actor of [...this.#bySprite.values()]) this.#retire(actor);
        this.#actors.clear();
    }

    #getPicture(frame) {
        let picture = this.#pictures.get(frame);
        if (!picture) this.#pictures.set(frame, (picture = new Picture(this.#engine.describeFrame(frame), this.#alphaThreshold)));
        return picture;
    }

    #enlist(actor) {
        this.#actors.set(keyOfBody(actor.body), actor);
        this.#bySprite.set(actor.sprite, actor);
        this.#engine.adopt(actor.sprite, actor.body);
        this.#look(actor);
    }

    /** Removes the sprite and the skin of an actor. Splits of this step still find its picture. */
    #retire(actor) {
        this.#bySprite.delete(actor.sprite);
        this.#engine.forget(actor.sprite);
        if (actor.skin) this.#engine.release(actor.skin);
        actor.sprite = actor.skin = null;
    }

    /** Remembers a sprite's frame and place. */
    #look(actor) {
        actor.frame = this.#engine.getFrame(actor.sprite);
        this.#engine.getPlace(actor.sprite, actor.place);
    }

    /* ---- From sprites to bodies ---- */

    #take(actor, dt) {
        const { body, sprite, place } = actor, now = this.#engine.getPlace(sprite, {});
        if (this.#engine.getFrame(sprite) !== actor.frame) this.#changeFrame(actor, now);
        const scaled = differs(now, place, 'scaleX', 'scaleY');
        if (scaled) body.setScale({ x: now.scaleX, y: now.scaleY });
        if (!scaled && !differs(now, place, 'x', 'y', 'angle', 'pivotX', 'pivotY')) return;
        if (body.getType() === 'kinematic') body.moveTo(centerAt(body, now), now.angle, dt);
        else {
            if (now.angle !== place.angle) body.setAngle(now.angle);
            body.setPosition(centerAt(body, now));
        }
        Object.assign(place, now);
    }

    #changeFrame(actor, now) {
        const picture = this.#getPicture(this.#engine.getFrame(actor.sprite)), { place } = actor;
        actor.body.setMask(picture.mask, { x: place.pivotX - now.pivotX, y: place.pivotY - now.pivotY });
        if (actor.skin) this.#engine.release(actor.skin);
        Object.assign(actor, { picture, x: 0, y: 0, skin: null });
        Object.assign(place, { pivotX: now.pivotX, pivotY: now.pivotY });
    }

    /* ---- From bodies to sprites ---- */

    #give() {
        const poses = this.world.getPoses(POSES_DISABLED);
        for (let row = 0; row < poses.length; row += POSE_SIZE) {
            const actor = this.#actors.get(keyOf(poses[row + 6], poses[row + 7]));
            if (!actor?.sprite) continue;
            this.#look(actor);
            const c = poses[row + 2], s = poses[row + 3], u = actor.place.pivotX * actor.place.scaleX, v = actor.place.pivotY * actor.place.scaleY;
            this.#engine.move(actor.sprite, snap(poses[row + 4] + c * u - s * v), snap(poses[row + 5] + s * u + c * v), Math.atan2(s, c));
            this.#engine.getPlace(actor.sprite, actor.place);
        }
    }

    #follow({ splits, dirtyRects }) {
        const parts = splits.map((split) => this.#noteSplit(split)).filter(Boolean);
        for (const part of parts) if (part.body.isValid()) this.#dressPart(part);
        for (const { body, rect } of dirtyRects) {
            const actor = this.get(body);
            if (actor?.sprite && !parts.includes(actor)) this.#redraw(actor, rect);
        }
        for (const [key, actor] of this.#actors) if (!actor.body.isValid()) this.#bury(key, actor);
    }

    /** Notes a part before any is drawn: it may have split again in the same step. */
    #noteSplit({ parent, child, x, y }) {
        const from = this.get(parent);
        if (!from) return null;
        const part = new Actor(child, null, from.picture, from.x + x, from.y + y, from);
        this.#actors.set(keyOfBody(child), part);
        return part;
    }

    /** Gives a part its skin and its sprite. A part of a removed sprite is removed as well. */
    #dressPart(part) {
        let model = part.parent;
        while (model && !model.sprite) model = model.parent;
        if (!model) return part.body.destroy();
        part.skin = new Skin(part.picture, part.x, part.y, part.body.getMask());
        part.sprite = this.#engine.spawn(model.sprite, part.skin);
        this.#enlist(part);
        this.#engine.notify(model.sprite, 'split', part.sprite);
    }

    #redraw(actor, rect) {
        const mask = actor.body.getMask();
        if (mask === actor.picture.mask) return;
        if (actor.skin) {
            actor.skin.draw(mask, rect);
            this.#engine.update(actor.sprite, actor.skin);
        } else {
            actor.skin = new Skin(actor.picture, actor.x, actor.y, mask);
            this.#engine.show(actor.sprite, actor.skin);
        }
        this.#look(actor);
        this.#engine.notify(actor.sprite, 'carve', rect);
    }

    /** Removes the sprite of a body that no longer exists. */
    #bury(key, actor) {
        this.#actors.delete(key);
        if (!actor.sprite) return;
        const { sprite } = actor;
        this.#retire(actor);
        this.#engine.remove(sprite);
    }
}

/** Returns the center of mass of a body whose picture has its pivot at a place. */
function centerAt(body, { x, y, angle, scaleX, scaleY, pivotX, pivotY }) {
    const center = body.toLocal(body.getPosition()), c = Math.cos(angle), s = Math.sin(angle);
    const u = (center.x - pivotX) * scaleX, v = (center.y - pivotY) * scaleY;
    return { x: x + c * u - s * v, y: y + s * u + c * v };
}
