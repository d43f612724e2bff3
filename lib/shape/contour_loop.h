/* contour_loop.h - the loops that contours are made of, before they are vertices.
 *
 * Invariant: a loop is closed, and walking along it the solid side is at the right.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SHAPE_CONTOUR_LOOP_H
#define PV_SHAPE_CONTOUR_LOOP_H

#include "shape/shape.h"

typedef enum pv__spot_kind {
    /// May be smoothed and left out
    PV__SPOT_FREE = 0,
    /// A corner of the drawing
    PV__SPOT_CORNER,
    /// The end of a straight side
    PV__SPOT_END
} pv__spot_kind;

typedef struct pv__spot {
    /// [px]
    pv_vec2 at;
    pv__spot_kind kind;
    /// The middle of a pixel edge that it lies at, or right before
    int place;
} pv__spot;

/// What pixel edges have become: a loop, or a piece of one between two vertices that stand.
typedef struct pv__fitted {
    pv__spot *spots;
    /// Of the pixel edges, in order [px]
    pv_vec2 *middles;
    int count, spot_room, middle_count, middle_room;
    pv_vec2 center;
    /// When it is not 0, it lies on a circle; < 0: a hole
    double radius;
    /// Vertices of a piece; of a loop -1
    int from, to;
} pv__fitted;

/// The direction of a vector; (1, 0) for none.
static inline pv_vec2 pv__unit(pv_vec2 v) {
    double length = pv__length(v);
    return length > 0 ? pv__vec(v.x / length, v.y / length) : pv__vec(1, 0);
}

/* contour_loop.c */
enum { PV__SMOOTH_DEGREE = 12 };
/// Chebyshev coefficients of a pass of smoothing.
void pv__contour_smooth_gains(double gains[PV__SMOOTH_DEGREE + 1]);
/// Smooths n spots; begin is room for as many. False without memory.
bool pv__contour_smooth(const pv_allocator *allocator, const double *gains, pv__spot *spots,
                        pv__spot *begin, int n);

/* contour.c */
/// A loop of pixel corners; a rectangle's becomes four spots without middles. False without memory.
bool pv__contour_fit_loop(const pv_allocator *allocator, const double *gains, const pv_contour *c,
                          pv__fitted *out);
/// A trail of count single pixel edges by their corners, of which first...end - 1 are new; what is
/// around tells of corners. Joints: the vertex before, where the old contour ends, where it goes
/// on, the vertex after. False without memory.
bool pv__contour_fit_piece(const pv_allocator *allocator, const double *gains,
                           const pv_point *trail, int count, int first, int end,
                           const pv_vec2 joints[4], pv__fitted *out);
void pv__contour_fitted_free(const pv_allocator *allocator, pv__fitted *fitted);

/* contour_loop.c */
/// Adds the vertices and straight sides of a loop, or of a piece, which it links to what stands;
/// false without memory.
bool pv__contour_loop_put(pv__shape *shape, const pv__fitted *fitted);
/// Returns how many vertices it adds at most.
int pv__contour_loop_most(const pv__fitted *fitted);
/// Says what the whole is, given how many loops it has.
void pv__contour_loops_end(pv__shape *shape, int loops);

/// The same of a circle, and of a box with its corner of smallest coordinates first; nothing for an
/// empty one.
bool pv__contour_circle(pv__shape *shape, pv_vec2 center, double radius);
bool pv__contour_box(pv__shape *shape, pv_rect rect);

#endif
