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
/// Combines b, which may be a, into a.
void pv__bits_combine(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, pv_combine op);

/// Creates a mask like pv_mask_create(), for sizes that may exceed an int.
pv_mask *pv__mask_like(int64_t w, int64_t h, const pv_mask *like, pv_error *error);
/// Checks the size of a mask that follows from an argument.
bool pv__mask_check_made(pv_error *e, const char *field, int64_t w, int64_t h);
/// Checks a size that follows from an argument, and creates an empty mask of this size.
pv_mask *pv__mask_make_for(pv_error *e, const char *field, int64_t w, int64_t h,
                           const pv_allocator *allocator);

/// Transposes a block: bit i of word j becomes bit j of word i (Warren, Hacker's Delight, 2013,
/// section 7-3).
void pv__bits_transpose(uint64_t block[64]);

#endif
