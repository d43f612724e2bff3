/* movers.c - bodies that move, as grains meet them: swept in the frame of their own pictures.
 *
 * Invariant: a grain's way through a step is a line in a mover's picture, from the mover's pose
 * before to its pose now. It goes along that line at most half a pixel at a time. A grain that is hit stays at
 * its place in the picture. Only the ground stops it on the way there.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/movers.h"
#include "core/pose.h"
#include "grains/area.h"
#include "grains/ground.h"
#include "grains/numbers.h"
#include "grains/pile.h"

/// Side of a cell of movers, as a power of two [px], and distance in which a free pixel is sought
/// [px]
enum { MOVERS_SHIFT = 5, MOVERS_SEEK = 16 };
/// Pixels around a hit that make its normal
enum { MOVERS_REACH = 2 };
/// Greatest number of movers that push a grain in a step
enum { MOVERS_PUSHES = 3 };

/// Body that moves, or a sink
typedef struct mover {
    /// Null for a sink without a sensor
    const pv__bits *bits;
    pv_transform before, now;
    /// Biased pixels that it covers in the step
    pv_rect box;
    /// Index of the sink, or -1
    int sink;
} mover;

/// Movers of a step: bodies, then sinks. The bodies of cell i are entries[starts[i]]...entries[starts[i + 1] - 1].
struct pv__grain_movers {
    mover *items;
    int count, capacity;
    int *starts, *entries;
    int start_capacity, entry_capacity;
    /// Number of cells by hash, a power of two
    int cells;
    /// Number of those that are bodies
    int bodies;
};

typedef struct pv__grain_movers movers;

/* ---- places ---- */

static pv_vec2 place_of(int32_t x, int32_t y) { return pv__vec(x / 65536.0, y / 65536.0); }

static int32_t coordinate_of(double x) {
    const double most = PV__GRAIN_BIAS - 257;
    return (int32_t)pv__floor(pv__clamp(x, -most, most) * 65536);
}

/// Returns a point in the picture of a transform, like every query of points.
static inline pv_vec2 into_picture(const pv_transform *t, pv_vec2 point) {
    pv_vec2 arm = pv__unrotate(t->rotation, pv__sub(point, t->position));
    return pv__vec(t->pivot.x + arm.x / t->scale.x, t->pivot.y + arm.y / t->scale.y);
}

static inline pv_vec2 out_of_picture(const pv_transform *t, pv_vec2 m) {
    pv_vec2 arm = pv__vec((m.x - t->pivot.x) * t->scale.x, (m.y - t->pivot.y) * t->scale.y);
    return pv__add(t->position, pv__rotate(t->rotation, arm));
}

static inline bool picture_is_solid(const pv__bits *bits, pv_vec2 m) {
    return m.x >= 0 && m.y >= 0 && m.x < bits->w && m.y < bits->h &&
           pv__bits_get(bits, (int)m.x, (int)m.y);
}

static inline bool rect_has(const pv_rect *r, unsigned u, unsigned v) {
    return u - (unsigned)r->x < (unsigned)r->w && v - (unsigned)r->y < (unsigned)r->h;
}

static bool is_in(const mover *m, int32_t x, int32_t y) {
    return rect_has(&m->box, pv__grain_pixel(x), pv__grain_pixel(y)) &&
           (!m->bits || picture_is_solid(m->bits, into_picture(&m->now, place_of(x, y))));
}

/* ---- the movers of a step ---- */

static bool append(pv_world *world, pv__grains *g, const mover *m) {
    const pv_allocator *a = &world->def.allocator;
    if (!g->movers) g->movers = pv__alloc(a, 1, sizeof *g->movers);
    movers *all = g->movers;
    if (!all || !pv__reserve(a, &all->items, &all->capacity, all->count + 1, sizeof *all->items))
        return false;
    all->items[all->count++] = *m;
    all->bodies += m->sink < 0;
    return true;
}

