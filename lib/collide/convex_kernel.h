/* convex_kernel.h - manifolds of discs and convex polygons by formula, compiled once for each
 * instruction set.
 *
 * Invariant: the axis of a manifold is the one along which the bodies stay farthest apart until the
 * next update. So a body that slides over the joint of two flush tiles does not catch on their
 * corners. A body that is about to pass by is not touched. There is no guard, as each kernel
 * includes this file once.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/duo.h"
#include "collide/collide.h"
#include "core/simd.h"
#include "shape/distance_field.h"

/// Lead in gap from which the second body's face is preferred to the first body's [px]
static const double PREFER_FIRST = 1e-3;

/// Cosine above which two places of a contour in front of a disc count as one direction
static const double SAME_DIRECTION = 0.95;
enum { MOST_APPROACHES = 4 };

/// Returns the four numbers at a place of an array.
INLINE pv__four four_at(const double *place) { return *(const pv__four *)place; }
/// Stores four numbers at a place of an array.
INLINE void four_put(double *place, pv__four x) { *(pv__four *)place = x; }

/// Shape in a pose, relative to the center of one of the two bodies
typedef struct figure {
    const pv__body *body;
    const pv__shape *shape;
    /// Center of the body [px]; that of one figure is the origin
    pv_vec2 center;
    /// Center of the disc, if it is one
    pv_vec2 disc;
    int count;
    pv__columns corners;
} figure;

static LANES pv_vec2 collide_convex_place(const figure *f, pv_vec2 at) {
    return pv__add(f->center, pv__rotate(f->body->pose.turn, pv__sub(at, f->body->pixels->pivot)));
}

static LANES void place_corners(figure *f) {
    const pv__columns *from = &f->shape->corners;
    pv_rotation turn = f->body->pose.turn;
    pv_vec2 pivot = f->body->pixels->pivot, center = f->center;
    for (int i = 0, count = f->count; i < count; i += 4) {
        pv__four x = four_at(&from->x[i]) - pivot.x, y = four_at(&from->y[i]) - pivot.y;
        four_put(&f->corners.x[i], center.x + (turn.c * x - turn.s * y));
        four_put(&f->corners.y[i], center.y + (turn.s * x + turn.c * y));
    }
}

INLINE void fill_figure(figure *f, const pv__body *b, pv_vec2 center) {
    f->body = b;
    f->shape = b->pixels->shape;
    f->center = center;
    f->count = 0;
    if (f->shape->circle_radius > 0) {
        f->disc = collide_convex_place(f, f->shape->circle_center);
    } else {
        f->count = f->shape->corner_count;
        place_corners(f);
    }
}

static LANES pv_vec2 figure_corner(const figure *f, int i) {
    return pv__columns_at(&f->corners, i);
}

/// Converts an offset from the body's center in world axes to a point of its picture.
static LANES pv_vec2 into(const pv__body *p, pv_vec2 at) {
    return pv__add(p->pixels->pivot, pv__unrotate(p->pose.turn, at));
}

static LANES int corner_next(const figure *f, int i) { return i + 1 < f->count ? i + 1 : 0; }
static LANES int corner_previous(const figure *f, int i) { return i > 0 ? i - 1 : f->count - 1; }

/// Converts a point to the figure's picture.
static LANES pv_vec2 figure_picture(const figure *f, pv_vec2 at) {
    return into(f->body, pv__sub(at, f->center));
}

/// Returns the normal of the side from corner i to the next.
static LANES pv_vec2 figure_normal(const figure *f, int i) {
    return pv__rotate(f->body->pose.turn, pv__columns_at(&f->shape->normals, i));
}

/// Point of a manifold: its place on each surface, from the figures' origin
typedef struct spot {
    /// Places on both surfaces, and normal from a to b
    pv_vec2 on_a, on_b, normal;
    double radius_a, radius_b;
    int key;
} spot;

/// Adds a point by its places on both bodies.
static LANES pv__contact_point *put_point(pv__manifold *m, pv_vec2 anchor_a, pv_vec2 anchor_b,
                                          pv_vec2 normal, double gap, int key) {
    pv__contact_point *p = &m->points[m->count++];
    p->anchor_a = anchor_a;
    p->anchor_b = anchor_b;
    p->normal = normal;
    p->gap = gap;
    p->key = key;
    p->impulse_n = p->impulse_t = p->impulse_roll = 0;
    p->radius_a = p->radius_b = 0;
    p->slides = false;
    return p;
}

static LANES void emit(pv__manifold *m, const figure *a, const figure *b, const spot *s) {
    pv_vec2 center_a = pv__mad(s->on_a, -s->radius_a, s->normal),
            center_b = pv__mad(s->on_b, s->radius_b, s->normal);
    pv__contact_point *p =
        put_point(m, pv__unrotate(a->body->pose.turn, pv__sub(center_a, a->center)),
                  pv__unrotate(b->body->pose.turn, pv__sub(center_b, b->center)), s->normal,
                  pv__dot(pv__sub(s->on_b, s->on_a), s->normal), s->key);
    p->radius_a = s->radius_a;
    p->radius_b = s->radius_b;
}

/// Relative motion of one figure's points until the next update: displacement at the origin and
/// turn
typedef struct collide_convex_drift {
    /// Displacement of the point at the origin [px]
    pv_vec2 way;
    /// Turn [rad]
    double turn;
} collide_convex_drift;

/// Returns the displacement of a figure's point at the origin in a time [px].
static LANES pv_vec2 way_at_origin(const figure *f, double ahead) {
    return pv__mul(ahead, pv__mad(f->body->velocity, -f->body->spin, pv__perp(f->center)));
}

/// Returns the motion of q's points relative to p.
static LANES collide_convex_drift drift_past(const figure *p, const figure *q, double ahead) {
    return (collide_convex_drift){pv__sub(way_at_origin(q, ahead), way_at_origin(p, ahead)),
                                  ahead * (q->body->spin - p->body->spin)};
}

/// Returns the displacement of a point [px].
static LANES pv_vec2 drift_at(const collide_convex_drift *d, pv_vec2 at) {
    return pv__mad(d->way, d->turn, pv__perp(at));
}

/// Returns the fraction of the displacement way at which a point that starts at from comes as near
/// to the origin as radius. If it never gets so near, this is the fraction at the nearest place. It
/// is 0 if the point is already nearer, or moves away.
static LANES double time_of_touch(pv_vec2 from, pv_vec2 way, double radius) {
    double a = pv__dot(way, way), b = pv__dot(from, way), c = pv__dot(from, from) - radius * radius;
    double root = b * b - a * c;
    if (c <= 0 || b >= 0) return 0;
    return pv__min(1, root >= 0 ? c / (sqrt(root) - b) : -b / a);
}

/* ---- two discs ---- */

