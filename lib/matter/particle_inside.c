/* particle_inside.c - particles inside a body that they are tied to do not collide with it.
 *
 * Invariant: a joint to a body, or a pinned particle inside a static one, ties all particles in the
 * body that joints connect to it. A pair lasts until the particle is out, even if the joint breaks.
 * Pairs are in order of particles, then of bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "matter/particle_inside.h"
#include "core/anchor.h"
#include "core/body_bitmap.h"
#include "core/filter.h"
#include "core/pose.h"
#include "joint/constraint.h"
#include "joint/stick.h"
#include "matter/particle_collide.h"
#include "shape/distance_field.h"

/// Least cosine between the normal and a joint that leads out of a body
static const double LEADS_OUT = 0.7;

/* ---- the list ---- */

/// Returns the index of the first pair that is not before the given one.
static int place_of(const pv__matter *m, int particle, int body) {
    pv__inside_pair wanted = {.particle = particle, .body = body};
    return pv__sorted_place(m->insides, m->inside_count, sizeof wanted, &wanted, pv__compare_pairs);
}

bool pv__inside_has(const pv__matter *m, int particle, int body) {
    pv__inside_pair wanted = {.particle = particle, .body = body};
    return pv__sorted_has(m->insides, m->inside_count, sizeof wanted, &wanted, pv__compare_pairs);
}

static bool has_shape(const pv_world *world, int body) {
    return pv__particle_shape_of(&world->bodies.items[body]) != NULL;
}

/// Adds a pair; returns false without memory, also for the body's shape.
static bool add(pv_world *world, int particle, int body) {
    pv__matter *m = &world->matter;
    if (!has_shape(world, body) ||
        !PV__RESERVE(&world->def.allocator, m->insides, m->inside_capacity, m->inside_count + 1))
        return false;
    int at = place_of(m, particle, body);
    for (int i = m->inside_count; i > at; i--) m->insides[i] = m->insides[i - 1];
    m->insides[at] = (pv__inside_pair){particle, body, m->particles.data[particle].generation,
                                       world->bodies.items[body].generation};
    m->inside_count++;
    m->inside_grew = true;
    m->particles.bound[particle] |= PV__INSIDE;
    return true;
}

void pv__inside_free(pv_world *world) {
    pv__matter *m = &world->matter;
    PV__FREE(&world->def.allocator, m->insides, m->inside_capacity);
}

/* ---- places ---- */

/// Place of a particle in the coordinates of a body's mask
typedef struct place {
    pv_vec2 at;
    /// Distance from the contour [px], and its gradient
    double off;
    pv_vec2 gradient;
} place;

/// Finds the place of a particle in a body that has its shape.
static place look(const pv_world *world, int particle, int body) {
    const pv__body *b = &world->bodies.items[body];
    const pv__shape *shape = pv__particle_shape_of(b);
    place k = {.at = pv__pose_into_picture(b, b->pose, world->matter.particles.now[particle])};
    k.off = pv__field_at(shape, k.at, &k.gradient);
    return k;
}

/* ---- ties ---- */

/// Tells whether joints hold a particle that is no corner of a polygon.
static bool is_held(const pv__particles *p, int i) {
    return p->data[i].joint_count > 0 && p->data[i].polygon < 0;
}

/// Tells whether a particle with joints reaches deep into a body. One that lies on top does not.
static bool is_deep(const pv_world *world, int i, int body, pv_box box) {
    const pv__particles *p = &world->matter.particles;
    double radius = p->data[i].radius;
    return pv_box_contains(pv__box_widened(box, radius), p->now[i]) && is_held(p, i) &&
           look(world, i, body).off < radius - PV__DEEP;
}

/// Adds the particles that reach deep into a body when something is tied to it.
static bool add_deep(pv_world *world, int body) {
    pv__matter *m = &world->matter;
    const pv__body *b = &world->bodies.items[body];
    pv_box box = pv__pose_box(b, b->pose);
    if (m->inside_searched == body) return true;
    m->inside_searched = body;
    for (int i = 1; i < m->particles.count; i++)
        if (is_deep(world, i, body, box) && !pv__inside_has(m, i, body) && !add(world, i, body))
            return false;
    return true;
}

bool pv__inside_pin(pv_world *world, int particle, int body) {
    const pv__matter *m = &world->matter;
    if (!(m->particles.bound[particle] & PV__STAYS) || !is_held(&m->particles, particle) ||
        world->bodies.items[body].type != PV_BODY_STATIC || pv__inside_has(m, particle, body) ||
        (has_shape(world, body) && look(world, particle, body).off >= 0))
        return true;
    return add(world, particle, body) && add_deep(world, body);
}

/// Ties the particle of a joint to the body of its other end.
static bool tie(pv_world *world, const pv__anchor *a, const pv__anchor *b) {
    const pv__matter *m = &world->matter;
    if (!a->particle || b->body < 0 || m->particles.data[a->particle].polygon >= 0 ||
        pv__inside_has(m, a->particle, b->body))
        return true;
    return add(world, a->particle, b->body) && add_deep(world, b->body);
}

