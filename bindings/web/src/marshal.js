/* marshal.js - checks arguments, and moves values into the module and out of it.
 *
 * Invariant: a wrong argument throws before the library is called. A refusal of the library throws
 * after it. An exception of a callback is kept until the library has returned.
 *
 * SPDX-License-Identifier: Zlib
 */
import { PixverletError } from './error.js';
import { allocate, enter, errorAt, f64, i32, leave, readText, refresh, u32, u8, wasm } from './memory.js';
import { errorPlaces, statuses } from './places.js';

export { allocate, enter, errorAt, leave };

/* ---- Failures ---- */

/** Function of the current call, and its world. */
let calling = '', called = null;
/** Exception of a callback. */
let pending = null;

export function begin(name) {
    refresh();
    calling = name;
    called = null;
    i32[(errorAt + errorPlaces.status) >> 2] = 0;
}

export function refuse(status, field, message) {
    throw new PixverletError({ status, function: calling, field, message: `${calling}: ${message}` });
}

export function describe(value) {
    if (value === null) return 'null';
    if (typeof value === 'number' || typeof value === 'boolean' || value === undefined) return String(value);
    if (typeof value === 'string') return JSON.stringify(value.length > 20 ? `${value.slice(0, 20)}...` : value);
    return typeof value === 'object' ? `an object of ${value.constructor?.name ?? 'no class'}` : `a ${typeof value}`;
}
export const refuseType = (value, field, wanted) => refuse('argument', field, `${field} is ${describe(value)}, must be ${wanted}`);

function throwReport() {
    const at = errorAt;
    const error = new PixverletError({
        status: statuses[i32[(at + errorPlaces.status) >> 2]],
        function: readText(u32[(at + errorPlaces.function) >> 2]),
        field: readText(u32[(at + errorPlaces.field) >> 2]),
        value: f64[(at + errorPlaces.value) >> 3],
        min: f64[(at + errorPlaces.min) >> 3],
        max: f64[(at + errorPlaces.max) >> 3],
        message: readText(at + errorPlaces.message),
    });
    i32[(at + errorPlaces.status) >> 2] = 0;
    throw error;
}

/** Throws what the call left: the exception of a callback, or a refusal. */
export function finish() {
    refresh();
    if (pending) {
        const { exception } = pending;
        pending = null;
        throw exception;
    }
    if (i32[(errorAt + errorPlaces.status) >> 2] !== 0) throwReport();
}

/** Throws unless a status is a success. */
export function succeed(status, name) {
    finish();
    if (status === 0) return;
    calling = name;
    refuse(statuses[status], null, readText(wasm.pv_status_to_string(status)));
}

/** Runs a callback of the program. Keeps the first exception, and makes no calls after it. */
export function guarded(callback, otherwise) {
    if (pending) return otherwise;
    const before = [calling, called];
    try {
        return callback() ?? otherwise;
    } catch (exception) {
        pending = { exception };
        return otherwise;
    } finally {
        refresh();
        [calling, called] = before;
    }
}

/* ---- Plain values ---- */

export function number(value, field) {
    if (typeof value !== 'number') refuseType(value, field, 'a number');
    if (Number.isNaN(value)) refuse('notFinite', field, `${field} is not a finite number`);
    return value;
}
export function integer(value, field) {
    if (typeof value !== 'number' || value !== (value | 0)) refuseType(value, field, 'a whole number, -2147483648 to 2147483647');
    return value;
}
export function natural(value, field) {
    if (typeof value !== 'number' || value !== value >>> 0) refuseType(value, field, 'a whole number, 0 to 4294967295');
    return value;
}
export function long(value, field) {
    if (!Number.isSafeInteger(value)) refuseType(value, field, 'a whole number, -9007199254740991 to 9007199254740991');
    return BigInt(value);
}
export function truth(value, field) {
    if (typeof value !== 'boolean') refuseType(value, field, 'true or false');
    return value ? 1 : 0;
}

/** The words of an enum. */
export class Choices {
    constructor(entries) {
        this.values = new Map(entries);
        this.words = new Map(entries.map(([word, value]) => [value, word]));
    }
    get(value) {
        return this.words.get(value);
    }
}
export function choice(word, choices, field) {
    const value = choices.values.get(word);
    if (value === undefined) refuseType(word, field, [...choices.values.keys()].map(describe).join(' or '));
    return value;
}

/** Checks that a value is an object with no members but `keys`. */
export function members(value, keys, name) {
    if (value === null || typeof value !== 'object') refuseType(value, name, 'an object');
    for (const key in value) if (!keys.has(key)) refuse('argument', `${name}.${key}`, `${name} has no member ${key}; it has ${[...keys].join(', ')}`);
}

/* ---- Arrays ---- */

function listed(value, name) {
    if (!Array.isArray(value)) refuseType(value, name, 'an array');
    return value;
}

