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

/// Usual steps per second; pv_world_def.substeps is the count of one of these.
static const double USUAL_RATE = 60;

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
    pv__calm_crowds(world);
    pv__hold_squeezed(world, h);
    pv__move_bodies(world, h);
    pv__mark_poses(world);
    pv__step_matter(world, h, substep);
    pv__stop_pulled(world, h);
    pv__relax_manifolds(world, h);
    pv__release_squeezed(world, h);
}

static void step_by_pixels(pv_world *world, double h) {
    for (int i = 0; i < world->substeps; i++) substep_by_pixels(world, h, i);
}

/// What rests after the first substep has no need of the others.
static bool is_restless(const pv_world *world) { return world->restless_count > 0 || pv__has_matter(world); }

static void first_substep(pv_world *world, double h) {
    substep_by_contours(world, h, 0);
    pv__rest_quiet(world, h);
    pv__set_flying(world, h);
    if (!world->held) pv__enlarge_boxes(world, h, 0);
    pv__choose_paces(world, h);
}

static void other_substeps(pv_world *world, pv__pace pace, double h) {
    int substeps = world->substeps;
    double each = pv__begin_pace(world, pace, h);
    for (int i = 1; i < world->substeps && is_restless(world); i++) {
        substep_by_contours(world, each, i);
        pv__rest_settled(world, each);
        if (!world->held) pv__enlarge_boxes(world, each, i);
    }
    pv__end_pace(world, h, substeps);
}

/// Finds the step's pairs, or goes on with those of the last one; false without memory.
static bool gather(pv_world *world, double h) {
    if (!pv__gather_movers(world, h)) return false;
    world->held = pv__holds_pairs(world);
    if (world->held) {
        pv__hold_manifolds(world);
    } else {
        pv__find_pairs(world, h * world->substeps);
        pv__keep_manifolds(world);
    }
    return pv__gather_pairs(world);
}

/// Tells whether all was at rest in the last step and nothing is asked anew.
static bool rests_on(const pv_world *world) { return world->held && world->rested; }

static void step_by_contours(pv_world *world, double h) {
    pv__allow_sweeps(world);
    pv__allow_enlarging(world);
    do {
        if (!gather(world, h)) return;
    } while (!rests_on(world) && pv__wake_reached(world, h * world->substeps));
    pv__limit_crowds(world);
    if (is_restless(world)) first_substep(world, h);
    if (pv__has_pace(world, PV__BRISK)) other_substeps(world, PV__BRISK, h);
    if (pv__has_pace(world, PV__USUAL)) other_substeps(world, PV__USUAL, h);
    pv__fly(world);
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
    return s == PV_OK && !pv__is_step(dt) ? PV_ERROR_ARGUMENT : s;
}

/// By contours substeps are as long in a long step as in a usual one: what is stable in one is in the other.
static int substeps_in(const pv_world *world, double dt) {
    double count = world->def.substeps;
    if (world->def.contacts == PV_CONTACTS_CONTOUR) count *= dt * USUAL_RATE;
    return count < 1 ? 1 : (int)(count + 0.5);
}

static void step(pv_world *world, double dt) {
    world->substeps = substeps_in(world, dt);
    double h = dt / world->substeps;
    double begin = pv__clock();
    world->flags = 0;
    world->profile = (pv_world_profile){0};
    world->lap = begin;
    world->paced[PV__BRISK] = world->paced[PV__USUAL] = 0;
    pv__choose_lanes(world);
    if (h != world->dt) pv__retime(world, h);
    pv__fit_springs(world, h);
    pv__clear_events(world);
    pv__stop_driven(world);
    pv__begin_matter(world, dt);
    pv__call_roster(world);
    pv__mark_beginnings(world);
    world->index.stale = true;
    if (world->def.contacts == PV_CONTACTS_PIXEL)
        step_by_pixels(world, h);
    else
        step_by_contours(world, h);
    pv__end_matter(world);
    pv__index_follow(world);
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
