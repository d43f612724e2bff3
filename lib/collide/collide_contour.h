/* collide_contour.h - the interface of collide_contour.c: manifolds from contours and distance
 * fields.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_COLLIDE_CONTOUR_H
#define PV_COLLIDE_COLLIDE_CONTOUR_H

#include "core/world.h"

/// Empties the manifold of a pair if bounds show that its gap exceeds near [px], or for contours
/// the reach of their search. Returns whether they do.
bool pv__collide_apart(const pv_world *world, pv__manifold *m, double near);
/// Finds a manifold anew. Until the next update, its points move by at most motion [px] in the time
/// ahead [s]. A pair with a gap above near [px] gets no points.
void pv__collide_manifold(pv_world *world, pv__manifold *m, double motion, double ahead,
                          double near);

#endif
