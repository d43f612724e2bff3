/* contour_update.h - the interface of contour_update.c: updates a contour near changed pixels, and
 * compacts it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SHAPE_CONTOUR_UPDATE_H
#define PV_SHAPE_CONTOUR_UPDATE_H

#include "shape/shape.h"

/// Pixels of a shape after a change, and the changed pixels at their place. Every pixel of gone was
/// the opposite before.
typedef struct pv__change {
    const pv__bits *now, *gone;
    pv_point at;
} pv__change;
/// Updates the contour and the field near changed pixels. All other data stays the same to the bit.
/// @return PV_ERROR_MEMORY with nothing changed; PV_ERROR_FORMAT where the shape has to be made
/// again
pv_status pv__contour_update(pv__shape *shape, const pv__change *change);

/// Compacts vertices, sides, blocks and trees after changes have left too many gaps. Without memory
/// the next call tries again.
void pv__contour_compact(pv__shape *shape);

#endif
