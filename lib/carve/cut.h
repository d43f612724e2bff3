/* cut.h - the interface of cut.c: finds the pixels of a picture that a cut removes or adds.
 *
 * Invariant: holds as in cut.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CARVE_CUT_H
#define PV_CARVE_CUT_H

#include "pixel/bits.h"
#include "pixel/material_map.h"

/// Extent of a cut: the place of its mask in the picture, the box of its pixels there, their
/// number, and the sums of their coordinates.
typedef struct pv__cut_out {
    pv_rect rect, box;
    int64_t count, x, y;
} pv__cut_out;
/// Returns PV_OK, or the error of a cut.
pv_status pv__cut_check(const pv_cut *cut);
/// Least radius of a chip [px].
#define PV__LEAST_CHIP 2.0
/// Creates a mask of the pixels that a valid cut changes; null without any, and without memory.
/// @param blow impulse of a circular chip as a multiple of the softest pixel's toughness, 0 for
/// other cuts. A pixel at a distance d goes if blow exceeds its toughness times 1 + d^2 /
/// PV__LEAST_CHIP^2, or times 1 within that radius. With 0 the cut's own max_hardness decides
pv_mask *pv__cut_pixels(const pv_cut *cut, double blow, const pv_transform *picture,
                        const pv_mask *of, const pv__material_view *makeup, pv__cut_out *out,
                        pv_status *status);

#endif
