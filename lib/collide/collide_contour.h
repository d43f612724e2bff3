/* collide_contour.h - the interface of collide_contour.c: manifolds out of contours and distance
 * fields.
 *
 * Invariant: as in collide_contour.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_COLLIDE_CONTOUR_H
#define PV_COLLIDE_COLLIDE_CONTOUR_H

#include "core/world.h"

/// Makes a manifold anew. Until that is done again its points move by motion at most [px], and so
/// much time goes by [s].
void pv__collide_manifold(pv_world *world, pv__manifold *m, double motion, double ahead);

#endif
