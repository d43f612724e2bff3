/* polygon_contact.c - finds and solves overlaps of polygons with each other, particles and sprites.
 *
 * Invariant: the axis of least overlap of two convex pieces is among the normals of all edges
 * (Bitterli). Only boundary edges push, against a corner of the other piece, and flush faces
 * contact at both ends (Kenwright). Overlaps are ranked by depth at the substep's start or by time
 * of entry, so fast pieces leave where they entered.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "polygon/polygon_contact.h"
#include "core/pose.h"
#include "polygon/polygon_events.h"
#include "polygon/polygon_piece.h"
#include "polygon/polygon_presolve.h"

/// Least cosine between a face's normal and the opposite of another's for flush faces
static const double FLUSH = 0.985;

/* ---- the axis of least overlap ---- */

/// Tells whether an edge may push a corner out. A corner where pieces join is not always one of the
/// polygon's outline.
static bool may_press(const pv__piece *p, int edge, const pv__piece *q, int corner, pv_vec2 n) {
    return pv__polygon_may_push(p, edge) &&
           (q->alone || pv__polygon_in_cone(q->first[corner], q->last[corner], pv__mul(-1, n)));
}

bool pv__polygon_find_axis(const pv__piece *p, const pv__piece *q, bool still,
                           pv__piece_axis *best) {
    *best = (pv__piece_axis){.edge = -1, .merit = -PV__BOUNDLESS};
    for (int i = 0; i < p->count; i++) {
        pv_vec2 n = pv__polygon_edge_normal(p, i);
        int k = pv__polygon_farthest_corner(q, n), j = pv__polygon_after_corner(p, i);
        double gap = pv__dot(n, pv__sub(q->now[k], p->now[i]));
        if (gap >= 0) return false;
        if (still ? !p->boundary[i] : !may_press(p, i, q, k, n)) continue;
        pv_vec2 way = pv__sub(q->way[k], pv__lerp(p->way[i], p->way[j], 0.5));
        double merit = still ? gap : pv__polygon_merit(gap - pv__dot(n, way), gap);
        if (merit > best->merit) *best = (pv__piece_axis){i, k, n, gap, merit};
    }
    return true;
}

/* ---- piece against piece ---- */

/// Returns the contact of a corner of q with an edge of p, along a normal from p to q.
static pv__touch contact_of(const pv__piece *p, int edge, const pv__piece *q, int corner,
                            pv_vec2 normal) {
    return (pv__touch){
        .a = pv__polygon_edge_of(p, edge),
        .b = pv__matter_contact_of_particle(q->corners[corner], q->polygon),
        .normal = normal,
        .point = q->now[corner],
        .way = q->way[corner],
        .gap = pv__dot(pv__polygon_edge_normal(p, edge), pv__sub(q->now[corner], p->now[edge])),
    };
}

/// Returns the edge of q at a corner that is flush with an axis, or -1.
static int flush_edge(const pv__piece *q, const pv__piece_axis *x) {
    int edges[2] = {pv__polygon_before_corner(q, x->corner), x->corner}, best = -1;
    double most = FLUSH;
    for (int i = 0; i < 2; i++) {
        double against = -pv__dot(x->normal, pv__polygon_edge_normal(q, edges[i]));
        if (against > most && q->boundary[edges[i]]) most = against, best = edges[i];
    }
    return best;
}

/// Finds both ends of the common part of two flush edges; q's edge runs against p's. Returns false
/// without a common part.
static bool find_ends(const pv__piece *p, const pv__piece *q, const pv__piece_axis *x, int edge,
                      pv__touch ends[2]) {
    int start = x->edge, end = pv__polygon_after_corner(p, start);
    int first = pv__polygon_after_corner(q, edge), last = edge;
    pv_vec2 from = p->now[start], along = pv__sub(p->now[end], from), back = pv__mul(-1, x->normal);
    double length = pv__dot(along, along), low = pv__dot(along, pv__sub(q->now[first], from)),
           high = pv__dot(along, pv__sub(q->now[last], from));
    if (low >= length || high <= 0) return false;
    ends[0] =
        low >= 0 ? contact_of(p, start, q, first, x->normal) : contact_of(q, edge, p, start, back);
    ends[1] = high <= length ? contact_of(p, start, q, last, x->normal)
                             : contact_of(q, edge, p, end, back);
    return true;
}

