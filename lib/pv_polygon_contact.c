/* pv_polygon_contact.c - where polygons overlap each other, particles and sprites, and how that is undone.
 *
 * Invariant: after Bitterli: of two convex pieces the axis of smallest overlap among the normals of all edges tells whether they
 * overlap; boundary edges alone push, and a corner of the other piece is pushed out of the edge. Two faces that lie flush
 * are held at both ends of what they share (Kenwright). Overlaps are those of the substep's beginning, or by the time at which
 * they began, so what is fast leaves where it came in.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_impulse.h"
#include "pv_poly.h"
#include "pv_polygon_room.h"
#include "pv_touch.h"

/// Faces whose normals are opposite by more than this cosine are flush.
static const double FLUSH = 0.985;
/// The second piece's edge is chosen when it is better by this [px].
static const double PREFERENCE = 0.005;
/// A vertex of a sprite presses against an edge whose normal is off those of its own edges by no more than this sine.
static const double CONE = 0.1;
/// A vertex whose edges turn by less than this sine is not one that presses: the corners that lie on its edges do.
static const double BENT = 0.002;

/* ---- pieces ---- */

/// A convex piece of a polygon, in a round.
typedef struct piece {
    int polygon, count;
    int corners[PV__POLY_CORNERS]; ///< particles, clockwise
    pv_vec2 now[PV__POLY_CORNERS], way[PV__POLY_CORNERS];
    bool boundary[PV__POLY_CORNERS]; ///< whether the edge from a corner on is of the polygon itself
    int boundaries;
} piece;

static int after(const piece *p, int i) { return i + 1 < p->count ? i + 1 : 0; }
static int before(const piece *p, int i) { return i > 0 ? i - 1 : p->count - 1; }

static pv_vec2 normal_of(const piece *p, int edge) {
    return pv__poly_normal(p->now[edge], p->now[after(p, edge)]);
}

/// Fills a piece from its place in the polygon's list, and returns the place of the next one.
static const int *read_piece(const pv_world *world, int polygon, const int *from, piece *p) {
    const pv__polygon *q = &world->matter.polygons[polygon];
    const pv__particles *all = &world->matter.particles;
    p->polygon = polygon;
    p->count = *from++;
    p->boundaries = 0;
    for (int i = 0; i < p->count; i++) {
        int corner = from[i], next = from[i + 1 < p->count ? i + 1 : 0], k = q->corners[corner];
        p->corners[i] = k;
        p->now[i] = all->now[k];
        p->way[i] = pv__sub(all->now[k], all->was[k]);
        p->boundary[i] = next == (corner + 1 < q->corner_count ? corner + 1 : 0);
        p->boundaries += p->boundary[i];
    }
    return from + p->count;
}

/// Whether an edge may push: one of the boundary, or any where there is none.
static bool may_push(const piece *p, int edge) { return p->boundary[edge] || p->boundaries == 0; }

/* ---- the axis of smallest overlap ---- */

/// How good an edge is to leave by: of what came in in this substep the time at which it did, 0...1; else how far it was outside,
/// which is less than 0 [px].
static double merit_of(double then, double now) { return then > 0 ? then / (then - now) : then; }

typedef struct axis {
    int edge, corner; ///< of the one piece, and of the other the corner farthest in
    pv_vec2 normal;
    double gap, merit;
} axis;

/// The corner farthest in along minus a direction.
static int farthest_in(const piece *p, pv_vec2 n) {
    int best = 0;
    double least = pv__dot(n, p->now[0]);
    for (int i = 1; i < p->count; i++) {
        double d = pv__dot(n, p->now[i]);
        if (d < least) least = d, best = i;
    }
    return best;
}

