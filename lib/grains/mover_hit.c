/* mover_hit.c - lets movers hit, carry and push out grains.
 *
 * Invariant: a grain's way through a step is a line in a mover's picture, from the mover's pose
 * before to its pose now. It goes along that line at most half a pixel at a time. A grain that is
 * hit stays at its place in the picture. Only the ground stops it on the way there.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/movers.h"
#include "grains/numbers.h"
#include "grains/walk.h"

/// Distances within which a free pixel is searched for, and pixels count for a hit's normal [px]
enum { MOVERS_SEEK = 16, MOVERS_REACH = 2 };

static int32_t coordinate_of(double x) {
    const double most = PV__GRAIN_BIAS - 257;
    return (int32_t)pv__floor(pv__clamp(x, -most, most) * 65536);
}

/* ---- hits ---- */

/// Hit of a grain by a mover
typedef struct hit {
    const pv__grain_mover *by;
    /// Share of the step before the hit, and the last free place in the mover's picture
    double part;
    pv_vec2 at;
} hit;

/// Finds the first solid pixel on the way of a grain in a mover's picture, unless another hit is
/// earlier. Returns true if the grain is in a solid pixel from the start.
static bool find_hit(const pv__grain_mover *m, const pv__walker *w, hit *first) {
    pv_vec2 from = pv__grain_into(&m->frame_before, pv__grain_place(w->x, w->y));
    pv_vec2 to = pv__grain_into(&m->frame_now, pv__grain_place(w->x + w->dx, w->y + w->dy));
    pv_box around = pv__box_around(from, to);
    if (!pv__bits_any_in(m->bits, &around)) return false;
    if (pv__grain_picture_is_solid(m->bits, from)) return true;
    pv_vec2 way = pv__sub(to, from);
    double far = pv__max(pv__abs(way.x), pv__abs(way.y));
    int count = (int)pv__min(2 * far, 4096) + 1;
    for (int i = 1; i <= count && (double)i / count < first->part; i++) {
        double part = (double)i / count;
        if (pv__grain_picture_is_solid(m->bits, pv__lerp(from, to, part)))
            *first = (hit){m, part, pv__lerp(from, to, (double)(i - 1) / count)};
    }
    return false;
}

/// Returns the normal of a mover at a free place in its picture, in the world.
static pv__grain_normal normal_of(const pv__grain_mover *m, pv_vec2 at) {
    int x = 0, y = 0;
    for (int j = -MOVERS_REACH; j <= MOVERS_REACH; j++)
        for (int i = -MOVERS_REACH; i <= MOVERS_REACH; i++)
            if (pv__grain_picture_is_solid(m->bits, pv__vec(at.x + i, at.y + j))) {
                x += i;
                y += j;
            }
    pv_vec2 n = {m->now.scale.x < 0 ? -x : x, m->now.scale.y < 0 ? -y : y};
    n = pv__mul(-PV__GRAIN_ONE, pv__direction(pv__rotate(m->now.rotation, n)));
    return (pv__grain_normal){(int32_t)pv__floor(n.x + 0.5), (int32_t)pv__floor(n.y + 0.5)};
}

/// Bounces a grain off a mover. The grain moves along with the place that it hit.
static void bounce(const pv__grains *g, pv__walker *w, const hit *h) {
    const pv__grain_mover *m = h->by;
    pv_vec2 was = pv_transform_to_world(&m->before, h->at),
            is = pv_transform_to_world(&m->now, h->at);
    int32_t surface_x = pv__grain_bounded(pv__floor((is.x - was.x) * 65536 + 0.5)),
            surface_y = pv__grain_bounded(pv__floor((is.y - was.y) * 65536 + 0.5));
    pv__grain_normal n = normal_of(m, h->at);
    int32_t dx = pv__grain_bounded((int64_t)w->dx - surface_x),
            dy = pv__grain_bounded((int64_t)w->dy - surface_y);
    pv__walk_bounce(&g->now, n, &dx, &dy);
    w->touched = w->carried = true;
    pv__walk_push(g, w, coordinate_of(is.x) - w->x, coordinate_of(is.y) - w->y);
    w->dx = pv__grain_bounded((int64_t)dx + surface_x);
    w->dy = pv__grain_bounded((int64_t)dy + surface_y);
}

bool pv__movers_push(const pv__grains *g, pv__walker *w, bool *inside) {
    if (!(w->meets & PV__WALK_MOVERS)) return false;
    hit first = {.part = 2};
    pv__mover_search s = pv__mover_search_along(g, w->x, w->y, w->x + w->dx, w->y + w->dy);
    for (const pv__grain_mover *m; (m = pv__mover_search_next(&s));)
        *inside |= find_hit(m, w, &first);
    if (first.by) bounce(g, w, &first);
    return first.by;
}

