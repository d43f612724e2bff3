/* pv_integrate.c - position Verlet of two particles and the stick between them.
 *
 * Invariant: a body's particles are pose.centre -/+ half_stick * (pose.turn.c, pose.turn.s). Two particles of half the
 * mass at that distance, the radius of gyration, have the mass, centre and inertia of the pixels exactly.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

/// Sine of the turn from one substep to the next is kept below this, a little less than a quarter turn.
static const double MAX_SINE = 0.9999;

static pv_vec2 centre_of(const pv_vec2 p[2]) { return pv__mul(0.5, pv__add(p[0], p[1])); }

static void put_stick(const pv__body *b, pv_vec2 p[2], pv__pose pose) {
    pv_vec2 arm = {b->half_stick * pose.turn.c, b->half_stick * pose.turn.s};
    p[0] = pv__sub(pose.centre, arm);
    p[1] = pv__add(pose.centre, arm);
}

/// Turns r by the angle whose sine is s, |s| < 1 and the angle less than a quarter turn; keeps length 1.
static pv_rotation turned(pv_rotation r, double s) {
    double c = sqrt(1.0 - s * s);
    pv_rotation t = {c * r.c - s * r.s, c * r.s + s * r.c};
    double k = 1.5 - 0.5 * (t.c * t.c + t.s * t.s);
    return (pv_rotation){k * t.c, k * t.s};
}

/// Sine of the turn from before to now.
static double turn_sine(const pv__body *b) {
    pv_vec2 now = {b->pose.turn.c, b->pose.turn.s}; /* exacter than the particles say */
    return pv__cross(pv__sub(b->before[1], b->before[0]), now) / (2.0 * b->half_stick);
}

void pv__advance_to(pv__body *b, pv__pose pose) {
    b->before[0] = b->now[0];
    b->before[1] = b->now[1];
    if (b->pixel) {
        pv__bitmap swap = b->pixel->bitmap_before;
        b->pixel->bitmap_before = b->pixel->bitmap_now;
        b->pixel->bitmap_now = swap;
    }
    pv__set_pose(b, pose);
}

pv__pose pv__pose_before(const pv__body *b) {
    pv_vec2 stick = pv__mul(0.5 / b->half_stick, pv__sub(b->before[1], b->before[0]));
    return (pv__pose){centre_of(b->before), {stick.x, stick.y}};
}

pv__pose pv__pose_at(const pv__body *b, double fraction) {
    pv__pose before = pv__pose_before(b);
    pv_rotation f = before.turn, t = b->pose.turn;
    pv_vec2 turn = pv__lerp(pv__vec(f.c, f.s), pv__vec(t.c, t.s), fraction);
    double k = 1.0 / pv__length(turn);
    return (pv__pose){pv__lerp(before.centre, b->pose.centre, fraction), {k * turn.x, k * turn.y}};
}

pv__pose pv__pose_moved(pv__pose pose, pv_vec2 by, double angle) {
    pv_rotation r = pv__rotation(angle);
    pv_rotation t = {r.c * pose.turn.c - r.s * pose.turn.s, r.c * pose.turn.s + r.s * pose.turn.c};
    double k = 1.5 - 0.5 * (t.c * t.c + t.s * t.s);
    return (pv__pose){pv__add(pose.centre, by), {k * t.c, k * t.s}};
}

void pv__set_pose(pv__body *b, pv__pose pose) {
    b->pose = pose;
    put_stick(b, b->now, pose);
    pv__forget_now(b);
}

void pv__set_motion(const pv_world *world, pv__body *b, pv_vec2 velocity, double spin) {
    double s = pv__rotation(pv__clamp(spin * world->dt, -PV__PI / 2, PV__PI / 2)).s;
    pv__pose before = {pv__mad(b->pose.centre, -world->dt, velocity),
                       turned(b->pose.turn, -pv__clamp(s, -MAX_SINE, MAX_SINE))};
    put_stick(b, b->before, before);
    b->verlet_dt0 = 0;
    pv__forget_before(b);
}

/// A chord's velocity belongs to its middle: half a substep of acceleration leads to its end.
pv_vec2 pv__velocity(const pv_world *world, const pv__body *b) {
    pv_vec2 step = pv__sub(b->pose.centre, centre_of(b->before));
    return pv__mad(pv__mul(1.0 / world->dt, step), 0.5 * b->verlet_dt0, b->acceleration);
}