static bool tie_all(pv_world *world) {
    pv__matter *m = &world->matter;
    m->inside_searched = -1;
    for (int i = 0; i < m->joint_count; i++) {
        const pv__constraint *c = &m->constraints[m->joints[i]];
        if (!c->collide && !(tie(world, &c->a, &c->b) && tie(world, &c->b, &c->a))) return false;
    }
    return true;
}

/// Tells whether both objects of a pair live, and the particle is not out yet.
static bool lasts(const pv_world *world, const pv__inside_pair *k) {
    const pv__particle_data *g = &world->matter.particles.data[k->particle];
    const pv__body *b = &world->bodies.items[k->body];
    if (!(g->generation & 1) || g->generation != k->particle_generation || !pv__body_is_alive(b) ||
        b->generation != k->body_generation)
        return false;
    return pv__filter_is_barred(world, pv__constraint_name_bar(world, k->particle), k->body) ||
           look(world, k->particle, k->body).off < g->radius + PV__PIXEL_ROOM;
}

/// Tells whether the bodies of all pairs have shapes. A carved one may lack memory for a new one.
static bool have_shapes(const pv_world *world) {
    const pv__matter *m = &world->matter;
    for (int i = 0; i < m->inside_count; i++)
        if (pv__body_is_alive(&world->bodies.items[m->insides[i].body]) &&
            !has_shape(world, m->insides[i].body))
            return false;
    return true;
}

static void drop(pv_world *world) {
    pv__matter *m = &world->matter;
    int kept = 0;
    for (int i = 0; i < m->inside_count; i++) {
        m->particles.bound[m->insides[i].particle] &= (unsigned char)~PV__INSIDE;
        if (lasts(world, &m->insides[i])) m->insides[kept++] = m->insides[i];
    }
    m->inside_count = kept;
    for (int i = 0; i < kept; i++) m->particles.bound[m->insides[i].particle] |= PV__INSIDE;
}

/* ---- spreading along joints ---- */

/// Tells whether a joint leads from a particle in a body to one no deeper in it, or just outside.
static bool leads(const pv_world *world, int from, int to, int body) {
    place k = look(world, from, body), l = look(world, to, body);
    if (k.off >= 0 || k.off > l.off) return false;
    if (l.off < 0) return true;
    pv_vec2 way = pv__sub(l.at, k.at);
    return l.off < world->matter.particles.data[to].radius + 0.5 * PV__PIXEL_ROOM &&
           pv__dot(way, l.gradient) > LEADS_OUT * pv__length(way) * pv__length(l.gradient);
}

/// Ties a particle to the bodies that a particle joined to it is tied to, if the joint leads there.
static bool follow(pv_world *world, int from, int to) {
    const pv__matter *m = &world->matter;
    int i = place_of(m, from, 0);
    for (; i < m->inside_count && m->insides[i].particle == from; i++) {
        int body = m->insides[i].body;
        if (pv__inside_has(m, to, body) || !leads(world, from, to, body)) continue;
        if (!add(world, to, body)) return false;
    }
    return true;
}

/// Follows a joint between two particles in both directions.
static bool follow_both(pv_world *world, int a, int b) {
    const pv__particles *p = &world->matter.particles;
    if (!((p->bound[a] | p->bound[b]) & PV__INSIDE) || !is_held(p, a) || !is_held(p, b))
        return true;
    return follow(world, a, b) && follow(world, b, a);
}

/// Follows all joints in one direction. Returns false without memory.
static bool sweep(pv_world *world, bool back) {
    const pv__matter *m = &world->matter;
    for (int i = 0; i < m->stick_count; i++) {
        const pv__sticks *row = &m->sticks[back ? m->stick_count - 1 - i : i];
        for (int k = 0; k < PV__LANES; k++)
            if (!follow_both(world, row->a[k], row->b[k])) return false;
    }
    for (int i = 0; i < m->joint_count; i++) {
        const pv__constraint *c = &m->constraints[m->joints[i]];
        if (!follow_both(world, c->a.particle, c->b.particle)) return false;
    }
    return true;
}

/// Follows all joints back and forth, until no pair is new. Returns false without memory.
static bool inside_spread(pv_world *world) {
    pv__matter *m = &world->matter;
    m->inside_grew = m->inside_count > 0;
    for (bool back = false; m->inside_grew; back = !back) {
        m->inside_grew = false;
        if (!sweep(world, back)) return false;
    }
    return true;
}

/* ---- a step ---- */

bool pv__inside_update(pv_world *world) {
    if (!have_shapes(world)) return false;
    drop(world);
    return tie_all(world) && inside_spread(world);
}

bool pv__inside_leave_out(pv_world *world) {
    pv__matter *m = &world->matter;
    if (!m->inside_grew) return true;
    bool spread = inside_spread(world);
    int kept = 0;
    for (int i = 0; i < m->nears.count; i++)
        if (!pv__inside_has(m, m->nears.items[i].particle, m->nears.items[i].body))
            m->nears.items[kept++] = m->nears.items[i];
    m->nears.count = kept;
    return spread;
}
