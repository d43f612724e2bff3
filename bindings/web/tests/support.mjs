/* support.mjs - shared by the tests: paths of files, and runs of other programs.
 *
 * SPDX-License-Identifier: Zlib
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const place = (/** @type {string} */ name) => process.env[name] ?? '.';
/** Path of a file of the source tree. */
export const source = (/** @type {string[]} */ ...parts) => join(place('PIXVERLET_SOURCE'), ...parts);
/** Path of a file of the build directory. */
export const build = (/** @type {string[]} */ ...parts) => join(place('PIXVERLET_BUILD'), ...parts);
/** Bytes of a sprite of the demo. */
export const sprite = (/** @type {string} */ name) => new Uint8Array(readFileSync(source('sprites', `${name}.png`)));
/** Runs a program, and returns what it prints. */
export const run = (/** @type {string} */ program, /** @type {(string | number)[]} */ ...args) => execFileSync(program, args.map(String), { encoding: 'utf8', cwd: build('web'), env: { ...process.env, PIXVERLET_SPRITES: source('sprites') } });