static LANES void meet_discs(pv__manifold *m, const figure *a, const figure *b, double ahead,
                             double near) {
    double ra = a->shape->circle_radius, rb = b->shape->circle_radius;
    pv_vec2 apart = pv__sub(b->disc, a->disc);
    m->clearance = pv__length(apart) - ra - rb;
    if (m->clearance > near) return;
    pv_vec2 way = pv__mul(ahead, pv__sub(b->body->velocity, a->body->velocity));
    pv_vec2 then = pv__mad(apart, time_of_touch(apart, way, ra + rb), way);
    double length = pv__length(then);
    pv_vec2 n = length > 0 ? pv__mul(1.0 / length, then) : pv__vec(0, -1);
    emit(m, a, b, &(spot){pv__mad(a->disc, ra, n), pv__mad(b->disc, -rb, n), n, ra, rb, 1});
}

/* ---- a polygon p and a disc q ---- */

/// Adds a point of p at a place, with a normal towards the disc q.
static LANES void emit_disc(pv__manifold *m, const figure *p, const figure *q, pv_vec2 from,
                            pv_vec2 normal, int key, bool swapped) {
    double radius = q->shape->circle_radius;
    pv_vec2 on_q = pv__mad(q->disc, -radius, normal);
    if (swapped)
        emit(m, q, p, &(spot){on_q, from, pv__mul(-1, normal), radius, 0, key});
    else
        emit(m, p, q, &(spot){from, on_q, normal, 0, radius, key});
}

