/* site.test.mjs - the folder of `make site`, served: links, cards, and the compressed copies.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, normalize, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { build, run, source } from './support.mjs';

const site = build('site');
const files = readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => relative(site, join(entry.parentPath ?? entry.path, entry.name)));
const scratch = mkdtempSync(join(tmpdir(), 'site-'));
after(() => rmSync(scratch, { recursive: true }));

/** Serves folders on the loopback: the first part of a path below the origin chooses one, so that a link to / leads out of it. */
let origin = '';
const folders = { site };
const server = createServer(async (request, response) => {
    const [, folder, ...parts] = decodeURIComponent(new URL(request.url, 'http://x').pathname).split('/'), path = normalize(parts.join('/') || '.');
    try {
        response.end(await readFile(join(folders[folder], request.url.endsWith('/') ? join(path, 'index.html') : path)));
    } catch {
        response.writeHead(404).end();
    }
});
before(() => new Promise((done) => server.listen(0, '127.0.0.1', done)).then(() => (origin = `http://127.0.0.1:${server.address().port}/`)));
after(() => server.close());

/** Links of a file: addresses, whether a click leads there or the page loads them, and ids. */
function links(name, text) {
    const found = [], add = (address, click = false) => found.push({ address: address.replace(/&amp;/g, '&'), click });
    if (/\.html$/.test(name)) {
        const shown = text.replace(/<!--[^]*?-->/g, '').replace(/<(script|style)\b([^>]*)>[^]*?<\/\1>/g, '<$1$2>');
        for (const [, tag, words] of shown.matchAll(/<([a-z]\w*)\b([^>]*)>/g))
            for (const [, attribute, address] of words.matchAll(/\s(href|src|action|poster)="([^"]*)"/g)) add(address, tag === 'a' && attribute === 'href');
        for (const [, address] of shown.matchAll(/<meta property="og:image" content="([^"]*)"/g)) add(address);
    }
    if (/\.css$/.test(name)) for (const [, address] of text.matchAll(/url\(\s*["']?([^"')]+)/g)) add(address);
    if (/\.m?js$/.test(name)) {
        for (const [, address] of text.matchAll(/^\s*(?:import|export)\b[^;'"`]*?(?:from\s*)?['"](\.[^'"]*)['"]/gm)) add(address);
        for (const [, address] of text.matchAll(/(?:\bimport\(|\bnew URL\()\s*['"]([^'"]+)['"]/g)) add(address);
        for (const [, address] of text.matchAll(/\b(?:fetch|bytesOf|Worker)\(\s*['"]([^'"]+)['"]/g)) add(/^(\.|[a-z]+:|\/)/.test(address) ? address : `./${address}`);
    }
    return found;
}

/** Follows all links from the first page of a folder; says what is wrong with them, and which files it came to. */
async function follow(folder) {
    const top = new URL(`${folder}/`, origin).href, waiting = [top], seen = new Set(waiting), texts = new Map(), wanted = [], wrong = [];
    while (waiting.length) {
        const url = waiting.pop(), answer = await fetch(url), name = url.endsWith('/') ? `${url}index.html` : url;
        if (!answer.ok) {
            wrong.push(`${url.slice(top.length)} is missing`);
            continue;
        }
        const text = await answer.text();
        texts.set(url, text);
        for (const { address, click } of links(name, text)) {
            if (/^(#|javascript:|data:|$)/.test(address) && !/^#./.test(address)) continue;
            if (/^([a-z]+:|\/)/i.test(address)) {
                // Documents cite papers and projects; nothing else leads out.
                if (!(click && /^https?:/.test(address) && url.startsWith(`${top}reference/`))) wrong.push(`${url.slice(top.length)}: ${address} is no relative link`);
                continue;
            }
            const target = new URL(address, url), [bare, id] = target.href.split('#');
            if (!bare.startsWith(top)) wrong.push(`${url.slice(top.length)}: ${address} leads out of the folder`);
            else if (id && texts && url.includes('/reference/') === bare.includes('/reference/')) wanted.push([url, bare, decodeURIComponent(id)]);
            if (bare.startsWith(top) && !seen.has(bare)) {
                seen.add(bare);
                waiting.push(bare);
            }
        }
    }
    for (const [from, page, id] of wanted) {
        const text = texts.get(page);
        if (text !== undefined && !page.includes('/play/') && !text.includes(`id="${id}"`) && !text.includes(`name="${id}"`)) wrong.push(`${from.slice(top.length)}: no #${id}`);
    }
    return { wrong, seen: [...seen].map((url) => url.slice(top.length)) };
}

test('no link is broken or absolute, and all parts are reached', async () => {
    const { wrong, seen } = await follow('site');
    assert.deepEqual(wrong.slice(0, 20), []);
    for (const name of ['', 'play/', 'play/gallery.html', 'LICENSE.txt', 'card.png', 'loops/intro.gif']) assert.ok(seen.includes(name), name);
    const fetched = [...readFileSync(join(site, 'play', 'gallery.html'), 'utf8').matchAll(/"(\w+\.wasm)"/g)].map(([, name]) => `play/${name}`);
    assert.deepEqual(fetched, files.filter((name) => name.endsWith('.wasm')));
    for (const name of files.filter((file) => file.endsWith('.gif') && file.startsWith('loops'))) assert.ok(seen.includes(name), name);
    if (existsSync(join(site, 'reference'))) for (const name of ['reference/index.html', 'reference/page_guide.html', 'reference/page_web.html']) assert.ok(seen.includes(name), name);
});

test('a broken link, an absolute one and one that leads out are found', async () => {
    folders.broken = join(scratch, 'broken');
    cpSync(site, folders.broken, { recursive: true, filter: (path) => !path.includes('reference') });
    const page = readFileSync(join(site, 'index.html'), 'utf8').replace(/<a href="reference[^>]*>/g, '<a>');
    writeFileSync(join(folders.broken, 'index.html'), `${page}<a href="/play/"></a><a href="https://example.org/"></a><a href="../site/"></a><a href="nowhere.html"></a><a href="#nothing"></a>`);
    rmSync(join(folders.broken, 'card.png'));
    const { wrong } = await follow('broken');
    assert.deepEqual(wrong.sort(), [': ../site/ leads out of the folder', ': /play/ is no relative link', ': https://example.org/ is no relative link', ': no #nothing', 'nowhere.html is missing', 'card.png is missing'].sort());
});

test('pages have cards, and their picture is as large as they say', () => {
    const card = readFileSync(join(site, 'card.png'));
    for (const name of ['index.html', 'play/index.html', 'play/gallery.html']) {
        const page = readFileSync(join(site, name), 'utf8'), of = (property) => new RegExp(`(?:property|name)="${property}" content="([^"]*)"`).exec(page)?.[1];
        for (const property of ['og:title', 'og:description', 'og:image', 'og:image:alt', 'twitter:card']) assert.ok(of(property), `${name}: ${property}`);
        assert.deepEqual([of('og:image:width'), of('og:image:height')].map(Number), [card.readUInt32BE(16), card.readUInt32BE(20)]);
    }
});

test('files that shrink have compressed copies, which hold the same bytes', () => {
    const copies = files.filter((name) => /\.(br|gz)$/.test(name));
    for (const name of ['index.html', 'site.css', 'play/index.html', 'play/gallery.html', 'play/gallery.wasm', 'play/source/dig.c'])
        for (const end of ['.br', '.gz']) assert.ok(copies.includes(name + end), name + end);
    for (const name of copies) {
        const packed = readFileSync(join(site, name)), plain = readFileSync(join(site, name.slice(0, -3)));
        assert.ok(packed.length < plain.length, name);
        assert.ok((name.endsWith('.br') ? brotliDecompressSync(packed) : gunzipSync(packed)).equals(plain), name);
    }
    assert.ok(copies.every((name) => !/\.(png|gif)\.(br|gz)$/.test(name)));
});

test('addresses that the publisher names are in the pages, and only there', () => {
    const made = (...words) => {
        const folder = join(scratch, `made${words.length}`);
        run(process.execPath, source('bindings', 'web', 'tools', 'site.mjs'), folder, build('web', 'play'), '1.2.3', '--plain', ...words);
        return ['index.html', 'play/index.html', 'play/gallery.html'].map((name) => readFileSync(join(folder, name), 'utf8'));
    };
    for (const page of made()) assert.doesNotMatch(page, /https?:/);
    const [first, play, gallery] = made('--source', 'https://example.org/source', '--url', 'https://example.org/pixverlet');
    for (const page of [first, play]) assert.match(page, /<a href="https:\/\/example\.org\/source">/);
    for (const page of [first, play, gallery]) assert.match(page, /og:image" content="https:\/\/example\.org\/pixverlet\/card\.png"/);
    assert.match(play, /og:url" content="https:\/\/example\.org\/pixverlet\/play\/"/);
    assert.match(first, /Version 1\.2\.3\./);
});

test('no document installs by name what is not published', () => {
    const documents = [source('README.md'), ...readdirSync(source('docs')).filter((name) => name.endsWith('.md')).map((name) => source('docs', name))];
    for (const document of documents) assert.doesNotMatch(readFileSync(document, 'utf8'), /\b(npm (install|i)|pip install|luarocks install|apt(-get)? install) (-\S+ )*(lib)?pixverlet\S*/, document);
});

test('sizes', (t) => {
    const size = (filter) => Math.round(files.filter(filter).reduce((sum, name) => sum + statSync(join(site, name)).size, 0) / 1000);
    t.diagnostic(`${files.length} files, ${size(() => true)} kB; the playground ${size((name) => /^play/.test(name) && !/\.(br|gz)$/.test(name))} kB, the reference ${size((name) => /^reference/.test(name) && !/\.(br|gz)$/.test(name))} kB`);
});
