/* collide_convex.c - manifolds of discs and convex polygons, by formula.
 *
 * Invariant: the axis of a manifold is the one along which the bodies stay farthest apart until the
 * next update. So a body that slides over the joint of two flush tiles does not catch on their
 * corners. A body that is about to pass by is not touched.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/collide.h"
#include "shape/distance_field.h"

/// Advantage of the second body's face from which it is preferred to the first body's [px]
static const double PREFER_FIRST = 1e-3;

/// Cosine from which two places of a contour in front of a disc have the same direction
static const double SAME_DIRECTION = 0.95;
enum { MOST_APPROACHES = 4 };

/// Shape in a pose, relative to the first body's center
typedef struct figure {
    const pv__body *body;
    const pv__shape *shape;
    /// Center of the body; one of both is at the origin [px]
    pv_vec2 center;
    /// Center of the disc, if it is one
    pv_vec2 disc;
    int count;
    pv_vec2 corner[PV__CORNERS],
        /// Normal i is that of the side from corner i to the next
        normal[PV__CORNERS];
} figure;

static pv_vec2 collide_convex_place(const figure *f, pv_vec2 at) {
    return pv__add(f->center, pv__rotate(f->body->pose.turn, pv__sub(at, f->body->pixels->pivot)));
}

static void fill_figure(figure *f, const pv__body *b, pv_vec2 center) {
    f->body = b;
    f->shape = b->pixels->shape;
    f->center = center;
    f->disc = collide_convex_place(f, b->pixels->shape->circle_center);
    f->count = b->pixels->shape->circle_radius > 0 ? 0 : b->pixels->shape->corner_count;
    for (int i = 0; i < f->count; i++) {
        f->corner[i] = collide_convex_place(f, b->pixels->shape->corners[i]);
        f->normal[i] = pv__rotate(b->pose.turn, b->pixels->shape->sides[i].normal);
    }
}

/// Point of a manifold: its place on each surface, from the first body's center
typedef struct collide_convex_spot {
    /// Places on both surfaces, and normal from a to b
    pv_vec2 on_a, on_b, normal;
    double radius_a, radius_b;
    int key;
} collide_convex_spot;

static void collide_convex_emit(pv__manifold *m, const figure *a, const figure *b,
                                const collide_convex_spot *s) {
    pv_vec2 anchor_a = pv__mad(s->on_a, -s->radius_a, s->normal),
            anchor_b = pv__mad(s->on_b, s->radius_b, s->normal);
    m->points[m->count++] = (pv__contact_point){
        .anchor_a = pv__unrotate(a->body->pose.turn, pv__sub(anchor_a, a->center)),
        .anchor_b = pv__unrotate(b->body->pose.turn, pv__sub(anchor_b, b->center)),
        .radius_a = s->radius_a,
        .radius_b = s->radius_b,
        .normal = s->normal,
        .gap = pv__dot(pv__sub(s->on_b, s->on_a), s->normal),
        .key = s->key,
    };
}

/// Relative motion of one figure's points until the next update, as displacement at the origin and
/// as turn
typedef struct collide_convex_drift {
    /// Displacement of the point at the origin [px]
    pv_vec2 way;
    /// Turn [rad]
    double turn;
} collide_convex_drift;

/// Returns the displacement of a figure's point at the origin in a time [px].
static pv_vec2 way_at_origin(const figure *f, double ahead) {
    return pv__mul(ahead, pv__mad(f->body->velocity, -f->body->spin, pv__perp(f->center)));
}

/// Returns the motion of q's points relative to p.
static collide_convex_drift drift_past(const figure *p, const figure *q, double ahead) {
    return (collide_convex_drift){pv__sub(way_at_origin(q, ahead), way_at_origin(p, ahead)),
                                  ahead * (q->body->spin - p->body->spin)};
}

/// Returns the displacement of a point [px].
static pv_vec2 drift_at(const collide_convex_drift *d, pv_vec2 at) {
    return pv__mad(d->way, d->turn, pv__perp(at));
}

/// Returns the fraction of a displacement at which a point comes as near to the origin as radius.
/// The point starts at from and moves along way. For a point that never gets so near it is the
/// nearest place. It is 0 if the point is already nearer, or moves away.
static double collide_convex_time_of_touch(pv_vec2 from, pv_vec2 way, double radius) {
    double a = pv__dot(way, way), b = pv__dot(from, way), c = pv__dot(from, from) - radius * radius;
    double root = b * b - a * c;
    if (c <= 0 || b >= 0) return 0;
    return pv__min(1, root >= 0 ? c / (sqrt(root) - b) : -b / a);
}

/* ---- two discs ---- */

