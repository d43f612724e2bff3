/* pv_enlarge.c - enlarges boxes of bodies that were struck out of them, and pairs those bodies within the step.
 *
 * Invariant: after each substep, a body sticks out of its box by TOLERANCE at most, or its box was enlarged and is paired with all
 * that it meets; except in a crowd, and when the step's budget is spent. The budget is counted, not timed, so runs repeat. The next
 * step pairs what is left.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

/// Length that a body may stick out of its box [px]: less would enlarge most boxes of a stirred heap.
static const double TOLERANCE = 2;
/// Room for rounding [px].
static const double SPARE = 1e-3;
/// Budget of a step: bodies that enlarged boxes may find, and so many more for each that is awake.
static const int STEP_FINDS = 64, BODY_FINDS = 1;

void pv__allow_enlarging(pv_world *world) {
    world->enlarged_count = 0;
    world->enlarge_budget = STEP_FINDS + (int64_t)BODY_FINDS * world->awake_count;
}

static bool sticks_out(const pv_box *box, const pv_box *room, double by) {
    return box->min.x < room->min.x - by || box->min.y < room->min.y - by || box->max.x > room->max.x + by ||
           box->max.y > room->max.y + by;
}

/// Returns the most that any point of a mover goes in a time [px].
static double way_in(const pv_world *world, int index, double time) {
    pv__four motion = world->movers[index + 1].motion;
    return time *
           (pv__abs(motion[0]) + pv__abs(motion[1]) + pv__abs(motion[2]) * world->courses[index + 1].reach);
}

/// Returns the box of the circle that holds a mover at any angle.
static pv_box circle_box(const pv_world *world, int index) {
    pv__four pose = world->movers[index + 1].pose;
    double reach = world->courses[index + 1].reach;
    return (pv_box){{pose[0] - reach, pose[1] - reach}, {pose[0] + reach, pose[1] + reach}};
}

/// Tells whether a body has left its box. A slow one would have been found while it was faster.
static bool has_left(const pv_world *world, int index, double dt) {
    const pv_box *room = &world->grid.places[index].box;
    pv_box box = circle_box(world, index);
    if (!sticks_out(&box, room, TOLERANCE) || way_in(world, index, dt) < TOLERANCE ||
        pv__is_crowded(world, index, index))
        return false;
    box = pv__touching_box(&world->bodies[index], pv__mover_pose(world, index));
    return sticks_out(&box, room, TOLERANCE);
}

/// Widens a box by all places that it has on a way.
static void drag(pv_box *box, pv_vec2 way) {
    box->min = pv__add(box->min, pv__vec(pv__min(0, way.x), pv__min(0, way.y)));
    box->max = pv__add(box->max, pv__vec(pv__max(0, way.x), pv__max(0, way.y)));
}

/// Tells whether a box that goes on as a mover stays in another for so many substeps.
static bool stays(const pv_world *world, int index, pv_box box, double h, int substeps) {
    const pv__four *motion = &world->movers[index + 1].motion, *gain = &world->courses[index + 1].gain;
    drag(&box, pv__mul(h * substeps, pv__vec((*motion)[0], (*motion)[1])));
    drag(&box, pv__mul(h * substeps * substeps, pv__vec((*gain)[0], (*gain)[1])));
    return !sticks_out(&box, &world->grid.places[index].box, TOLERANCE - SPARE);
}

bool pv__keeps_to_box(const pv_world *world, int index, double h) {
    const pv__four *gain = &world->courses[index + 1].gain;
    int left = world->substeps - 1;
    double reach = world->courses[index + 1].reach;
    double turned = h * left * (pv__abs(world->movers[index + 1].motion[2]) + left * pv__abs((*gain)[2]));
    double gained = left * (pv__abs((*gain)[0]) + pv__abs((*gain)[1]) + pv__abs((*gain)[2]) * reach);
    double dt = h * world->substeps;
    if (way_in(world, index, dt) + gained * dt < TOLERANCE - SPARE) return true;
    if (stays(world, index, circle_box(world, index), h, left)) return true;
    pv_box box = pv__touching_box(&world->bodies[index], pv__mover_pose(world, index));
    double margin = turned * reach;
    box = (pv_box){{box.min.x - margin, box.min.y - margin}, {box.max.x + margin, box.max.y + margin}};
    return stays(world, index, box, h, left);
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

/// Pairs a body with all that its enlarged box meets. The grid knows others with such boxes only where the step began.
static void add_pairs_of(pv_world *world, int index) {
    int near = pv__find_met(world, index, true);
    world->enlarge_budget -= near + world->enlarged_count;
    if (world->enlarge_budget < 0) return;
    for (int i = 0; i < near; i++) add_pair(world, index, world->grid.near[i]);
    for (int i = 0; i < world->enlarged_count; i++) add_pair(world, index, world->enlarged[i]);
    if (pv__reserve(&world->def.allocator, &world->enlarged, &world->enlarged_capacity,
                    world->enlarged_count + 1, sizeof(int)))
        world->enlarged[world->enlarged_count++] = index;
    else
        world->flags |= PV_STEP_NO_MEMORY;
}

void pv__enlarge_boxes(pv_world *world, double h, int substep) {
    double dt = h * world->substeps, ahead = dt - h * (substep + 1);
    int before = world->pair_count;
    for (int i = 0; i < world->restless_count && world->enlarge_budget > 0; i++) {
        int index = world->restless[i];
        if (!has_left(world, index, dt)) continue;
        pv__widen_room(world, index, way_in(world, index, ahead));
        add_pairs_of(world, index);
    }
    if (world->pair_count == before) return;
    pv__filter_pairs(world, before);
    pv__add_manifolds(world, before, substep + 1);
}
