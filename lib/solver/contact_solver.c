/* contact_solver.c - solver of manifolds on the velocities of solver bodies, with convergence
 * around impacts.
 *
 * Invariant: a substep solves with a soft push against penetration, moves, and solves once more
 * without the push. So no push remains in the velocities (Macklin et al. 2019, Catto 2024: small
 * steps, soft constraints, relaxation). One body of a pair gains what the other one loses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/contact_solver.h"
#include "core/stage_timer.h"
#include "core/tasks.h"
#include "solver/contact_batch.h"
#include "solver/pixel_stop.h"
#include "solver/squeeze.h"
#include "solver/sweep.h"

/// Greatest push of springs beyond their last load in a usual substep, as a multiple of gravity's
/// gain. Without it, loads wander in a heap. It grows with the square of the substep's length.
static const double LIFT = 1;
/// Greatest number of restitution rounds
static const int BOUNCE_ROUNDS = 16;

/* ---- a substep ---- */

static void damp(pv__four *motion, const pv__body *b, double h) {
    double linear = pv__kept(b->linear_damping, h);
    (*motion)[0] *= linear;
    (*motion)[1] *= linear;
    (*motion)[2] *= pv__kept(b->angular_damping, h);
}

static void accelerate_some(pv_world *world, void *stage, int first, int end) {
    const double *h = stage;
    pv__solver *s = &world->solver;
    for (int i = first; s->some_damped && i < end; i++)
        if (s->states[s->active[i] + 1].damped)
            damp(&s->bodies[s->active[i] + 1].motion, &world->bodies.items[s->active[i]], *h);
    s->kernel->accelerate(s->active + first, end - first, s->bodies, s->states);
}

void pv__contact_solver_accelerate(pv_world *world, double h) {
    pv__tasks_run(world, world->solver.active_count, PV__CHUNK_BODIES, accelerate_some, &h);
    pv__timer_lap(world, &world->profile.move);
}

/// Tells whether an impact has changed the motion of a body since restitution last asked the batch.
static bool is_hit_since(const pv_world *world, const pv__batch *k, uint64_t asked) {
    const uint64_t *hits = world->solver.hits;
    for (int l = 0; l < PV__LANES; l++)
        if (hits[k->a[l]] > asked || hits[k->b[l]] > asked) return true;
    return false;
}

/// Marks the movable bodies of a batch with the number of a new impact.
static void number_hit(pv_world *world, const pv__batch *k) {
    uint64_t hit = ++world->solver.last_hit;
    for (int l = 0; l < PV__LANES; l++) {
        if (pv__batch_has(k->moves_a, l)) world->solver.hits[k->a[l]] = hit;
        if (pv__batch_has(k->moves_b, l)) world->solver.hits[k->b[l]] = hit;
    }
}

/// Applies restitution to a batch; returns whether there was an impact.
static bool bounce_batch(pv_world *world, int batch, const pv__sweep *sweep) {
    pv__batch *k = &world->solver.batches[batch];
    world->solver.marks[batch].asked = world->solver.last_hit;
    if (!world->solver.kernel->hit(k, world->solver.bodies, sweep)) return false;
    number_hit(world, k);
    return true;
}

/// Applies restitution pair by pair until there is no further impact. So a ball that hits a row of
/// balls drives out the one at the far end.
static void bounce(pv_world *world, const pv__sweep *sweep) {
    bool hit = true;
    uint64_t before = world->solver.last_hit;
    for (int round = 0; hit && round < BOUNCE_ROUNDS; round++) {
        hit = false;
        for (int i = 0; i < world->solver.sweep_count; i++) {
            int batch = world->solver.sweep[i];
            pv__batch_mark *mark = &world->solver.marks[batch];
            if (round == 0 && !mark->impact) mark->asked = before; /* no approach there yet */
            bool asks = round == 0
                            ? mark->impact
                            : is_hit_since(world, &world->solver.batches[batch], mark->asked);
            if (asks && (mark->bounces || world->solver.fast))
                hit |= bounce_batch(world, batch, sweep);
        }
    }
}

/* ---- contacts around an impact, solved to convergence ----
 *
 * Invariant: one sweep passes on only part of an impact; for a much lighter body, only the light
 * one's share. The rest would compress springs, which would throw it back. So accelerated sweeps
 * around an impact go on until no contact asks for more.
 *
 * The acceleration is from Silcowitz-Hansen, Niebe and Erleben 2010, "A nonsmooth nonlinear
 * conjugate gradient method for interactive contact force problems". The impulse of an impact does
 * not carry over to the next substep. Resting contacts are left to the usual sweeps, which converge
 * from substep to substep.
 */

