/* site.mjs - `make site`: one folder to publish as it is, with the playground, the reference and the README's loops.
 *
 * Usage: site.mjs FOLDER PLAY VERSION [--reference HTML] [--source ADDRESS] [--url ADDRESS] [--plain]
 * The pages link to the address of the source, if it is given. The other address is that of the published folder:
 * some services show a card only if its picture has an absolute address. A plain folder has no compressed copies.
 *
 * Invariant: links are relative, and lead to files of the folder, except the two addresses and citations of the documents.
 *
 * SPDX-License-Identifier: Zlib
 */
import { cpSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const { values: { reference, source, url, plain }, positionals: [folder, play, version] } = parseArgs({
    allowPositionals: true,
    options: { reference: { type: 'string', default: '' }, source: { type: 'string', default: '' }, url: { type: 'string', default: '' }, plain: { type: 'boolean', default: false } },
});
const top = fileURLToPath(new URL('../../../', import.meta.url));
const site = join(top, 'bindings', 'web', 'site');
const text = (path) => readFileSync(path, 'utf8');
const write = (name, words) => writeFileSync(join(folder, name), words);
const escape = (words) => words.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const put = (page, mark, words) => {
    if (!page.includes(mark)) throw new Error(`a page has no ${mark}`);
    return page.replace(mark, () => words);
};

/** Lines of a head that services read to show a link as a card; up leads to the top of the site. */
function card(page, up, title, words) {
    const whole = (path) => (url ? new URL(path, `${url.replace(/\/*$/, '/')}`).href : `${up}${path}`);
    return [
        ['property', 'og:type', 'website'], ['property', 'og:title', title], ['property', 'og:description', words],
        ['property', 'og:image', whole('card.png')], ['property', 'og:image:width', 1200], ['property', 'og:image:height', 630],
        ['property', 'og:image:alt', 'An iron ball on a chain flies into a pile of crates'],
        ...(url ? [['property', 'og:url', whole(page)]] : []), ['name', 'twitter:card', 'summary_large_image'],
    ].map(([kind, name, content]) => `<meta ${kind}="${name}" content="${escape(String(content))}">`).join('\n');
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'loops'), { recursive: true });

cpSync(play, join(folder, 'play'), { recursive: true });
for (const page of ['index.html', 'gallery.html']) {
    const html = text(join(folder, 'play', page)), [title] = /(?<=<title>).*(?=<\/title>)/.exec(html), [words] = /(?<=name="description" content=")[^"]*/.exec(html);
    const icon = '<link rel="icon"', made = 'Made with libpixverlet.';
    const carded = put(html, icon, `${card(page === 'index.html' ? 'play/' : `play/${page}`, '../', title, words)}\n${icon}`);
    const links = `Made with <a href="../">libpixverlet</a>.${source ? ` <a href="${escape(source)}">Source</a>.` : ''}`;
    write(join('play', page), page === 'index.html' ? put(carded, made, links) : carded);
}
if (reference) cpSync(reference, join(folder, 'reference'), { recursive: true });

// The README shows the loops below each other; their alternative texts are the captions here.
const loops = [...text(join(top, 'README.md')).matchAll(/!\[([^\]]*)\]\(docs\/(\w+\.gif)\)/g)].map(([, words, name], i) => {
    copyFileSync(join(top, 'docs', name), join(folder, 'loops', name));
    const gif = readFileSync(join(top, 'docs', name)), [width, height] = [gif.readUInt16LE(6), gif.readUInt16LE(8)];
    return `<figure><img src="loops/${name}" alt="" width="${width}" height="${height}"${i ? ' loading="lazy"' : ''}><figcaption>${escape(words)}.</figcaption></figure>`;
});
let page = text(join(site, 'index.html'));
const about = 'A C library for 2D games: every opaque pixel of a sprite hits, has mass and can be shot away.';
page = put(page, '<!-- card -->', `<meta name="description" content="${about}">\n${card('', '', 'Your PNG is the collider', about)}`);
page = put(page, '<!-- guide -->', reference ? '<a href="reference/page_guide.html">A game in fifteen minutes</a>\n    <a href="reference/index.html">Reference</a>' : '');
page = put(page, '<!-- loops -->', loops.join('\n'));
page = put(page, '<!-- source -->', source ? ` <a href="${escape(source)}">Source</a>.` : '');
write('index.html', put(page, '@VERSION@', version));
for (const name of ['site.css', 'card.png']) copyFileSync(join(site, name), join(folder, name));
copyFileSync(join(top, 'LICENSE'), join(folder, 'LICENSE.txt'));

// Servers that support it send these copies instead of the files. There is no copy where it would save nothing.
const compressible = new Set(['.html', '.css', '.js', '.mjs', '.json', '.wasm', '.svg', '.c', '.txt', '.xml']);
let count = 0, sum = 0, sent = 0;
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name), bytes = readFileSync(path);
    const small = !plain && compressible.has(extname(path)) ? brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }) : bytes;
    count++;
    sum += bytes.length;
    sent += Math.min(small.length, bytes.length);
    if (plain || small.length > 0.9 * bytes.length) continue;
    writeFileSync(`${path}.br`, small);
    const zipped = gzipSync(bytes, { level: 9 });
    if (zipped.length < bytes.length) writeFileSync(`${path}.gz`, zipped);
}
const kilobytes = (n) => `${Math.round(n / 1000)} kB`;
console.log(`${folder}: ${count} files, ${kilobytes(sum)}, ${kilobytes(sent)} as they are sent`);
