/* pv_solve_contour.c - manifolds solved on the velocities that the particles imply.
 *
 * Invariant: a substep solves with a soft push against gaps that closed, moves, and solves once more without the push,
 * so that no push is left in the velocities (Macklin et al. 2019, Catto 2024: small steps, soft constraints, relaxing).
 * What one body of a pair gets, the other loses.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_impulse.h"
#include "pv_kernel.h"
#include "pv_lanes.h"
#include "pv_stick.h"

/// Rounds of restitution at most.
static const int BOUNCE_ROUNDS = 16;
/// Pairs that move less than this in a substep cannot fly past each other's pixels; those that have a manifold, which holds
/// them back, not even at more [px].
static const double SLOW = 1, SLOW_TOUCHING = 3;
/// What stops after less than this was stuck [px].
static const double STUCK = 0.1;
/// Work of all sweeps in a step at most, and for each body on top of that; then what might meet goes no farther in it.
static const int64_t STEP_WORK = 150000, BODY_WORK = 1000;
/// Rounds of stopping at most.
static const int STOP_ROUNDS = 4;
/// What lies deeper is parted so fast that one sweep does not take it all out of the velocities again: it takes so many [px].
static const double DEEP = 0.1;
static const int DEEP_SWEEPS = 4;

void pv__allow_sweeps(pv_world *world) { world->sweep_work = STEP_WORK + BODY_WORK * world->awake_count; }

void pv__choose_lanes(pv_world *world) {
#ifdef PV__X86_KERNELS
    bool generic = pv__kernel_in_use() == &pv__kernel_generic;
    world->lanes = generic ? &pv__lanes_generic : &pv__lanes_avx2;
    world->stick_kernel = generic ? &pv__stick_generic : &pv__stick_avx2;
#else
    world->lanes = &pv__lanes_generic;
    world->stick_kernel = &pv__stick_generic;
#endif
}

/* ---- a substep ---- */

static void damp(pv__four *motion, const pv__body *b, double h) {
    double linear = pv__kept(b->linear_damping, h);
    (*motion)[0] *= linear;
    (*motion)[1] *= linear;
    (*motion)[2] *= pv__kept(b->angular_damping, h);
}

void pv__accelerate(pv_world *world, double h) {
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1;
        if (world->courses[k].damped) damp(&world->movers[k].motion, &world->bodies[k - 1], h);
        world->movers[k].motion += world->courses[k].gain;
    }
    pv__lap(world, &world->profile.move);
}

/// What is hit faster than the bounce speed turns back, pair by pair until nothing is hit any more: what hits the first of a
/// row of balls leaves it at the other end.
static void bounce(pv_world *world, const pv__sweep *sweep) {
    bool hit = true;
    for (int round = 0; hit && round < BOUNCE_ROUNDS; round++) {
        hit = false;
        for (int i = 0; i < world->sweep_count; i++) {
            pv__lanes *k = &world->blocks[world->sweep[i]];
            if (k->bounces || world->fast) hit |= world->lanes->hit(k, world->movers, sweep);
        }
    }
}

void pv__push_manifolds(pv_world *world, double h) {
    const pv__lane_kernel *lanes = world->lanes;
    pv__sweep sweep = {h, true, world->def.bounce_speed, world->def.hit_speed, world->courses};
    pv__lanes *all = world->blocks;
    const int *order = world->sweep;
    int count = world->sweep_count;
    for (int i = 0; i < count; i++) lanes->measure(&all[order[i]], world->movers, &sweep);
    bounce(world, &sweep);
    for (int i = 0; i < count; i++) lanes->warm(&all[order[i]], world->movers, &sweep);
    for (int i = count - 1; i >= 0; i--) lanes->solve(&all[order[i]], world->movers);
    for (int i = 0; i < count; i++) lanes->solve(&all[order[i]], world->movers);
    pv__lap(world, &world->profile.solve);
}

static pv_transform transform_of(const pv__body *b, pv__four pose) {
    return pv__transform_of(b, (pv__pose){{pose[0], pose[1]}, {pose[2], pose[3]}});
}

static pv_moving way_of(const pv_world *world, int index) {
    const pv__body *b = &world->bodies[index];
    pv__four now = world->movers[index + 1].pose, from = b->awake ? world->courses[index + 1].from : now;
    return (pv_moving){b->mask, transform_of(b, from), transform_of(b, now)};
}

static void stop(pv_world *world, int index, const pv_moving *way, double fraction) {
    if (world->bodies[index].type != PV_BODY_DYNAMIC || !world->bodies[index].awake) return;
    pv_transform t = pv_moving_at(way, fraction);
    world->movers[index + 1].pose = (pv__four){t.position.x, t.position.y, t.rotation.c, t.rotation.s};
}

