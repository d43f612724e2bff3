/* mask_class.js - masks: pictures of one bit, from all sources that a program has.
 *
 * Invariant: a mask object holds one reference to its mask.
 *
 * SPDX-License-Identifier: Zlib
 */
import { adopt, allocate, begin, choice, enter, errorAt, finish, integer, leave, living, natural, number, readArray, refuse, refuseType, register, succeed } from './marshal.js';
import { MaskMethods, PlacedMethods } from './mask_methods.js';
import { allocateBytes, f64, i32, i64, refresh, u32, u8, wasm } from './memory.js';
import { shareable } from './resource.js';
import { pv_connectivity, read_pv_part, read_pv_point, sizes, write_pv_mask_options } from './structs.js';
import { contourPlaces } from './places.js';

const isBytes = (value) => value instanceof Uint8Array || value instanceof Uint8ClampedArray;
function bytesOf(value, field) {
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (!isBytes(value)) refuseType(value, field, 'a Uint8Array');
    return value;
}

/** Runs a function that makes a mask with options, which it gets as a pv_mask_options. */
function make(name, options, call) {
    begin(name);
    const at = enter(sizes.pv_mask_options);
    try {
        wasm.pv_mask_options_default(at);
        write_pv_mask_options(at, options, 'options');
        const pointer = call(at);
        finish();
        return adopt('Mask', pointer);
    } finally {
        leave(at);
    }
}

/** Draws a picture of the page on a canvas, to read its pixels. */
function pixelsOf(source) {
    const width = source.naturalWidth ?? source.videoWidth ?? source.displayWidth ?? source.width;
    const height = source.naturalHeight ?? source.videoHeight ?? source.displayHeight ?? source.height;
    if (!(width > 0 && height > 0)) refuse('empty', 'image', 'image has no pixels; wait until it is loaded');
    const canvas = typeof OffscreenCanvas === 'function' ? new OffscreenCanvas(width, height) : Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(source, 0, 0);
    try {
        return context.getImageData(0, 0, width, height);
    } catch (cause) {
        return refuse('unsupported', 'image', 'image comes from another origin, which keeps its pixels secret; use Mask.fromPng() with its bytes');
    }
}

export class Mask extends MaskMethods {
    constructor() {
        super();
        begin('Mask');
        refuse('argument', null, 'masks come from Mask.create() and the functions that begin with from');
    }

    /** Makes a mask of raw R, G, B, A bytes. */
    static fromRgba(rgba, width, height, options = {}) {
        return make('pv_mask_from_rgba', options, (at) => {
            const needed = 4 * integer(width, 'width') * integer(height, 'height');
            if (width < 0 || height < 0) refuse('argument', 'width', `width and height are ${width} and ${height}, must be at least 0`);
            if (bytesOf(rgba, 'rgba').length < needed) refuse('argument', 'rgba', `rgba has ${rgba.length} bytes, must have ${needed}`);
            const rgbaAt = allocateBytes(rgba);
            return wasm.pv_mask_from_rgba(rgbaAt, width, height, 4 * width, at, errorAt);
        });
    }

    /** Makes a mask of an ImageData. */
    static fromImageData(image, options = {}) {
        begin('pv_mask_from_rgba');
        if (!isBytes(image?.data)) refuseType(image, 'image', 'an ImageData');
        return Mask.fromRgba(image.data, image.width, image.height, options);
    }

    /** Makes a mask of an image, an ImageBitmap, a canvas or a video of the page. */
    static fromImage(image, options = {}) {
        begin('pv_mask_from_rgba');
        if (image === null || typeof image !== 'object') refuseType(image, 'image', 'an image, an ImageBitmap or a canvas');
        return Mask.fromImageData(pixelsOf(image), options);
    }

    /** Makes a mask of the bytes of a PNG file. */
    static fromPng(png, options = {}) {
        return make('pv_mask_load_memory', options, (at) => {
            const bytes = bytesOf(png, 'png'), pngAt = allocateBytes(bytes);
            return wasm.pv_mask_load_memory(pngAt, bytes.length, at, errorAt);
        });
    }

    /** Makes a mask of rows of text: '.' and ' ' are empty. */
    static fromText(rows) {
        return make('pv_mask_from_text', {}, () => {
            if (typeof rows !== 'string') refuseType(rows, 'rows', 'a string');
            return wasm.pv_mask_from_text(allocateBytes(rows), 0, errorAt);
        });
    }

