/* particle.c - creates, destroys, reads and writes particles, and integrates them with position
 * Verlet.
 *
 * Invariant: a function changes a particle as told, or it changes nothing and returns the reason.
 * No function accepts a number that is not finite. A free slot is like a pinned particle, so that
 * loops over all columns need no test.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "matter/particle.h"
#include "base/error.h"
#include "collide/query_index.h"
#include "collide/wake_near.h"
#include "core/filter.h"
#include "core/handle.h"
#include "core/impulse.h"
#include "core/report.h"
#include "core/wake.h"
#include "joint/constraint.h"
#include "joint/stick.h"
#include "matter/liquid.h"
#include "matter/particle_stride.h"

#include <string.h>

/* ---- ids ---- */

pv_particle_id pv_world_get_next_particle(const pv_world *world, pv_particle_id particle) {
    if (world && (particle.index == 0 || pv__handle_particle(world, particle)))
        for (int i = (int)particle.index + 1; i < world->matter.particles.count; i++)
            if (world->matter.particles.data[i].generation & 1)
                return pv__handle_of_particle(world, i);
    return (pv_particle_id){0, 0};
}

pv_particle_id pv_world_pick_particle(const pv_world *world, pv_vec2 point, double reach) {
    int found = 0;
    if (!world || !pv__finite2(point) || !(reach >= 0)) return (pv_particle_id){0, 0};
    const pv__particles *p = &world->matter.particles;
    double nearest = reach * reach;
    for (int i = 1; i < p->count; i++) {
        pv_vec2 d = pv__sub(p->now[i], point);
        if (!(p->data[i].generation & 1) || !(pv__dot(d, d) <= nearest)) continue;
        nearest = pv__dot(d, d);
        found = i;
    }
    return found ? pv__handle_of_particle(world, found) : (pv_particle_id){0, 0};
}

/* ---- creation and destruction ---- */

pv_particle_def pv_particle_def_default(void) {
    return (pv_particle_def){.mass = 1,
                             .radius = 1,
                             .static_friction = -1,
                             .collides = true,
                             .friction = 0.5,
                             .filter = {1, 0xffffffff, 0},
                             .cookie = PV__COOKIE};
}

static const pv__field_row fields[] = {
    PV__VECTOR(pv_particle_def, position, PV_MAX_COORDINATE),
    PV__VECTOR(pv_particle_def, velocity, PV_MAX_COORDINATE),
    PV__DOUBLE(pv_particle_def, radius, PV__RANGE_PARTICLE_RADIUS),
    PV__DOUBLE(pv_particle_def, linear_damping, PV__RANGE_DRAG),
    PV__MATERIAL(pv_particle_def),
    PV__INT(pv_particle_def, bounce, 0, PV_BOUNCE_NONE),
};

static bool check_def(pv_error *e, const pv_particle_def *def) {
    return PV__CHECK_DEF(e, def, pv_particle_def_default, fields) &&
           pv__check_zero_or(e, "def.mass", def->mass, PV__RANGE_MASS) &&
           pv__impulse_check_friction(e, "def.friction", def->static_friction, def->friction);
}

static void list_columns(pv__particles *p, pv__array columns[PV__PARTICLE_COLUMNS]) {
    const pv__array all[PV__PARTICLE_COLUMNS] = {
        {&p->now, sizeof *p->now},     {&p->was, sizeof *p->was},
        {&p->force, sizeof *p->force}, {&p->inverse_mass, sizeof *p->inverse_mass},
        {&p->keep, sizeof *p->keep},   {&p->bound, sizeof *p->bound},
        {&p->data, sizeof *p->data},   {&p->filter, sizeof *p->filter},
    };
    memcpy(columns, all, sizeof all);
}

/// Reserves a number of slots. Without memory it returns false and changes nothing.
static bool reserve(pv_world *world, int64_t slots) {
    pv__particles *p = &world->matter.particles;
    if (slots <= p->capacity) return true;
    pv__array columns[PV__PARTICLE_COLUMNS];
    list_columns(p, columns);
    int length = pv__table_length(p->capacity, slots);
    if (!pv__arrays_reserve(&world->def.allocator, columns, p->lengths, PV__PARTICLE_COLUMNS,
                            length))
        return false;
    memset(p->bound + p->capacity, PV__STAYS, (size_t)(length - p->capacity));
    p->capacity = length;
    return true;
}

