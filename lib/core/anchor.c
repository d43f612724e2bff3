/* anchor.c - bodies and particles as the anchors of constraints and impacts.
 *
 * Invariant: the invariant of anchor.h holds for both contact modes. Bodies are stepped as solver
 * bodies in contour mode, and as their two particles in pixel mode.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/anchor.h"
#include "core/pose.h"

/// Tells whether a body is stepped as a solver body.
static bool is_mover(const pv_world *world, int body) {
    return world->def.contact_mode == PV_CONTACT_MODE_CONTOURS && world->bodies.items[body].awake;
}

pv__pose pv__body_pose_now(const pv_world *world, int body) {
    return is_mover(world, body) ? pv__pose_of_solver_body(world, body)
                                 : world->bodies.items[body].pose;
}

pv__pose pv__body_pose_then(const pv_world *world, int body) {
    const pv__body *b = &world->bodies.items[body];
    if (!b->awake) return b->pose;
    if (!is_mover(world, body)) return pv__pose_before(b);
    pv__four from = world->solver.states[body + 1].from;
    return (pv__pose){{from[0], from[1]}, {from[2], from[3]}};
}

pv_vec2 pv__body_velocity_now(const pv_world *world, int body) {
    const pv__body *b = &world->bodies.items[body];
    if (!b->awake) return pv__vec(0, 0);
    if (!is_mover(world, body)) return pv__mul(1 / world->dt, pv__pose_chord_of(b).way);
    pv__four motion = world->solver.bodies[body + 1].motion;
    return pv__vec(motion[0], motion[1]);
}

double pv__body_spin_now(const pv_world *world, int body) {
    const pv__body *b = &world->bodies.items[body];
    if (!b->awake) return 0;
    return is_mover(world, body) ? world->solver.bodies[body + 1].motion[2]
                                 : pv__pose_chord_of(b).angle / world->dt;
}

bool pv__body_gives(const pv_world *world, int body) {
    return world->bodies.items[body].awake && world->bodies.items[body].type == PV_BODY_DYNAMIC;
}

/// Changes the velocity by way and turn per substep, and the pose by carry times them.
static void change_mover(pv_world *world, int body, pv_vec2 way, double turn, double carry) {
    pv__solver_body *m = &world->solver.bodies[body + 1];
    double rate = 1 / world->dt;
    m->motion += (pv__four){rate * way.x, rate * way.y, rate * turn, 0};
    if (carry != 0) {
        pv__pose pose =
            pv__pose_moved(pv__pose_of_solver_body(world, body), pv__mul(carry, way), carry * turn);
        m->pose = (pv__four){pose.center.x, pose.center.y, pose.turn.c, pose.turn.s};
        world->solver.states[body + 1].carried = true;
    }
    double faster = rate * (pv__length_most(way.x, way.y) +
                            pv__abs(turn) * world->solver.states[body + 1].reach);
    if (faster <= PV__HELD_SPEED) return;
    world->solver.disturbed[body + 1] = true;
    world->solver.any_disturbed = true;
}

static void change_body(pv_world *world, int body, pv_vec2 way, double turn, double carry) {
    pv__body *b = &world->bodies.items[body];
    pv__chord chord = pv__pose_chord_of(b);
    double dt0 = b->verlet_dt0, rate = 1 / world->dt;
    pv__pose_set(b, pv__pose_moved(b->pose, pv__mul(carry, way), carry * turn));
    pv__pose_set_motion(world, b, pv__mul(rate, pv__add(chord.way, way)),
                        rate * (chord.angle + turn));
    b->verlet_dt0 = dt0;
}

static void change(pv_world *world, int body, pv_vec2 way, double turn, double carry) {
    if (is_mover(world, body))
        change_mover(world, body, way, turn, carry);
    else
        change_body(world, body, way, turn, carry);
}

void pv__body_push(pv_world *world, int body, pv_vec2 lever, pv_vec2 push, double carry) {
    const pv__body *b = &world->bodies.items[body];
    if (!pv__body_gives(world, body)) return;
    change(world, body, pv__mul(b->inverse_mass, pv__body_unlocked(b, push)),
           b->inverse_inertia * pv__cross(lever, push), carry);
}

void pv__body_twist(pv_world *world, int body, double twist, double carry) {
    if (pv__body_gives(world, body))
        change(world, body, pv__vec(0, 0), world->bodies.items[body].inverse_inertia * twist,
               carry);
}

void pv__body_nudge(pv_world *world, int body, pv_vec2 way, double turn) {
    if (pv__body_gives(world, body)) change(world, body, way, turn, 1);
}

void pv__body_slow(pv_world *world, int body, pv_vec2 way, double turn) {
    if (pv__body_gives(world, body)) change(world, body, pv__mul(-1, way), -turn, 0);
}

void pv__body_shift(pv_world *world, int body, pv_vec2 by) {
    pv__body *b = &world->bodies.items[body];
    if (!pv__body_gives(world, body)) return;
    by = pv__body_unlocked(b, by);
    if (is_mover(world, body)) {
        world->solver.bodies[body + 1].pose += (pv__four){by.x, by.y, 0, 0};
        world->solver.states[body + 1].from += (pv__four){by.x, by.y, 0, 0};
        return;
    }
    b->before[0] = pv__add(b->before[0], by);
    b->before[1] = pv__add(b->before[1], by);
    pv__pose_forget_before(b);
    pv__pose_set(b, pv__pose_moved(b->pose, by, 0));
}

double pv__anchor_body_yield(const pv_world *world, int body, pv_vec2 lever, pv_vec2 n) {
    const pv__body *b = &world->bodies.items[body];
    double across = pv__cross(lever, n);
    return pv__body_gives(world, body)
               ? pv__body_center_yield(b, n) + across * across * b->inverse_inertia
               : 0;
}

/* ---- anchors ---- */

