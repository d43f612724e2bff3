/* polygon_piece.h - convex pieces of polygons in a round, and what polygons do to discs, particles
 * and sprites.
 *
 * Invariant: a piece's edges that are not of the polygon's boundary part it from others, but push
 * nobody, unless it has no other.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_PIECE_H
#define PV_POLYGON_POLYGON_PIECE_H

#include "core/impulse.h"
#include "matter/matter_contact.h"
#include "polygon/polygon_scratch.h"
#include "shape/convex.h"

/// A convex piece of a polygon.
typedef struct pv__piece {
    int polygon, count;
    /// Particles, clockwise
    int corners[PV__POLY_CORNERS];
    pv_vec2 now[PV__POLY_CORNERS], way[PV__POLY_CORNERS];
    /// Whether the edge from a corner on is of the polygon itself
    bool boundary[PV__POLY_CORNERS];
    int boundaries;
    /// It is all of its polygon
    bool alone;
    pv_vec2 first[PV__POLY_CORNERS],
        /// Else, normals of the polygon's edges at a corner
        last[PV__POLY_CORNERS];
} pv__piece;

/// An edge of a piece by which something may leave it.
typedef struct pv__piece_axis {
    /// Corner: of another piece, the one farthest in
    int edge, corner;
    pv_vec2 normal;
    double gap, merit;
} pv__piece_axis;

static inline int pv__polygon_after_corner(const pv__piece *p, int i) {
    return i + 1 < p->count ? i + 1 : 0;
}
static inline int pv__polygon_before_corner(const pv__piece *p, int i) {
    return i > 0 ? i - 1 : p->count - 1;
}

static inline pv_vec2 pv__polygon_edge_normal(const pv__piece *p, int edge) {
    return pv__convex_normal(p->now[edge], p->now[pv__polygon_after_corner(p, edge)]);
}

/// A corner presses against what is off the normals of its own edges by no more than this sine.
#define PV__CONE 0.1

/// Tells whether a corner can press in a direction: between the outward normals of the edges before
/// and after it.
static inline bool pv__polygon_in_cone(pv_vec2 first, pv_vec2 last, pv_vec2 n) {
    return pv__cross(first, n) >= -PV__CONE && pv__cross(n, last) >= -PV__CONE &&
           pv__dot(n, pv__add(first, last)) > 0;
}

/// Tells whether an edge may push: one of the boundary, or any where there is none.
static inline bool pv__polygon_may_push(const pv__piece *p, int edge) {
    return p->boundary[edge] || p->boundaries == 0;
}

/// Returns how good an edge is to leave by: of what came in in this substep the time at which it
/// did, 0...1; else how far it was outside, which is less than 0 [px].
static inline double pv__polygon_merit(double then, double now) {
    return then > 0 ? then / (then - now) : then;
}

static inline pv__flank pv__polygon_edge_of(const pv__piece *p, int edge) {
    return pv__matter_contact_of_edge(p->corners[edge],
                                      p->corners[pv__polygon_after_corner(p, edge)], p->polygon);
}

/* polygon_disc.c */
/// Fills a piece from its place in the polygon's list, and returns the place of the next one.
const int *pv__polygon_read_piece(const pv_world *world, int polygon, const int *from,
                                  pv__piece *p);
/// Restitution and friction of a polygon and what it touches.
void pv__polygon_mix_touch(const pv_world *world, pv__touch *t, const pv__polygon *q,
                           double restitution, double holds, double slides);
/// Two polygons of which one has discs in place of edges; a polygon and a particle; and all that is
/// listed of one and a body.
void pv__polygon_meet_discs(pv_world *world, int a, int b);
void pv__polygon_meet_particle(pv_world *world, int polygon, int particle);
void pv__polygon_meet_body(pv_world *world, pv__meet *meets, int count, int round);

#endif
