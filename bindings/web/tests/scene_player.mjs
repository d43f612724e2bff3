/* scene_player.mjs - runs tests/scene_hashes.c in WASI, with the sprites of the source tree, in one process per scene.
 *
 * Usage: scene_player.mjs SOURCE MODULE [FRAMES EVERY SCENE...]
 *
 * SPDX-License-Identifier: Zlib
 */
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [source, module, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: ['scene_hashes', ...args], env: { PIXVERLET_SPRITES: '/source/sprites' }, preopens: { '/source': source } });
const { instance } = await WebAssembly.instantiate(readFileSync(module), wasi.getImportObject());
wasi.start(instance);
