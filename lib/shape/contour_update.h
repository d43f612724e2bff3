/* contour_update.h - the interface of contour_update.c: makes a contour follow where a few of its
 * pixels were changed, and puts it in order.
 *
 * Invariant: as in contour_update.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SHAPE_CONTOUR_UPDATE_H
#define PV_SHAPE_CONTOUR_UPDATE_H

#include "shape/shape.h"

/// What is changed of a shape's pixels: those of gone, which lies at a place, were the other way
/// round.
typedef struct pv__change {
    const pv__bits *now, *gone;
    pv_point at;
} pv__change;
/// Makes the contour and the field follow, where pixels were changed; all else stays to the bit.
/// @return PV_ERROR_MEMORY with nothing changed; PV_ERROR_FORMAT where the shape has to be made
/// anew
pv_status pv__contour_update(pv__shape *shape, const pv__change *change);

/// Puts vertices, sides, blocks and trees in order again, when changes have left too many gaps.
/// Without memory that is left for the next time, and false.
bool pv__contour_compact(pv__shape *shape);

#endif
