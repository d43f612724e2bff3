/* inline.d.ts - types of the entry pixverlet/inline.
 *
 * SPDX-License-Identifier: Zlib
 */
export * from './index.js';
/** Loads the module within; a second call waits for the first. */
export declare function init(): Promise<void>;
