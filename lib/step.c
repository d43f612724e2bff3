/* step.c - the stages of a step, in order.
 *
 * Invariant: each line of a step runs one stage. A stage is a function that takes the world, in the
 * file of the same name.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "carve/fracture.h"
#include "collide/broad_phase.h"
#include "collide/manifold.h"
#include "collide/narrow_phase.h"
#include "collide/pair_limit.h"
#include "collide/query_index.h"
#include "collide/sensor.h"
#include "core/events.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/stage_timer.h"
#include "core/tasks.h"
#include "core/wake.h"
#include "core/world_lock.h"
#include "grains/grains.h"
#include "joint/stick.h"
#include "matter/liquid_pairs.h"
#include "matter_step.h"
#include "paper/backtrack.h"
#include "paper/bitmap_contact.h"
#include "paper/bitmap_solver.h"
#include "pixel/kernel.h"
#include "polygon/polygon_events.h"
#include "polygon/polygon_presolve.h"
#include "solver/contact_batch.h"
#include "solver/contact_solver.h"
#include "solver/integrate.h"
#include "solver/island_group.h"
#include "solver/pixel_stop.h"
#include "solver/solver_body.h"
#include "solver/squeeze.h"
#include "solver/substeps.h"
#include "solver/wake_reached.h"
#include "world/world.h"

static void substep_by_pixels(pv_world *world, double h, int substep) {
    pv__integrate_bodies(world, h);
    pv__matter_step(world, h, substep);
    pv__broad_phase_find_pairs(world, 0);
    pv__bitmap_contact_find_all(world);
    pv__bitmap_solver_solve(world, h);
    pv__backtrack(world, h, substep);
    pv__events_tell_touches(world);
}

static void substep_by_contours(pv_world *world, double h, int substep) {
    pv__contact_solver_accelerate(world, h);
    pv__narrow_phase_mark(world, h, substep);
    pv__batch_store_marked(world);
    pv__narrow_phase_update(world, h, substep);
    pv__batch_load_marked(world);
    pv__contact_solver_push(world, h);
    pv__pair_limit_calm(world);
    pv__squeeze_hold(world);
    pv__contact_solver_move_bodies(world, h);
    pv__matter_step(world, h, substep);
    pv__contact_solver_relax(world, h);
    pv__pixel_stop_astray(world, h);
    pv__pair_limit_calm(world);
    pv__squeeze_release(world, h);
}

static void step_by_pixels(pv_world *world, double h) {
    for (int i = 0; i < world->substeps; i++) substep_by_pixels(world, h, i);
    pv__integrate_settle(world); /* pushes may have moved bodies out of range */
}

/// Tells whether there is anything left to step. A world at rest after the first substep needs no
/// more.
static bool step_is_restless(const pv_world *world) {
    return world->solver.active_count > 0 || pv__world_has_matter(world);
}

/// Enlarges the boxes of bodies that have left them. Bodies in the enlarged boxes are stepped from
/// the next substep on.
static void step_enlarge(pv_world *world, double h, int substep) {
    int known = world->broad_phase.pair_count;
    pv__broad_phase_enlarge_boxes(world, h, substep);
    pv__solver_body_gather_met(world, known, substep);
}

/// Tells whether a substep is not a usual first one. Bodies at rest then came to rest in this step.
static bool step_is_later(const pv_world *world, int substep) {
    return substep > 0 || pv__world_is_brisk(world);
}

/// Takes the group through a substep, and lets bodies rest or fly.
static void run_substep(pv_world *world, int substep) {
    substep_by_contours(world, world->h, substep);
    if (step_is_later(world, substep)) {
        pv__solver_body_rest_settled(world, world->h);
    } else {
        pv__solver_body_rest_quiet(world, world->h);
        pv__solver_body_set_flying(world, world->h, world->substeps - 1);
    }
}

/// Wakes the bodies that the next substep reaches. Returns false if the group has to wait for that.
/// For a usual first substep, they were woken before groups formed.
static bool step_wake(pv_world *world) {
    const pv__progress *p = &world->solver.progress;
    if (!step_is_later(world, p->next) || !pv__wake_reached_any(world, world->h)) return true;
    if (!p->may_wait) pv__wake_reached(world, world->h, p->next);
    return !p->may_wait;
}

