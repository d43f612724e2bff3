/* state_hash.c - a hash of all state that the next step depends on.
 *
 * Invariant: the hash is FNV-1a over 64-bit words, so it does not depend on the machine's byte
 * order. Words come in the order of slots, never of addresses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "snapshot/state_hash.h"
#include "carve/fracture.h"
#include "core/filter.h"
#include "grains/bodies.h"

#include <string.h>

static void hash_double(uint64_t *h, double value) {
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    pv__hash_word(h, word);
}

static void hash_vec2(uint64_t *h, pv_vec2 v) {
    hash_double(h, v.x);
    hash_double(h, v.y);
}

/// Hashes a filter, unless it is the default.
static void hash_filter(uint64_t *h, pv_filter f) {
    if (!pv__filter_is_set(f)) return;
    pv__hash_word(h, (uint64_t)f.category_bits << 32 | f.mask_bits);
    pv__hash_word(h, (uint64_t)(int64_t)f.group_index);
}

static void hash_drive(uint64_t *h, const pv__drive *d) {
    pv__hash_word(h, d->step);
    hash_vec2(h, d->velocity);
    hash_vec2(h, d->change);
    hash_vec2(h, d->acceleration);
    hash_vec2(h, pv__vec(d->spin, d->turn));
    hash_double(h, d->twist);
}

/// Hashes members that most bodies leave at their defaults.
static void hash_extras(uint64_t *h, const pv__body *b) {
    const double usual[] = {1, 0, 0, 0, 0, 0},
                 numbers[] = {b->gravity_scale, b->linear_damping, b->angular_damping,
                              b->tangent_speed, b->one_way.x,      b->one_way.y};
    for (uint64_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i] == usual[i]) continue;
        pv__hash_word(h, i);
        hash_double(h, numbers[i]);
    }
    uint64_t flags = (uint64_t)b->locks << 3 | (uint64_t)b->pixels->stand_in << 8 |
                     (uint64_t)b->outside << 2 | (uint64_t)b->sensor << 1 | b->disabled;
    if ((b->locks & ~(unsigned)PV_LOCK_ROTATION) || b->sensor || b->disabled || b->outside)
        pv__hash_word(h, flags);
    if (b->drive.step) hash_drive(h, &b->drive);
}

/// Hashes a body's picture, unless it is unchanged, unscaled, without collision shape and without
/// map.
static void hash_looks(uint64_t *h, const pv__body *b) {
    if (b->looks) pv__hash_word(h, b->looks);
    if (b->crowded) pv__hash_word(h, b->crowded);
    if (b->crushed) pv__hash_word(h, ~b->crushed);
    if (b->pixels->stand_in != PV_COLLIDER_PIXELS) pv__hash_word(h, b->pixels->stand_in);
    if (b->pixels->scale.x != 1 || b->pixels->scale.y != 1) hash_vec2(h, b->pixels->scale);
    if (!b->pixels->materials.map) return;
    pv__hash_word(h, b->pixels->materials.map->digest);
    pv__hash_word(h, (uint64_t)b->pixels->materials.x << 32 | (uint64_t)b->pixels->materials.y);
}

/// Hashes a body's fracture, unless it is the default. The bit of keep_static says whether it suits
/// the type, which is hashed as well, so that hashes are those of worlds before it was the default.
static void hash_fracture(uint64_t *h, const pv__body *b) {
    const pv_fracture_def *f = &b->fracture;
    if (pv__fracture_is_default(f)) return;
    bool suits = f->keep_static == (b->type == PV_BODY_STATIC);
    pv__hash_word(h, (uint64_t)f->min_part_pixels << 32 | (uint64_t)f->connectivity << 8 |
                         (uint64_t)f->mode << 2 | (uint64_t)f->spawn_debris << 1 | suits);
    hash_double(h, f->toughness);
}

static void hash_body(uint64_t *h, const pv__body *b) {
    pv__hash_word(h, b->generation);
    if (!pv__body_is_alive(b)) return;
    for (int i = 0; i < 2; i++) {
        hash_vec2(h, b->now[i]);
        hash_vec2(h, b->before[i]);
    }
    hash_vec2(h, pv__vec(b->pose.turn.c, b->pose.turn.s));
    hash_vec2(h, b->force);
    hash_vec2(h, b->acceleration);
    hash_vec2(h, b->still_pose.center);
    hash_vec2(h, pv__vec(b->still_pose.turn.c, b->still_pose.turn.s));
    hash_vec2(h, b->earlier_pose.center);
    hash_vec2(h, pv__vec(b->earlier_pose.turn.c, b->earlier_pose.turn.s));
    const double numbers[] = {b->verlet_dt0,
                              b->torque,
                              b->mass,
                              b->inertia,
                              b->still,
                              b->stuck,
                              b->material.restitution,
                              b->material.static_friction,
                              b->material.kinetic_friction,
                              b->rolling_resistance,
                              b->still_span,
                              b->still_since,
                              b->pace};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) hash_double(h, numbers[i]);
    pv__hash_word(h, (uint64_t)b->type << 2 | (uint64_t)b->settled << 4 | (uint64_t)b->awake << 1 |
                         (b->locks & PV_LOCK_ROTATION) / PV_LOCK_ROTATION);
    pv__hash_word(h, (uint64_t)(int64_t)b->island);
    hash_extras(h, b);
    hash_looks(h, b);
    hash_filter(h, b->filter);
    hash_fracture(h, b);
}

static void hash_manifold(uint64_t *h, const pv__manifold *m) {
    pv__hash_word(h, (uint64_t)m->a << 32 | (uint64_t)m->b);
    pv__hash_word(h, (uint64_t)m->count << 1 | m->made);
    hash_vec2(h, pv__vec(m->clearance, m->foreseen));
    hash_vec2(h, m->apart);
    hash_vec2(h, pv__vec(m->turn_a.c, m->turn_a.s));
    hash_vec2(h, pv__vec(m->turn_b.c, m->turn_b.s));
    for (int i = 0; i < m->count; i++) {
        const pv__contact_point *p = &m->points[i];
        hash_vec2(h, p->anchor_a);
        hash_vec2(h, p->anchor_b);
        hash_vec2(h, p->normal);
        hash_vec2(h, pv__vec(p->radius_a, p->radius_b));
        hash_vec2(h, pv__vec(p->impulse_n, p->impulse_t));
        hash_double(h, p->impulse_roll);
        pv__hash_word(h, (uint64_t)p->key << 1 | p->slides);
    }
}

static void hash_passing(uint64_t *h, const pv__passing *p) {
    pv__hash_word(h, (uint64_t)p->pair.a << 32 | (uint64_t)p->pair.b);
    pv__hash_word(h, (uint64_t)p->generation_a << 32 | p->generation_b);
    pv__hash_word(h, p->step << 1 | p->until_apart);
}

static void hash_particles(uint64_t *h, const pv__particles *p) {
    pv__hash_word(h, (uint64_t)p->count << 32 | (uint64_t)p->free);
    for (int i = 1; i < p->count; i++) {
        const pv__particle_data *g = &p->data[i];
        pv__hash_word(h, g->generation);
        if (!(g->generation & 1)) continue;
        hash_vec2(h, p->now[i]);
        hash_vec2(h, p->was[i]);
        hash_vec2(h, p->force[i]);
        hash_vec2(h, pv__vec(g->mass, g->radius));
        hash_vec2(h, pv__vec(g->drag, g->material.restitution));
        hash_vec2(h, pv__vec(g->material.static_friction, g->material.kinetic_friction));
        pv__hash_word(h, (uint64_t)g->bounce << 1 | g->passes);
        pv__hash_word(h, (uint64_t)(int64_t)g->liquid);
        hash_filter(h, p->filter[i]);
    }
}

static void hash_grip(uint64_t *h, const pv__anchor *g) {
    pv__hash_word(h, (uint64_t)g->particle << 32 | (uint32_t)g->body);
    hash_vec2(h, g->local);
    for (int i = 0; i < 3 && g->corners[0]; i++) {
        pv__hash_word(h, (uint64_t)g->corners[i]);
        hash_double(h, g->weights[i]);
    }
}

static void hash_constraint(uint64_t *h, const pv__constraint *c) {
    pv__hash_word(h, c->slot.generation);
    if (!pv__slot_lives(&c->slot)) return;
    hash_grip(h, &c->a);
    hash_grip(h, &c->b);
    pv__hash_word(h, (uint64_t)c->keep_when_carved << 8 | (uint64_t)c->type << 1 | c->collide);
    hash_vec2(h, pv__vec(c->length, c->turned));
    hash_vec2(h, pv__vec(c->stiffness, c->damping));
    hash_vec2(h, pv__vec(c->low, c->high));
    hash_vec2(h, pv__vec(c->speed, c->max_force));
    hash_vec2(h, c->axis);
    hash_vec2(h, pv__vec(c->angle.c, c->angle.s));
    hash_vec2(h, pv__vec(c->break_force, c->grace));
    hash_vec2(h, c->push);
    hash_vec2(h, c->along);
    hash_double(h, c->twist);
}

static void hash_liquid(uint64_t *h, const pv__liquid *l) {
    pv__hash_word(h, l->slot.generation);
    if (!pv__slot_lives(&l->slot)) return;
    hash_vec2(h, pv__vec(l->def.interaction_radius, l->def.rest_density));
    hash_vec2(h, pv__vec(l->def.stiffness, l->def.near_stiffness));
    hash_double(h, l->def.viscosity);
}

static void hash_force(uint64_t *h, const pv__force *f) {
    pv__hash_word(h, f->slot.generation);
    if (!pv__slot_lives(&f->slot)) return;
    const pv_force_field_def *d = &f->def;
    pv__hash_word(h, d->type);
    hash_vec2(h, d->area.min);
    hash_vec2(h, d->area.max);
    hash_vec2(h, d->velocity);
    hash_vec2(h, d->point);
    const double numbers[] = {d->gust,   d->gust_length, d->drag_coefficient, d->strength,
                              d->radius, d->density,     d->linear_damping,   f->gone};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) hash_double(h, numbers[i]);
}

/// Hashes a polygon. Its corners and beams are hashed as particles and joints.
static void hash_polygon(uint64_t *h, const pv__polygon *p) {
    pv__hash_word(h, p->slot.generation);
    if (!pv__slot_lives(&p->slot)) return;
    pv__hash_word(h, (uint64_t)p->hull << 32 | (uint64_t)p->corner_count);
    for (int i = 0; i < p->corner_count; i++) {
        pv__hash_word(h, (uint64_t)p->corners[i]);
        hash_vec2(h, p->rest[i]);
    }
    hash_vec2(h, pv__vec(p->material.static_friction, p->material.kinetic_friction));
    hash_double(h, p->material.restitution);
    for (int i = 0; i < 3; i++) hash_vec2(h, p->marks[i]);
    hash_double(h, p->still);
    if (p->asleep) pv__hash_word(h, (uint64_t)p->island << 32 | (uint32_t)p->bodies);
    hash_filter(h, p->filter);
}

static void hash_name(uint64_t *h, uint32_t index, uint32_t generation) {
    pv__hash_word(h, (uint64_t)index << 32 | generation);
}

/// Hashes a solid composite.
static void hash_thing(uint64_t *h, const pv__composite *t) {
    if (!pv__slot_lives(&t->slot) || !t->solid) return;
    hash_name(h, (uint32_t)t->particle_count, (uint32_t)t->triangle_count);
    for (int i = 0; i < t->particle_count; i++)
        hash_name(h, t->particles[i].index, t->particles[i].generation);
    for (int i = 0; i < t->constraint_count; i++)
        hash_name(h, t->constraints[i].index, t->constraints[i].generation);
    for (int i = 0; i < t->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const pv_triangle *one = &t->triangles[i];
            hash_name(h, one->corners[k].index, one->corners[k].generation);
            hash_name(h, one->joints[k].index, one->joints[k].generation);
        }
}

static void hash_matter(uint64_t *h, const pv__matter *m) {
    hash_particles(h, &m->particles);
    for (int i = 0; i < m->constraint_pool.count; i++) hash_constraint(h, &m->constraints[i]);
    for (int i = 0; i < m->polygon_pool.count; i++) hash_polygon(h, &m->polygons[i]);
    for (int i = 0; i < m->liquid_pool.count; i++) hash_liquid(h, &m->liquids[i]);
    for (int i = 0; i < m->force_pool.count; i++) hash_force(h, &m->forces[i]);
    for (int i = 0; i < m->composite_pool.count; i++) hash_thing(h, &m->composites[i]);
    for (int i = 0; i < m->crossing_count; i++) {
        const pv__crossing *c = &m->crossings[i];
        pv__hash_word(h, (uint64_t)c->polygon << 32 | (uint64_t)c->body);
        pv__hash_word(h, c->passage);
    }
    for (int i = 0; i < m->inside_count; i++)
        pv__hash_word(h, (uint64_t)m->insides[i].particle << 32 | (uint64_t)m->insides[i].body);
}

/* ---- grains ---- */

