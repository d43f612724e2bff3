/* sprite.js - pictures that become bodies: PNG files, drawings, text.
 *
 * Invariant: the mask and the colors of a thrown-in sprite come from the bytes of one PNG, which links contain. So a
 * sprite from a link has the same pixels everywhere.
 *
 * SPDX-License-Identifier: Zlib
 */
import { Mask } from 'pixverlet';
import { palettePng } from './png.js';

/** Longest side of a picture that is dropped in; larger ones are scaled down [px]. */
export const LONGEST = 160;
/** Squared distance of colors up to which a picture's background is one color. */
const ALIKE = 40 * 40;
/** Colors of drawings and typed text, the accent first. */
export const COLORS = ['#ff8a3d', '#ffd166', '#7bd389', '#5bc0eb', '#c792ea', '#f2efe6'];

export class Sprite {
    /** @param png its bytes; null for a built-in sprite, which links do not contain
     *  @param image ImageData of them, @param more { material, fracture } */
    constructor(name, png, image, { material = {}, fracture = {} } = {}) {
        const { data, width, height } = image;
        Object.assign(this, { name, png, rgba: data, width, height, material, fracture, builtIn: png === null });
        for (let i = 3; i < data.length; i += 4) if (data[i]) data[i] = 255;
    }

    /** Its mask, made on demand: built-in sprites exist before the library is loaded. */
    get mask() {
        this.made ??= this.png ? Mask.fromPng(this.png) : Mask.fromImageData({ data: this.rgba, width: this.width, height: this.height });
        return this.made;
    }

    getCanvas() {
        if (!this.canvas) {
            this.canvas = new OffscreenCanvas(this.width, this.height);
            this.canvas.getContext('2d').putImageData(new ImageData(this.rgba, this.width, this.height), 0, 0);
        }
        return this.canvas;
    }

    /** Makes a sprite of the bytes of a PNG file.
     *  @throws Error that says what is wrong with it, in the library's words */
    static async fromPng(name, png) {
        const sprite = new Sprite(name, png, await pixelsOf(png));
        if (!sprite.mask.countPixels()) throw new Error(`${name} has no solid pixel`);
        return sprite;
    }

    /** Makes a sprite of what a canvas shows. Pixels are solid or empty, nothing between. */
    static async fromCanvas(name, canvas) {
        const png = await palettePng(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height));
        return Sprite.fromPng(`${name} ${hashOf(png)}`, png);
    }

    /** Returns the same pixels as a PNG with fewer colors, for a link. */
    thin(colors) {
        return palettePng({ data: this.rgba, width: this.width, height: this.height }, colors);
    }
}

/** Returns the pixels of a PNG. */
export async function pixelsOf(png) {
    const picture = await createImageBitmap(new Blob([png], { type: 'image/png' }), { premultiplyAlpha: 'none', colorSpaceConversion: 'none' });
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d', { willReadFrequently: true });
    context.drawImage(picture, 0, 0);
    return context.getImageData(0, 0, picture.width, picture.height);
}

/** Returns eight digits that distinguish pictures of one name (FNV-1a). */
function hashOf(bytes) {
    let hash = 0x811c9dc5;
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
    return (hash >>> 0).toString(16).padStart(8, '0');
}

/** Makes the error for a file that no browser decodes. */
const noPicture = (name) => new Error(`${name} is not a picture. Drop a PNG, JPEG, GIF, WebP or SVG file.`);

async function decode(file) {
    const name = file.name || 'The picture';
    if (file.type && !file.type.startsWith('image/')) throw noPicture(name);
    try {
        return await createImageBitmap(file);
    } catch {
        const bytes = new Uint8Array(await file.arrayBuffer());
        if (bytes[0] === 0x89 && bytes[1] === 0x50) Mask.fromPng(bytes); /* throws, and says what is wrong */
        throw noPicture(name);
    }
}

