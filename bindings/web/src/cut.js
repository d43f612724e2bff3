/* cut.js - shapes of cuts, as plain objects for carve().
 *
 * Invariant: the library checks the values, when the cut is made.
 *
 * SPDX-License-Identifier: Zlib
 */

export const Cut = {
    circle: (center, radius) => ({ type: 'circle', from: center, to: center, radius }),
    box: (corner, opposite) => ({ type: 'box', from: corner, to: opposite }),
    line: (from, to, width) => ({ type: 'line', from, to, radius: width / 2 }),
    polygon: (points) => ({ type: 'polygon', points }),
    mask: (mask, transform) => ({ type: 'mask', mask, transform }),
};