/// Speed above which a much heavier body loads the body that it pushes in a substep: multiple of
/// gravity's gain, and least value [px/s]
static const double LOAD = 4, LOAD_SPEED = 8;
/// Same speed for any other pair, where sweeps pass on most of an impact [px/s]
static const double ALIKE_SPEED = 30;
/// Greatest number of batches that are solved to convergence after a usual impact
enum { MOST_BATCHES = 64 };
/// Greatest number of iterations, each a sweep back and a sweep forth, for a usual impact. Residual
/// speed of a contact below which they end [px/s].
static const int ITERATIONS = 10;
static const double LOADED_CLOSE = 0.1;
/// Displacement that a usual impact gives in a substep [px]. Harder impacts get up to
/// LOADED_HARDEST times as many batches and iterations.
static const double USUAL_WAY = 0.25, LOADED_HARDEST = 3;
/// Least curvature of the energy along a search direction, as a share of that of uncoupled contacts
static const double LOADED_FLAT = 1e-6;

/// Returns the speed that a lane gives the lighter body in this substep [px/s].
static double speed_given(const pv__batch *k, int l) {
    double load = k->point[0].impulse_n[l];
    if (k->points == 2) load += k->point[1].impulse_n[l];
    return load * pv__max(pv__batch_has(k->moves_a, l) * k->mass_a[l],
                          pv__batch_has(k->moves_b, l) * k->mass_b[l]);
}

/// Tells whether a lane that gives a body this speed loads it. Pairs over the pair limit carry no
/// impacts. In long substeps, only uneven pairs load: sweeps pass other impacts on with time.
static bool is_loaded(const pv_world *world, const pv__batch *k, int l, double speed,
                      double least) {
    return speed > least &&
           ((speed > ALIKE_SPEED && !pv__world_is_brisk(world)) || pv__batch_is_uneven(k, l)) &&
           !pv__pair_is_crowded(world, k->a[l] - 1, k->b[l] - 1);
}

/// Tells whether a batch has a body wedged between immovable ones. Perhaps no impulses suffice
/// there, and a search for them would throw all other bodies.
static bool is_wedged(const pv_world *world, const pv__batch *k) {
    for (int l = 0; l < PV__LANES; l++) {
        if (pv__batch_has(k->moves_a, l) && world->squeeze.items[k->a[l]].wedged) return true;
        if (pv__batch_has(k->moves_b, l) && world->squeeze.items[k->b[l]].wedged) return true;
    }
    return false;
}

/// Tells whether a lane carries load in this substep.
static bool presses(const pv__batch *k, int l) {
    return (k->point[0].impulse_n[l] > 0) | ((k->points == 2) & (k->point[1].impulse_n[l] > 0));
}

/// Pass over the batches that weighs their loads
typedef struct load_pass {
    /// Speed above which a lane loads a body [px/s]
    double least;
    /// True if a batch is loaded
    pv__flag any;
} load_pass;

/// Weighs the load of a batch; returns whether an impact loads it.
static bool weigh_batch(const pv_world *world, int batch, double least) {
    const pv__batch *k = &world->solver.batches[batch];
    pv__batch_mark *mark = &world->solver.marks[batch];
    bool may = !pv__world_is_brisk(world) || k->uneven;
    mark->loads = false;
    mark->pressed = 0;
    mark->given = 0;
    for (int l = 0; l < PV__LANES; l++) {
        double given = speed_given(k, l);
        mark->given = pv__max(mark->given, given);
        mark->loads |= may && is_loaded(world, k, l, given, least);
        mark->pressed |= ((k->manifold[l] >= 0) & presses(k, l)) << l;
    }
    return mark->loads;
}

static void weigh_some(pv_world *world, void *stage, int first, int end) {
    load_pass *pass = stage;
    bool any = false;
    for (int i = first; i < end; i++)
        any |= weigh_batch(world, world->solver.listed[i], pass->least);
    if (any) pv__flag_raise(&pass->any);
}

