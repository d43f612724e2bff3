/* query_cast.c - casts of a ray or a mask against bodies.
 *
 * Invariant: a cast skips a body if its path misses the body's box. A cast for the closest hit also
 * skips a body whose box it reaches after that hit. The result is still that of a test of every
 * body, in the order of fraction and slot. A ray meets a polygon's outline, a mask its pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/pose.h"
#include "core/report.h"
#include "placed/placed.h"
#include "placed/placed_query.h"
#include "polygon/polygon.h"
#include "query/query.h"

/// State of a cast
typedef struct query {
    const pv_world *world;
    const pv_query_filter *filter;
    /// Moving mask, or null for a point
    const pv_swept *moving;
    /// Swept box of the moving shape, with margin
    pv__swath swath;
    pv_cast_hit best;
} query;

static query query_of(const pv_world *world, const pv_query_filter *filter, const pv_swept *moving,
                      pv__swath swath) {
    swath.reach = pv__box_widened(swath.reach, PV__SEEK_ROOM);
    return (query){world, filter, moving, swath, {.fraction = PV__BOUNDLESS}};
}

static int compare_hits(const void *p, const void *q) {
    const pv_cast_hit *x = p, *y = q;
    if (x->fraction != y->fraction) return x->fraction < y->fraction ? -1 : 1;
    return (x->body.index > y->body.index) - (x->body.index < y->body.index);
}

/// Narrows in...out to the fractions at which a coordinate is in low...high.
static void cast_narrow(double from, double to, double low, double high, double *in, double *out) {
    double way = to - from;
    if (way == 0) {
        if (from < low || from > high) *in = PV__BOUNDLESS;
        return;
    }
    double near = (low - from) / way, far = (high - from) / way;
    *in = pv__max(*in, pv__min(near, far));
    *out = pv__min(*out, pv__max(near, far));
}

/// Returns the fraction at which a swept box first overlaps a box.
static double comes_to(const pv__swath *s, const pv_box *box) {
    double in = 0, out = 1;
    cast_narrow(s->from.x, s->to.x, box->min.x - s->reach.max.x, box->max.x - s->reach.min.x, &in,
                &out);
    cast_narrow(s->from.y, s->to.y, box->min.y - s->reach.max.y, box->max.y - s->reach.min.y, &in,
                &out);
    return in <= out ? in : PV__BOUNDLESS;
}

/// Casts at a candidate: a ray at a polygon's outline, and all else at pixels.
static bool touches(const query *q, int body, pv_cast_hit *hit) {
    bool outline = !q->moving && pv__index_is_polygon(body);
    pv_placed pixels = outline ? (pv_placed){0} : pv__query_placed(q->world, body);
    hit->body = pv__index_handle(q->world, body);
    if (q->moving) {
        pv_swept still = {pixels.mask, pixels.transform, pixels.transform};
        pv_swept_hit by_mask;
        if (!pixels.mask || !pv_swept_cast(&still, q->moving, &by_mask)) return false;
        hit->fraction = by_mask.fraction, hit->point = by_mask.point, hit->normal = by_mask.normal;
        return true;
    }
    const pv__polygon *polygons = q->world->matter.polygons;
    pv_vec2 from = q->swath.from, to = q->swath.to;
    pv_ray_hit by_ray;
    if (outline ? !pv__polygon_cast(q->world, &polygons[pv__index_polygon(body)], from, to, &by_ray)
                : !pv__placed_segment(&pixels, from, to, &by_ray))
        return false;
    hit->fraction = by_ray.fraction, hit->point = by_ray.point, hit->normal = by_ray.normal;
    return true;
}

/// Tells whether a cast hits a body that the caller accepts. Its box rules a body out if the cast
/// reaches it after the fraction latest.
static bool touches_by(const query *q, int body, double latest, pv_cast_hit *hit) {
    pv_box box = pv__index_current_box(q->world, body);
    return pv__query_asks_about(q->world, body, q->filter) && comes_to(&q->swath, &box) <= latest &&
           pv__query_accepts(q->world, pv__index_handle(q->world, body), q->filter) &&
           touches(q, body, hit);
}

/// Casts in the order of slots, in which the caller's callback has to run. Takes all hits, or keeps
/// the closest one, or the first.
static void in_order(query *q, pv_cast_mode which, pv__firsts *all) {
    pv__candidates near;
    pv_cast_hit hit;
    pv__index_candidates_begin(&near, q->world, &q->swath, 0);
    for (int i; (i = pv__index_candidates_next(&near)) >= 0;) {
        if (!touches_by(q, i, pv__min(q->best.fraction, 1), &hit)) continue;
        if (which == PV_CAST_ALL)
            pv__firsts_take(all, &hit);
        else if (hit.fraction < q->best.fraction)
            q->best = hit;
        if (which == PV_CAST_ANY) return;
    }
}

static double keep_closest(void *user_data, int body) {
    query *q = user_data;
    pv_cast_hit hit;
    if (pv__query_asks_about(q->world, body, q->filter) && touches(q, body, &hit) &&
        compare_hits(&hit, &q->best) < 0)
        q->best = hit;
    return q->best.fraction;
}

/// Casts, and returns the number of hits.
static int cast_one(query *q, pv_cast_mode which, pv_cast_hit *hits, int capacity) {
    pv__firsts h = {hits, hits ? capacity : 0, 0, sizeof *hits, compare_hits};
    if (which != PV_CAST_CLOSEST || (q->filter && q->filter->accept))
        in_order(q, which, &h);
    else
        pv__index_search(q->world, &q->swath, keep_closest, q);
    if (q->best.fraction <= 1) pv__firsts_take(&h, &q->best);
    return pv__firsts_end(&h);
}

static bool check_mode(pv_error *e, pv_cast_mode mode) {
    return pv__check_range(e, "cast", mode, 0, PV_CAST_ALL);
}

int pv_world_cast_ray(const pv_world *world, pv_vec2 from, pv_vec2 to, pv_cast_mode which,
                      const pv_query_filter *filter, pv_cast_hit *hits, int capacity) {
    pv_error e;
    pv__error_begin(__func__, &e, NULL);
    if (!pv__check_pointer(&e, "world", world) || !pv__check_place(&e, "from", from) ||
        !pv__check_place(&e, "to", to) || !check_mode(&e, which))
        return pv__refuse(world, &e), 0;
    query q = query_of(world, filter, NULL, (pv__swath){from, to, {{0, 0}, {0, 0}}});
    return cast_one(&q, which, hits, capacity);
}

/* ---- masks ---- */