/** Makes the background of a picture without transparent pixels transparent: the corner's color, if most of the border has it. */
function keyOut({ data, width, height }) {
    for (let i = 3; i < data.length; i += 4) if (data[i] < 128) return 0;
    const corner = data.slice(0, 3), stack = [], seen = new Uint8Array(width * height);
    const alike = (at) => (data[4 * at] - corner[0]) ** 2 + (data[4 * at + 1] - corner[1]) ** 2 + (data[4 * at + 2] - corner[2]) ** 2 <= ALIKE;
    const visit = (x, y) => {
        const at = y * width + x;
        if (x < 0 || y < 0 || x >= width || y >= height || seen[at] || !alike(at)) return;
        seen[at] = 1;
        stack.push(x, y);
    };
    for (let x = 0; x < width; x++) visit(x, 0), visit(x, height - 1);
    for (let y = 0; y < height; y++) visit(0, y), visit(width - 1, y);
    if (stack.length / 2 < width + height) return 0; /* half of the border */
    let count = 0;
    while (stack.length) {
        const y = stack.pop(), x = stack.pop();
        count++;
        visit(x + 1, y), visit(x - 1, y), visit(x, y + 1), visit(x, y - 1);
    }
    if (count > 0.98 * width * height) return 0; /* nothing would be left */
    for (let at = 0; at < seen.length; at++) if (seen[at]) data[4 * at + 3] = 0;
    return count;
}

/** Trims the empty borders of a canvas. */
function trim(canvas) {
    const { width, height } = canvas, { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    let left = width, right = -1, top = height, bottom = -1;
    for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++)
            if (data[4 * (y * width + x) + 3] >= 128) (left = Math.min(left, x)), (right = Math.max(right, x)), (top = Math.min(top, y)), (bottom = y);
    if (right < 0) return null;
    const cut = new OffscreenCanvas(right - left + 1, bottom - top + 1);
    cut.getContext('2d').drawImage(canvas, -left, -top);
    return cut;
}

/** Makes a sprite of a file; returns it with a message about it. */
export async function spriteOfFile(file, longest) {
    const picture = await decode(file), name = (file.name || 'picture').replace(/\.\w+$/, '');
    const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
    const width = Math.max(1, Math.round(scale * picture.width)), height = Math.max(1, Math.round(scale * picture.height));
    const canvas = new OffscreenCanvas(width, height), context = canvas.getContext('2d', { willReadFrequently: true });
    context.imageSmoothingEnabled = scale < 0.5;
    context.drawImage(picture, 0, 0, width, height);
    const image = context.getImageData(0, 0, width, height), removed = keyOut(image);
    context.putImageData(image, 0, 0);
    const trimmed = trim(canvas);
    if (!trimmed) throw new Error(`${name} has no solid pixel`);
    const sprite = await Sprite.fromCanvas(name, trimmed), words = [`${name}: ${sprite.mask.countPixels().toLocaleString('en')} solid pixels`];
    if (scale < 1) words.push(`scaled from ${picture.width} x ${picture.height} to ${width} x ${height} so that it stays fast`);
    if (removed) words.push('its background was taken out');
    return { sprite, words: words.join('; ') };
}

/** Makes a sprite of a letter or an emoji; null for a blank. */
export async function spriteOfText(text, color, size = 56) {
    const canvas = new OffscreenCanvas(2 * size, 2 * size), context = canvas.getContext('2d', { willReadFrequently: true });
    context.font = `900 ${size}px "Arial Black", "DejaVu Sans", system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = color;
    context.fillText(text, size, size);
    const trimmed = trim(canvas);
    return trimmed && Sprite.fromCanvas(text, trimmed);
}

/** Makes a sprite of a stroke; returns it with the place of its middle. */
export async function spriteOfStroke(points, color, width = 9) {
    const xs = points.map((p) => p.x), ys = points.map((p) => p.y), margin = width;
    const left = Math.floor(Math.min(...xs)) - margin, top = Math.floor(Math.min(...ys)) - margin;
    const canvas = new OffscreenCanvas(Math.ceil(Math.max(...xs)) + margin - left, Math.ceil(Math.max(...ys)) + margin - top);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    Object.assign(context, { lineWidth: width, lineCap: 'round', lineJoin: 'round', strokeStyle: color });
    context.beginPath();
    context.moveTo(points[0].x - left, points[0].y - top);
    for (const p of points) context.lineTo(p.x - left, p.y - top);
    if (points.length === 1) context.lineTo(points[0].x - left + 0.1, points[0].y - top);
    context.stroke();
    const sprite = await Sprite.fromCanvas(`stroke`, canvas), { centroid } = sprite.mask.computeMass();
    return { sprite, x: left + centroid.x, y: top + centroid.y };
}
