/* skins.js - the pictures of bodies, which follow every carve and split.
 *
 * Invariant: the picture of a body has a color where its mask is solid, and nothing elsewhere. It is a part of its
 * sprite's picture, at an offset known from splits.
 *
 * SPDX-License-Identifier: Zlib
 */

const keyOf = (body) => `${body.index}:${body.generation}`;

/** The picture of one body. */
class Skin {
    /** @param x, y place of the picture's (0, 0) in the sprite */
    constructor(sprite, x, y, rgba, width, height) {
        Object.assign(this, { sprite, x, y, rgba, width, height, whole: rgba === sprite.rgba, canvas: null });
    }

    /** Returns a canvas with the picture. */
    getCanvas() {
        if (this.whole) return this.sprite.getCanvas();
        if (!this.canvas) {
            this.canvas = new OffscreenCanvas(this.width, this.height);
            this.canvas.getContext('2d').putImageData(new ImageData(this.rgba, this.width, this.height), 0, 0);
        }
        return this.canvas;
    }
}

/** Returns the part of a sprite that a mask covers, at an offset. */
function cut(sprite, x, y, mask) {
    const width = mask.getWidth(), height = mask.getHeight(), solid = mask.toRgba(), rgba = new Uint8ClampedArray(4 * width * height);
    const from = new Uint32Array(sprite.rgba.buffer), to = new Uint32Array(rgba.buffer);
    for (let j = 0; j < height; j++)
        for (let i = 0; i < width; i++) {
            const u = x + i, v = y + j;
            if (solid[4 * (j * width + i) + 3] && u >= 0 && v >= 0 && u < sprite.width && v < sprite.height) to[j * width + i] = from[v * sprite.width + u];
        }
    return new Skin(sprite, x, y, rgba, width, height);
}

export class Skins {
    #world;
    #of = new Map();

    constructor(world) {
        this.#world = world;
    }

    put(body, sprite) {
        this.#of.set(keyOf(body), new Skin(sprite, 0, 0, sprite.rgba, sprite.width, sprite.height));
    }

    /** Returns the skin at an id, or undefined. */
    at(index, generation) {
        return this.#of.get(`${index}:${generation}`);
    }

    /** Returns the skin of a body, or undefined for the ground. */
    get(body) {
        return this.#of.get(keyOf(body));
    }

    /** Applies the splits and changes of a step. Returns the pixels that bodies lost. */
    follow({ splits, dirtyRects }) {
        const before = new Map();
        for (const { parent, child, x, y } of splits) {
            const skin = this.get(parent);
            if (!skin) continue;
            before.set(keyOf(parent), skin);
            if (child.isValid()) this.#of.set(keyOf(child), cut(skin.sprite, skin.x + x, skin.y + y, child.getMask()));
        }
        const lost = [];
        for (const { body, rect } of dirtyRects) {
            const old = this.get(body);
            if (!old || splits.some(({ child }) => child === body)) continue;
            const now = cut(old.sprite, old.x, old.y, body.getMask());
            this.#collect(lost, body, old, now, rect, splits);
            this.#of.set(keyOf(body), now);
        }
        return lost;
    }

    /** Adds the pixels of a rectangle that neither a body nor its new parts have any more. */
    #collect(lost, body, old, now, rect, splits) {
        const parts = splits.filter(({ parent, child }) => parent === body && child.isValid()).map(({ child, x, y }) => ({ skin: this.get(child), x, y }));
        const kept = ({ skin, x, y }, i, j) => i >= x && j >= y && i < x + skin.width && j < y + skin.height && skin.rgba[4 * ((j - y) * skin.width + i - x) + 3];
        for (let j = Math.max(0, rect.y); j < Math.min(old.height, rect.y + rect.h); j++)
            for (let i = Math.max(0, rect.x); i < Math.min(old.width, rect.x + rect.w); i++) {
                const at = 4 * (j * old.width + i);
                if (!old.rgba[at + 3] || now.rgba[at + 3] || parts.some((part) => kept(part, i, j))) continue;
                const place = body.toWorld({ x: i + 0.5, y: j + 0.5 }), v = body.getVelocityAt(place);
                const [r, g, b] = old.rgba.subarray(at, at + 3);
                lost.push({ x: place.x, y: place.y, vx: v.x, vy: v.y, color: ((r << 24) | (g << 16) | (b << 8) | 255) >>> 0 });
            }
    }

    /** Makes the pictures of all living bodies again, after the world went back in time. */
    rebuild() {
        for (const body of this.#world.getBodies()) {
            const skin = this.get(body);
            if (!skin || skin.whole) continue;
            this.#of.set(keyOf(body), cut(skin.sprite, skin.x, skin.y, body.getMask()));
        }
    }
}
