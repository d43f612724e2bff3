/* island_group.c - islands in groups, which go through a step one after the other.
 *
 * Invariant: two groups share no pair, so their order has no effect. The data of a group stay in a
 * cache from substep to substep. A body of another group that is met within the step is immovable:
 * it waits for its own group, or has ended its step.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/island_group.h"
#include "collide/manifold.h"
#include "collide/narrow_phase.h"
#include "core/pose.h"

#include <string.h>

/// Least number of bodies in a group, and number of awake bodies from which groups are worthwhile
enum { GROUP_BODIES = 512, GROUPED = 3 * GROUP_BODIES };

/* ---- forming ---- */

static int group_root_of(pv__solver_state *all, int k) {
    while (all[k].island != k) k = all[k].island = all[all[k].island].island;
    return k;
}

/// Joins the bodies of pairs, awake kinematic ones, too: the poses of these belong to a substep.
static void group_join(pv_world *world) {
    pv__solver_state *all = world->solver.states;
    for (int i = 0; i < world->solver.member_count; i++) {
        pv__solver_state *c = &all[world->solver.members[i] + 1];
        c->island = world->solver.members[i] + 1;
        c->members = 0;
    }
    for (int i = 0; i < world->manifolds.active_count; i++) {
        const pv__manifold *m = pv__active_manifold(world, i);
        if (all[m->a + 1].quiet || all[m->b + 1].quiet) continue;
        int a = group_root_of(all, m->a + 1), b = group_root_of(all, m->b + 1);
        all[a > b ? a : b].island = a < b ? a : b;
    }
}