/// Looks along the normals of p's edges; false when one of them parts the two.
static bool find_axis(const piece *p, const piece *q, axis *best) {
    *best = (axis){.edge = -1, .merit = -2 * PV_MAX_COORDINATE};
    for (int i = 0; i < p->count; i++) {
        pv_vec2 n = normal_of(p, i);
        int k = farthest_in(q, n), j = after(p, i);
        double gap = pv__dot(n, pv__sub(q->now[k], p->now[i]));
        if (gap >= 0) return false;
        if (!may_push(p, i)) continue;
        pv_vec2 way = pv__sub(q->way[k], pv__lerp(p->way[i], p->way[j], 0.5));
        double merit = merit_of(gap - pv__dot(n, way), gap);
        if (merit > best->merit) *best = (axis){i, k, n, gap, merit};
    }
    return true;
}

/* ---- piece against piece ---- */

static void mix(const pv_world *world, pv__touch *t, const pv__polygon *q, double restitution, double holds,
                double slides) {
    t->restitution = pv__mix(world->def.restitution_mix, q->restitution, restitution);
    t->static_friction = pv__mix(world->def.friction_mix, q->static_friction, holds);
    t->kinetic_friction = pv__mix(world->def.friction_mix, q->kinetic_friction, slides);
}

static pv__flank edge_of(const piece *p, int edge) {
    return pv__edge_flank(p->corners[edge], p->corners[after(p, edge)], p->polygon);
}

static pv__flank corner_of(const piece *p, int corner) {
    return pv__particle_flank(p->corners[corner], p->polygon);
}

/// A corner of the second piece and the edge of the first.
static pv__touch corner_in_edge(const piece *p, const piece *q, const axis *x, int corner) {
    return (pv__touch){
        .a = edge_of(p, x->edge),
        .b = corner_of(q, corner),
        .normal = x->normal,
        .point = q->now[corner],
        .way = q->way[corner],
        .gap = pv__dot(x->normal, pv__sub(q->now[corner], p->now[x->edge])),
    };
}

/// A corner of the first piece's edge and the second's flush edge.
static pv__touch edge_on_corner(const piece *p, const piece *q, const axis *x, int corner, int edge) {
    return (pv__touch){
        .a = corner_of(p, corner),
        .b = edge_of(q, edge),
        .normal = x->normal,
        .point = p->now[corner],
        .way = p->way[corner],
        .gap = pv__dot(normal_of(q, edge), pv__sub(p->now[corner], q->now[edge])),
    };
}

/// The edge of q at a corner that is flush with an axis, or -1.
static int flush_edge(const piece *q, const axis *x) {
    int edges[2] = {before(q, x->corner), x->corner}, best = -1;
    double most = FLUSH;
    for (int i = 0; i < 2; i++) {
        double against = -pv__dot(x->normal, normal_of(q, edges[i]));
        if (against > most && q->boundary[edges[i]]) most = against, best = edges[i];
    }
    return best;
}

/// The ends of what two flush edges share: q's edge runs against p's. False when they share nothing.
static bool find_ends(const piece *p, const piece *q, const axis *x, int edge, pv__touch ends[2]) {
    pv_vec2 from = p->now[x->edge], to = p->now[after(p, x->edge)], along = pv__sub(to, from);
    int first = after(q, edge), last = edge;
    double length = pv__dot(along, along), low = pv__dot(along, pv__sub(q->now[first], from)),
           high = pv__dot(along, pv__sub(q->now[last], from));
    if (low >= length || high <= 0) return false;
    ends[0] = low >= 0 ? corner_in_edge(p, q, x, first) : edge_on_corner(p, q, x, x->edge, edge);
    ends[1] = high <= length ? corner_in_edge(p, q, x, last) : edge_on_corner(p, q, x, after(p, x->edge), edge);
    return true;
}

/// Those that overlap.
static void part_those(pv_world *world, pv__touch *touches, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (touches[i].gap < 0) touches[kept++] = touches[i];
    pv__touch_part(world, touches, kept);
}

