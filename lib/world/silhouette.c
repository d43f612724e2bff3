/* silhouette.c - measures the width of a body's pixels across a direction, and their silhouette
 * from a point.
 *
 * Invariant: the results come from the contour of the pixels, which has no stairs, for every
 * contact mode and collision shape. Outlines can be made from the data in snapshots, so it does not
 * matter when they are created.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "world/silhouette.h"

/// Greatest number of parts of a silhouette with gaps between them; further gaps are ignored
enum { SILHOUETTE_PARTS = 64 };

/// Interval that a row of consecutive edges covers
typedef struct chain {
    double from, to;
} chain;

/// Returns the smallest interval that contains two intervals.
static chain chain_joined(chain a, chain b) {
    return (chain){pv__min(a.from, b.from), pv__max(a.to, b.to)};
}

static void chain_add(chain *c, double at) { *c = chain_joined(*c, (chain){at, at}); }

/// Intervals that do not touch each other
typedef struct cover {
    int count;
    chain part[SILHOUETTE_PARTS];
} cover;

static void cover_add(cover *c, chain row) {
    for (int i = c->count - 1; i >= 0; i--) {
        if (c->part[i].to < row.from || c->part[i].from > row.to) continue;
        row = chain_joined(row, c->part[i]);
        c->part[i] = c->part[--c->count];
    }
    if (c->count < SILHOUETTE_PARTS)
        c->part[c->count++] = row;
    else
        cover_add(c, chain_joined(row, c->part[--c->count]));
}

/* ---- outlines ---- */

/// Contour of a body in its own rotation
typedef struct outline {
    const pv__shape *shape;
    pv_vec2 pivot, scale;
} outline;

/// Tells whether the shape of the scaled mask is the contour to use. Otherwise there is none, or
/// only one of larger pixels, and the contour of the picture is used.
static bool has_own_contour(const pv__body *b) {
    return b->pixels->shape && b->pixels->stand_in == PV_COLLIDER_PIXELS &&
           pv__abs(b->pixels->scale.x) == 1 && pv__abs(b->pixels->scale.y) == 1;
}

bool pv__silhouette_outline_ready(const pv__body *b) {
    return has_own_contour(b) || pv__shape_mask_outline(b->pixels->mask);
}

static outline outline_of(const pv__body *b) {
    if (has_own_contour(b)) return (outline){b->pixels->shape, b->pixels->pivot, pv__vec(1, 1)};
    return (outline){pv__shape_mask_outline(b->pixels->mask), b->pixels->picture_pivot,
                     b->pixels->scale};
}

/// Returns a point of an outline relative to the body's center, in the body's own rotation [px].
static pv_vec2 placed(const outline *o, pv_vec2 at) {
    return pv__scale(o->scale, pv__sub(at, o->pivot));
}

/* ---- across a direction ---- */

static cover cover_across(const pv__shape *shape, pv_vec2 axis) {
    const pv__vertex *v = shape->vertices;
    cover c = {0};
    for (int i = 0, next = 0; i < shape->count; i = next) {
        next = i + 1;
        if (v[i].next < 0) continue;
        double at = pv__dot(axis, v[i].at);
        chain row = {at, at};
        while (v[next - 1].next == next) chain_add(&row, pv__dot(axis, v[next++].at));
        if (v[next - 1].next >= 0) chain_add(&row, pv__dot(axis, v[v[next - 1].next].at));
        cover_add(&c, row);
    }
    return c;
}

double pv__silhouette_width_across(const pv__body *b, pv_vec2 n) {
    outline o = outline_of(b);
    if (!o.shape) return 0;
    pv_vec2 scaled = pv__scale(o.scale, pv__perp(pv__unrotate(b->pose.turn, n)));
    if (o.shape->circle_radius > 0) return 2 * o.shape->circle_radius * pv__length(scaled);
    cover c = cover_across(o.shape, scaled);
    double width = 0;
    for (int i = 0; i < c.count; i++) width += c.part[i].to - c.part[i].from;
    return width;
}

/* ---- from a point ---- */

/// Sums over the edges of a contour
typedef struct look {
    /// Direction toward the center, of length 1
    pv_vec2 ahead;
    cover bearings;
    /// Squared distance of the nearest edge [px^2]
    double nearest;
    bool inside;
} look;

/// Returns a measure of the angle from one vector to another, in -2...2; a quarter turn is 1.
static double bearing(pv_vec2 ahead, pv_vec2 v) {
    double x = pv__dot(ahead, v), y = pv__cross(ahead, v), size = pv__abs(x) + pv__abs(y);
    double quarter = size > 0 ? y / size : 0;
    return x >= 0 ? quarter : y < 0 ? -2 - quarter : 2 - quarter;
}

