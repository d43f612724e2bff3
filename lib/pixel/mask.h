/* mask.h - the interface of mask.c: masks, created, read from pixels, shared, changed and measured.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_MASK_H
#define PV_PIXEL_MASK_H

#include "base/error.h"
#include "pixel/bits.h"

/// Number of pixels, and the sums of their integer coordinates and of the squares. With sides up to
/// 2^15 the largest sum stays below 2^60.
typedef struct pv__sums {
    int64_t n, x, y, xx, yy;
} pv__sums;
pv__sums pv__bits_sums(const pv__bits *bits);
pv_mass_data pv__mask_mass_of(const pv__sums *sums);
/// Adds the sums of pixels at a place to all, or subtracts them; sign is 1 or -1.
void pv__bits_sums_add(pv__sums *all, const pv__sums *o, pv_point at, int64_t sign);
/// Returns a digest of a mask's pixels, never 0.
uint64_t pv__bits_digest(const pv__bits *bits);

/// Names of the parameters or fields of a picture in memory
typedef struct pv__rows_names {
    const char *data, *width, *height, *pitch;
} pv__rows_names;
static const pv__rows_names pv__rgba_rows = {"rgba", "width", "height", "pitch"},
                            pv__image_rows = {"image.pixels", "image.width", "image.height",
                                              "image.width"};

/// Checks that data can hold w x h pixels in rows of row_bytes bytes.
bool pv__check_rows(pv_error *e, const pv__rows_names *names, const void *data, int w, int h,
                    ptrdiff_t pitch, int64_t row_bytes);

/// Creates an empty mask of a valid size.
pv_mask *pv__mask_make(pv_error *e, int w, int h, const pv_allocator *allocator);
/// Does the same, and checks the parameters "width" and "height".
pv_mask *pv__mask_make_sized(pv_error *e, int width, int height, const pv_allocator *allocator);
/// Creates a copy of a mask.
pv_mask *pv__mask_double(pv_error *e, const pv_mask *mask);
/// Checks the parameter "options". The caller checks the ranges of the limits where they matter.
bool pv__mask_check_options(pv_error *e, const pv_mask_options *options);

#endif
