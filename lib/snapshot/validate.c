/* validate.c - validates a world that was read from a snapshot.
 *
 * Invariant: a valid world is one that calls could have made, as far as memory and time depend on
 * it. Numbers are in the ranges of their setters. Counts and lists of free slots are correct, and
 * every id names an existing object.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/wake.h"
#include "joint/constraint.h"
#include "snapshot/stream.h"
#include "world/body_set.h"

static bool validate_in_range(double x, double low, double high) { return x >= low && x <= high; }

/* ---- slots ---- */

/// Array of slots, each with a generation, odd while it is in use, and the next free slot.
typedef struct slots {
    const void *items;
    size_t size, generation, next;
    /// Range of valid slots
    int first, count;
} slots;

#define SLOTS(type, items, next, first, count)                                                     \
    (slots) { items, sizeof(type), offsetof(type, generation), offsetof(type, next), first, count }

static bool validate_lives(const slots *s, int i) {
    uint32_t generation;
    memcpy(&generation, (const char *)s->items + (size_t)i * s->size + s->generation,
           sizeof generation);
    return generation & 1;
}

static int next_of(const slots *s, int i) {
    int next;
    memcpy(&next, (const char *)s->items + (size_t)i * s->size + s->next, sizeof next);
    return next;
}

static int living(slots s) {
    int count = 0;
    for (int i = s.first; i < s.count; i++) count += validate_lives(&s, i);
    return count;
}

/// Tells whether a list of free slots ends and has free slots only.
static bool is_list(slots s, int at) {
    for (int i = 0; i <= s.count && at >= s.first; i++) {
        if (at >= s.count || validate_lives(&s, at)) return false;
        at = next_of(&s, at);
    }
    return at < s.first;
}

/* ---- bodies ---- */

/// Tells whether a mass or moment of inertia is in range and has an inverse.
static bool is_weight(double x, double most) { return x > 0 && x <= most && pv__finite(1 / x); }

/// Tells whether a displacement in a time is a speed in range.
static bool is_speed(pv_vec2 way, double time) {
    /* The quick test saves a square root. */
    bool slow = pv__abs(way.x) + pv__abs(way.y) <= 1e11 * time;
    return slow || pv__length(way) <= 1e12 * time;
}

static bool validate_is_body(const pv_world *world, int index) {
    const pv__body *b = &world->bodies.items[index];
    int island = b->island;
    double inertia = b->mass * b->half_stick * b->half_stick;
    double step = b->verlet_dt0 > 0 ? b->verlet_dt0 : world->dt;
    bool sleeps = island >= 0 && island < world->bodies.count &&
                  pv__body_is_alive(&world->bodies.items[island]);
    for (int i = 0; i < 2; i++)
        if (!pv__placeable(pv__mul(0.25, b->before[i]))) return false;
    if (!is_speed(pv__sub(b->now[0], b->before[0]), step) ||
        !is_speed(pv__sub(b->now[1], b->before[1]), step))
        return false;
    return (island < 0 || (sleeps && !b->awake)) && pv__placeable(b->pose.center) &&
           pv__placeable(b->still_pose.center) && pv__placeable(b->earlier_pose.center) &&
           pv__wake_rest_in_range(b) && validate_in_range(b->verlet_dt0, 0, 1) &&
           pv__is_mass(b->mass) && is_weight(b->inertia, 1e24) &&
           pv__abs(b->inertia - inertia) <= 1e-6 * inertia &&
           pv__body_material_in_range(&b->material) && pv__abs(b->gravity_scale) <= 1e3 &&
           pv__body_damping_in_range(b->linear_damping, b->angular_damping) &&
           pv__abs(b->tangent_speed) <= PV__MOST_TANGENT_SPEED &&
           validate_in_range(b->rolling_resistance, 0, PV__MOST_FRICTION) && b->stuck >= 0 &&
           pv__length(b->one_way) < 1.01 &&
           pv__body_velocity_in_range(b->drive.velocity, b->drive.spin);
}

