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

/// A pair that moved by less keeps its manifold [px].
static const double STILL = 0.1;
/// Pairs that stay farther apart than this need no manifold [px].
static const double NEAR = 0.5;
/// What pairs move by between two searches for manifolds [px].
static const double ROUND_MOTION = 1;
/// Rounds of restitution at most.
static const int BOUNCE_ROUNDS = 16;
/// Pairs that move less than this in a substep cannot fly past each other's pixels; those that have a manifold, which holds
/// them back, not even at more [px].
static const double SLOW = 1, SLOW_TOUCHING = 3;
/// What stops after less than this was stuck [px].
static const double STUCK = 0.1;
/// Where nothing moves faster than this in a substep, only what bounces is hit hard [px].
static const double FAST = 0.25;
/// Rounds of stopping at most.
static const int STOP_ROUNDS = 4;

void pv__choose_lanes(pv_world *world) {
#ifdef PV__X86_KERNELS
    world->lanes = pv__kernel_in_use() == &pv__kernel_generic ? &pv__lanes_generic : &pv__lanes_avx2;
#else
    world->lanes = &pv__lanes_generic;
#endif
}

/* ---- manifolds ---- */

/// How far the points of a pair move relative to each other in a second, at most [px/s].
static double relative_speed(const pv_world *world, const pv__manifold *m) {
    pv__four p = world->movers[m->a + 1].motion, q = world->movers[m->b + 1].motion;
    double x = q[0] - p[0], y = q[1] - p[1];
    return sqrt(x * x + y * y) + pv__abs(p[2]) * world->courses[m->a + 1].reach +
           pv__abs(q[2]) * world->courses[m->b + 1].reach;
}

/// The body as the search for manifolds sees it.
static void show(pv_world *world, int index) {
    pv__body *b = &world->bodies[index];
    pv__four motion = world->movers[index + 1].motion;
    if (!b->awake) {
        b->velocity = pv__vec(0, 0);
        b->spin = 0;
        return;
    }
    b->pose = pv__mover_pose(world, index);
    b->bitmap_now.valid = false;
    b->velocity = pv__vec(motion[0], motion[1]);
    b->spin = motion[2];
}

/// How far the points of a pair have moved since its manifold was found, at most [px].
static double moved_since(const pv_world *world, const pv__manifold *m) {
    pv__four p = world->movers[m->a + 1].pose, q = world->movers[m->b + 1].pose;
    double x = q[0] - p[0] - m->apart.x, y = q[1] - p[1] - m->apart.y;
    double ac = p[2] - m->turn_a.c, as = p[3] - m->turn_a.s, bc = q[2] - m->turn_b.c, bs = q[3] - m->turn_b.s;
    return sqrt(x * x + y * y) + sqrt(ac * ac + as * as) * world->courses[m->a + 1].reach +
           sqrt(bc * bc + bs * bs) * world->courses[m->b + 1].reach;
}

/// Whether a manifold has to be found again before the bodies have moved on by ahead [px]. Those that are apart need not
/// until they may be near; the nearer, the sooner.
static bool is_stale(const pv_world *world, const pv__manifold *m, double ahead) {
    if (!m->made) return true;
    double moved = moved_since(world, m);
    if (m->count == 0) return moved + ahead >= m->clearance - NEAR;
    if (m->clearance > STILL && moved + ahead >= m->clearance) return true; /* it is about to touch */
    return moved >= STILL + 0.5 * pv__max(0, m->clearance);
}

static bool is_restless(const pv_world *world, const pv__manifold *m) {
    return !world->courses[m->a + 1].quiet || !world->courses[m->b + 1].quiet;
}

/// Substeps until the fastest pair has to be looked at again.
static int length_of_round(pv_world *world, double h, int left) {
    double fastest = 0;
    for (int i = 0; i < world->active_count; i++) {
        const pv__manifold *m = &world->manifolds[world->active[i]];
        if (is_restless(world, m)) fastest = pv__max(fastest, relative_speed(world, m));
    }
    world->fast = h * fastest > FAST;
    double length = ROUND_MOTION / pv__max(h * fastest, 1e-6);
    return length < 1 ? 1 : length > left ? left : (int)length;
}

int pv__find_manifolds(pv_world *world, double h, int left) {
    int round = length_of_round(world, h, left);
    bool unpacked = world->repack, changed = world->repack;
    if (world->repack) pv__unpack_manifolds(world);
    world->repack = false;
    for (int i = 0; i < world->active_count; i++) {
        pv__manifold *m = &world->manifolds[world->active[i]];
        if (!is_restless(world, m)) continue;
        double ahead = relative_speed(world, m) * h * round;
        if (!is_stale(world, m, ahead)) continue;
        if (!unpacked) pv__unpack_manifolds(world);
        unpacked = true;
        show(world, m->a);
        show(world, m->b);
        changed |= m->count > 0;
        pv__manifold_find(world, m, ahead, h * round);
        changed |= m->count > 0;
    }
    if (changed) pv__pack_manifolds(world, h);
    return round;
}

/// Whether something awake will have reached a sleeping body by the end of the step.
static bool is_reached(pv_world *world, pv__manifold *m, double dt) {
    double motion = relative_speed(world, m) * dt;
    if (is_stale(world, m, motion)) pv__manifold_find(world, m, motion, dt);
    for (int i = 0; i < m->count; i++)
        if (m->points[i].gap < motion) return true;
    return false;
}

