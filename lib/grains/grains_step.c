/* grains_step.c - the step of all populations.
 *
 * Invariant: each line of a step is a stage. Grains in the air move together; those that may touch
 * something move one by one, in the order of their slots. A population without memory for the
 * ground stands still for that step.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/grains_step.h"
#include "core/stage_timer.h"
#include "grains/area.h"
#include "grains/bodies.h"
#include "grains/flight.h"
#include "grains/mover_hit.h"
#include "grains/movers.h"
#include "grains/numbers.h"
#include "grains/pile.h"
#include "grains/ring.h"

/// Greatest height that a grain in the pixel of another one rises, and how far it goes aside [px]
enum { STEP_RISE = 1024, STEP_ASIDE = 6 };
/// Height up to which a grain that comes to rest tries to go aside at each pixel, and heights from
/// one such place to the next beyond, as it takes time [px]
enum { STEP_NEAR = 24, STEP_PACE = 16 };

/* ---- the end of a grain's way ---- */

/// Tells whether neither ground nor a mover is in a grain's way at a place.
static bool is_open(const pv__grains *g, int32_t x, int32_t y) {
    unsigned u = pv__grain_pixel(x), v = pv__grain_pixel(y);
    return pv__area_has(u, v) && !pv__area_is_ground(g, u, v) && !pv__movers_bar(g, x, y);
}

/// Moves a grain to the first free pixel to one side. Returns false if there is none near.
static bool give_way(const pv__grains *g, pv__walker *w, int32_t x, int32_t y, int side) {
    pv_point down = pv__grain_ways[g->now.down];
    for (int k = 1; k <= STEP_ASIDE; k++) {
        x += side * down.y * 65536;
        y += side * down.x * 65536;
        if (!is_open(g, x, y)) return false;
        if (pv__area_is_solid(g, pv__grain_pixel(x), pv__grain_pixel(y))) continue;
        w->x = x;
        w->y = y;
        return true;
    }
    return false;
}

