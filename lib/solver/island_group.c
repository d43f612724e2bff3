/* island_group.c - islands in groups, which go through a step one after the other, or in several
 * threads.
 *
 * Invariant: two groups share no pair, so their order has no effect, and their threads write to
 * different places. The data of a group stay in a cache from substep to substep. A group waits
 * when a body leaves its box and may meet another group. Waiting groups then go on in order, while
 * the bodies of other groups are immovable.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/island_group.h"
#include "collide/manifold.h"
#include "collide/narrow_phase.h"
#include "core/events.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "core/tasks.h"
#include "solver/contact_batch.h"
#include "solver/pixel_stop.h"

#include <stddef.h>
#include <string.h>

/// Least number of bodies in a group, and number of awake bodies from which groups are worthwhile
enum { GROUP_BODIES = 512, GROUPED = 3 * GROUP_BODIES };
/// Number of bodies above which all workers step a group together
enum { GROUP_LARGE = 2 * GROUP_BODIES };
/// Displacement of a rim in a step above which an island is fast [px]. Bodies that it throws may
/// meet other islands, so all fast islands are in one group.
static const double GROUP_FAST = 8;

/* ---- forming ---- */

/// Tells whether an island's fastest body is fast.
static bool is_fast(const pv_world *world, const pv__solver_state *island) {
    return island->fastest * world->h * world->substeps > GROUP_FAST;
}

static void unite(pv__solver_state *all, int j, int k) {
    int a = PV__ROOT(all, island, j), b = PV__ROOT(all, island, k);
    all[a > b ? a : b].island = a < b ? a : b;
}

/// Returns where the first awake body beside a sleeping island is noted; 0 there means none.
static int *first_beside(pv_world *world, int sleeping) {
    int root = world->bodies.items[sleeping].island;
    return &world->solver.states[(root >= 0 ? root : sleeping) + 1].island;
}

/// Joins the awake bodies beside each sleeping island, so that only one group may wake it.
static void join_by_sleepers(pv_world *world) {
    pv__solver *s = &world->solver;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < s->fringe_count; i++) {
            const pv__schedule *w = &s->fringe[i];
            bool awake_a = s->states[w->a + 1].group > 0, awake_b = s->states[w->b + 1].group > 0;
            if (awake_a == awake_b) continue;
            int *first = first_beside(world, awake_a ? w->b : w->a),
                awake = (awake_a ? w->a : w->b) + 1;
            if (pass != 1)
                *first = 0;
            else if (*first == 0)
                *first = awake;
            else
                unite(s->states, *first, awake);
        }
}

/// Joins the bodies of pairs, even awake kinematic ones, whose poses depend on the substep.
static void join_pairs(pv_world *world) {
    pv__solver_state *all = world->solver.states;
    for (int i = 0; i < world->solver.member_count; i++) {
        pv__solver_state *c = &all[world->solver.members[i] + 1];
        c->island = world->solver.members[i] + 1;
        c->members = 0;
        c->fastest = 0;
    }
    const pv__schedule *pairs = world->manifolds.schedule;
    for (int i = 0, end = world->manifolds.schedule_count; i < end; i++) {
        int a = pairs[i].a + 1, b = pairs[i].b + 1;
        if (all[a].island != all[b].island && !all[a].quiet && !all[b].quiet) unite(all, a, b);
    }
    join_by_sleepers(world);
}

/// Counts the bodies of each island, and finds its fastest one; returns whether an island is fast.
static bool count_bodies(pv_world *world) {
    pv__solver_state *all = world->solver.states;
    bool any = false;
    for (int i = 0; i < world->solver.member_count; i++) {
        int k = world->solver.members[i] + 1, root = PV__ROOT(all, island, k);
        all[root].members++;
        all[root].fastest = pv__max(all[root].fastest, pv__narrow_phase_speed(world, k - 1));
        any |= is_fast(world, &all[root]);
    }
    return any;
}