    /** Reads a mask that serialize() wrote. */
    static deserialize(bytes) {
        return make('pv_mask_deserialize', {}, () => {
            const data = bytesOf(bytes, 'bytes');
            return wasm.pv_mask_deserialize(allocateBytes(data), data.length, 0, errorAt);
        });
    }

    /** Writes the mask as bytes that are the same on every machine. */
    serialize() {
        begin('pv_mask_serialize');
        living(this);
        const at = enter(0);
        try {
            const size = wasm.pv_mask_serialize(this.pointer, 0, 0), to = allocate(size);
            wasm.pv_mask_serialize(this.pointer, to, size);
            return u8.slice(to, to + size);
        } finally {
            leave(at);
        }
    }

    /** Writes the mask as R, G, B, A bytes in two colors, 0xRRGGBBAA. */
    toRgba(solid = 0xffffffff, empty = 0) {
        begin('pv_mask_to_rgba');
        living(this);
        const at = enter(0);
        try {
            const width = wasm.pv_mask_get_width(this.pointer), size = 4 * width * wasm.pv_mask_get_height(this.pointer), to = allocate(size);
            succeed(wasm.pv_mask_to_rgba(this.pointer, to, 4 * width, natural(solid, 'solid'), natural(empty, 'empty')), 'pv_mask_to_rgba');
            return new Uint8ClampedArray(u8.slice(to, to + size).buffer);
        } finally {
            leave(at);
        }
    }

    /** Traces the outline of the solid pixels. */
    createOutline(neighbors = 8) {
        begin('pv_outline_create');
        living(this);
        return contours(wasm.pv_outline_create(this.pointer, choice(neighbors, pv_connectivity, 'neighbors'), errorAt));
    }

    /** Computes the convex hull of the solid pixels: one contour, or none. */
    createHull() {
        begin('pv_outline_create_hull');
        living(this);
        return contours(wasm.pv_outline_create_hull(this.pointer, errorAt));
    }

    /** Finds the connected parts, the largest first, each with a mask of its own. */
    createParts(neighbors = 8) {
        begin('pv_parts_create');
        living(this);
        const parts = wasm.pv_parts_create(this.pointer, choice(neighbors, pv_connectivity, 'neighbors'), errorAt);
        finish();
        const at = enter(sizes.pv_part);
        try {
            return Array.from({ length: wasm.pv_parts_get_count(parts) }, (_, i) => {
                const pointer = wasm.pv_parts_create_mask(parts, i, errorAt);
                finish();
                wasm.pv_parts_get_part(at, parts, i);
                return { ...read_pv_part(at), mask: adopt('Mask', pointer) };
            });
        } finally {
            leave(at);
            wasm.pv_parts_destroy(parts);
        }
    }
}
Mask.release = 'pv_mask_release';
shareable(Mask, 'pv_mask_retain');
register('Mask', Mask);

/** Copies the contours of an outline, and frees it. */
function contours(outline) {
    finish();
    const at = enter(sizes.pv_contour);
    try {
        return Array.from({ length: wasm.pv_outline_get_contour_count(outline) }, (_, i) => {
            wasm.pv_outline_get_contour(at, outline, i);
            refresh();
            const { points, pointCount, outerIndex, area } = contourPlaces;
            return {
                points: readArray(u32[(at + points) >> 2], i32[(at + pointCount) >> 2], sizes.pv_point, read_pv_point),
                outerIndex: i32[(at + outerIndex) >> 2],
                area: Number(i64[(at + area) >> 3]),
            };
        });
    } finally {
        leave(at);
        wasm.pv_outline_destroy(outline);
    }
}

/** Queries on placed masks: { mask, transform }. */
export { PlacedMethods as Placed };

/** Computes the rotation of an angle [rad], with the same bits on every machine. */
export function rotationFromAngle(angle) {
    begin('pv_rotation_from_angle');
    const at = enter(16);
    try {
        wasm.pv_rotation_from_angle(at, number(angle, 'angle'));
        return { c: f64[at >> 3], s: f64[(at + 8) >> 3] };
    } finally {
        leave(at);
    }
}
