/* pv_manifolds.c - the manifolds of a world: which pairs have one, and what the world says of them.
 *
 * Invariant: sorted by pair; what was known of a pair is kept while its boxes meet or both its bodies sleep.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_impulse.h"

static void swap_manifolds(pv_world *world) {
    pv__manifold *manifolds = world->manifolds;
    int capacity = world->manifold_capacity;
    world->manifolds = world->old_manifolds;
    world->manifold_capacity = world->old_manifold_capacity;
    world->old_manifolds = manifolds;
    world->old_manifold_capacity = capacity;
    world->old_manifold_count = world->manifold_count;
    world->manifold_count = 0;
}

static bool before(const pv__manifold *m, int a, int b) { return m->a < a || (m->a == a && m->b < b); }

static bool sleeps(const pv_world *world, const pv__manifold *m) {
    return !world->bodies[m->a].awake && !world->bodies[m->b].awake;
}

static pv__manifold *add(pv_world *world) {
    if (!pv__reserve(&world->def.allocator, &world->manifolds, &world->manifold_capacity,
                     world->manifold_count + 1, sizeof(pv__manifold))) {
        world->flags |= PV_STEP_NO_MEMORY;
        return NULL;
    }
    return &world->manifolds[world->manifold_count++];
}

static void keep_sleeping(pv_world *world, int *cursor, int a, int b) {
    for (; *cursor < world->old_manifold_count && before(&world->old_manifolds[*cursor], a, b); ++*cursor) {
        const pv__manifold *old = &world->old_manifolds[*cursor];
        pv__manifold *m = sleeps(world, old) ? add(world) : NULL;
        if (m) *m = *old;
    }
}

static void add_pair(pv_world *world, pv__pair pair, int *cursor) {
    const pv__body *a = &world->bodies[pair.a], *b = &world->bodies[pair.b];
    keep_sleeping(world, cursor, pair.a, pair.b);
    pv__manifold *m = add(world);
    if (!m) return;
    const pv__manifold *old = &world->old_manifolds[*cursor];
    bool known = *cursor < world->old_manifold_count && old->a == pair.a && old->b == pair.b;
    *m = known ? *old : (pv__manifold){.a = pair.a, .b = pair.b};
    if (known) ++*cursor;
    m->restitution = pv__mix(world->def.restitution_mix, a->restitution, b->restitution);
    m->static_friction = pv__mix(world->def.friction_mix, a->static_friction, b->static_friction);
    m->kinetic_friction = pv__mix(world->def.friction_mix, a->kinetic_friction, b->kinetic_friction);
}

void pv__keep_manifolds(pv_world *world) {
    int cursor = 0;
    swap_manifolds(world);
    for (int i = 0; i < world->pair_count; i++) add_pair(world, world->pairs[i], &cursor);
    keep_sleeping(world, &cursor, world->body_count, 0);
}

static void publish(pv_world *world, const pv__manifold *m) {
    const pv__body *a = &world->bodies[m->a];
    pv__contact c = {.a = m->a, .b = m->b, .count = 1};
    double weight = 0;
    for (int i = 0; i < m->count; i++) {
        const pv__press *p = &m->points[i];
        if (p->impulse_n <= 0) continue;
        pv_vec2 at = pv__add(a->pose.centre, pv__rotate(a->pose.turn, p->anchor_a));
        at = pv__mad(at, p->radius_a, p->normal);
        weight += p->impulse_n;
        c.point = pv__mad(c.point, p->impulse_n, at);
        c.normal = pv__mad(c.normal, p->impulse_n, p->normal);
    }
    if (weight <= 0) return;
    double length = pv__length(c.normal);
    c.point = pv__mul(1.0 / weight, c.point);
    c.normal = length > 0 ? pv__mul(1.0 / length, c.normal) : m->points[0].normal;
    c.points[0].impulse_n = weight;
    pv__add_contact(world, &c);
}

void pv__publish_manifolds(pv_world *world) {
    world->contact_count = 0;
    for (int i = 0; i < world->manifold_count; i++) publish(world, &world->manifolds[i]);
}
