/* composite.c - composites: lists of parts that are created, drawn, pushed and destroyed as one.
 *
 * Invariant: a composite knows its parts by id, so it notices a destroyed part. Nothing refers to
 * composites, except the surfaces of solid ones (surface.c). Triangles are clockwise at the time of
 * their addition.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/error.h"
#include "core/handle.h"
#include "core/report.h"
#include "matter/particle.h"
#include "polygon/polygon.h"
#include "world/world.h"

#include <float.h>

bool pv_composite_is_valid(const pv_world *world, pv_composite_id composite) {
    return pv__handle_composite(world, composite) != NULL;
}

static pv_composite_id name_of(const pv_world *world, int slot) {
    return (pv_composite_id){(uint32_t)slot + 1, world->matter.composites[slot].slot.generation};
}

pv_composite_id pv_world_get_next_composite(const pv_world *world, pv_composite_id composite) {
    if (!world || (composite.index != 0 && !pv__handle_composite(world, composite)))
        return pv_null_composite;
    const pv__matter *m = &world->matter;
    int next = pv__pool_next(&m->composite_pool, m->composites, sizeof *m->composites,
                             (int)composite.index);
    return next >= 0 ? name_of(world, next) : pv_null_composite;
}

/* ---- creation and destruction ---- */

pv_composite_id pv_composite_create(pv_world *world, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_world(e, world)) return pv__refuse(world, e), pv_null_composite;
    pv__matter *m = &world->matter;
    int slot = pv__pool_take(&world->def.allocator, &m->composite_pool, &m->composites,
                             sizeof *m->composites);
    if (slot < 0) return pv__refuse_memory(world, e), pv_null_composite;
    pv__pool_open(&m->composite_pool, &m->composites[slot].slot);
    return name_of(world, slot);
}

static void free_lists(pv_world *world, pv__composite *t) {
    const pv_allocator *allocator = &world->def.allocator;
    PV__FREE(allocator, t->particles, t->particle_capacity);
    PV__FREE(allocator, t->constraints, t->constraint_capacity);
    PV__FREE(allocator, t->bodies, t->body_capacity);
    PV__FREE(allocator, t->triangles, t->triangle_capacity);
}

void pv__composite_free_all(pv_world *world) {
    pv__matter *m = &world->matter;
    for (int i = 0; i < m->composite_pool.count; i++)
        if (pv__slot_lives(&m->composites[i].slot)) free_lists(world, &m->composites[i]);
    PV__FREE(&world->def.allocator, m->composites, m->composite_pool.capacity);
}

/// Begins a function that changes a composite t.
#define BEGIN(...)                                                                                 \
    PV__BEGIN_WITH(pv__composite *, t, pv__check_composite(&e, world, "composite", composite),     \
                   __VA_ARGS__)

pv_status pv_composite_destroy(pv_world *world, pv_composite_id composite) {
    BEGIN(true);
    for (int i = 0; i < t->constraint_count; i++)
        if (pv_joint_is_valid(world, t->constraints[i])) pv_joint_destroy(world, t->constraints[i]);
    for (int i = 0; i < t->particle_count; i++)
        if (pv_particle_is_valid(world, t->particles[i]))
            pv_particle_destroy(world, t->particles[i]);
    for (int i = 0; i < t->body_count; i++)
        if (pv_body_is_valid(world, t->bodies[i])) pv_body_destroy(world, t->bodies[i]);
    pv__matter *m = &world->matter;
    free_lists(world, t);
    m->solid_composites -= t->solid;
    m->bare = true;
    pv__pool_leave(&m->composite_pool, m->composites, (int)(t - m->composites), sizeof *t);
    return PV_OK;
}

/* ---- parts ---- */