/// Returns the number of an island's group: the first one if it is fast, else the last one while it
/// has room.
static int group_for(pv_world *world, const pv__solver_state *island, bool some_fast) {
    pv__island_groups *g = &world->groups;
    if (some_fast && is_fast(world, island)) return 1;
    if (g->count == some_fast || g->items[g->count - 1].bodies >= GROUP_BODIES)
        g->items[g->count++] = (pv__island_group){0};
    return g->count;
}

/// Numbers the groups from 1 on. Each takes islands in order of their lowest bodies, until it has
/// GROUP_BODIES; the fast islands are together.
static void number_groups(pv_world *world) {
    pv__solver_state *all = world->solver.states;
    pv__island_groups *g = &world->groups;
    bool some_fast = count_bodies(world);
    g->count = some_fast;
    g->items[0] = (pv__island_group){0};
    for (int i = 0; i < world->solver.member_count; i++) {
        int k = world->solver.members[i] + 1, root = PV__ROOT(all, island, k);
        if (k == root) {
            all[k].group = group_for(world, &all[k], some_fast);
            g->items[all[k].group - 1].bodies += all[k].members;
        }
        all[k].group = all[root].group;
    }
}

/// Returns the number of the group of a manifold, the one of an awake body.
static int group_of_pair(const pv_world *world, int slot) {
    const pv__manifold *m = &world->manifolds.items[slot];
    int a = world->solver.states[m->a + 1].group, b = world->solver.states[m->b + 1].group;
    return a > b ? a : b;
}

/// Lists bodies and manifolds by group.
static void sort_by_group(pv_world *world) {
    pv__island_groups *g = &world->groups;
    const pv__manifolds *m = &world->manifolds;
    for (int i = 0; i < m->active_count; i++)
        g->items[group_of_pair(world, m->active[i]) - 1].pairs++;
    for (int i = 0, bodies = 0, pairs = 0; i < g->count; i++) {
        g->items[i].body_end = bodies;
        g->items[i].pair_end = pairs;
        bodies += g->items[i].bodies;
        pairs += g->items[i].pairs;
    }
    for (int i = 0; i < world->solver.member_count; i++) {
        int body = world->solver.members[i];
        pv__island_group *own = &g->items[world->solver.states[body + 1].group - 1];
        g->bodies[own->body_end++] = body;
    }
    for (int i = 0; i < m->active_count; i++)
        g->slots[g->items[group_of_pair(world, m->active[i]) - 1].pair_end++] = m->active[i];
}

/// Makes the lock for contexts; returns false without memory.
static bool make_lock(pv_world *world) {
    pv__island_groups *g = &world->groups;
    if (g->lock) return true;
    g->lock = pv__alloc(&world->def.allocator, 1, sizeof *g->lock);
    if (g->lock && pv__lock_init(g->lock)) return true;
    pv__free(&world->def.allocator, g->lock, g->lock ? 1 : 0, sizeof *g->lock);
    g->lock = NULL;
    return false;
}

static bool reserve(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__island_groups *g = &world->groups;
    return make_lock(world) &&
           PV__RESERVE(allocator, g->items, g->capacity,
                       world->solver.member_count / GROUP_BODIES + 3) &&
           PV__RESERVE(allocator, g->bodies, g->body_capacity, world->solver.member_count) &&
           PV__RESERVE(allocator, g->slots, g->slot_capacity, world->manifolds.active_count + 1);
}

/// Tells whether groups are worthwhile. Matter binds bodies of any islands, and a world at rest
/// keeps its contact batches.
static bool is_groupable(const pv_world *world) {
    return world->solver.member_count >= GROUPED && world->solver.repack && !world->solver.rested &&
           !pv__world_has_matter(world);
}

bool pv__island_group_form(pv_world *world) {
    if (!is_groupable(world)) return false;
    if (!reserve(world)) {
        world->out_of_memory = true;
        return false;
    }
    join_pairs(world);
    number_groups(world);
    if (world->groups.count > 1) sort_by_group(world);
    return world->groups.count > 1;
}

/* ---- contexts ---- */

