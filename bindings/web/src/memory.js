/* memory.js - the module of WebAssembly: its functions, its memory, and a stack of arguments.
 *
 * Invariant: after refresh() the views show the current memory. Frames of the stack are left in the reverse order of
 * enter().
 *
 * SPDX-License-Identifier: Zlib
 */
const STACK_SIZE = 65536, ERROR_SIZE = 256;

/** Stands for the module before init(): each access throws. */
const missing = {
    get() {
        throw new Error('pixverlet: call await init() first');
    },
};

export let wasm = new Proxy({}, missing);
export let u8, i32, u32, f32, f64 = [], i64;
/** Address of the last refusal, a pv_error. */
export let errorAt = 0;

let stack = 0, top = 0;
/** Blocks beyond the stack, each with its frame. */
const blocks = [];

/** Renews the views after the memory grew. */
export function refresh() {
    if (f64.length !== 0) return;
    const { buffer } = wasm.memory;
    u8 = new Uint8Array(buffer);
    i32 = new Int32Array(buffer);
    u32 = new Uint32Array(buffer);
    f32 = new Float32Array(buffer);
    f64 = new Float64Array(buffer);
    i64 = new BigInt64Array(buffer);
}

/** Begins to use a module. */
export function install(exports) {
    wasm = exports;
    f64 = [];
    refresh();
    wasm._initialize?.();
    stack = top = wasm.malloc(STACK_SIZE);
    errorAt = wasm.malloc(ERROR_SIZE);
    refresh();
    u8.fill(0, errorAt, errorAt + ERROR_SIZE);
}

/** Begins a frame of arguments. */
export function enter(size) {
    refresh();
    const at = top;
    top += (size + 7) & ~7;
    if (top > stack + STACK_SIZE) {
        top = at;
        throw new Error('pixverlet: calls within callbacks are nested too deeply');
    }
    return at;
}

/** Returns memory that lives as long as the current frame. */
export function allocate(size) {
    if (top + size <= stack + STACK_SIZE / 2) return enter(size);
    const block = wasm.malloc(size);
    if (!block) throw new Error(`pixverlet: no memory for ${size} bytes`);
    refresh();
    blocks.push({ frame: top, block });
    return block;
}

/** Ends a frame, and frees its memory. */
export function leave(at) {
    top = at;
    while (blocks.length && blocks.at(-1).frame >= at) wasm.free(blocks.pop().block);
}

const decoder = new TextDecoder(), encoder = new TextEncoder();

export function readText(at) {
    return at ? decoder.decode(u8.subarray(at, u8.indexOf(0, at))) : null;
}

/** Copies bytes, or a text with a zero at its end. */
export function allocateBytes(bytes) {
    const data = typeof bytes === 'string' ? encoder.encode(`${bytes}\0`) : bytes;
    const at = allocate(data.length || 1);
    u8.set(data, at);
    return at;
}