bool pv__wake_reached(pv_world *world, double dt) {
    bool woken = false;
    for (int i = 0; i < world->active_count; i++) {
        pv__manifold *m = &world->manifolds[world->active[i]];
        pv__body *a = &world->bodies[m->a], *b = &world->bodies[m->b];
        pv__body *sleeping = a->awake ? b : a;
        if (a->awake == b->awake || sleeping->type == PV_BODY_STATIC || !is_reached(world, m, dt)) continue;
        pv__wake(world, sleeping);
        woken = true;
    }
    return woken;
}

/* ---- a substep ---- */

void pv__accelerate(pv_world *world) {
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1;
        world->movers[k].motion += world->courses[k].gain;
    }
}

/// What is hit faster than the bounce speed turns back, pair by pair until nothing is hit any more: what hits the first of a
/// row of balls leaves it at the other end.
static void bounce(pv_world *world, const pv__sweep *sweep) {
    bool hit = true;
    for (int round = 0; hit && round < BOUNCE_ROUNDS; round++) {
        hit = false;
        for (int i = 0; i < world->block_count; i++)
            if (world->blocks[i].bounces || world->fast)
                hit |= world->lanes->hit(&world->blocks[i], world->movers, sweep);
    }
}

void pv__push_manifolds(pv_world *world, double h) {
    const pv__lane_kernel *lanes = world->lanes;
    pv__sweep sweep = {h, true, world->def.bounce_speed};
    pv__lanes *all = world->blocks;
    int count = world->block_count;
    for (int i = 0; i < count; i++) lanes->measure(&all[i], world->movers, &sweep);
    bounce(world, &sweep);
    for (int i = 0; i < count; i++) lanes->warm(&all[i], world->movers);
    for (int i = count - 1; i >= 0; i--) lanes->solve(&all[i], world->movers);
    for (int i = 0; i < count; i++) lanes->solve(&all[i], world->movers);
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
    return sqrt(x * x + y * y) + sqrt(p[2] * p[2] + p[3] * p[3]) * a->reach +
           sqrt(q[2] * q[2] + q[3] * q[3]) * b->reach;
}

/// Takes the approach along the pixels' normal out of a pair that cannot move: its contours do not see what holds it.
static void absorb(pv_world *world, const pv__manifold *m, const pv_sweep_hit *hit) {
    pv__body *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    show(world, m->a);
    show(world, m->b);
    pv__levers arm = {pv__sub(hit->point, a->pose.centre), pv__sub(hit->point, b->pose.centre)};
    pv_vec2 speed = pv__relative_velocity(&arm, a, b), n = hit->normal;
    double fast = pv__length(speed);
    if (fast == 0) return;
    if (pv__dot(speed, n) > -0.1 * fast) n = pv__mul(-1.0 / fast, speed); /* few pixels know no normal */
    pv__exchange(&arm, a, b, pv__mul(-pv__dot(speed, n) / pv__yield(&arm, a, b, n), n));
    world->movers[m->a + 1].motion = (pv__four){a->velocity.x, a->velocity.y, a->spin, 0};
    world->movers[m->b + 1].motion = (pv__four){b->velocity.x, b->velocity.y, b->spin, 0};
}

/// What would fly past or into another's pixels stops where they meet; the exact bitmaps judge, at any speed.
static bool stop_at_pixels(pv_world *world, const pv__manifold *m) {
    if (!is_restless(world, m) || motion_of(world, m) <= (m->count > 0 ? SLOW_TOUCHING : SLOW)) return false;
    pv_moving a = way_of(world, m->a), b = way_of(world, m->b);
    pv_sweep_hit hit;
    if (!pv_sweep(&a, &b, &hit) || hit.touch == 0) return false;
    if (hit.fraction * motion_of(world, m) < STUCK) absorb(world, m, &hit);
    stop(world, m->a, &a, hit.fraction);
    stop(world, m->b, &b, hit.fraction);
    return true;
}

/// What has stopped may be hit by what comes behind, which is asked in the next round.
static void stop_fast_ones(pv_world *world) {
    bool stopped = true;
    for (int round = 0; stopped && round < STOP_ROUNDS; round++) {
        stopped = false;
        for (int i = 0; i < world->active_count; i++)
            stopped |= stop_at_pixels(world, &world->manifolds[world->active[i]]);
    }
}

void pv__move_bodies(pv_world *world, double h) {
    double fastest = 0;
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1;
        pv__mover *m = &world->movers[k];
        world->courses[k].from = m->pose;
        world->lanes->move(m, h);
        double speed =
            pv__abs(m->motion[0]) + pv__abs(m->motion[1]) + pv__abs(m->motion[2]) * world->courses[k].reach;
        fastest = pv__max(fastest, speed);
    }
    if (2 * fastest * h > SLOW) stop_fast_ones(world);
}

void pv__relax_manifolds(pv_world *world, double h) {
    pv__sweep sweep = {h, false, world->def.bounce_speed};
    for (int i = 0; i < world->block_count; i++)
        world->lanes->measure(&world->blocks[i], world->movers, &sweep);
    for (int i = 0; i < world->block_count; i++) world->lanes->solve(&world->blocks[i], world->movers);
}
