/* contact_solver.c - manifolds solved on the velocities that the particles imply, and to
 * convergence around a blow.
 *
 * Invariant: a substep solves with a soft push against gaps that closed, moves, and solves once
 * more without the push, so that no push is left in the velocities (Macklin et al. 2019, Catto
 * 2024: small steps, soft constraints, relaxing). What one body of a pair gets, the other loses.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "core/stage_timer.h"
#include "pixel/kernel.h"
#include "solver/contact_batch.h"
#include "solver/contact_solver.h"
#include "solver/pixel_stop.h"
#include "solver/squeeze.h"

/// Springs push beyond what they bore by so many times what gravity gives in a substep: with none,
/// loads wander in a heap.
static const double LIFT = 1;
/// Speed that a body gets in a substep, from which on its pairs are looked at again [px/s].
static const double CONTACT_JOLT = 20;
/// Rounds of restitution at most.
static const int BOUNCE_ROUNDS = 16;

void pv__contact_solver_choose_kernel(pv_world *world) {
#ifdef PV__X86_KERNELS
    bool generic = pv__kernel_in_use() == &pv__kernel_generic;
    world->lanes = generic ? &pv__lanes_generic : &pv__lanes_avx2;
#else
    world->lanes = &pv__lanes_generic;
#endif
}

/* ---- a substep ---- */

static void contact_damp(pv__four *motion, const pv__body *b, double h) {
    double linear = pv__kept(b->linear_damping, h);
    (*motion)[0] *= linear;
    (*motion)[1] *= linear;
    (*motion)[2] *= pv__kept(b->angular_damping, h);
}

void pv__contact_solver_accelerate(pv_world *world, double h) {
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1;
        if (world->courses[k].damped)
            contact_damp(&world->movers[k].motion, &world->bodies[k - 1], h);
        world->movers[k].motion += world->courses[k].gain;
        world->courses[k].unsolved = world->movers[k].motion;
    }
    pv__timer_lap(world, &world->profile.move);
}

/// Notes whether contacts gave a body so much speed that its pairs may be elsewhere than was
/// foreseen. Crowds are looked at once a step.
static void note_jolt(pv_world *world, int body) {
    const pv__solver_state *c = &world->courses[body + 1];
    pv__four given = world->movers[body + 1].motion - c->unsolved;
    double speed = pv__abs(given[0]) + pv__abs(given[1]) + pv__abs(given[2]) * c->reach;
    if (speed > CONTACT_JOLT && !pv__pair_is_crowded(world, body, body))
        world->jolted = world->jolts[body + 1] = true;
}

/// What is hit faster than the bounce speed turns back, pair by pair until nothing is hit any more:
/// what hits the first of a row of balls leaves it at the other end.
static void contact_bounce(pv_world *world, const pv__sweep *sweep) {
    bool hit = true;
    for (int round = 0; hit && round < BOUNCE_ROUNDS; round++) {
        hit = false;
        for (int i = 0; i < world->sweep_count; i++) {
            pv__batch *k = &world->blocks[world->sweep[i]];
            if (round == 0 && !k->blow) continue; /* nothing comes in there yet */
            if (k->bounces || world->fast) hit |= world->lanes->hit(k, world->movers, sweep);
        }
    }
}

void pv__contact_solver_push(pv_world *world, double h) {
    const pv__batch_kernel *lanes = world->lanes;
    pv__sweep sweep = {h,
                       true,
                       LIFT * h * pv__length(world->def.gravity),
                       world->def.restitution_threshold,
                       world->def.hit_event_threshold,
                       world->courses};
    pv__batch *all = world->blocks;
    const int *order = world->sweep;
    int count = world->sweep_count;
    bool blow = false;
    for (int i = 0; i < count; i++) blow |= lanes->measure(&all[order[i]], world->movers, &sweep);
    if (blow) contact_bounce(world, &sweep);
    for (int i = 0; i < count; i++) lanes->warm(&all[order[i]], world->movers);
    if (!pv__world_is_brisk(world))
        for (int i = count - 1; i >= 0; i--) lanes->solve(&all[order[i]], world->movers);
    for (int i = 0; i < count; i++) lanes->solve(&all[order[i]], world->movers);
    world->loaded_count = 0;
    pv__squeeze_find_jams(world);
    if (blow) pv__contact_solver_solve_loaded(world, h);
    pv__timer_lap(world, &world->profile.solve);
}