/// Appends a part to a list, or fills the error.
#define ADD(list, one, part)                                                                       \
    (PV__APPEND(&world->def.allocator, t->list, t->one##_capacity, t->one##_count, part) ||        \
     pv__error_set(&e, PV_ERROR_MEMORY) == PV_OK)

pv_status pv_composite_add_particle(pv_world *world, pv_composite_id composite,
                                    pv_particle_id particle) {
    BEGIN(pv__check_particle(&e, world, "particle", particle) &&
          ADD(particles, particle, particle));
    world->matter.particles.bound[particle.index] |= PV__LISTED;
    world->matter.bare = true;
    return PV_OK;
}

pv_status pv_composite_add_joint(pv_world *world, pv_composite_id composite, pv_joint_id joint) {
    BEGIN(pv__check_joint(&e, world, "joint", joint) && ADD(constraints, constraint, joint));
    world->matter.bare = true;
    return PV_OK;
}

pv_status pv_composite_add_body(pv_world *world, pv_composite_id composite, pv_body_id body) {
    BEGIN(pv__check_body(&e, world, "body", body) && ADD(bodies, body, body));
    return PV_OK;
}

static bool is_named(pv_joint_id c) { return c.index || c.generation; }

static bool is_whole(const pv_world *world, const pv_triangle *t) {
    for (int i = 0; i < 3; i++) {
        if (!pv_particle_is_valid(world, t->corners[i])) return false;
        if (is_named(t->joints[i]) && !pv_joint_is_valid(world, t->joints[i])) return false;
    }
    return true;
}

/// Returns a triangle with its corners clockwise on the screen, so that a crumpled one has a known
/// outside.
static pv_triangle clockwise(const pv_world *world, const pv_triangle *t) {
    pv_vec2 at[3];
    for (int i = 0; i < 3; i++) at[i] = pv_particle_get_position(world, t->corners[i]);
    if (pv__cross(pv__sub(at[1], at[0]), pv__sub(at[2], at[0])) >= 0) return *t;
    return (pv_triangle){{t->corners[0], t->corners[2], t->corners[1]},
                         {t->uv[0], t->uv[2], t->uv[1]},
                         {t->joints[2], t->joints[1], t->joints[0]}};
}

static bool check_triangle(pv_error *e, const pv_world *world, const pv_triangle *t) {
    if (!pv__check_pointer(e, "triangle", t)) return false;
    for (int i = 0; i < 3; i++)
        if (!pv__check_particle(e, world, "triangle.corners", t->corners[i]) ||
            (is_named(t->joints[i]) &&
             !pv__check_joint(e, world, "triangle.joints", t->joints[i])) ||
            !pv__check_vector(e, "triangle.uv", t->uv[i], DBL_MAX))
            return false;
    return true;
}

pv_status pv_composite_add_triangle(pv_world *world, pv_composite_id composite,
                                    const pv_triangle *triangle) {
    BEGIN(check_triangle(&e, world, triangle) &&
          ADD(triangles, triangle, clockwise(world, triangle)));
    world->matter.bare = true;
    return PV_OK;
}

pv_status pv_composite_set_solid(pv_world *world, pv_composite_id composite, bool solid) {
    BEGIN(true);
    world->matter.solid_composites += solid - t->solid;
    world->matter.bare = true;
    t->solid = solid;
    return PV_OK;
}

/// Defines a function that copies the living parts of a list.
#define GET_PARTS(name, type, list, list_count, lives)                                             \
    int pv_composite_get_##name(const pv_world *world, pv_composite_id composite, type *parts,     \
                                int capacity) {                                                    \
        const pv__composite *t = pv__handle_composite(world, composite);                           \
        int count = 0;                                                                             \
        for (int i = 0; t && i < t->list_count; i++) {                                             \
            if (!lives) continue;                                                                  \
            if (parts && count < capacity) parts[count] = t->list[i];                              \
            count++;                                                                               \
        }                                                                                          \
        return count;                                                                              \
    }

GET_PARTS(particles, pv_particle_id, particles, particle_count,
          pv_particle_is_valid(world, t->particles[i]))
