/* contour.h - the interface of contour.c: a contour with sub-pixel detail from a mask's pixel
 * edges.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SHAPE_CONTOUR_H
#define PV_SHAPE_CONTOUR_H

#include "shape/shape.h"

/// Fills the vertices, sides, disc and polygon of the shape from the mask. Returns false without
/// memory.
bool pv__contour_make(pv__shape *shape, const pv_mask *mask);

#endif