static pv_rect rect_around(pv_rect a, pv_rect b) {
    int x = pv__sooner(a.x, b.x), y = pv__sooner(a.y, b.y);
    return (pv_rect){x, y, pv__later(a.x + a.w, b.x + b.w) - x,
                     pv__later(a.y + a.h, b.y + b.h) - y};
}

bool pv__movers_add(pv_world *world, pv__grains *g, const pv__body *b, pv__pose from, int sink) {
    pv_rect was = pv__ground_rect(b, from), is = pv__ground_rect(b, b->pose);
    mover m = {.bits = &b->pixels->mask->bits,
               .before = pv__body_transform(b, from),
               .now = pv__body_transform(b, b->pose),
               .box = was.w && is.w ? rect_around(was, is)
                      : was.w       ? was
                                    : is,
               .sink = sink};
    return m.box.w == 0 || append(world, g, &m);
}

bool pv__movers_add_box(pv_world *world, pv__grains *g, int sink) {
    const double most = PV_GRAIN_FARTHEST;
    pv_box box = g->sinks[sink].sink.box;
    int x0 = (int)pv__floor(pv__clamp(box.min.x, -most, most)),
        y0 = (int)pv__floor(pv__clamp(box.min.y, -most, most));
    int x1 = (int)pv__floor(pv__clamp(box.max.x, -most, most)),
        y1 = (int)pv__floor(pv__clamp(box.max.y, -most, most));
    mover m = {.box = {x0 + PV__GRAIN_BIAS, y0 + PV__GRAIN_BIAS, x1 - x0, y1 - y0}, .sink = sink};
    return m.box.w <= 0 || m.box.h <= 0 || append(world, g, &m);
}

static unsigned cell_of(const movers *all, int x, int y) {
    return ((unsigned)x * 0x9e3779b1u ^ (unsigned)y * 0x85ebca6bu) >> 7 &
           ((unsigned)all->cells - 1);
}

/// Counts the cells of a mover, or enters it there.
static void enter(movers *all, int i, bool counts) {
    pv_rect r = all->items[i].box;
    for (int y = r.y >> MOVERS_SHIFT; y <= (r.y + r.h - 1) >> MOVERS_SHIFT; y++)
        for (int x = r.x >> MOVERS_SHIFT; x <= (r.x + r.w - 1) >> MOVERS_SHIFT; x++) {
            unsigned cell = cell_of(all, x, y);
            if (counts)
                all->starts[cell + 2]++;
            else
                all->entries[all->starts[cell + 1]++] = i;
        }
}

/// Sorts the movers into cells by counting.
static bool sort_movers(pv_world *world, movers *all) {
    const pv_allocator *a = &world->def.allocator;
    all->cells = pv__table_length(0, 64, 8 * (int64_t)all->bodies);
    if (!pv__reserve(a, &all->starts, &all->start_capacity, all->cells + 2, sizeof(int)))
        return false;
    for (int i = 0; i < all->cells + 2; i++) all->starts[i] = 0;
    for (int i = 0; i < all->bodies; i++) enter(all, i, true);
    for (int i = 1; i < all->cells + 2; i++) all->starts[i] += all->starts[i - 1];
    if (!pv__reserve(a, &all->entries, &all->entry_capacity, all->starts[all->cells + 1] + 1,
                     sizeof(int)))
        return false;
    for (int i = 0; i < all->bodies; i++) enter(all, i, false);
    return true;
}

/// Wakes the resting grains within a pixel of a mover.
static void wake_met(pv__grains *g, const mover *m) {
    int bottom = m->box.y + m->box.h, right = m->box.x + m->box.w;
    for (int y = m->box.y; y < bottom; y++)
        for (int x = m->box.x & ~63; x < right; x += 64) {
            const pv__grain_tile *t = pv__area_tile(g, (unsigned)x, (unsigned)y);
            uint64_t bits = t ? t->rests[y & 63] : 0;
            for (; bits; bits &= bits - 1) {
                unsigned u = (unsigned)x + (unsigned)__builtin_ctzll(bits), v = (unsigned)y;
                if (!rect_has(&m->box, u, v)) continue;
                pv_vec2 p = place_of(pv__grain_center(u), pv__grain_center(v));
                pv_vec2 at = into_picture(&m->now, p);
                bool met = false;
                for (int k = 0; k < 9 && !met; k++)
                    met = picture_is_solid(m->bits, pv__vec(at.x + k % 3 - 1, at.y + k / 3 - 1));
                if (met) pv__pile_wake(g, u, v);
            }
        }
}

