/* stream_matter.c - particles, joints and all objects made of them, as bytes, checked, and in the
 * hash.
 *
 * Invariant: slots keep their indices, and lists of free slots their order. Objects created after a
 * restore therefore get the same ids. Batches and lists of a step are not stored, but rebuilt from
 * the rest.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/handle.h"
#include "joint/constraint.h"
#include "matter/liquid.h"
#include "matter/particle.h"
#include "polygon/polygon.h"
#include "shape/convex.h"
#include "snapshot/fields.h"
#include "world/force.h"

/* ---- particles ---- */

static const pv__field_row particle_fields[] = {
    PV__DOUBLES(pv__particle_data, mass, PV__HASH(1, 0), 0, PV__MOST_MASS),
    PV__DOUBLES(pv__particle_data, radius, PV__HASH(2, 0), PV__RANGE_PARTICLE_RADIUS),
    PV__DOUBLES(pv__particle_data, material.restitution, PV__HASH(4, 0), PV__RANGE_RESTITUTION),
    PV__DOUBLES(pv__particle_data, material.static_friction, PV__HASH(5, 0), PV__RANGE_FRICTION),
    PV__DOUBLES(pv__particle_data, material.kinetic_friction, PV__HASH(6, 0), PV__RANGE_FRICTION),
    PV__DOUBLES(pv__particle_data, drag, PV__HASH(3, 0), PV__RANGE_DRAG),
    PV__POINTER(pv__particle_data, user_data),
    PV__INTS(pv__particle_data, joint_count, 0, 0, PV__STREAM_MOST),
    PV__INTS(pv__particle_data, polygon, 0, -1, PV__STREAM_MOST),
    PV__INTS(pv__particle_data, liquid, PV__HASH(8, 0), -1, PV__STREAM_MOST),
    PV__INTS(pv__particle_data, bounce, PV__HASH(7, 1), 0, PV_BOUNCE_NONE),
    PV__FLAG(pv__particle_data, passes, PV__HASH(7, 0)),
};

/// Transfers a particle; its columns apart from the data by hand, as each is an array of its own.
static void tape_particle(pv__stream *t, pv_world *world, int i) {
    pv__particles *p = &world->matter.particles;
    pv__particle_data *g = &p->data[i];
    pv__stream_u32(t, &g->generation);
    pv__stream_int(t, &g->next_free, 0, p->count - 1);
    if (!(g->generation & 1)) return;
    pv__fields_tape_often(t, world, g, PV__TABLE(particle_fields));
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
    int count = p->count;
    pv__stream_int(t, &count, 0, PV__STREAM_MOST);
    pv__stream_int(t, &p->free, 0, count > 0 ? count - 1 : 0);
    pv__stream_int(t, &p->living, 0, count);
    pv__stream_flag(t, &p->forced);
    if (t->reads && (!pv__stream_holds(t, count > 0 ? count - 1 : 0, 8) ||
                     !pv__particle_add_slots(world, count)))
        return false;
    for (int i = 1; i < count && !t->broken; i++) tape_particle(t, world, i);
    return !t->broken;
}

static bool lives_at(const pv_world *world, int particle) {
    const pv__particles *p = &world->matter.particles;
    return particle > 0 && particle < p->count && p->data[particle].generation & 1;
}

/// Tells whether the polygon and the liquid of a particle exist.
static bool has_owners(const pv__matter *m, const pv__particle_data *g) {
    return (g->polygon < 0 || (g->polygon < m->polygon_pool.count &&
                               pv__slot_lives(&m->polygons[g->polygon].slot))) &&
           (g->liquid < 0 ||
            (g->liquid < m->liquid_pool.count && pv__slot_lives(&m->liquids[g->liquid].slot)));
}

/// Tells whether a particle has the inverse mass of its mass. A corner of a sleeping polygon has 0.
static bool is_inverse_mass(const pv__matter *m, int i) {
    const pv__particle_data *g = &m->particles.data[i];
    bool moves = g->mass > 0 && (g->polygon < 0 || !m->polygons[g->polygon].asleep);
    return m->particles.inverse_mass[i] == (moves ? 1 / g->mass : 0);
}

/// Checks a particle: integration squares its places, hashes its cell and divides by its mass.
static bool is_particle(const pv__matter *m, int i) {
    const pv__particles *p = &m->particles;
    const pv__particle_data *g = &p->data[i];
    return has_owners(m, g) && pv__placeable(p->now[i]) &&
           pv__placeable(pv__mul(0.25, p->was[i])) && pv__within(p->keep[i], 0, 1) &&
           (g->mass == 0 || pv__is_mass(g->mass)) && is_inverse_mass(m, i);
}