/// Axis from a polygon to a disc, and its start on the polygon
typedef struct axis {
    pv_vec2 normal, from;
    /// Current gap, and least gap until the next update [px]
    double gap, later;
    int key;
} axis;

static LANES void consider(axis *best, axis other) {
    if (other.later > best->later) *best = other;
}

/// Corner, and the normals of its sides
typedef struct corner {
    pv_vec2 at, first, last;
} corner;

/// Clamps a normal to the range between the normals of a corner's sides; beyond it a side touches.
static LANES pv_vec2 collide_convex_between(const corner *c, pv_vec2 n) {
    if (pv__cross(n, c->last) < 0) return c->last;
    return pv__cross(c->first, n) < 0 ? c->first : n;
}

/// Returns the axis from a corner to a disc that starts at the offset from and moves along way. It
/// is the axis at the touch if they will touch.
static LANES axis towards(const corner *c, pv_vec2 from, double distance, double radius,
                          pv_vec2 way, int key) {
    pv_vec2 at = pv__mad(from, time_of_touch(from, way, radius), way);
    double then = pv__length(at);
    pv_vec2 n = collide_convex_between(c, then > 0 ? pv__mul(1.0 / then, at)
                                                   : pv__mul(1.0 / distance, from));
    double gap = pv__dot(from, n) - radius;
    return (axis){n, c->at, gap, gap + pv__min(0, pv__dot(way, n)), key};
}

static LANES axis part_disc(const figure *p, const figure *q, double ahead) {
    double radius = q->shape->circle_radius;
    collide_convex_drift past = drift_past(p, q, ahead);
    pv_vec2 way = drift_at(&past, q->disc);
    axis best = {.later = -INFINITY};
    pv_vec2 last = figure_normal(p, p->count - 1);
    for (int i = 0; i < p->count; i++) {
        pv_vec2 n = figure_normal(p, i), at = figure_corner(p, i), from = pv__sub(q->disc, at);
        double gap = pv__dot(from, n) - radius;
        consider(&best, (axis){n, pv__mad(q->disc, -radius - gap, n), gap,
                               gap + pv__min(0, pv__dot(way, n)), i + 1});
        double distance = pv__length(from);
        corner c = {at, last, n};
        bool nearest = pv__cross(n, from) < 0 && pv__cross(c.first, from) > 0;
        if (distance > 0 && nearest)
            consider(&best, towards(&c, from, distance, radius, way, PV__CORNERS + 1 + i));
        last = n;
    }
    return best;
}

static LANES void meet_disc(pv__manifold *m, const figure *p, const figure *q, double ahead,
                            double near, bool swapped) {
    axis x = part_disc(p, q, ahead);
    m->clearance = x.gap;
    if (x.gap > near) return;
    emit_disc(m, p, q, x.from, x.normal, x.key, swapped);
}

/* ---- two polygons ---- */

/// Conditions for a contact of two corners. CORNERS_NEAR: greatest distance of the corners [px].
/// EVEN: greatest difference of the gaps of both sides [px]. FACING: length of the difference of
/// both sides' outward normals above which the sides face each other. AWAY: length below which the
/// sides point in nearly the same direction.
static const double CORNERS_NEAR = 0.7;
static const double EVEN = 0.3;
static const double FACING = 1.97;
static const double AWAY = 0.2;

/// Bound of the rounding error of two distances to the same side [px]
static const double SURE = 1e-6;

static LANES double least_of(pv__four x) {
    return pv__min(pv__min(x[0], x[2]), pv__min(x[1], x[3]));
}

/// Returns the index of the first number that equals the number one, or 0 without any.
static LANES int index_of(const double *numbers, int count, double one) {
    unsigned set = 0;
    for (int i = 0; i < count; i += 4)
        set |= simd_bits(simd_eq(four_at(&numbers[i]), simd_each(one))) << i;
    return set ? __builtin_ctz(set) : 0;
}

