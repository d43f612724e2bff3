/* index.js - the entry pixverlet: everything, with the module as a file beside it.
 *
 * SPDX-License-Identifier: Zlib
 */
import { loadFrom } from './pixverlet.js';

/** Loads the module; a second call waits for the first.
 *  @param source address, bytes or a compiled module; the file of the package if it is left out */
export const init = (source = new URL('./pixverlet.wasm', import.meta.url)) => loadFrom(source);
export * from './pixverlet.js';