/// Checks the particles, and that the list of free slots ends and has free slots only.
static bool check_particles(const pv_world *world) {
    const pv__particles *p = &world->matter.particles;
    int living = 0, at = p->free, free = 0;
    for (int i = 1; i < p->count; i++) {
        if (!lives_at(world, i)) continue;
        if (!is_particle(&world->matter, i)) return false;
        living++;
    }
    for (; at > 0 && free < p->count; free++, at = p->data[at].next_free)
        if (at >= p->count || lives_at(world, at)) return false;
    return at == 0 && living == p->living;
}

static void hash_particles(uint64_t *h, const pv__particles *p) {
    pv__hash_word(h, (uint64_t)p->count << 32 | (uint64_t)p->free);
    for (int i = 1; i < p->count; i++) {
        pv__hash_word(h, p->data[i].generation);
        if (!(p->data[i].generation & 1)) continue;
        pv__hash_vec(h, p->now[i]);
        pv__hash_vec(h, p->was[i]);
        pv__hash_vec(h, p->force[i]);
        pv__fields_hash(h, &p->data[i], PV__TABLE(particle_fields));
        pv__hash_filter(h, p->filter[i]);
    }
}

/* ---- joints ---- */

static const pv__field_row anchor_fields[] = {
    PV__INDEX(PARTICLE, pv__anchor, particle, PV__HASH(1, 32), 0),
    PV__INDEX(BODY, pv__anchor, body, PV__HASH(1, 0), -1),
    PV__DOUBLES(pv__anchor, local, PV__HASH(2, 0), -3 * PV_MAX_COORDINATE, 3 * PV_MAX_COORDINATE),
    PV__INDEX(PARTICLE, pv__anchor, corners, 0, 0),
};

/// Fields of a joint. Its ends come behind the type.
static const pv__field_row joint_fields[] = {
    PV__INTS(pv__constraint, type, PV__HASH(1, 1), 0, PV_JOINT_MOUSE),
    PV__DOUBLES(pv__constraint, length, PV__HASH(2, 0), -4 * PV_MAX_COORDINATE,
                4 * PV_MAX_COORDINATE),
    PV__DOUBLES(pv__constraint, stiffness, PV__HASH(4, 0), PV__RANGE_STIFFNESS),
    PV__DOUBLES(pv__constraint, damping, PV__HASH(5, 0), PV__RANGE_STIFFNESS),
    PV__DOUBLES(pv__constraint, low, PV__HASH(6, 0), PV__RANGE_FINITE),
    PV__DOUBLES(pv__constraint, high, PV__HASH(7, 0), PV__RANGE_FINITE),
    PV__DOUBLES(pv__constraint, speed, PV__HASH(8, 0), PV__RANGE_TURN),
    PV__DOUBLES(pv__constraint, max_force, PV__HASH(9, 0), PV__RANGE_FORCE),
    PV__DOUBLES(pv__constraint, break_force, PV__HASH(12, 0), PV__RANGE_FORCE),
    PV__DOUBLES(pv__constraint, turned, PV__HASH(3, 0), PV__RANGE_TURNED),
    PV__DOUBLES(pv__constraint, grace, PV__HASH(13, 0), PV__RANGE_FORCE),
    PV__DOUBLES(pv__constraint, force, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv__constraint, twist, PV__HASH(16, 0), PV__RANGE_FINITE),
    PV__DOUBLES(pv__constraint, axis, PV__HASH(10, 0), PV__RANGE_FINITE),
    PV__DOUBLES(pv__constraint, push, PV__HASH(14, 0), PV__RANGE_FINITE),
    PV__DOUBLES(pv__constraint, along, PV__HASH(15, 0), PV__RANGE_FINITE),
    PV__TURN(pv__constraint, angle, PV__HASH(11, 0)),
    PV__FLAG(pv__constraint, collide, PV__HASH(1, 0)),
    PV__FLAG(pv__constraint, keep_when_carved, PV__HASH(1, 8)),
    PV__POINTER(pv__constraint, user_data),
};

