/* pv_world.c - the world: made, destroyed, counted and hashed.
 *
 * Invariant: a world owns everything that is created in it and shares nothing with another but masks.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_lanes.h"

#include <string.h>

pv_world_def pv_world_def_default(void) {
    return (pv_world_def){
        .gravity = {0, 320},
        .contacts = PV_CONTACTS_CONTOUR,
        .iterations = 16,
        .bounce_speed = 16,
        .sleeping = true,
        .cookie = PV__COOKIE,
    };
}

static pv_status check_def(const pv_world_def *def) {
    if (def->cookie != PV__COOKIE) return PV_ERROR_ARGUMENT;
    if (!pv__finite2(def->gravity) || !pv__finite(def->bounce_speed)) return PV_ERROR_NOT_FINITE;
    bool in_range =
        pv__placeable(def->gravity) && def->substeps >= 0 && def->substeps <= 64 && def->iterations >= 1 &&
        def->iterations <= 64 && def->bounce_speed >= 0 && (unsigned)def->restitution_mix <= PV_MIX_GEOMETRIC &&
        (unsigned)def->friction_mix <= PV_MIX_GEOMETRIC && (unsigned)def->contacts <= PV_CONTACTS_CONTOUR;
    return in_range ? PV_OK : PV_ERROR_ARGUMENT;
}

pv_world *pv_world_create(const pv_world_def *def, pv_status *status) {
    pv_world_def used = def ? *def : pv_world_def_default();
    if (pv__say(status, check_def(&used)) != PV_OK) return NULL;
    used.allocator = pv__allocator(&used.allocator);
    if (used.substeps == 0) used.substeps = used.contacts == PV_CONTACTS_PIXEL ? 4 : 16;
    pv_world *world = pv__alloc(&used.allocator, 1, sizeof *world);
    if (!world) {
        pv__say(status, PV_ERROR_MEMORY);
        return NULL;
    }
    world->def = used;
    world->dt = 1.0 / 60 / used.substeps;
    world->body_free = world->manifold_free = world->grid.displaced = -1;
    world->roster_stale = true;
    return world;
}

void pv_world_destroy(pv_world *world) {
    if (!world) return;
    pv_allocator allocator = world->def.allocator;
    for (int i = 0; i < world->body_count; i++) {
        pv__body *b = &world->bodies[i];
        pv__bitmap_free(world, &b->bitmap_now);
        pv__bitmap_free(world, &b->bitmap_before);
        pv_mask_release(b->mask);
    }
    pv__bitmap_free(world, &world->scratch[0]);
    pv__bitmap_free(world, &world->scratch[1]);
    pv__free(&allocator, world->bodies, (size_t)world->body_capacity, sizeof(pv__body));
    pv__grid_free(world);
    pv__free(&allocator, world->pairs, (size_t)world->pair_capacity, sizeof(pv__pair));
    pv__free(&allocator, world->spare_pairs, (size_t)world->spare_pair_capacity, sizeof(pv__pair));
    pv__free(&allocator, world->contacts, (size_t)world->contact_capacity, sizeof(pv__contact));
    pv__free(&allocator, world->old_contacts, (size_t)world->old_contact_capacity, sizeof(pv__contact));
    pv__free(&allocator, world->manifolds, (size_t)world->manifold_capacity, sizeof(pv__manifold));
    pv__free(&allocator, world->presses, (size_t)world->press_capacity, sizeof(pv__press));
    pv__free(&allocator, world->table, (size_t)world->table_size, sizeof(int));
    pv__free(&allocator, world->active, (size_t)world->active_capacity, sizeof(int));
    pv__free(&allocator, world->was_active, (size_t)world->was_active_capacity, sizeof(int));
    pv__free(&allocator, world->sweep, (size_t)world->sweep_capacity, sizeof(int));
    pv__free(&allocator, world->watches, (size_t)world->watch_capacity, sizeof(pv__watch));
    pv__free(&allocator, world->awake, (size_t)world->awake_capacity, sizeof(int));
    pv__free(&allocator, world->restless, (size_t)world->restless_capacity, sizeof(int));
    pv__free(&allocator, world->movers, (size_t)world->mover_capacity, sizeof(pv__mover));
    pv__free(&allocator, world->courses, (size_t)world->course_capacity, sizeof(pv__course));
    pv__free(&allocator, world->blocks, (size_t)world->block_capacity, sizeof(pv__lanes));
    pv__free(&allocator, world->packed, (size_t)world->packed_capacity, sizeof(pv__packed));
    pv__free(&allocator, world, 1, sizeof *world);
}

pv_status pv__refuse(const pv_world *world, const char *function, pv_status status) {
    if (!world) return PV_ERROR_ARGUMENT;
    if (world->def.report) world->def.report(world->def.report_user, function, status);
    return status;
}

pv_vec2 pv_world_gravity(const pv_world *world) { return world ? world->def.gravity : pv__vec(0, 0); }

pv_status pv_world_set_gravity(pv_world *world, pv_vec2 gravity) {
    if (!pv__finite2(gravity)) return pv__refuse(world, __func__, PV_ERROR_NOT_FINITE);
    if (!world || !pv__placeable(gravity)) return pv__refuse(world, __func__, PV_ERROR_ARGUMENT);
    world->def.gravity = gravity;
    for (int i = 0; i < world->body_count; i++)
        if (pv__alive(&world->bodies[i])) pv__wake(world, &world->bodies[i]);
    return PV_OK;
}

pv_world_profile pv_world_get_profile(const pv_world *world) {
    return world ? world->profile : (pv_world_profile){0};
}

pv_world_stats pv_world_get_stats(const pv_world *world) {
    pv_world_stats stats = {0};
    if (!world) return stats;
    for (int i = 0; i < world->body_count; i++) {
        const pv__body *b = &world->bodies[i];
        stats.bodies += pv__alive(b);
        stats.awake += pv__alive(b) && b->awake && b->type == PV_BODY_DYNAMIC;
    }
    stats.contacts = pv_world_contacts(world, NULL, 0);
    return stats;
}

/* ---- hash: FNV-1a over 64-bit words, so that the byte order of the machine does not show ---- */

