/* collide_contour.h - the interface of collide_contour.c: manifolds from contours and distance
 * fields.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_COLLIDE_CONTOUR_H
#define PV_COLLIDE_COLLIDE_CONTOUR_H

#include "core/world.h"

/// Notes that a pair is farther apart than near [px], or than the search of contours reaches, if bounds
/// of its gap tell so. Returns whether they do; the manifold has no points then.
bool pv__collide_apart(const pv_world *world, pv__manifold *m, double near);
/// Finds a manifold anew. Until the next update its points move by motion at most [px], in the time
/// ahead [s]. A pair with a gap over near gets no points [px].
void pv__collide_manifold(pv_world *world, pv__manifold *m, double motion, double ahead,
                          double near);

#endif