static void meet_discs(pv__manifold *m, const figure *a, const figure *b, double ahead,
                       double reach) {
    double ra = a->shape->circle_radius, rb = b->shape->circle_radius;
    pv_vec2 apart = pv__sub(b->disc, a->disc);
    m->clearance = pv__length(apart) - ra - rb;
    if (m->clearance > reach) return;
    pv_vec2 way = pv__mul(ahead, pv__sub(b->body->velocity, a->body->velocity));
    pv_vec2 then = pv__mad(apart, collide_convex_time_of_touch(apart, way, ra + rb), way);
    double length = pv__length(then);
    pv_vec2 n = length > 0 ? pv__mul(1.0 / length, then) : pv__vec(0, -1);
    collide_convex_emit(
        m, a, b,
        &(collide_convex_spot){pv__mad(a->disc, ra, n), pv__mad(b->disc, -rb, n), n, ra, rb, 1});
}

/* ---- a polygon p and a disc q ---- */

/// Axis from a polygon to a disc, and its start on the polygon
typedef struct axis {
    pv_vec2 normal, from;
    /// Current gap, and least gap until the next update [px]
    double gap, later;
    int key;
} axis;

static void consider(axis *best, axis other) {
    if (other.later > best->later) *best = other;
}

/// Corner, and the normals of its sides
typedef struct corner {
    pv_vec2 at, first, last;
} corner;

/// Clamps a normal to the range between the normals of a corner's sides; beyond it a side touches.
static pv_vec2 collide_convex_between(const corner *c, pv_vec2 n) {
    if (pv__cross(n, c->last) < 0) return c->last;
    return pv__cross(c->first, n) < 0 ? c->first : n;
}

/// Returns the axis from a corner to a disc that starts at the offset from and moves along way. It
/// is the axis at the touch if they will touch.
static axis towards(const corner *c, pv_vec2 from, double distance, double radius, pv_vec2 way,
                    int key) {
    pv_vec2 at = pv__mad(from, collide_convex_time_of_touch(from, way, radius), way);
    double then = pv__length(at);
    pv_vec2 n = collide_convex_between(c, then > 0 ? pv__mul(1.0 / then, at)
                                                   : pv__mul(1.0 / distance, from));
    double gap = pv__dot(from, n) - radius;
    return (axis){n, c->at, gap, gap + pv__min(0, pv__dot(way, n)), key};
}

static axis part_disc(const figure *p, const figure *q, double ahead) {
    double radius = q->shape->circle_radius;
    collide_convex_drift past = drift_past(p, q, ahead);
    pv_vec2 way = drift_at(&past, q->disc);
    axis best = {.later = -INFINITY};
    for (int i = 0; i < p->count; i++) {
        pv_vec2 n = p->normal[i], from = pv__sub(q->disc, p->corner[i]);
        double gap = pv__dot(from, n) - radius;
        consider(&best, (axis){n, pv__mad(q->disc, -radius - gap, n), gap,
                               gap + pv__min(0, pv__dot(way, n)), i + 1});
        double distance = pv__length(from);
        corner c = {p->corner[i], p->normal[(i + p->count - 1) % p->count], n};
        bool nearest = pv__cross(n, from) < 0 && pv__cross(c.first, from) > 0;
        if (distance > 0 && nearest)
            consider(&best, towards(&c, from, distance, radius, way, PV__CORNERS + 1 + i));
    }
    return best;
}

static void meet_disc(pv__manifold *m, const figure *p, const figure *q, double ahead, double reach,
                      bool swapped) {
    axis x = part_disc(p, q, ahead);
    double radius = q->shape->circle_radius;
    m->clearance = x.gap;
    if (x.gap > reach) return;
    collide_convex_spot s = {x.from, pv__mad(q->disc, -radius, x.normal), x.normal, 0, radius,
                             x.key};
    if (!swapped) {
        collide_convex_emit(m, p, q, &s);
        return;
    }
    collide_convex_emit(
        m, q, p, &(collide_convex_spot){s.on_b, s.on_a, pv__mul(-1, s.normal), radius, 0, s.key});
}

/* ---- two polygons ---- */

/// Conditions for a contact of two corners. CORNERS_NEAR: greatest distance of the corners [px].
/// EVEN: greatest difference of the gaps of both sides [px]. FACING: length of the difference of
/// both sides' outward normals above which the sides face each other. AWAY: length below which the
/// sides point in nearly the same direction.
static const double CORNERS_NEAR = 0.7, EVEN = 0.3, FACING = 1.97, AWAY = 0.2;