bool pv__particle_reserve(pv_world *world, int more) {
    return reserve(world, (int64_t)world->matter.particles.count + more + 1);
}

/// Makes a slot like a pinned particle at the origin.
static void clear(pv__particles *p, int i, uint32_t generation, int next_free) {
    p->data[i] = (pv__particle_data){
        .generation = generation, .next_free = next_free, .polygon = -1, .liquid = -1};
    p->now[i] = p->was[i] = p->force[i] = pv__vec(0, 0);
    p->keep[i] = 1;
    p->inverse_mass[i] = 0;
    p->filter[i] = (pv_filter){1, 0xffffffff, 0};
    p->bound[i] = PV__STAYS;
}

bool pv__particle_add_slots(pv_world *world, int count) {
    pv__particles *p = &world->matter.particles;
    if (!reserve(world, count)) return false;
    for (; p->count < count; p->count++) clear(p, p->count, 0, 0);
    return true;
}

void pv__particle_free_all(pv_world *world) {
    pv__array columns[PV__PARTICLE_COLUMNS];
    list_columns(&world->matter.particles, columns);
    pv__arrays_free(&world->def.allocator, columns, world->matter.particles.lengths,
                    PV__PARTICLE_COLUMNS);
}

/// Returns a free or new slot, or 0 without memory.
static int take_slot(pv_world *world) {
    pv__particles *p = &world->matter.particles;
    if (p->free) {
        int slot = p->free;
        p->free = p->data[slot].next_free;
        return slot;
    }
    int slot = pv__later(p->count, 1); /* slot 0 is no particle */
    return pv__particle_add_slots(world, slot + 1) ? slot : 0;
}

static void put(pv__particles *p, int i, double h, pv_vec2 position, pv_vec2 velocity) {
    p->now[i] = position;
    p->was[i] = pv__mad(position, -h, velocity);
}

static void fill(pv_world *world, int i, const pv_particle_def *def) {
    pv__particles *p = &world->matter.particles;
    p->data[i] = (pv__particle_data){
        .mass = def->mass,
        .radius = def->radius,
        .material = {def->restitution,
                     pv__impulse_static_friction(def->static_friction, def->friction),
                     def->friction},
        .drag = def->linear_damping,
        .user_data = def->user_data,
        .generation = p->data[i].generation + 1,
        .polygon = -1,
        .liquid = -1,
        .bounce = def->bounce,
        .passes = !def->collides,
    };
    p->filter[i] = def->filter;
    world->bodies.filtered |= pv__filter_is_set(def->filter);
    p->bound[i] = def->mass > 0 ? 0 : PV__STAYS;
    p->inverse_mass[i] = def->mass > 0 ? 1 / def->mass : 0;
    p->keep[i] = pv__kept(def->linear_damping, world->dt);
    p->force[i] = pv__vec(0, 0);
    put(p, i, world->dt, def->position, def->mass > 0 ? def->velocity : pv__vec(0, 0));
    p->living++;
}

pv_particle_id pv_particle_create(pv_world *world, const pv_particle_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    int slot = 0;
    if (pv__check_world(e, world) && check_def(e, def) && !(slot = take_slot(world)))
        pv__error_set(e, PV_ERROR_MEMORY);
    if (!slot) {
        pv__refuse(world, e);
        return pv_null_particle;
    }
    fill(world, slot, def);
    return pv__handle_of_particle(world, slot);
}

void pv__particle_drop(pv_world *world, int i) {
    pv__particles *p = &world->matter.particles;
    if (p->data[i].liquid >= 0) pv__liquid_leave(world, i);
    if (p->data[i].joint_count > 0) pv__constraint_drop_all_of(world, i, -1);
    clear(p, i, p->data[i].generation + 1, p->free);
    p->free = i;
    p->living--;
    world->matter.bare = true;
}

