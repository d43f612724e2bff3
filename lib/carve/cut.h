/* cut.h - the interface of cut.c: which pixels of a picture a cut takes, or brings.
 *
 * Invariant: as in cut.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CARVE_CUT_H
#define PV_CARVE_CUT_H

#include "pixel/bits.h"
#include "pixel/material_map.h"

/// Extent of a cut: the place of its mask in the picture, the box around its pixels there, their
/// number, and the sums of their coordinates.
typedef struct pv__cut_out {
    pv_rect rect, box;
    int64_t count, x, y;
} pv__cut_out;
/// PV_OK, or what is wrong with a cut.
pv_status pv__cut_check(const pv_cut *cut);
/// Chips reach no less far [px].
#define PV__LEAST_CHIP 2.0
/// The pixels of a mask's picture that a good cut changes; null when there are none, and without
/// memory.
/// @param blow of a chip, which is a circle: how many times the toughness of the softest its
/// impulse is. A pixel at a distance d goes when that exceeds its own toughness times 1 + d^2 /
/// PV__LEAST_CHIP^2, or times 1 within that reach. 0: it is none, and the cut's strength counts
pv_mask *pv__cut_pixels(const pv_cut *cut, double blow, const pv_transform *picture,
                        const pv_mask *of, const pv__material_view *makeup, pv__cut_out *out,
                        pv_status *status);

#endif
