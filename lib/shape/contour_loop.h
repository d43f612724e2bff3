/* contour_loop.h - the loops of contours before they become vertices.
 *
 * Invariant: a loop is closed, and the solid side is on the right of its direction.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SHAPE_CONTOUR_LOOP_H
#define PV_SHAPE_CONTOUR_LOOP_H

#include "shape/shape.h"

typedef enum pv__spot_kind {
    /// Spot that smoothing may move and decimation may drop
    PV__SPOT_FREE = 0,
    /// Corner of the drawing
    PV__SPOT_CORNER,
    /// End of a straight side
    PV__SPOT_END
} pv__spot_kind;

typedef struct pv__spot {
    /// Position [px]
    pv_vec2 at;
    pv__spot_kind kind;
    /// Index of the pixel-edge middle at the spot or right after it
    int place;
} pv__spot;

/// Result of a fit to pixel edges: a loop, or a piece between two vertices that are kept.
typedef struct pv__fitted {
    pv__spot *spots;
    /// Middles of the pixel edges, in order [px]
    pv_vec2 *middles;
    int count, spot_room, middle_count, middle_room;
    pv_vec2 center;
    /// Radius of the circle that the loop lies on, negative for a hole, 0 for no circle [px]
    double radius;
    /// Vertices at the ends of a piece; from is -1 for a loop
    int from, to;
} pv__fitted;

/// Returns the direction of a vector, or (1, 0) for a vector without length.
static inline pv_vec2 pv__unit(pv_vec2 v) {
    double length = pv__length(v);
    return length > 0 ? pv__vec(v.x / length, v.y / length) : pv__vec(1, 0);
}

/* contour.c */
/// Fits a loop of pixel corners. A rectangle becomes four spots without middles. Returns false
/// without memory.
bool pv__contour_fit_loop(const pv_allocator *allocator, const pv_contour *c, pv__fitted *out);
/// Fits the new edges first...end - 1 of a trail of count unit pixel edges, given by their corners.
/// The edges around them help to detect corners. Joints are the vertex before, the points where the
/// old contour stops and resumes, and the vertex after. Returns false without memory.
bool pv__contour_fit_piece(const pv_allocator *allocator, const pv_point *trail, int count,
                           int first, int end, const pv_vec2 joints[4], pv__fitted *out);
void pv__contour_fitted_free(const pv_allocator *allocator, pv__fitted *fitted);
/// Fills the vertices, sides, disc and polygon of the shape from the mask. Returns false without
/// memory.
bool pv__contour_make(pv__shape *shape, const pv_mask *mask);

/* contour_loop.c */
/// Smooths n spots. The array begin is scratch for n spots. Returns false without memory.
bool pv__contour_smooth(const pv_allocator *allocator, pv__spot *spots, pv__spot *begin, int n);
/// Adds the vertices and straight sides of a loop or piece, and links a piece to the vertices that
/// are kept. Returns false without memory.
bool pv__contour_loop_put(pv__shape *shape, const pv__fitted *fitted);
/// Returns the greatest number of vertices that pv__contour_loop_put() adds.
int pv__contour_loop_most(const pv__fitted *fitted);
/// Classifies the whole shape as disc, convex polygon or neither, given its number of loops.
void pv__contour_loops_end(pv__shape *shape, int loops);

/// Adds the contour of a circle, or of a box, from its upper left corner on. An empty circle or box
/// adds nothing. Returns false without memory.
bool pv__contour_circle(pv__shape *shape, pv_vec2 center, double radius);
bool pv__contour_box(pv__shape *shape, pv_rect rect);

#endif
