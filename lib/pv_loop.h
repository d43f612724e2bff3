/* pv_loop.h - the loops that contours are made of, before they are vertices.
 *
 * Invariant: a loop is closed, and walking along it the solid side is at the right.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_LOOP_H
#define PV_LOOP_H

#include "pv_geom.h"

typedef enum pv__spot_kind {
    PV__SPOT_FREE = 0, ///< may be smoothed and left out
    PV__SPOT_CORNER,   ///< a corner of the drawing
    PV__SPOT_END       ///< the end of a straight side
} pv__spot_kind;

typedef struct pv__spot {
    pv_vec2 at; ///< [px]
    pv__spot_kind kind;
} pv__spot;

/// The direction of a vector; (1, 0) for none.
static inline pv_vec2 pv__unit(pv_vec2 v) {
    double length = pv__length(v);
    return length > 0 ? pv__vec(v.x / length, v.y / length) : pv__vec(1, 0);
}

/* pv_smooth.c */
enum { PV__SMOOTH_DEGREE = 12 };
/// Chebyshev coefficients of a pass of smoothing.
void pv__smooth_gains(double gains[PV__SMOOTH_DEGREE + 1]);
/// Smooths n spots; begin is room for as many. False without memory.
bool pv__smooth(const pv_allocator *allocator, const double *gains, pv__spot *spots, pv__spot *begin, int n);

/* pv_loop.c; what adds to a shape is false without memory */
/// Adds the vertices and straight sides of a loop of n spots.
bool pv__loop_put(pv__shape *shape, const pv__spot *spots, int n);
/// The same of a loop on a circle [px]; its radius is negative for a hole.
bool pv__loop_put_circle(pv__shape *shape, const pv__spot *spots, int n, pv_vec2 centre, double radius);
/// The same of a rectangle's corners.
bool pv__loop_put_rectangle(pv__shape *shape, const pv_point corners[4]);
/// Says what the whole is, given how many loops it has.
void pv__loops_end(pv__shape *shape, int loops);

#endif
