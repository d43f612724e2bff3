/* grains_step.c - steps all populations.
 *
 * Invariant: each line of a step is a stage. Grains in the air move together. Those that may touch
 * something end their ways one by one, in the order of their slots. A population without memory for
 * the ground stands still for that step.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/stage_timer.h"
#include "core/tasks.h"
#include "grains/area.h"
#include "grains/flight.h"
#include "grains/grains.h"
#include "grains/movers.h"
#include "grains/numbers.h"
#include "grains/walk.h"

/* ---- one population ---- */

/// Moves the grains in the air of some words, and stores the bits of the others.
static void fly_words(pv_world *world, void *stage, int first, int end) {
    const pv__flight_kernel *kernel = pv__flight_choose();
    const pv__grains *g = stage;
    (void)world;
    for (int i = first; i < end; i++)
        g->near[i] = g->moving[i] ? kernel->fly(g, 64 * i, g->moving[i]) : 0;
}

/// Moves all grains in the air, and lists the others. Returns false without memory.
static bool fly_all(pv_world *world, pv__grains *g) {
    const pv_allocator *a = &world->def.allocator;
    int words = (g->used + 63) / 64, count = 0;
    if (!PV__RESERVE(a, g->near, g->near_capacity, words)) return false;
    pv__tasks_run(world, words, 16, fly_words, g);
    for (int i = 0; i < words; i++) count += __builtin_popcountll(g->near[i]);
    g->walker_count = 0;
    if (!PV__RESERVE(a, g->walkers, g->walker_capacity, count)) return false;
    for (int i = 0; i < words; i++)
        for (uint64_t near = g->near[i]; near; near &= near - 1)
            g->walkers[g->walker_count++] = (uint32_t)(64 * i + __builtin_ctzll(near));
    return true;
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
        if (fly_all(world, g))
            pv__walkers_step(world, g);
        else
            world->out_of_memory = true;
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