double pv__spin(const pv_world *world, const pv__body *b) {
    return pv__asin(pv__clamp(turn_sine(b), -1, 1)) / world->dt;
}

void pv__retime(pv_world *world, double h) {
    double old = world->dt;
    for (int i = 0; i < world->body_count; i++) {
        pv__body *b = &world->bodies[i];
        if (!pv__alive(b) || b->type == PV_BODY_STATIC) continue;
        pv_vec2 step = pv__sub(b->pose.centre, centre_of(b->before));
        double angle = pv__asin(pv__clamp(turn_sine(b), -1, 1)) * (h / old);
        double dt0 = b->verlet_dt0;
        world->dt = h;
        pv__set_motion(world, b, pv__mul(1.0 / old, step), angle / h);
        world->dt = old;
        b->verlet_dt0 = dt0;
    }
    pv__retime_particles(world, h);
    pv__scale_impulses(world, h / old);
    world->dt = h;
    world->laid = false;
}

/// Stops a body where it was, when what it was told is beyond all numbers.
static void freeze(pv_world *world, pv__body *b) {
    pv__set_pose(b, b->pose);
    pv__set_motion(world, b, pv__vec(0, 0), 0);
    b->acceleration = pv__vec(0, 0);
    world->flags |= PV_STEP_FROZEN;
}

void pv__stop_driven(pv_world *world) {
    if (!world->drives) return;
    world->drives = false;
    for (int i = 0; i < world->body_count; i++) {
        pv__body *b = &world->bodies[i];
        world->drives |= pv__is_driven(world, b);
        if (b->drive.step == 0 || pv__is_driven(world, b)) continue;
        b->drive.step = 0;
        if (pv__alive(b) && b->type == PV_BODY_KINEMATIC) pv__set_motion(world, b, pv__vec(0, 0), 0);
    }
}

void pv__settle_bodies(pv_world *world) {
    for (int i = 0; i < world->awake_count; i++) {
        pv__body *b = &world->bodies[world->awake[i]];
        if (pv__placeable(b->pose.centre) && pv__finite(b->pose.turn.c + b->pose.turn.s)) continue;
        pv__pose last = pv__pose_before(b);
        if (!pv__placeable(last.centre) || !pv__finite(last.turn.c + last.turn.s)) last = b->still_pose;
        b->pose = last;
        freeze(world, b);
    }
}

/// x' = x + (x - x*) dt/dt0 + a dt (dt + dt0)/2 for the centre, where pv__retime() has seen to dt/dt0. The stick is
/// restored along its previous direction, in closed form (SHAKE, Ryckaert, Ciccotti and Berendsen 1977): the
/// unconstrained particles' cross product with it is the sine of the next turn, so a free spin does not decay.
static void integrate_body(pv_world *world, pv__body *b, double h) {
    double lead = 0.5 * h * (h + b->verlet_dt0);
    b->acceleration = pv__acceleration_of(world, b);
    pv_vec2 step = pv__sub(b->pose.centre, centre_of(b->before));
    if (b->linear_damping > 0) step = pv__mul(pv__kept(b->linear_damping, h), step);
    double keep = b->angular_damping > 0 ? pv__kept(b->angular_damping, h) : 1;
    double s = keep * turn_sine(b) + pv__twist_of(world, b) * lead;
    pv__pose next = {pv__mad(pv__add(b->pose.centre, step), lead, b->acceleration),
                     turned(b->pose.turn, pv__clamp(s, -MAX_SINE, MAX_SINE))};
    if (!pv__placeable(next.centre) || !pv__finite(s)) {
        freeze(world, b);
        return;
    }
    pv__advance_to(b, next);
    b->verlet_dt0 = h;
}

pv__chord pv__chord_of(const pv__body *b) {
    double s = pv__clamp(turn_sine(b), -MAX_SINE, MAX_SINE);
    return (pv__chord){pv__sub(b->pose.centre, centre_of(b->before)), pv__asin(s)};
}

void pv__integrate(pv_world *world, double h) {
    for (int i = 0; i < world->body_count; i++) {
        pv__body *b = &world->bodies[i];
        b->moved = pv__alive(b) && b->awake;
        if (b->moved) integrate_body(world, b, h);
    }
    pv__lap(world, &world->profile.move);
}
