/* support.mjs - pages of the build in a headless Chromium.
 *
 * Invariant: a page has no errors on its console but those that the test expects.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/** Folder of the build, which has play/ and pixverlet/. */
export const web = fileURLToPath(new URL('../../', import.meta.url));
const types = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.png': 'image/png', '.webp': 'image/webp', '.json': 'application/json' };

/** Serves a folder on the loopback, with its Brotli copies if there are any; returns its address. */
export async function serve(folder = web) {
    const server = createServer(async (request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
        try {
            const file = join(folder, path.endsWith('/') ? `${path}index.html` : path), packed = /\bbr\b/.test(request.headers['accept-encoding']) && existsSync(`${file}.br`);
            const bytes = await readFile(packed ? `${file}.br` : file);
            response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream', ...(packed && { 'content-encoding': 'br' }) }).end(bytes);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    server.unref();
    return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

/** Opens a page of a size; its errors fail the test that calls noErrors(). */
export async function open(browser, url, { width = 1280, height = 800, before, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width, height }, ...options }), page = await context.newPage(), errors = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    page.noErrors = () => assert.deepEqual(errors, []);
    if (before) await page.addInitScript(before);
    await page.goto(url);
    return page;
}

/** Opens the playground and waits until it plays. */
export async function play(browser, address, options) {
    const page = await open(browser, address, options);
    await page.waitForFunction(() => document.documentElement.dataset.ready || !document.getElementById('fatal').hidden);
    return page;
}

/** Returns the mean difference of a drawing and a picture of a page [of 255]. The drawing goes to the folder drawn/ of the
 *  build. Copy it from there to bindings/web/play/presets if it is meant to differ. */
export async function compareDrawing(page, name, drawing) {
    await mkdir(join(web, 'drawn'), { recursive: true });
    await writeFile(join(web, 'drawn', `${name}.webp`), Buffer.from(drawing.split(',')[1], 'base64'));
    return page.evaluate(
        async ([url, other]) => {
            const pixelsOf = async (address) => {
                const image = await createImageBitmap(await (await fetch(address)).blob()), context = new OffscreenCanvas(image.width, image.height).getContext('2d');
                context.drawImage(image, 0, 0);
                return context.getImageData(0, 0, image.width, image.height).data;
            };
            const [a, b] = [await pixelsOf(url), await pixelsOf(other)];
            return a.length === b.length ? a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / (0.75 * a.length) : 255;
        },
        [`presets/${name}.webp`, drawing],
    );
}