/// Wakes the resting grains in a sink.
static void wake_sunk(pv__grains *g, const mover *m) {
    for (int y = m->box.y; y < m->box.y + m->box.h; y++)
        for (int x = m->box.x & ~63; x < m->box.x + m->box.w; x += 64) {
            const pv__grain_tile *t = pv__area_tile(g, (unsigned)x, (unsigned)y);
            for (uint64_t bits = t ? t->rests[y & 63] : 0; bits; bits &= bits - 1) {
                unsigned u = (unsigned)x + (unsigned)__builtin_ctzll(bits);
                if (is_in(m, pv__grain_center(u), pv__grain_center((unsigned)y)))
                    pv__pile_wake(g, u, (unsigned)y);
            }
        }
}

bool pv__movers_begin(pv_world *world, pv__grains *g) {
    movers *all = g->movers;
    if (!all || all->count == 0) return true;
    if (!sort_movers(world, all)) return false;
    for (int i = 0; i < all->count; i++) {
        if (!pv__area_mark(world, g, all->items[i].box)) return false;
    }
    return true;
}

void pv__movers_wake(pv__grains *g) {
    for (int i = 0; g->movers && i < g->movers->count; i++)
        (g->movers->items[i].sink < 0 ? wake_met : wake_sunk)(g, &g->movers->items[i]);
}

void pv__movers_end(pv__grains *g) {
    movers *all = g->movers;
    if (!all) return;
    for (int i = 0; i < all->count; i++) pv__area_unmark(g, all->items[i].box);
    all->count = all->bodies = 0;
}

void pv__movers_free(const pv_world *world, pv__grains *g) {
    const pv_allocator *a = &world->def.allocator;
    movers *all = g->movers;
    if (!all) return;
    pv__free(a, all->items, (size_t)all->capacity, sizeof *all->items);
    pv__free(a, all->starts, (size_t)all->start_capacity, sizeof(int));
    pv__free(a, all->entries, (size_t)all->entry_capacity, sizeof(int));
    pv__free(a, all, 1, sizeof *all);
    g->movers = NULL;
}

/* ---- hits ---- */

/// Walk over the movers whose cells a rectangle meets
typedef struct mover_search {
    const movers *all;
    pv_rect rect;
    int x, y, entry, end;
} mover_search;

static void open_cell(mover_search *s) {
    unsigned cell = cell_of(s->all, s->x, s->y);
    s->entry = s->all->starts[cell];
    s->end = s->all->starts[cell + 1];
}

static mover_search search_along(const pv__grains *g, int32_t x0, int32_t y0, int32_t x1,
                                 int32_t y1) {
    int u0 = (int)pv__grain_pixel(pv__sooner(x0, x1)), u1 = (int)pv__grain_pixel(pv__later(x0, x1));
    int v0 = (int)pv__grain_pixel(pv__sooner(y0, y1)), v1 = (int)pv__grain_pixel(pv__later(y0, y1));
    mover_search s = {.all = g->movers, .rect = {u0, v0, u1 - u0 + 1, v1 - v0 + 1}};
    s.x = u0 >> MOVERS_SHIFT;
    s.y = v0 >> MOVERS_SHIFT;
    open_cell(&s);
    return s;
}

