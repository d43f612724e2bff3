/* stream_matter.c - particles, joints and all objects made of them as bytes.
 *
 * Invariant: slots keep their indices, and lists of free slots their order. Objects created after a
 * restore therefore get the same ids. Batches and lists of a step are not stored, but rebuilt from
 * the rest.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/handle.h"
#include "matter/liquid.h"
#include "matter/particle.h"
#include "shape/convex.h"
#include "snapshot/stream.h"

enum { STREAM_MATTER_MOST = 1 << 27 };

static void tape_doubles(pv__stream *t, double *const *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) pv__stream_double(t, numbers[i]);
}

/* ---- particles ---- */

static void tape_grain(pv__stream *t, pv_world *world, int i) {
    pv__particles *p = &world->matter.particles;
    pv__particle_data *g = &p->data[i];
    pv__stream_u32(t, &g->generation);
    pv__stream_int(t, &g->next_free, 0, p->count - 1);
    if (!(g->generation & 1)) return;
    double *const numbers[] = {&g->mass,
                               &g->radius,
                               &g->material.restitution,
                               &g->material.static_friction,
                               &g->material.kinetic_friction,
                               &g->drag};
    tape_doubles(t, numbers, sizeof numbers / sizeof *numbers);
    pv__stream_pointer(t, &g->user_data);
    pv__stream_int(t, &g->joint_count, 0, STREAM_MATTER_MOST);
    pv__stream_int(t, &g->polygon, -1, STREAM_MATTER_MOST);
    pv__stream_int(t, &g->liquid, -1, STREAM_MATTER_MOST);
    pv__stream_enum(t, &g->bounce, PV_BOUNCE_NONE);
    bool *const flags[] = {&g->passes};
    pv__stream_flags(t, flags, 1);
    pv__stream_vec(t, &p->now[i]);
    pv__stream_vec(t, &p->was[i]);
    if (p->forced) pv__stream_vec(t, &p->force[i]);
    pv__stream_double(t, &p->keep[i]);
    pv__stream_double(t, &p->inverse_mass[i]);
    uint64_t bound = p->bound[i] & (PV__MEETS | PV__STAYS);
    pv__stream_u8(t, &bound);
    if (t->reads) p->bound[i] = (unsigned char)(bound & (PV__MEETS | PV__STAYS));
    pv__stream_filter(t, &p->filter[i]);
}

static bool tape_particles(pv__stream *t, pv_world *world) {
    pv__particles *p = &world->matter.particles;
    bool *const flags[] = {&p->forced};
    int count = p->count;
    pv__stream_int(t, &count, 0, STREAM_MATTER_MOST);
    pv__stream_int(t, &p->free, 0, count > 0 ? count - 1 : 0);
    pv__stream_int(t, &p->living, 0, count);
    pv__stream_flags(t, flags, 1);
    if (t->reads && (!pv__stream_holds(t, count > 0 ? count - 1 : 0, 8) ||
                     !pv__particle_add_slots(world, count)))
        return false;
    for (int i = 1; i < count && !t->broken; i++) tape_grain(t, world, i);
    return !t->broken;
}

/* ---- joints ---- */

static void tape_grip(pv__stream *t, const pv_world *world, pv__anchor *g) {
    int particles = world->matter.particles.count > 0 ? world->matter.particles.count - 1 : 0;
    pv__stream_int(t, &g->particle, 0, particles);
    pv__stream_int(t, &g->body, -1, world->bodies.count - 1);
    pv__stream_vec(t, &g->local);
    for (int i = 0; i < 3; i++) pv__stream_int(t, &g->corners[i], 0, particles);
    for (int i = 0; g->corners[0] && i < 3; i++) pv__stream_double(t, &g->weights[i]);
}

static void tape_constraint(pv__stream *t, const pv_world *world, pv__constraint *c) {
    if (!pv__stream_slot(t, &world->matter.constraint_pool, &c->slot)) return;
    double *const numbers[] = {&c->length, &c->stiffness, &c->damping,   &c->low,
                               &c->high,   &c->speed,     &c->max_force, &c->break_force,
                               &c->turned, &c->grace,     &c->force,     &c->twist};
    bool *const flags[] = {&c->collide, &c->keep_when_carved};
    pv__stream_enum(t, &c->type, PV_JOINT_MOUSE);
    tape_grip(t, world, &c->a);
    tape_grip(t, world, &c->b);
    tape_doubles(t, numbers, sizeof numbers / sizeof *numbers);
    pv__stream_vec(t, &c->axis);
    pv__stream_vec(t, &c->push);
    pv__stream_vec(t, &c->along);
    pv__stream_turn(t, &c->angle);
    pv__stream_flags(t, flags, 2);
    pv__stream_pointer(t, &c->user_data);
}

