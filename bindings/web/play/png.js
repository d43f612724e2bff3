/* png.js - PNG files of pixels that are solid or empty, in few colors.
 *
 * Invariant: a pixel of the file is solid where its alpha was at least 128, whatever the number of colors.
 *
 * SPDX-License-Identifier: Zlib
 */
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const CRCS = Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c;
});

/** Writes a chunk: its length, its type, its bytes and their CRC. */
function chunk(type, bytes) {
    const whole = new Uint8Array(bytes.length + 12), view = new DataView(whole.buffer);
    view.setUint32(0, bytes.length);
    for (let i = 0; i < 4; i++) whole[4 + i] = type.charCodeAt(i);
    whole.set(bytes, 8);
    let crc = 0xffffffff;
    for (const byte of whole.subarray(4, 8 + bytes.length)) crc = CRCS[(crc ^ byte) & 255] ^ (crc >>> 8);
    view.setUint32(8 + bytes.length, ~crc >>> 0);
    return whole;
}

/** Writes a file of chunks: [type, bytes]. */
function writePng(chunks) {
    const parts = [SIGNATURE, ...chunks.map(([type, bytes]) => chunk(type, bytes))], file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) file.set(part, at), (at += part.length);
    return file;
}

/* ---- Few colors ---- */

/** Returns the channel in which colors differ most, and by how much. */
function widest(colors) {
    let found = { shift: 0, range: -1 };
    for (const shift of [0, 8, 16]) {
        let low = 255, high = 0;
        for (const [color] of colors) {
            const value = (color >> shift) & 255;
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
        if (high - low > found.range) found = { shift, range: high - low };
    }
    return found;
}

/** Separates colors so that half of their pixels are on each side. */
function part(colors, shift) {
    colors.sort(([a], [b]) => ((a >> shift) & 255) - ((b >> shift) & 255));
    const half = colors.reduce((sum, [, count]) => sum + count, 0) / 2;
    let i = 0;
    for (let sum = 0; sum + colors[i][1] <= half || i === 0; i++) sum += colors[i][1];
    return [colors.slice(0, i), colors.slice(i)];
}

/** Returns the mean of colors. */
function mean(colors) {
    let count = 0, r = 0, g = 0, b = 0;
    for (const [color, n] of colors) (count += n), (r += n * (color & 255)), (g += n * ((color >> 8) & 255)), (b += n * (color >> 16));
    return [r, g, b].map((sum) => Math.round(sum / count));
}

/** Puts colors into a limited number of groups of similar ones (median cut, Heckbert 1982). */
function group(colors, most) {
    const groups = [{ colors, ...widest(colors), pixels: colors.reduce((sum, [, n]) => sum + n, 0) }];
    while (groups.length < most) {
        groups.sort((a, b) => a.range * a.pixels - b.range * b.pixels);
        if (groups.at(-1).range === 0) break;
        const { colors: all, shift } = groups.pop();
        for (const some of part(all, shift)) groups.push({ colors: some, ...widest(some), pixels: some.reduce((sum, [, n]) => sum + n, 0) });
    }
    return groups.map((one) => one.colors);
}

/** Writes a picture as a PNG of a palette. @param most colors, 2...256, of which one is for empty pixels */
export async function palettePng({ data, width, height }, most = 256) {
    const colorAt = (i) => data[4 * i] | (data[4 * i + 1] << 8) | (data[4 * i + 2] << 16), counts = new Map();
    for (let i = 0; i < width * height; i++) if (data[4 * i + 3] >= 128) counts.set(colorAt(i), (counts.get(colorAt(i)) ?? 0) + 1);
    const groups = counts.size ? group([...counts], most - 1) : [], indices = new Map(groups.flatMap((colors, i) => colors.map(([color]) => [color, i + 1])));
    const depth = [1, 2, 4, 8].find((bits) => groups.length < 1 << bits), stride = 1 + Math.ceil((width * depth) / 8), rows = new Uint8Array(stride * height);
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
            const i = y * width + x, index = data[4 * i + 3] >= 128 ? indices.get(colorAt(i)) : 0, bit = x * depth;
            rows[stride * y + 1 + (bit >> 3)] |= index << (8 - depth - (bit & 7));
        }
    const head = new Uint8Array(13), view = new DataView(head.buffer);
    view.setUint32(0, width);
    view.setUint32(4, height);
    head.set([depth, 3], 8);
    const packed = new Uint8Array(await new Response(new Blob([rows]).stream().pipeThrough(new CompressionStream('deflate'))).arrayBuffer());
    return writePng([['IHDR', head], ['PLTE', Uint8Array.from([[0, 0, 0], ...groups.map(mean)].flat())], ['tRNS', Uint8Array.of(0)], ['IDAT', packed], ['IEND', new Uint8Array()]]);
}
