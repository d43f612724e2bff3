/* polygon_contact.c - finds and solves overlaps of polygons with each other, particles and sprites.
 *
 * Invariant: the axis of least overlap of two convex pieces is among the normals of all edges
 * (Bitterli). Only boundary edges push, against a corner of the other piece, and flush faces
 * contact at both ends (Kenwright). Overlaps are ranked at the substep's start or their time of
 * entry, so fast pieces leave where they entered.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "polygon/polygon_contact.h"
#include "core/pose.h"
#include "polygon/polygon_events.h"
#include "polygon/polygon_piece.h"
#include "polygon/polygon_presolve.h"

/// Least cosine between a face's normal and the opposite of another's for flush faces.
static const double FLUSH = 0.985;

/* ---- the axis of least overlap ---- */

/// Tells whether an edge may push a corner out. Corners where pieces join may not be corners of the
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

static pv__flank corner_of(const pv__piece *p, int corner) {
    return pv__matter_contact_of_particle(p->corners[corner], p->polygon);
}

/// Returns the contact of a corner of the second piece with an edge of the first.
static pv__touch corner_in_edge(const pv__piece *p, const pv__piece *q, const pv__piece_axis *x,
                                int corner) {
    return (pv__touch){
        .a = pv__polygon_edge_of(p, x->edge),
        .b = corner_of(q, corner),
        .normal = x->normal,
        .point = q->now[corner],
        .way = q->way[corner],
        .gap = pv__dot(x->normal, pv__sub(q->now[corner], p->now[x->edge])),
    };
}

/// Returns the contact of a corner of the first piece's edge with the second piece's flush edge.
static pv__touch edge_on_corner(const pv__piece *p, const pv__piece *q, const pv__piece_axis *x,
                                int corner, int edge) {
    return (pv__touch){
        .a = corner_of(p, corner),
        .b = pv__polygon_edge_of(q, edge),
        .normal = x->normal,
        .point = p->now[corner],
        .way = p->way[corner],
        .gap = pv__dot(pv__polygon_edge_normal(q, edge), pv__sub(p->now[corner], q->now[edge])),
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
    pv_vec2 from = p->now[x->edge], to = p->now[pv__polygon_after_corner(p, x->edge)],
            along = pv__sub(to, from);
    int first = pv__polygon_after_corner(q, edge), last = edge;
    double length = pv__dot(along, along), low = pv__dot(along, pv__sub(q->now[first], from)),
           high = pv__dot(along, pv__sub(q->now[last], from));
    if (low >= length || high <= 0) return false;
    ends[0] = low >= 0 ? corner_in_edge(p, q, x, first) : edge_on_corner(p, q, x, x->edge, edge);
    ends[1] = high <= length ? corner_in_edge(p, q, x, last)
                             : edge_on_corner(p, q, x, pv__polygon_after_corner(p, x->edge), edge);
    return true;
}

/// Solves the contacts that overlap.
static void part_those(pv_world *world, pv__touch *touches, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (touches[i].gap < 0) touches[kept++] = touches[i];
    pv__polygon_solve(world, touches, kept);
}

static void part_pieces(pv_world *world, const pv__piece *p, const pv__piece *q,
                        const pv__piece_axis *x) {
    const pv__polygon *a = &world->matter.polygons[p->polygon],
                      *b = &world->matter.polygons[q->polygon];
    pv__touch ends[2];
    int edge = flush_edge(q, x);
    bool both = edge >= 0 && find_ends(p, q, x, edge, ends);
    if (!both) ends[0] = corner_in_edge(p, q, x, x->corner);
    for (int i = 0; i <= both; i++)
        ends[i].material = pv__impulse_mix_materials(world, &a->material, &b->material);
    part_those(world, ends, 1 + both);
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
    if (all[a].hull == PV_POLYGON_COLLIDER_CIRCLES || all[b].hull == PV_POLYGON_COLLIDER_CIRCLES)
        pv__polygon_meet_discs(world, a, b);
    else
        meet_outlines(world, a, b);
}

/* ---- one round over all pairs ---- */

/// Returns the box around a particle's disc at its previous and current position.
static pv_box box_of(const pv__particles *p, int i) {
    pv_box box = {p->now[i], p->now[i]};
    pv__enclose(&box, p->was[i]);
    return pv__box_widened(box, p->data[i].radius);
}

static void meet(pv_world *world, pv__meet *m, int count) {
    const pv__polygon *q = &world->matter.polygons[m->polygon];
    pv__polygon_room *room = world->matter.polygon_room;
    pv_box other;
    room->blow = (pv__blow){.substep = room->substep};
    room->meet = m;
    switch (m->kind) {
    case PV__MEET_POLYGON:
        if (pv__boxes_meet(&q->box, &world->matter.polygons[m->other].box))
            meet_polygons(world, m->polygon, m->other);
        break;
    case PV__MEET_PARTICLE:
        other = box_of(&world->matter.particles, m->other);
        if (pv__boxes_meet(&q->box, &other)) pv__polygon_meet_particle(world, m->polygon, m->other);
        break;
    default: pv__polygon_meet_body(world, m, count, room->round); break;
    }
    pv__polygon_note_blow(m, &room->blow);
}

static bool same_pair(const pv__meet *a, const pv__meet *b) {
    return a->kind == b->kind && a->polygon == b->polygon && a->other == b->other;
}

/// Solves all pairs, each with all of its entries, in the order of the list or backward.
static void meet_all(pv_world *world, const pv__polygon_room *r, bool back) {
    pv__meet *m = r->meets;
    for (int low = 0, high = r->meet_count; low < high;) {
        int first = back ? high - 1 : low, end = first + 1;
        while (back && first > low && same_pair(&m[first - 1], &m[first])) first--;
        while (!back && end < high && same_pair(&m[end], &m[first])) end++;
        meet(world, &m[first], end - first);
        if (back)
            high = first;
        else
            low = end;
    }
}

void pv__polygon_relax_all(pv_world *world) {
    pv__matter *m = &world->matter;
    pv__polygon_room *room = m->polygon_room;
    if (!room || room->step != world->steps + 1) return;
    for (int i = 0; i < m->polygon_pool.count; i++)
        if (pv__slot_lives(&m->polygons[i].slot))
            m->polygons[i].box = pv__polygon_outer_box(world, &m->polygons[i]);
    bool back = room->round++ & 1;
    meet_all(world, room, back);
    room->substep += m->last_round;
}