/// Side of a polygon with the other one's corner nearest to it
typedef struct parting {
    /// Current gap along the side's normal, and least gap until the next update [px]
    double gap, later;
    int side, nearest;
} parting;

/// Returns the gap of q along the normal of a side of p.
INLINE parting part_by_side(const figure *p, const figure *q, int side,
                            const collide_convex_drift *past) {
    pv_vec2 n = figure_normal(p, side), from = figure_corner(p, side);
    double way = pv__dot(past->way, n), turn = past->turn, gaps[PV__CORNERS];
    pv__four zero = simd_each(0), least = simd_each(INFINITY), later = least;
    int count = q->count;
    for (int i = 0; i < count; i += 4) {
        pv__four x = four_at(&q->corners.x[i]), y = four_at(&q->corners.y[i]);
        pv__four gap = n.x * (x - from.x) + n.y * (y - from.y);
        pv__four moves = way + turn * (x * n.y - y * n.x);
        four_put(&gaps[i], gap);
        least = smaller(least, gap);
        later = smaller(later, gap + smaller(zero, moves));
    }
    double gap = least_of(least);
    return (parting){gap, least_of(later), side, index_of(gaps, count, gap)};
}

/// Returns how far a point of p's picture is behind a side of p, and behind the next three.
INLINE pv__four behind(const pv__shape *p, int side, pv_vec2 point) {
    return four_at(&p->normals.x[side]) * (four_at(&p->corners.x[side]) - point.x) +
           four_at(&p->normals.y[side]) * (four_at(&p->corners.y[side]) - point.y);
}

/// Returns the side of a polygon that a point of its picture is farthest in front of.
INLINE int side_towards(const pv__shape *p, pv_vec2 point) {
    double distances[PV__CORNERS];
    pv__four least = simd_each(INFINITY);
    int count = p->corner_count;
    for (int i = 0; i < count; i += 4) {
        pv__four some = behind(p, i, point);
        four_put(&distances[i], some);
        least = smaller(least, some);
    }
    return index_of(distances, count, least_of(least));
}

/// Returns the greatest distance of a polygon's corner from its body's center, along a direction of
/// its picture.
static LANES double extent_along(const pv__body *p, pv_vec2 n) {
    const pv__columns *at = &p->pixels->shape->corners;
    pv__four most = simd_each(-INFINITY);
    for (int i = 0; i < p->pixels->shape->corner_count; i += 4)
        most = simd_larger(most, n.x * four_at(&at->x[i]) + n.y * four_at(&at->y[i]));
    return -least_of(-most) - pv__dot(n, p->pixels->pivot);
}

static LANES double convex_gap(const pv__body *a, const pv__body *b, pv_vec2 apart,
                               pv_rotation turn_a, pv_rotation turn_b) {
    const pv__shape *p = a->pixels->shape, *q = b->pixels->shape;
    if (p->corner_count == 0 || q->corner_count == 0) return -INFINITY;
    pv_vec2 center = pv__add(a->pixels->pivot, pv__unrotate(turn_a, apart));
    int side = side_towards(p, center);
    pv_vec2 normal = pv__columns_at(&p->normals, side), n = pv__rotate(turn_a, normal);
    double distance = pv__dot(normal, pv__sub(center, pv__columns_at(&p->corners, side)));
    return distance - extent_along(b, pv__unrotate(turn_b, pv__mul(-1, n)));
}

/// Returns the set of sides of p that have both neighbors of a corner of q at least that far in
/// front of them.
INLINE unsigned sides_behind(const figure *p, const figure *q, int at, double least) {
    pv_vec2 after = figure_picture(p, figure_corner(q, corner_next(q, at))),
            before = figure_picture(p, figure_corner(q, corner_previous(q, at)));
    unsigned set = 0;
    for (int i = 0; i < p->count; i += 4) {
        pv__four nearer = simd_larger(behind(p->shape, i, after), behind(p->shape, i, before));
        set |= simd_bits(simd_ge(simd_each(-least), nearer)) << i;
    }
    return set & ((1u << p->count) - 1);
}