/// Returns the distance of corner k of q in front of a side of p [px].
static double collide_convex_before(const figure *p, int side, const figure *q, int k) {
    return pv__dot(p->normal[side], pv__sub(q->corner[k], p->corner[side]));
}

/// Returns the axis along the normal of a side of p, with q's distance, and finds the corner of q
/// nearest to the side.
static axis part_by_side(const figure *p, const figure *q, int side,
                         const collide_convex_drift *past, int *nearest) {
    pv_vec2 n = p->normal[side];
    double gap = INFINITY, later = INFINITY, way = pv__dot(past->way, n);
    for (int k = 0; k < q->count; k++) {
        double d = collide_convex_before(p, side, q, k);
        if (!(gap < d)) gap = d, *nearest = k;
        if (d > gap + 4) continue; /* never the nearest */
        later = pv__min(later, d + pv__min(0, way + past->turn * pv__cross(q->corner[k], n)));
    }
    return (axis){n, p->corner[side], gap, later, side};
}

/// Returns the side of p with the greatest distance of q's center in front of it.
static int side_towards(const figure *p, const figure *q) {
    int best = 0;
    double most = -INFINITY;
    for (int i = 0; i < p->count; i++) {
        double d = pv__dot(p->normal[i], pv__sub(q->center, p->corner[i]));
        if (d > most) most = d, best = i;
    }
    return best;
}

/// Returns the side of p with the greatest distance from q. Most sides are skipped, because one
/// corner of q is nearer to them than the result for a likely side.
static axis part_polygons(const figure *p, const figure *q, const collide_convex_drift *past) {
    int likely = side_towards(p, q), nearest = 0, unused;
    const axis first = part_by_side(p, q, likely, past, &nearest);
    axis best = {.later = -INFINITY};
    for (int i = 0; i < p->count; i++)
        if (i == likely)
            consider(&best, first);
        else if (!(collide_convex_before(p, i, q, nearest) < first.later))
            consider(&best, part_by_side(p, q, i, past, &unused));
    return best;
}

/// Returns the side of q whose normal is most opposite to n.
static int incident_side(const figure *q, pv_vec2 n) {
    int best = 0;
    for (int i = 1; i < q->count; i++)
        if (pv__dot(q->normal[i], n) < pv__dot(q->normal[best], n)) best = i;
    return best;
}

/// Adds both ends of the part of q's side in front of p's side, with a tolerance slack.
static void collide_convex_clip(pv__manifold *m, const figure *p, const figure *q, const axis *x,
                                double reach, double slack, bool swapped) {
    int side = incident_side(q, x->normal);
    pv_vec2 along = pv__vec(-x->normal.y, x->normal.x), first = p->corner[x->key];
    pv_vec2 ends[2] = {q->corner[side], q->corner[(side + 1) % q->count]};
    double length = pv__dot(pv__sub(p->corner[(x->key + 1) % p->count], first), along);
    double low = pv__min(0, length) - slack, high = pv__max(0, length) + slack;
    double t0 = pv__dot(pv__sub(ends[0], first), along),
           t1 = pv__dot(pv__sub(ends[1], first), along);
    if (pv__max(t0, t1) < low || pv__min(t0, t1) > high) return;
    for (int i = 0; i < 2; i++) {
        double t = i ? t1 : t0, to = pv__clamp(t, low, high);
        if (to != t && t0 == t1) continue;
        pv_vec2 on_q = to == t ? ends[i] : pv__lerp(ends[0], ends[1], (to - t0) / (t1 - t0));
        double gap = pv__dot(pv__sub(on_q, first), x->normal);
        pv_vec2 on_p = pv__mad(on_q, -gap, x->normal);
        int key = 1 + (((swapped ? 1 : 0) * PV__CORNERS + x->key) * PV__CORNERS + side) * 2 + i;
        if (gap > reach) continue;
        if (swapped)
            collide_convex_emit(
                m, q, p, &(collide_convex_spot){on_q, on_p, pv__mul(-1, x->normal), 0, 0, key});
        else
            collide_convex_emit(m, p, q, &(collide_convex_spot){on_p, on_q, x->normal, 0, 0, key});
    }
}

/// Returns the corner of q that is farthest against n.
static int nearest_corner(const figure *q, pv_vec2 n) {
    int best = 0;
    for (int i = 1; i < q->count; i++)
        if (pv__dot(q->corner[i], n) < pv__dot(q->corner[best], n)) best = i;
    return best;
}