/* ---- reads ---- */

/// Defines a function that reads particle i of the columns p.
#define READ(type, name, of_particle, of_none)                                                     \
    type pv_particle_get_##name(const pv_world *world, pv_particle_id particle) {                  \
        int i = pv__handle_particle(world, particle);                                              \
        const pv__particles *p = i ? &world->matter.particles : NULL;                              \
        return i ? of_particle : of_none;                                                          \
    }

READ(pv_vec2, position, p->now[i], pv__vec(0, 0))
READ(pv_vec2, velocity, pv__mul(1 / world->dt, pv__sub(p->now[i], p->was[i])), pv__vec(0, 0))
READ(double, mass, p->data[i].mass, 0)
READ(double, radius, p->data[i].radius, 0)
READ(void *, user_data, p->data[i].user_data, NULL)

/* ---- writes ---- */

/// Begins a function that changes particle i.
#define BEGIN(...)                                                                                 \
    PV__BEGIN_WITH(int, i, pv__check_particle(&e, world, "particle", particle), __VA_ARGS__)

/// Checks that a particle can move.
static bool check_moves(pv_error *e, const pv_world *world, int i) {
    return world->matter.particles.data[i].mass > 0 ||
           pv__error_say(e, PV_ERROR_ARGUMENT, "particle", "particle is pinned by a mass of 0") ==
               PV_OK;
}

pv_status pv_particle_set_position(pv_world *world, pv_particle_id particle, pv_vec2 position) {
    BEGIN(pv__check_place(&e, "position", position));
    pv__wake_corner(world, i);
    put(&world->matter.particles, i, world->dt, position,
        pv_particle_get_velocity(world, particle));
    int polygon = world->matter.particles.data[i].polygon;
    if (polygon >= 0) pv__index_update(world, pv__index_of_polygon(polygon));
    if (world->matter.particles.data[i].joint_count > 0) pv__constraint_ease_all_of(world, i, -1);
    return PV_OK;
}

pv_status pv_particle_set_velocity(pv_world *world, pv_particle_id particle, pv_vec2 velocity) {
    BEGIN(check_moves(&e, world, i) && pv__check_place(&e, "velocity", velocity));
    pv__wake_corner(world, i);
    put(&world->matter.particles, i, world->dt, world->matter.particles.now[i], velocity);
    return PV_OK;
}

pv_status pv_particle_set_mass(pv_world *world, pv_particle_id particle, double mass) {
    BEGIN(pv__check_zero_or(&e, "mass", mass, PV__RANGE_MASS));
    pv__wake_corner(world, i);
    pv__particles *p = &world->matter.particles;
    p->data[i].mass = mass;
    p->inverse_mass[i] = mass > 0 ? 1 / mass : 0;
    p->bound[i] = (unsigned char)((p->bound[i] & ~PV__STAYS) | (mass == 0 ? PV__STAYS : 0));
    if (mass == 0) put(p, i, world->dt, p->now[i], pv__vec(0, 0));
    if (p->data[i].joint_count > 0) pv__constraint_wake_all_of(world, i, -1);
    world->matter.loose = true; /* rows of sticks contain masses */
    return PV_OK;
}

pv_status pv_particle_apply_force(pv_world *world, pv_particle_id particle, pv_vec2 force) {
    BEGIN(check_moves(&e, world, i) && pv__check_vector(&e, "force", force, DBL_MAX));
    pv__wake_corner(world, i);
    pv__particles *p = &world->matter.particles;
    p->force[i] = pv__held2(pv__add(p->force[i], force));
    p->forced = true;
    return PV_OK;
}

