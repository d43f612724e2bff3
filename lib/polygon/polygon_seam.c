/* polygon_seam.c - immovable polygons that are flush with each other are one surface.
 *
 * Invariant: a seam is a part of an edge on which an edge of another polygon lies. Nothing is
 * pushed out through it. A corner at its end bends as the common surface does, so on a flat floor
 * of tiles it is no corner. Seams are found anew in each step, as polygons come, go and move.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "polygon/polygon_seam.h"
#include "polygon/polygon_piece.h"

/// Greatest distance of flush edges, and of corners that coincide [px]
static const double SEAM_GAP = 0.05;
/// Length of a seam that stays open where the surface bends inward [px]. So a wall holds an object
/// that lies this deep in the floor.
static const double SEAM_OPEN = 0.5;

bool pv__polygon_is_immovable(const pv_world *world, const pv__polygon *q) {
    for (int i = 0; i < q->corner_count; i++)
        if (world->matter.particles.data[q->corners[i]].mass > 0) return false;
    return true;
}

/* ---- edges ---- */

static pv_vec2 corner_at(const pv_world *world, const pv__polygon *q, int corner) {
    int n = q->corner_count;
    return world->matter.particles.now[q->corners[(corner + n) % n]];
}

/// Returns the normal of the edge that begins at a corner.
static pv_vec2 normal_at(const pv_world *world, const pv__polygon *q, int corner) {
    return pv__convex_normal(corner_at(world, q, corner), corner_at(world, q, corner + 1));
}

/* ---- finding ---- */

/// Finds the seam of an edge of one polygon with an edge of another. Returns false for edges that
/// are not flush.
static bool find_seam(const pv_world *world, int mine, int edge, int theirs, int other,
                      pv__seam *seam) {
    const pv__polygon *p = &world->matter.polygons[mine], *q = &world->matter.polygons[theirs];
    pv_vec2 from = corner_at(world, p, edge), n = normal_at(world, p, edge), along = pv__perp(n);
    pv_vec2 first = pv__sub(corner_at(world, q, other + 1), from),
            last = pv__sub(corner_at(world, q, other), from);
    if (pv__abs(pv__dot(n, first)) > SEAM_GAP || pv__abs(pv__dot(n, last)) > SEAM_GAP) return false;
    double length = pv__dot(along, pv__sub(corner_at(world, p, edge + 1), from)),
           low = pv__dot(along, first), high = pv__dot(along, last);
    if (low > high || low > length - SEAM_GAP || high < SEAM_GAP) return false;
    bool ends_first = low > -SEAM_GAP, ends_last = high < length + SEAM_GAP;
    *seam = (pv__seam){
        .polygon = mine,
        .other = theirs,
        .from_particle = p->corners[edge],
        .to_particle = p->corners[(edge + 1) % p->corner_count],
        .from = pv__max(low, 0),
        .to = pv__min(high, length),
        .at_from = low<SEAM_GAP, .at_to = high> length - SEAM_GAP,
        .from_normal = normal_at(world, q, ends_first ? other + 1 : other),
        .to_normal = normal_at(world, q, ends_last ? other - 1 : other),
    };
    return true;
}

static bool append(pv_world *world, const pv__seam *seam) {
    pv__polygon_room *r = world->matter.polygon_room;
    return PV__APPEND(&world->def.allocator, r->seams, r->seam_capacity, r->seam_count, *seam);
}

bool pv__polygon_add_seams(pv_world *world, int a, int b) {
    const pv__polygon *p = &world->matter.polygons[a], *q = &world->matter.polygons[b];
    pv__seam mine, theirs;
    if (p->hull != PV_POLYGON_COLLIDER_EDGES || q->hull != PV_POLYGON_COLLIDER_EDGES) return true;
    for (int i = 0; i < p->corner_count; i++)
        for (int k = 0; k < q->corner_count; k++)
            if (find_seam(world, a, i, b, k, &mine) && find_seam(world, b, k, a, i, &theirs) &&
                (!append(world, &mine) || !append(world, &theirs)))
                return false;
    return true;
}

