/* world.js - worlds: steps, poses, events, snapshots and debug drawing.
 *
 * Invariant: arrays that a world returns belong to JavaScript. They stay valid when the memory of the module grows.
 *
 * SPDX-License-Identifier: Zlib
 */
import { drawCommands } from './debug_draw.js';
import { kinds } from './handle.js';
import { allocate, begin, enter, errorAt, finish, guarded, handleAt, leave, natural, owner, refuse, refuseType, register, succeed } from './marshal.js';
import { allocateBytes, f32, f64, i32, refresh, u32, u8, wasm } from './memory.js';
import { own } from './resource.js';
import { pv_presolve_result, read_pv_events, read_pv_presolve_contact, sizes, write_pv_presolve_contact, write_pv_world_def } from './structs.js';
import { DEBUG_CONTOURS, DEBUG_JOINTS, DEBUG_MASKS, DEBUG_NORMALS, DEBUG_PARTICLES, DEBUG_POLYGONS } from './flags.js';
import { WorldMethods } from './world_methods.js';

/** Numbers of a pose: x, y, cosine, sine, left, top, index, generation. */
export const POSE_SIZE = 8;
const POSE_BYTES = 8 * POSE_SIZE;

/** Worlds by pointer, for callbacks. */
const worlds = new Map();
/** Number of callbacks that are running. */
let depth = 0;

function create(def) {
    begin('pv_world_create');
    const at = enter(sizes.pv_world_def);
    try {
        wasm.pv_world_def_default(at);
        write_pv_world_def(at, def, 'def');
        const pointer = wasm.pv_world_create(at, errorAt);
        finish();
        wasm.web_set_reports(pointer, errorAt);
        return pointer;
    } finally {
        leave(at);
    }
}

function callback(value, name) {
    if (value !== null && typeof value !== 'function') refuseType(value, name, 'a function or null');
    return value;
}

export class World extends WorldMethods {
    #filter = null;
    #presolve = null;
    #poses = new Float64Array(0);
    #positions = new Float32Array(0);

    /** Creates an empty world, by the members of its definition. */
    constructor(def = {}) {
        super();
        own(this, create(def));
        this.handles = Object.fromEntries(kinds.map((kind) => [kind, []]));
        worlds.set(this.pointer, new WeakRef(this));
    }

    destroy() {
        begin('pv_world_destroy');
        if (depth > 0) refuse('busy', 'world', 'the world is in a step or a query');
        worlds.delete(this.pointer);
        super.destroy();
    }

    /** Sets the function that tells whether two bodies collide: (a, b) => boolean. Null removes it. */
    setFilterCallback(filter) {
        begin('pv_world_set_filter_callback');
        owner(this);
        succeed(wasm.web_set_filter(this.pointer, callback(filter, 'filter') ? 1 : 0), 'pv_world_set_filter_callback');
        this.#filter = filter;
    }

    /** Sets the function that judges contacts: (contact) => 'collide' or another result. Null removes it. */
    setPresolveCallback(presolve) {
        begin('pv_world_set_presolve_callback');
        owner(this);
        succeed(wasm.web_set_presolve(this.pointer, callback(presolve, 'presolve') ? 1 : 0), 'pv_world_set_presolve_callback');
        this.#presolve = presolve;
    }

    /** Asks the filter; the library calls it. */
    static askFilter(world, indexA, generationA, indexB, generationB) {
        const body = (index, generation) => handleOf(world, index >>> 0, generation >>> 0);
        return world.#filter(body(indexA, generationA), body(indexB, generationB)) ? 1 : 0;
    }

    /** Asks about a contact, and writes back what the function changed. */
    static askPresolve(world, at) {
        const contact = read_pv_presolve_contact(at, world), result = world.#presolve(contact) ?? 'collide';
        refresh();
        begin('presolve');
        write_pv_presolve_contact(at, contact, 'contact');
        if (!pv_presolve_result.values.has(result)) refuseType(result, 'result', "'collide', 'ignore' or 'ignoreUntilSeparated'");
        return pv_presolve_result.values.get(result);
    }

