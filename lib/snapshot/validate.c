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
#include "matter/liquid.h"
#include "shape/convex.h"
#include "snapshot/stream.h"
#include "world/body_set.h"
#include "world/force.h"

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

/// Tells whether a pose is one: rotations multiply without being made of length 1 again.
static bool is_pose(const pv__pose *p) {
    double square = p->turn.c * p->turn.c + p->turn.s * p->turn.s;
    return pv__placeable(p->center) && pv__within(square, 1 - 1e-6, 1 + 1e-6);
}

/// Checks places and motion, from which the grids, the sweeps and the particles' chord compute.
static bool has_good_motion(const pv__body *b) {
    for (int i = 0; i < 2; i++)
        if (!pv__placeable(pv__mul(0.25, b->before[i]))) return false;
    return is_pose(&b->pose) && is_pose(&b->still_pose) && is_pose(&b->earlier_pose) &&
           pv__within(b->verlet_dt0, 0, 1) &&
           pv__body_velocity_in_range(b->drive.velocity, b->drive.spin);
}

/// Checks mass and inertia: impulses divide by both, and the particles lie half_stick apart.
static bool has_good_mass(const pv__body *b) {
    double inertia = b->mass * b->half_stick * b->half_stick;
    return pv__is_mass(b->mass) && is_weight(b->inertia, 1e24) &&
           pv__abs(b->inertia - inertia) <= 1e-6 * inertia;
}

/// Checks the numbers with setters. The solver multiplies them without a look.
static bool has_good_surface(const pv__body *b) {
    return pv__body_material_in_range(&b->material) &&
           pv__within(b->gravity_scale, PV__RANGE_GRAVITY_SCALE) &&
           pv__body_damping_in_range(b->linear_damping, b->angular_damping) &&
           pv__within(b->tangent_speed, PV__RANGE_TANGENT_SPEED) &&
           pv__within(b->rolling_resistance, PV__RANGE_FRICTION) && b->stuck >= 0 &&
           pv__length(b->one_way) < 1.01;
}

/// Checks the island, whose bodies all have its number, as waking follows them as a ring (wake.c),
/// and the times of rest (sleep.c).
static bool has_good_rest(const pv_world *world, const pv__body *b) {
    const pv__body *root =
        b->island >= 0 && b->island < world->bodies.count ? &world->bodies.items[b->island] : NULL;
    bool sleeps = root && pv__body_is_alive(root) && root->island == b->island && !b->awake;
    return (b->island < 0 || sleeps) && pv__wake_rest_in_range(b);
}

/// Checks that no step that a body remembers is to come; events follow from them.
static bool has_good_steps(const pv_world *world, const pv__body *b) {
    return b->crushed <= world->steps && b->crowded <= world->steps + 1 &&
           b->drive.step <= world->steps + 1;
}

static bool is_body(const pv_world *world, const pv__body *b) {
    return has_good_motion(b) && has_good_steps(world, b) && has_good_mass(b) &&
           has_good_surface(b) && has_good_rest(world, b);
}

static bool check_bodies(const pv_world *world) {
    slots s = SLOTS(pv__body, world->bodies.items, island, 0, world->bodies.count);
    bool good = is_list(s, world->bodies.free);
    for (int i = 0; good && i < world->bodies.count; i++)
        good =
            !pv__body_is_alive(&world->bodies.items[i]) || is_body(world, &world->bodies.items[i]);
    return good;
}

static bool are_alive(const pv_world *world, int a, int b) {
    return pv__body_is_alive(&world->bodies.items[a]) && pv__body_is_alive(&world->bodies.items[b]);
}

