/* body.js - bodies made of sprites, and polygons.
 *
 * SPDX-License-Identifier: Zlib
 */
import { registerHandle } from './handle.js';
import { BodyMethods } from './world_methods.js';

export class Body extends BodyMethods {}
export class Polygon extends Body {}
registerHandle(Body, 'body');
registerHandle(Polygon, 'polygon');
Polygon.validity = Body.validity;

/** Bit of the index of a polygon, PV_POLYGON_BIT. */
const POLYGON_BIT = 0x800000;
const spriteOf = Body.of;
Body.of = (world, index, generation) => (index & POLYGON_BIT ? Polygon.of : spriteOf)(world, index, generation);
