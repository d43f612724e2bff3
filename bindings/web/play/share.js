/* share.js - a scene in the fragment of an address: its name and seed, its sprites and its log.
 *
 * Invariant: decode(await encode(x)) equals x. Bytes of pictures are those that were dropped in.
 *
 * SPDX-License-Identifier: Zlib
 */

/** Longest fragment that chats and browsers take [characters]. */
const LONGEST = 30000;

async function through(stream, bytes) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
const toBytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** Writes a scene: { preset, seed, width, height, sprites: [[name, png]], log, end }. */
export async function encode(scene) {
    const plain = scene.log.length === 0 && scene.sprites.length === 0;
    if (plain) return `${scene.preset}.${scene.seed}.${scene.width}x${scene.height}`;
    const log = scene.log.map(([tick, ...rest], i) => [tick - (scene.log[i - 1]?.[0] ?? 0), ...rest]); /* ticks as differences */
    const json = JSON.stringify([1, scene.preset, scene.seed, scene.width, scene.height, scene.end, scene.sprites.map(([name, png]) => [name, toText(png)]), log]);
    const packed = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(json));
    const text = `~${toText(packed).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
    if (text.length > LONGEST) throw new Error(`The scene needs a link of ${Math.ceil(text.length / 1000)} KB, and at most ${LONGEST / 1000} KB travel well. Start over and do less, or use fewer pictures.`);
    return text;
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
        const packed = toBytes(fragment.slice(1).replaceAll('-', '+').replaceAll('_', '/'));
        const [version, preset, seed, width, height, end, sprites, steps] = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), packed)));
        if (version !== 1 || !Array.isArray(steps)) throw new Error();
        let tick = 0;
        const log = steps.map(([wait, ...rest]) => [(tick += wait), ...rest]);
        return { preset, seed, width, height, end, sprites: sprites.map(([name, png]) => [name, toBytes(png)]), log };
    } catch {
        throw new Error('The link is damaged: a part of it is missing.');
    }
}