/// Returns the next mover whose box meets the rectangle, or null. One in several cells may come
/// several times.
static const mover *search_next(mover_search *s) {
    int right = (s->rect.x + s->rect.w - 1) >> MOVERS_SHIFT,
        bottom = (s->rect.y + s->rect.h - 1) >> MOVERS_SHIFT;
    for (;;) {
        while (s->entry < s->end) {
            const mover *m = &s->all->items[s->all->entries[s->entry++]];
            if (pv__rect_meet(m->box, s->rect).w) return m;
        }
        if (s->x < right) {
            s->x++;
        } else {
            s->x = s->rect.x >> MOVERS_SHIFT;
            if (++s->y > bottom) return NULL;
        }
        open_cell(s);
    }
}

/// Hit of a grain by a mover
typedef struct hit {
    const mover *by;
    /// Part of the step before it, and the last free place in the mover's picture
    double part;
    pv_vec2 at;
} hit;

/// Finds the first solid pixel on the way of a grain in a mover's picture.
static bool find_hit(const mover *m, const pv__walker *w, hit *first) {
    pv_vec2 from = into_picture(&m->before, place_of(w->x, w->y));
    pv_vec2 to = into_picture(&m->now, place_of(w->x + w->dx, w->y + w->dy));
    pv_vec2 way = pv__sub(to, from);
    double far = pv__max(pv__abs(way.x), pv__abs(way.y));
    int count = (int)pv__floor(pv__min(2 * far, 4096)) + 1;
    if (picture_is_solid(m->bits, from))
        return false; /* It is already in; it comes out elsewhere. */
    for (int i = 1; i <= count; i++) {
        double part = (double)i / count;
        if (part >= first->part) return false;
        if (!picture_is_solid(m->bits, pv__lerp(from, to, part))) continue;
        *first = (hit){m, part, pv__lerp(from, to, (double)(i - 1) / count)};
        return true;
    }
    return false;
}

/// Returns the normal of a mover at a free place in its picture, in the world.
static pv__grain_normal normal_of(const mover *m, pv_vec2 at) {
    int x = 0, y = 0;
    for (int j = -MOVERS_REACH; j <= MOVERS_REACH; j++)
        for (int i = -MOVERS_REACH; i <= MOVERS_REACH; i++)
            if (picture_is_solid(m->bits, pv__vec(at.x + i, at.y + j))) {
                x += i;
                y += j;
            }
    pv_vec2 n = {m->now.scale.x < 0 ? -x : x, m->now.scale.y < 0 ? -y : y};
    n = pv__mul(-PV__GRAIN_ONE, pv__direction(pv__rotate(m->now.rotation, n)));
    return (pv__grain_normal){(int32_t)pv__floor(n.x + 0.5), (int32_t)pv__floor(n.y + 0.5)};
}

