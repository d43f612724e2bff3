/* wake_reached.c - sleeping bodies that wake before the substep that moves them.
 *
 * Invariant: no substep moves an awake body against a sleeping one that would give way. Each body
 * has an upper bound on its way in the substep. Bodies that may touch pass on all their energy
 * until no bound grows. No body can get more, whatever the masses and however long the chain.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/wake_reached.h"
#include "collide/broad_phase.h"
#include "collide/manifold.h"
#include "collide/narrow_phase.h"
#include "core/filter.h"
#include "core/wake.h"
#include "solver/solver_body.h"

/// Greatest speed of a body as a multiple of that of a driven one that hits it
static const double DRIVEN_GIVES = 2;

/// Bounds for all bodies of a group
typedef struct reach_bounds {
    double h;
    /// Greatest energy of a body, twice [mass px^2/s^2], and greatest way of a driven body [px]
    double energy, driven;
} reach_bounds;

/// Returns the speed that a motion gives to the farthest point of a body [px/s].
static double rim_of(pv__four motion, double arm) {
    return pv__length_most(motion[0], motion[1]) + pv__abs(motion[2]) * arm;
}

/// Returns an upper bound on the speed of a body in the next substep [px/s]. Contacts of a body at
/// rest bear what its forces give it.
static double speed_of(const pv_world *world, int k) {
    pv__four motion = world->solver.bodies[k].motion;
    double arm = motion[3], speed = rim_of(motion, arm);
    return speed + pv__min(speed, rim_of(world->solver.states[k].gain, arm));
}

/// Returns the greatest way that an energy gives a body's points [px]: all of it may turn the body.
static double way_with(const pv_world *world, int body, double energy, double h) {
    const pv__body *b = &world->bodies.items[body];
    double arm = world->solver.bodies[body + 1].motion[3];
    return h * sqrt(energy * (b->inverse_mass + arm * arm * b->inverse_inertia));
}

/// Measures the active bodies.
static reach_bounds reach_measure(pv_world *world, double h) {
    reach_bounds all = {.h = h};
    for (int i = 0; i < world->solver.active_count; i++) {
        int k = world->solver.active[i] + 1;
        const pv__body *b = &world->bodies.items[k - 1];
        pv__solver_state *c = &world->solver.states[k];
        double speed = speed_of(world, k);
        bool driven = b->inverse_mass == 0;
        c->way = speed * h;
        c->energy = driven ? 0 : speed * speed / b->inverse_mass;
        all.energy = pv__max(all.energy, c->energy);
        if (driven) all.driven = pv__max(all.driven, c->way);
    }
    return all;
}

static bool is_awake(const pv_world *world, int body) {
    return world->solver.states[body + 1].group > 0;
}

/// Tells whether a body with this way in the substep is asleep, or so slow that it may fall asleep.
/// Speed that a load gives within a substep does not count.
static bool reach_rests(const pv_world *world, int body, double way, double h) {
    const pv__solver_state *c = &world->solver.states[body + 1];
    double arm = world->solver.bodies[body + 1].motion[3],
           borne = c->pressed ? pv__min(PV__CREEP_PACE, rim_of(c->gain, arm)) : 0;
    return c->group == 0 || way <= h * pv__max(PV__FREE_PACE, borne);
}

static double reach_gap(pv_world *world, const pv__schedule *w, double h) {
    bool rests = reach_rests(world, w->a, world->solver.states[w->a + 1].way, h) &&
                 reach_rests(world, w->b, world->solver.states[w->b + 1].way, h);
    return pv__narrow_phase_gap(world, w->slot, rests, h);
}

/// Tells whether any body of the group could reach a sleeping one.
static bool may_wake(pv_world *world, const reach_bounds *all) {
    for (int i = 0; i < world->solver.fringe_count; i++) {
        const pv__schedule *w = &world->solver.fringe[i];
        if (is_awake(world, w->a) == is_awake(world, w->b)) continue;
        int body = is_awake(world, w->a) ? w->a : w->b;
        double most =
            pv__max(way_with(world, body, all->energy, all->h),
                    pv__max(DRIVEN_GIVES * all->driven, world->solver.states[body + 1].way));
        bool rests = reach_rests(world, body, most, all->h);
        if (pv__narrow_phase_gap(world, w->slot, rests, all->h) < most) return true;
    }
    return false;
}

/// Passes the energy of a body on to one that it may touch; returns whether that one had less.
static bool hand_on(pv_world *world, int from, int to, double h) {
    const pv__solver_state *giver = &world->solver.states[from + 1];
    pv__solver_state *taker = &world->solver.states[to + 1];
    double energy = giver->energy;
    const pv__body *b = &world->bodies.items[to];
    if (b->inverse_mass == 0 || b->type != PV_BODY_DYNAMIC) return false;
    if (world->bodies.items[from].inverse_mass == 0) {
        double speed = DRIVEN_GIVES * giver->way / h;
        energy = speed * speed / b->inverse_mass;
    }
    if (energy <= taker->energy) return false;
    if (!is_awake(world, to) && world->solver.progress.may_wait) {
        world->solver.reaches = true; /* other threads may read it */
        return false;
    }
    taker->energy = energy;
    taker->way = pv__max(taker->way, way_with(world, to, energy, h));
    return true;
}

/// Tells whether a body of a pair is awake and inactive.
static bool holds_still(const pv__solver_state *c) { return c->quiet && c->group > 0; }

static bool spread_once(pv_world *world, double h) {
    bool news = false;
    for (int i = 0; i < world->manifolds.schedule_count; i++) {
        const pv__schedule *w = &world->manifolds.schedule[i];
        const pv__solver_state *a = &world->solver.states[w->a + 1],
                               *b = &world->solver.states[w->b + 1];
        if (holds_still(a) || holds_still(b) || a->way + b->way == 0 ||
            reach_gap(world, w, h) >= a->way + b->way)
            continue;
        news |= hand_on(world, w->a, w->b, h);
        news |= hand_on(world, w->b, w->a, h);
    }
    return news;
}

/// Tells whether a body of a pair sleeps, and is reached or holds the other one.
static bool is_reached(const pv_world *world, const pv__schedule *w, int body) {
    return !is_awake(world, body) &&
           (world->solver.states[body + 1].energy > 0 || world->manifolds.items[w->slot].stops);
}

bool pv__wake_reached_any(pv_world *world, double h) {
    if (world->solver.fringe_count == 0) return false;
    reach_bounds all = reach_measure(world, h);
    bool more = may_wake(world, &all);
    world->solver.reaches = false;
    while (more) more = spread_once(world, h);
    for (int i = 0; i < world->solver.fringe_count && !world->solver.reaches; i++) {
        const pv__schedule *w = &world->solver.fringe[i];
        world->solver.reaches = is_reached(world, w, w->a) || is_reached(world, w, w->b);
    }
    return world->solver.reaches;
}

/// Wakes the bodies that are reached, and adds their pairs.
static void wake_all(pv_world *world, double h, int substep) {
    int before = world->broad_phase.pair_count;
    for (int i = 0; i < world->solver.fringe_count; i++) {
        pv__schedule w = world->solver.fringe[i];
        if (is_reached(world, &w, w.a)) pv__solver_body_wake(world, w.a, h);
        if (is_reached(world, &w, w.b)) pv__solver_body_wake(world, w.b, h);
    }
    pv__filter_pairs(world, before);
    pv__manifold_add_pairs(world, before, substep);
    pv__solver_body_gather_met(world, before, substep - 1);
}

void pv__wake_reached(pv_world *world, double h, int substep) {
    do wake_all(world, h, substep);
    while (pv__wake_reached_any(world, h));
}
