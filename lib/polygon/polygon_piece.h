/* polygon_piece.h - convex pieces of polygons in a round, and contacts of polygons with discs,
 * particles and sprites.
 *
 * Invariant: inner edges of a piece can separate it from others. They push only if the piece has no
 * boundary edge.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_PIECE_H
#define PV_POLYGON_POLYGON_PIECE_H

#include "core/impulse.h"
#include "matter/matter_contact.h"
#include "polygon/polygon_scratch.h"
#include "shape/convex.h"

/// Convex piece of a polygon.
typedef struct pv__piece {
    int polygon, count;
    /// Particles, clockwise
    int corners[PV__POLY_CORNERS];
    pv_vec2 now[PV__POLY_CORNERS], way[PV__POLY_CORNERS];
    /// True for a corner whose next edge is an edge of the polygon
    bool boundary[PV__POLY_CORNERS];
    int boundaries;
    /// True if the piece is its whole polygon
    bool alone;
    /// Otherwise: normals of the polygon's edges before and after a corner
    pv_vec2 first[PV__POLY_CORNERS], last[PV__POLY_CORNERS];
} pv__piece;

/// Edge of a piece through which another object may leave it.
typedef struct pv__piece_axis {
    /// Edge, and the deepest corner of the other piece
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

/// Returns the corner of a piece that lies farthest against a direction.
static inline int pv__polygon_farthest_corner(const pv__piece *p, pv_vec2 n) {
    int best = 0;
    double least = pv__dot(n, p->now[0]);
    for (int i = 1; i < p->count; i++) {
        double d = pv__dot(n, p->now[i]);
        if (d < least) least = d, best = i;
    }
    return best;
}

/// Greatest sine of the angle between a contact normal and the cone of a corner's own edge normals
#define PV__CONE 0.1

/// Tells whether a corner can contact along a direction. The direction has to lie between the
/// outward normals of its edges, with the margin PV__CONE.
static inline bool pv__polygon_in_cone(pv_vec2 first, pv_vec2 last, pv_vec2 n) {
    return pv__cross(first, n) >= -PV__CONE && pv__cross(n, last) >= -PV__CONE &&
           pv__dot(n, pv__add(first, last)) > 0;
}

/// Tells whether an edge may push: a boundary edge, or any edge of a piece without one.
static inline bool pv__polygon_may_push(const pv__piece *p, int edge) {
    return p->boundary[edge] || p->boundaries == 0;
}

/// Least sine of the bend of a corner or vertex that is tested. Its edges cover a flatter one.
#define PV__BENT 0.002

/// Returns the rank of an edge to leave through. It is the time of entry in this substep, 0...1, or
/// the negative overlap before it [px]. An edge that was touched, and is approached faster than at
/// rest, ranks below those that bear the object. So nothing catches at the seam of flush edges.
static inline double pv__polygon_merit(double then, double now) {
    if (pv__abs(then) < PV_CONTACT_END_GAP && then - now > PV_REST_GAP) return -PV_CONTACT_END_GAP;
    return then > 0 ? then / (then - now) : then;
}

static inline pv__flank pv__polygon_edge_of(const pv__piece *p, int edge) {
    return pv__matter_contact_of_edge(p->corners[edge],
                                      p->corners[pv__polygon_after_corner(p, edge)], p->polygon);
}

/* polygon_contact.c */
/// Tries the normals of p's edges and finds the best axis to leave through. Returns false if one of
/// them separates the pieces. The axis has no edge if none can push.
/// @param still true for the least overlap of the outline alone, without regard to motion
bool pv__polygon_find_axis(const pv__piece *p, const pv__piece *q, bool still,
                           pv__piece_axis *best);

/* polygon_disc.c */
/// Fills a piece from its entry in the polygon's list. Returns the next entry.
const int *pv__polygon_read_piece(const pv_world *world, int polygon, const int *from,
                                  pv__piece *p);
/// Solves the contacts of two polygons, one of them with discs instead of edges. The next ones
/// solve a polygon and a particle, and a polygon and a body.
void pv__polygon_meet_discs(pv_world *world, int a, int b);
void pv__polygon_meet_particle(pv_world *world, int polygon, int particle);
void pv__polygon_meet_body(pv_world *world, pv__meet *meet);

#endif
