/* pixel_touch.c - the contact of two bodies from the pixels they share (Cheng 2003, section 3).
 *
 * Invariant: a contact has its normal, its depth and its points from the shared pixels alone.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/pixel_touch.h"
#include "core/body_bitmap.h"
#include "pixel/overlap.h"
#include "pixel/raster.h"
#include "shape/shape.h"

/// Reach of the gradient's stencil [px]; the paper's 1 is up to 46 degrees off at small touches
static const int GRADIENT_RADIUS = 3;
/// Shape of contact patches. PATCH_SLIMNESS: least ratio of length to width of a strip. PATCH_LEAN:
/// least offset of the mean of a leaning strip from its middle, in half lengths. PATCH_EVEN: least
/// variance of an even strip, in half lengths squared: between 1/3 and 1/5. PATCH_DOUBT:
/// uncertainty of the offset from the size of pixels [px]. PATCH_SHORT: least half length of a
/// strip [px].
static const double PATCH_SLIMNESS = 2, PATCH_LEAN = 0.1, PATCH_EVEN = 0.27, PATCH_DOUBT = 1,
                    PATCH_SHORT = 2;

/// Ratio of sizes from which the direction of the centers does not tell the way out
static const double MUCH_LARGER = 3;

bool pv__touch_measure(const pv__meeting *m, pv__contact *c, pv_rect *shared) {
    int64_t dx = (int64_t)m->b->x - m->a->x + m->x, dy = (int64_t)m->b->y - m->a->y + m->y;
    pv_overlap o;
    if (!pv__bits_overlap(&m->a->bits, &m->b->bits, dx, dy, &o)) return false;
    c->normal = o.normal;
    pv__bits_gradient(&m->a->bits, &m->b->bits, dx, dy, GRADIENT_RADIUS, &c->normal);
    *shared = o.bounds;
    c->point = pv__add(o.point, pv__vec(m->a->x, m->a->y));
    c->overlap = o.area;
    c->depth = o.depth > 0 ? o.depth : pv__min(o.bounds.w, o.bounds.h);
    return true;
}

/// Returns the offset of one bitmap from the other, with both pressed together along the normal.
static pv_point pressed(const pv__meeting *p, pv_vec2 normal, double by) {
    return (pv_point){p->b->x - p->a->x - (int)pv__floor(by * normal.x + 0.5),
                      p->b->y - p->a->y - (int)pv__floor(by * normal.y + 0.5)};
}

/// Finds the span of the touching pixels along an axis through a point. These are the pixels that
/// the pair would share one pixel deeper.
static void find_span(const pv__meeting *p, pv_vec2 normal, pv_vec2 from, pv_vec2 axis,
                      double span[2]) {
    pv_point at = pressed(p, normal, 1);
    pv_overlap o;
    if (!pv__bits_overlap(&p->a->bits, &p->b->bits, at.x, at.y, &o)) return;
    double w = o.bounds.w, h = o.bounds.h;
    pv_vec2 middle = {p->a->x + o.bounds.x + 0.5 * w, p->a->y + o.bounds.y + 0.5 * h};
    double to = pv__dot(pv__sub(middle, from), axis),
           half = 0.5 * (pv__abs(axis.x) * (w - 1) + pv__abs(axis.y) * (h - 1));
    span[0] = to - half;
    span[1] = to + half;
}

static void press_at(pv__contact *c, pv_vec2 middle, pv_vec2 axis, double at,
                     const double span[2]) {
    c->points[c->count++].place = pv__mad(middle, pv__clamp(at, span[0], span[1]), axis);
}

void pv__touch_spread(const pv__meeting *p, bool grounded, pv__contact *c) {
    pv_point at = pressed(p, c->normal, PV__PATCH_DEPTH);
    pv__patch q;
    c->count = 0;
    if (!pv__bits_patch(&p->a->bits, &p->b->bits, at.x, at.y, &q)) {
        c->points[c->count++].place = c->point;
        return;
    }
    double half = 0.5 * (q.high - q.low), lean = 0.5 * (q.high + q.low), span[2] = {0, 0};
    pv_vec2 middle =
        pv__mad(pv__add(q.mean, pv__vec(p->a->x, p->a->y)), 0.5 * PV__PATCH_DEPTH, c->normal);
    bool slim = half > PATCH_SHORT && q.along > PATCH_SLIMNESS * PATCH_SLIMNESS * (q.across + 0.25);
    bool even = slim && q.along >= PATCH_EVEN * half * half;
    bool leans =
        slim && pv__abs(lean) > pv__max(PATCH_DOUBT, (even ? PATCH_LEAN : 2 * PATCH_LEAN) * half);
    find_span(p, c->normal, middle, q.axis, span);
    if (!even && !leans) {
        press_at(c, middle, q.axis, 0, span);
        return;
    }
    pv_vec2 across = pv__perp(q.axis);
    if (!grounded) c->normal = pv__dot(across, c->normal) < 0 ? pv__mul(-1, across) : across;
    if (!leans || lean > 0) press_at(c, middle, q.axis, q.low, span);
    if (!leans || lean < 0) press_at(c, middle, q.axis, q.high, span);
}

bool pv__touch_is_much_larger(const pv__body *a, const pv__body *b) {
    return a->pixels->reach >= MUCH_LARGER * b->pixels->reach;
}

/// Finds the direction of the shortest way out for a body inside a much larger one.
static bool find_exit(const pv__body *inner, const pv__body *outer, pv_vec2 *exit) {
    const pv__shape *shape = outer->pixels->shape;
    pv_vec2 nearest, from = pv__add(outer->pixels->pivot,
                                    pv__unrotate(outer->pose.turn,
                                                 pv__sub(inner->pose.center, outer->pose.center)));
    if (!shape || !pv__shape_find_nearest(shape, from, &nearest)) return false;
    pv_vec2 way = pv__rotate(outer->pose.turn, pv__sub(nearest, from));
    double length = pv__length(way);
    if (length > 1e-9) *exit = pv__mul(1.0 / length, way);
    return length > 1e-9;
}

void pv__touch_mend_normal(pv__contact *c, const pv__body *a, const pv__body *b) {
    if (pv__dot(c->normal, c->normal) > 0) return;
    if (pv__touch_is_much_larger(a, b) && find_exit(b, a, &c->normal)) return;
    if (pv__touch_is_much_larger(b, a) && find_exit(a, b, &c->normal)) {
        c->normal = pv__mul(-1, c->normal);
        return;
    }
    pv_vec2 apart = pv__sub(b->pose.center, a->pose.center);
    double length = pv__length(apart);
    c->normal = length > 1e-9 ? pv__mul(1.0 / length, apart) : pv__vec(0, -1);
}

/// Returns the offset of a body from its bitmap. An upright bitmap is drawn on whole pixels, and a
/// contact off the axis by the remainder would turn symmetric bodies.
static pv_vec2 way_from_bitmap(const pv__body *b) {
    pv_transform t = pv__body_hull_transform(b, b->pose);
    pv__map map = pv__raster_map_of(&t);
    if (!pv__map_is_upright(&map)) return pv__vec(0, 0);
    int64_t u = map.u & (PV__ONE - 1), v = map.v & (PV__ONE - 1);
    return pv__vec(0.5 - (double)u / PV__ONE, 0.5 - (double)v / PV__ONE);
}

bool pv__touch_now(pv_world *world, pv__pair pair, pv__contact *c) {
    const pv__body *a = &world->bodies.items[pair.a], *b = &world->bodies.items[pair.b];
    pv__meeting now = pv__meeting_at(world, a, b, 1);
    pv_rect shared;
    *c = (pv__contact){.a = pair.a, .b = pair.b};
    if (!pv__meeting_is_known(world, now) || !pv__touch_measure(&now, c, &shared)) return false;
    pv__touch_spread(&now, false, c);
    pv__touch_mend_normal(c, a, b);
    pv_vec2 way = pv__mul(0.5, pv__add(way_from_bitmap(a), way_from_bitmap(b)));
    c->point = pv__add(c->point, way);
    for (int i = 0; i < c->count; i++) c->points[i].place = pv__add(c->points[i].place, way);
    return true;
}
