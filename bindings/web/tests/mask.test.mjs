/* mask.test.mjs - masks, judged pixel by pixel.
 *
 * SPDX-License-Identifier: Zlib
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { framesFromAtlas, init, Mask, Placed, rotationFromAngle } from 'pixverlet';
import { source, sprite } from './support.mjs';

await init();

/** A generator of numbers 0...1 that is the same in each run. */
function dice(seed) {
    return () => {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        return seed / 4294967296;
    };
}
/** A picture of random pixels, as rows of booleans, and its mask. */
function random(width, height, seed) {
    const next = dice(seed), rows = Array.from({ length: height }, () => Array.from({ length: width }, () => next() < 0.4));
    return { rows, mask: Mask.fromText(rows.map((row) => row.map((solid) => (solid ? '#' : '.')).join('')).join('\n')) };
}
/** @param {boolean[][]} rows */
const at = (rows, /** @type {number} */ x, /** @type {number} */ y) => rows[y]?.[x] ?? false;

test('pixels are those of the text', () => {
    const { rows, mask } = random(70, 31, 1);
    assert.deepEqual([mask.getWidth(), mask.getHeight()], [70, 31]);
    for (let y = -1; y < 32; y++) for (let x = -1; x < 71; x++) assert.equal(mask.getPixel(x, y), at(rows, x, y));
    assert.equal(mask.countPixels(), rows.flat().filter(Boolean).length);
});

test('overlaps are those of a loop over pixels', () => {
    const a = random(67, 40, 2), b = random(33, 70, 3);
    for (let dx = -40; dx < 70; dx += 7)
        for (let dy = -75; dy < 45; dy += 9) {
            let shared = 0;
            for (let y = 0; y < 40; y++) for (let x = 0; x < 67; x++) shared += Number(at(a.rows, x, y) && at(b.rows, x - dx, y - dy));
            assert.equal(a.mask.computeOverlapArea(b.mask, dx, dy), shared);
            assert.equal(a.mask.testOverlap(b.mask, dx, dy), shared > 0);
            assert.equal(a.mask.computeOverlap(b.mask, dx, dy)?.area ?? 0, shared);
        }
});

test('pictures of all kinds give the same mask', () => {
    const { rows } = random(20, 11, 4), rgba = new Uint8ClampedArray(4 * 20 * 11);
    rows.flat().forEach((solid, i) => (rgba[4 * i + 3] = solid ? 200 : 100));
    const masks = [Mask.fromRgba(rgba, 20, 11), Mask.fromImageData({ data: rgba, width: 20, height: 11 }), Mask.fromRgba(new Uint8Array(rgba), 20, 11, { alphaThreshold: 101 })];
    for (const mask of masks) for (let y = 0; y < 11; y++) for (let x = 0; x < 20; x++) assert.equal(mask.getPixel(x, y), at(rows, x, y));
    assert.equal(Mask.fromRgba(rgba, 20, 11, { alphaThreshold: 100 }).countPixels(), 220);
    assert.equal(Mask.fromRgba(rgba, 20, 11, { region: { x: 5, y: 5, w: 3, h: 3 } }).getPixel(1, 1), at(rows, 6, 6));
});

test('a mask goes through bytes and colors', () => {
    const { rows, mask } = random(45, 9, 5), copy = Mask.deserialize(mask.serialize()), colors = mask.toRgba(0x11223344, 0x55667788);
    rows.flat().forEach((solid, i) => {
        assert.equal(copy.getPixel(i % 45, Math.floor(i / 45)), solid);
        assert.deepEqual([...colors.subarray(4 * i, 4 * i + 4)], solid ? [0x11, 0x22, 0x33, 0x44] : [0x55, 0x66, 0x77, 0x88]);
    });
});

test('a PNG of the demo is as its alpha says', () => {
    const star = Mask.fromPng(sprite('star')), mass = star.computeMass();
    let [area, sumX, sumY] = [0, 0, 0];
    for (let y = 0; y < star.getHeight(); y++)
        for (let x = 0; x < star.getWidth(); x++) if (star.getPixel(x, y)) (area += 1), (sumX += x + 0.5), (sumY += y + 0.5);
    assert.equal(mass.area, area);
    assert.ok(Math.abs(mass.centroid.x - sumX / area) < 1e-12 && Math.abs(mass.centroid.y - sumY / area) < 1e-12);
});