pv_status pv_particle_apply_impulse(pv_world *world, pv_particle_id particle, pv_vec2 impulse) {
    BEGIN(check_moves(&e, world, i) && pv__check_vector(&e, "impulse", impulse, DBL_MAX));
    pv__particles *p = &world->matter.particles;
    pv_vec2 velocity =
        pv__mad(pv_particle_get_velocity(world, particle), 1 / p->data[i].mass, impulse);
    if (!pv__placeable(velocity)) {
        pv__error_say(&e, PV_ERROR_ARGUMENT, "impulse",
                      "impulse makes the particle faster than %.9g px/s along an axis",
                      PV_MAX_COORDINATE);
        return pv__refuse(world, &e);
    }
    pv__wake_corner(world, i);
    put(p, i, world->dt, p->now[i], velocity);
    return PV_OK;
}

pv_status pv_particle_set_user_data(pv_world *world, pv_particle_id particle, void *user_data) {
    BEGIN(true);
    world->matter.particles.data[i].user_data = user_data;
    return PV_OK;
}

void pv__particle_retime_all(pv_world *world, double h) {
    pv__particles *p = &world->matter.particles;
    double k = h / world->dt;
    for (int i = 1; i < p->count; i++) {
        p->was[i] = pv__mad(p->now[i], -k, pv__sub(p->now[i], p->was[i]));
        p->keep[i] = pv__kept(p->data[i].drag, h);
    }
    world->matter.loose = true; /* rows of sticks contain the substep */
}

void pv__particle_retime_joints(pv_world *world, double h) {
    double k = h / world->dt;
    for (int i = 0; i < world->matter.constraint_pool.count; i++) {
        pv__constraint *c = &world->matter.constraints[i];
        c->push = pv__mul(k * k, c->push);
        c->twist *= k * k;
    }
}

/* ---- position Verlet of all particles ----
 *
 * Invariant: x' = x + (1 - d)(x - x*) + a h^2 with d = min(1, drag h) for a particle with mass. A
 * particle without mass stays. A particle out of range goes back to its last place, at rest, and
 * the step counts it.
 */

/// Stops particles out of range, NaN included, at their last valid places.
static void freeze_lost(pv_world *world, int first, int end) {
    pv__particles *p = &world->matter.particles;
    for (int i = first; i < end; i++) {
        if (pv__placeable(p->now[i]) && pv__placeable(p->was[i])) continue;
        pv_vec2 last = pv__placeable(p->was[i])   ? p->was[i]
                       : pv__placeable(p->now[i]) ? p->now[i]
                                                  : pv__vec(0, 0);
        p->now[i] = p->was[i] = last;
        world->events.frozen_count++;
    }
}

/// Returns the union of the bits of a group of PV__FLOCK particles.
static unsigned char bound_of(const pv__particles *p, int first) {
    unsigned char all = 0;
    for (int i = first; i < first + PV__FLOCK; i++) all |= p->bound[i];
    return all;
}

void pv__particle_settle_all(pv_world *world) {
    const pv__particles *p = &world->matter.particles;
    for (int first = 0; first < p->count; first += PV__FLOCK)
        if (bound_of(p, first) & (PV__MEETS | PV__STRIDES))
            freeze_lost(world, first, first + PV__FLOCK);
}

/// Returns the number of substeps that a group of particles with these bits takes at once, or 0 if
/// it has taken them before.
static int substeps_at_once(const pv_world *world, unsigned char bound, const pv__stride *stride,
                            int substep) {
    if (bound & PV__MEETS) return 1;
    if (bound & PV__STRIDES) return substep == stride->first ? stride->end - stride->first : 0;
    return substep == 0 ? world->substeps : 0;
}

void pv__particle_integrate_all(pv_world *world, double h, int substep) {
    pv__particles *p = &world->matter.particles;
    pv__stride stride = pv__stride_at(world, substep);
    pv__flight flight = {h, pv__mul(h * h, world->def.gravity), p->forced, 1};
    for (int first = 0; first < p->count;
         first += PV__FLOCK) { /* columns have room for whole groups */
        unsigned char bound = bound_of(p, first);
        flight.substeps = substeps_at_once(world, bound, &stride, substep);
        if (flight.substeps == 0) continue;
        if (!world->solver.stick_kernel->drift(p, first, &flight, !(bound & PV__STAYS)))
            freeze_lost(world, first, first + PV__FLOCK);
    }
}