static void part_pieces(pv_world *world, const piece *p, const piece *q, const axis *x) {
    const pv__polygon *a = &world->matter.polygons[p->polygon], *b = &world->matter.polygons[q->polygon];
    pv__touch ends[2];
    int edge = flush_edge(q, x);
    bool both = edge >= 0 && find_ends(p, q, x, edge, ends);
    if (!both) ends[0] = corner_in_edge(p, q, x, x->corner);
    for (int i = 0; i <= both; i++)
        mix(world, &ends[i], a, b->restitution, b->static_friction, b->kinetic_friction);
    part_those(world, ends, 1 + both);
}

static void meet_pieces(pv_world *world, const piece *p, const piece *q) {
    axis x, y;
    if (!find_axis(p, q, &x) || !find_axis(q, p, &y)) return;
    if (x.merit + PREFERENCE >= y.merit)
        part_pieces(world, p, q, &x);
    else
        part_pieces(world, q, p, &y);
}

static void meet_outlines(pv_world *world, int a, int b) {
    const pv__polygon *p = &world->matter.polygons[a], *q = &world->matter.polygons[b];
    const int *from = p->pieces;
    for (int i = 0; i < p->piece_count; i++) {
        piece mine, theirs;
        const int *next = read_piece(world, a, from, &mine), *other = q->pieces;
        for (int j = 0; j < q->piece_count; j++) {
            if (j > 0) read_piece(world, a, from, &mine); /* it may have been pushed */
            other = read_piece(world, b, other, &theirs);
            meet_pieces(world, &mine, &theirs);
        }
        from = next;
    }
}

/* ---- a disc or a point against a piece ---- */

/// What is met: a particle, a disc of another polygon, or a vertex of a sprite.
typedef struct disc {
    pv__flank flank;
    pv_vec2 now, way;
    double radius;
    double restitution, static_friction, kinetic_friction;
    bool at_corners;     ///< whether it meets corners, too
    pv_vec2 first, last; ///< of a vertex: outward normals of its edges
    bool cone;           ///< and they are heeded
} disc;

static bool faces(const disc *d, pv_vec2 normal) {
    pv_vec2 n = pv__mul(-1, normal);
    return !d->cone || (pv__cross(d->first, n) >= -CONE && pv__cross(n, d->last) >= -CONE &&
                        pv__dot(n, pv__add(d->first, d->last)) > 0);
}

/// The edge by which a disc came in and has to leave; false when it is outside, or was never inside.
static bool find_edge(const piece *p, const disc *d, axis *best) {
    double enter = 0, leave = 1;
    *best = (axis){.edge = -1, .merit = -2 * PV_MAX_COORDINATE};
    for (int i = 0; i < p->count; i++) {
        pv_vec2 n = normal_of(p, i), way = pv__sub(d->way, pv__lerp(p->way[i], p->way[after(p, i)], 0.5));
        double radius = may_push(p, i) ? d->radius : 0; /* beside an inner edge the next piece answers */
        double gap = pv__dot(n, pv__sub(d->now, p->now[i])) - radius, then = gap - pv__dot(n, way);
        if (gap >= 0 && then >= 0) return false;
        if (gap < 0 && then > 0) enter = pv__max(enter, then / (then - gap));
        if (gap >= 0) {
            leave = pv__min(leave, then / (then - gap));
            continue;
        }
        double merit = merit_of(then, gap);
        if (merit > best->merit && may_push(p, i) && faces(d, n)) *best = (axis){i, 0, n, gap, merit};
    }
    return best->edge >= 0 && (leave == 1 || (enter > 0 && enter < leave));
}

/// Where a disc is beside the end of an edge, it is the corner that it meets, or nothing.
static bool round_corner(const piece *p, const disc *d, axis *x) {
    pv_vec2 from = p->now[x->edge], to = p->now[after(p, x->edge)], along = pv__sub(to, from);
    double at = pv__dot(along, pv__sub(d->now, from)), length = pv__dot(along, along);
    if (d->radius == 0 || x->gap <= -d->radius || (at >= 0 && at <= length)) return true;
    pv_vec2 off = pv__sub(d->now, at < 0 ? from : to);
    double distance = pv__length(off);
    if (!d->at_corners || distance >= d->radius || !(distance > 0)) return false;
    x->normal = pv__mul(1 / distance, off);
    x->gap = distance - d->radius;
    return true;
}