static void mark_hop(pv_world *world, const pv__batch *k, int hop) {
    for (int l = 0; l < PV__LANES; l++) {
        if (pv__batch_has(k->moves_a, l) && world->solver.states[k->a[l]].hop == 0)
            world->solver.states[k->a[l]].hop = hop;
        if (pv__batch_has(k->moves_b, l) && world->solver.states[k->b[l]].hop == 0)
            world->solver.states[k->b[l]].hop = hop;
    }
}

static bool is_next(const pv_world *world, int batch, int hop) {
    const pv__batch *k = &world->solver.batches[batch];
    for (int l = 0; l < PV__LANES; l++)
        if (pv__batch_has(world->solver.marks[batch].pressed, l) &&
            (world->solver.states[k->a[l]].hop == hop || world->solver.states[k->b[l]].hop == hop))
            return true;
    return false;
}

/// Links the batches with load in the order of the sweep, and returns the first, or -1.
static int link_pressed(pv_world *world) {
    int first = -1;
    for (int i = world->solver.sweep_count - 1; i >= 0; i--) {
        int batch = world->solver.sweep[i];
        if (world->solver.marks[batch].pressed == 0 ||
            (world->squeeze.wedged && is_wedged(world, &world->solver.batches[batch])))
            continue;
        world->solver.marks[batch].next = first;
        first = batch;
    }
    return first;
}

/// Takes the batches at a hop out of the linked ones, up to most in all. Returns the new count.
static int take_up(pv_world *world, int *first, int hop, int count, int most) {
    for (int *link = first; *link >= 0 && count < most;) {
        int batch = *link;
        pv__batch_mark *mark = &world->solver.marks[batch];
        if (!(hop == 1 ? mark->loads : is_next(world, batch, hop - 1))) {
            link = &mark->next;
            continue;
        }
        *link = mark->next;
        mark->loaded = true;
        mark_hop(world, &world->solver.batches[batch], hop);
        count++;
    }
    return count;
}

/// Lists the batches that were taken up, in the order of the sweep.
static void list_batches(pv_world *world) {
    for (int i = 0; i < world->solver.sweep_count; i++) {
        if (!world->solver.marks[world->solver.sweep[i]].loaded) continue;
        pv__load *load = &world->solver.loaded[world->solver.loaded_count++];
        const pv__four *before = world->solver.before + 2 * world->solver.sweep[i];
        *load = (pv__load){.batch = world->solver.sweep[i], .before = {before[0], before[1]}};
    }
}

static void unmark(pv_world *world) {
    for (int i = 0; i < world->solver.loaded_count; i++) {
        int batch = world->solver.loaded[i].batch;
        const pv__batch *k = &world->solver.batches[batch];
        for (int l = 0; l < PV__LANES; l++) {
            if (pv__batch_has(k->moves_a, l)) world->solver.states[k->a[l]].hop = 0;
            if (pv__batch_has(k->moves_b, l)) world->solver.states[k->b[l]].hop = 0;
        }
        world->solver.marks[batch].loaded = false;
    }
}

static pv__batch *batch_of(const pv_world *world, int i) {
    return &world->solver.batches[world->solver.loaded[i].batch];
}

static const pv__batch_extra *extra_of(const pv_world *world, int i) {
    return &world->solver.extras[batch_of(world, i)->extra];
}

static bool has_impact(const pv_world *world) {
    for (int i = 0; i < world->solver.loaded_count; i++)
        if (world->solver.marks[world->solver.loaded[i].batch].impact) return true;
    return false;
}

/// Returns the hardness of the hardest impact relative to a usual one, 1...LOADED_HARDEST.
static double hardness(const pv_world *world, double h) {
    double most = 0;
    for (int i = 0; i < world->solver.sweep_count; i++)
        most = pv__max(most, world->solver.marks[world->solver.sweep[i]].given);
    return pv__clamp(most * h / USUAL_WAY, 1, LOADED_HARDEST);
}

/// Lists up to most batches: those that impacts load, then their neighbors, hop by hop.
static void gather(pv_world *world, int most) {
    int count = 0, first = link_pressed(world);
    if (!PV__RESERVE(&world->def.allocator, world->solver.loaded, world->solver.loaded_capacity,
                     most)) {
        world->out_of_memory = true;
        return;
    }
    for (int hop = 1, before = -1; count > before && count < most; hop++) {
        before = count;
        count = take_up(world, &first, hop, count, most);
    }
    if (count > 0) list_batches(world);
    unmark(world);
    if (!has_impact(world)) world->solver.loaded_count = 0;
}

