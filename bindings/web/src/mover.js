/* mover.js - platform characters that walk by exact pixels.
 *
 * Invariant: a mover owns its memory in the module until destroy(), and holds its mask.
 *
 * SPDX-License-Identifier: Zlib
 */
import { begin, enter, finish, handleAt, leave, list, living, number, owner, pointerOf, succeed, writeFilter } from './marshal.js';
import { refresh, wasm } from './memory.js';
import { own, Resource } from './resource.js';
import { read_pv_mover, read_pv_transform, sizes, write_pv_mover, write_pv_vec2 } from './structs.js';

export class Mover extends Resource {
    #mask = null;

    /** Creates a mover, by the members that a game may change. */
    constructor(world, members = {}) {
        super();
        begin('pv_mover_default');
        owner(world);
        this.world = world;
        own(this, wasm.malloc(sizes.pv_mover));
        wasm.pv_mover_default(this.pointer);
        this.set(members);
    }

    /** Changes some members. */
    set(members) {
        begin('pv_mover');
        owner(this.world);
        living(this);
        write_pv_mover(this.pointer, members, 'mover');
        if (members.mask !== undefined) this.#mask = members.mask;
    }

    /** Returns the current values of all members. */
    get() {
        begin('pv_mover');
        owner(this.world);
        living(this);
        return read_pv_mover(this.pointer, this.world);
    }

    /** Moves for one step, and returns all members.
     *  @param velocity relative to the ground [px/s]
     *  @param dt length of the step [s] */
    move(velocity, dt) {
        begin('pv_mover_move');
        owner(this.world);
        living(this);
        if (this.#mask) pointerOf('Mask', this.#mask, 'mover.mask');
        const at = enter(16);
        try {
            write_pv_vec2(at, velocity, 'velocity');
            succeed(wasm.pv_mover_move(this.world.pointer, this.pointer, at, number(dt, 'dt')), 'pv_mover_move');
            return read_pv_mover(this.pointer, this.world);
        } finally {
            leave(at);
        }
    }

    /** Returns the transform that draws the mask. */
    getTransform() {
        begin('pv_mover_get_transform');
        living(this);
        const at = enter(sizes.pv_transform);
        try {
            wasm.pv_mover_get_transform(at, this.pointer);
            refresh();
            return read_pv_transform(at);
        } finally {
            leave(at);
        }
    }

    /** Tells whether a mask fits at the mover's position.
     *  @param mask null for the mover's mask
     *  @param pivot in that mask; default: the mover's pivot [px] */
    fits(mask = null, pivot = undefined) {
        begin('pv_mover_fits');
        owner(this.world);
        living(this);
        if (!mask && this.#mask) pointerOf('Mask', this.#mask, 'mover.mask');
        const pointer = pointerOf('Mask', mask, 'mask'), at = enter(16);
        try {
            write_pv_vec2(at, pivot ?? read_pv_mover(this.pointer, this.world).pivot, 'pivot');
            const fits = wasm.pv_mover_fits(this.world.pointer, this.pointer, pointer, at) !== 0;
            finish();
            return fits;
        } finally {
            leave(at);
        }
    }

    /** Finds the bodies that share a pixel with the mover. */
    query(filter) {
        begin('pv_mover_query');
        owner(this.world);
        living(this);
        const at = enter(0), { world } = this;
        try {
            const found = list((out, capacity) => {
                const filterAt = writeFilter(filter, world);
                return wasm.pv_mover_query(world.pointer, this.pointer, filterAt, out, capacity);
            }, sizes.pv_body_id, (place) => handleAt('body', place, world));
            finish();
            return found;
        } finally {
            leave(at);
        }
    }
}
Mover.release = 'free';