static bool tape_constraints(pv__stream *t, pv_world *world) {
    pv__matter *m = &world->matter;
    if (!pv__stream_pool(t, world, &m->constraint_pool, &m->constraints, sizeof *m->constraints))
        return false;
    pv__stream_int(t, &m->constraint_pool.living, 0, m->constraint_pool.count);
    for (int i = 0; i < m->constraint_pool.count && !t->broken; i++)
        tape_constraint(t, world, &m->constraints[i]);
    if (t->reads) m->loose = true;
    return !t->broken;
}

/* ---- polygons ---- */

static bool make_arrays(pv__stream *t, pv_world *world, pv__polygon *q) {
    const pv_allocator *allocator = &world->def.allocator;
    size_t n = (size_t)q->corner_count,
           least = n * 28 + (size_t)q->piece_room * 4 + (size_t)q->beam_count * 8;
    if (t->broken || least > t->left) {
        t->broken = true;
        q->corner_count = q->beam_count = q->piece_room = 0;
        return false;
    }
    q->corners = pv__alloc(allocator, n, sizeof *q->corners);
    q->rest = pv__alloc(allocator, n, sizeof *q->rest);
    q->shares = pv__alloc(allocator, n, sizeof *q->shares);
    q->pieces = pv__alloc(allocator, (size_t)q->piece_room, sizeof *q->pieces);
    q->beams = pv__alloc(allocator, (size_t)q->beam_count, sizeof *q->beams);
    return q->corners && q->rest && q->shares && (q->pieces || !q->piece_room) &&
           (q->beams || !q->beam_count);
}

/// Returns the used length of the list of pieces.
static int pieces_end(const pv__polygon *q) {
    int end = 0;
    for (int i = 0; i < q->piece_count; i++) end += q->pieces[end] + 1;
    return end;
}

static bool tape_polygon(pv__stream *t, pv_world *world, pv__polygon *q) {
    if (!pv__stream_slot(t, &world->matter.polygon_pool, &q->slot)) return true;
    int last = world->matter.particles.count - 1;
    bool *const flags[] = {&q->soft, &q->asleep};
    pv__stream_enum(t, &q->hull, PV_POLYGON_COLLIDER_CIRCLES);
    pv__stream_pointer(t, &q->user_data);
    /* Stages copy the corners of a polygon or piece into arrays of PV__POLY_CORNERS. */
    pv__stream_int(t, &q->corner_count, 3, PV__POLY_CORNERS);
    pv__stream_int(t, &q->beam_count, 0, 4 * PV__POLY_CORNERS);
    pv__stream_int(t, &q->piece_count, 1, PV__POLY_CORNERS);
    int room = t->reads ? 0 : pieces_end(q);
    pv__stream_int(t, &room, 0, PV__POLY_ROOM);
    if (t->reads) q->piece_room = room;
    pv__stream_double(t, &q->material.static_friction);
    pv__stream_double(t, &q->material.kinetic_friction);
    pv__stream_double(t, &q->material.restitution);
    pv__stream_double(t, &q->middle);
    pv__stream_flags(t, flags, 2);
    for (int i = 0; i < 3; i++) pv__stream_vec(t, &q->marks[i]);
    pv__stream_double(t, &q->still);
    pv__stream_int(t, &q->island, -1, world->matter.polygon_pool.count - 1);
    pv__stream_int(t, &q->bodies, -1, world->bodies.count - 1);
    pv__stream_filter(t, &q->filter);
    if (t->reads && !make_arrays(t, world, q)) return false;
    for (int i = 0; i < q->corner_count; i++) {
        pv__stream_int(t, &q->corners[i], 1, last < 1 ? 1 : last);
        pv__stream_vec(t, &q->rest[i]);
        pv__stream_double(t, &q->shares[i]);
    }
    for (int i = 0; i < room; i++) pv__stream_int(t, &q->pieces[i], 0, PV__POLY_CORNERS);
    for (int i = 0; i < q->beam_count; i++) PV__TAPE_NAME(t, &q->beams[i]);
    t->broken |= t->reads && last < 1;
    return !t->broken;
}

