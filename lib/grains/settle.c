/* settle.c - lays grains to rest, and lets carried grains take their pixels.
 *
 * Invariant: a grain takes only a free pixel. In the pixel of another grain it rises against
 * gravity, or goes aside on the way.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/area.h"
#include "grains/numbers.h"
#include "grains/walk.h"

/// Greatest height that a grain in the pixel of another one rises, and how far it goes aside [px]
enum { SETTLE_RISE = 1024, SETTLE_ASIDE = 6 };
/// Height up to which a grain that comes to rest tries to go aside at each pixel, and distance
/// between its tries above that, which saves time [px]
enum { SETTLE_NEAR = 24, SETTLE_PACE = 16 };

/// Moves a grain to the first free pixel to one side. Returns false if there is none near.
static bool give_way(const pv__grains *g, pv__walker *w, int32_t x, int32_t y, int side) {
    pv_point down = pv__grain_ways[g->now.down];
    for (int k = 1; k <= SETTLE_ASIDE; k++) {
        x += side * down.y * 65536;
        y += side * down.x * 65536;
        if (!pv__movers_leave_open(g, x, y)) return false;
        if (pv__area_is_solid(g, pv__grain_pixel(x), pv__grain_pixel(y))) continue;
        w->x = x;
        w->y = y;
        return true;
    }
    return false;
}

/// Tells whether all pixels near a grain to both sides are filled. One word shows that if gravity
/// is vertical; otherwise returns false.
static bool is_enclosed(const pv__grains *g, int32_t x, int32_t y) {
    const uint64_t all = (UINT64_C(1) << (2 * SETTLE_ASIDE + 1)) - 1;
    if (g->now.down >= 2) return false;
    unsigned left = pv__grain_pixel(x) - SETTLE_ASIDE;
    return (pv__area_word(g, left, pv__grain_pixel(y), PV__AREA_SOLID) & all) == all;
}

/// Moves a grain out of the pixel of another one: against gravity, or aside from there, so that no
/// tower grows. Returns false if a body is in the way.
/// @param side side to try first, -1 or 1
/// @param near height up to which the sides are tried at each pixel [px]
static bool rise(const pv__grains *g, pv__walker *w, int side, int near) {
    pv_point down = pv__grain_ways[g->now.down];
    int32_t x = w->x, y = w->y;
    for (int i = 0; i <= SETTLE_RISE; i++) {
        if (i > 0 && !pv__movers_leave_open(g, x, y)) return false;
        if (!pv__area_is_solid(g, pv__grain_pixel(x), pv__grain_pixel(y))) {
            w->x = x;
            w->y = y;
            return true;
        }
        if ((i < near || i % SETTLE_PACE == SETTLE_PACE - 1) && !is_enclosed(g, x, y) &&
            (give_way(g, w, x, y, side) || give_way(g, w, x, y, -side)))
            return true;
        x -= down.x * 65536;
        y -= down.y * 65536;
    }
    return false;
}

static bool may_lie(const pv__grains *g, const pv__walker *w, unsigned u, unsigned v) {
    pv_point way = pv__grain_ways[g->now.down];
    return pv__grain_abs(w->dx) <= g->now.slow && pv__grain_abs(w->dy) <= g->now.slow &&
           pv__area_is_solid(g, u + (unsigned)way.x, v + (unsigned)way.y);
}

bool pv__settle(pv_world *world, pv__grains *g, uint32_t slot, pv__walker *w) {
    unsigned u = pv__grain_pixel(w->x), v = pv__grain_pixel(w->y);
    bool rests = may_lie(g, w, u, v);
    if (!rests && !w->carried) return false;
    if (pv__area_is_solid(g, u, v)) {
        if (!rise(g, w, slot & 1 ? 1 : -1, rests ? SETTLE_NEAR : 0)) return false;
        u = pv__grain_pixel(w->x);
        v = pv__grain_pixel(w->y);
    }
    if (rests && pv__pile_rest(world, g, slot, u, v)) {
        w->dx = w->dy = 0;
    } else if (!rests && pv__area_take(world, g, u, v, slot)) {
        g->claims[slot >> 6] |= UINT64_C(1) << (slot & 63);
    } else {
        world->out_of_memory = true;
        return false;
    }
    return true;
}