static bool check_bodies(const pv_world *world) {
    slots s = SLOTS(pv__body, world->bodies.items, island, 0, world->bodies.count);
    bool good = is_list(s, world->bodies.free);
    for (int i = 0; good && i < world->bodies.count; i++)
        good = !pv__body_is_alive(&world->bodies.items[i]) || validate_is_body(world, i);
    return good;
}

static bool are_alive(const pv_world *world, int a, int b) {
    return pv__body_is_alive(&world->bodies.items[a]) && pv__body_is_alive(&world->bodies.items[b]);
}

/// Tells whether a contact point is in range, with an impulse that keeps speeds in range.
static bool is_press(const pv_world *world, const pv__manifold *m, const pv__contact_point *p) {
    double w =
        pv__max(world->bodies.items[m->a].inverse_mass, world->bodies.items[m->b].inverse_mass);
    return pv__placeable(p->anchor_a) && pv__placeable(p->anchor_b) &&
           pv__dot(p->normal, p->normal) < 1.02 && pv__finite(p->gap) &&
           pv__abs(p->impulse_n) * w <= 1e12 && pv__abs(p->impulse_t) * w <= 1e12;
}

bool pv__validate_manifold(const pv_world *world, const pv__manifold *m) {
    bool good = m->generation_a & m->generation_b & 1;
    for (int i = 0; good && i < m->count; i++) good = is_press(world, m, &m->points[i]);
    return good;
}

/// Tells whether the list of free manifolds ends and has free slots only.
static bool has_free_list(const pv_world *world) {
    int at = world->manifolds.free;
    for (int i = 0; i <= world->manifolds.count && at >= 0; i++) {
        if (at >= world->manifolds.count || world->manifolds.items[at].a >= 0) return false;
        at = world->manifolds.items[at].b;
    }
    return at < 0;
}

void pv__validate_mend_slots(pv_world *world) {
    bool good = has_free_list(world);
    if (!good) world->manifolds.free = -1;
    for (int i = world->manifolds.count - 1; !good && i >= 0; i--) {
        if (world->manifolds.items[i].a >= 0) continue;
        world->manifolds.items[i].b = world->manifolds.free;
        world->manifolds.free = i;
    }
    for (int i = 0; i < world->manifolds.active_count; i++)
        if (world->manifolds.items[world->manifolds.active[i]].a < 0)
            world->manifolds.active_count = 0;
}

static bool check_contacts(const pv_world *world) {
    bool good = true;
    for (int i = 0; good && i < world->bitmaps.contact_count; i++) {
        const pv__contact *c = &world->bitmaps.contacts[i];
        good = are_alive(world, c->a, c->b) && pv__dot(c->normal, c->normal) < 1.02;
    }
    return good;
}

/* ---- matter ---- */

/// Tells whether a particle has the inverse mass of its mass. A corner of a sleeping polygon has 0.
static bool is_inverse_mass(const pv_world *world, int i) {
    const pv__particle_data *g = &world->matter.particles.data[i];
    bool moves = g->mass > 0 && (g->polygon < 0 || !world->matter.polygons[g->polygon].asleep);
    return world->matter.particles.inverse_mass[i] == (moves ? 1 / g->mass : 0);
}

static bool validate_is_grain(const pv_world *world, int i) {
    const pv__particles *p = &world->matter.particles;
    const pv__particle_data *g = &p->data[i];
    return pv__placeable(p->now[i]) && pv__placeable(pv__mul(0.25, p->was[i])) &&
           is_speed(pv__sub(p->now[i], p->was[i]), world->dt) &&
           validate_in_range(p->keep[i], 0, 1) && (g->mass == 0 || pv__is_mass(g->mass)) &&
           is_inverse_mass(world, i) && validate_in_range(g->radius, 0, 256) &&
           pv__body_material_in_range(&g->material) && validate_in_range(g->drag, 0, PV__MOST_DRAG);
}

static bool validate_check_particles(const pv_world *world) {
    const pv__particles *p = &world->matter.particles;
    slots s = SLOTS(pv__particle_data, p->data, next_free, 1, p->count);
    bool good = is_list(s, p->free) && p->living == living(s);
    for (int i = 1; good && i < p->count; i++)
        good = !validate_lives(&s, i) || validate_is_grain(world, i);
    return good;
}