static bool tape_polygons(pv__stream *t, pv_world *world) {
    pv__matter *m = &world->matter;
    if (!pv__stream_pool(t, world, &m->polygon_pool, &m->polygons, sizeof *m->polygons))
        return false;
    int count = m->polygon_pool.count;
    pv__stream_int(t, &m->polygon_pool.living, 0, count);
    for (int i = 0; i < count; i++)
        if (!tape_polygon(t, world, &m->polygons[i])) return false;
    m->polygons_asleep = 0;
    for (int i = 0; i < count; i++)
        m->polygons_asleep += pv__slot_lives(&m->polygons[i].slot) && m->polygons[i].asleep;
    return true;
}

static bool tape_crossings(pv__stream *t, pv_world *world) {
    pv__matter *m = &world->matter;
    if (!pv__stream_count(t, &world->def.allocator, &m->crossings, &m->crossing_capacity,
                          &m->crossing_count, sizeof *m->crossings, 20))
        return false;
    for (int i = 0; i < m->crossing_count; i++) {
        pv__crossing *c = &m->crossings[i];
        pv__stream_int(t, &c->polygon, 0, m->polygon_pool.count - 1);
        pv__stream_int(t, &c->body, 0, world->bodies.count - 1);
        pv__stream_u32(t, &c->polygon_generation);
        pv__stream_u32(t, &c->body_generation);
        pv__stream_enum(t, &c->passage, PV__PASSING);
    }
    return !t->broken;
}

static bool tape_insides(pv__stream *t, pv_world *world) {
    pv__matter *m = &world->matter;
    if (!pv__stream_count(t, &world->def.allocator, &m->insides, &m->inside_capacity,
                          &m->inside_count, sizeof *m->insides, 16))
        return false;
    for (int i = 0; i < m->inside_count; i++) {
        pv__inside_pair *k = &m->insides[i];
        pv__stream_int(t, &k->particle, 1, m->particles.count - 1);
        pv__stream_int(t, &k->body, 0, world->bodies.count - 1);
        pv__stream_u32(t, &k->particle_generation);
        pv__stream_u32(t, &k->body_generation);
    }
    return !t->broken;
}

/* ---- liquids and force fields ---- */

static bool tape_liquids(pv__stream *t, pv_world *world) {
    pv__matter *m = &world->matter;
    if (!pv__stream_pool(t, world, &m->liquid_pool, &m->liquids, sizeof *m->liquids)) return false;
    pv__stream_int(t, &m->liquid_pool.living, 0, m->liquid_pool.count);
    for (int i = 0; i < m->liquid_pool.count; i++) {
        pv__liquid *l = &m->liquids[i];
        double *const numbers[] = {&l->def.interaction_radius, &l->def.rest_density,
                                   &l->def.stiffness, &l->def.near_stiffness, &l->def.viscosity};
        if (t->reads) l->def = pv_liquid_def_default();
        pv__stream_slot(t, &m->liquid_pool, &l->slot);
        pv__stream_int(t, &l->count, 0, STREAM_MATTER_MOST);
        tape_doubles(t, numbers, sizeof numbers / sizeof *numbers);
    }
    return !t->broken;
}

static bool tape_forces(pv__stream *t, pv_world *world) {
    pv__matter *m = &world->matter;
    if (!pv__stream_pool(t, world, &m->force_pool, &m->forces, sizeof *m->forces)) return false;
    pv__stream_int(t, &m->force_pool.living, 0, m->force_pool.count);
    for (int i = 0; i < m->force_pool.count; i++) {
        pv__force *f = &m->forces[i];
        pv_force_field_def *d = &f->def;
        double *const numbers[] = {&d->gust,   &d->gust_length, &d->drag_coefficient, &d->strength,
                                   &d->radius, &d->density,     &d->linear_damping,   &f->gone};
        if (t->reads) f->def = pv_force_field_def_default();
        pv__stream_slot(t, &m->force_pool, &f->slot);
        pv__stream_enum(t, &d->type, PV_FORCE_FIELD_BUOYANCY);
        pv__stream_vec(t, &d->area.min);
        pv__stream_vec(t, &d->area.max);
        pv__stream_vec(t, &d->velocity);
        pv__stream_vec(t, &d->point);
        tape_doubles(t, numbers, sizeof numbers / sizeof *numbers);
    }
    return !t->broken;
}

