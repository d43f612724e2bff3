/* mask_ops.h - the interface of mask_ops.c: masks from masks, by set operations, moves, scaling and
 * morphology.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_MASK_OPS_H
#define PV_PIXEL_MASK_OPS_H

#include "base/error.h"
#include "pixel/bits.h"

/* Offsets put b's pixel (0, 0) on a's pixel (dx, dy), each below 2^32 in size. */
/// Solid pixels start...end - 1 of a row; {0, 0} before the first.
typedef struct pv__run {
    int start, end;
} pv__run;

/// Returns the first solid pixel of row y from x >= 0 on, or the width. With all ones in flip it finds
/// the first empty pixel.
static inline int pv__bits_find(const pv__bits *bits, int x, int y, uint64_t flip) {
    for (; x < bits->w; x = (x | 63) + 1) {
        uint64_t word =
            (bits->words[(size_t)(x >> 6) * (size_t)bits->h + (size_t)y] ^ flip) >> (x & 63);
        if (!word) continue;
        x += __builtin_ctzll(word);
        return x < bits->w ? x : bits->w;
    }
    return bits->w;
}

/// Finds the next run of row y at or after run->end. Returns false without one.
bool pv__mask_run_next(const pv__bits *bits, int y, pv__run *run);

/// Combines b, which may be a, into a.
void pv__bits_combine(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, pv_combine op);

/// Makes every pixel of a mask solid.
void pv__mask_fill(const pv_mask *mask);
/// Returns the bits of a stripe that are pixels.
static inline uint64_t pv__mask_pixels_of(int w, int stripe) {
    return w - stripe * 64 < 64 ? (UINT64_C(1) << (w & 63)) - 1 : ~UINT64_C(0);
}

/// Creates a mask like pv_mask_create(), for sizes that may exceed an int.
pv_mask *pv__mask_like(int64_t w, int64_t h, const pv_mask *like, pv_error *error);
/// Checks the size of a mask that follows from an argument.
bool pv__mask_check_made(pv_error *e, const char *field, int64_t w, int64_t h);

/// Transposes a block: bit i of word j becomes bit j of word i (Warren, Hacker's Delight, 2013,
/// section 7-3).
void pv__bits_transpose(uint64_t block[64]);

#endif