/// The place of a disc's surface that presses along minus a normal; of a particle its centre, which is all it has.
static void find_point(const pv_world *world, const disc *d, pv__touch *t) {
    t->point = d->now;
    t->way = d->way;
    if (d->flank.kind == PV__FLANK_PARTICLE || d->radius == 0) return;
    pv__flank flank = d->flank;
    t->point = pv__mad(d->now, -d->radius, t->normal);
    pv__flank_stand(world, &flank, t->point, 0);
    t->way = pv__flank_way(world, &flank);
}

/// Touches of one thing and one polygon, to be settled together.
typedef struct crowd {
    pv__touch touches[PV__TOUCHES];
    int polygon, count;
} crowd;

static void add_touch(const pv_world *world, crowd *c, const disc *d, pv__touch t) {
    if (c->count == PV__TOUCHES || t.gap >= 0) return;
    t.b = d->flank;
    find_point(world, d, &t);
    mix(world, &t, &world->matter.polygons[c->polygon], d->restitution, d->static_friction,
        d->kinetic_friction);
    c->touches[c->count++] = t;
}

static void find_edges(const pv_world *world, crowd *c, const disc *d) {
    const pv__polygon *q = &world->matter.polygons[c->polygon];
    const int *from = q->pieces;
    for (int i = 0; i < q->piece_count; i++) {
        piece p;
        axis x;
        from = read_piece(world, c->polygon, from, &p);
        if (!find_edge(&p, d, &x) || !round_corner(&p, d, &x)) continue;
        add_touch(world, c, d, (pv__touch){.a = edge_of(&p, x.edge), .normal = x.normal, .gap = x.gap});
    }
}

/* ---- discs in place of edges ---- */

/// A polygon's disc: at each corner, and after those the one in the middle.
static disc disc_of(const pv_world *world, int polygon, int i) {
    const pv__polygon *q = &world->matter.polygons[polygon];
    const pv__particles *p = &world->matter.particles;
    disc d = {
        .flank = pv__whole_flank(polygon),
        .radius = q->middle,
        .restitution = q->restitution,
        .static_friction = q->static_friction,
        .kinetic_friction = q->kinetic_friction,
        .at_corners = true,
    };
    if (i < q->corner_count) {
        d.now = p->now[q->corners[i]];
        d.way = pv__sub(d.now, p->was[q->corners[i]]);
        d.radius = p->grains[q->corners[i]].radius;
    }
    for (int k = 0; i == q->corner_count && k < i; k++) {
        pv_vec2 at = p->now[q->corners[k]];
        d.now = pv__mad(d.now, q->shares[k], at);
        d.way = pv__mad(d.way, q->shares[k], pv__sub(at, p->was[q->corners[k]]));
    }
    return d;
}

static void find_disc(const pv_world *world, crowd *c, int i, const disc *d) {
    disc mine = disc_of(world, c->polygon, i);
    pv_vec2 off = pv__sub(d->now, mine.now);
    double reach = mine.radius + d->radius, squared = pv__dot(off, off);
    if (squared >= reach * reach || !(squared > 0)) return;
    double distance = sqrt(squared);
    add_touch(world, c, d,
              (pv__touch){.a = mine.flank, .normal = pv__mul(1 / distance, off), .gap = distance - reach});
}

static bool has_discs(const pv_world *world, int polygon) {
    return world->matter.polygons[polygon].hull == PV_HULL_DISCS;
}

/// A disc against a polygon of either kind.
static void find_any(const pv_world *world, crowd *c, const disc *d) {
    if (!has_discs(world, c->polygon)) {
        find_edges(world, c, d);
        return;
    }
    for (int i = 0; i <= world->matter.polygons[c->polygon].corner_count; i++) find_disc(world, c, i, d);
}

