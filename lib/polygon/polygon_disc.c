/* polygon_disc.c - polygons against shapes without polygon edges: discs, particles and vertices of
 * sprites.
 *
 * Invariant: all contacts of a polygon with one other object are solved together, so that none
 * undoes another. A polygon's corners in a sprite and a sprite's vertices in a polygon are contacts
 * of one pair.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/body_bitmap.h"
#include "matter/particle_collide.h"
#include "polygon/polygon_piece.h"
#include "polygon/polygon_presolve.h"
#include "polygon/polygon_seam.h"

#include <limits.h>

/* ---- pieces ---- */

/// Reads the normals of the polygon's edges at the corners of a piece.
static void read_cones(const pv_world *world, const pv__polygon *q, const int *corners,
                       pv__piece *p) {
    const pv_vec2 *now = world->matter.particles.now;
    int n = q->corner_count;
    for (int i = 0; i < p->count; i++) {
        int before = (corners[i] + n - 1) % n, after = (corners[i] + 1) % n;
        p->first[i] = pv__convex_normal(now[q->corners[before]], p->now[i]);
        p->last[i] = pv__convex_normal(p->now[i], now[q->corners[after]]);
    }
}

const int *pv__polygon_read_piece(const pv_world *world, int polygon, const int *from,
                                  pv__piece *p) {
    const pv__polygon *q = &world->matter.polygons[polygon];
    const pv__particles *all = &world->matter.particles;
    p->polygon = polygon;
    p->count = *from++;
    p->boundaries = 0;
    p->alone = q->piece_count == 1;
    for (int i = 0; i < p->count; i++) {
        int corner = from[i], next = from[i + 1 < p->count ? i + 1 : 0], k = q->corners[corner];
        p->corners[i] = k;
        p->now[i] = all->now[k];
        p->way[i] = pv__particle_way(all, k);
        p->boundary[i] = next == (corner + 1 < q->corner_count ? corner + 1 : 0);
        p->boundaries += p->boundary[i];
    }
    if (!p->alone) read_cones(world, q, from, p);
    return from + p->count;
}

/* ---- a disc or a point against a piece ---- */

/// Disc in contact: a particle, a disc of another polygon, or a vertex of a sprite.
typedef struct disc {
    pv__flank flank;
    pv_vec2 now, way;
    double radius;
    pv__material material;
    /// Surface speed of a sprite [px/s]
    double tangent_speed;
    /// Outward normals of a vertex's edges
    pv_vec2 first, last;
    /// True for a vertex, whose normals limit the contact normal
    bool cone;
} disc;

/// Returns the body or minus the particle of a disc, for seams; any other number for a polygon's.
static int visitor_of(const disc *d) {
    return d->flank.kind == PV__FLANK_BODY       ? d->flank.body
           : d->flank.kind == PV__FLANK_PARTICLE ? -d->flank.particle
                                                 : INT_MIN;
}

/// Finds the edge through which a disc entered and has to leave. Returns false for a disc that is
/// outside or never entered.
static bool find_edge(const pv_world *world, const pv__piece *p, const disc *d,
                      pv__piece_axis *best) {
    double enter = 0, leave = 1;
    *best = (pv__piece_axis){.edge = -1, .merit = -2 * PV_MAX_COORDINATE};
    for (int i = 0; i < p->count; i++) {
        int next = pv__polygon_after_corner(p, i);
        pv_vec2 n = pv__polygon_edge_normal(p, i),
                way = pv__sub(d->way, pv__lerp(p->way[i], p->way[next], 0.5));
        bool pushes = pv__polygon_may_push(p, i) &&
                      !pv__polygon_is_covered(world, p->polygon, p->corners[i], p->corners[next],
                                              d->now, visitor_of(d));
        /* an inner edge or a seam bears a little beyond it, so nothing falls between two pieces */
        double radius = pushes ? d->radius : PV__NEGLIGIBLE;
        double gap = pv__dot(n, pv__sub(d->now, p->now[i])) - radius, then = gap - pv__dot(n, way);
        if (gap >= 0 && then >= 0) return false;
        if (gap < 0 && then > 0) enter = pv__max(enter, then / (then - gap));
        if (gap >= 0) {
            leave = pv__min(leave, then / (then - gap));
            continue;
        }
        double merit = pv__polygon_merit(then, gap);
        if (merit > best->merit && pushes &&
            (!d->cone || pv__polygon_in_cone(d->first, d->last, pv__mul(-1, n))))
            *best = (pv__piece_axis){i, 0, n, gap, merit};
    }
    return best->edge >= 0 && (leave == 1 || (enter > 0 && enter < leave));
}

