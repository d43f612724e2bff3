/* stage.js - the scene that is played: a world, the pictures of its bodies, and all actions on it.
 *
 * Invariant: size, seed, and the actions with their ticks determine every tick. Two stages with
 * equal ones have equal hashes, on every machine.
 *
 * SPDX-License-Identifier: Zlib
 */
import { Body, Cut, Grains, Joint, Mask, World } from 'pixverlet';
import { Random } from './random.js';
import { Skins } from './skins.js';

export const TICK = 1 / 60;
const GRAVITY = 500, FLOOR = 28, WALL = 400;
/** Most bodies and grains of a stage. The oldest loose body goes first. */
const MOST_BODIES = 400, MOST_GRAINS = 12000;
const BOMB_REACH = 90, BOMB_RADIUS = 26, BOMB_SPEED = 420;
const CUT_WIDTH = 2.5;
const DEGREE = Math.PI / 180;

/** Returns the size of a stage for a window: about a quarter of a million pixels of its shape. */
export function sizeFor(width, height) {
    const shape = width / height;
    return shape >= 1 ? { width: Math.round(Math.min(900, Math.max(480, 372 * shape))), height: 400 } : { width: 360, height: Math.round(Math.min(760, Math.max(420, 360 / shape))) + 28 };
}

/** Floor and walls: one picture, whose inside is the stage. */
function bed(width, height) {
    const mask = Mask.create(width + 2 * WALL, height + WALL + FLOOR * 4);
    mask.fillRect({ x: 0, y: height + WALL - FLOOR, w: width + 2 * WALL, h: FLOOR * 5 }, true);
    mask.fillRect({ x: 0, y: 0, w: WALL, h: height + WALL }, true);
    mask.fillRect({ x: width + WALL, y: 0, w: WALL, h: height + WALL }, true);
    return mask;
}

export class Stage {
    /** @param setup { width, height, seed, gravity } */
    constructor({ width, height, seed, gravity = { x: 0, y: GRAVITY } }) {
        this.width = width;
        this.height = height;
        this.seed = seed;
        this.floor = height - FLOOR;
        this.random = new Random(seed);
        this.world = new World({ gravity, hitEventThreshold: 120 });
        this.sprites = new Map();
        this.skins = new Skins(this.world);
        this.tick = 0;
        this.hold = null;
        this.shake = 0;
        /** Places that were struck or carved recently, only for drawing. */
        this.flashes = [];
        this.#build();
    }

