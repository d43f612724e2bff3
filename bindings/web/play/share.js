/* share.js - a scene in the fragment of an address: its name and seed, its sprites and its log.
 *
 * Invariant: decode(await encode(x)) equals x. A picture is a PNG, whose bytes are included unchanged.
 *
 * SPDX-License-Identifier: Zlib
 */

import { bytesOfText } from './loading.js';

/** Longest fragment that chats and browsers accept [characters]. */
const LONGEST = 30000;
/** Numbers of colors to try for pictures in a link; the first is that of all pictures. */
const COLORS = [256, 64, 16, 4];
/** First byte of a fragment, and bytes before the text: that and the text's length. */
const VERSION = 2, HEAD = 4;

async function through(stream, bytes) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
const toBytes = (text) => bytesOfText(text.replaceAll('-', '+').replaceAll('_', '/'));

/** Writes a scene: { preset, seed, width, height, sprites: [[name, png]], log, end }. */
async function encode(scene) {
    const plain = scene.log.length === 0 && scene.sprites.length === 0;
    if (plain) return `${scene.preset}.${scene.seed}.${scene.width}x${scene.height}`;
    const log = scene.log.map(([tick, ...rest], i) => [tick - (scene.log[i - 1]?.[0] ?? 0), ...rest]); /* ticks as differences */
    const json = JSON.stringify([scene.preset, scene.seed, scene.width, scene.height, scene.end, scene.sprites.map(([name, png]) => [name, png.length]), log]);
    const text = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(json));
    const parts = [Uint8Array.of(VERSION, text.length >> 16, text.length >> 8, text.length), text, ...scene.sprites.map(([, png]) => png)];
    return `~${toText(new Uint8Array(await new Blob(parts).arrayBuffer()))}`;
}

/** Writes a scene so that it fits into a link. Pictures may lose colors, but no pixels, so the game plays the same.
 *  @param sprites Map of the sprites by name
 *  @return { text, colors, thinned }: the fragment, how many colors pictures have, and those that lost some, as PNGs
 *  @throws Error if it fits with no number of colors */
export async function encodeToFit(scene, sprites) {
    let text = '';
    for (const colors of COLORS) {
        const pictures = colors === COLORS[0] ? scene.sprites : await Promise.all(scene.sprites.map(async ([name]) => [name, await sprites.get(name).thin(colors)]));
        text = await encode({ ...scene, sprites: pictures });
        if (text.length <= LONGEST) return { text, colors, thinned: colors === COLORS[0] ? [] : pictures.map(([, png]) => png) };
    }
    throw new Error(`There is no link: it would have ${Math.ceil(text.length / 1000)} KB, and at most ${LONGEST / 1000} KB travel well. Start over and do less, or use fewer pictures.`);
}

/** Reads a fragment without its '#'; returns null for an empty one.
 *  @throws Error for a damaged one */
export async function decode(fragment) {
    if (!fragment) return null;
    if (!fragment.startsWith('~')) {
        const [, preset, seed, width, height] = /^(\w+)\.(\d{1,9})(?:\.(\d{3})x(\d{3}))?$/.exec(fragment) ?? [];
        if (!preset) throw new Error('The link is damaged: it names no scene.');
        return { preset, seed: Number(seed), ...(width && { width: Number(width), height: Number(height) }), sprites: [], log: [], end: 0 };
    }
    try {
        const bytes = toBytes(fragment.slice(1)), [version, ...length] = bytes.subarray(0, HEAD);
        if (version !== VERSION) throw new Error();
        let at = HEAD + ((length[0] << 16) | (length[1] << 8) | length[2]), tick = 0;
        const text = await through(new DecompressionStream('deflate-raw'), bytes.subarray(HEAD, at));
        const [preset, seed, width, height, end, pictures, steps] = JSON.parse(new TextDecoder().decode(text));
        const sprites = pictures.map(([name, size]) => [name, bytes.slice(at, (at += size))]), log = steps.map(([wait, ...rest]) => [(tick += wait), ...rest]);
        if (at !== bytes.length) throw new Error();
        return { preset, seed, width, height, end, sprites, log };
    } catch {
        throw new Error('The link is damaged, or another version of the playground made it.');
    }
}