/// Finds the side of p with the greatest distance from q, the first of equal ones. On entry, best
/// is a likely one. Most sides are skipped, because q has a corner nearer to them than to best.
INLINE void part_polygons(const figure *p, const figure *q, const collide_convex_drift *past,
                          parting *best) {
    unsigned left = sides_behind(p, q, best->nearest, best->later - SURE) & ~(1u << best->side);
    for (; left; left &= left - 1) {
        parting other = part_by_side(p, q, __builtin_ctz(left), past);
        if (other.later > best->later || (other.later == best->later && other.side < best->side))
            *best = other;
    }
}

/// Returns the side of q whose normal is most opposite to n. It is one of the two sides at the
/// corner farthest against n, the first if they are equal.
static LANES int incident_side(const figure *q, int at, pv_vec2 n) {
    int other = corner_previous(q, at);
    int first = pv__sooner(at, other), last = pv__later(at, other);
    bool beyond = pv__dot(figure_normal(q, last), n) < pv__dot(figure_normal(q, first), n);
    return beyond ? last : first;
}

/// Two points, x and y apart
typedef struct two_points {
    pv__duo x, y;
} two_points;

/// Converts both points to anchors on a body: from its center, in its own rotation.
static LANES two_points anchors_on(const figure *f, two_points at) {
    pv_rotation turn = f->body->pose.turn;
    pv__duo x = at.x - f->center.x, y = at.y - f->center.y;
    return (two_points){turn.c * x + turn.s * y, turn.c * y - turn.s * x};
}

/// Returns the dot products of both points' offsets with n.
static LANES pv__duo heights(two_points at, two_points from, pv_vec2 n) {
    return n.x * (at.x - from.x) + n.y * (at.y - from.y);
}

static LANES pv__duo twice(double x) { return (pv__duo){x, x}; }

/// Clips q's side to the part in front of p's side with normal n, plus slack, and adds its ends.
static LANES void clip(pv__manifold *m, const figure *p, const figure *q, const parting *x,
                       pv_vec2 n, int side, double reach, double slack, bool swapped) {
    pv_vec2 start = figure_corner(p, x->side), from = figure_corner(q, side),
            to = figure_corner(q, corner_next(q, side));
    double length = pv__cross(n, pv__sub(figure_corner(p, corner_next(p, x->side)), start));
    double low = pv__min(0, length) - slack, high = pv__max(0, length) + slack;
    two_points first = {twice(start.x), twice(start.y)}, on_q = {{from.x, to.x}, {from.y, to.y}};
    pv__duo t = heights(on_q, first, pv__vec(-n.y, n.x));
    if (pv__max(t[0], t[1]) < low || pv__min(t[0], t[1]) > high) return;
    pv__duo held = pv__duo_max(twice(low), pv__duo_min(t, twice(high))),
            part = (held - t[0]) / (t[1] - t[0]);
    pv__which_duo whole = held == t;
    on_q.x = pv__duo_pick(whole, on_q.x, from.x + part * (to.x - from.x));
    on_q.y = pv__duo_pick(whole, on_q.y, from.y + part * (to.y - from.y));
    pv__duo gap = heights(on_q, first, n);
    int key = 1 + (((swapped ? 1 : 0) * PV__CORNERS + x->side) * PV__CORNERS + side) * 2;
    two_points on_p = {on_q.x - gap * n.x, on_q.y - gap * n.y};
    two_points at_p = anchors_on(p, on_p), at_q = anchors_on(q, on_q);
    pv__duo between = heights(on_q, on_p, n);
    pv_vec2 normal = swapped ? pv__mul(-1, n) : n;
    for (int i = 0; i < 2; i++) {
        if (gap[i] > reach || (!whole[i] && t[0] == t[1])) continue;
        pv_vec2 of_p = pv__vec(at_p.x[i], at_p.y[i]), of_q = pv__vec(at_q.x[i], at_q.y[i]);
        put_point(m, swapped ? of_q : of_p, swapped ? of_p : of_q, normal, between[i], key + i);
    }
}