/* ---- composites ---- */

static bool tape_names(pv__stream *t, const pv_allocator *allocator, void *names, int *capacity,
                       int *count) {
    if (!pv__stream_count(t, allocator, names, capacity, count, sizeof(pv_body_id), 8))
        return false;
    pv_body_id *items;
    memcpy(&items, names, sizeof items);
    for (int i = 0; i < *count; i++) PV__TAPE_NAME(t, &items[i]);
    return !t->broken;
}

static bool tape_triangles(pv__stream *t, const pv_allocator *allocator, pv__composite *g) {
    if (!pv__stream_count(t, allocator, &g->triangles, &g->triangle_capacity, &g->triangle_count,
                          sizeof *g->triangles, 96))
        return false;
    for (int i = 0; i < g->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            PV__TAPE_NAME(t, &g->triangles[i].corners[k]);
            PV__TAPE_NAME(t, &g->triangles[i].joints[k]);
            pv__stream_vec(t, &g->triangles[i].uv[k]);
        }
    return !t->broken;
}

static bool tape_thing(pv__stream *t, const pv_world *world, pv__composite *g) {
    const pv_allocator *allocator = &world->def.allocator;
    if (!pv__stream_slot(t, &world->matter.composite_pool, &g->slot)) return true;
    bool *const flags[] = {&g->solid};
    pv__stream_flags(t, flags, 1);
    return tape_names(t, allocator, &g->particles, &g->particle_capacity, &g->particle_count) &&
           tape_names(t, allocator, &g->constraints, &g->constraint_capacity,
                      &g->constraint_count) &&
           tape_names(t, allocator, &g->bodies, &g->body_capacity, &g->body_count) &&
           tape_triangles(t, allocator, g);
}

/// Marks the particles of composites.
static void mark_listed(pv_world *world) {
    pv__matter *m = &world->matter;
    for (int i = 0; i < m->composite_pool.count; i++) {
        const pv__composite *g = &m->composites[i];
        for (int k = 0; pv__slot_lives(&g->slot) && k < g->particle_count; k++) {
            int particle = pv__handle_particle(world, g->particles[k]);
            if (particle) m->particles.bound[particle] |= PV__LISTED;
        }
    }
}

static bool tape_things(pv__stream *t, pv_world *world) {
    pv__matter *m = &world->matter;
    if (!pv__stream_pool(t, world, &m->composite_pool, &m->composites, sizeof *m->composites))
        return false;
    int count = m->composite_pool.count;
    for (int i = 0; i < count; i++)
        if (!tape_thing(t, world, &m->composites[i])) return false;
    m->composite_pool.living = m->solid_composites = 0;
    for (int i = 0; i < count; i++) {
        m->composite_pool.living += pv__slot_lives(&m->composites[i].slot);
        m->solid_composites += pv__slot_lives(&m->composites[i].slot) && m->composites[i].solid;
    }
    if (t->reads) mark_listed(world);
    return !t->broken;
}

/// Checks that the polygons and liquids of particles exist.
static bool check_particles(pv__stream *t, pv_world *world) {
    const pv__matter *m = &world->matter;
    if (!t->reads) return true;
    for (int i = 1; i < m->particles.count; i++) {
        const pv__particle_data *g = &m->particles.data[i];
        bool polygon = g->polygon < 0 || (g->polygon < m->polygon_pool.count &&
                                          pv__slot_lives(&m->polygons[g->polygon].slot));
        bool liquid = g->liquid < 0 || (g->liquid < m->liquid_pool.count &&
                                        pv__slot_lives(&m->liquids[g->liquid].slot));
        t->broken |= !polygon || !liquid;
    }
    return !t->broken && (m->liquid_pool.living == 0 || pv__liquid_open_all(world));
}

bool pv__stream_matter(pv__stream *t, pv_world *world) {
    return tape_particles(t, world) && tape_constraints(t, world) && tape_polygons(t, world) &&
           tape_crossings(t, world) && tape_insides(t, world) && tape_liquids(t, world) &&
           tape_forces(t, world) && tape_things(t, world) && check_particles(t, world);
}