/// Adds a contact of two corners along the mean of both sides' normals, so that neither side is
/// preferred. Returns false unless two corners touch.
static bool meet_corners(pv__manifold *m, const figure *a, const figure *b, const axis *of_a,
                         const axis *of_b) {
    pv_vec2 sum = pv__sub(of_a->normal, of_b->normal);
    double length = pv__length(sum);
    if (pv__abs(of_a->gap - of_b->gap) > EVEN || length > FACING || length < AWAY) return false;
    int on_b = nearest_corner(b, of_a->normal), on_a = nearest_corner(a, of_b->normal);
    pv_vec2 p = a->corner[on_a], q = b->corner[on_b], apart = pv__sub(q, p),
            n = pv__mul(1 / length, sum);
    if (pv__length(apart) > CORNERS_NEAR) return false;
    int key = 1 + (2 * PV__CORNERS + on_a) * PV__CORNERS * 2 + on_b;
    double gap = m->clearance / pv__dot(n, of_a->normal); /* as the sides leave along n */
    pv_vec2 middle = pv__lerp(p, q, 0.5);
    collide_convex_emit(m, a, b,
                        &(collide_convex_spot){pv__mad(middle, -0.5 * gap, n),
                                               pv__mad(middle, 0.5 * gap, n), n, 0, 0, key});
    return true;
}

static void collide_convex_meet_polygons(pv__manifold *m, const figure *a, const figure *b,
                                         double ahead, double reach, double slack) {
    collide_convex_drift of_b_past_a = drift_past(a, b, ahead),
                         of_a_past_b = drift_past(b, a, ahead);
    axis of_a = part_polygons(a, b, &of_b_past_a), of_b = part_polygons(b, a, &of_a_past_b);
    bool swapped = of_b.later > of_a.later + PREFER_FIRST;
    m->clearance = pv__max(of_a.gap, of_b.gap);
    if (m->clearance > reach) return;
    if (meet_corners(m, a, b, &of_a, &of_b)) return;
    if (swapped)
        collide_convex_clip(m, b, a, &of_b, reach, slack, true);
    else
        collide_convex_clip(m, a, b, &of_a, reach, slack, false);
}

/* ---- a contour p and a disc q ---- */

/// Places of a contour that are nearer to a disc's center than their neighbors
typedef struct approaches {
    axis of[MOST_APPROACHES];
    int count;
} approaches;

/// Adds a place, and keeps the nearest place of each direction.
static void approach(approaches *list, axis x) {
    for (int i = 0; i < list->count; i++)
        if (pv__dot(list->of[i].normal, x.normal) > SAME_DIRECTION) {
            if (x.gap < list->of[i].gap) list->of[i] = x;
            return;
        }
    if (list->count < MOST_APPROACHES) list->of[list->count++] = x;
}

/// Adds the vertex at the end of an edge if the center is beyond it. The next edge must not face
/// the center.
static void look_at_end(const pv__shape *p, int i, pv_vec2 center, double radius, double reach,
                        pv_vec2 way, approaches *list) {
    const pv__vertex *v = &p->vertices[i];
    pv_vec2 from = pv__sub(center, v->at);
    double distance = pv__length(from);
    if (distance - radius > reach || distance == 0) return;
    if (pv__dot(from, pv__sub(p->vertices[v->next].at, v->at)) >= 0) return;
    corner c = {v->at, v->first, v->last};
    approach(list, towards(&c, from, distance, radius, way, 2 * i + 2));
}

/// Adds the edge that starts at a vertex, or its end, if it faces the center; all in p's picture.
static void look_at_edge(const pv__shape *p, int i, pv_vec2 center, double radius, double reach,
                         pv_vec2 way, approaches *list) {
    const pv__vertex *v = &p->vertices[i];
    pv_vec2 from = pv__sub(center, v->at), edge = pv__sub(p->vertices[v->next].at, v->at);
    double gap = pv__dot(from, v->last), t = pv__dot(from, edge);
    if (t > pv__dot(edge, edge))
        look_at_end(p, v->next, center, radius, reach, way, list);
    else if (t >= 0 && gap > 0 && gap - radius <= reach)
        approach(list, (axis){v->last, pv__mad(center, -gap, v->last), gap - radius, 0, 2 * i + 1});
}