/// Returns the corner of q that is farthest against n.
static LANES int nearest_corner(const figure *q, pv_vec2 n) {
    int best = 0;
    for (int i = 1; i < q->count; i++)
        if (pv__dot(figure_corner(q, i), n) < pv__dot(figure_corner(q, best), n)) best = i;
    return best;
}

/// Adds a contact of two corners along the mean of both sides' normals, so that neither side is
/// preferred. Returns false unless two corners touch.
static LANES bool meet_corners(pv__manifold *m, const figure *a, const figure *b, pv_vec2 normal_a,
                               pv_vec2 normal_b) {
    pv_vec2 sum = pv__sub(normal_a, normal_b);
    double length = pv__length(sum);
    if (length > FACING || length < AWAY) return false;
    int on_b = nearest_corner(b, normal_a), on_a = nearest_corner(a, normal_b);
    pv_vec2 p = figure_corner(a, on_a), q = figure_corner(b, on_b), apart = pv__sub(q, p),
            n = pv__mul(1 / length, sum);
    if (pv__length(apart) > CORNERS_NEAR) return false;
    int key = 1 + (2 * PV__CORNERS + on_a) * PV__CORNERS * 2 + on_b;
    double gap = m->clearance / pv__dot(n, normal_a); /* measured along n */
    pv_vec2 middle = pv__lerp(p, q, 0.5);
    emit(m, a, b,
         &(spot){pv__mad(middle, -0.5 * gap, n), pv__mad(middle, 0.5 * gap, n), n, 0, 0, key});
    return true;
}

static LANES void meet_polygons(pv__manifold *m, const figure *a, const figure *b, double ahead,
                                double reach, double near) {
    collide_convex_drift of_b_past_a = drift_past(a, b, ahead),
                         of_a_past_b = {pv__mul(-1, of_b_past_a.way), -of_b_past_a.turn};
    int facing = side_towards(a->shape, figure_picture(a, b->center));
    parting of_a = part_by_side(a, b, facing, &of_b_past_a);
    part_polygons(a, b, &of_b_past_a, &of_a);
    pv_vec2 normal_a = figure_normal(a, of_a.side);
    int likely = incident_side(b, of_a.nearest, normal_a);
    parting of_b = part_by_side(b, a, likely, &of_a_past_b);
    part_polygons(b, a, &of_a_past_b, &of_b);
    pv_vec2 normal_b = figure_normal(b, of_b.side);
    bool swapped = of_b.later > of_a.later + PREFER_FIRST;
    m->clearance = pv__max(of_a.gap, of_b.gap);
    if (m->clearance > near) return;
    double slack = pv__min(1, reach - 1);
    bool even = pv__abs(of_a.gap - of_b.gap) <= EVEN;
    if (even && meet_corners(m, a, b, normal_a, normal_b)) return;
    if (swapped)
        clip(m, b, a, &of_b, normal_b, incident_side(a, of_b.nearest, normal_b), reach, slack,
             true);
    else
        clip(m, a, b, &of_a, normal_a, likely, reach, slack, false);
}

/* ---- a contour p and a disc q ---- */

/// Places of a contour that are nearer to a disc's center than their neighbors
typedef struct approaches {
    axis of[MOST_APPROACHES];
    int count;
} approaches;

/// Adds a place, and keeps the nearest place of each direction.
static LANES void approach(approaches *list, axis x) {
    for (int i = 0; i < list->count; i++)
        if (pv__dot(list->of[i].normal, x.normal) > SAME_DIRECTION) {
            if (x.gap < list->of[i].gap) list->of[i] = x;
            return;
        }
    if (list->count < MOST_APPROACHES) list->of[list->count++] = x;
}

