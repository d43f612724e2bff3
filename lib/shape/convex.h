/* convex.h - checks outlines and cuts them into convex pieces.
 *
 * Invariant: no function knows a world or allocates memory. An outline with positive area runs
 * clockwise on the screen, with its inside on the right of each edge.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SHAPE_CONVEX_H
#define PV_SHAPE_CONVEX_H

#include "base/math.h"

/// Greatest number of corners of an outline.
#define PV__POLY_CORNERS 64
/// Greatest length of the list of pieces: all triangles, each with its count and corners.
#define PV__POLY_ROOM (4 * (PV__POLY_CORNERS - 2))

/// Returns the outward unit normal of an edge, or (0, 0) for an edge without length.
static inline pv_vec2 pv__convex_normal(pv_vec2 from, pv_vec2 to) {
    double x = to.x - from.x, y = to.y - from.y, squared = x * x + y * y;
    double k = squared > 0 ? 1 / sqrt(squared) : 0;
    return pv__vec(k * y, -k * x);
}

/// Returns twice the area of a triangle, positive for a clockwise one [px^2].
static inline double pv__convex_turn(pv_vec2 a, pv_vec2 b, pv_vec2 c) {
    return pv__cross(pv__sub(b, a), pv__sub(c, a));
}

/* convex.c */
/// Checks an outline. Errors are too few or too many points, coinciding points, an outline that
/// touches itself, and no area.
pv_status pv__convex_check(const pv_vec2 *points, int count);
/// Returns the area of an outline, positive for a clockwise one [px^2].
double pv__convex_area(const pv_vec2 *points, int count);
/// Cuts a clockwise outline that passed pv__convex_check() into convex pieces that share its
/// corners.
/// @param pieces gets up to PV__POLY_ROOM numbers: the corner count of each piece, then its
/// corners, clockwise
/// @param room gets the number of ints in pieces
/// @return number of pieces
int pv__convex_cut(const pv_vec2 *points, int count, int *pieces, int *room);
/// Computes each corner's share of the area; the shares add up to 1. The mean of the corners,
/// weighted by their shares, is the center of the area.
void pv__convex_shares(const pv_vec2 *points, int count, const int *pieces, int piece_count,
                       double *shares);
/// Tells whether a point is inside.
bool pv__convex_holds(const pv_vec2 *points, int count, pv_vec2 point);

#endif
