/* handle.c - conversion of handles to slots and back.
 *
 * Invariant: a handle is a slot + 1 and a generation, except that a particle's handle has the slot
 * itself, and a polygon's handle adds PV_POLYGON_BIT. The generation of a living object is odd.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/handle.h"
#include "core/report.h"

#include <string.h>

pv__body *pv__handle_body(const pv_world *world, pv_body_id name) {
    if (!world || name.index == 0 || name.index > (uint32_t)world->bodies.count) return NULL;
    pv__body *b = &world->bodies.items[name.index - 1];
    return pv__body_is_alive(b) && b->generation == name.generation ? b : NULL;
}

int pv__handle_particle(const pv_world *world, pv_particle_id name) {
    if (!world || name.index == 0 || name.index >= (uint32_t)world->matter.particles.count)
        return 0;
    uint32_t generation = world->matter.particles.data[name.index].generation;
    return (generation & 1) && generation == name.generation ? (int)name.index : 0;
}

pv_particle_id pv__handle_of_particle(const pv_world *world, int slot) {
    return (pv_particle_id){(uint32_t)slot, world->matter.particles.data[slot].generation};
}

int pv__handle_polygon(const pv_world *world, pv_body_id name) {
    if (!world || !PV_ID_IS_POLYGON(name)) return -1;
    const pv__matter *m = &world->matter;
    return pv__pool_find(&m->polygon_pool, m->polygons, sizeof *m->polygons,
                         name.index - PV_POLYGON_BIT, name.generation);
}

pv_body_id pv__handle_of_polygon(const pv_world *world, int index) {
    return (pv_body_id){PV_POLYGON_BIT + (uint32_t)index + 1,
                        world->matter.polygons[index].slot.generation};
}

pv_body_id pv__handle_of_polygon_with(const pv_world *world, int particle) {
    int index = world->matter.particles.data[particle].polygon;
    return index < 0 ? (pv_body_id){0, 0} : pv__handle_of_polygon(world, index);
}

pv__constraint *pv__handle_constraint(const pv_world *world, pv_joint_id name) {
    if (!world) return NULL;
    const pv__matter *m = &world->matter;
    int slot = pv__pool_find(&m->constraint_pool, m->constraints, sizeof *m->constraints,
                             name.index, name.generation);
    return slot >= 0 ? &m->constraints[slot] : NULL;
}

pv_joint_id pv__handle_of_constraint(const pv_world *world, int slot) {
    return (pv_joint_id){(uint32_t)slot + 1, world->matter.constraints[slot].slot.generation};
}

pv__composite *pv__handle_composite(const pv_world *world, pv_composite_id name) {
    if (!world) return NULL;
    const pv__matter *m = &world->matter;
    int slot = pv__pool_find(&m->composite_pool, m->composites, sizeof *m->composites, name.index,
                             name.generation);
    return slot >= 0 ? &m->composites[slot] : NULL;
}

bool pv__handle_begin_any(pv_error *e, const char *function, const pv_world *world,
                          pv_body_id body) {
    return pv__world_begin(e, function, world) &&
           pv__check_alive(e, "body", pv_body_is_valid(world, body), "body");
}

pv__body *pv__check_body(pv_error *e, const pv_world *world, const char *field, pv_body_id body) {
    pv__body *b = pv__handle_body(world, body);
    if (pv__handle_polygon(world, body) >= 0)
        pv__error_say(e, PV_ERROR_ARGUMENT, field, "%s is a polygon, must be a sprite", field);
    else
        pv__check_alive(e, field, b, "body");
    return b;
}

int pv__check_particle(pv_error *e, const pv_world *world, const char *field,
                       pv_particle_id particle) {
    int slot = pv__handle_particle(world, particle);
    return pv__check_alive(e, field, slot, "particle") ? slot : 0;
}

int pv__check_polygon(pv_error *e, const pv_world *world, const char *field, pv_body_id polygon) {
    int index = pv__handle_polygon(world, polygon);
    return pv__check_alive(e, field, index >= 0, "polygon") ? index : -1;
}

pv__constraint *pv__check_joint(pv_error *e, const pv_world *world, const char *field,
                                pv_joint_id joint) {
    pv__constraint *c = pv__handle_constraint(world, joint);
    return pv__check_alive(e, field, c, "joint") ? c : NULL;
}

pv__composite *pv__check_composite(pv_error *e, const pv_world *world, const char *field,
                                   pv_composite_id composite) {
    pv__composite *t = pv__handle_composite(world, composite);
    return pv__check_alive(e, field, t, "composite") ? t : NULL;
}

bool pv_body_is_valid(const pv_world *world, pv_body_id body) {
    return pv__handle_body(world, body) || pv__handle_polygon(world, body) >= 0;
}

bool pv_particle_is_valid(const pv_world *world, pv_particle_id particle) {
    return pv__handle_particle(world, particle) != 0;
}

int pv__compare_handles(const void *p, const void *q) {
    pv_body_id a[2], b[2];
    memcpy(a, p, sizeof a);
    memcpy(b, q, sizeof b);
    for (int i = 0; i < 2; i++)
        if (a[i].index != b[i].index) return a[i].index < b[i].index ? -1 : 1;
    for (int i = 0; i < 2; i++)
        if (a[i].generation != b[i].generation) return a[i].generation < b[i].generation ? -1 : 1;
    return 0;
}