static void meet_polygons(pv_world *world, int a, int b) {
    if (!has_discs(world, a) && !has_discs(world, b)) {
        meet_outlines(world, a, b);
        return;
    }
    int round = has_discs(world, b) ? b : a;
    crowd c = {.polygon = round == a ? b : a};
    for (int i = 0; i <= world->matter.polygons[round].corner_count; i++) {
        disc d = disc_of(world, round, i);
        find_any(world, &c, &d);
    }
    pv__touch_part(world, c.touches, c.count);
}

/* ---- particles ---- */

static void meet_particle(pv_world *world, int polygon, int i) {
    const pv__particles *p = &world->matter.particles;
    const pv__grain *g = &p->grains[i];
    disc d = {
        .flank = pv__particle_flank(i, -1),
        .now = p->now[i],
        .way = pv__sub(p->now[i], p->was[i]),
        .radius = g->radius,
        .restitution = g->restitution,
        .static_friction = g->static_friction,
        .kinetic_friction = g->kinetic_friction,
        .at_corners = true,
    };
    crowd c = {.polygon = polygon};
    find_any(world, &c, &d);
    pv__touch_part(world, c.touches, c.count);
}

/* ---- sprites ---- */

/// A point of a body's drawing as a disc.
static disc disc_on(const pv_world *world, int body, pv_vec2 point, double radius) {
    const pv__body *b = &world->bodies[body];
    pv__pose pose = pv__pose_now(world, body);
    pv__flank flank = pv__body_flank(body);
    disc d = {
        .flank = flank,
        .now = pv__add(pose.centre, pv__rotate(pose.turn, pv__sub(point, b->pivot))),
        .radius = radius,
        .restitution = b->restitution,
        .static_friction = b->static_friction,
        .kinetic_friction = b->kinetic_friction,
    };
    pv__flank_stand(world, &flank, d.now, 0);
    d.way = pv__flank_way(world, &flank);
    return d;
}

/// A box in the mask of a body that holds a box of the world.
static pv_box box_on(const pv_world *world, int body, const pv_box *box) {
    const pv__body *b = &world->bodies[body];
    pv__pose pose = pv__pose_now(world, body);
    pv_vec2 middle = pv__lerp(box->min, box->max, 0.5), half = pv__sub(box->max, middle);
    pv_vec2 at = pv__add(b->pivot, pv__unrotate(pose.turn, pv__sub(middle, pose.centre)));
    double c = pv__abs(pose.turn.c), s = pv__abs(pose.turn.s);
    pv_vec2 extent = {c * half.x + s * half.y, s * half.x + c * half.y};
    return (pv_box){pv__sub(at, extent), pv__add(at, extent)};
}

static bool in_box(const pv_box *box, pv_vec2 p) {
    return (p.x > box->min.x) & (p.x < box->max.x) & (p.y > box->min.y) & (p.y < box->max.y);
}

static void find_vertex(const pv_world *world, crowd *c, int body, const pv__vertex *v) {
    disc d = disc_on(world, body, v->at, 0);
    pv_rotation turn = pv__pose_now(world, body).turn;
    d.cone = true;
    d.first = pv__rotate(turn, v->first);
    d.last = pv__rotate(turn, v->last);
    find_any(world, c, &d);
}

static void find_block(const pv_world *world, crowd *c, int body, const pv__shape *shape,
                       const pv__block *block) {
    pv_box box = box_on(world, body, &world->matter.polygons[c->polygon].box);
    if (!pv__boxes_meet(&box, &block->box)) return;
    for (int i = block->first; i < block->end; i++) {
        const pv__vertex *v = &shape->vertices[i];
        if (in_box(&box, v->at) && pv__cross(v->first, v->last) > BENT) find_vertex(world, c, body, v);
    }
}

