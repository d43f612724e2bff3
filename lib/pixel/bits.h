/* bits.h - the shared data of the pixel layer, for its files and the world's.
 *
 * Invariant: word y of stripe s, words[s * h + y], holds pixels (64 s ... 64 s + 63, y), the lowest
 * bit leftmost. Bits at x >= w are zero. A stripe is contiguous, so a sprite covers one or two
 * short runs of a huge terrain's memory.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_BITS_H
#define PV_PIXEL_BITS_H

#include "pixverlet.h"

#include <stdatomic.h>

#define PV__MAX_SIDE 32768
#define PV__MAX_AREA ((int64_t)1 << 31)

/// Solid pixels in stripes, as a view without ownership.
typedef struct pv__bits {
    int w, h;
    uint64_t *words;
} pv__bits;

/// Base of data that a higher layer derives from a mask's pixels and attaches to the mask.
typedef struct pv__derived {
    void (*free)(struct pv__derived *derived);
} pv__derived;

struct pv_mask {
    pv__bits bits;
    pv_allocator allocator;
    atomic_int references;
    /// Null, or data that fits the pixels
    _Atomic(pv__derived *) derived;
};

/// Frees the data derived from a mask's pixels.
void pv__mask_forget(pv_mask *mask);
/// Tells whether a mask has no other holder and may be edited. If so, frees the derived data.
static inline bool pv__mask_begin_edit(pv_mask *mask) {
    if (atomic_load_explicit(&mask->references, memory_order_acquire) > 1) return false;
    if (atomic_load_explicit(&mask->derived, memory_order_acquire)) pv__mask_forget(mask);
    return true;
}

static inline int pv__bits_stripes(int w) { return (int)(((unsigned)w + 63) >> 6); }
static inline size_t pv__bits_word_count(int w, int h) {
    return (size_t)pv__bits_stripes(w) * (size_t)h;
}
/// Returns a word with bits low...high set. The range may extend beyond the word.
static inline uint64_t pv__bits_between(int low, int high) {
    low = low > 0 ? low : 0;
    high = high < 63 ? high : 63;
    return low > high ? 0 : ~UINT64_C(0) >> (63 - (high - low)) << low;
}
/// Returns the word that holds pixel (x, y).
static inline uint64_t *pv__bits_at(const pv__bits *b, int x, int y) {
    return b->words + ((size_t)(x >> 6) * (size_t)b->h + (size_t)y);
}
static inline bool pv__bits_get(const pv__bits *b, int x, int y) {
    return *pv__bits_at(b, x, y) >> (x & 63) & 1;
}

/// Returns the 64 pixels of a row of the bitmap from a column on, empty outside it.
static inline uint64_t pv__bits_word(const pv__bits *b, int64_t column, int64_t y) {
    int shift = (int)(column & 63);
    int64_t stripe = column >> 6, stripes = pv__bits_stripes(b->w);
    const uint64_t *row = b->words + y;
    uint64_t word = stripe >= 0 && stripe < stripes ? row[stripe * b->h] >> shift : 0;
    if (shift && stripe >= -1 && stripe + 1 < stripes)
        word |= row[(stripe + 1) * b->h] << (64 - shift);
    return word;
}

static inline bool pv__bits_is_solid(const pv__bits *b, int x, int y) {
    return x >= 0 && y >= 0 && x < b->w && y < b->h && pv__bits_get(b, x, y);
}

/// Tells whether the pixel under a place of the picture is solid. Returns false for NaN.
static inline bool pv__bits_under(const pv__bits *b, pv_vec2 at) {
    return at.x >= 0 && at.y >= 0 && at.x < b->w && at.y < b->h &&
           pv__bits_get(b, (int)at.x, (int)at.y);
}

/* Data for walks along pixel edges with the solid pixels on the right. */

/// Directions right, down, left and up, each a right turn from the one before.
static const pv_point pv__way[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
/// Offset of the pixel ahead on the right of a corner, for each direction. The pixel ahead on the
/// left is that of the previous entry.
static const pv_point pv__ahead[4] = {{0, 0}, {-1, 0}, {-1, -1}, {0, -1}};

/// Returns the next direction at a corner, from the pixels ahead. With diagonal, a left turn joins
/// two solid pixels that touch only at the corner. Without it, a right turn separates them.
static inline int pv__bits_turn(int way, bool left, bool right, bool diagonal) {
    if (left && (right || diagonal)) return (way + 3) & 3;
    return right ? way : (way + 1) & 3;
}

/// Solid pixels start...end - 1 of a row; {0, 0} before the first.
typedef struct pv__run {
    int start, end;
} pv__run;

/// Returns the first solid pixel of row y from x >= 0 on, or the width. With all ones in flip,
/// finds the first empty pixel.
static inline int pv__bits_find(const pv__bits *bits, int x, int y, uint64_t flip) {
    for (; x < bits->w; x = (x | 63) + 1) {
        uint64_t word = (*pv__bits_at(bits, x, y) ^ flip) >> (x & 63);
        if (!word) continue;
        x += __builtin_ctzll(word);
        return x < bits->w ? x : bits->w;
    }
    return bits->w;
}

/// Finds the next run of row y at or after run->end. Returns false without one.
bool pv__mask_run_next(const pv__bits *bits, int y, pv__run *run);

#endif