GET_PARTS(joints, pv_joint_id, constraints, constraint_count,
          pv_joint_is_valid(world, t->constraints[i]))
GET_PARTS(bodies, pv_body_id, bodies, body_count, pv_body_is_valid(world, t->bodies[i]))
GET_PARTS(triangles, pv_triangle, triangles, triangle_count, is_whole(world, &t->triangles[i]))

/// Returns a number as a GPU takes it. It is only output; no world depends on it.
static float single(double x) { return (float)pv__clamp(x, -FLT_MAX, FLT_MAX); }

int pv_composite_get_mesh(const pv_world *world, pv_composite_id composite, pv_vertex *vertices,
                          int capacity) {
    const pv__composite *t = pv__handle_composite(world, composite);
    int count = 0;
    for (int i = 0; t && i < t->triangle_count; i++) {
        const pv_triangle *one = &t->triangles[i];
        if (!is_whole(world, one)) continue;
        for (int k = 0; k < 3 && vertices && count + 3 <= capacity; k++) {
            pv_vec2 at = pv_particle_get_position(world, one->corners[k]);
            vertices[count + k] =
                (pv_vertex){single(at.x), single(at.y), single(one->uv[k].x), single(one->uv[k].y)};
        }
        count += 3;
    }
    return count;
}

/* ---- the whole composite ---- */

pv_vec2 pv_composite_get_position(const pv_world *world, pv_composite_id composite) {
    const pv__composite *t = pv__handle_composite(world, composite);
    pv_vec2 weighed = {0, 0}, plain = {0, 0};
    double mass = 0, count = 0;
    for (int i = 0; t && i < t->particle_count; i++) {
        if (!pv_particle_is_valid(world, t->particles[i])) continue;
        pv_vec2 at = pv_particle_get_position(world, t->particles[i]);
        double m = pv_particle_get_mass(world, t->particles[i]);
        weighed = pv__mad(weighed, m, at);
        plain = pv__add(plain, at);
        mass += m;
        count++;
    }
    if (mass > 0) return pv__mul(1 / mass, weighed);
    return count > 0 ? pv__mul(1 / count, plain) : plain;
}

double pv_composite_get_angle(const pv_world *world, pv_composite_id composite) {
    const pv__composite *t = pv__handle_composite(world, composite);
    pv_vec2 center = pv_composite_get_position(world, composite);
    for (int i = 0; t && i < t->particle_count; i++) {
        if (!pv_particle_is_valid(world, t->particles[i])) continue;
        pv_vec2 arm = pv__sub(pv_particle_get_position(world, t->particles[i]), center);
        return pv__atan2(arm.y, arm.x);
    }
    return 0;
}

pv_status pv_composite_apply_acceleration(pv_world *world, pv_composite_id composite,
                                          pv_vec2 acceleration) {
    BEGIN(pv__check_vector(&e, "acceleration", acceleration, PV_MAX_COORDINATE));
    for (int i = 0; i < t->particle_count; i++) {
        double mass = pv_particle_get_mass(world, t->particles[i]);
        if (mass > 0) pv_particle_apply_force(world, t->particles[i], pv__mul(mass, acceleration));
    }
    for (int i = 0; i < t->body_count; i++) {
        pv_body_id body = t->bodies[i];
        if (pv_body_get_type(world, body) != PV_BODY_DYNAMIC) continue;
        pv_body_apply_force(world, body, pv__mul(pv_body_get_mass(world, body), acceleration));
    }
    return PV_OK;
}

pv_status pv_particle_destroy(pv_world *world, pv_particle_id particle) {
    PV__BEGIN_WITH(int, i, pv__check_particle(&e, world, "particle", particle), true);
    int polygon = world->matter.particles.data[i].polygon;
    if (polygon >= 0) pv__polygon_drop(world, polygon);
    pv__particle_drop(world, i);
    return PV_OK;
}