/// Returns the vector of length 1 at a bearing.
static pv_vec2 at_bearing(pv_vec2 ahead, double b) {
    double y = pv__abs(b) <= 1 ? b : b < 0 ? -2 - b : 2 - b;
    pv_vec2 v = pv__vec(1 - pv__abs(b), y);
    return pv__mul(1 / pv__length(v), pv__add(pv__mul(v.x, ahead), pv__mul(v.y, pv__perp(ahead))));
}

/// Updates the nearest distance with an edge from u to v, both relative to the point. An edge that
/// crosses the ray to the right of the point toggles inside.
static void see_edge(look *l, pv_vec2 u, pv_vec2 v) {
    pv_vec2 way = pv__sub(v, u);
    double area = pv__cross(u, v), before = -pv__dot(u, way), after = pv__dot(v, way);
    double square = before <= 0  ? pv__dot(u, u)
                    : after <= 0 ? pv__dot(v, v)
                                 : area * area / (before + after);
    l->nearest = pv__min(l->nearest, square);
    if ((u.y > 0) != (v.y > 0) && (area > 0) == (v.y > u.y)) l->inside = !l->inside;
}

/// Extends a row to a bearing, and splits it where it passes directly behind the point.
static void see_bearing(look *l, chain *row, double from, double to) {
    if (pv__abs(to - from) > 2) {
        double end = from < 0 ? -2 : 2;
        chain_add(row, end);
        cover_add(&l->bearings, *row);
        *row = (chain){-end, -end};
    }
    chain_add(row, to);
}

/// Adds a row of consecutive edges to the sums, and returns the vertex after it.
static int see_row(look *l, const outline *o, pv_vec2 point, int i) {
    const pv__vertex *v = o->shape->vertices;
    pv_vec2 from = pv__sub(placed(o, v[i].at), point);
    double at = bearing(l->ahead, from);
    chain row = {at, at};
    for (int next = i; next == i;) {
        next = v[i++].next;
        pv_vec2 to = pv__sub(placed(o, v[next].at), point);
        double then = bearing(l->ahead, to);
        see_edge(l, from, to);
        see_bearing(l, &row, at, then);
        from = to;
        at = then;
    }
    cover_add(&l->bearings, row);
    return i;
}

/// Returns the mean of all directions to the silhouette. Opposite directions make it shorter; from
/// inside a hole it is 0.
static pv_vec2 mean_direction(const look *l) {
    pv_vec2 sum = {0, 0};
    double angle = 0;
    for (int i = 0; i < l->bearings.count; i++) {
        double from = l->bearings.part[i].from, to = l->bearings.part[i].to;
        pv_vec2 p = at_bearing(l->ahead, from), q = at_bearing(l->ahead, to);
        double part = pv__atan2(pv__cross(p, q), pv__dot(p, q));
        sum = pv__sub(sum, pv__perp(pv__sub(q, p)));
        angle += to - from > 2 ? part + 2 * PV__PI * (part < 0) : part;
    }
    if (l->bearings.count == 1 && l->bearings.part[0].to - l->bearings.part[0].from >= 4)
        return pv__vec(0, 0);
    return angle > PV__NEGLIGIBLE ? pv__mul(1 / angle, sum) : l->ahead;
}

static pv__seen seen_disc(pv_vec2 to_middle, double radius) {
    double distance = pv__length(to_middle);
    if (distance <= radius + PV__NEGLIGIBLE) return (pv__seen){.inside = true};
    double half = pv__asin(radius / distance);
    return (pv__seen){.distance = distance - radius,
                      .mean = pv__mul(radius / (distance * distance * half), to_middle)};
}

/// Returns the silhouette of an outline from a point, all in the body's own rotation.
static pv__seen seen_in(const outline *o, pv_vec2 point) {
    double radius = pv__abs(o->scale.x) == pv__abs(o->scale.y)
                        ? o->shape->circle_radius * pv__abs(o->scale.x)
                        : 0;
    if (radius > 0) return seen_disc(pv__sub(placed(o, o->shape->circle_center), point), radius);
    double distance = pv__length(point);
    look l = {.ahead = distance > 0 ? pv__mul(-1 / distance, point) : pv__vec(1, 0),
              .nearest = INFINITY};
    for (int i = 0; i < o->shape->count;)
        i = o->shape->vertices[i].next < 0 ? i + 1 : see_row(&l, o, point, i);
    double nearest = sqrt(l.nearest);
    if (l.inside || nearest < PV__NEGLIGIBLE) return (pv__seen){.inside = true};
    return (pv__seen){.distance = nearest, .mean = mean_direction(&l)};
}

pv__seen pv__silhouette_seen_from(const pv__body *b, pv_vec2 point) {
    outline o = outline_of(b);
    if (!o.shape || o.shape->alive == 0) return (pv__seen){.distance = INFINITY};
    pv__seen seen = seen_in(&o, pv__unrotate(b->pose.turn, pv__sub(point, b->pose.center)));
    seen.mean = pv__rotate(b->pose.turn, seen.mean);
    return seen;
}
