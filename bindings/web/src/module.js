/* module.js - loads the module of WebAssembly.
 *
 * Invariant: a program has one module. Its only imports are a clock and three callbacks.
 *
 * SPDX-License-Identifier: Zlib
 */
import { install } from './memory.js';

let loading = null, loaded = '';

async function bytesOf(url) {
    if (url.protocol !== 'file:') return fetch(url);
    const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ 'node:fs/promises');
    return readFile(url);
}

/** Instantiates a module, while its response arrives if the browser can do that. */
export async function instantiate(source, imports) {
    if (typeof WebAssembly !== 'object') throw new Error('pixverlet: this page has no WebAssembly');
    const found = source instanceof URL || typeof source === 'string' ? await bytesOf(new URL(source, import.meta.url)) : source;
    if (found instanceof WebAssembly.Module) return WebAssembly.instantiate(found, imports);
    if (typeof Response !== 'function' || !(found instanceof Response)) return (await WebAssembly.instantiate(found, imports)).instance;
    if (!found.ok) throw new Error(`pixverlet: ${found.url} could not be loaded: ${found.status} ${found.statusText}`);
    if (WebAssembly.instantiateStreaming && found.headers.get('content-type') === 'application/wasm') return (await WebAssembly.instantiateStreaming(found, imports)).instance;
    return (await WebAssembly.instantiate(await found.arrayBuffer(), imports)).instance;
}

/** Loads a module once.
 *  @param name the entry that asks; later calls with another one are refused
 *  @param source address, bytes or a compiled module */
export function load(name, source, callbacks) {
    if (loading && loaded !== name) throw new Error(`pixverlet: ${loaded} is in use; a program uses one of the entries`);
    loaded = name;
    loading ??= instantiate(source, { pixverlet: { now: () => performance.now(), ...callbacks } }).then(
        ({ exports }) => install(exports),
        (failure) => {
            loading = null;
            throw failure;
        },
    );
    return loading;
}