/// Transfers an anchor, with weights if it has corners.
static void tape_anchor(pv__stream *t, const pv_world *world, pv__anchor *g) {
    pv__fields_tape_often(t, world, g, PV__TABLE(anchor_fields));
    if (g->corners[0]) pv__stream_numbers(t, g->weights, 3);
}

static bool tape_joint(pv__stream *t, pv_world *world, void *row) {
    pv__constraint *c = row;
    if (!pv__slot_lives(&c->slot)) return true;
    pv__fields_tape(t, world, c, joint_fields, 1);
    tape_anchor(t, world, &c->a);
    tape_anchor(t, world, &c->b);
    pv__fields_tape_often(t, world, c, joint_fields + 1, PV__COUNT_OF(joint_fields) - 1);
    return true;
}

/// Tells whether an anchor is one of particle, corners, body and world, on things that live.
static bool is_anchor(const pv_world *world, const pv__anchor *g) {
    if (g->particle && (g->body >= 0 || g->corners[0] || !lives_at(world, g->particle)))
        return false;
    if (g->body >= 0 && (g->corners[0] || !pv__body_is_alive(&world->bodies.items[g->body])))
        return false;
    for (int i = 0; i < 3; i++)
        if (g->corners[0] ? !lives_at(world, g->corners[i]) : g->corners[i] != 0) return false;
    return pv__constraint_weights_in_range(g);
}

/// Checks a joint: its ends as its maker does, and the numbers that joint.c and stick.c divide by,
/// and compare with each other.
static bool is_joint(const pv_world *world, const void *row) {
    const pv__constraint *c = row;
    const char *bad;
    return is_anchor(world, &c->a) && is_anchor(world, &c->b) &&
           !pv__constraint_wrong_ends(c->type, &c->a, &c->b, &bad) &&
           (c->type > PV_JOINT_STRUT || pv__within(c->length, PV__RANGE_LENGTH)) &&
           (c->stiffness == 0 || pv__within(c->stiffness, PV__RANGE_JOINT_STIFFNESS)) &&
           c->low <= c->high && pv__length(c->axis) < 1.01;
}

static void hash_anchor(uint64_t *h, const pv__anchor *g) {
    pv__fields_hash(h, g, PV__TABLE(anchor_fields));
    for (int i = 0; i < 3 && g->corners[0]; i++) {
        pv__hash_word(h, (uint64_t)g->corners[i]);
        pv__hash_double(h, g->weights[i]);
    }
}

static void hash_joint(uint64_t *h, const void *row) {
    const pv__constraint *c = row;
    hash_anchor(h, &c->a);
    hash_anchor(h, &c->b);
    pv__fields_hash(h, c, PV__TABLE(joint_fields));
}

/* ---- polygons ---- */

/// Fields of a polygon before the length of its list of pieces, which is its used part. Stages copy
/// the corners of a polygon or piece into arrays of PV__POLY_CORNERS.
static const pv__field_row polygon_counts[] = {
    PV__INTS(pv__polygon, hull, 0, 0, PV_POLYGON_COLLIDER_CIRCLES),
    PV__POINTER(pv__polygon, user_data),
    PV__INTS(pv__polygon, corner_count, 0, 3, PV__POLY_CORNERS),
    PV__INTS(pv__polygon, beam_count, 0, 0, 4 * PV__POLY_CORNERS),
    PV__INTS(pv__polygon, piece_count, 0, 1, PV__POLY_CORNERS),
};

static const pv__field_row polygon_fields[] = {
    PV__DOUBLES(pv__polygon, material.static_friction, PV__HASH(1, 0), PV__RANGE_FRICTION),
    PV__DOUBLES(pv__polygon, material.kinetic_friction, PV__HASH(2, 0), PV__RANGE_FRICTION),
    PV__DOUBLES(pv__polygon, material.restitution, PV__HASH(3, 0), PV__RANGE_RESTITUTION),
    PV__DOUBLES(pv__polygon, middle, 0, 0, PV_MAX_COORDINATE),
    PV__FLAG(pv__polygon, soft, 0),
    PV__FLAG(pv__polygon, asleep, 0),
    PV__FLAG(pv__polygon, told_asleep, 0),
    PV__FLAG(pv__polygon, outside, 0),
    PV__DOUBLES(pv__polygon, marks, PV__HASH(4, 0), -PV_MAX_COORDINATE, PV_MAX_COORDINATE),
    PV__DOUBLES(pv__polygon, still, PV__HASH(5, 0), 0, PV__BOUNDLESS),
    PV__INDEX(POLYGON, pv__polygon, island, 0, -1),
    PV__INDEX(BODY, pv__polygon, bodies, 0, -1),
    PV__FOURS(pv__polygon, filter, 0),
};

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

