/* pv_stray.c - what is struck out of the box in which its pairs were looked for meets others within the step.
 *
 * Invariant: after each substep, what moves sticks out of its box by no more than STRAYED, or its box was widened and all that
 * the wider one meets are its pairs; except in a crowd, and when the step's budget is spent. The budget is counted, not timed, so
 * runs repeat; what it leaves out is met in the next step.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

/// How far a body may stick out of its box [px].
static const double STRAYED = 2;
/// Budget of a step: bodies that all strays may find near them, and so many more for each that is awake.
static const int STEP_FINDS = 64, BODY_FINDS = 1;

void pv__allow_strays(pv_world *world) {
    world->stray_count = 0;
    world->stray_finds = STEP_FINDS + (int64_t)BODY_FINDS * world->awake_count;
}

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

/// The box of the circle that holds a mover however it turns.
static pv_box circle_box(const pv_world *world, int index) {
    pv__four pose = world->movers[index + 1].pose;
    double reach = world->courses[index + 1].reach;
    return (pv_box){{pose[0] - reach, pose[1] - reach}, {pose[0] + reach, pose[1] + reach}};
}

/// Tells whether a body has left its box. What is slow would have been seen while it was faster.
static bool has_strayed(const pv_world *world, int index, double dt) {
    const pv_box *room = &world->grid.places[index].box;
    pv_box box = circle_box(world, index);
    if (!sticks_out(&box, room) || way_in(world, index, dt) < STRAYED || pv__is_crowded(world, index, index))
        return false;
    box = pv__touching_box(&world->bodies[index], pv__mover_pose(world, index));
    return sticks_out(&box, room);
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

/// Pairs a stray with all that its wider box meets: the grid knows other strays where they were when the step began.
static void add_pairs_of(pv_world *world, int index) {
    int near = pv__find_met(world, index, true);
    world->stray_finds -= near + world->stray_count;
    if (world->stray_finds < 0) return;
    for (int i = 0; i < near; i++) add_pair(world, index, world->grid.near[i]);
    for (int i = 0; i < world->stray_count; i++) add_pair(world, index, world->strays[i]);
    if (pv__reserve(&world->def.allocator, &world->strays, &world->stray_capacity, world->stray_count + 1,
                    sizeof(int)))
        world->strays[world->stray_count++] = index;
    else
        world->flags |= PV_STEP_NO_MEMORY;
}

void pv__meet_strays(pv_world *world, double h, int substep) {
    double dt = h * world->substeps, ahead = dt - h * (substep + 1);
    int before = world->pair_count;
    for (int i = 0; i < world->restless_count && world->stray_finds > 0; i++) {
        int index = world->restless[i];
        if (!has_strayed(world, index, dt)) continue;
        pv__widen_room(world, index, way_in(world, index, ahead));
        add_pairs_of(world, index);
    }
    if (world->pair_count == before) return;
    pv__filter_pairs(world, before);
    pv__add_manifolds(world, before, substep + 1);
}