/// Solves the contacts of two pieces that overlap.
static void part_pieces(pv_world *world, const pv__piece *p, const pv__piece *q,
                        const pv__piece_axis *x) {
    const pv__polygon *a = &world->matter.polygons[p->polygon],
                      *b = &world->matter.polygons[q->polygon];
    pv__touch ends[2];
    int edge = flush_edge(q, x), count = 0;
    bool both = edge >= 0 && find_ends(p, q, x, edge, ends);
    if (!both) ends[0] = contact_of(p, x->edge, q, x->corner, x->normal);
    for (int i = 0; i <= both; i++) {
        if (ends[i].gap >= 0) continue;
        ends[count] = ends[i];
        ends[count++].material = pv__impulse_mix_materials(world, &a->material, &b->material);
    }
    pv__polygon_solve(world, ends, count);
}

/// Solves the overlap of two pieces. Tells whether they overlapped.
static bool meet_pieces(pv_world *world, const pv__piece *p, const pv__piece *q) {
    pv__piece_axis x, y;
    if (!pv__polygon_find_axis(p, q, false, &x) || !pv__polygon_find_axis(q, p, false, &y))
        return false;
    if (x.edge < 0 && y.edge < 0) return false;
    if (x.merit + PV_REST_GAP >= y.merit)
        part_pieces(world, p, q, &x);
    else
        part_pieces(world, q, p, &y);
    return true;
}

static pv_box box_of_piece(const pv__piece *p) {
    pv_box box = {p->now[0], p->now[0]};
    for (int i = 1; i < p->count; i++) pv__enclose(&box, p->now[i]);
    return box;
}

/// Solves the overlaps of a piece with all pieces of another polygon.
static void meet_outline(pv_world *world, int polygon, const int *from, int other) {
    const pv__polygon *q = &world->matter.polygons[other];
    const int *next = q->pieces;
    pv__piece mine, theirs;
    pv__polygon_read_piece(world, polygon, from, &mine);
    pv_box box = box_of_piece(&mine);
    if (!pv__boxes_meet(&box, &q->box)) return;
    for (int i = 0; i < q->piece_count; i++) {
        next = pv__polygon_read_piece(world, other, next, &theirs);
        pv_box other_box = box_of_piece(&theirs);
        if (!pv__boxes_meet(&box, &other_box)) continue;
        if (meet_pieces(world, &mine, &theirs)) pv__polygon_read_piece(world, polygon, from, &mine);
    }
}

static void meet_outlines(pv_world *world, int a, int b) {
    const pv__polygon *p = &world->matter.polygons[a];
    const int *from = p->pieces;
    for (int i = 0; i < p->piece_count; i++, from += *from + 1) meet_outline(world, a, from, b);
}

static void meet_polygons(pv_world *world, int a, int b) {
    const pv__polygon *all = world->matter.polygons;
    if (!pv__boxes_meet(&all[a].box, &all[b].box)) return;
    if (pv__polygon_has_discs(world, a) || pv__polygon_has_discs(world, b))
        pv__polygon_meet_discs(world, a, b);
    else
        meet_outlines(world, a, b);
}

/* ---- one round over all pairs ---- */

static void meet(pv_world *world, pv__meet *m) {
    pv__polygon_room *room = world->matter.polygon_room;
    room->blow = (pv__blow){.substep = room->substep};
    room->meet = m;
    switch (m->kind) {
    case PV__MEET_POLYGON: meet_polygons(world, m->polygon, m->other); break;
    case PV__MEET_PARTICLE: pv__polygon_meet_particle(world, m->polygon, m->other); break;
    default: pv__polygon_meet_body(world, m); break;
    }
    pv__polygon_note_blow(m, &room->blow);
}

void pv__polygon_relax_all(pv_world *world) {
    pv__matter *m = &world->matter;
    pv__polygon_room *room = pv__polygon_list(world);
    if (!room) return;
    for (int i = 0; i < m->polygon_pool.count; i++)
        if (pv__slot_lives(&m->polygons[i].slot))
            m->polygons[i].box = pv__polygon_outer_box(world, &m->polygons[i]);
    bool back = room->round++ & 1;
    for (int i = 0; i < room->meet_count; i++)
        meet(world, &room->meets[back ? room->meet_count - 1 - i : i]);
    room->substep += m->last_round;
}