/// Moves a grain out of the pixel of another one: against gravity, or aside from there, so that no
/// tower grows. Returns false if a body is in the way.
/// @param side side to try first, -1 or 1
/// @param near height up to which the sides are tried at each pixel [px]
static bool rise(const pv__grains *g, pv__walker *w, int side, int near) {
    pv_point down = pv__grain_ways[g->now.down];
    int32_t x = w->x, y = w->y;
    for (int i = 0; i <= STEP_RISE; i++) {
        if (i > 0 && !is_open(g, x, y)) return false;
        if (!pv__area_is_solid(g, pv__grain_pixel(x), pv__grain_pixel(y))) {
            w->x = x;
            w->y = y;
            return true;
        }
        if ((i < near || i % STEP_PACE == STEP_PACE - 1) &&
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

/// Lays a grain that touched something to rest if it is slow. One that a mover carries takes its
/// pixel, so that others can lie on it.
static void settle(pv_world *world, pv__grains *g, uint32_t slot, pv__walker *w) {
    unsigned u = pv__grain_pixel(w->x), v = pv__grain_pixel(w->y);
    bool rests = may_lie(g, w, u, v);
    if (!rests && !w->carried) return;
    if (pv__area_is_solid(g, u, v)) {
        if (!rise(g, w, slot & 1 ? 1 : -1, rests ? STEP_NEAR : 0)) return;
        u = pv__grain_pixel(w->x);
        v = pv__grain_pixel(w->y);
    }
    if (rests && pv__pile_rest(world, g, slot, u, v)) {
        w->dx = w->dy = 0;
    } else if (!rests && pv__area_take(world, g, u, v, slot)) {
        g->claims[slot >> 6] |= UINT64_C(1) << (slot & 63);
    } else {
        world->out_of_memory = true;
    }
}

/* ---- one grain ---- */

/// Tells whether a grain is in the area, and in no sink; otherwise ends it.
static bool stays(pv__grains *g, uint32_t slot, const pv__walker *w, bool movers) {
    bool sinks = movers && g->sink_count > 0;
    int sink = sinks ? pv__movers_sink_on(g, pv__grain_place(g->x[slot], g->y[slot]),
                                          pv__grain_place(w->x, w->y))
                     : -1;
    if (sink >= 0) {
        g->sinks[sink].count.last_step++;
        g->sinks[sink].count.total++;
        g->stats.sunk++;
    } else if (pv__area_has(pv__grain_pixel(w->x), pv__grain_pixel(w->y))) {
        return true;
    } else {
        g->stats.lost++;
    }
    pv__ring_end(g, slot);
    return false;
}

/// Moves a grain along its way. Returns false if it is lost in solid pixels.
static bool go(const pv__grains *g, pv__walker *w, bool movers) {
    int32_t x = w->x, y = w->y;
    if (pv__area_is_ground(g, pv__grain_pixel(x), pv__grain_pixel(y))) {
        if (!pv__movers_part(g, w, x, y)) return false;
        w->meets = pv__walk_meets(g, w);
    }
    pv__mover_hit hit = movers ? pv__movers_push(g, w) : PV__MOVER_FREE;
    if (hit != PV__MOVER_PUSHED) pv__walk_grain(g, w);
    if (hit != PV__MOVER_FREE || (movers && w->touched)) pv__movers_part(g, w, x, y);
    return true;
}

/// Tells whether movers are near a grain.
static bool near_movers(const pv__grains *g, const pv__walker *w) {
    unsigned u = pv__grain_pixel(w->x), v = pv__grain_pixel(w->y);
    int far = pv__later(pv__grain_abs(w->dx), pv__grain_abs(w->dy)) + (8 << 16) - 1;
    return pv__area_clear(g, u, v) >> 4 <= far >> 19;
}

/// Moves a grain whose way meets something.
static void step_walker(pv_world *world, pv__grains *g, uint32_t slot, pv__walker *w) {
    unsigned u = pv__grain_pixel(w->x), v = pv__grain_pixel(w->y);
    uint64_t bit = UINT64_C(1) << (slot & 63);
    bool held = g->claims[slot >> 6] & bit;
    if (held) pv__area_tile(g, u, v)->rows[v & 63].taken &= ~(UINT64_C(1) << (u & 63));
    g->claims[slot >> 6] &= ~bit;
    bool movers = near_movers(g, w), free = go(g, w, movers);
    if (!free) {
        g->stats.lost++;
        pv__ring_end(g, slot);
    } else if (stays(g, slot, w, movers) && w->touched && g->now.down >= 0) {
        settle(world, g, slot, w);
    }
    if (held && !(pv__area_tile(g, u, v)->rows[v & 63].taken >> (u & 63) & 1))
        pv__area_free(g, u, v);
}

static void step_grain(pv_world *world, pv__grains *g, uint32_t slot) {
    pv__walker w = {g->x[slot], g->y[slot], g->dx[slot], g->dy[slot], false, false, 0};
    w.meets = pv__walk_meets(g, &w);
    if (w.meets) {
        step_walker(world, g, slot, &w);
        if (g->y[slot] == PV_GRAIN_NONE) return;
        g->dx[slot] = w.dx;
        g->dy[slot] = w.dy;
    } else {
        w.x += w.dx;
        w.y += w.dy;
    }
    g->x[slot] = w.x;
    g->y[slot] = w.y;
}

/* ---- one population ---- */

/// Moves all grains in the air, and lists the others.
static void fly_all(pv_world *world, pv__grains *g) {
    const pv__flight_kernel *kernel = pv__flight_choose();
    g->walker_count = 0;
    for (int i = 0; i < g->used; i += 64) {
        if (!g->moving[i >> 6]) continue;
        uint64_t near = kernel->fly(g, i, g->moving[i >> 6]);
        if (!pv__reserve(&world->def.allocator, &g->walkers, &g->walker_capacity,
                         g->walker_count + 64, sizeof *g->walkers)) {
            world->out_of_memory = true;
            return;
        }
        for (; near; near &= near - 1)
            g->walkers[g->walker_count++] = (uint32_t)(i + __builtin_ctzll(near));
    }
}

static void step_population(pv_world *world, pv__grains *g, double dt) {
    int down = g->now.down;
    bool turned = pv__numbers_set(world, g, dt);
    for (int i = 0; i < g->sink_count; i++) g->sinks[i].count.last_step = 0;
    pv__ring_expire(world, g);
    if (turned && down >= 0) pv__ring_unsettle(g, down != g->now.down);
    if (!pv__grain_bodies_follow(world, g)) {
        world->out_of_memory = true;
    } else {
        pv__pile_slide(world, g);
        pv__movers_wake(g);
        pv__area_refresh(g);
        fly_all(world, g);
        for (int i = 0; i < g->walker_count; i++) step_grain(world, g, g->walkers[i]);
    }
    pv__movers_end(g);
}

void pv__grains_step(pv_world *world, double dt) {
    pv__grain_sets *all = &world->grains;
    if (all->pool.living == 0) return;
    for (int i = 0; i < all->pool.count; i++)
        if (pv__slot_lives(&all->items[i].slot)) step_population(world, &all->items[i], dt);
    pv__timer_lap(world, &world->profile.matter);
}