    #build() {
        const mask = bed(this.width, this.height), ground = new Body(this.world, { type: 'static', mask, position: { x: this.width / 2, y: 0 }, friction: 0.8 });
        const at = ground.toWorld({ x: 0, y: 0 });
        const place = ground.getPosition();
        ground.setPosition({ x: place.x - WALL - at.x, y: place.y - WALL - at.y });
        this.ground = ground;
        this.grains = new Grains(this.world, { capacity: MOST_GRAINS, friction: 0.7, restitution: 0.25 });
    }

    destroy() {
        this.world.destroy();
    }

    /* ---- Sprites ---- */

    /** Adds a sprite, or returns the one of that name. */
    addSprite(sprite) {
        if (!this.sprites.has(sprite.name)) this.sprites.set(sprite.name, sprite);
        return this.sprites.get(sprite.name);
    }

    /* ---- Actions ----
     * Each has whole numbers and names as arguments, so that a list of them is short and exact. */

    /** Performs an action now, and returns its result. */
    act(kind, ...args) {
        if (!Object.hasOwn(Stage.actions, kind)) throw new Error(`no action is called ${kind}`);
        return Stage.actions[kind].call(this, ...args);
    }

    /** Actions by name. */
    static actions = {
        /** Adds a body of a sprite; its center is at x, y, its angle in degrees. */
        add(name, x, y, degrees = 0, vx = 0, vy = 0, type = 'dynamic') {
            const sprite = this.sprites.get(name);
            if (!sprite) throw new Error(`no sprite is called ${name}`);
            const body = new Body(this.world, { ...sprite.material, type, mask: sprite.mask, position: { x, y }, angle: degrees * DEGREE, velocity: { x: vx, y: vy } });
            body.setFracture({ minPartPixels: 10, ...sprite.fracture });
            this.skins.put(body, sprite);
            this.#thin();
            return body;
        },
        grab(x, y) {
            const body = this.bodyNear(x, y);
            if (!body) return null;
            this.hold = Joint.createMouse(this.world, body, { x, y });
            return body;
        },
        drag(x, y) {
            if (this.hold?.isValid()) this.hold.setTarget({ x, y });
        },
        drop() {
            if (this.hold?.isValid()) this.hold.destroy();
            this.hold = null;
        },
        carve(x, y, toX, toY, radius) {
            const cut = x === toX && y === toY ? Cut.circle({ x, y }, radius) : Cut.line({ x, y }, { x: toX, y: toY }, 2 * radius);
            this.#remove(cut);
            this.#flash('bite', toX, toY, radius);
        },
        cut(x, y, toX, toY) {
            this.#remove(Cut.line({ x, y }, { x: toX, y: toY }, CUT_WIDTH));
            this.flashes.push({ kind: 'cut', x, y, toX, toY, tick: this.tick });
        },
        bomb(x, y) {
            this.blast = { x, y };
            this.#remove(Cut.circle({ x, y }, BOMB_RADIUS));
            this.#throw(x, y);
            this.shake = 10;
            this.#flash('bomb', x, y, BOMB_RADIUS);
        },
        /** Joins the bodies at two points, or a body to the wall behind it. */
        join(x, y, toX, toY) {
            const a = this.bodyNear(x, y), b = this.bodyNear(toX, toY);
            if (a === b) return null;
            const anchor = (body, at) => (body ? { body, point: at } : { point: at });
            const distance = Math.hypot(toX - x, toY - y);
            const def = { a: anchor(a ?? b, a ? { x, y } : { x: toX, y: toY }), b: anchor(a ? b : null, a ? { x: toX, y: toY } : { x, y }) };
            return new Joint(this.world, { type: distance < 6 ? 'pin' : 'rope', ...def, ...(distance < 6 ? {} : { length: distance }), collideConnected: true });
        },
        gravity(x, y) {
            this.world.setGravity({ x, y });
        },
    };

    /** Returns the topmost loose body at a place or within a finger's width, or null. */
    bodyNear(x, y) {
        for (const [dx, dy] of [[0, 0], [4, 0], [-4, 0], [0, 4], [0, -4], [9, 0], [-9, 0], [0, 9], [0, -9]]) {
            const body = this.world.pickBody({ x: x + dx, y: y + dy });
            if (body && body.getType() === 'dynamic') return body;
        }
        return null;
    }

    #flash(kind, x, y, size) {
        this.flashes.push({ kind, x, y, size, tick: this.tick });
    }

    /** Removes the pixels of a cut from everything but the ground. */
    #remove(cut) {
        const loose = this.world.getBodies().filter((body) => body !== this.ground);
        for (const body of loose) if (body.isValid()) body.carve(cut);
    }

    /** Pushes bodies away from a place. */
    #throw(x, y) {
        for (const body of this.world.queryCircle({ x, y }, BOMB_REACH)) {
            if (body.getType() !== 'dynamic') continue;
            const at = body.getPosition(), dx = at.x - x, dy = at.y - y, distance = Math.hypot(dx, dy) || 1;
            const speed = BOMB_SPEED * Math.max(0.15, 1 - distance / (2 * BOMB_REACH)), mass = body.getMass();
            const lighter = mass * Math.min(1, Math.sqrt(1500 / mass));
            body.applyImpulse({ x: (lighter * speed * dx) / distance, y: lighter * speed * (dy / distance - 0.4) });
        }
    }

    /** Removes the oldest loose bodies if there are too many. */
    #thin() {
        const bodies = this.world.getBodies().filter((body) => body.getType() === 'dynamic');
        for (let i = 0; i < bodies.length - MOST_BODIES; i++) bodies[i].destroy();
    }

    /* ---- Time ---- */

    /** Advances by a tick. */
    step() {
        this.world.step(TICK);
        this.tick++;
        const events = this.world.getEvents();
        const lost = this.skins.follow(events);
        if (lost.length) this.#scatter(lost);
        this.blast = null;
        this.shake *= 0.88;
        this.flashes = this.flashes.filter((flash) => this.tick - flash.tick < 40);
    }

    /** Throws lost pixels as grains of their colors. */
    #scatter(lost) {
        const list = lost.map(({ x, y, vx, vy, color }) => {
            let dx = vx + 60 * (this.random.next() - 0.5), dy = vy - 40 * this.random.next();
            if (this.blast) {
                const ax = x - this.blast.x, ay = y - this.blast.y, away = Math.hypot(ax, ay) || 1, speed = 120 + 240 * this.random.next();
                dx += (speed * ax) / away;
                dy += (speed * ay) / away - 60;
            }
            return { position: { x, y }, velocity: { x: dx, y: dy }, color };
        });
        this.grains.emit(list);
    }

    /* ---- Moments ---- */

    /** Returns all that a later tick depends on. */
    save() {
        return { tick: this.tick, bytes: this.world.save(), random: this.random.state, hold: this.hold };
    }

    /** Goes back to a moment of this stage. */
    restore(moment) {
        this.world.restore(moment.bytes);
        this.tick = moment.tick;
        this.random.state = moment.random;
        this.hold = moment.hold;
        this.flashes = [];
        this.skins.rebuild();
    }
}
