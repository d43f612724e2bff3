/* entries.test.mjs - each entry of the package loads in its own program, and two of them in one are refused.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from './support.mjs';

const program = (/** @type {string} */ text) => run(process.execPath, '--input-type=module', '--eval', text).trim();

test('pixverlet/inline has its module within', () => {
    assert.equal(program("import { init, Mask } from 'pixverlet/inline'; await init(); console.log(Mask.createCircle(2).countPixels());"), '12');
});

test('pixverlet/mask has masks, in a module without worlds', () => {
    assert.equal(program("import * as p from 'pixverlet/mask'; await p.init(); console.log(p.Mask.fromText('##').dilate(1, 'square').countPixels(), p.World);"), '12 undefined');
});

test('a masks-only program gets the library\'s sentences', () => {
    assert.equal(program("import { init, Mask } from 'pixverlet/mask'; await init(); try { Mask.create(-1, 2); } catch (error) { console.log(error.message); }"), 'pv_mask_create: width is -1, must be 0 to 32768');
});

test('a module is compiled while it comes if its server tells its type, and afterwards otherwise', () => {
    const load = (/** @type {string} */ type, /** @type {string} */ before = '') => program(`import { readFile } from 'node:fs/promises'; import { init, Mask } from 'pixverlet';
        let streams = 0; const { instantiateStreaming } = WebAssembly; WebAssembly.instantiateStreaming = (...all) => (streams++, instantiateStreaming(...all)); ${before}
        await init(new Response(await readFile('pixverlet/pixverlet.wasm'), { headers: { 'content-type': '${type}' } })); console.log(streams, Mask.createCircle(2).countPixels());`);
    assert.equal(load('application/wasm'), '1 12');
    assert.equal(load('application/octet-stream'), '0 12');
    assert.equal(load('application/wasm', 'delete WebAssembly.instantiateStreaming;'), '0 12');
});

test('two entries in one program are refused', () => {
    assert.match(program("import { init } from 'pixverlet'; import { init as small } from 'pixverlet/mask'; await init(); try { await small(); } catch (error) { console.log(error.message); }"), /pixverlet is in use/);
});

test('a program without WebAssembly gets a sentence', () => {
    assert.match(program("delete globalThis.WebAssembly; const { init } = await import('pixverlet'); try { await init(); } catch (error) { console.log(error.message); }"), /no WebAssembly/);
});

test('lost worlds and masks are freed', () => {
    const text = "import { init, Mask, World } from 'pixverlet'; await init(); for (let i = 0; i < 400; i++) { new World(); Mask.create(8192, 8192); await new Promise((done) => setImmediate(done)); if (i % 20 === 0) gc(); } console.log('freed');";
    assert.equal(run(process.execPath, '--expose-gc', '--input-type=module', '--eval', text).trim(), 'freed');
});