test('outline, hull and parts have the area of the pixels', () => {
    const mask = Mask.fromText('####..##\n#..#..##\n####....'), outline = mask.createOutline(), parts = mask.createParts();
    assert.equal(outline.reduce((sum, contour) => sum + contour.area, 0), 14);
    assert.deepEqual(parts.map(({ area, rect, mask }) => [area, rect, mask.countPixels()]), [[10, { x: 0, y: 0, w: 4, h: 3 }, 10], [4, { x: 6, y: 0, w: 2, h: 2 }, 4]]);
    const shoelace = ({ points }) => points.reduce((sum, p, i) => sum + p.x * points[(i + 1) % points.length].y - points[(i + 1) % points.length].x * p.y, 0) / 2;
    for (const contour of outline) assert.equal(shoelace(contour), contour.area);
    assert.equal(mask.createHull().length, 1);
});

test('operations change the pixels that they name', () => {
    const mask = Mask.create(10, 10);
    mask.fillRect({ x: 2, y: 3, w: 4, h: 5 }, true);
    mask.setPixel(2, 3, false);
    assert.equal(mask.countPixels(), 19);
    assert.deepEqual(mask.computeBounds(), { x: 2, y: 3, w: 4, h: 5 });
    mask.invert();
    assert.equal(mask.countPixels(), 81);
    assert.equal(mask.rotate90(1).getPixel(9 - 0, 0), mask.getPixel(0, 0));
    assert.equal(mask.crop({ x: 2, y: 3, w: 1, h: 1 }).getPixel(0, 0), true);
    assert.equal(mask.scale(20, 20).countPixels(), 324);
});

test('placed masks meet where their rasters do', () => {
    const a = Mask.createRect(10, 10), b = Mask.createRect(4, 4);
    assert.equal(Placed.computeOverlapArea(Placed.centered(a, { x: 5, y: 5 }, 0), Placed.centered(b, { x: 10, y: 5 }, 0)), 8);
    assert.equal(Placed.testPoint({ mask: a, transform: { position: { x: 5, y: 5 }, rotation: rotationFromAngle(Math.PI / 4), pivot: { x: 5, y: 5 }, scale: { x: 1, y: 1 } } }, { x: 5, y: -1.5 }), true);
    const hit = Placed.castSegment(Placed.centered(a, { x: 5, y: 5 }, 0), { x: -10, y: 5.5 }, { x: 10, y: 5.5 });
    assert.deepEqual(hit && [hit.fraction, hit.point.x, hit.normal.x], [0.5, 0, -1]);
});

test('frames of an atlas are the pixels of the untrimmed frames', () => {
    const read = (name) => readFileSync(source('tests', 'data', name));
    for (const kind of ['packed_hash', 'packed_array', 'walker_hash', 'walker_array']) {
        const atlas = JSON.parse(read(`${kind}.json`).toString()), sheet = Mask.fromPng(new Uint8Array(read(`${kind.split('_')[0]}.png`)));
        const frames = framesFromAtlas(sheet, atlas), entries = Array.isArray(atlas.frames) ? atlas.frames : Object.values(atlas.frames);
        assert.equal(frames.length, entries.length);
        frames.forEach(({ mask }, i) => {
            const { frame, rotated, spriteSourceSize: place, sourceSize } = entries[i];
            assert.deepEqual([mask.getWidth(), mask.getHeight()], [sourceSize.w, sourceSize.h]);
            for (let y = 0; y < place.h; y++)
                for (let x = 0; x < place.w; x++) {
                    const [u, v] = rotated ? [frame.x + frame.h - 1 - y, frame.y + x] : [frame.x + x, frame.y + y];
                    assert.equal(mask.getPixel(place.x + x, place.y + y), sheet.getPixel(u, v), `${kind} ${i} ${x} ${y}`);
                }
        });
    }
});