    /** Returns the poses of all bodies, POSE_SIZE numbers each. The next call refills the array.
     *  @param flags POSES_AWAKE and POSES_DISABLED, or-ed */
    getPoses(flags = 0) {
        begin('pv_world_get_poses');
        owner(this);
        const at = enter(0);
        try {
            natural(flags, 'flags');
            const count = wasm.web_poses(this.pointer, flags, 0, 0), rows = allocate(count * POSE_BYTES);
            wasm.web_poses(this.pointer, flags, rows, count);
            refresh();
            if (this.#poses.length !== count * POSE_SIZE) this.#poses = new Float64Array(count * POSE_SIZE);
            this.#poses.set(f64.subarray(rows >> 3, (rows >> 3) + count * POSE_SIZE));
            return this.#poses;
        } finally {
            leave(at);
        }
    }

    /** Returns the body of a row of getPoses().
     *  @param row index of its first number */
    getPoseBody(row) {
        return handleOf(this, this.#poses[row + 6], this.#poses[row + 7]);
    }

    /** Returns the positions of all particles, two numbers each. The next call refills the array. */
    getParticlePositions() {
        begin('pv_world_get_particle_positions');
        owner(this);
        const at = enter(0);
        try {
            const count = wasm.pv_world_get_particle_positions(this.pointer, 0, 0), xy = allocate(8 * count);
            wasm.pv_world_get_particle_positions(this.pointer, xy, count);
            refresh();
            if (this.#positions.length !== 2 * count) this.#positions = new Float32Array(2 * count);
            this.#positions.set(f32.subarray(xy >> 2, (xy >> 2) + 2 * count));
            return this.#positions;
        } finally {
            leave(at);
        }
    }

    /** Returns the events of the last step: arrays of plain objects. */
    getEvents() {
        begin('pv_world_get_events');
        owner(this);
        const at = enter(sizes.pv_events);
        try {
            wasm.pv_world_get_events(at, this.pointer);
            refresh();
            return read_pv_events(at, this);
        } finally {
            leave(at);
        }
    }

    /** Computes a hash of all that the next step depends on, as 16 digits. It is the same on every machine. */
    computeHash() {
        begin('pv_world_compute_hash');
        owner(this);
        return BigInt.asUintN(64, wasm.pv_world_compute_hash(this.pointer)).toString(16).padStart(16, '0');
    }

    /** Returns the whole state as bytes, which every build of the library restores.
     *  @param flags SNAPSHOT_PIXELS for a restore in another world; 0 for one in this world */
    save(flags = 0) {
        begin('pv_world_save');
        owner(this);
        const at = enter(0);
        try {
            const sizeAt = allocate(4);
            succeed(wasm.pv_world_save(this.pointer, natural(flags, 'flags'), 0, 0, sizeAt), 'pv_world_save');
            const size = u32[sizeAt >> 2], buffer = allocate(size);
            succeed(wasm.pv_world_save(this.pointer, flags, buffer, size, 0), 'pv_world_save');
            return u8.slice(buffer, buffer + size);
        } finally {
            leave(at);
        }
    }

    /** Restores the state of a snapshot. */
    restore(snapshot) {
        begin('pv_world_restore');
        owner(this);
        const at = enter(0);
        try {
            if (!(snapshot instanceof Uint8Array)) refuseType(snapshot, 'snapshot', 'a Uint8Array');
            succeed(wasm.pv_world_restore(this.pointer, allocateBytes(snapshot), snapshot.length), 'pv_world_restore');
        } finally {
            leave(at);
        }
    }

    /** Draws the world on a context of a canvas, for debugging.
     *  @param flags some of DEBUG_ */
    debugDraw(context, flags = DEBUG_MASKS | DEBUG_CONTOURS | DEBUG_NORMALS | DEBUG_JOINTS | DEBUG_PARTICLES | DEBUG_POLYGONS) {
        begin('pv_world_debug_draw');
        owner(this);
        if (typeof context?.beginPath !== 'function') refuseType(context, 'context', 'a 2D context of a canvas');
        const at = enter(8);
        try {
            const numbers = wasm.web_debug_draw(this.pointer, natural(flags, 'flags'), at, at + 4);
            refresh();
            const list = f64.slice(numbers >> 3, (numbers >> 3) + i32[at >> 2]), status = i32[(at + 4) >> 2];
            wasm.free(numbers);
            succeed(status, 'pv_world_debug_draw');
            drawCommands(context, list);
        } finally {
            leave(at);
        }
    }

    /** Returns all bodies, in slot order. */
    getBodies() {
        return every(this, 'body');
    }

    /** Returns all joints, in slot order. */
    getJoints() {
        return every(this, 'joint');
    }

    /** Returns all particles, in slot order. */
    getParticles() {
        return every(this, 'particle');
    }

    /** Returns all polygons, in slot order. */
    getPolygons() {
        return every(this, 'polygon');
    }

    /** Returns all composites, in slot order. */
    getComposites() {
        return every(this, 'composite');
    }
}
World.release = 'pv_world_destroy';
register('World', World);

function writeId(at, index, generation) {
    u32[at >> 2] = index;
    u32[(at + 4) >> 2] = generation;
}

/** Returns the body of an id; null for the null id. */
function handleOf(world, index, generation) {
    const at = enter(8);
    writeId(at, index, generation);
    leave(at);
    return handleAt('body', at, world);
}

/** Collects the objects that a function of the library iterates over. */
function every(world, kind) {
    const name = `pv_world_get_next_${kind}`, found = [];
    begin(name);
    owner(world);
    const at = enter(16);
    try {
        writeId(at, 0, 0);
        for (;;) {
            wasm[name](at + 8, world.pointer, at);
            refresh();
            const object = handleAt(kind, at + 8, world);
            if (!object) return found;
            found.push(object);
            writeId(at, object.index, object.generation);
        }
    } finally {
        leave(at);
    }
}

/** Runs a callback of a world for the library. */
function ask(pointer, call, otherwise) {
    const world = worlds.get(pointer).deref();
    depth++;
    const result = guarded(() => call(world), otherwise);
    depth--;
    return result;
}
export const askFilter = (pointer, ...ids) => ask(pointer, (world) => World.askFilter(world, ...ids), 1);
export const askPresolve = (pointer, at) => ask(pointer, (world) => World.askPresolve(world, at), 0);