/// Takes the group through its substeps. Returns false while it waits for larger boxes or woken
/// bodies. Bodies that leave their boxes in the last substep are paired in the next step.
static bool run_substeps(pv_world *world) {
    pv__progress *p = &world->solver.progress;
    while (p->waits || (p->next < world->substeps && step_is_restless(world))) {
        if (!p->waits) {
            if (!step_wake(world)) return false;
            run_substep(world, p->next++);
        }
        bool left = p->waits || (p->next < world->substeps && !world->broad_phase.held &&
                                 pv__broad_phase_some_left(world, world->h));
        p->waits = left && p->may_wait;
        if (p->waits) return false;
        if (left) step_enlarge(world, world->h, p->next - 1);
    }
    return true;
}

/// Takes the bodies of the group through the step; returns false while it waits.
static bool step_group(pv_world *world, double h) {
    pv__progress *p = &world->solver.progress;
    if (p->usual == 0) {
        p->usual = world->substeps;
        pv__substeps_lengthen(world, h);
    }
    if (!run_substeps(world)) return false;
    pv__batch_close_all(world);
    pv__substeps_end(world, h, p->usual);
    return true;
}

/// Finds the step's pairs, or reuses the pairs of the last step; returns false without memory.
static bool step_gather(pv_world *world, double h) {
    if (!pv__solver_body_gather(world, h)) return false;
    world->broad_phase.held = pv__narrow_phase_holds_pairs(world);
    if (world->broad_phase.held) {
        pv__manifold_hold_all(world);
    } else {
        pv__broad_phase_find_pairs(world, h * world->substeps);
        pv__manifold_keep_pairs(world);
    }
    return pv__solver_body_gather_pairs(world);
}

/// Takes all bodies through the step: at once, or in groups of islands.
static void step_groups(pv_world *world, double h) {
    pv__pixel_stop_allow_sweeps(world);
    if (pv__island_group_form(world))
        pv__island_group_run(world, h, step_group);
    else
        step_group(world, h);
}

static void step_by_contours(pv_world *world, double h) {
    pv__broad_phase_allow_enlarging(world);
    if (!step_gather(world, h)) return;
    if (pv__wake_reached_any(world, h)) pv__wake_reached(world, h, 0);
    pv__pair_limit_apply(world);
    step_groups(world, h);
    pv__solver_body_fly_all(world, h);
    pv__solver_body_store(world, h);
}

/// Clears all forces. A force wakes its body, so only awake bodies have any.
static void clear_forces(pv_world *world) {
    for (int i = 0; i < world->bodies.awake_count; i++) {
        pv__body *b = &world->bodies.items[world->bodies.awake[i]];
        b->force = pv__vec(0, 0);
        b->torque = 0;
    }
}

static void step_all(pv_world *world, double dt) {
    world->substeps = pv__world_count_substeps(world, world->def.substeps, dt);
    double h = dt / world->substeps;
    double begin = pv__timer_now();
    world->out_of_memory = false;
    world->profile = (pv_world_profile){0};
    world->stage_begin = begin;
    world->solver.kernel = PV__KERNEL_OF(pv__lanes);
    world->solver.stick_kernel = PV__KERNEL_OF(pv__stick);
    world->solver.liquid_kernel = PV__KERNEL_OF(pv__liquid);
    if (h != world->dt) pv__world_retime(world, h);
    pv__batch_fit_springs(world, h);
    pv__events_clear(world);
    pv__integrate_stop_driven(world);
    pv__matter_begin_step(world, dt);
    pv__wake_list_awake(world);
    pv__sensor_mark_beginnings(world);
    world->broad_phase.index.stale = true;
    if (world->def.contact_mode == PV_CONTACT_MODE_PIXELS)
        step_by_pixels(world, h);
    else
        step_by_contours(world, h);
    pv__matter_end_step(world);
    pv__manifold_forget_lost(world);
    pv__index_follow(world);
    pv__grains_step(world, dt);
    pv__sensor_tell_visits(world);
    pv__sleep_fall_asleep(world, dt);
    clear_forces(world);
    if (world->def.contact_mode == PV_CONTACT_MODE_CONTOURS) pv__squeeze_tell_crushes(world);
    pv__polygon_keep_passing(world);
    pv__polygon_tell(world);
    pv__events_tell(world);
    pv__polygon_tell_states(world);
    world->steps++;
    world->profile.total = pv__timer_now() - begin;
}

pv_status pv_world_step(pv_world *world, double dt) {
    PV__BEGIN(pv__check_range(&e, "dt", dt, PV__RANGE_STEP));
    pv__world_lock busy;
    pv__world_lock_begin(&busy, world);
    pv__tasks_begin(world);
    step_all(world, dt);
    pv__tasks_end(world);
    pv__world_lock_end(&busy);
    pv__fracture_crack_struck(world);
    pv__events_tell_news(world);
    return world->out_of_memory ? PV_ERROR_MEMORY : PV_OK;
}