/// Sweeps back and forth once.
static pv__swept sweep_loaded(pv_world *world, const pv__sweep *sweep) {
    pv__swept swept = {0, 0, 0};
    const pv__batch_kernel *lanes = world->solver.kernel;
    int count = world->solver.loaded_count;
    for (int i = 0; i < count; i++)
        lanes->begin_sweep(batch_of(world, i), world->solver.bodies, extra_of(world, i),
                           &world->solver.loaded[i]);
    for (int i = count - 1; i >= 0; i--)
        lanes->solve(&world->solver.loaded[i].batch, 1, false, world->solver.bodies, sweep);
    for (int i = 0; i < count; i++)
        lanes->solve(&world->solver.loaded[i].batch, 1, false, world->solver.bodies, sweep);
    for (int i = 0; i < count; i++)
        lanes->end_sweep(batch_of(world, i), world->solver.bodies, extra_of(world, i),
                         &world->solver.loaded[i], &swept);
    return swept;
}

/// Moves along the search direction to the least energy; returns false if a limit cut the motion.
static bool advance(pv_world *world, double part) {
    bool whole = true;
    for (int i = 0; i < world->solver.loaded_count; i++)
        whole &= world->solver.kernel->advance(batch_of(world, i), world->solver.bodies,
                                               &world->solver.loaded[i], part);
    return whole;
}

/// Goes back to the impulses at the end of the sweep if their energy was less.
static void withdraw_if_worse(pv_world *world, double rise) {
    double now = 0;
    for (int i = 0; i < world->solver.loaded_count; i++)
        now += world->solver.kernel->rise(batch_of(world, i), world->solver.bodies,
                                          extra_of(world, i), &world->solver.loaded[i]);
    for (int i = 0; now > rise && i < world->solver.loaded_count; i++)
        world->solver.kernel->withdraw(batch_of(world, i), world->solver.bodies,
                                       &world->solver.loaded[i]);
}

/// Sets the search direction, and returns how far along it the energy is least. It returns 0 if the
/// energy is almost flat, as between immovable bodies on all sides, which bear any impulses.
static double aim_search(pv_world *world, double share, double *curve) {
    pv__aim aim = {0, 0, 0};
    for (int i = 0; i < world->solver.loaded_count; i++)
        world->solver.kernel->aim(batch_of(world, i), &world->solver.loaded[i], share, &aim);
    *curve = aim.curve;
    return aim.slope > 0 && aim.curve > LOADED_FLAT * aim.size ? aim.slope / aim.curve : 0;
}

/// Solves the contacts around impacts until none asks for more, or the iterations are used up.
static void converge(pv_world *world, const pv__sweep *sweep, double hard) {
    double last = 0;
    for (int i = 0; i < (int)(hard * ITERATIONS) && world->solver.loaded_count > 0; i++) {
        pv__swept swept = sweep_loaded(world, sweep);
        if (swept.speed < LOADED_CLOSE) return;
        double curve, part = aim_search(world, last > 0 ? -swept.along / last : 0, &curve);
        bool whole = part > 0 && advance(world, part);
        last = whole
                   ? curve
                   /* a cut or a rejected direction restarts the search from the next sweep alone */
                   : 0;
        if (part > 0 && !whole) withdraw_if_worse(world, swept.rise);
    }
}

/// Solves contacts that impacts load to convergence, and keeps no impulse of an impact.
static void solve_loaded(pv_world *world, const pv__sweep *sweep) {
    double pull = pv__length(world->def.gravity) * sweep->h;
    load_pass pass = {.least = pv__max(LOAD_SPEED, LOAD * pull)};
    pv__sweep_run(world, PV__ANY_ORDER, weigh_some, &pass);
    if (!pass.any) return;
    double hard = hardness(world, sweep->h);
    gather(world, (int)(hard * MOST_BATCHES));
    for (int i = 0; i < world->solver.loaded_count; i++)
        world->solver.kernel->load(batch_of(world, i), sweep, &world->solver.loaded[i]);
    converge(world, sweep, hard);
    for (int i = 0; i < world->solver.loaded_count; i++)
        world->solver.kernel->forget(batch_of(world, i), &world->solver.loaded[i]);
    world->solver.loaded_count = 0;
}

/* ---- the passes of a substep ---- */