/// Replaces the edge's normal with the corner's for a disc beside the end of an edge. Returns false
/// if the corner is out of reach, or for a sprite, which contacts corners by itself.
static bool round_corner(const pv_world *world, const pv__piece *p, const disc *d,
                         pv__piece_axis *x) {
    int next = pv__polygon_after_corner(p, x->edge);
    pv_vec2 from = p->now[x->edge], along = pv__sub(p->now[next], from);
    double at = pv__dot(along, pv__sub(d->now, from)), length = pv__dot(along, along);
    if (d->radius == 0 || x->gap <= -d->radius || (at >= 0 && at <= length)) return true;
    int corner = at < 0 ? x->edge : next;
    pv_vec2 off = pv__sub(d->now, p->now[corner]);
    double distance = pv__length(off);
    if (d->flank.kind == PV__FLANK_BODY || distance >= d->radius || !(distance > 0)) return false;
    x->normal = pv__mul(1 / distance, off);
    x->gap = distance - d->radius;
    return pv__polygon_sticks_out(world, p->polygon, p->corners[corner], x->normal, visitor_of(d));
}

/// Sets the contact point of a disc's surface along minus the normal. A particle has its center
/// only.
static void find_point(const pv_world *world, const disc *d, pv__touch *t) {
    t->point = d->now;
    t->way = d->way;
    if (d->flank.kind == PV__FLANK_PARTICLE || d->radius == 0) return;
    t->point = pv__mad(d->now, -d->radius, t->normal);
    t->way = pv__matter_contact_way_at(world, d->flank, t->point);
}

/// Contacts of one object with one polygon, solved together.
typedef struct crowd {
    pv__touch *touches;
    int polygon, count;
} crowd;

static void add_touch(const pv_world *world, crowd *c, const disc *d, pv__touch t) {
    if (c->count == PV__TOUCHES || t.gap >= 0) return;
    t.b = d->flank;
    t.tangent_speed = d->tangent_speed;
    find_point(world, d, &t);
    t.material = pv__impulse_mix_materials(world, &world->matter.polygons[c->polygon].material,
                                           &d->material);
    c->touches[c->count++] = t;
}

static void find_edges(const pv_world *world, crowd *c, const disc *d) {
    const pv__polygon *q = &world->matter.polygons[c->polygon];
    const int *from = q->pieces;
    for (int i = 0; i < q->piece_count; i++) {
        pv__piece p;
        pv__piece_axis x;
        from = pv__polygon_read_piece(world, c->polygon, from, &p);
        if (!find_edge(world, &p, d, &x) || !round_corner(world, &p, d, &x)) continue;
        add_touch(
            world, c, d,
            (pv__touch){.a = pv__polygon_edge_of(&p, x.edge), .normal = x.normal, .gap = x.gap});
    }
}

/* ---- discs instead of edges ---- */

/// Returns a polygon's disc: one per corner, then the one at the center.
static disc disc_of(const pv_world *world, int polygon, int i) {
    const pv__polygon *q = &world->matter.polygons[polygon];
    const pv__particles *p = &world->matter.particles;
    disc d = {
        .flank = {.kind = PV__FLANK_WHOLE, .polygon = polygon},
        .radius = q->middle,
        .material = q->material,
    };
    if (i < q->corner_count) {
        d.now = p->now[q->corners[i]];
        d.way = pv__particle_way(p, q->corners[i]);
        d.radius = p->data[q->corners[i]].radius;
    }
    for (int k = 0; i == q->corner_count && k < i; k++) {
        d.now = pv__mad(d.now, q->shares[k], p->now[q->corners[k]]);
        d.way = pv__mad(d.way, q->shares[k], pv__particle_way(p, q->corners[k]));
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
              (pv__touch){
                  .a = mine.flank, .normal = pv__mul(1 / distance, off), .gap = distance - reach});
}

