/* pictures.js - pixels of an engine's textures, and the pictures of carved bodies.
 *
 * Invariant: a skin shows its picture's pixel where the body's mask is solid, and nothing elsewhere.
 *
 * SPDX-License-Identifier: Zlib
 */
import { PixverletError } from './error.js';
import { Mask } from './mask_class.js';

/** Throws an error that names the function and the field. */
export function refuse(where, field, message) {
    throw new PixverletError({ status: 'argument', function: where, field, message: `${where}: ${message}` });
}

export function createCanvas(width, height) {
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) };
}

/** Draws a frame as it was before the packer trimmed and turned it. */
function drawFrame(context, { image, x, y, w, h, rotated, left, top }) {
    if (rotated) context.setTransform(0, -1, 1, 0, left, top + w);
    else context.setTransform(1, 0, 0, 1, left, top);
    context.drawImage(image, x, y, w, h, 0, 0, w, h);
}

/** The pixels of a frame of a texture, and their mask. */
export class Picture {
    /** @param frame its name, its image with the region x, y, w, h, whether that is `rotated` by 90 degrees,
     *  and its place (left, top) in the untrimmed picture of a width and a height
     *  @param alphaThreshold least alpha of a solid pixel */
    constructor(frame, alphaThreshold) {
        const { name, width, height } = frame, { context } = createCanvas(width, height);
        try {
            drawFrame(context, frame);
            this.pixels = context.getImageData(0, 0, width, height);
        } catch (cause) {
            refuse('Picture', 'texture', `the pixels of texture ${name} cannot be read: ${cause.message}`);
        }
        this.mask = Mask.fromImageData(this.pixels, { alphaThreshold });
        if (this.mask.countPixels() === 0) refuse('Picture', 'texture', `texture ${name} has no solid pixel`);
    }
}

/** The picture of a carved body, on a canvas. */
export class Skin {
    #from;
    #x;
    #y;
    #context;

    /** @param x, y place of the body's pixel (0, 0) in the picture */
    constructor(picture, x, y, mask) {
        const { canvas, context } = createCanvas(mask.getWidth(), mask.getHeight());
        this.canvas = canvas;
        this.#context = context;
        this.#from = picture.pixels;
        this.#x = x;
        this.#y = y;
        this.draw(mask, { x: 0, y: 0, w: canvas.width, h: canvas.height });
    }

    /** Draws the part in a rectangle again. */
    draw(mask, { x, y, w, h }) {
        const drawn = new ImageData(mask.crop({ x, y, w, h }).toRgba(0xffffffff, 0), w, h), { width, height, data } = this.#from;
        const from = new Uint32Array(data.buffer), to = new Uint32Array(drawn.data.buffer);
        for (let j = 0; j < h; j++)
            for (let i = 0; i < w; i++) {
                const u = this.#x + x + i, v = this.#y + y + j, at = j * w + i;
                if (to[at]) to[at] = u >= 0 && v >= 0 && u < width && v < height ? from[v * width + u] : 0;
            }
        this.#context.putImageData(drawn, x, y);
    }
}

/** Draws a part of a world on a canvas of its size, for debugging. */
export function drawDebug({ canvas, context }, world, { x, y, width, height }, flags) {
    canvas.width = Math.max(1, Math.ceil(width));
    canvas.height = Math.max(1, Math.ceil(height));
    context.translate(-x, -y);
    world.debugDraw(context, flags);
}
