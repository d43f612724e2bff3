/* pv_cast.c - which bodies a ray or a mask meets on its way.
 *
 * Invariant: a body is left out unseen only when the way misses its box, or comes to it later than to what was found
 * and the closest is wanted; so the answer is that of asking every body, in order of fraction and slot.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_seek.h"

#define REFUSED(world, status) (pv__refuse(world, __func__, status), 0)

/// A fraction that no way comes to.
static const double NEVER = 2;

/// A way of something; a mask when moving is there, else a point.
typedef struct course {
    const pv_moving *moving;
    pv_vec2 from, to;
    pv_box reach; ///< what of it can touch, from where it is; with room [px]
    pv_box box;   ///< holds all of the way
} course;

static course course_of(const pv_moving *moving, pv_vec2 from, pv_vec2 to, pv_box reach) {
    reach = pv__box_widened(reach, PV__SEEK_ROOM);
    pv_vec2 low = {pv__min(from.x, to.x), pv__min(from.y, to.y)},
            high = {pv__max(from.x, to.x), pv__max(from.y, to.y)};
    return (course){moving, from, to, reach, {pv__add(low, reach.min), pv__add(high, reach.max)}};
}

/// Where answers go: of the first ones, up to capacity, the last is at the root of a heap.
typedef struct haul {
    pv_cast_hit *hits;
    int capacity, count;
} haul;

static bool before(const pv_cast_hit *x, const pv_cast_hit *y) {
    return x->fraction < y->fraction || (x->fraction == y->fraction && x->body.index < y->body.index);
}

static void rise(pv_cast_hit *heap, int i, pv_cast_hit hit) {
    for (int parent; i > 0 && before(&heap[parent = (i - 1) / 2], &hit); i = parent) heap[i] = heap[parent];
    heap[i] = hit;
}

static void sink(pv_cast_hit *heap, int count, pv_cast_hit hit) {
    int i = 0;
    for (int child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && before(&heap[child], &heap[child + 1])) child++;
        if (!before(&hit, &heap[child])) break;
        heap[i] = heap[child];
    }
    heap[i] = hit;
}

static void take(haul *h, const pv_cast_hit *hit) {
    if (h->count < h->capacity)
        rise(h->hits, h->count, *hit);
    else if (h->capacity > 0 && before(hit, &h->hits[0]))
        sink(h->hits, h->capacity, *hit);
    h->count++;
}

static void sort(haul *h) {
    int kept = h->count < h->capacity ? h->count : h->capacity;
    while (kept > 1) {
        pv_cast_hit last = h->hits[--kept];
        h->hits[kept] = h->hits[0];
        sink(h->hits, kept, last);
    }
}

/// Narrows in...out to when a coordinate is between two others.
static void narrow(double from, double to, double low, double high, double *in, double *out) {
    double way = to - from;
    if (way == 0) {
        if (from < low || from > high) *in = NEVER;
        return;
    }
    double near = (low - from) / way, far = (high - from) / way;
    *in = pv__max(*in, pv__min(near, far));
    *out = pv__min(*out, pv__max(near, far));
}

/// The fraction at which a course can touch what is in a box, at the earliest.
static double comes_to(const course *c, const pv_box *box) {
    double in = 0, out = 1;
    narrow(c->from.x, c->to.x, box->min.x - c->reach.max.x, box->max.x - c->reach.min.x, &in, &out);
    narrow(c->from.y, c->to.y, box->min.y - c->reach.max.y, box->max.y - c->reach.min.y, &in, &out);
    return in <= out ? in : NEVER;
}

static bool ray_touches(const course *c, const pv_placed *body, pv_cast_hit *hit) {
    pv_ray_hit found;
    if (!pv_placed_segment(body, c->from, c->to, &found)) return false;
    hit->fraction = found.fraction;
    hit->point = found.point;
    hit->normal = found.normal;
    return true;
}

static bool mask_touches(const course *c, const pv_placed *body, pv_cast_hit *hit) {
    pv_moving still = {body->mask, body->transform, body->transform};
    pv_sweep_hit found;
    if (!pv_sweep(&still, c->moving, &found)) return false;
    hit->fraction = found.fraction;
    hit->point = found.point;
    hit->normal = found.normal;
    return true;
}

/// Whether a body is touched, no later than at a fraction if boxes can tell.
static bool touches(const pv_world *world, int index, const course *c, double latest,
                    const pv_query_filter *filter, pv_cast_hit *hit) {
    const pv__body *b = &world->bodies[index];
    if (!pv__asked_about(b, filter) || pv__is_far(b, &c->box)) return false;
    pv_box box = pv__box_in(b, b->pose);
    if (comes_to(c, &box) > latest || !pv__accepted(world, index, filter)) return false;
    pv_placed body = pv__placed_of(b);
    hit->body = pv__name_of(world, index);
    return c->moving ? mask_touches(c, &body, hit) : ray_touches(c, &body, hit);
}

static int cast_all(const pv_world *world, const course *c, const pv_query_filter *filter, haul *h) {
    pv_cast_hit hit;
    for (int i = 0; i < world->body_count; i++)
        if (touches(world, i, c, 1, filter, &hit)) take(h, &hit);
    sort(h);
    return h->count;
}

static int cast_one(const pv_world *world, const course *c, bool any, const pv_query_filter *filter, haul *h) {
    pv_cast_hit best = {.fraction = NEVER}, hit;
    for (int i = 0; i < world->body_count && !(any && best.fraction <= 1); i++)
        if (touches(world, i, c, pv__min(best.fraction, 1), filter, &hit) && hit.fraction < best.fraction)
            best = hit;
    if (best.fraction <= 1) take(h, &best);
    return h->count;
}

static int cast(const pv_world *world, const course *c, pv_cast which, const pv_query_filter *filter, haul *h) {
    return which == PV_CAST_ALL ? cast_all(world, c, filter, h)
                                : cast_one(world, c, which == PV_CAST_ANY, filter, h);
}

static haul haul_of(pv_cast_hit *hits, int capacity) {
    return (haul){hits, hits && capacity > 0 ? capacity : 0, 0};
}

static pv_status check_ray(pv_vec2 from, pv_vec2 to, pv_cast which) {
    if (!pv__finite2(from) || !pv__finite2(to)) return PV_ERROR_NOT_FINITE;
    return pv__placeable(from) && pv__placeable(to) && (unsigned)which <= PV_CAST_ALL ? PV_OK
                                                                                      : PV_ERROR_ARGUMENT;
}

int pv_world_cast_ray(const pv_world *world, pv_vec2 from, pv_vec2 to, pv_cast which,
                      const pv_query_filter *filter, pv_cast_hit *hits, int capacity) {
    pv_status status = check_ray(from, to, which);
    if (!world || status != PV_OK) return REFUSED(world, status);
    course c = course_of(NULL, from, to, (pv_box){{0, 0}, {0, 0}});
    haul h = haul_of(hits, capacity);
    return cast(world, &c, which, filter, &h);
}

static bool same(pv_vec2 a, pv_vec2 b) { return a.x == b.x && a.y == b.y; }

static pv_status check_moving(const pv_moving *m, pv_cast which) {
    if (!m || (unsigned)which > PV_CAST_ALL) return PV_ERROR_ARGUMENT;
    pv_placed from = {m->mask, m->from}, to = {m->mask, m->to};
    pv_status first = pv_placed_check(&from), last = pv_placed_check(&to);
    if (first != PV_OK || last != PV_OK) return first != PV_OK ? first : last;
    return same(m->from.pivot, m->to.pivot) && same(m->from.scale, m->to.scale) ? PV_OK : PV_ERROR_ARGUMENT;
}

/// The box of a picture about its pivot, at every angle that it has on its way.
static pv_box reach_of(const pv_moving *m) {
    const pv__bits *bits = &m->mask->bits;
    pv_transform t = m->from;
    t.position = pv__vec(0, 0);
    if (t.rotation.c == m->to.rotation.c && t.rotation.s == m->to.rotation.s)
        return pv_transform_box(&t, bits->w, bits->h);
    double x = pv__max(pv__abs(t.pivot.x), pv__abs(bits->w - t.pivot.x)) * pv__abs(t.scale.x);
    double y = pv__max(pv__abs(t.pivot.y), pv__abs(bits->h - t.pivot.y)) * pv__abs(t.scale.y);
    double rim = sqrt(x * x + y * y) * (1 + 4e-6); /* rotations may be that much longer than 1 */
    return (pv_box){{-rim, -rim}, {rim, rim}};
}

int pv_world_cast_mask(const pv_world *world, const pv_moving *moving, pv_cast which,
                       const pv_query_filter *filter, pv_cast_hit *hits, int capacity) {
    pv_status status = check_moving(moving, which);
    if (!world || status != PV_OK) return REFUSED(world, status);
    if (moving->mask->bits.w == 0 || moving->mask->bits.h == 0) return 0;
    course c = course_of(moving, moving->from.position, moving->to.position, reach_of(moving));
    haul h = haul_of(hits, capacity);
    return cast(world, &c, which, filter, &h);
}
