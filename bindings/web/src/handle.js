/* handle.js - objects of a world: bodies, joints, particles and others.
 *
 * Invariant: a world has one object for each slot and the generation that JavaScript saw last. So equal ids are the
 * same object.
 *
 * SPDX-License-Identifier: Zlib
 */
import { begin, enter, errorAt, finish, leave, lives, owner, register } from './marshal.js';
import { u32, wasm } from './memory.js';
import * as structs from './structs.js';

/** Slot and generation of an object of a world. */
class Slot {
    constructor(at) {
        this.index = u32[at >> 2];
        this.generation = u32[(at + 4) >> 2];
    }
}

/** Creates an object in the library. */
function create({ kind }, world, def) {
    const struct = `pv_${kind}_def`, size = structs.sizes[struct] ?? 0;
    begin(`pv_${kind}_create`);
    owner(world);
    const at = enter(8 + size);
    try {
        if (size) {
            wasm[`${struct}_default`](at + 8);
            structs[`write_${struct}`](at + 8, def, 'def');
            wasm[`pv_${kind}_create`](at, world.pointer, at + 8, errorAt);
        } else wasm[`pv_${kind}_create`](at, world.pointer, errorAt);
        finish();
        return new Slot(at);
    } finally {
        leave(at);
    }
}

export class Handle {
    /** Creates an object in a world, by the members of its definition. */
    constructor(world, def = {}) {
        const { userData, ...rest } = def ?? { def };
        const slot = def instanceof Slot ? def : create(new.target, world, def === null ? null : rest);
        this.world = world;
        this.index = slot.index;
        this.generation = slot.generation;
        this.userData = userData;
        world.handles[new.target.kind][slot.index] = this;
    }

    /** Tells whether the object lives. */
    isValid() {
        return this.world.pointer !== 0 && lives(this);
    }
}

/** Registers the class of a kind: 'body', 'joint'. */
export function registerHandle(Class, kind) {
    Class.kind = kind;
    Class.validity = `pv_${kind}_is_valid`;
    Class.of = (world, index, generation) => {
        const known = world.handles[kind][index];
        return known?.generation === generation ? known : new Class(world, Object.assign(Object.create(Slot.prototype), { index, generation }));
    };
    register(kind, Class);
    kinds.push(kind);
}
export const kinds = [];
