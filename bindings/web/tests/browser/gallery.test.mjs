/* gallery.test.mjs - the scenes of the demo in a browser.
 *
 * Invariant: the names come from the files of the source tree, not from the page.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { compareDrawing, launch, open, serve } from './support.mjs';

const ready = () => document.documentElement.dataset.ready || !document.getElementById('fatal').hidden;
let browser, site, page;

before(async () => {
    browser = await launch();
    site = await serve();
    page = await open(browser, `${site.url}play/gallery.html#castle`);
    await page.waitForFunction(ready);
});
after(async () => {
    await browser?.close();
    site?.close();
});

test('every scene of the demo starts, is drawn and has its source', async () => {
    const names = (await readdir(join(process.env.PIXVERLET_SOURCE, 'demo/scenes'))).filter((file) => file.endsWith('.c') && file !== 'scenes.c').map((file) => file.slice(0, -2));
    assert.equal(await page.textContent('#title'), 'castle');
    const found = await page.evaluate(async () => {
        const { gallery } = window, list = [], colors = () => new Set(new Uint32Array(gallery.context.getImageData(0, 0, gallery.width, gallery.height).data.buffer)).size;
        for (let i = 0; i < gallery.list.length; i++) {
            await gallery.start(i);
            for (let k = 0; k < 20; k++) gallery.frame(1 / 60);
            const { name, words, group } = gallery.list[i], source = await fetch(document.getElementById('source').href);
            list.push({ name, words, group, colors: colors(), source: (await source.text()).includes(`scene_${name}`) });
        }
        return list;
    });
    assert.deepEqual(found.map(({ name }) => name).sort(), names.sort());
    for (const scene of found) assert.ok(scene.words && scene.group && scene.source && scene.colors > 20, JSON.stringify(scene));
    page.noErrors();
});

test('the picture that shows while the gallery loads is its first scene', async (t) => {
    const drawing = await page.evaluate(async () => {
        const { gallery } = window, canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 400 });
        await gallery.start(0);
        for (let i = 0; i < 110; i++) gallery.frame(1 / 60);
        canvas.getContext('2d').drawImage(gallery.canvas, 0, 0, 640, 400);
        return canvas.toDataURL('image/webp', 0.5);
    }), difference = await compareDrawing(page, 'gallery', drawing);
    t.diagnostic(`off by ${difference.toFixed(2)}`);
    assert.ok(difference < 6, `off by ${difference}`);
});

test('no ring is drawn before the pointer came, nor after it left', async () => {
    const corners = await page.evaluate(async () => {
        const { gallery } = window, { wasm } = gallery, corner = () => (wasm.gallery_frame(0), new Uint8Array(wasm.memory.buffer, gallery.pixels, 4 * 80).join());
        await gallery.start(gallery.list.findIndex(({ name }) => name === 'dig'));
        const before = corner();
        wasm.gallery_hover(300, 300);
        const elsewhere = corner();
        wasm.gallery_hover(0, 0);
        const there = corner();
        wasm.gallery_leave();
        return { before, elsewhere, there, after: corner() };
    });
    assert.equal(corners.before, corners.elsewhere);
    assert.notEqual(corners.there, corners.elsewhere);
    assert.equal(corners.after, corners.elsewhere);
});

/** Returns the colors around a place of the window. */
const around = (x, y) =>
    page.evaluate(([left, top]) => [...window.gallery.context.getImageData(left, top, 24, 24).data].join(), [x - 12, y - 12]);

test('the right button bites what rests, and the left one throws it', async () => {
    await page.evaluate(() => window.gallery.start(window.gallery.list.findIndex(({ name }) => name === 'stack')));
    await page.waitForTimeout(1500);
    const { x, y } = await page.evaluate(() => {
        const { gallery } = window, colors = (left, top) => new Set(new Uint32Array(gallery.context.getImageData(left, top, 24, 24).data.buffer)).size;
        const found = [];
        for (let top = 300; top < gallery.height - 150; top += 16) found.push({ x: 500, y: top, colors: colors(488, top - 12) });
        return found.sort((a, b) => b.colors - a.colors)[0];
    });
    const before = await around(x, y);
    await page.mouse.move(40, 120);
    await page.waitForTimeout(400);
    assert.equal(await around(x, y), before, 'the tower rests');
    await page.mouse.click(x, y, { button: 'right', delay: 120 });
    await page.mouse.move(40, 120);
    await page.waitForTimeout(400);
    const bitten = await around(x, y);
    assert.notEqual(bitten, before);
    await page.mouse.move(x, y + 60);
    await page.mouse.down();
    await page.mouse.move(x + 200, y - 100, { steps: 20 });
    await page.mouse.up();
    await page.waitForTimeout(800);
    assert.notEqual(await around(x, y + 60), bitten);
    page.noErrors();
});

test('the page holds a module with the first scene, which is the same in the one with all scenes', async () => {
    const first = await open(browser, `${site.url}play/gallery.html`), sent = () => first.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.replace(/.*\//, '')).filter((name) => name.endsWith('.wasm')));
    await first.waitForFunction(ready);
    assert.deepEqual(await sent(), []);
    const pictures = await first.evaluate(async () => {
        const { gallery } = window, pictures = [];
        for (const other of [false, true]) {
            if (other) await gallery.start(1);
            await gallery.start(0);
            for (let i = 0; i < 60; i++) gallery.frame(1 / 60);
            pictures.push(gallery.canvas.toDataURL());
        }
        return pictures;
    });
    assert.deepEqual(await sent(), ['gallery.wasm']);
    assert.equal(pictures[0], pictures[1]);
    first.noErrors();
    await first.context().close();
});

test('a module that does not come is told, and wanted anew by the next try', async () => {
    const first = await open(browser, `${site.url}play/gallery.html`);
    await first.waitForFunction(ready);
    await first.route('**/gallery.wasm', (route) => route.abort());
    await first.click('#after');
    await first.waitForFunction(() => /fetch/i.test(document.getElementById('say').textContent));
    assert.equal(await first.textContent('#title'), 'shatter');
    await first.unroute('**/gallery.wasm');
    await first.click('#before');
    await first.click('#after');
    await first.waitForFunction(() => document.getElementById('title').textContent === 'castle');
    await first.context().close();
});

test('the list of scenes starts one', async () => {
    await page.click('#all');
    await page.click('#groups button:text-is("arch")');
    assert.equal(await page.textContent('#title'), 'arch');
    assert.match(page.url(), /#arch$/);
});

test('320 x 640: nothing scrolls, and the words are for fingers', async () => {
    const small = await open(browser, `${site.url}play/gallery.html`, { width: 320, height: 640, hasTouch: true, isMobile: true });
    await small.waitForFunction(ready);
    assert.ok(await small.evaluate(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight));
    const words = await small.evaluate(async () => {
        const { gallery } = window, list = [];
        for (let i = 0; i < gallery.list.length; i++) {
            await gallery.start(i);
            list.push(document.getElementById('say').textContent);
        }
        return list;
    });
    for (const said of words) assert.doesNotMatch(said, /arrows|Space|mouse|click|button|key|up:|down:|[:;,]$|^$/);
    for (const button of await small.locator('header nav > *').all()) {
        const box = await button.boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= 320.5, 'a button is cut off');
    }
    small.noErrors();
    await small.context().close();
});