static int compare_seams(const void *p, const void *q) {
    const pv__seam *a = p, *b = q;
    if (a->polygon != b->polygon) return a->polygon < b->polygon ? -1 : 1;
    if (a->from_particle != b->from_particle) return a->from_particle < b->from_particle ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

/// Tells whether a polygon has a seam that ends at a particle, on the edge before it or after it.
static bool has_seam_at(const pv_world *world, const pv__polygon *q, int particle, bool before) {
    const pv__seam *seams = world->matter.polygon_room->seams + q->first_seam;
    for (int i = 0; i < q->seam_count; i++)
        if (before ? seams[i].at_to && seams[i].to_particle == particle
                   : seams[i].at_from && seams[i].from_particle == particle)
            return true;
    return false;
}

bool pv__polygon_note_apart(pv_world *world, const pv__meet *m) {
    pv__polygon_room *r = world->matter.polygon_room;
    if (m->kind == PV__MEET_POLYGON ||
        !pv__polygon_is_immovable(world, &world->matter.polygons[m->polygon]))
        return true;
    if (!PV__APPEND(&world->def.allocator, r->apart, r->apart_capacity, r->apart_count,
                    (pv__pair){m->polygon, m->kind == PV__MEET_BODY ? m->other : -m->other}))
        return false;
    r->apart_sorted = false;
    return true;
}

void pv__polygon_finish_seams(pv_world *world) {
    pv__polygon_room *r = world->matter.polygon_room;
    pv__sort(r->seams, r->seam_count, sizeof *r->seams, compare_seams);
    for (int i = r->seam_count - 1; i >= 0; i--) {
        pv__polygon *q = &world->matter.polygons[r->seams[i].polygon];
        q->first_seam = i;
        q->seam_count++;
    }
    for (int i = 0; i < r->seam_count; i++) {
        pv__seam *s = &r->seams[i];
        const pv__polygon *q = &world->matter.polygons[s->polygon];
        bool ends = !s->at_from || has_seam_at(world, q, s->from_particle, true);
        bool ends_at_to = !s->at_to || has_seam_at(world, q, s->to_particle, false);
        s->from += ends ? SEAM_OPEN : -SEAM_GAP;
        s->to += ends_at_to ? -SEAM_OPEN : SEAM_GAP;
    }
}

/* ---- in a round ---- */

/// Tells whether a seam counts for a body or a particle, which must touch the other polygon, too.
static bool counts(const pv_world *world, const pv__seam *s, int visitor) {
    pv__polygon_room *r = world->matter.polygon_room;
    pv__pair wanted = {s->other, visitor};
    if (!r->apart_sorted) pv__sort(r->apart, r->apart_count, sizeof *r->apart, pv__compare_pairs);
    r->apart_sorted = true;
    return !pv__sorted_has(r->apart, r->apart_count, sizeof *r->apart, &wanted, pv__compare_pairs);
}

bool pv__polygon_is_covered(const pv_world *world, int polygon, int from, int to, pv_vec2 point,
                            int visitor) {
    const pv__polygon *q = &world->matter.polygons[polygon];
    if (q->seam_count == 0) return false;
    const pv__seam *seams = world->matter.polygon_room->seams + q->first_seam;
    const pv_vec2 *now = world->matter.particles.now;
    pv_vec2 along = pv__sub(now[to], now[from]);
    double length = pv__length(along);
    double at = pv__clamp(pv__dot(along, pv__sub(point, now[from])) / length, 0, length);
    for (int i = 0; i < q->seam_count; i++)
        if (seams[i].from_particle == from && seams[i].from <= at && at <= seams[i].to &&
            counts(world, &seams[i], visitor))
            return true;
    return false;
}

static int corner_of_particle(const pv__polygon *q, int particle) {
    int i = 0;
    while (q->corners[i] != particle) i++;
    return i;
}

bool pv__polygon_sticks_out(const pv_world *world, int polygon, int particle, pv_vec2 direction,
                            int visitor) {
    const pv__polygon *q = &world->matter.polygons[polygon];
    if (q->seam_count == 0) return true;
    const pv__seam *seams = world->matter.polygon_room->seams + q->first_seam;
    int corner = corner_of_particle(q, particle);
    pv_vec2 first = normal_at(world, q, corner - 1), last = normal_at(world, q, corner);
    bool met = false;
    for (int i = 0; i < q->seam_count; i++) {
        const pv__seam *s = &seams[i];
        bool ends = s->at_to && s->to_particle == particle,
             begins = s->at_from && s->from_particle == particle;
        if ((!ends && !begins) || !counts(world, s, visitor)) continue;
        met = true;
        if (ends) first = s->to_normal;
        if (begins) last = s->from_normal;
    }
    return !met ||
           (pv__cross(first, last) > PV__BENT && pv__polygon_in_cone(first, last, direction));
}
