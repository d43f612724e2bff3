/* contour_update.h - the interface of contour_update.c: updates a contour near changed pixels, and
 * compacts it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SHAPE_CONTOUR_UPDATE_H
#define PV_SHAPE_CONTOUR_UPDATE_H

#include "shape/shape.h"

/// Pixels of a shape after a change (now), and the changed pixels (gone) and their place (at).
/// Every pixel of gone was the opposite before.
typedef struct pv__change {
    const pv__bits *now, *gone;
    pv_point at;
} pv__change;
/// Updates the contour and the field near changed pixels. All other data stays bit-identical.
/// @return PV_ERROR_MEMORY with nothing changed; PV_ERROR_FORMAT if the shape has to be made anew
pv_status pv__contour_update(pv__shape *shape, const pv__change *change);

/// Compacts vertices, sides, blocks and trees once changes have left too many gaps. If memory runs
/// out, the next call tries again.
void pv__contour_compact(pv__shape *shape);

#endif
