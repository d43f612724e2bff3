/* pixverlet.js - all names of the package, and the callbacks that the module needs.
 *
 * Invariant: there is no state here.
 *
 * SPDX-License-Identifier: Zlib
 */
import { acceptBody } from './marshal.js';
import { load } from './module.js';
import { askFilter, askPresolve } from './world.js';

/** Loads the module from a source. */
export const loadFrom = (source) => load('pixverlet', source, { accept: acceptBody, filter: askFilter, presolve: askPresolve });

export { framesFromAtlas } from './atlas.js';
export { Body, Polygon } from './body.js';
export { Cut } from './cut.js';
export { PixverletError } from './error.js';
export { Handle } from './handle.js';
export { Mask, Placed, rotationFromAngle } from './mask_class.js';
export { Composite, ForceField, Grains, Joint, Liquid, Particle } from './matter.js';
export { MaterialMap } from './material_map.js';
export { Mover } from './mover.js';
export * from './flags.js';
export { POSE_SIZE, World } from './world.js';
