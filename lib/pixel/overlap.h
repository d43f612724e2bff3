/* overlap.h - the interface of overlap.c: the overlap of two bitmaps at an offset, and its shape.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_OVERLAP_H
#define PV_PIXEL_OVERLAP_H

#include "pixel/bits.h"

/* Offsets put b's pixel (0, 0) on a's pixel (dx, dy). */
bool pv__bits_hit(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy);
int64_t pv__bits_area(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy);
bool pv__bits_overlap(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                      pv_overlap *overlap);
bool pv__bits_gradient(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, int radius,
                       pv_vec2 *normal);
/// Adds the slope of the shared area over the offset, as in pv__bits_gradient().
void pv__bits_slope(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, int radius,
                    int64_t slope[2]);

/// Shared pixels of two bitmaps as a strip. The mean is in a's coordinates, and the axis may point
/// either way. Variances are along and across the axis [px^2], and ends are distances from the mean
/// along the axis [px].
typedef struct pv__patch {
    pv_vec2 mean, axis;
    double along, across, low, high;
} pv__patch;
bool pv__bits_patch(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, pv__patch *patch);

#endif
