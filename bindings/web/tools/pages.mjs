/* pages.mjs - makes the playground and the gallery of their parts: each page is one file with its script, its style and its
 * pictures, beside a module of WebAssembly.
 *
 * Usage: pages.mjs FOLDER PACKAGE SPRITES. FOLDER has the modules of WebAssembly; beside PACKAGE, tools/ has what npm
 * installed of tools/package.json.
 *
 * Invariant: no address in the pages is absolute, so they work in any folder of a server.
 *
 * SPDX-License-Identifier: Zlib
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT_IN } from '../play/presets.js';

const [folder, library, sprites] = process.argv.slice(2).map((path) => resolve(path));
const { build, transform } = createRequire(join(library, '../tools/package.json'))('esbuild');
const parts = fileURLToPath(new URL('../play/', import.meta.url));
const sizeOf = (name) => String(statSync(join(folder, name)).size);

/** Few scenes need larger pictures: those come by themselves [byte]. */
const LARGE = 8192;
/** Files of sprites that a page has within. */
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

const { outputFiles: scripts } = await build({
    entryPoints: ['main.js', 'gallery.js'].map((name) => join(parts, name)),
    outdir: folder, write: false, bundle: true, minify: true, format: 'esm', target: 'es2022', logLevel: 'warning', plugins: [pictures],
    alias: { pixverlet: library }, external: ['node:fs/promises'],
    define: { PIXVERLET_SIZE: sizeOf('pixverlet.wasm'), GALLERY_SIZE: sizeOf('gallery.wasm') },
});

const { code: style } = await transform(readFileSync(join(parts, 'style.css'), 'utf8'), { loader: 'css', minify: true });
const within = (type, name) => `data:${type};base64,${readFileSync(join(parts, name), 'base64')}`;
for (const [i, name] of ['index.html', 'gallery.html'].entries()) {
    let page = readFileSync(join(parts, name), 'utf8');
    const put = (pattern, words) => {
        if (!pattern.test(page)) throw new Error(`${name} has no ${pattern}`);
        page = page.replace(pattern, words);
    };
    put(/<link rel="stylesheet" href="style.css">/, () => `<style>${style.trim()}</style>`);
    put(/<script type="module" src="[\w.]+"><\/script>/, () => `<script type="module">${scripts[i].text.trim()}</script>`);
    put(/(?<=id="poster"[^>]* src=")[^"]+/, (picture) => within('image/webp', picture));
    writeFileSync(join(folder, name), page);
}
