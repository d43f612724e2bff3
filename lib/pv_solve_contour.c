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

#include "pv_kernel.h"
#include "pv_lanes.h"
#include "pv_stick.h"

/// Springs push beyond what they bore by so many times what gravity gives in a substep: with none, loads wander in a heap.
static const double LIFT = 1;
/// Speed that a body gets in a substep, from which on its pairs are looked at again [px/s].
static const double JOLT = 20;
/// Rounds of restitution at most.
static const int BOUNCE_ROUNDS = 16;

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
        world->courses[k].unsolved = world->movers[k].motion;
    }
    pv__lap(world, &world->profile.move);
}

/// Notes whether contacts gave a body so much speed that its pairs may be elsewhere than was foreseen. Crowds are looked at once
/// a step.
static void note_jolt(pv_world *world, int body) {
    const pv__course *c = &world->courses[body + 1];
    pv__four given = world->movers[body + 1].motion - c->unsolved;
    double speed = pv__abs(given[0]) + pv__abs(given[1]) + pv__abs(given[2]) * c->reach;
    if (speed > JOLT && !pv__is_crowded(world, body, body)) world->jolted = world->jolts[body + 1] = true;
}

/// What is hit faster than the bounce speed turns back, pair by pair until nothing is hit any more: what hits the first of a
/// row of balls leaves it at the other end.
static void bounce(pv_world *world, const pv__sweep *sweep) {
    bool hit = true;
    for (int round = 0; hit && round < BOUNCE_ROUNDS; round++) {
        hit = false;
        for (int i = 0; i < world->sweep_count; i++) {
            pv__lanes *k = &world->blocks[world->sweep[i]];
            if (round == 0 && !k->blow) continue; /* nothing comes in there yet */
            if (k->bounces || world->fast) hit |= world->lanes->hit(k, world->movers, sweep);
        }
    }
}

void pv__push_manifolds(pv_world *world, double h) {
    const pv__lane_kernel *lanes = world->lanes;
    pv__sweep sweep = {h,
                       true,
                       LIFT * h * pv__length(world->def.gravity),
                       world->def.bounce_speed,
                       world->def.hit_speed,
                       world->courses};
    pv__lanes *all = world->blocks;
    const int *order = world->sweep;
    int count = world->sweep_count;
    bool blow = false;
    for (int i = 0; i < count; i++) blow |= lanes->measure(&all[order[i]], world->movers, &sweep);
    if (blow) bounce(world, &sweep);
    for (int i = 0; i < count; i++) lanes->warm(&all[order[i]], world->movers);
    if (!pv__is_brisk(world))
        for (int i = count - 1; i >= 0; i--) lanes->solve(&all[order[i]], world->movers);
    for (int i = 0; i < count; i++) lanes->solve(&all[order[i]], world->movers);
    world->loaded_count = 0;
    pv__find_jams(world);
    if (blow) pv__solve_loaded(world, h);
    pv__lap(world, &world->profile.solve);
}

void pv__move_bodies(pv_world *world, double h) {
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1;
        note_jolt(world, k - 1);
        world->courses[k].from = world->movers[k].pose;
        world->lanes->move(&world->movers[k], h);
    }
    if (world->fast) pv__stop_at_pixels(world, h);
    pv__lap(world, &world->profile.move);
}

void pv__relax_manifolds(pv_world *world, double h) {
    pv__sweep sweep = {h, false, 0, world->def.bounce_speed, world->def.hit_speed, world->courses};
    pv__lanes *all = world->blocks;
    const int *order = world->sweep;
    for (int i = 0; i < world->sweep_count; i++) world->lanes->relax(&all[order[i]], world->movers, &sweep);
    pv__forget_blows(world);
    for (int i = 0; i < world->sweep_count; i++)
        if (all[order[i]].deep) world->lanes->part(&all[order[i]], world->movers, &sweep);
    pv__lap(world, &world->profile.solve);
}