static void look_around(const pv__shape *p, pv_vec2 center, double radius, double reach,
                        pv_vec2 way, approaches *list) {
    double most = radius + reach + 4; /* an edge may be a little longer than a block's box shows */
    pv_box near = {{center.x - most, center.y - most}, {center.x + most, center.y + most}};
    int at = 0;
    for (const pv__node *n; (n = pv__shape_tree_next(&p->near_blocks, &near, &at));)
        for (int k = n->first; k < n->end; k++) {
            const pv__block *b = &p->blocks[k];
            if (!pv__boxes_meet(&near, &b->box) && b->end - b->first > 1) continue;
            for (int i = b->first; i < b->end; i++)
                look_at_edge(p, i, center, radius, reach, way, list);
        }
}

/// Returns a point of the world about the body's center as a point of its picture.
static pv_vec2 collide_convex_into(const pv__body *p, pv_vec2 at) {
    return pv__add(p->pixels->pivot, pv__unrotate(p->pose.turn, at));
}
/// Returns a point of the picture as a point of the world about the body's center.
static pv_vec2 out_of(const pv__body *p, pv_vec2 at) {
    return pv__rotate(p->pose.turn, pv__sub(at, p->pixels->pivot));
}

/// Adds all places of a contour p in front of a disc q, about p's center.
static void meet_contour(pv__manifold *m, const figure *p, const figure *q, double ahead,
                         double reach, bool swapped) {
    double radius = q->shape->circle_radius;
    collide_convex_drift past = drift_past(p, q, ahead);
    pv_vec2 way = pv__unrotate(p->body->pose.turn, drift_at(&past, q->disc));
    approaches list = {.count = 0};
    look_around(p->shape, collide_convex_into(p->body, q->disc), radius, reach, way, &list);
    m->clearance = pv__min(m->clearance, reach); /* greater distances were not searched */
    for (int i = 0; i < list.count; i++) {
        pv_vec2 n = pv__rotate(p->body->pose.turn, list.of[i].normal),
                from = out_of(p->body, list.of[i].from);
        collide_convex_spot s = {from, pv__mad(q->disc, -radius, n), n, 0, radius, list.of[i].key};
        m->clearance = pv__min(m->clearance, list.of[i].gap);
        if (swapped)
            collide_convex_emit(
                m, q, p, &(collide_convex_spot){s.on_b, s.on_a, pv__mul(-1, n), radius, 0, s.key});
        else
            collide_convex_emit(m, p, q, &s);
    }
}

/// Tells whether a point of p's picture is inside its contour.
static bool collide_convex_is_inside(const pv__shape *p, pv_vec2 at) {
    const pv_box *box = &p->box;
    return at.x > box->min.x && at.y > box->min.y && at.x < box->max.x && at.y < box->max.y &&
           pv__field_at(p, at, NULL) < 0;
}

static void collide_convex_meet(pv__manifold *m, const figure *a, const figure *b, double ahead,
                                double reach) {
    if (a->count == 0 && b->count == 0)
        meet_discs(m, a, b, ahead, reach);
    else if (b->count == 0)
        meet_disc(m, a, b, ahead, reach, false);
    else if (a->count == 0)
        meet_disc(m, b, a, ahead, reach, true);
    else
        collide_convex_meet_polygons(m, a, b, ahead, reach, pv__min(1, reach - 1));
}

bool pv__collide_convex(const pv_world *world, pv__manifold *m, double ahead, double reach) {
    const pv__body *a = &world->bodies.items[m->a], *b = &world->bodies.items[m->b];
    bool exact_a = pv__shape_is_exact(a->pixels->shape),
         exact_b = pv__shape_is_exact(b->pixels->shape),
         disc_a = a->pixels->shape->circle_radius > 0, disc_b = b->pixels->shape->circle_radius > 0;
    if (!(exact_a && exact_b) && !disc_a && !disc_b) return false;
    figure p, q;
    pv_vec2 apart = pv__sub(b->pose.center, a->pose.center);
    fill_figure(&p, a, disc_a && !exact_b ? pv__mul(-1, apart) : pv__vec(0, 0));
    fill_figure(&q, b, disc_a && !exact_b ? pv__vec(0, 0) : apart);
    if (exact_a && exact_b)
        collide_convex_meet(m, &p, &q, ahead, reach);
    else if (disc_b && !collide_convex_is_inside(a->pixels->shape, collide_convex_into(a, q.disc)))
        meet_contour(m, &p, &q, ahead, reach, false);
    else if (disc_a && !collide_convex_is_inside(b->pixels->shape, collide_convex_into(b, p.disc)))
        meet_contour(m, &q, &p, ahead, reach, true);
    else
        return false;
    return true;
}