/* ---- places outside ---- */

bool pv__movers_leave_open(const pv__grains *g, int32_t x, int32_t y) {
    unsigned u = pv__grain_pixel(x), v = pv__grain_pixel(y);
    if (!pv__area_has(u, v) || pv__area_is_ground(g, u, v)) return false;
    if (!pv__mover_is_near(g, u, v)) return true;
    pv__mover_search s = pv__mover_search_along(g, x, y, x, y);
    for (const pv__grain_mover *m; (m = pv__mover_search_next(&s));)
        if (pv__mover_has(m, x, y)) return false;
    return true;
}

/// Takes a grain along with a mover that it is in, at its former place in the mover's picture.
/// Returns false if that is not free, or the ground is in the way.
static bool take_along(const pv__grains *g, pv__walker *w, int32_t from_x, int32_t from_y) {
    pv__mover_search s = pv__mover_search_along(g, w->x, w->y, w->x, w->y);
    for (const pv__grain_mover *m; (m = pv__mover_search_next(&s));) {
        pv_vec2 at = pv__grain_into(&m->frame_before, pv__grain_place(from_x, from_y));
        pv_vec2 to = pv_transform_to_world(&m->now, at);
        int32_t x = coordinate_of(to.x), y = coordinate_of(to.y);
        pv__walker moved = {.x = from_x, .y = from_y};
        if (!pv__mover_has(m, w->x, w->y) || pv__grain_picture_is_solid(m->bits, at) ||
            !pv__movers_leave_open(g, x, y))
            continue;
        if (!pv__walk_push(g, &moved, x - from_x, y - from_y)) continue;
        *w = (pv__walker){.x = x,
                          .y = y,
                          .dx = pv__grain_bounded((int64_t)x - from_x),
                          .dy = pv__grain_bounded((int64_t)y - from_y),
                          .touched = true,
                          .carried = true,
                          .tested = w->tested};
        return true;
    }
    return false;
}

bool pv__movers_part(const pv__grains *g, pv__walker *w, int32_t from_x, int32_t from_y) {
    if (pv__movers_leave_open(g, w->x, w->y) || take_along(g, w, from_x, from_y)) return true;
    bool buried = pv__area_is_ground(g, pv__grain_pixel(w->x), pv__grain_pixel(w->y));
    for (int far = 1; far <= MOVERS_SEEK; far++)
        for (int i = 0; i < 8 * far; i++) {
            int side = i / (2 * far), along = i % (2 * far) - far;
            int x = side == 0 ? along : side == 1 ? far : side == 2 ? -along : -far;
            int y = side == 0 ? -far : side == 1 ? along : side == 2 ? far : -along;
            int64_t to_x = (int64_t)w->x + x * 65536, to_y = (int64_t)w->y + y * 65536;
            if (to_x != (int32_t)to_x || to_y != (int32_t)to_y) continue;
            pv__walker to = *w;
            if (!pv__movers_leave_open(g, (int32_t)to_x, (int32_t)to_y)) continue;
            if (!buried && !pv__walk_push(g, &to, x * 65536, y * 65536)) continue;
            w->x = (int32_t)to_x;
            w->y = (int32_t)to_y;
            w->touched = true;
            return true;
        }
    return false;
}

/// Tells whether a way leads through a sink.
static bool leads_through(const pv__grain_mover *m, pv_vec2 from, pv_vec2 to) {
    pv_vec2 way = pv__sub(to, from);
    int count = (int)pv__floor(pv__max(pv__abs(way.x), pv__abs(way.y))) + 1;
    for (int i = 1; i <= count; i++) {
        pv_vec2 at = pv__lerp(from, to, (double)i / count);
        if (pv__mover_has(m, coordinate_of(at.x), coordinate_of(at.y))) return true;
    }
    return false;
}

int pv__movers_sink_on(const pv__grains *g, uint32_t slot, const pv__walker *w) {
    const struct pv__grain_movers *all = g->movers;
    pv__grain_box way = pv__grain_box_around(g->x[slot], g->y[slot], w->x, w->y);
    pv_vec2 from = pv__grain_place(g->x[slot], g->y[slot]), to = pv__grain_place(w->x, w->y);
    for (int i = all ? all->bodies : 0; all && i < all->count; i++) {
        const pv__grain_mover *m = &all->items[i];
        if (pv__mover_is_met(m, &way) && leads_through(m, from, to)) return m->sink;
    }
    return -1;
}