static bool lives_at(const pv_world *world, int particle) {
    const pv__particles *p = &world->matter.particles;
    return particle > 0 && particle < p->count && p->data[particle].generation & 1;
}

static bool is_grip(const pv_world *world, const pv__anchor *g) {
    double sum = 0;
    if (g->particle && (g->body >= 0 || g->corners[0] || !lives_at(world, g->particle)))
        return false;
    if (g->body >= 0 && (g->corners[0] || !pv__body_is_alive(&world->bodies.items[g->body])))
        return false;
    for (int i = 0; i < 3; i++) {
        if (g->corners[0] ? !lives_at(world, g->corners[i]) : g->corners[i] != 0) return false;
        if (g->corners[0] && !(pv__abs(g->weights[i]) <= 1e6)) return false;
        sum += g->corners[0] ? g->weights[i] : 0;
    }
    return pv__placeable(g->local) && (!g->corners[0] || validate_in_range(sum, 0.99, 1.01));
}

static bool is_constraint(const pv_world *world, const pv__constraint *c) {
    return is_grip(world, &c->a) && is_grip(world, &c->b) &&
           (c->type > PV_JOINT_STRUT || c->length >= 1e-6) &&
           pv__abs(c->length) <= PV_MAX_COORDINATE &&
           pv__constraint_stiffness_in_range(c->stiffness) &&
           validate_in_range(c->damping, 0, PV__MOST_STIFFNESS) && c->low <= c->high &&
           pv__abs(c->speed) <= PV__MOST_ANGULAR_VELOCITY && c->max_force >= 0 &&
           c->break_force >= 0 && pv__abs(c->turned) <= 1e12 && c->grace >= 0 &&
           pv__length(c->axis) < 1.01;
}

static bool check_constraints(const pv_world *world) {
    const pv__matter *m = &world->matter;
    const pv__constraint *all = m->constraints;
    bool good = pv__pool_is_good(&m->constraint_pool, all, sizeof *all);
    for (int i = 0; good && i < m->constraint_pool.count; i++)
        good = !pv__slot_lives(&all[i].slot) || is_constraint(world, &all[i]);
    return good;
}

static bool validate_is_polygon(const pv_world *world, int index) {
    const pv__polygon *q = &world->matter.polygons[index];
    for (int i = 0; i < q->corner_count; i++)
        if (!lives_at(world, q->corners[i]) || !pv__placeable(q->rest[i]) ||
            !validate_in_range(q->shares[i], 0, 1))
            return false;
    for (int i = 0; i < 3; i++)
        if (!pv__placeable(q->marks[i])) return false;
    return validate_in_range(q->still, 0, 1e300) && (!q->asleep || q->island >= 0) &&
           pv__body_material_in_range(&q->material) &&
           validate_in_range(q->middle, 0, PV_MAX_COORDINATE);
}

static bool check_polygons(const pv_world *world) {
    const pv__matter *m = &world->matter;
    const pv__polygon *all = m->polygons;
    bool good = pv__pool_is_good(&m->polygon_pool, all, sizeof *all);
    for (int i = 0; good && i < m->polygon_pool.count; i++)
        good = !pv__slot_lives(&all[i].slot) || validate_is_polygon(world, i);
    for (int i = 0; good && i < m->crossing_count; i++)
        good = pv__slot_lives(&all[m->crossings[i].polygon].slot) &&
               pv__body_is_alive(&world->bodies.items[m->crossings[i].body]);
    return good;
}

/// Moves a polygon's corners from one owner index to another; -1 means no polygon. Tells whether
/// all had the first index.
static bool pass_corners(pv_world *world, const pv__polygon *q, int from, int to) {
    bool all = true;
    for (int i = 0; i < q->corner_count; i++) {
        int *polygon = &world->matter.particles.data[q->corners[i]].polygon;
        all &= *polygon == from;
        *polygon = to;
    }
    return all;
}

