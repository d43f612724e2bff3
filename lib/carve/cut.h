/* cut.h - the interface of cut.c: finds the pixels of a picture that a cut removes or adds.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CARVE_CUT_H
#define PV_CARVE_CUT_H

#include "base/error.h"
#include "pixel/bits.h"
#include "pixel/material_map.h"

/// Extent of a cut in the picture: its mask's rectangle, and the box and number of its pixels
typedef struct pv__cut_out {
    pv_rect rect, box;
    int64_t count;
} pv__cut_out;
/// Checks a cut.
bool pv__cut_check(pv_error *e, const pv_cut *cut);
/// Returns the box around a valid cut [px], in the coordinates of the cut.
pv_box pv__cut_box(const pv_cut *cut);
/// Least radius of a chip [px].
#define PV__LEAST_CHIP 2.0
/// Creates a mask of the pixels that a valid cut changes. Returns null for none and without memory.
/// @param blow impulse of a circular chip as a multiple of the softest pixel's toughness. The chip
/// removes a pixel at distance d if blow exceeds the pixel's toughness * (1 + d^2 /
/// PV__LEAST_CHIP^2), or within that radius just its toughness. 0: the cut's max_hardness decides
pv_mask *pv__cut_pixels(const pv_cut *cut, double blow, const pv_transform *picture,
                        const pv_mask *of, const pv__material_view *materials, pv__cut_out *out,
                        pv_error *error);

#endif
