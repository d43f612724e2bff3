/* resource.js - objects that own memory of the module: masks, material maps and worlds.
 *
 * Invariant: the pointer is 0 after destroy(). An object that the program forgot is freed by the garbage collector.
 *
 * SPDX-License-Identifier: Zlib
 */
import { wasm } from './memory.js';

/** Frees the pointer of a lost object, in the module that it came from. */
const registry = new FinalizationRegistry(({ exports, release, pointer }) => exports[release](pointer));

/** Makes an object the owner of a pointer. */
export function own(object, pointer) {
    object.pointer = pointer;
    registry.register(object, { exports: wasm, release: object.constructor.release, pointer }, object);
    return object;
}

export class Resource {
    /** Frees the object now. A second call does nothing. */
    destroy() {
        if (!this.pointer) return;
        registry.unregister(this);
        const { pointer } = this;
        this.pointer = 0;
        wasm[this.constructor.release](pointer);
    }
}

/** Gives a class one object for each living pointer. */
export function shareable(Class, retain) {
    const objects = new Map();
    Class.adopt = (pointer) => {
        const object = own(Object.create(Class.prototype), pointer);
        objects.set(pointer, new WeakRef(object));
        return object;
    };
    Class.at = (pointer) => {
        if (!pointer) return null;
        const object = objects.get(pointer)?.deref();
        return object?.pointer === pointer ? object : Class.adopt(wasm[retain](pointer));
    };
}
