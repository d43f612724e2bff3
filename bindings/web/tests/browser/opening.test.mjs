/* opening.test.mjs - what the playground and the gallery of the site send until a visitor can play, and how long it takes.
 *
 * Invariant: requests and bytes are those that Chromium counts. Times are reported, not judged, since machines differ.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { launch, open, serve } from './support.mjs';

/** Chromium's "Slow 4G" [ms, byte/s], and a core of a quarter of the speed. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: 180000, uploadThroughput: 84375 };
const SLOWER = 4;
const MOST_REQUESTS = 1, MOST_BYTES = 342000;
let browser, site;

before(async () => {
    browser = await launch();
    site = await serve(join(process.env.PIXVERLET_BUILD, 'site'));
});
after(async () => {
    await browser?.close();
    site?.close();
});

/** Notes when the picture of the loading page is painted, and when the page can be played [ms]. */
function watch() {
    const times = (window.times = {});
    new PerformanceObserver((list) => (times.picture ??= list.getEntries()[0].renderTime)).observe({ type: 'element', buffered: true });
    new MutationObserver(() => {
        document.getElementById('poster')?.setAttribute('elementtiming', 'poster');
        if (document.documentElement.dataset.ready) times.ready ??= performance.now();
    }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-ready'] });
}

/** Opens a page with an empty cache; returns its times [ms] and what was sent. */
async function visit(path, slow = false) {
    const page = await open(browser, 'about:blank', { before: watch }), devtools = await page.context().newCDPSession(page), sent = { requests: [], bytes: 0 };
    devtools.on('Network.requestWillBeSent', ({ request }) => !request.url.startsWith('data:') && sent.requests.push(request.url));
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (sent.bytes += encodedDataLength));
    await devtools.send('Network.enable');
    if (slow) await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
    if (slow) await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.goto(site.url + path, { waitUntil: 'commit' });
    await page.waitForFunction(() => window.times.ready, null, { timeout: 60000 });
    await page.waitForLoadState('networkidle');
    const times = await page.evaluate(() => window.times);
    page.noErrors();
    await page.context().close();
    return { ...sent, ...times, picture: times.picture ?? times.ready };
}

for (const path of ['play/', 'play/gallery.html'])
    test(`${path}: few requests and bytes`, async (t) => {
        const { requests, bytes } = await visit(path), visits = [];
        for (let i = 0; i < 3; i++) visits.push(await visit(path));
        const quick = visits.sort((a, b) => a.ready - b.ready)[0], slow = await visit(path, true), seconds = (ms) => (ms / 1000).toFixed(2);
        t.diagnostic(`${requests.length} requests, ${(bytes / 1000).toFixed(0)} kB; first picture ${seconds(quick.picture)} s, ready ${seconds(quick.ready)} s; by Slow 4G with a slow core ${seconds(slow.picture)} s and ${seconds(slow.ready)} s`);
        assert.ok(requests.length <= MOST_REQUESTS, requests.join(' '));
        assert.ok(bytes <= MOST_BYTES && bytes > 300000, `${bytes} bytes`);
    });