static void hash_grains_def(uint64_t *h, const pv_grains_def *d) {
    const double numbers[] = {d->restitution, d->friction, d->linear_damping, d->gravity_scale,
                              d->life};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) hash_double(h, numbers[i]);
    pv__hash_word(h, (uint64_t)d->capacity);
    hash_name(h, d->filter.category_bits, d->filter.mask_bits);
    hash_name(h, (uint32_t)d->filter.group_index, (uint32_t)d->piles << 1 | d->follow);
}

/// Hashes a column in four sums side by side. Slots after the last one in use are empty.
static void hash_column(uint64_t *h, const uint32_t *column, int count) {
    uint64_t sums[4] = {*h, *h + 1, *h + 2, *h + 3};
    for (int i = 0; i < count; i += 8)
        for (int k = 0; k < 4; k++)
            pv__hash_word(&sums[k], column[i + 2 * k] | (uint64_t)column[i + 2 * k + 1] << 32);
    for (int k = 0; k < 4; k++) pv__hash_word(h, sums[k]);
}

static void hash_columns(uint64_t *h, const pv__grains *g) {
    hash_column(h, (const uint32_t *)g->x, g->used);
    hash_column(h, (const uint32_t *)g->y, g->used);
    hash_column(h, (const uint32_t *)g->dx, g->used);
    hash_column(h, (const uint32_t *)g->dy, g->used);
    hash_column(h, g->born, g->used);
    for (int i = 0; i < (g->used + 63) / 64; i++) {
        pv__hash_word(h, g->moving[i]);
        pv__hash_word(h, g->claims[i]);
    }
}