/// Frees the lists of a solver.
static void free_lists(const pv_allocator *allocator, pv__solver *s) {
    PV__FREE(allocator, s->members, s->member_capacity);
    PV__FREE(allocator, s->active, s->active_capacity);
    PV__FREE(allocator, s->fringe, s->fringe_capacity);
    PV__FREE(allocator, s->batches, s->batch_capacity);
    PV__FREE(allocator, s->extras, s->extra_capacity);
    PV__FREE(allocator, s->marks, s->mark_capacity);
    PV__FREE(allocator, s->stale, s->stale_capacity);
    PV__FREE(allocator, s->sweep, s->sweep_capacity);
    PV__FREE(allocator, s->order, s->order_capacity);
    PV__FREE(allocator, s->chunks, s->chunk_capacity);
    PV__FREE(allocator, s->loaded, s->loaded_capacity);
    PV__FREE(allocator, s->before, s->before_capacity);
    PV__FREE(allocator, s->packed, s->packed_capacity);
}

/// Sets the solver of a context to the world's, with lists of its own.
static void context_adopt(const pv_world *world, pv__island_context *c) {
    pv__solver s = world->solver;
    memcpy(&s, &c->solver, offsetof(pv__solver, member_count));
    s.fringe_count = s.batch_count = s.sweep_count = s.packed_count = s.flown_count =
        s.flying_count = 0;
    s.repack = true;
    s.joined = s.narrowed = s.chunked = false;
    s.any_disturbed = false;
    s.progress = (pv__progress){.may_wait = true};
    c->solver = s;
}

/// Exchanges a context with the same data of a world.
static void context_exchange(pv_world *world, pv__island_context *c) {
    pv__manifolds *m = &world->manifolds;
    pv__exchange(&world->solver, &c->solver, sizeof c->solver);
    pv__swap(&m->active, &m->active_capacity, &c->slots, &c->slot_capacity);
    pv__swap(&m->schedule, &m->schedule_capacity, &c->schedule, &c->schedule_capacity);
    pv__swap(&m->updates, &m->update_capacity, &c->updates, &c->update_capacity);
    pv__exchange(&m->active_count, &c->slot_count, sizeof c->slot_count);
    pv__exchange(&m->schedule_count, &c->schedule_count, sizeof c->schedule_count);
    pv__exchange(&m->update_count, &c->update_count, sizeof c->update_count);
    pv__exchange(&world->squeeze.squeezed, &c->squeezed, sizeof c->squeezed);
    pv__exchange(&world->profile, &c->profile, sizeof c->profile);
    pv__exchange(&world->stage_begin, &c->stage_begin, sizeof c->stage_begin);
    pv__exchange(&world->substeps, &c->substeps, sizeof c->substeps);
    pv__exchange(&world->h, &c->h, sizeof c->h);
}

/// Returns a context that no group uses, or null without memory. Other threads may call it, too.
static pv__island_context *context_take(pv_world *world) {
    pv__island_groups *g = &world->groups;
    pv__lock_take(g->lock);
    pv__island_context *c = g->spare;
    if (c) g->spare = c->next;
    pv__lock_give(g->lock);
    if (!c) c = pv__alloc(&world->def.allocator, 1, sizeof *c);
    return c;
}

/// Fills a context with the bodies and pairs of a group; returns false without memory.
static bool context_begin(const pv_world *world, pv__island_context *c, int group) {
    const pv_allocator *allocator = &world->def.allocator;
    const pv__island_groups *g = &world->groups;
    const pv__island_group *own = &g->items[group];
    pv__solver *s = &c->solver;
    context_adopt(world, c);
    if (!PV__RESERVE(allocator, s->members, s->member_capacity, own->bodies) ||
        !PV__RESERVE(allocator, s->active, s->active_capacity, own->bodies) ||
        !PV__RESERVE(allocator, c->slots, c->slot_capacity, own->pairs + 1))
        return false;
    const int *bodies = &g->bodies[own->body_end - own->bodies];
    memcpy(s->members, bodies, (size_t)own->bodies * sizeof(int));
    memcpy(s->active, bodies, (size_t)own->bodies * sizeof(int));
    memcpy(c->slots, &g->slots[own->pair_end - own->pairs], (size_t)own->pairs * sizeof(int));
    s->member_count = s->active_count = own->bodies;
    s->group = group + 1;
    c->slot_count = own->pairs;
    c->substeps = world->substeps;
    c->h = world->h;
    c->squeezed = false;
    return true;
}