static bool tape_polygon(pv__stream *t, pv_world *world, void *row) {
    pv__polygon *q = row;
    if (!pv__slot_lives(&q->slot)) return true;
    int last = world->matter.particles.count - 1;
    pv__fields_tape(t, world, q, PV__TABLE(polygon_counts));
    int room = t->reads ? 0 : pieces_end(q);
    pv__stream_int(t, &room, 0, PV__POLY_ROOM);
    if (t->reads) q->piece_room = room;
    pv__fields_tape(t, world, q, PV__TABLE(polygon_fields));
    if (t->reads && !make_arrays(t, world, q)) return false;
    for (int i = 0; i < q->corner_count; i++) {
        pv__stream_int(t, &q->corners[i], 1, last < 1 ? 1 : last);
        pv__stream_vec(t, &q->rest[i]);
        pv__stream_double(t, &q->shares[i]);
    }
    for (int i = 0; i < room; i++) pv__stream_int(t, &q->pieces[i], 0, PV__POLY_CORNERS);
    pv__stream_halves(t, q->beams, 2 * q->beam_count);
    t->broken |= t->reads && last < 1;
    return !t->broken && (!t->reads || pv__polygon_draw_mask(world, q));
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

/// Checks a polygon: corners index particles, and shares and places make its center.
static bool is_polygon(const pv_world *world, const void *row) {
    const pv__polygon *q = row;
    double shares = 0;
    for (int i = 0; i < q->corner_count; i++) {
        shares += q->shares[i];
        if (!lives_at(world, q->corners[i]) || !pv__placeable(q->rest[i]) ||
            !pv__within(q->shares[i], 0, 1))
            return false;
    }
    return has_good_pieces(q) && pv__within(shares, 0.99, 1.01) && (!q->asleep || q->island >= 0);
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

/// Hashes a polygon. Its corners and beams are hashed as particles and joints.
static void hash_polygon(uint64_t *h, const void *row) {
    const pv__polygon *q = row;
    pv__hash_word(h, (uint64_t)q->hull << 32 | (uint64_t)q->corner_count);
    for (int i = 0; i < q->corner_count; i++) {
        pv__hash_word(h, (uint64_t)q->corners[i]);
        pv__hash_vec(h, q->rest[i]);
    }
    pv__fields_hash(h, q, PV__TABLE(polygon_fields));
    if (q->asleep) pv__hash_word(h, (uint64_t)q->island << 32 | (uint32_t)q->bodies);
    pv__hash_filter(h, q->filter);
}

/* ---- pairs with bodies ---- */

static const pv__field_row crossing_fields[] = {
    PV__INDEX(POLYGON, pv__crossing, polygon, PV__HASH(1, 32), 0),
    PV__INDEX(BODY, pv__crossing, body, PV__HASH(1, 0), 0),
    PV__FOURS(pv__crossing, polygon_generation, 0),
    PV__FOURS(pv__crossing, body_generation, 0),
    PV__INTS(pv__crossing, passage, PV__HASH(2, 0), 0, PV__PASSING),
};

static const pv__field_row inside_fields[] = {
    PV__INDEX(PARTICLE, pv__inside_pair, particle, PV__HASH(1, 32), 1),
    PV__INDEX(BODY, pv__inside_pair, body, PV__HASH(1, 0), 0),
    PV__FOURS(pv__inside_pair, particle_generation, 0),
    PV__FOURS(pv__inside_pair, body_generation, 0),
};

static const pv__field_list pair_lists[] = {
    PV__LIST(pv__matter, crossings, crossing_capacity, crossing_count, pv__crossing,
             crossing_fields),
    PV__LIST(pv__matter, insides, inside_capacity, inside_count, pv__inside_pair, inside_fields),
};

/* ---- liquids and force fields ---- */

/// Transfers a liquid. A free slot has no numbers in range.
static bool tape_liquid(pv__stream *t, pv_world *world, void *row) {
    pv__liquid *l = row;
    if (t->reads) l->def = pv_liquid_def_default();
    t->checked = !pv__slot_lives(&l->slot);
    pv__stream_int(t, &l->count, 0, PV__STREAM_MOST);
    pv__fields_tape(t, world, &l->def, PV__TABLE(pv__liquid_fields));
    t->checked = false;
    return true;
}

static void hash_liquid(uint64_t *h, const void *row) {
    pv__fields_hash_def(h, &((const pv__liquid *)row)->def, PV__TABLE(pv__liquid_fields));
}

static bool tape_force(pv__stream *t, pv_world *world, void *row) {
    pv__force *f = row;
    if (t->reads) f->def = pv_force_field_def_default();
    t->checked = !pv__slot_lives(&f->slot);
    pv__fields_tape(t, world, &f->def, PV__TABLE(pv__force_fields));
    pv__stream_double(t, &f->gone);
    t->checked = false;
    return true;
}

/// Checks a force field as its maker does.
static bool is_force(const pv_world *world, const void *row) {
    pv_error e = {.function = __func__};
    return world && pv__force_check_def(&e, &((const pv__force *)row)->def);
}

static void hash_force(uint64_t *h, const void *row) {
    const pv__force *f = row;
    pv__fields_hash_def(h, &f->def, PV__TABLE(pv__force_fields));
    pv__hash_double(h, f->gone);
}

/* ---- pools ---- */

/// A kind of objects: its pool and items among the world's matter, and the functions of its rows
typedef struct pool_kind {
    size_t pool, items, size;
    /// Transfers a row behind its slot.
    bool (*tape)(pv__stream *t, pv_world *world, void *row);
    /// Tells whether a living object is good; null: its fields are
    bool (*is_good)(const pv_world *world, const void *row);
    void (*hash)(uint64_t *h, const void *row);
} pool_kind;

#define POOL(pool, items, type, ...)                                                               \
    { offsetof(pv__matter, pool), offsetof(pv__matter, items), sizeof(type), __VA_ARGS__ }

static const pool_kind pools[] = {
    POOL(constraint_pool, constraints, pv__constraint, tape_joint, is_joint, hash_joint),
    POOL(polygon_pool, polygons, pv__polygon, tape_polygon, is_polygon, hash_polygon),
    POOL(liquid_pool, liquids, pv__liquid, tape_liquid, NULL, hash_liquid),
    POOL(force_pool, forces, pv__force, tape_force, is_force, hash_force),
};
/// Number of kinds before the pairs with bodies in a snapshot
enum { BEFORE_PAIRS = 2 };

static pv__pool *pool_of(const pv__matter *m, const pool_kind *k) {
    return (pv__pool *)(void *)((char *)(uintptr_t)m + k->pool);
}

static char *rows_of(const pv__matter *m, const pool_kind *k) {
    char *rows;
    memcpy(&rows, (const char *)m + k->items, sizeof rows);
    return rows;
}

/// Transfers a pool with its number of living objects, and each of its slots.
static bool tape_pool(pv__stream *t, pv_world *world, const pool_kind *k) {
    pv__pool *pool = pool_of(&world->matter, k);
    if (!pv__stream_pool(t, world, pool, (char *)&world->matter + k->items, k->size)) return false;
    pv__stream_int(t, &pool->living, 0, pool->count);
    for (int i = 0; i < pool->count && !t->broken; i++) {
        pv__slot *row = pv__pool_slot(rows_of(&world->matter, k), i, k->size);
        pv__stream_slot(t, pool, row);
        if (!k->tape(t, world, row)) return false;
    }
    return !t->broken;
}

/// Tells whether a pool and all of its living objects are good.
static bool is_pool(const pv_world *world, const pool_kind *k) {
    const pv__pool *pool = pool_of(&world->matter, k);
    const char *rows = rows_of(&world->matter, k);
    bool good = pv__pool_is_good(pool, rows, k->size);
    for (int i = 0; good && k->is_good && i < pool->count; i++) {
        const pv__slot *slot = pv__pool_slot(rows, i, k->size);
        good = !pv__slot_lives(slot) || k->is_good(world, slot);
    }
    return good;
}

static void hash_pool(uint64_t *h, const pv__matter *m, const pool_kind *k) {
    for (int i = 0; i < pool_of(m, k)->count; i++) {
        const pv__slot *slot = pv__pool_slot(rows_of(m, k), i, k->size);
        pv__hash_word(h, slot->generation);
        if (pv__slot_lives(slot)) k->hash(h, slot);
    }
}

/* ---- composites ---- */

static const pv__field_row member_fields[] = {
    {.type = PV__FIELD_ID, .count = 2, .hash = PV__HASH(1, 0)}};
static const pv__field_row body_fields[] = {{.type = PV__FIELD_ID, .count = 2}};

#define CORNER(k)                                                                                  \
    PV__ID(pv_triangle, corners[k], PV__HASH(2 * (k) + 1, 0)),                                     \
        PV__ID(pv_triangle, joints[k], PV__HASH(2 * (k) + 2, 0)),                                  \
        PV__DOUBLES(pv_triangle, uv[k], 0, PV__RANGE_FINITE)
static const pv__field_row triangle_fields[] = {CORNER(0), CORNER(1), CORNER(2)};

#define LIST(items, one, type, fields)                                                             \
    PV__LIST(pv__composite, items, one##_capacity, one##_count, type, fields)
static const pv__field_list composite_lists[] = {
    LIST(particles, particle, pv_particle_id, member_fields),
    LIST(constraints, constraint, pv_joint_id, member_fields),
    LIST(bodies, body, pv_body_id, body_fields),
    LIST(triangles, triangle, pv_triangle, triangle_fields),
};

static bool tape_composite(pv__stream *t, const pv_world *world, pv__composite *g) {
    if (!pv__stream_slot(t, &world->matter.composite_pool, &g->slot)) return true;
    pv__stream_flag(t, &g->solid);
    return pv__fields_tape_lists(t, world, g, PV__TABLE(composite_lists));
}

/// Marks the particles of a composite.
static void mark_listed(pv_world *world, const pv__composite *g) {
    for (int i = 0; i < g->particle_count; i++) {
        int particle = pv__handle_particle(world, g->particles[i]);
        if (particle) world->matter.particles.bound[particle] |= PV__LISTED;
    }
}

static bool tape_composites(pv__stream *t, pv_world *world) {
    pv__matter *m = &world->matter;
    if (!pv__stream_pool(t, world, &m->composite_pool, &m->composites, sizeof *m->composites))
        return false;
    m->composite_pool.living = m->solid_composites = 0;
    for (int i = 0; i < m->composite_pool.count; i++) {
        pv__composite *g = &m->composites[i];
        if (!tape_composite(t, world, g)) return false;
        if (t->reads) mark_listed(world, g);
        m->composite_pool.living += pv__slot_lives(&g->slot);
        m->solid_composites += pv__slot_lives(&g->slot) && g->solid;
    }
    return !t->broken;
}

/// Hashes a solid composite.
static void hash_composite(uint64_t *h, const pv__composite *g) {
    if (!pv__slot_lives(&g->slot) || !g->solid) return;
    pv__hash_word(h, (uint64_t)g->particle_count << 32 | (uint32_t)g->triangle_count);
    pv__fields_hash_lists(h, g, PV__TABLE(composite_lists));
}

/* ---- all matter ---- */

bool pv__stream_matter(pv__stream *t, pv_world *world) {
    pv__matter *m = &world->matter;
    if (!tape_particles(t, world)) return false;
    for (int i = 0; i < PV__COUNT_OF(pools); i++) {
        if (i == BEFORE_PAIRS && !pv__fields_tape_lists(t, world, m, PV__TABLE(pair_lists)))
            return false;
        if (!tape_pool(t, world, &pools[i])) return false;
    }
    if (!tape_composites(t, world)) return false;
    if (!t->reads) return true;
    m->loose = true;
    m->polygons_asleep = 0;
    for (int i = 0; i < m->polygon_pool.count; i++)
        m->polygons_asleep += pv__slot_lives(&m->polygons[i].slot) && m->polygons[i].asleep;
    return m->liquid_pool.living == 0 || pv__liquid_open_all(world);
}

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

bool pv__validate_matter(pv_world *world) {
    const pv__matter *m = &world->matter;
    bool good = check_particles(world);
    for (int i = 0; good && i < PV__COUNT_OF(pools); i++) good = is_pool(world, &pools[i]);
    return good && pv__pool_is_good(&m->composite_pool, m->composites, sizeof *m->composites) &&
           check_corners(world) && check_counts(world);
}

void pv__hash_matter(uint64_t *h, const pv__matter *m) {
    hash_particles(h, &m->particles);
    for (int i = 0; i < PV__COUNT_OF(pools); i++) hash_pool(h, m, &pools[i]);
    for (int i = 0; i < m->composite_pool.count; i++) hash_composite(h, &m->composites[i]);
    pv__fields_hash_lists(h, m, PV__TABLE(pair_lists));
}
