/* pv_step.c - the page: what happens in a step, in order.
 *
 * Invariant: each line of a step is a stage, and each stage is a function of the world in a file of its name.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

#include <time.h>

static double clock_now(void) {
    struct timespec t;
    return timespec_get(&t, TIME_UTC) ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

/// Adds the time since the last lap to a stage of the profile.
static void lap(pv_world *world, double *stage) {
    double now = clock_now();
    if (stage) *stage += now - world->lap;
    world->lap = now;
}

static void substep_by_pixels(pv_world *world, double h) {
    pv_world_profile *spent = &world->profile;
    pv__integrate(world, h);
    lap(world, &spent->move);
    pv__find_pairs(world, 0);
    lap(world, &spent->pairs);
    pv__find_contacts(world);
    lap(world, &spent->manifolds);
    pv__solve_contacts(world, h);
    lap(world, &spent->solve);
    pv__backtrack(world, h);
    lap(world, &spent->move);
}

static void substep_by_contours(pv_world *world, double h, int substep) {
    pv_world_profile *spent = &world->profile;
    pv__accelerate(world);
    lap(world, &spent->move);
    pv__find_manifolds(world, h, substep);
    lap(world, &spent->manifolds);
    pv__push_manifolds(world, h);
    lap(world, &spent->solve);
    pv__move_bodies(world, h);
    lap(world, &spent->move);
    pv__relax_manifolds(world, h);
    lap(world, &spent->solve);
}

static void step_by_pixels(pv_world *world, double h) {
    for (int i = 0; i < world->def.substeps; i++) substep_by_pixels(world, h);
}

/// What rests after the first substep has no need of the others.
static void step_by_contours(pv_world *world, double h) {
    do {
        pv__find_pairs(world, h * world->def.substeps);
        pv__keep_manifolds(world);
        if (!pv__gather_movers(world, h)) return;
    } while (pv__wake_reached(world, h * world->def.substeps));
    lap(world, &world->profile.pairs);
    for (int i = 0; i < world->def.substeps && world->restless_count > 0; i++) {
        substep_by_contours(world, h, i);
        if (i == 0) pv__rest_quiet(world, h);
    }
    pv__close_blocks(world);
    pv__store_movers(world, h);
    lap(world, &world->profile.move);
}

/// A force wakes its body, so none is missed.
static void clear_forces(pv_world *world) {
    for (int i = 0; i < world->awake_count; i++) {
        pv__body *b = &world->bodies[world->awake[i]];
        b->force = pv__vec(0, 0);
        b->torque = 0;
    }
}

unsigned pv_world_step(pv_world *world, double dt) {
    if (!world || !(dt > 0 && dt <= 1)) {
        pv__refuse(world, __func__, pv__finite(dt) ? PV_ERROR_ARGUMENT : PV_ERROR_NOT_FINITE);
        return PV_STEP_REFUSED;
    }
    double h = dt / world->def.substeps;
    double begin = clock_now();
    world->flags = 0;
    world->profile = (pv_world_profile){0};
    world->lap = begin;
    pv__call_roster(world);
    pv__choose_lanes(world);
    if (h != world->dt) pv__retime(world, h);
    if (world->def.contacts == PV_CONTACTS_PIXEL)
        step_by_pixels(world, h);
    else
        step_by_contours(world, h);
    lap(world, NULL);
    pv__fall_asleep(world, dt);
    lap(world, &world->profile.sleep);
    clear_forces(world);
    world->steps++;
    world->profile.total = clock_now() - begin;
    return world->flags;
}