/* ---- running ---- */

/// Pass over all groups
typedef struct group_pass {
    double h;
    pv__group_step *step;
    /// World before the pass, to be copied: threads write to the groups of the world itself
    const pv_world *before;
    pv__flag out_of_memory;
} group_pass;

/// Steps the group whose context is in a world; returns whether it waits.
static bool start(pv_world *world, const group_pass *pass) {
    world->profile = (pv_world_profile){0};
    world->stage_begin = pv__timer_now();
    pv__pixel_stop_allow_sweeps(world);
    if (!pv__narrow_phase_schedule_all(world)) world->out_of_memory = true;
    for (int i = 0; i < world->manifolds.schedule_count; i++)
        pv__narrow_phase_note_fringe(world, &world->manifolds.schedule[i]);
    return !pass->step(world, pass->h);
}

static void add_times(pv_world_profile *sum, const pv_world_profile *p, double by) {
    sum->pairs += by * p->pairs;
    sum->collide += by * p->collide;
    sum->solve += by * p->solve;
    sum->move += by * p->move;
}

/// Tells whether a group is stepped alone by all workers: a large one is. With presolve callbacks
/// all are, because these run in the thread of the step.
static bool is_alone(const pv_world *world, int group) {
    return world->manifolds.presolved || world->groups.items[group].bodies > GROUP_LARGE;
}

/// Collects the results of a group that has run, and keeps its context while it waits.
static void leave(pv_world *world, pv__island_context *c, int group, bool waits) {
    pv__island_groups *g = &world->groups;
    pv__lock_take(g->lock);
    add_times(&g->spent, &c->profile, 1);
    if (is_alone(world, group)) g->spent.shared += c->profile.shared;
    g->items[group].context = waits ? c : NULL;
    if (!waits) {
        g->rested &= c->solver.rested;
        g->squeezed |= c->squeezed;
        g->flown_count += c->solver.flown_count;
        g->flying_count += c->solver.flying_count;
        c->next = g->spare;
        g->spare = c;
    }
    pv__lock_give(g->lock);
}

/// Steps a group in a world, or in a copy of it that shares all arrays of bodies and pairs. Returns
/// false without memory.
static bool run_one(pv_world *world, const group_pass *pass, int group, pv_world *own) {
    pv__island_context *c = context_take(world);
    if (!c) return false;
    bool begun = context_begin(world, c, group), waits = false;
    if (begun) {
        context_exchange(own, c);
        waits = start(own, pass);
        context_exchange(own, c);
    }
    leave(world, c, group, waits);
    return begun && !own->out_of_memory;
}

/// Steps groups, each in a copy of the world with a single worker.
static void run_apart(pv_world *world, void *stage, int first, int end) {
    group_pass *pass = stage;
    for (int i = first; i < end; i++) {
        if (is_alone(pass->before, i)) continue;
        pv_world copy = *pass->before;
        copy.def.worker_count = 1;
        if (!run_one(world, pass, i, &copy)) pv__flag_raise(&pass->out_of_memory);
    }
}

/// Steps all groups until they end or wait.
static void run_all(pv_world *world, group_pass *pass) {
    pv__island_groups *g = &world->groups;
    double begin = pv__timer_now();
    for (int i = 0; i < g->count; i++)
        if (is_alone(world, i) && !run_one(world, pass, i, world)) pass->out_of_memory = true;
    pv_world before = *world;
    pass->before = &before;
    pv__tasks_run(world, g->count, 1, run_apart, pass);
    double now = pv__timer_now(),
           spent = g->spent.pairs + g->spent.collide + g->spent.solve + g->spent.move;
    if (spent > 0) add_times(&world->profile, &g->spent, (now - begin) / spent);
    world->profile.shared += g->spent.shared;
}

/* ---- waiting groups ---- */

