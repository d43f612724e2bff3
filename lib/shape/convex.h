/* convex.h - outlines: whether one will do, and how it falls into convex pieces.
 *
 * Invariant: knows no world and takes no memory. An outline turns clockwise on the screen when its
 * area is positive; the inside is then at the right of each edge.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SHAPE_CONVEX_H
#define PV_SHAPE_CONVEX_H

#include "base/math.h"

/// An outline has no more corners than this.
#define PV__POLY_CORNERS 64
/// Room for all pieces of an outline: triangles, each with its count.
#define PV__POLY_ROOM (4 * (PV__POLY_CORNERS - 2))

/// Outward normal of an edge, of length 1; (0, 0) where it has no length.
static inline pv_vec2 pv__convex_normal(pv_vec2 from, pv_vec2 to) {
    double x = to.x - from.x, y = to.y - from.y, squared = x * x + y * y;
    double k = squared > 0 ? 1 / sqrt(squared) : 0;
    return pv__vec(k * y, -k * x);
}

/// Twice the area of a triangle, positive when it turns clockwise.
static inline double pv__convex_turn(pv_vec2 a, pv_vec2 b, pv_vec2 c) {
    return pv__cross(pv__sub(b, a), pv__sub(c, a));
}

/* convex.c */
/// PV_OK, or what is wrong: too few or too many points, some that coincide, an outline that touches
/// itself, no area.
pv_status pv__convex_check(const pv_vec2 *points, int count);
/// Positive when it turns clockwise [px^2].
double pv__convex_area(const pv_vec2 *points, int count);
/// Tells whether no corner of a clockwise outline turns inward.
bool pv__convex_is_convex(const pv_vec2 *points, int count);
/// Cuts a clockwise outline that passed pv__convex_check() into convex pieces that share its
/// corners.
/// @param pieces gets up to PV__POLY_ROOM numbers: of each piece how many corners it has, then
/// which, clockwise
/// @param room how many numbers that were
/// @return how many pieces
int pv__convex_cut(const pv_vec2 *points, int count, int *pieces, int *room);
/// How much of the area each corner answers for, in all 1: the corners so weighted have the center
/// of the area.
void pv__convex_shares(const pv_vec2 *points, int count, const int *pieces, int piece_count,
                       double *shares);
/// Tells whether a point is inside.
bool pv__convex_holds(const pv_vec2 *points, int count, pv_vec2 point);

#endif