/// Finds the contacts of a disc with a polygon of either kind.
static void find_any(const pv_world *world, crowd *c, const disc *d) {
    if (!pv__polygon_has_discs(world, c->polygon)) {
        find_edges(world, c, d);
        return;
    }
    for (int i = 0; i <= world->matter.polygons[c->polygon].corner_count; i++)
        find_disc(world, c, i, d);
}

void pv__polygon_meet_discs(pv_world *world, int a, int b) {
    int round = pv__polygon_has_discs(world, b) ? b : a;
    crowd c = {world->matter.polygon_room->touches, round == a ? b : a, 0};
    for (int i = 0; i <= world->matter.polygons[round].corner_count; i++) {
        disc d = disc_of(world, round, i);
        find_any(world, &c, &d);
    }
    pv__polygon_solve(world, c.touches, c.count);
}

/* ---- particles ---- */

void pv__polygon_meet_particle(pv_world *world, int polygon, int i) {
    const pv__particles *p = &world->matter.particles;
    const pv__particle_data *g = &p->data[i];
    pv_box box = pv__box_widened(pv__box_around(p->now[i], p->was[i]), g->radius);
    if (!pv__boxes_meet(&world->matter.polygons[polygon].box, &box)) return;
    disc d = {
        .flank = pv__matter_contact_of_particle(i, -1),
        .now = p->now[i],
        .way = pv__particle_way(p, i),
        .radius = g->radius,
        .material = g->material,
    };
    crowd c = {world->matter.polygon_room->touches, polygon, 0};
    find_any(world, &c, &d);
    pv__polygon_solve(world, c.touches, c.count);
}

/* ---- sprites ---- */

/// Returns a disc at a point of a body's picture.
static disc disc_on(const pv_world *world, int body, pv_vec2 point, double radius) {
    const pv__body *b = &world->bodies.items[body];
    pv__pose pose = pv__body_pose_now(world, body);
    disc d = {
        .flank = pv__matter_contact_of_body(body),
        .now = pv__add(pose.center, pv__rotate(pose.turn, pv__sub(point, b->pixels->pivot))),
        .radius = radius,
        .material = b->material,
        .tangent_speed = b->tangent_speed,
    };
    d.way = pv__matter_contact_way_at(world, d.flank, d.now);
    return d;
}

static void find_vertex(const pv_world *world, crowd *c, int body, const pv__vertex *v) {
    disc d = disc_on(world, body, v->at, 0);
    pv_rotation turn = pv__body_pose_now(world, body).turn;
    d.cone = true;
    d.first = pv__rotate(turn, v->first);
    d.last = pv__rotate(turn, v->last);
    find_any(world, c, &d);
}

static void find_in_block(const pv_world *world, crowd *c, int body, const pv__shape *shape,
                          const pv__block *block, const pv_box *box) {
    for (int i = block->first; i < block->end; i++) {
        const pv__vertex *v = &shape->vertices[i];
        pv_box at = {v->at, v->at};
        if (pv__boxes_meet(box, &at) && pv__cross(v->first, v->last) > PV__BENT)
            find_vertex(world, c, body, v);
    }
}

/// Returns a box in a body's picture that contains the box of a polygon.
static pv_box box_in_picture(const pv_world *world, int polygon, int body) {
    const pv_box *box = &world->matter.polygons[polygon].box;
    pv__pose pose = pv__body_pose_now(world, body);
    pv_vec2 middle = pv__lerp(box->min, box->max, 0.5), half = pv__sub(box->max, middle);
    pv_vec2 at = pv__pose_into_picture(&world->bodies.items[body], pose, middle);
    double c = pv__abs(pose.turn.c), s = pv__abs(pose.turn.s);
    pv_vec2 extent = {c * half.x + s * half.y, s * half.x + c * half.y};
    return (pv_box){pv__sub(at, extent), pv__add(at, extent)};
}