void pv__contact_solver_move_bodies(pv_world *world, double h) {
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1;
        note_jolt(world, k - 1);
        world->courses[k].from = world->movers[k].pose;
        world->lanes->move(&world->movers[k], h);
    }
    if (world->fast) pv__pixel_stop_moved(world, h);
    pv__timer_lap(world, &world->profile.move);
}

void pv__contact_solver_relax(pv_world *world, double h) {
    pv__sweep sweep = {h,
                       false,
                       0,
                       world->def.restitution_threshold,
                       world->def.hit_event_threshold,
                       world->courses};
    pv__batch *all = world->blocks;
    const int *order = world->sweep;
    for (int i = 0; i < world->sweep_count; i++)
        world->lanes->relax(&all[order[i]], world->movers, &sweep);
    pv__contact_solver_forget_blows(world);
    for (int i = 0; i < world->sweep_count; i++)
        if (all[order[i]].deep) world->lanes->part(&all[order[i]], world->movers, &sweep);
    pv__timer_lap(world, &world->profile.solve);
}

/* ---- solves contacts around what a blow loads to convergence ----
 *
 * Invariant: a sweep passes on only a part of a blow, from a heavy body to a light one only the
 * light one's share; what is left would press springs that throw it back. So where a blow loads a
 * body, sweeps go on, accelerated (Silcowitz-Hansen, Niebe and Erleben 2010, "A nonsmooth nonlinear
 * conjugate gradient method for interactive contact force problems"), until no contact asks for
 * more. The impulse of a blow is not kept to start the next substep. What rests is left to the
 * sweeps, which converge from substep to substep.
 */

/// A body is loaded when one that is much heavier gives it more speed in a substep than so much,
/// and than this many times what gravity does [px/s].
static const double LOAD = 4, LOAD_SPEED = 8;
/// The same of any other pair: sweeps pass on most of a blow there [px/s].
static const double ALIKE_SPEED = 30;
/// Contacts from a loaded body to the last that is solved with it, one after another; and blocks at
/// most.
enum { HOPS = 12, MOST_BLOCKS = 64 };
/// Iterations at most, of a sweep back and one forth each; and the speed that a contact may be off
/// by in the end [px/s].
static const int ITERATIONS = 10;
static const double LOADED_CLOSE = 0.1;
/// The way that a usual blow gives in a substep [px]. Harder ones get up to HARDEST times as many
/// blocks and iterations.
static const double USUAL_WAY = 0.25, LOADED_HARDEST = 3;
/// The least bend of the energy along a way, in parts of what it is for contacts that know nothing
/// of each other.
static const double LOADED_FLAT = 1e-6;

/// The speed that a lane gives the lighter body in this substep [px/s].
static double speed_given(const pv__batch *k, int l) {
    double load = k->point[0].impulse_n[l];
    if (k->points == 2) load += k->point[1].impulse_n[l];
    return k->idle[l] ? 0 : load * pv__max(k->mass_a[l], k->mass_b[l]);
}

/// Tells whether a lane loads a body. Crowds are parted: no blow is borne in them. Where all is in
/// commotion, sweeps pass blows on from substep to substep.
static bool loaded_loads(const pv_world *world, const pv__batch *k, int l, double least) {
    double speed = speed_given(k, l);
    return speed > least &&
           ((speed > ALIKE_SPEED && !pv__world_is_brisk(world)) || pv__batch_is_uneven(k, l)) &&
           !pv__pair_is_crowded(world, k->a[l] - 1, k->b[l] - 1);
}

static bool is_loaded(const pv_world *world, const pv__batch *k, double least) {
    if (pv__world_is_brisk(world) && !k->uneven) return false;
    for (int l = 0; l < PV__LANES; l++)
        if (loaded_loads(world, k, l, least)) return true;
    return false;
}