/// Adds the vertex at the end of an edge if the center is beyond it. The next edge must not face
/// the center.
static LANES void look_at_end(const pv__shape *p, int i, pv_vec2 center, double radius,
                              double reach, pv_vec2 way, approaches *list) {
    const pv__vertex *v = &p->vertices[i];
    pv_vec2 from = pv__sub(center, v->at);
    double distance = pv__length(from);
    if (distance - radius > reach || distance == 0) return;
    if (pv__dot(from, pv__sub(p->vertices[v->next].at, v->at)) >= 0) return;
    corner c = {v->at, v->first, v->last};
    approach(list, towards(&c, from, distance, radius, way, 2 * i + 2));
}

/// Adds the edge that starts at a vertex, or its end, if it faces the center; all in p's picture.
static LANES void look_at_edge(const pv__shape *p, int i, pv_vec2 center, double radius,
                               double reach, pv_vec2 way, approaches *list) {
    const pv__vertex *v = &p->vertices[i];
    pv_vec2 from = pv__sub(center, v->at), edge = pv__sub(p->vertices[v->next].at, v->at);
    double gap = pv__dot(from, v->last), t = pv__dot(from, edge);
    if (t > pv__dot(edge, edge))
        look_at_end(p, v->next, center, radius, reach, way, list);
    else if (t >= 0 && gap > 0 && gap - radius <= reach)
        approach(list, (axis){v->last, pv__mad(center, -gap, v->last), gap - radius, 0, 2 * i + 1});
}

static LANES void look_around(const pv__shape *p, pv_vec2 center, double radius, double reach,
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

/// Converts a point of the picture to an offset from the body's center in world axes.
static LANES pv_vec2 out_of(const pv__body *p, pv_vec2 at) {
    return pv__rotate(p->pose.turn, pv__sub(at, p->pixels->pivot));
}

/// Adds all places of a contour p in front of a disc q, about p's center.
static LANES void meet_contour(pv__manifold *m, const figure *p, const figure *q, double ahead,
                               double reach, bool swapped) {
    double radius = q->shape->circle_radius;
    collide_convex_drift past = drift_past(p, q, ahead);
    pv_vec2 way = pv__unrotate(p->body->pose.turn, drift_at(&past, q->disc));
    approaches list = {.count = 0};
    look_around(p->shape, into(p->body, q->disc), radius, reach, way, &list);
    m->clearance = pv__min(m->clearance, reach); /* greater distances were not searched */
    for (int i = 0; i < list.count; i++) {
        pv_vec2 n = pv__rotate(p->body->pose.turn, list.of[i].normal),
                from = out_of(p->body, list.of[i].from);
        m->clearance = pv__min(m->clearance, list.of[i].gap);
        emit_disc(m, p, q, from, n, list.of[i].key, swapped);
    }
}

/// Tells whether a point of p's picture is inside its contour.
static LANES bool collide_convex_is_inside(const pv__shape *p, pv_vec2 at) {
    const pv_box *box = &p->box;
    return at.x > box->min.x && at.y > box->min.y && at.x < box->max.x && at.y < box->max.y &&
           pv__field_at(p, at, NULL) < 0;
}

static LANES void meet(pv__manifold *m, const figure *a, const figure *b, double ahead,
                       double reach, double near) {
    if (a->count == 0 && b->count == 0)
        meet_discs(m, a, b, ahead, near);
    else if (b->count == 0)
        meet_disc(m, a, b, ahead, near, false);
    else if (a->count == 0)
        meet_disc(m, b, a, ahead, near, true);
    else
        meet_polygons(m, a, b, ahead, reach, near);
}

static LANES bool convex_meet(const pv_world *world, pv__manifold *m, double ahead, double reach,
                              double near) {
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
        meet(m, &p, &q, ahead, reach, near);
    else if (disc_b && !collide_convex_is_inside(a->pixels->shape, into(a, q.disc)))
        meet_contour(m, &p, &q, ahead, reach, false);
    else if (disc_a && !collide_convex_is_inside(b->pixels->shape, into(b, p.disc)))
        meet_contour(m, &q, &p, ahead, reach, true);
    else
        return false;
    return true;
}