/// Finds the contacts of a body's vertices with the polygon.
static void find_vertices(const pv_world *world, crowd *c, int body, const pv__shape *shape) {
    pv_box box = box_in_picture(world, c->polygon, body);
    int at = 0;
    for (const pv__node *n; (n = pv__shape_tree_next(&shape->near_blocks, &box, &at));)
        for (int k = n->first; k < n->end; k++)
            if (pv__boxes_meet(&box, &shape->blocks[k].box))
                find_in_block(world, c, body, shape, &shape->blocks[k], &box);
}

/// Returns the number of rounds in which a corner at a distance cannot touch.
static int rest_of(const pv_world *world, int corner, int body, double off) {
    double mine = pv__length(pv__particle_way(&world->matter.particles, corner));
    double turning =
        pv__abs(pv__body_spin_now(world, body)) * world->bodies.items[body].pixels->reach;
    double theirs = world->dt * (pv__length(pv__body_velocity_now(world, body)) + turning);
    return pv__rest_of_pair(off, mine + theirs, 1);
}

static pv__touch corner_in_body(const pv_world *world, int polygon, int body, const pv__strike *s) {
    const pv__particles *p = &world->matter.particles;
    return (pv__touch){
        .a = pv__matter_contact_of_particle(s->particle, polygon),
        .b = pv__matter_contact_of_body(body),
        .normal = pv__mul(-1, s->normal),
        .point = p->now[s->particle],
        .way = pv__particle_way(p, s->particle),
        .gap = -s->depth,
        .tangent_speed = world->bodies.items[body].tangent_speed,
    };
}

/// Finds the contacts of the polygon's corners with a body.
static void find_corners(const pv_world *world, crowd *c, pv__meet *m) {
    const pv__polygon *q = &world->matter.polygons[m->polygon];
    const pv__body *b = &world->bodies.items[m->other];
    int round = world->matter.polygon_room->round;
    pv__strike strikes[PV__POLY_CORNERS];
    if (m->due > round ||
        !pv__particle_find_strikes(world, m->other, q->corners, q->corner_count, strikes))
        return;
    m->due = round + PV__MOST_REST;
    for (int i = 0; i < q->corner_count; i++) {
        int rest =
            strikes[i].struck ? 0 : rest_of(world, q->corners[i], m->other, -strikes[i].depth);
        m->due = pv__sooner(m->due, round + rest);
        if (!strikes[i].struck || c->count == PV__TOUCHES) continue;
        pv__touch *t = &c->touches[c->count];
        *t = corner_in_body(world, m->polygon, m->other, &strikes[i]);
        if (!pv__polygon_sticks_out(world, m->polygon, q->corners[i], t->normal, m->other))
            continue;
        c->count++;
        t->material = pv__impulse_mix_materials(world, &q->material, &b->material);
    }
}

/// Drops the contacts of a passing polygon, and has it tested in each round until it is out.
static void let_through(const pv_world *world, crowd *c, pv__meet *m) {
    m->passage = pv__polygon_judge_crossing(world, m, c->touches, c->count);
    if (m->passage != PV__PASSING) return;
    c->count = 0;
    m->due = 0;
}

void pv__polygon_meet_body(pv_world *world, pv__meet *m) {
    const pv__body *b = &world->bodies.items[m->other];
    const pv__shape *shape = pv__particle_shape_of(b);
    crowd c = {world->matter.polygon_room->touches, m->polygon, 0};
    if (!shape) return;
    find_corners(world, &c, m);
    if (shape->circle_radius > 0) {
        disc d = disc_on(world, m->other, shape->circle_center, shape->circle_radius);
        find_any(world, &c, &d);
    } else {
        find_vertices(world, &c, m->other, shape);
    }
    if (pv__body_is_one_way(b)) let_through(world, &c, m);
    pv__polygon_solve(world, c.touches, c.count);
}
