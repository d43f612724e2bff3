/* contour.h - the interface of contour.c: a contour with sub-pixel detail from a mask's pixel
 * edges.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "shape/shape.h"

/// Fills the vertices, sides, disc and polygon of the shape from the mask. Returns false without
/// memory.
bool pv__contour_make(pv__shape *shape, const pv_mask *mask);