/// Checks that each corner belongs to exactly one polygon. After every polygon releases its
/// corners, no particle may still have an owner.
static bool check_corners(pv_world *world) {
    const pv__matter *m = &world->matter;
    bool good = true;
    for (int i = 0; i < m->polygon_pool.count; i++)
        if (pv__slot_lives(&m->polygons[i].slot))
            good &= pass_corners(world, &m->polygons[i], i, -1);
    for (int i = 1; i < m->particles.count; i++)
        good &= !lives_at(world, i) || m->particles.data[i].polygon < 0;
    for (int i = 0; i < m->polygon_pool.count; i++)
        if (pv__slot_lives(&m->polygons[i].slot)) pass_corners(world, &m->polygons[i], -1, i);
    return good;
}

static bool is_liquid(const pv_liquid_def *d) {
    return validate_in_range(d->interaction_radius, 2, 64) &&
           validate_in_range(d->rest_density, 1e-300, 1e6) &&
           validate_in_range(d->stiffness, 0, PV__MOST_STIFFNESS) &&
           validate_in_range(d->near_stiffness, 0, PV__MOST_STIFFNESS) &&
           validate_in_range(d->viscosity, 0, 1e6);
}

static bool is_force(const pv__force *f) {
    const pv_force_field_def *d = &f->def;
    return pv__placeable(d->velocity) && pv__placeable(d->point) &&
           validate_in_range(d->gust, 0, 1) &&
           validate_in_range(d->gust_length, 1, PV__MOST_FIELD) &&
           validate_in_range(d->drag_coefficient, 0, PV__MOST_FIELD) &&
           pv__abs(d->strength) <= PV__MOST_FIELD &&
           validate_in_range(d->radius, 0, PV_MAX_COORDINATE) &&
           validate_in_range(d->density, 1e-300, PV__MOST_FIELD) &&
           validate_in_range(d->linear_damping, 0, PV__MOST_FIELD);
}

static bool check_others(const pv_world *world) {
    const pv__matter *m = &world->matter;
    bool good = pv__pool_is_good(&m->liquid_pool, m->liquids, sizeof *m->liquids) &&
                pv__pool_is_good(&m->force_pool, m->forces, sizeof *m->forces) &&
                pv__pool_is_good(&m->composite_pool, m->composites, sizeof *m->composites);
    for (int i = 0; good && i < m->liquid_pool.count; i++)
        good = !pv__slot_lives(&m->liquids[i].slot) || is_liquid(&m->liquids[i].def);
    for (int i = 0; good && i < m->force_pool.count; i++)
        good = !pv__slot_lives(&m->forces[i].slot) || is_force(&m->forces[i]);
    return good;
}

/* ---- reference counts ---- */

/// Adds to the counts of joints at their anchors and of particles in their liquids.
static void count_all(pv_world *world, int by) {
    pv__matter *m = &world->matter;
    for (int i = 0; i < m->constraint_pool.count; i++) {
        if (!pv__slot_lives(&m->constraints[i].slot)) continue;
        pv__constraint_count_anchor(world, &m->constraints[i].a, by);
        pv__constraint_count_anchor(world, &m->constraints[i].b, by);
    }
    for (int i = 1; i < m->particles.count; i++)
        if (lives_at(world, i) && m->particles.data[i].liquid >= 0)
            m->liquids[m->particles.data[i].liquid].count += by;
}

static bool count_nothing(const pv_world *world) {
    const pv__matter *m = &world->matter;
    bool nothing = true;
    for (int i = 0; i < world->bodies.count; i++)
        nothing &= world->bodies.items[i].joint_count == 0;
    for (int i = 1; i < m->particles.count; i++) nothing &= m->particles.data[i].joint_count == 0;
    for (int i = 0; i < m->liquid_pool.count; i++) nothing &= m->liquids[i].count == 0;
    return nothing;
}

/// Checks the counts. A correct count is 0 without the objects that it counts.
static bool check_counts(pv_world *world) {
    count_all(world, -1);
    bool good = count_nothing(world);
    count_all(world, 1);
    return good;
}

bool pv__validate_world(pv_world *world) {
    return check_bodies(world) && check_contacts(world) && validate_check_particles(world) &&
           check_constraints(world) && check_polygons(world) && check_corners(world) &&
           check_others(world) && check_counts(world) && pv__validate_grains(world);
}