/// Numbers the groups from 1 on. Each takes islands in order of their lowest bodies, until it has
/// GROUP_BODIES.
static void group_number(pv_world *world) {
    pv__solver_state *all = world->solver.states;
    pv__island_groups *g = &world->solver.groups;
    for (int i = 0; i < world->solver.member_count; i++)
        all[group_root_of(all, world->solver.members[i] + 1)].members++;
    g->count = 0;
    for (int i = 0; i < world->solver.member_count; i++) {
        int k = world->solver.members[i] + 1, root = group_root_of(all, k);
        if (k == root) {
            if (g->count == 0 || g->items[g->count - 1].bodies >= GROUP_BODIES)
                g->items[g->count++] = (pv__island_group){0, 0, 0, 0};
            g->items[g->count - 1].bodies += all[k].members;
            all[k].group = g->count;
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
static void group_sort(pv_world *world) {
    pv__island_groups *g = &world->solver.groups;
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

static bool group_reserve(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__island_groups *g = &world->solver.groups;
    int pairs = world->manifolds.active_count + 1;
    return pv__reserve(allocator, &g->items, &g->capacity,
                       world->solver.member_count / GROUP_BODIES + 2, sizeof *g->items) &&
           pv__reserve(allocator, &g->bodies, &g->body_capacity, world->solver.member_count,
                       sizeof(int)) &&
           pv__reserve(allocator, &g->slots, &g->slot_capacity, pairs, sizeof(int)) &&
           pv__reserve(allocator, &g->pairs, &g->pair_capacity, pairs, sizeof(int));
}

/// Tells whether groups are worthwhile. Matter binds bodies of any islands, and a world at rest
/// keeps its contact batches.
static bool is_groupable(const pv_world *world) {
    return world->solver.member_count >= GROUPED && world->solver.repack && !world->solver.rested &&
           !pv__world_has_matter(world);
}

int pv__island_group_form(pv_world *world) {
    pv__island_groups *g = &world->solver.groups;
    if (!is_groupable(world)) return 1;
    if (!group_reserve(world)) {
        world->out_of_memory = true;
        return 1;
    }
    group_join(world);
    group_number(world);
    g->running = 1;
    if (g->count == 1) return 1;
    group_sort(world);
    memcpy(g->pairs, world->manifolds.active,
           (size_t)world->manifolds.active_count * sizeof *g->pairs);
    g->pair_count = world->manifolds.active_count;
    g->known = world->broad_phase.pair_count;
    g->rested = true;
    for (int i = 0; i < world->solver.member_count; i++)
        world->solver.states[world->solver.members[i] + 1].quiet = true;
    return g->count;
}

/* ---- running ---- */

/// Returns the slot of a pair that was met within the step.
static int met_slot(const pv_world *world, int i) {
    pv__pair pair = world->broad_phase.pairs[i];
    return (int)(pv__manifold_between(world, pair.a, pair.b) - world->manifolds.items);
}

/// Adds the pairs of the running group that earlier groups have met.
static void add_met(pv_world *world) {
    int own = world->solver.groups.running;
    for (int i = world->solver.groups.known; i < world->broad_phase.pair_count; i++) {
        pv__pair pair = world->broad_phase.pairs[i];
        if (world->solver.states[pair.a + 1].group == own ||
            world->solver.states[pair.b + 1].group == own)
            pv__manifold_insert(world, met_slot(world, i));
    }
}

void pv__island_group_begin(pv_world *world, int group) {
    pv__island_groups *g = &world->solver.groups;
    const pv__island_group *own = &g->items[group];
    g->running = group + 1;
    world->solver.member_count = world->solver.active_count = own->bodies;
    memcpy(world->solver.members, &g->bodies[own->body_end - own->bodies],
           (size_t)own->bodies * sizeof(int));
    memcpy(world->solver.active, world->solver.members, (size_t)own->bodies * sizeof(int));
    for (int i = 0; i < own->bodies; i++)
        world->solver.states[world->solver.members[i] + 1].quiet = false;
    world->manifolds.active_count = own->pairs;
    memcpy(world->manifolds.active, &g->slots[own->pair_end - own->pairs],
           (size_t)own->pairs * sizeof(int));
    add_met(world);
    world->solver.paced[PV__BRISK] = world->solver.paced[PV__USUAL] = 0;
    world->solver.batch_count = world->solver.sweep_count = 0;
    world->solver.repack = true;
    world->solver.joined = false;
    world->solver.any_disturbed = false;
    if (!pv__narrow_phase_schedule_all(world)) world->out_of_memory = true;
}

void pv__island_group_end(pv_world *world) {
    pv__island_groups *g = &world->solver.groups;
    g->rested &= world->solver.rested;
    for (int i = 0; i < world->solver.member_count; i++) {
        pv__solver_state *c = &world->solver.states[world->solver.members[i] + 1];
        if (!c->flying) c->quiet = true;
    }
}

/* ---- closing ---- */

static int compare_met(const void *a, const void *b) {
    const pv__pair *p = a, *q = b;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/// Merges the pairs met within the step into the list of all, from behind.
static void merge_met(pv_world *world) {
    const pv__island_groups *g = &world->solver.groups;
    const pv__pair *met = world->broad_phase.pairs + g->known;
    int i = g->pair_count - 1, count = world->broad_phase.pair_count - g->known, k = i + count;
    pv__sort(world->broad_phase.pairs + g->known, count, sizeof *met, compare_met);
    world->manifolds.active_count += count;
    for (int j = count - 1; j >= 0; k--) {
        const pv__manifold *m = i >= 0 ? &world->manifolds.items[g->pairs[i]] : NULL;
        bool later = m && (m->a != met[j].a ? m->a > met[j].a : m->b > met[j].b);
        world->manifolds.active[k] = later ? g->pairs[i--] : met_slot(world, g->known + j--);
    }
}

void pv__island_group_close(pv_world *world) {
    pv__island_groups *g = &world->solver.groups;
    world->manifolds.active_count = g->pair_count;
    memcpy(world->manifolds.active, g->pairs, (size_t)g->pair_count * sizeof *g->pairs);
    if (world->broad_phase.pair_count > g->known) merge_met(world);
    world->solver.rested = g->rested;
    world->solver.ordered = world->solver.joined = false;
}

void pv__island_group_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__island_groups *g = &world->solver.groups;
    pv__free(allocator, world->solver.active, (size_t)world->solver.active_capacity, sizeof(int));
    pv__free(allocator, world->solver.members, (size_t)world->solver.member_capacity, sizeof(int));
    pv__free(allocator, g->items, (size_t)g->capacity, sizeof *g->items);
    pv__free(allocator, g->bodies, (size_t)g->body_capacity, sizeof(int));
    pv__free(allocator, g->slots, (size_t)g->slot_capacity, sizeof(int));
    pv__free(allocator, g->pairs, (size_t)g->pair_capacity, sizeof(int));
}
