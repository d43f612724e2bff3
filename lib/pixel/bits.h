/* bits.h - what the files of the pixel layer share with each other and with the world.
 *
 * Invariant: bits are held in stripes of 64 columns: word y of stripe s, words[s * h + y], holds
 * pixels (64 s ... 64 s + 63, y), the lowest bit leftmost; bits at x >= w are zero. A stripe is
 * contiguous from top to bottom, so what a sprite covers of a huge terrain is one or two short runs
 * of memory. The pixel layer knows no world.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_BITS_H
#define PV_PIXEL_BITS_H

#include "pixverlet.h"

#include <stdatomic.h>

#define PV__MAX_SIDE 32768
#define PV__MAX_AREA ((int64_t)1 << 31)

/// Solid pixels in stripes; a view that owns nothing.
typedef struct pv__bits {
    int w, h;
    uint64_t *words;
} pv__bits;

/// Data that an upper floor has derived from a mask's pixels and left with it.
typedef struct pv__derived {
    void (*free)(struct pv__derived *derived);
} pv__derived;

struct pv_mask {
    pv__bits bits;
    pv_allocator allocator;
    atomic_int references;
    /// Null, or fits the pixels
    _Atomic(pv__derived *) derived;
};

/// Tells whether a mask may be changed: nobody else holds it. What was derived from it is freed.
bool pv__mask_begin_edit(pv_mask *mask);

static inline int pv__bits_stripes(int w) { return (int)(((unsigned)w + 63) >> 6); }
static inline size_t pv__bits_word_count(int w, int h) {
    return (size_t)pv__bits_stripes(w) * (size_t)h;
}
static inline bool pv__bits_get(const pv__bits *b, int x, int y) {
    return b->words[(size_t)(x >> 6) * (size_t)b->h + (size_t)y] >> (x & 63) & 1;
}

static inline bool pv__bits_is_solid(const pv__bits *b, int x, int y) {
    return x >= 0 && y >= 0 && x < b->w && y < b->h && pv__bits_get(b, x, y);
}

/* Along the edges of pixels, with the solid ones at the right. */

/// Right, down, left, up: the next one is a turn to the right.
static const pv_point pv__way[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
/// The pixel ahead at the right of a corner for each way; the one ahead at the left is the one
/// before.
static const pv_point pv__ahead[4] = {{0, 0}, {-1, 0}, {-1, -1}, {0, -1}};

/// Returns where to go on from a corner, by what is ahead. Where two solid pixels touch at the
/// corner only, a left turn joins them and a right turn parts them.
static inline int pv__bits_turn(int way, bool left, bool right, bool diagonal) {
    if (left && (right || diagonal)) return (way + 3) & 3;
    return right ? way : (way + 1) & 3;
}

#endif