/// All that is listed of one polygon and one body.
static void meet_body(pv_world *world, const pv__meet *meets, int count) {
    int body = meets->other;
    const pv__shape *shape = pv__shape_of(&world->bodies[body]);
    crowd c = {.polygon = meets->polygon};
    if (!shape) return;
    if (shape->circle_radius > 0) {
        disc d = disc_on(world, body, shape->circle_centre, shape->circle_radius);
        find_any(world, &c, &d);
    } else {
        for (int i = 0; i < count; i++) find_block(world, &c, body, shape, &shape->blocks[meets[i].block]);
    }
    pv__touch_part(world, c.touches, c.count);
    bool goes = c.count > 0 && pv__flank_yield(world, &c.touches[0].a, c.touches[0].normal) > 0;
    if (goes) world->bodies[body].still = 0; /* what it rests on may go */
}

/* ---- a round ---- */

static void fit_box(const pv_world *world, pv__polygon *q) {
    const pv_vec2 *now = world->matter.particles.now;
    pv_vec2 at = now[q->corners[0]];
    double left = at.x, right = at.x, top = at.y, bottom = at.y;
    for (int i = 1; i < q->corner_count; i++) {
        at = now[q->corners[i]];
        left = pv__min(left, at.x);
        right = pv__max(right, at.x);
        top = pv__min(top, at.y);
        bottom = pv__max(bottom, at.y);
    }
    double by = q->hull == PV_HULL_DISCS ? world->matter.particles.grains[q->corners[0]].radius : 0;
    q->box = (pv_box){{left - by, top - by}, {right + by, bottom + by}};
}

/// A particle, as far as it reaches and came from.
static pv_box box_of(const pv__particles *p, int i) {
    double r = p->grains[i].radius;
    pv_vec2 now = p->now[i], was = p->was[i];
    return (pv_box){{pv__min(now.x, was.x) - r, pv__min(now.y, was.y) - r},
                    {pv__max(now.x, was.x) + r, pv__max(now.y, was.y) + r}};
}

static void meet(pv_world *world, const pv__meet *m, int count) {
    const pv__polygon *q = &world->matter.polygons[m->polygon];
    pv_box other;
    switch (m->kind) {
    case PV__MEET_POLYGON:
        if (pv__boxes_meet(&q->box, &world->matter.polygons[m->other].box))
            meet_polygons(world, m->polygon, m->other);
        break;
    case PV__MEET_PARTICLE:
        other = box_of(&world->matter.particles, m->other);
        if (pv__boxes_meet(&q->box, &other)) meet_particle(world, m->polygon, m->other);
        break;
    default: meet_body(world, m, count); break;
    }
}

/// How many of the list are of the same two things as the first.
static int run_of(const pv__meet *m, const pv__meet *end) {
    int count = 1;
    while (m + count < end && m[count].kind == m->kind && m[count].polygon == m->polygon &&
           m[count].other == m->other)
        count++;
    return count;
}

static void meet_all(pv_world *world, const pv__meet *m, const pv__meet *end) {
    for (int count; m < end; m += count) {
        count = run_of(m, end);
        meet(world, m, count);
    }
}

static void meet_all_back(pv_world *world, const pv__meet *m, const pv__meet *end) {
    while (end > m) {
        const pv__meet *last = end - 1, *first = last;
        while (first > m && run_of(first - 1, end) == (int)(end - first) + 1) first--;
        meet(world, first, (int)(end - first));
        end = first;
    }
}

void pv__relax_polygons(pv_world *world, double h) {
    pv__matter *m = &world->matter;
    pv__polygon_room *room = m->polygon_room;
    (void)h; /* pushes are impulses times it */
    if (!room) return;
    for (int i = 0; i < m->polygon_count; i++)
        if (m->polygons[i].generation & 1) fit_box(world, &m->polygons[i]);
    if (room->back)
        meet_all_back(world, room->meets, room->meets + room->meet_count);
    else
        meet_all(world, room->meets, room->meets + room->meet_count);
    room->back = !room->back;
}
