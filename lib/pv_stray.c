/* pv_stray.c - what is struck out of the box in which its pairs were looked for meets others within the step.
 *
 * Invariant: after each substep, what moves sticks out of its box by no more than STRAYED, or its box was widened and all that
 * the wider one meets are its pairs.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

/// How far a body may stick out of its box, and what is added to a wider one [px].
static const double STRAYED = 2, MARGIN = 0.75;

static bool sticks_out(const pv_box *box, const pv_box *room) {
    return box->min.x < room->min.x - STRAYED || box->min.y < room->min.y - STRAYED ||
           box->max.x > room->max.x + STRAYED || box->max.y > room->max.y + STRAYED;
}

/// How far any point of a mover goes in so long, at most [px].
static double way_in(const pv_world *world, int index, double time) {
    pv__four motion = world->movers[index + 1].motion;
    return time *
           (pv__abs(motion[0]) + pv__abs(motion[1]) + pv__abs(motion[2]) * world->courses[index + 1].reach);
}

/// Widens the box of a body that sticks out of it; whether it does. What is slow would have been seen while it was faster.
static bool widen(pv_world *world, int index, double dt, double ahead) {
    pv_box *room = &world->grid.places[index].box;
    if (way_in(world, index, dt) < STRAYED) return false;
    pv_box box = pv__touching_box(&world->bodies[index], pv__mover_pose(world, index));
    if (!sticks_out(&box, room)) return false;
    double by = MARGIN + way_in(world, index, ahead);
    *room = (pv_box){{box.min.x - by, box.min.y - by}, {box.max.x + by, box.max.y + by}};
    return true;
}

static void add_pair(pv_world *world, int a, int b) {
    const pv__grid *g = &world->grid;
    if (a == b || !(g->proxies[a].seeks || g->proxies[b].seeks)) return;
    if (!pv__boxes_meet(&g->places[a].box, &g->places[b].box)) return;
    if (!pv__reserve(&world->def.allocator, &world->pairs, &world->pair_capacity, world->pair_count + 1,
                     sizeof(pv__pair)))
        world->flags |= PV_STEP_NO_MEMORY;
    else
        world->pairs[world->pair_count++] = a < b ? (pv__pair){a, b} : (pv__pair){b, a};
}

static void add_pairs_of(pv_world *world, int index) {
    for (int i = 0; i < world->awake_count; i++) add_pair(world, index, world->awake[i]);
    int resting = pv__find_resting(world, &world->grid.places[index].box);
    for (int i = 0; i < resting; i++) add_pair(world, index, world->grid.near[i]);
}

void pv__meet_strays(pv_world *world, double h, int substep) {
    double dt = h * world->substeps, ahead = dt - h * (substep + 1);
    int before = world->pair_count;
    for (int i = 0; i < world->restless_count; i++)
        if (widen(world, world->restless[i], dt, ahead)) add_pairs_of(world, world->restless[i]);
    if (world->pair_count == before) return;
    pv__filter_pairs(world, before);
    pv__add_manifolds(world, before, substep + 1);
}
