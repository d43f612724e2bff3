/* pages.mjs - makes the playground and the gallery from their parts: each page is one file with its script, style,
 * pictures and WebAssembly module.
 *
 * Usage: pages.mjs FOLDER PACKAGE SPRITES. The pages go to FOLDER. Beside PACKAGE are the modules, and tools/ with the npm
 * packages of tools/package.json.
 *
 * Invariant: no address in the pages is absolute, so they work in any folder of a server.
 *
 * SPDX-License-Identifier: Zlib
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Files, textAt } from '../play/files.js';
import { CHANGED } from '../play/loading.js';
import { BUILT_IN } from '../play/presets.js';

const [folder, library, sprites] = process.argv.slice(2).map((path) => resolve(path)), made = resolve(library, '..');
const { build, transform } = createRequire(join(made, 'tools/package.json'))('esbuild');
const parts = fileURLToPath(new URL('../play/', import.meta.url));

/** Size above which a picture is a separate file, since few scenes need it [byte]. */
const LARGE = 8192;
/** Sprite files that a page contains. */
const wanted = {
    'sprites:presets': Object.keys(BUILT_IN).map((name) => `${name}.png`),
    'sprites:scenes': readdirSync(join(folder, 'sprites')).sort(),
};
/** Makes modules of them: names with their bytes as text, or null for large ones. */
const pictures = {
    name: 'pictures',
    setup({ onResolve, onLoad }) {
        const read = (path) => (statSync(path).size > LARGE ? null : readFileSync(path, 'base64'));
        onResolve({ filter: /^sprites:/ }, ({ path }) => ({ path, namespace: 'pictures' }));
        onLoad({ filter: /./, namespace: 'pictures' }, ({ path }) => ({ contents: JSON.stringify(Object.fromEntries(wanted[path].map((name) => [name, read(join(sprites, name))]))), loader: 'json' }));
    },
};

/** Returns the scenes of a module: { name, words, group }. */
async function scenesOf(module) {
    const files = new Files('/source'), { instance } = await WebAssembly.instantiate(readFileSync(join(made, module)), { wasi_snapshot_preview1: files.imports() });
    const { exports } = instance, words = (part, i) => textAt(exports, exports[`gallery_${part}`](i));
    files.attach(exports.memory);
    exports._initialize();
    return Array.from({ length: exports.gallery_count() }, (_, i) => ({ name: words('name', i), words: words('words', i), group: words('group', i) }));
}
const scenes = await scenesOf('gallery.wasm'), [first] = await scenesOf('first.wasm');
if (first.name !== scenes[0].name) throw new Error(`first.wasm has ${first.name}, but the first scene is ${scenes[0].name}`);
/** Makes a module of the list of scenes. */
const list = {
    name: 'list',
    setup({ onResolve, onLoad }) {
        onResolve({ filter: /^scenes:list$/ }, ({ path }) => ({ path, namespace: 'list' }));
        onLoad({ filter: /./, namespace: 'list' }, () => ({ contents: JSON.stringify(scenes), loader: 'json' }));
    },
};

const { outputFiles: scripts } = await build({
    entryPoints: ['main.js', 'gallery.js'].map((name) => join(parts, name)),
    outdir: folder, write: false, bundle: true, minify: true, format: 'esm', target: 'es2022', logLevel: 'warning', plugins: [list, pictures],
    alias: { pixverlet: library }, external: ['node:fs/promises'],
});

/** Bytes of a module in one element of a page. */
const PART = 32768;
/** Writes bytes as letters for an element of script. Those that HTML would misread get a ninth bit. */
const letters = (bytes) => bytes.map((byte) => byte ^ CHANGED).toString('latin1').replace(/[\0\r<]/g, (letter) => String.fromCharCode(256 + letter.charCodeAt(0)));
/** Cuts a module into elements, which the page compiles as they arrive. */
function partsOf(module) {
    const bytes = readFileSync(join(made, module)), count = Math.ceil(bytes.length / PART);
    return Array.from({ length: count }, (_, i) => `<script type="text/plain" class="module">${letters(bytes.subarray(i * PART, (i + 1) * PART))}</script>`);
}

const { code: style } = await transform(readFileSync(join(parts, 'style.css'), 'utf8'), { loader: 'css', minify: true });
const within = (type, path) => `data:${type};base64,${readFileSync(path, 'base64')}`;
for (const [i, [name, module]] of [['index.html', 'play.wasm'], ['gallery.html', 'first.wasm']].entries()) {
    const elements = partsOf(module);
    let page = readFileSync(join(parts, name), 'utf8');
    const put = (pattern, words) => {
        if (!pattern.test(page)) throw new Error(`${name} has no ${pattern}`);
        page = page.replace(pattern, words);
    };
    put(/<link rel="stylesheet" href="style.css">/, () => `<style>${style.trim()}</style>`);
    put(/\bsprites\/(\w+\.png)/g, (path, picture) => within('image/png', join(sprites, picture)));
    put(/<script type="module" async src="[\w.]+"><\/script>/, () => `<script type="module" async>${scripts[i].text.trim()}</script>\n${elements.join('')}`);
    put(/(?<=<progress [^>]*max=")1/, () => elements.length);
    put(/(?<=id="poster"[^>]* src=")[^"]+/, (picture) => within('image/webp', join(parts, picture)));
    writeFileSync(join(folder, name), page);
}
