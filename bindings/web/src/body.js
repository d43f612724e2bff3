/* body.js - bodies made of sprites.
 *
 * SPDX-License-Identifier: Zlib
 */
import { registerHandle } from './handle.js';
import { BodyMethods } from './world_methods.js';

export class Body extends BodyMethods {}
registerHandle(Body, 'body');