static void hash_word(uint64_t *h, uint64_t word) {
    *h = (*h ^ word) * UINT64_C(0x100000001b3);
    *h ^= *h >> 29;
}

static void hash_double(uint64_t *h, double value) {
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    hash_word(h, word);
}

static void hash_vec2(uint64_t *h, pv_vec2 v) {
    hash_double(h, v.x);
    hash_double(h, v.y);
}

static void hash_body(uint64_t *h, const pv__body *b) {
    hash_word(h, b->generation);
    if (!pv__alive(b)) return;
    for (int i = 0; i < 2; i++) {
        hash_vec2(h, b->now[i]);
        hash_vec2(h, b->before[i]);
    }
    hash_vec2(h, pv__vec(b->pose.turn.c, b->pose.turn.s));
    hash_vec2(h, b->force);
    hash_vec2(h, b->acceleration);
    hash_vec2(h, b->still_pose.centre);
    hash_vec2(h, pv__vec(b->still_pose.turn.c, b->still_pose.turn.s));
    const double numbers[] = {b->verlet_dt0,        b->torque,          b->mass,
                              b->inertia,           b->still,           b->stuck,
                              b->restitution,       b->static_friction, b->kinetic_friction,
                              b->rolling_resistance};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) hash_double(h, numbers[i]);
    hash_word(h,
              (uint64_t)b->type << 2 | (uint64_t)b->settled << 4 | (uint64_t)b->awake << 1 | b->fixed_rotation);
    hash_word(h, (uint64_t)(int64_t)b->island);
}

static void hash_manifold(uint64_t *h, const pv__manifold *m) {
    hash_word(h, (uint64_t)m->a << 32 | (uint64_t)m->b);
    hash_word(h, (uint64_t)m->count << 1 | m->made);
    hash_vec2(h, pv__vec(m->clearance, m->foreseen));
    hash_vec2(h, m->apart);
    hash_vec2(h, pv__vec(m->turn_a.c, m->turn_a.s));
    hash_vec2(h, pv__vec(m->turn_b.c, m->turn_b.s));
    for (int i = 0; i < m->count; i++) {
        const pv__press *p = &m->points[i];
        hash_vec2(h, p->anchor_a);
        hash_vec2(h, p->anchor_b);
        hash_vec2(h, p->normal);
        hash_vec2(h, pv__vec(p->radius_a, p->radius_b));
        hash_vec2(h, pv__vec(p->impulse_n, p->impulse_t));
        hash_double(h, p->impulse_roll);
        hash_word(h, (uint64_t)p->key << 1 | p->slides);
    }
}

uint64_t pv_world_hash(const pv_world *world) {
    if (!world) return 0;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    hash_word(&h, world->steps);
    hash_double(&h, world->dt);
    hash_word(&h, (uint64_t)world->rested << 1 | world->laid);
    hash_vec2(&h, world->def.gravity);
    for (int i = 0; i < world->body_count; i++) hash_body(&h, &world->bodies[i]);
    for (int i = 0; i < world->contact_count; i++) {
        const pv__contact *c = &world->contacts[i];
        hash_word(&h, (uint64_t)c->a << 32 | (uint64_t)c->b);
        hash_vec2(&h, pv__vec(c->gap, c->push));
        hash_double(&h, c->roll_impulse);
        hash_word(&h, (uint64_t)c->count << 1 | c->overlapped);
        hash_vec2(&h, c->normal);
        for (int k = 0; k < c->count; k++)
            hash_vec2(&h, pv__vec(c->points[k].impulse_n, c->points[k].impulse_t));
    }
    for (int i = 0; i < world->manifold_count; i++)
        if (world->manifolds[i].a >= 0) hash_manifold(&h, &world->manifolds[i]);
    return h;
}