/// Pass of the solver over the batches
typedef struct solver_pass {
    pv__sweep sweep;
    /// Normal impulses at the start of the substep, two for each batch; null without an impact
    pv__four *before;
    /// True if the sweep runs backward
    bool back;
    /// True after an impact in any batch
    pv__flag impact;
} solver_pass;

static void measure_some(pv_world *world, void *stage, int first, int end) {
    solver_pass *pass = stage;
    if (world->solver.kernel->measure(world->solver.listed + first, end - first,
                                      world->solver.bodies, &pass->sweep))
        pv__flag_raise(&pass->impact);
}

static void warm_some(pv_world *world, void *stage, int first, int end) {
    const solver_pass *pass = stage;
    for (int i = first; pass->before && i < end; i++) {
        const pv__batch *k = pv__sweep_batch(world, i);
        for (int p = 0; p < k->points; p++)
            pass->before[2 * world->solver.listed[i] + p] = k->point[p].impulse_n;
    }
    world->solver.kernel->warm(world->solver.listed + first, end - first, world->solver.bodies,
                               &pass->sweep);
}

static void solve_some(pv_world *world, void *stage, int first, int end) {
    const solver_pass *pass = stage;
    world->solver.kernel->solve(world->solver.listed + first, end - first, pass->back,
                                world->solver.bodies, &pass->sweep);
}

static void relax_some(pv_world *world, void *stage, int first, int end) {
    const solver_pass *pass = stage;
    world->solver.kernel->relax(world->solver.listed + first, end - first, world->solver.bodies,
                                &pass->sweep);
}

static solver_pass pass_of(const pv_world *world, double h) {
    return (solver_pass){.sweep = {h, LIFT * h * (h / world->dt) * pv__length(world->def.gravity),
                                   world->def.restitution_threshold, world->def.hit_event_threshold,
                                   pv__world_is_swift(world), world->solver.spring,
                                   world->solver.fixed_spring, world->solver.states,
                                   world->solver.batches, world->solver.extras,
                                   world->solver.marks}};
}

/// Makes room for the impulses at the start of the substep; returns false without memory.
static bool reserve_before(pv_world *world) {
    if (PV__RESERVE(&world->def.allocator, world->solver.before, world->solver.before_capacity,
                    2 * world->solver.batch_count))
        return true;
    world->out_of_memory = true;
    return false;
}

/// Tells whether an impact may load a batch. In long substeps, only uneven batches can be loaded.
static bool some_may_load(const pv_world *world) {
    if (!pv__world_is_brisk(world)) return true;
    for (int i = 0; i < world->solver.sweep_count; i++)
        if (world->solver.batches[world->solver.sweep[i]].uneven) return true;
    return false;
}

void pv__contact_solver_push(pv_world *world, double h) {
    solver_pass pass = pass_of(world, h);
    pv__sweep_run(world, PV__ANY_ORDER, measure_some, &pass);
    bool impact = pass.impact;
    if (impact) bounce(world, &pass.sweep);
    world->solver.impact = impact && some_may_load(world) && reserve_before(world);
    if (world->solver.impact) pass.before = world->solver.before;
    pv__sweep_run(world, PV__FORWARD, warm_some, &pass);
    pass.back = !pv__world_is_brisk(world);
    if (pass.back) pv__sweep_run(world, PV__BACKWARD, solve_some, &pass);
    pass.back = false;
    pv__sweep_run(world, PV__FORWARD, solve_some, &pass);
    pv__squeeze_find_jams(world);
    pv__timer_lap(world, &world->profile.solve);
}

static void move_some(pv_world *world, void *stage, int first, int end) {
    const double *h = stage;
    pv__solver *s = &world->solver;
    if (s->kernel->move(s->active + first, end - first, s->bodies, s->states, s->disturbed, *h))
        pv__flag_raise(&s->any_disturbed);
}

void pv__contact_solver_move_bodies(pv_world *world, double h) {
    pv__tasks_run(world, world->solver.active_count, PV__CHUNK_BODIES, move_some, &h);
    if (world->solver.fast) pv__pixel_stop_moved(world, h);
    pv__timer_lap(world, &world->profile.move);
}

void pv__contact_solver_relax(pv_world *world, double h) {
    solver_pass pass = pass_of(world, h);
    pv__sweep_run(world, PV__FORWARD, relax_some, &pass);
    if (world->solver.impact) solve_loaded(world, &pass.sweep);
    pv__timer_lap(world, &world->profile.solve);
}