/// Hashes what a population last saw of a body, if a later step uses it.
static void hash_sight(uint64_t *h, const pv_world *world, const pv__grains *g, int index) {
    unsigned sight = pv__grain_bodies_sight(world, g, index);
    const pv__grain_body *seen = &g->bodies[index];
    if (!sight) return;
    hash_name(h, (uint32_t)index, sight);
    if (!(sight & PV__SIGHT_MOVED)) return;
    hash_vec2(h, seen->center);
    hash_vec2(h, pv__vec(seen->turn.c, seen->turn.s));
}

static void hash_population(uint64_t *h, const pv_world *world, const pv__grains *g) {
    pv__hash_word(h, g->slot.generation);
    if (!pv__slot_lives(&g->slot)) return;
    hash_grains_def(h, &g->def);
    hash_double(h, g->dt);
    hash_name(h, (uint32_t)g->rest_x, (uint32_t)g->rest_y);
    pv__hash_word(h, (uint64_t)(int64_t)g->now.down);
    for (int i = 0; i < PV__GRAIN_LOOK; i++)
        hash_name(h, (uint32_t)g->now.drops[0][i + 1], (uint32_t)g->now.drops[1][i + 1]);
    hash_name(h, (uint32_t)g->used, (uint32_t)g->oldest);
    pv__hash_word(h, (uint64_t)g->span);
    hash_columns(h, g);
    for (int i = 0; i < g->sink_count; i++) {
        const pv_grain_sink *s = &g->sinks[i].sink;
        hash_name(h, s->sensor.index, s->sensor.generation);
        if (s->sensor.index != 0) continue;
        hash_vec2(h, s->box.min);
        hash_vec2(h, s->box.max);
    }
    for (int i = 0; i < world->bodies.count && i < g->body_capacity; i++)
        hash_sight(h, world, g, i);
}

