/* mask.js - the entry pixverlet/mask: only masks, in a small module.
 *
 * Invariant: nothing in it needs a world.
 *
 * SPDX-License-Identifier: Zlib
 */
import { load } from './module.js';

/** Loads the module; a second call waits for the first.
 *  @param source address, bytes or a compiled module; the file of the package if it is left out */
export const init = (source = new URL('./mask.wasm', import.meta.url)) => load('pixverlet/mask', source, {});

export { framesFromAtlas } from './atlas.js';
export { PixverletError } from './error.js';
export { Mask, Placed, rotationFromAngle } from './mask_class.js';