/// Tells whether a block holds bodies that two immovable ones press: no impulses are enough there.
static bool loaded_is_jammed(const pv_world *world, const pv__batch *k) {
    for (int l = 0; l < PV__LANES; l++) {
        if (k->manifold[l] < 0 || k->idle[l]) continue;
        if (k->mass_a[l] > 0 && world->squeezes[k->a[l]].jammed) return true;
        if (k->mass_b[l] > 0 && world->squeezes[k->b[l]].jammed) return true;
    }
    return false;
}

/// Tells whether a lane holds its bodies together in this substep.
static bool loaded_presses(const pv__batch *k, int l) {
    return k->point[0].impulse_n[l] > 0 || (k->points == 2 && k->point[1].impulse_n[l] > 0);
}

static void loaded_mark(pv_world *world, const pv__batch *k, int hop) {
    for (int l = 0; l < PV__LANES; l++) {
        if (k->manifold[l] < 0 || k->idle[l]) continue;
        if (k->mass_a[l] > 0 && world->courses[k->a[l]].hop == 0) world->courses[k->a[l]].hop = hop;
        if (k->mass_b[l] > 0 && world->courses[k->b[l]].hop == 0) world->courses[k->b[l]].hop = hop;
    }
}

static bool is_next(const pv_world *world, const pv__batch *k, int hop) {
    for (int l = 0; l < PV__LANES; l++)
        if (k->manifold[l] >= 0 && loaded_presses(k, l) &&
            (world->courses[k->a[l]].hop == hop || world->courses[k->b[l]].hop == hop))
            return true;
    return false;
}

/// Takes up blocks that come at a hop, so many in all at most; how many there are then.
static int take_up(pv_world *world, double least, int hop, int count, int most) {
    for (int i = 0; i < world->sweep_count && count < most; i++) {
        pv__batch *k = &world->blocks[world->sweep[i]];
        if (k->loaded || (world->jammed && loaded_is_jammed(world, k)) ||
            !(hop == 1 ? is_loaded(world, k, least) : is_next(world, k, hop - 1)))
            continue;
        k->loaded = true;
        loaded_mark(world, k, hop);
        count++;
    }
    return count;
}

/// Lists the blocks that were taken up, in the order of the sweep, with their impulses.
static bool list_blocks(pv_world *world, int count) {
    if (!pv__reserve(&world->def.allocator, &world->loaded, &world->loaded_capacity, count,
                     sizeof(pv__load))) {
        world->out_of_memory = true;
        return false;
    }
    for (int i = 0; i < world->sweep_count; i++) {
        pv__batch *k = &world->blocks[world->sweep[i]];
        if (!k->loaded) continue;
        pv__load *load = &world->loaded[world->loaded_count++];
        *load = (pv__load){.block = world->sweep[i]};
    }
    return true;
}

static void unmark(pv_world *world) {
    for (int i = 0; i < world->sweep_count; i++) {
        pv__batch *k = &world->blocks[world->sweep[i]];
        for (int l = 0; k->loaded && l < PV__LANES; l++)
            world->courses[k->a[l]].hop = world->courses[k->b[l]].hop = 0;
        k->loaded = false;
    }
}

static pv__batch *loaded_block_of(const pv_world *world, int i) {
    return &world->blocks[world->loaded[i].block];
}

static bool has_blow(const pv_world *world) {
    for (int i = 0; i < world->loaded_count; i++)
        if (loaded_block_of(world, i)->blow) return true;
    return false;
}

/// Returns how many times as hard as a usual blow the hardest one is, 1...HARDEST.
static double hardness(const pv_world *world, double h) {
    double most = 0;
    for (int i = 0; i < world->sweep_count; i++)
        for (int l = 0; l < PV__LANES; l++)
            most = pv__max(most, speed_given(&world->blocks[world->sweep[i]], l));
    return pv__clamp(most * h / USUAL_WAY, 1, LOADED_HARDEST);
}