/// Tells whether a contact point is in range, with impulses that keep speeds numbers: the next step
/// begins with them.
static bool is_press(const pv_world *world, const pv__manifold *m, const pv__contact_point *p) {
    double w =
        pv__max(world->bodies.items[m->a].inverse_mass, world->bodies.items[m->b].inverse_mass);
    return pv__placeable(p->anchor_a) && pv__placeable(p->anchor_b) &&
           pv__dot(p->normal, p->normal) < 1.02 && pv__finite(p->gap) &&
           pv__within(p->impulse_n * w, PV__RANGE_KICK) &&
           pv__within(p->impulse_t * w, PV__RANGE_KICK);
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

/// Checks contacts of pixels: an event names their bodies, and a push follows their normal.
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

/// Checks a particle: integration squares its places, hashes its cell and divides by its mass, and
/// searches widen its box by the radius.
static bool is_grain(const pv_world *world, int i) {
    const pv__particles *p = &world->matter.particles;
    const pv__particle_data *g = &p->data[i];
    return pv__placeable(p->now[i]) && pv__placeable(pv__mul(0.25, p->was[i])) &&
           pv__within(p->keep[i], 0, 1) && (g->mass == 0 || pv__is_mass(g->mass)) &&
           is_inverse_mass(world, i) && pv__within(g->radius, PV__RANGE_PARTICLE_RADIUS) &&
           pv__body_material_in_range(&g->material) && pv__within(g->drag, PV__RANGE_DRAG);
}

static bool check_particles(const pv_world *world) {
    const pv__particles *p = &world->matter.particles;
    slots s = SLOTS(pv__particle_data, p->data, next_free, 1, p->count);
    bool good = is_list(s, p->free) && p->living == living(s);
    for (int i = 1; good && i < p->count; i++) good = !validate_lives(&s, i) || is_grain(world, i);
    return good;
}

static bool lives_at(const pv_world *world, int particle) {
    const pv__particles *p = &world->matter.particles;
    return particle > 0 && particle < p->count && p->data[particle].generation & 1;
}

/// Tells whether an anchor is one of particle, corners, body and world, on things that live.
static bool is_grip(const pv_world *world, const pv__anchor *g) {
    if (g->particle && (g->body >= 0 || g->corners[0] || !lives_at(world, g->particle)))
        return false;
    if (g->body >= 0 && (g->corners[0] || !pv__body_is_alive(&world->bodies.items[g->body])))
        return false;
    for (int i = 0; i < 3; i++)
        if (g->corners[0] ? !lives_at(world, g->corners[i]) : g->corners[i] != 0) return false;
    return pv__within(g->local.x, PV__RANGE_LOCAL) && pv__within(g->local.y, PV__RANGE_LOCAL) &&
           pv__constraint_weights_in_range(g);
}

/// Checks a joint: its ends as its maker does, and the numbers that joint.c and stick.c divide by,
/// and compare with each other.
static bool is_constraint(const pv_world *world, const pv__constraint *c) {
    const char *bad;
    bool offset = c->type > PV_JOINT_STRUT, rigid = c->stiffness == 0;
    return is_grip(world, &c->a) && is_grip(world, &c->b) &&
           !pv__constraint_wrong_ends(c->type, &c->a, &c->b, &bad) &&
           (offset ? pv__within(c->length, PV__RANGE_OFFSET)
                   : pv__within(c->length, PV__RANGE_LENGTH)) &&
           (rigid || pv__within(c->stiffness, PV__RANGE_JOINT_STIFFNESS)) &&
           pv__within(c->damping, PV__RANGE_STIFFNESS) && c->low <= c->high &&
           pv__within(c->speed, PV__RANGE_SPIN) && c->max_force >= 0 && c->break_force >= 0 &&
           pv__within(c->turned, PV__RANGE_TURNED) && c->grace >= 0 && pv__length(c->axis) < 1.01;
}

static bool check_constraints(const pv_world *world) {
    const pv__matter *m = &world->matter;
    const pv__constraint *all = m->constraints;
    bool good = pv__pool_is_good(&m->constraint_pool, all, sizeof *all);
    for (int i = 0; good && i < m->constraint_pool.count; i++)
        good = !pv__slot_lives(&all[i].slot) || is_constraint(world, &all[i]);
    return good;
}

/// Checks the pieces of a polygon: each is a count with as many corners behind it. Those are
/// different, so that a piece has at most PV__POLY_CORNERS, as pv__piece has room for.
static bool has_good_pieces(const pv__polygon *q) {
    int at = 0;
    for (int i = 0; i < q->piece_count; i++) {
        uint64_t seen = 0;
        int corners = at < q->piece_room ? q->pieces[at++] : 0;
        if (corners < 3 || corners > q->piece_room - at) return false;
        for (int end = at + corners; at < end; at++) {
            if (q->pieces[at] >= q->corner_count || (seen >> q->pieces[at] & 1)) return false;
            seen |= UINT64_C(1) << q->pieces[at];
        }
    }
    return at == q->piece_room;
}

/// Checks a polygon: corners index particles, shares and places make its center, and the marks are
/// what its rest is measured from.
static bool is_polygon(const pv_world *world, int index) {
    const pv__polygon *q = &world->matter.polygons[index];
    double shares = 0;
    for (int i = 0; i < q->corner_count; i++) {
        shares += q->shares[i];
        if (!lives_at(world, q->corners[i]) || !pv__placeable(q->rest[i]) ||
            !pv__within(q->shares[i], 0, 1))
            return false;
    }
    for (int i = 0; i < 3; i++)
        if (!pv__placeable(q->marks[i])) return false;
    return has_good_pieces(q) && pv__within(shares, 0.99, 1.01) && pv__within(q->still, 0, 1e300) &&
           (!q->asleep || q->island >= 0) && pv__body_material_in_range(&q->material) &&
           pv__within(q->middle, 0, PV_MAX_COORDINATE);
}

static bool check_polygons(const pv_world *world) {
    const pv__matter *m = &world->matter;
    const pv__polygon *all = m->polygons;
    bool good = pv__pool_is_good(&m->polygon_pool, all, sizeof *all);
    for (int i = 0; good && i < m->polygon_pool.count; i++)
        good = !pv__slot_lives(&all[i].slot) || is_polygon(world, i);
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

/// Checks liquids and force fields as their makers do.
static bool check_others(const pv_world *world) {
    pv_error e = {.function = __func__};
    const pv__matter *m = &world->matter;
    bool good = pv__pool_is_good(&m->liquid_pool, m->liquids, sizeof *m->liquids) &&
                pv__pool_is_good(&m->force_pool, m->forces, sizeof *m->forces) &&
                pv__pool_is_good(&m->composite_pool, m->composites, sizeof *m->composites);
    for (int i = 0; good && i < m->liquid_pool.count; i++)
        good = !pv__slot_lives(&m->liquids[i].slot) || pv__liquid_check_def(&e, &m->liquids[i].def);
    for (int i = 0; good && i < m->force_pool.count; i++)
        good = !pv__slot_lives(&m->forces[i].slot) || pv__force_check_def(&e, &m->forces[i].def);
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
    return check_bodies(world) && check_contacts(world) && check_particles(world) &&
           check_constraints(world) && check_polygons(world) && check_corners(world) &&
           check_others(world) && check_counts(world) && pv__validate_grains(world);
}