/// Bounces a grain off a mover. The grain goes with the place that it hit.
static void bounce(const pv__grains *g, pv__walker *w, const hit *h) {
    const mover *m = h->by;
    pv_vec2 was = out_of_picture(&m->before, h->at), is = out_of_picture(&m->now, h->at);
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

bool pv__movers_push(const pv__grains *g, pv__walker *w) {
    if (!g->movers || g->movers->bodies == 0) return false;
    hit first = {.part = 2};
    mover_search s = search_along(g, w->x, w->y, w->x + w->dx, w->y + w->dy);
    for (const mover *m; (m = search_next(&s));) find_hit(m, w, &first);
    if (!first.by) return false;
    bounce(g, w, &first);
    return true;
}

/* ---- places outside ---- */

bool pv__movers_bar(const pv__grains *g, int32_t x, int32_t y) {
    if (!g->movers || g->movers->bodies == 0) return false;
    mover_search s = search_along(g, x, y, x, y);
    for (const mover *m; (m = search_next(&s));)
        if (is_in(m, x, y)) return true;
    return false;
}

static bool is_filled(const pv__grains *g, int32_t x, int32_t y) {
    unsigned u = pv__grain_pixel(x), v = pv__grain_pixel(y);
    return !pv__area_has(u, v) || pv__area_is_ground(g, u, v) || pv__movers_bar(g, x, y);
}

/// Takes a grain along with a mover that it is in, at its former place in the mover's picture.
/// Returns false if that is not free, or the ground is in the way.
static bool take_along(const pv__grains *g, pv__walker *w, int32_t from_x, int32_t from_y) {
    if (!g->movers || g->movers->bodies == 0) return false;
    mover_search s = search_along(g, w->x, w->y, w->x, w->y);
    for (const mover *m; (m = search_next(&s));) {
        pv_vec2 at = into_picture(&m->before, place_of(from_x, from_y));
        pv_vec2 to = out_of_picture(&m->now, at);
        int32_t x = coordinate_of(to.x), y = coordinate_of(to.y);
        pv__walker moved = {.x = from_x, .y = from_y};
        if (!is_in(m, w->x, w->y) || picture_is_solid(m->bits, at) || is_filled(g, x, y)) continue;
        if (!pv__walk_push(g, &moved, x - from_x, y - from_y)) continue;
        *w = (pv__walker){x,
                          y,
                          pv__grain_bounded((int64_t)x - from_x),
                          pv__grain_bounded((int64_t)y - from_y),
                          true,
                          true};
        return true;
    }
    return false;
}

bool pv__movers_part(const pv__grains *g, pv__walker *w, int32_t from_x, int32_t from_y) {
    if (!is_filled(g, w->x, w->y) || take_along(g, w, from_x, from_y)) return true;
    bool buried = pv__area_is_ground(g, pv__grain_pixel(w->x), pv__grain_pixel(w->y));
    for (int far = 1; far <= MOVERS_SEEK; far++)
        for (int i = 0; i < 8 * far; i++) {
            int side = i / (2 * far), along = i % (2 * far) - far;
            int x = side == 0 ? along : side == 1 ? far : side == 2 ? -along : -far;
            int y = side == 0 ? -far : side == 1 ? along : side == 2 ? far : -along;
            int64_t to_x = (int64_t)w->x + x * 65536, to_y = (int64_t)w->y + y * 65536;
            if (to_x != (int32_t)to_x || to_y != (int32_t)to_y) continue;
            pv__walker to = *w;
            if (is_filled(g, (int32_t)to_x, (int32_t)to_y)) continue;
            if (!buried && !pv__walk_push(g, &to, x * 65536, y * 65536)) continue;
            w->x = (int32_t)to_x;
            w->y = (int32_t)to_y;
            w->touched = true;
            return true;
        }
    return false;
}

/// Tells whether a way leads through a sink.
static bool leads_through(const mover *m, pv_vec2 from, pv_vec2 to) {
    pv_vec2 way = pv__sub(to, from);
    int count = (int)pv__floor(pv__max(pv__abs(way.x), pv__abs(way.y))) + 1;
    for (int i = 1; i <= count; i++) {
        pv_vec2 at = pv__lerp(from, to, (double)i / count);
        if (is_in(m, coordinate_of(at.x), coordinate_of(at.y))) return true;
    }
    return false;
}

int pv__movers_sink_on(const pv__grains *g, pv_vec2 from, pv_vec2 to) {
    const movers *all = g->movers;
    pv_point min = {(int)pv__floor(pv__min(from.x, to.x)) + PV__GRAIN_BIAS,
                    (int)pv__floor(pv__min(from.y, to.y)) + PV__GRAIN_BIAS};
    pv_point max = {(int)pv__floor(pv__max(from.x, to.x)) + PV__GRAIN_BIAS,
                    (int)pv__floor(pv__max(from.y, to.y)) + PV__GRAIN_BIAS};
    pv_rect around = {min.x, min.y, max.x - min.x + 1, max.y - min.y + 1};
    for (int i = all ? all->bodies : 0; all && i < all->count; i++) {
        const mover *m = &all->items[i];
        if (pv__rect_meet(m->box, around).w && leads_through(m, from, to)) return m->sink;
    }
    return -1;
}