/** Copies an array to memory of the current frame. */
export function allocateArray(value, size, name, write) {
    const at = allocate(listed(value, name).length * size || size);
    u8.fill(0, at, at + value.length * size);
    value.forEach((item, i) => write(at + i * size, item, `${name}[${i}]`));
    return at;
}

/** Writes an array member: a pointer and a count. */
export function writeArray(at, countAt, size, value, name, write) {
    const items = allocateArray(value, size, name, write);
    u32[at >> 2] = items;
    i32[countAt >> 2] = value.length;
}

/** Writes an array within a struct. */
export function writeItems(at, length, size, value, name, write) {
    if (listed(value, name).length !== length) refuse('argument', name, `${name} has ${value.length} items, must have ${length}`);
    value.forEach((item, i) => write(at + i * size, item, `${name}[${i}]`));
}

export function readArray(at, length, size, read) {
    return Array.from({ length }, (_, i) => read(at + i * size));
}

/** Calls a function that copies to an array, again if the first array was too small. */
export function list(call, size, read) {
    const FIRST = 32;
    let out = allocate(FIRST * size), count = call(out, FIRST);
    if (count > FIRST) {
        const capacity = count;
        out = allocate(capacity * size);
        count = Math.min(call(out, capacity), capacity);
    }
    refresh();
    return readArray(out, count, size, read);
}

/* ---- Objects ---- */

/** Classes by name, and by kind of handle: 'Mask', 'body'. */
const known = new Map();
export const register = (name, type) => known.set(name, type);

/** Checks that a mask, a map or a world lives. */
export function living(resource) {
    if (resource.pointer) return;
    const noun = resource.constructor.name;
    refuse('argument', noun, `this ${noun} was destroyed`);
}

/** Begins a call on a world. */
export function owner(world) {
    if (!(world instanceof known.get('World'))) refuseType(world, 'world', 'a World');
    living(world);
    called = world;
}

export function pointerOf(name, value, field) {
    if (value === null) return 0;
    if (!(value instanceof known.get(name))) refuseType(value, field, `a ${name}`);
    if (!value.pointer) refuse('argument', field, `${field} is a ${name} that was destroyed`);
    return value.pointer;
}

/** Makes an object of a pointer that comes with a reference. */
export const adopt = (name, pointer) => known.get(name).adopt(pointer);
/** Makes an object of a borrowed pointer, or null. */
export const maskAt = (pointer) => known.get('Mask').at(pointer);
export const materialMapAt = (pointer) => known.get('MaterialMap').at(pointer);

/* ---- Handles ---- */

export function handleAt(kind, at, world) {
    const index = u32[at >> 2], generation = u32[(at + 4) >> 2];
    return index === 0 && generation === 0 ? null : known.get(kind).of(world, index, generation);
}

export function writeHandle(kind, at, value, field) {
    if (value !== null && value !== undefined) {
        const type = known.get(kind);
        if (!(value instanceof type)) refuseType(value, field, `a ${type.name} or null`);
        if (called && value.world !== called) refuse('argument', field, `${field} belongs to another world`);
    }
    u32[at >> 2] = value?.index ?? 0;
    u32[(at + 4) >> 2] = value?.generation ?? 0;
}

export function writeSelf(at, handle) {
    u32[at >> 2] = handle.index;
    u32[(at + 4) >> 2] = handle.generation;
}

export function lives(handle) {
    const at = enter(8);
    writeSelf(at, handle);
    const found = wasm[handle.constructor.validity](handle.world.pointer, at);
    leave(at);
    return found !== 0;
}

/** Begins a call on a body, a joint or another object of a world. */
export function self(handle) {
    owner(handle.world);
    const { kind } = handle.constructor;
    if (!lives(handle)) refuse('staleId', kind, `${kind} names no living ${kind.replace('_', ' ')}`);
}

/* ---- Filters of queries ---- */

const filters = [];

/** Writes a filter of a query; it lives as long as the current frame. */
export function writeFilter(filter, world) {
    if (filter === undefined || filter === null) return 0;
    members(filter, new Set(['maskBits', 'includeSensors', 'accept']), 'filter');
    const at = enter(32), { maskBits = 0xffffffff, includeSensors = false, accept } = filter;
    if (accept !== undefined && typeof accept !== 'function') refuseType(accept, 'filter.accept', 'a function');
    while (filters.length && filters.at(-1).at >= at) filters.pop();
    const asked = accept ? filters.push({ at, accept, world }) - 1 : -1;
    wasm.web_fill_filter(at, natural(maskBits, 'filter.mask_bits'), truth(includeSensors, 'filter.include_sensors'), asked);
    return at;
}

/** Answers the library about a body. */
export function acceptBody(asked, index, generation) {
    const { accept, world } = filters[asked];
    return guarded(() => (accept(known.get('body').of(world, index >>> 0, generation >>> 0)) ? 1 : 0), 0);
}
