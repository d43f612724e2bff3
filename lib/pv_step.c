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

static void substep_by_pixels(pv_world *world, double h, int substep) {
    pv__integrate(world, h);
    pv__step_matter(world, h, substep);
    pv__find_pairs(world, 0);
    pv__find_contacts(world);
    pv__solve_contacts(world, h);
    pv__backtrack(world, h);
    pv__tell_touches(world);
}

static void substep_by_contours(pv_world *world, double h, int substep) {
    pv__accelerate(world, h);
    pv__find_manifolds(world, h, substep);
    pv__push_manifolds(world, h);
    pv__move_bodies(world, h);
    pv__step_matter(world, h, substep);
    pv__relax_manifolds(world, h);
}

static void step_by_pixels(pv_world *world, double h) {
    for (int i = 0; i < world->def.substeps; i++) substep_by_pixels(world, h, i);
}

/// What rests after the first substep has no need of the others.
static bool is_restless(const pv_world *world) { return world->restless_count > 0 || pv__has_matter(world); }

static void step_by_contours(pv_world *world, double h) {
    pv__allow_sweeps(world);
    do {
        pv__find_pairs(world, h * world->def.substeps);
        pv__keep_manifolds(world);
        if (!pv__gather_movers(world, h)) return;
    } while (pv__wake_reached(world, h * world->def.substeps));
    for (int i = 0; i < world->def.substeps && is_restless(world); i++) {
        substep_by_contours(world, h, i);
        if (i == 0) pv__rest_quiet(world, h);
    }
    pv__close_blocks(world);
    pv__store_movers(world, h);
}

/// A force wakes its body, so none is missed.
static void clear_forces(pv_world *world) {
    for (int i = 0; i < world->awake_count; i++) {
        pv__body *b = &world->bodies[world->awake[i]];
        b->force = pv__vec(0, 0);
        b->torque = 0;
    }
}

static pv_status check(const pv_world *world, double dt) {
    pv_status s = pv__changeable(world);
    if (s == PV_OK && !pv__finite(dt)) s = PV_ERROR_NOT_FINITE;
    return s == PV_OK && !(dt > 0 && dt <= 1) ? PV_ERROR_ARGUMENT : s;
}

static void step(pv_world *world, double dt) {
    double h = dt / world->def.substeps;
    double begin = pv__clock();
    world->flags = 0;
    world->profile = (pv_world_profile){0};
    world->lap = begin;
    pv__choose_lanes(world);
    if (h != world->dt) pv__retime(world, h);
    pv__clear_events(world);
    pv__stop_driven(world);
    pv__begin_matter(world, dt);
    pv__call_roster(world);
    pv__mark_beginnings(world);
    if (world->def.contacts == PV_CONTACTS_PIXEL)
        step_by_pixels(world, h);
    else
        step_by_contours(world, h);
    pv__end_matter(world);
    pv__tell_visits(world);
    pv__fall_asleep(world, dt);
    clear_forces(world);
    pv__tell_events(world);
    world->steps++;
    world->profile.total = pv__clock() - begin;
}

unsigned pv_world_step(pv_world *world, double dt) {
    pv_status s = check(world, dt);
    if (s != PV_OK) {
        pv__refuse(world, __func__, s);
        return PV_STEP_REFUSED;
    }
    pv__busy busy;
    pv__busy_begin(&busy, world);
    step(world, dt);
    pv__busy_end(&busy);
    pv__crack_struck(world);
    pv__tell_news(world);
    return world->flags;
}
