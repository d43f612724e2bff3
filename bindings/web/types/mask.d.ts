/* mask.d.ts - types of the entry pixverlet/mask.
 *
 * SPDX-License-Identifier: Zlib
 */
export { framesFromAtlas, init, Mask, PixverletError, Placed, rotationFromAngle } from './index.js';
export type { Contour, Frame, MaskOptions, ModuleSource } from './index.js';