uint64_t pv_world_compute_hash(const pv_world *world) {
    if (!world) return 0;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    pv__hash_word(&h, world->steps);
    hash_double(&h, world->dt);
    pv__hash_word(&h, (uint64_t)world->solver.rested << 1 | world->solver.ordered);
    hash_vec2(&h, world->def.gravity);
    for (int i = 0; i < world->bodies.count; i++) hash_body(&h, &world->bodies.items[i]);
    for (int i = 0; i < world->bitmaps.contact_count; i++) {
        const pv__contact *c = &world->bitmaps.contacts[i];
        pv__hash_word(&h, (uint64_t)c->a << 32 | (uint64_t)c->b);
        hash_vec2(&h, pv__vec(c->gap, c->push));
        hash_double(&h, c->roll_impulse);
        pv__hash_word(&h, (uint64_t)c->count << 1 | c->overlapped);
        hash_vec2(&h, c->normal);
        for (int k = 0; k < c->count; k++)
            hash_vec2(&h, pv__vec(c->points[k].impulse_n, c->points[k].impulse_t));
    }
    for (int i = 0; i < world->manifolds.count; i++) {
        const pv__manifold *m = &world->manifolds.items[i];
        if (m->a >= 0) hash_manifold(&h, m);
        if (m->a >= 0 && world->manifolds.presolved)
            pv__hash_word(&h, (uint64_t)m->touches << 1 | m->until_apart);
    }
    for (int i = 0; i < world->manifolds.passing_count; i++)
        hash_passing(&h, &world->manifolds.passing[i]);
    if (world->matter.particles.count > 0 || world->matter.constraint_pool.count > 0 ||
        world->matter.force_pool.count > 0)
        hash_matter(&h, &world->matter);
    for (int i = 0; i < world->grains.pool.count; i++)
        hash_population(&h, world, &world->grains.items[i]);
    return h;
}
