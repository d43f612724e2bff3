/* integrate.c - position Verlet of two particles at a fixed distance, and four integrators of a
 * point.
 *
 * Invariant: a body's particles are pose.center -/+ half_stick * (pose.turn.c, pose.turn.s). Two
 * particles of half the mass at that distance, the radius of gyration, represent the pixels
 * exactly. Mass, center and inertia are the same.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/integrate.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "core/wake.h"
#include "pixverlet/paper.h"

void pv__integrate_freeze(pv_world *world, pv__body *b, pv__pose pose) {
    pv__pose_set(b, pose);
    pv__pose_set_motion(world, b, pv__vec(0, 0), 0);
    b->acceleration = pv__vec(0, 0);
    world->events.frozen_count++;
}

void pv__integrate_stop_driven(pv_world *world) {
    if (!world->bodies.driven) return;
    world->bodies.driven = false;
    for (int i = 0; i < world->bodies.count; i++) {
        pv__body *b = &world->bodies.items[i];
        world->bodies.driven |= pv__body_is_driven(world, b);
        if (b->drive.step == 0 || pv__body_is_driven(world, b)) continue;
        b->drive.step = 0;
        if (pv__body_is_alive(b) && b->type == PV_BODY_KINEMATIC)
            pv__pose_set_motion(world, b, pv__vec(0, 0), 0);
    }
}

static bool is_lost(pv__pose p) {
    return !pv__placeable(p.center) || !pv__finite(p.turn.c + p.turn.s);
}

/// Returns a pose for a lost body: the previous one, the one at the last test for rest, or the
/// nearest in the world.
static pv__pose found_pose_of(const pv__body *b) {
    pv__pose last = pv__pose_before(b);
    if (is_lost(last)) last = b->still_pose;
    if (!is_lost(last)) return last;
    return (pv__pose){pv__into_world(last.center), {1, 0}};
}

void pv__integrate_settle(pv_world *world) {
    for (int i = 0; i < world->bodies.awake_count; i++) {
        pv__body *b = &world->bodies.items[world->bodies.awake[i]];
        if (is_lost(b->pose)) pv__integrate_freeze(world, b, found_pose_of(b));
        /* A body that was touched while it was lost forgot its rest there. */
        if (is_lost(b->still_pose) || is_lost(b->earlier_pose)) pv__wake_forget_rest(b);
    }
}

/// Moves a body with x' = x + (x - x*) dt/dt0 + a dt (dt + dt0)/2 for its center. Changes of dt/dt0
/// are the task of pv__world_retime(). The distance of the particles is restored along its previous
/// direction, in closed form (SHAKE, Ryckaert, Ciccotti and Berendsen 1977). The cross product of
/// the unconstrained particles with that direction is the sine of the next turn. So a free angular
/// velocity does not decay.
static void integrate_body(pv_world *world, pv__body *b, double h) {
    double lead = 0.5 * h * (h + b->verlet_dt0);
    b->acceleration = pv__body_acceleration(world, b);
    pv_vec2 step = pv__sub(b->pose.center, pv__pose_particles_center(b->before));
    if (b->linear_damping > 0) step = pv__mul(pv__kept(b->linear_damping, h), step);
    double keep = b->angular_damping > 0 ? pv__kept(b->angular_damping, h) : 1;
    double s = keep * pv__pose_turn_sine(b) + pv__body_angular_acceleration(world, b) * lead;
    pv__pose next = {
        pv__mad(pv__add(b->pose.center, step), lead, b->acceleration),
        pv__pose_turned_by_sine(b->pose.turn, pv__clamp(s, -PV__MAX_SINE, PV__MAX_SINE))};
    if (!pv__placeable(next.center) || !pv__finite(s)) {
        pv__integrate_freeze(world, b, b->pose);
        return;
    }
    pv__pose_advance_to(b, next);
    b->verlet_dt0 = h;
}

void pv__integrate_bodies(pv_world *world, double h) {
    for (int i = 0; i < world->bodies.count; i++) {
        pv__body *b = &world->bodies.items[i];
        b->moved = pv__body_is_alive(b) && b->awake;
        if (b->moved) integrate_body(world, b, h);
    }
    pv__timer_lap(world, &world->profile.move);
}

/* ---- four integrators of a point ----
 *
 * Invariant: a finite point stays finite. A step whose result is not finite is not taken.
 */

/// Returns the motion after a step of an integrator that keeps the velocity as a number of its own.
static pv_paper_motion step_euler(pv_paper_motion m, pv_vec2 acceleration, double h,
                                  bool velocity_first) {
    pv_vec2 gained = pv__mad(m.velocity, h, acceleration);
    pv_vec2 next = pv__mad(m.position, h, velocity_first ? gained : m.velocity);
    return (pv_paper_motion){next, m.position, gained, h};
}

/// Returns the motion after a step of an integrator that takes the velocity from the last
/// displacement, if there was one.
static pv_paper_motion step_verlet(pv_paper_motion m, pv_vec2 acceleration, double h,
                                   bool corrected) {
    bool first = !(m.last > 0);
    double last = corrected ? m.last : h, gain = first ? 0.5 * h * h : 0.5 * h * (h + last);
    pv_vec2 way =
        first ? pv__mul(h, m.velocity) : pv__mul(h / last, pv__sub(m.position, m.previous));
    pv_vec2 next = pv__mad(pv__add(m.position, way), gain, acceleration);
    return (pv_paper_motion){next, m.position, pv__mul(1 / h, pv__sub(next, m.position)), h};
}

static pv_paper_motion stepped(pv_paper_integrator integrator, pv_paper_motion m,
                               pv_vec2 acceleration, double h) {
    switch (integrator) {
    case PV_PAPER_INTEGRATOR_EULER: return step_euler(m, acceleration, h, false);
    case PV_PAPER_INTEGRATOR_SYMPLECTIC: return step_euler(m, acceleration, h, true);
    case PV_PAPER_INTEGRATOR_VERLET: return step_verlet(m, acceleration, h, false);
    case PV_PAPER_INTEGRATOR_CORRECTED_VERLET: return step_verlet(m, acceleration, h, true);
    default: return m;
    }
}

pv_paper_motion pv_paper_motion_step(pv_paper_integrator integrator, pv_paper_motion motion,
                                     pv_vec2 acceleration, double h) {
    if (!(h > 0 && h <= 1) || !pv__finite2(acceleration)) return motion;
    pv_paper_motion next = stepped(integrator, motion, acceleration, h);
    return pv__finite2(next.position) && pv__finite2(next.velocity) ? next : motion;
}
