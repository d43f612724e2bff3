/* inline.js - the entry pixverlet/inline: everything, with the module inside.
 *
 * SPDX-License-Identifier: Zlib
 */
import { base64 } from './module_base64.js';
import { loadFrom } from './pixverlet.js';

/** Loads the module; a second call waits for the first. */
export const init = () => loadFrom(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
export * from './pixverlet.js';