static pv_vec2 on_pose(const pv__anchor *grip, pv__pose pose) {
    return pv__add(pose.center, pv__rotate(pose.turn, grip->local));
}

pv_vec2 pv__anchor_now(const pv_world *world, const pv__anchor *grip) {
    if (grip->particle) return world->matter.particles.now[grip->particle];
    if (grip->corners[0]) return pv__particle_on_corners(grip, world->matter.particles.now);
    return grip->body >= 0 ? on_pose(grip, pv__body_pose_now(world, grip->body)) : grip->local;
}

pv_vec2 pv__anchor_then(const pv_world *world, const pv__anchor *grip) {
    if (grip->particle) return world->matter.particles.was[grip->particle];
    if (grip->corners[0]) return pv__particle_on_corners(grip, world->matter.particles.was);
    return grip->body >= 0 ? on_pose(grip, pv__body_pose_then(world, grip->body)) : grip->local;
}

/// Returns the sum of w^2 / m over three corners. Each corner moves by w / m and contributes with
/// weight w.
static double corners_yield(const pv__particles *p, const pv__anchor *g) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += g->weights[i] * g->weights[i] * p->inverse_mass[g->corners[i]];
    return sum;
}

double pv__anchor_particle_yield(const pv_world *world, const pv__anchor *grip) {
    const pv__particles *p = &world->matter.particles;
    return grip->particle     ? p->inverse_mass[grip->particle]
           : grip->corners[0] ? corners_yield(p, grip)
                              : 0;
}

double pv__anchor_yield(const pv_world *world, const pv__anchor *grip, pv_vec2 n) {
    return grip->body >= 0 ? pv__anchor_body_yield(world, grip->body, grip->lever, n)
                           : pv__anchor_particle_yield(world, grip);
}

double pv__anchor_turn_yield(const pv_world *world, const pv__anchor *grip) {
    return grip->body >= 0 && pv__body_gives(world, grip->body)
               ? world->bodies.items[grip->body].inverse_inertia
               : 0;
}

void pv__anchor_push(pv_world *world, const pv__anchor *grip, pv_vec2 push) {
    pv__particles *p = &world->matter.particles;
    if (grip->particle) pv__particle_push(p, grip->particle, push, 1);
    for (int i = 0; i < 3; i++)
        if (grip->corners[i])
            pv__particle_push(p, grip->corners[i], pv__mul(grip->weights[i], push), 1);
    if (grip->body >= 0) pv__body_push(world, grip->body, grip->lever, push, 1);
}
