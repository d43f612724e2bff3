/* atlas.js - frames of an atlas, by the JSON of TexturePacker and Aseprite.
 *
 * Invariant: the mask of a frame has the size of the whole untrimmed frame.
 *
 * SPDX-License-Identifier: Zlib
 */
import { begin, describe, refuse } from './marshal.js';
import { Mask } from './mask_class.js';

const rectOf = (rect, name) => {
    for (const key of ['x', 'y', 'w', 'h'])
        if (!Number.isInteger(rect?.[key])) refuse('format', name, `${name}.${key} is ${describe(rect?.[key])}, must be a whole number`);
    return rect;
};

/** Cuts a frame out of the mask of the whole picture. */
function frameMask(sheet, frame, name) {
    const { x, y, w, h } = rectOf(frame.frame, `${name}.frame`);
    let mask = sheet.crop(frame.rotated ? { x, y, w: h, h: w } : { x, y, w, h });
    if (frame.rotated) mask = mask.rotate90(-1);
    if (!frame.spriteSourceSize || !frame.sourceSize) return mask;
    const place = rectOf(frame.spriteSourceSize, `${name}.spriteSourceSize`);
    return mask.crop({ x: -place.x, y: -place.y, w: frame.sourceSize.w, h: frame.sourceSize.h });
}

/** Reads the frames of an atlas: an array of { name, mask, duration, pivot }.
 *  @param sheet mask of the whole picture
 *  @param atlas the JSON, as an object */
export function framesFromAtlas(sheet, atlas) {
    begin('framesFromAtlas');
    if (!(sheet instanceof Mask)) refuse('argument', 'sheet', 'sheet must be a Mask');
    const { frames } = atlas ?? {};
    if (frames === null || typeof frames !== 'object') refuse('format', 'atlas.frames', 'atlas.frames is missing');
    const entries = Array.isArray(frames) ? frames.map((frame) => [frame.filename ?? '', frame]) : Object.entries(frames);
    return entries.map(([name, frame]) => {
        const mask = frameMask(sheet, frame, `atlas.frames["${name}"]`), { x, y } = frame.pivot ?? { x: 0.5, y: 0.5 };
        return { name, mask, duration: (frame.duration ?? 100) / 1000, pivot: { x: x * mask.getWidth(), y: y * mask.getHeight() } };
    });
}
