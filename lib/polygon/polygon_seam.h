/* polygon_seam.h - the interface of polygon_seam.c: immovable polygons that are flush form one
 * surface.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_SEAM_H
#define PV_POLYGON_POLYGON_SEAM_H

#include "polygon/polygon_scratch.h"

/// Tells whether all corners of a polygon are pinned.
bool pv__polygon_is_immovable(const pv_world *world, const pv__polygon *polygon);
/// Adds the seams of two immovable polygons to the step's list. Returns false without memory.
bool pv__polygon_add_seams(pv_world *world, int a, int b);
/// Notes that filters or presolve let a pair pass, so that its polygon covers no other for the body
/// or the particle. Returns false without memory.
bool pv__polygon_note_apart(pv_world *world, const pv__meet *meet);
/// Sorts the seams of the step, and opens them where the surface bends inward.
void pv__polygon_finish_seams(pv_world *world);
/// Tells whether a seam covers the edge of a polygon from a particle to another, at its place next
/// to a point.
/// @param visitor index of the body that touches, or minus that of the particle
bool pv__polygon_is_covered(const pv_world *world, int polygon, int from, int to, pv_vec2 point,
                            int visitor);
/// Tells whether the surface bends outward at a corner of a polygon, around a direction out of it.
/// Always true for a corner without seams.
bool pv__polygon_sticks_out(const pv_world *world, int polygon, int particle, pv_vec2 direction,
                            int visitor);

#endif