static bool is_any_loaded(const pv_world *world, double least) {
    for (int i = 0; i < world->sweep_count; i++)
        if (is_loaded(world, &world->blocks[world->sweep[i]], least)) return true;
    return false;
}

/// Lists what a blow has loaded.
static void loaded_gather(pv_world *world, double least, int most) {
    int count = 0;
    for (int hop = 1, before = -1; hop <= HOPS && count > before && count < most; hop++) {
        before = count;
        count = take_up(world, least, hop, count, most);
    }
    if (count > 0) list_blocks(world, count);
    if (count > 0) unmark(world);
    if (!has_blow(world)) world->loaded_count = 0;
}

/// One sweep back and one forth.
static pv__swept loaded_sweep(pv_world *world) {
    pv__swept swept = {0, 0, 0};
    const pv__batch_kernel *lanes = world->lanes;
    int count = world->loaded_count;
    for (int i = 0; i < count; i++)
        lanes->begin_sweep(loaded_block_of(world, i), world->movers, &world->loaded[i]);
    for (int i = count - 1; i >= 0; i--) lanes->solve(loaded_block_of(world, i), world->movers);
    for (int i = 0; i < count; i++) lanes->solve(loaded_block_of(world, i), world->movers);
    for (int i = 0; i < count; i++)
        lanes->end_sweep(loaded_block_of(world, i), world->movers, &world->loaded[i], &swept);
    return swept;
}

/// Goes along the way to where the energy is least; whether all of it could be gone.
static bool loaded_advance(pv_world *world, double part) {
    bool whole = true;
    for (int i = 0; i < world->loaded_count; i++)
        whole &= world->lanes->advance(loaded_block_of(world, i), world->movers, &world->loaded[i],
                                       part);
    return whole;
}

/// Goes back to where the sweep ended, if that was better.
static void withdraw_if_worse(pv_world *world, double rise) {
    double now = 0;
    for (int i = 0; i < world->loaded_count; i++)
        now += world->lanes->rise(loaded_block_of(world, i), world->movers, &world->loaded[i]);
    for (int i = 0; now > rise && i < world->loaded_count; i++)
        world->lanes->withdraw(loaded_block_of(world, i), world->movers, &world->loaded[i]);
}

/// Makes the way of the search; the part of it to where the energy is least, or 0 where it hardly
/// bends: what immovable things press from all sides bears any impulses.
static double loaded_aim(pv_world *world, double share, double *curve) {
    pv__aim aim = {0, 0, 0};
    for (int i = 0; i < world->loaded_count; i++)
        world->lanes->aim(loaded_block_of(world, i), &world->loaded[i], share, &aim);
    *curve = aim.curve;
    return aim.slope > 0 && aim.curve > LOADED_FLAT * aim.size ? aim.slope / aim.curve : 0;
}

void pv__contact_solver_solve_loaded(pv_world *world, double h) {
    double pull = pv__length(world->def.gravity) * h, least = pv__max(LOAD_SPEED, LOAD * pull),
           last = 0;
    if (!is_any_loaded(world, least)) return;
    double hard = hardness(world, h);
    loaded_gather(world, least, (int)(hard * MOST_BLOCKS));
    for (int i = 0; i < world->loaded_count; i++) world->lanes->harden(loaded_block_of(world, i));
    for (int i = 0; i < (int)(hard * ITERATIONS) && world->loaded_count > 0; i++) {
        pv__swept swept = loaded_sweep(world);
        if (swept.speed < LOADED_CLOSE) return;
        double curve, part = loaded_aim(world, last > 0 ? -swept.along / last : 0, &curve);
        bool whole = part > 0 && loaded_advance(world, part);
        last = whole
                   ? curve
                   /* where no part of a way is better, the next one starts from the sweep alone */
                   : 0;
        if (part > 0 && !whole) withdraw_if_worse(world, swept.rise);
    }
}

void pv__contact_solver_forget_blows(pv_world *world) {
    for (int i = 0; i < world->loaded_count; i++) world->lanes->forget(loaded_block_of(world, i));
    world->loaded_count = 0;
}