/// Adds the pairs of the group that other groups have found before.
static void add_met(pv_world *world) {
    int own = world->solver.group, next = world->solver.progress.next;
    for (int i = world->groups.known; i < world->broad_phase.pair_count; i++) {
        pv__pair pair = world->broad_phase.pairs[i];
        if (world->solver.states[pair.a + 1].group != own &&
            world->solver.states[pair.b + 1].group != own)
            continue;
        int slot = (int)(pv__manifold_between(world, pair.a, pair.b) - world->manifolds.items);
        if (!pv__manifold_insert(world, slot)) return;
        world->manifolds.items[slot].packed = 0;
        pv__narrow_phase_schedule(world, slot, next);
    }
}

/// Makes all bodies but flying ones immovable, and notes the active ones of waiting groups. Flying
/// bodies land when others meet them.
static void hold_all(pv_world *world) {
    const pv__island_groups *g = &world->groups;
    int count = g->items[g->count - 1].body_end;
    for (int i = 0; i < count; i++) {
        pv__solver_state *c = &world->solver.states[g->bodies[i] + 1];
        c->waits = g->items[c->group - 1].context && !c->quiet && c->flight == 0;
        c->quiet = c->flight == 0;
    }
}

/// Continues the step of the group whose context is in a world.
static void go_on(pv_world *world, const group_pass *pass) {
    for (int i = 0; i < world->solver.member_count; i++) {
        pv__solver_state *c = &world->solver.states[world->solver.members[i] + 1];
        if (c->waits) c->quiet = false;
    }
    add_met(world);
    world->profile = (pv_world_profile){0};
    world->stage_begin = pv__timer_now();
    world->solver.progress.may_wait = false;
    pass->step(world, pass->h);
    for (int i = 0; i < world->solver.member_count; i++) {
        pv__solver_state *c = &world->solver.states[world->solver.members[i] + 1];
        c->quiet = c->flight == 0;
    }
}

/// Steps the waiting groups to their ends, in order.
static void run_waiting(pv_world *world, const group_pass *pass) {
    pv__island_groups *g = &world->groups;
    bool held = false;
    for (int i = 0; i < g->count; i++) {
        pv__island_context *c = g->items[i].context;
        if (!c) continue;
        if (!held) hold_all(world);
        held = true;
        context_exchange(world, c);
        go_on(world, pass);
        context_exchange(world, c);
        add_times(&world->profile, &c->profile, 1);
        world->profile.shared += c->profile.shared;
        leave(world, c, i, false);
    }
}

void pv__island_group_run(pv_world *world, double h, pv__group_step *step) {
    pv__island_groups *g = &world->groups;
    group_pass pass = {.h = h, .step = step};
    g->known = world->broad_phase.pair_count;
    g->spent = (pv_world_profile){0};
    g->flown_count = g->flying_count = 0;
    g->rested = true;
    g->squeezed = false;
    run_all(world, &pass);
    run_waiting(world, &pass);
    world->stage_begin = pv__timer_now();
    pv__manifold_merge(world, g->known);
    if (pass.out_of_memory) world->out_of_memory = true;
    world->solver.flown_count = g->flown_count;
    world->solver.flying_count = g->flying_count;
    world->squeeze.squeezed = g->squeezed;
    world->solver.rested = g->rested;
    world->solver.ordered = world->solver.joined = false;
}

void pv__island_group_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__island_groups *g = &world->groups;
    while (g->spare) {
        pv__island_context *c = g->spare;
        g->spare = c->next;
        free_lists(allocator, &c->solver);
        PV__FREE(allocator, c->slots, c->slot_capacity);
        PV__FREE(allocator, c->schedule, c->schedule_capacity);
        PV__FREE(allocator, c->updates, c->update_capacity);
        pv__free(allocator, c, 1, sizeof *c);
    }
    if (g->lock) pv__lock_free(g->lock);
    pv__free(allocator, g->lock, g->lock ? 1 : 0, sizeof *g->lock);
    free_lists(allocator, &world->solver);
    PV__FREE(allocator, g->items, g->capacity);
    PV__FREE(allocator, g->bodies, g->body_capacity);
    PV__FREE(allocator, g->slots, g->slot_capacity);
}
