/* scenes.test.mjs - every scene of the demo reaches its hash in tests/golden.txt, with the object files of the package.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { build, run, source } from './support.mjs';

const golden = readFileSync(source('tests', 'golden.txt'), 'utf8').split('\n').filter((line) => line && !line.startsWith('#')).map((line) => line.split(' '));
const play = (...args) => run(process.execPath, '--no-warnings', 'tests/scene_player.mjs', source(), build('web', 'scene_hashes.wasm'), ...args).trim().split('\n');

test('the list has every scene', () => {
    assert.deepEqual(play().sort(), golden.map(([scene]) => scene).sort());
});

for (const [scene, frames, hash] of golden)
    test(`${scene}: frame ${frames} is as natively`, { skip: scene === 'tilemap' && 'Debian has no libcjson for WebAssembly' }, () => {
        assert.equal(play(frames, frames, scene).at(-1), `${scene} ${frames} ${hash}`);
    });
