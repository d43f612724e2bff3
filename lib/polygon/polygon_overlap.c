/* polygon_overlap.c - the overlap of two polygons, for callers outside of the step.
 *
 * Invariant: it reads only current positions. Two convex pieces overlap if the normal of no edge
 * separates them; the least overlap of all edges of the outlines is their depth (Bitterli).
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/handle.h"
#include "polygon/polygon_piece.h"

/// Describes the overlap along an edge of p, whose normal points to q.
static pv_polygon_overlap overlap_told(const pv_world *world, const pv__piece *p,
                                       const pv__piece *q, const pv__piece_axis *x) {
    return (pv_polygon_overlap){
        .depth = -x->gap,
        .normal = x->normal,
        .edge = {pv__handle_of_particle(world, p->corners[x->edge]),
                 pv__handle_of_particle(world, p->corners[pv__polygon_after_corner(p, x->edge)])},
        .corner = pv__handle_of_particle(world, q->corners[x->corner]),
    };
}

/// Computes the overlap of two pieces; returns false without one.
static bool of_pieces(const pv_world *world, const pv__piece *p, const pv__piece *q,
                      pv_polygon_overlap *overlap) {
    pv__piece_axis x, y;
    if (!pv__polygon_find_axis(p, q, true, &x) || !pv__polygon_find_axis(q, p, true, &y))
        return false;
    if (x.edge < 0 && y.edge < 0) return false;
    if (x.merit >= y.merit) {
        *overlap = overlap_told(world, p, q, &x);
    } else {
        *overlap = overlap_told(world, q, p, &y);
        overlap->normal = pv__mul(-1, overlap->normal);
    }
    return true;
}

bool pv_polygon_compute_overlap(const pv_world *world, pv_body_id a, pv_body_id b,
                                pv_polygon_overlap *overlap) {
    pv_polygon_overlap deepest = {0};
    const pv__polygon *p = pv__polygon_find(world, a), *q = pv__polygon_find(world, b);
    if (overlap) *overlap = deepest;
    if (!p || !q || p == q) return false;
    int index_a = (int)(p - world->matter.polygons), index_b = (int)(q - world->matter.polygons);
    const int *from = p->pieces;
    for (int i = 0; i < p->piece_count; i++) {
        pv__piece mine, theirs;
        from = pv__polygon_read_piece(world, index_a, from, &mine);
        const int *next = q->pieces;
        for (int k = 0; k < q->piece_count; k++) {
            pv_polygon_overlap found;
            next = pv__polygon_read_piece(world, index_b, next, &theirs);
            if (of_pieces(world, &mine, &theirs, &found) && found.depth > deepest.depth)
                deepest = found;
        }
    }
    if (overlap) *overlap = deepest;
    return deepest.depth > 0;
}