/// How far the points of a pair moved relative to each other in the substep, at most [px].
static double motion_of(const pv_world *world, const pv__manifold *m) {
    const pv__course *a = &world->courses[m->a + 1], *b = &world->courses[m->b + 1];
    pv__four p = world->movers[m->a + 1].pose - a->from, q = world->movers[m->b + 1].pose - b->from;
    double x = q[0] - p[0], y = q[1] - p[1];
    return sqrt(x * x + y * y) + (pv__abs(p[2]) + pv__abs(p[3])) * world->movers[m->a + 1].motion[3] +
           (pv__abs(q[2]) + pv__abs(q[3])) * world->movers[m->b + 1].motion[3];
}

/// Takes the approach along the pixels' normal out of a pair that cannot move: its contours do not see what holds it.
static void absorb(pv_world *world, const pv__manifold *m, const pv_sweep_hit *hit) {
    pv__body *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    pv__show_mover(world, m->a);
    pv__show_mover(world, m->b);
    pv__levers arm = {pv__sub(hit->point, a->pose.centre), pv__sub(hit->point, b->pose.centre)};
    pv_vec2 speed = pv__relative_velocity(&arm, a, b), n = hit->normal;
    double fast = pv__length(speed);
    if (fast == 0) return;
    if (pv__dot(speed, n) > -0.1 * fast) n = pv__mul(-1.0 / fast, speed); /* few pixels know no normal */
    double yield = pv__yield(&arm, a, b, n);
    if (!pv__gives_way(a, b, yield)) return;
    pv__exchange(&arm, a, b, pv__mul(-pv__dot(speed, n) / yield, n));
    pv__four *p = &world->movers[m->a + 1].motion, *q = &world->movers[m->b + 1].motion;
    *p = (pv__four){a->velocity.x, a->velocity.y, a->spin, (*p)[3]};
    *q = (pv__four){b->velocity.x, b->velocity.y, b->spin, (*q)[3]};
}

/// What would fly past or into another's pixels stops where they meet; the exact bitmaps judge, at any speed.
static bool stop_at_pixels(pv_world *world, const pv__manifold *m) {
    if (m->passes) return false;
    if (motion_of(world, m) <= (m->count > 0 ? SLOW_TOUCHING : SLOW)) return false;
    pv_moving a = way_of(world, m->a), b = way_of(world, m->b);
    pv_sweep_hit hit;
    if (!pv__sweep_within(&a, &b, &hit, &world->sweep_work) || hit.touch == 0) return false;
    if (hit.touch > 0 && hit.fraction * motion_of(world, m) < STUCK) absorb(world, m, &hit);
    stop(world, m->a, &a, hit.fraction);
    stop(world, m->b, &b, hit.fraction);
    return true;
}

/// What has stopped may be hit by what comes behind, which is asked in the next round.
static void stop_fast_ones(pv_world *world) {
    bool stopped = true;
    for (int round = 0; stopped && round < STOP_ROUNDS; round++) {
        stopped = false;
        for (int i = 0; i < world->watch_count; i++)
            if (world->watches[i].fast)
                stopped |= stop_at_pixels(world, &world->manifolds[world->watches[i].slot]);
    }
}

void pv__move_bodies(pv_world *world, double h) {
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1;
        world->courses[k].from = world->movers[k].pose;
        world->lanes->move(&world->movers[k], h);
    }
    if (world->fast) stop_fast_ones(world);
    pv__lap(world, &world->profile.move);
}

static bool is_deep(const pv__lanes *k) {
    pv__which deep = k->point[0].gap < -DEEP;
    if (k->points == 2) deep |= k->point[1].gap < -DEEP;
    return deep[0] | deep[1] | deep[2] | deep[3];
}

/// Sweeps there and back by turns, before the last sweep: one leaves some of a push in what stands on what was pushed.
static void relax_deep(pv_world *world) {
    int count = world->sweep_count;
    for (int round = 1; round < DEEP_SWEEPS; round++)
        for (int i = 0; i < count; i++) {
            int at = world->sweep[round & 1 ? count - 1 - i : i];
            world->lanes->solve(&world->blocks[at], world->movers);
        }
}

void pv__relax_manifolds(pv_world *world, double h) {
    pv__sweep sweep = {h, false, world->def.bounce_speed, world->def.hit_speed, world->courses};
    pv__lanes *all = world->blocks;
    const int *order = world->sweep;
    bool deep = false, reshaped = pv__is_reshaped(world);
    for (int i = 0; i < world->sweep_count; i++) {
        world->lanes->measure(&all[order[i]], world->movers, &sweep);
        deep |= reshaped && is_deep(&all[order[i]]);
    }
    if (deep) relax_deep(world);
    for (int i = 0; i < world->sweep_count; i++) {
        world->lanes->solve(&all[order[i]], world->movers);
        world->lanes->tally(&all[order[i]]);
    }
    pv__lap(world, &world->profile.solve);
}
