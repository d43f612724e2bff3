/* scenes.test.mjs - every scene of the demo comes to the hash of tests/golden.txt, by the objects of the package.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { WASI } from 'node:wasi';
import { build, source } from './support.mjs';

const module = new WebAssembly.Module(readFileSync(build('web', 'scene_hashes.wasm')));
const golden = readFileSync(source('tests', 'golden.txt'), 'utf8').split('\n').filter((line) => line && !line.startsWith('#')).map((line) => line.split(' '));

/** Runs tests/scene_hashes.c, and returns the lines that it prints. */
async function play(...args) {
    const file = build('web', `scene_hashes.${process.pid}.txt`), stdout = openSync(file, 'w');
    const wasi = new WASI({ version: 'preview1', args: ['scene_hashes', ...args], env: { PIXVERLET_SPRITES: '/source/sprites' }, preopens: { '/source': source() }, stdout, returnOnExit: true });
    try {
        const status = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
        assert.equal(status ?? 0, 0, `scene_hashes ${args.join(' ')} failed`);
        return readFileSync(file, 'utf8').trim().split('\n');
    } finally {
        closeSync(stdout);
        rmSync(file);
    }
}

test('the list has every scene', async () => {
    assert.deepEqual((await play()).sort(), golden.map(([scene]) => scene).sort());
});

for (const [scene, frames, hash] of golden)
    test(`${scene}: frame ${frames} is as natively`, { skip: scene === 'tilemap' && 'Debian has no libcjson for WebAssembly' }, async () => {
        assert.equal((await play(frames, frames, scene)).at(-1), `${scene} ${frames} ${hash}`);
    });