static bool check_moving(pv_error *e, const pv_swept *m, pv_cast_mode mode) {
    if (!pv__check_pointer(e, "moving", m) || !check_mode(e, mode)) return false;
    pv_placed from = {m->mask, m->from}, to = {m->mask, m->to};
    if (pv__error_about(e, pv__placed_check(&from), "moving.from") != PV_OK ||
        pv__error_about(e, pv__placed_check(&to), "moving.to") != PV_OK)
        return false;
    return (pv__same_place(m->from.pivot, m->to.pivot) &&
            pv__same_place(m->from.scale, m->to.scale)) ||
           pv__error_say(e, PV_ERROR_ARGUMENT, "moving.to",
                         "moving.to has another pivot or scale than moving.from") == PV_OK;
}

/// Returns the box of a picture about its pivot, over all angles of its motion.
static pv_box reach_of(const pv_swept *m) {
    const pv__bits *bits = &m->mask->bits;
    pv_transform t = m->from;
    t.position = pv__vec(0, 0);
    if (t.rotation.c == m->to.rotation.c && t.rotation.s == m->to.rotation.s)
        return pv_transform_compute_bounds(&t, bits->w, bits->h);
    double x = pv__max(pv__abs(t.pivot.x), pv__abs(bits->w - t.pivot.x)) * pv__abs(t.scale.x);
    double y = pv__max(pv__abs(t.pivot.y), pv__abs(bits->h - t.pivot.y)) * pv__abs(t.scale.y);
    /* Rotations may exceed a length of 1 by this much. */
    double rim = sqrt(x * x + y * y) * (1 + 4e-6);
    return (pv_box){{-rim, -rim}, {rim, rim}};
}

int pv_world_cast_mask(const pv_world *world, const pv_swept *moving, pv_cast_mode which,
                       const pv_query_filter *filter, pv_cast_hit *hits, int capacity) {
    pv_error e;
    pv__error_begin(__func__, &e, NULL);
    if (!pv__check_pointer(&e, "world", world) || !check_moving(&e, moving, which))
        return pv__refuse(world, &e), 0;
    if (moving->mask->bits.w == 0 || moving->mask->bits.h == 0) return 0;
    pv__swath swath = {moving->from.position, moving->to.position, reach_of(moving)};
    query q = query_of(world, filter, moving, swath);
    return cast_one(&q, which, hits, capacity);
}
