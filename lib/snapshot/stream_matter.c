/* stream_matter.c - transfers, checks and hashes particles, joints and all objects made of them.
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
#include "world/world.h"

/* ---- particles ---- */

static const pv__field_row particle_fields[] = {
    PV__DOUBLES(pv__particle_data, mass, PV__HASH, 0, PV__MOST_MASS),
    PV__DOUBLES(pv__particle_data, radius, PV__HASH, PV__RANGE_PARTICLE_RADIUS),
    PV__DOUBLES(pv__particle_data, drag, PV__HASH, PV__RANGE_DRAG),
    PV__DOUBLES(pv__particle_data, material.restitution, PV__HASH, PV__RANGE_RESTITUTION),
    PV__DOUBLES(pv__particle_data, material.static_friction, PV__HASH, PV__RANGE_FRICTION),
    PV__DOUBLES(pv__particle_data, material.kinetic_friction, PV__HASH, PV__RANGE_FRICTION),
    PV__POINTER(pv__particle_data, user_data),
    PV__INTS(pv__particle_data, bounce, PV__PART(1), 0, PV_BOUNCE_NONE),
    PV__FLAG(pv__particle_data, passes, PV__HASH),
    PV__INTS(pv__particle_data, liquid, PV__HASH, -1, PV__STREAM_MOST),
};

/// Transfers a particle. Columns other than data are separate arrays, so no table lists them.
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
    uint64_t bound = p->bound[i] & (PV__MEETS | PV__STAYS);
    pv__stream_u8(t, &bound);
    pv__stream_filter(t, &p->filter[i]);
    if (!t->reads) return;
    p->bound[i] = (unsigned char)(bound & (PV__MEETS | PV__STAYS));
    p->inverse_mass[i] = g->mass > 0 ? 1 / g->mass : 0;
    p->living++;
}

static void tape_particles(pv__stream *t, pv_world *world) {
    pv__particles *p = &world->matter.particles;
    int count = p->count;
    pv__stream_int(t, &count, 0, PV__STREAM_MOST);
    pv__stream_int(t, &p->free, 0, count > 0 ? count - 1 : 0);
    pv__stream_flag(t, &p->forced);
    if (t->reads && pv__stream_holds(t, count > 0 ? count - 1 : 0, 8))
        pv__stream_got(t, pv__particle_add_slots(world, count));
    for (int i = 1; i < count && !t->broken; i++) tape_particle(t, world, i);
}

static bool lives_at(const pv_world *world, int particle) {
    const pv__particles *p = &world->matter.particles;
    return particle > 0 && particle < p->count && p->data[particle].generation & 1;
}

/// Checks a particle. Integration squares its places, hashes its cell and divides by its mass. Its
/// liquid has to exist.
static bool is_particle(const pv__matter *m, int i) {
    const pv__particles *p = &m->particles;
    const pv__particle_data *g = &p->data[i];
    return (g->liquid < 0 ||
            (g->liquid < m->liquid_pool.count && pv__slot_lives(&m->liquids[g->liquid].slot))) &&
           pv__placeable(p->now[i]) && pv__placeable(pv__mul(0.25, p->was[i])) &&
           pv__within(p->keep[i], 0, 1) && (g->mass == 0 || pv__is_mass(g->mass));
}

/// Checks the particles, and that the list of free slots ends and has only free slots.
static bool check_particles(const pv_world *world) {
    const pv__particles *p = &world->matter.particles;
    int at = p->free, free = 0;
    for (int i = 1; i < p->count; i++)
        if (lives_at(world, i) && !is_particle(&world->matter, i)) return false;
    for (; at > 0 && free < p->count; free++, at = p->data[at].next_free)
        if (at >= p->count || lives_at(world, at)) return false;
    return at == 0;
}

static void hash_particles(uint64_t *h, const pv__particles *p) {
    pv__hash_word(h, (uint64_t)p->count << 32 | (uint64_t)p->free);
    for (int i = 1; i < p->count; i++) {
        pv__hash_word(h, p->data[i].generation);
        if (!(p->data[i].generation & 1)) continue;
        pv__hash_vec(h, p->now[i]);
        pv__hash_vec(h, p->was[i]);
        pv__hash_vec(h, p->force[i]);
        pv__fields_hash_often(h, &p->data[i], PV__TABLE(particle_fields));
        pv__hash_filter(h, p->filter[i]);
    }
}

/* ---- joints ---- */

/// Fields of an anchor, with weights if it has corners. The hash has each corner before its weight.
#define WEIGHT(end, k)                                                                             \
    PV__HASHED(pv__constraint, end.corners[k], PARTICLE, PV__HASH),                                \
        PV__DOUBLES(pv__constraint, end.weights[k], PV__HASH, PV__RANGE_FINITE)
#define ANCHOR(end)                                                                                \
    PV__INDEX(PARTICLE, pv__constraint, end.particle, PV__PART(32), 0),                            \
        PV__INDEX(BODY, pv__constraint, end.body, PV__HASH, -1),                                   \
        PV__DOUBLES(pv__constraint, end.local, PV__HASH, -3 * PV_MAX_COORDINATE,                   \
                    3 * PV_MAX_COORDINATE),                                                        \
        PV__INDEX(PARTICLE, pv__constraint, end.corners, 0, 0),                                    \
        PV__WHEN(pv__constraint, end.corners, 1), WEIGHT(end, 0), WEIGHT(end, 1), WEIGHT(end, 2),  \
        PV__WHEN(pv__constraint, end.corners, 0)
static const pv__field_row joint_fields[] = {
    ANCHOR(a),
    ANCHOR(b),
    PV__INTS(pv__constraint, type, PV__PART(1), 0, PV_JOINT_MOUSE),
    PV__FLAG(pv__constraint, keep_when_carved, PV__PART(8)),
    PV__FLAG(pv__constraint, collide, PV__HASH),
    PV__DOUBLES(pv__constraint, length, PV__HASH, -4 * PV_MAX_COORDINATE, 4 * PV_MAX_COORDINATE),
    PV__DOUBLES(pv__constraint, turned, PV__HASH, PV__RANGE_TURNED),
    PV__DOUBLES(pv__constraint, stiffness, PV__HASH, PV__RANGE_STIFFNESS),
    PV__DOUBLES(pv__constraint, damping, PV__HASH, PV__RANGE_STIFFNESS),
    PV__DOUBLES(pv__constraint, low, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__constraint, high, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__constraint, speed, PV__HASH, PV__RANGE_SPIN),
    PV__DOUBLES(pv__constraint, max_force, PV__HASH, PV__RANGE_FORCE),
    PV__DOUBLES(pv__constraint, axis, PV__HASH, PV__RANGE_FINITE),
    PV__TURN(pv__constraint, angle, PV__HASH),
    PV__DOUBLES(pv__constraint, break_force, PV__HASH, PV__RANGE_FORCE),
    PV__DOUBLES(pv__constraint, grace, PV__HASH, PV__RANGE_FORCE),
    PV__DOUBLES(pv__constraint, push, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__constraint, along, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__constraint, twist, PV__HASH, PV__RANGE_FINITE),
    PV__DOUBLES(pv__constraint, force, 0, PV__RANGE_FINITE),
    PV__POINTER(pv__constraint, user_data),
};

static void tape_joint(pv__stream *t, pv_world *world, void *row) {
    pv__fields_tape_often(t, world, row, PV__TABLE(joint_fields));
}

/// Tells whether an anchor is on one thing only (particle, corners, body or world), and it lives.
static bool is_anchor(const pv_world *world, const pv__anchor *g) {
    if (g->particle && (g->body >= 0 || g->corners[0] || !lives_at(world, g->particle)))
        return false;
    if (g->body >= 0 && (g->corners[0] || !pv__body_is_alive(&world->bodies.items[g->body])))
        return false;
    for (int i = 0; i < 3; i++)
        if (g->corners[0] ? !lives_at(world, g->corners[i]) : g->corners[i] != 0) return false;
    return pv__constraint_weights_in_range(g);
}

/// Checks a joint: its ends as its maker does, and the numbers that joint.c and stick.c divide by
/// or compare.
static bool is_joint(const pv_world *world, const void *row) {
    const pv__constraint *c = row;
    const char *bad;
    return is_anchor(world, &c->a) && is_anchor(world, &c->b) &&
           !pv__constraint_wrong_ends(c->type, &c->a, &c->b, &bad) &&
           (c->type > PV_JOINT_STRUT || pv__within(c->length, PV__RANGE_LENGTH)) &&
           (c->stiffness == 0 || pv__within(c->stiffness, PV__RANGE_JOINT_STIFFNESS)) &&
           c->low <= c->high && pv__length(c->axis) < 1.01;
}

static void hash_joint(uint64_t *h, const pv_world *world, const void *row) {
    (void)world;
    pv__fields_hash_often(h, row, PV__TABLE(joint_fields));
}

/* ---- polygons ---- */

/// Fields of a polygon. Stages copy its corners, or a piece's, into arrays of PV__POLY_CORNERS
static const pv__field_row polygon_fields[] = {
    PV__INTS(pv__polygon, hull, 0, 0, PV_POLYGON_COLLIDER_CIRCLES),
    PV__POINTER(pv__polygon, user_data),
    PV__INTS(pv__polygon, corner_count, 0, 3, PV__POLY_CORNERS),
    PV__INTS(pv__polygon, beam_count, 0, 0, 4 * PV__POLY_CORNERS),
    PV__INTS(pv__polygon, piece_count, 0, 1, PV__POLY_CORNERS),
    PV__DOUBLES(pv__polygon, material.static_friction, PV__HASH, PV__RANGE_FRICTION),
    PV__DOUBLES(pv__polygon, material.kinetic_friction, PV__HASH, PV__RANGE_FRICTION),
    PV__DOUBLES(pv__polygon, material.restitution, PV__HASH, PV__RANGE_RESTITUTION),
    PV__DOUBLES(pv__polygon, middle, 0, 0, PV_MAX_COORDINATE),
    PV__FLAG(pv__polygon, soft, 0),
    PV__FLAG(pv__polygon, asleep, 0),
    PV__FLAG(pv__polygon, told_asleep, 0),
    PV__FLAG(pv__polygon, outside, 0),
    PV__DOUBLES(pv__polygon, marks, PV__HASH, -PV_MAX_COORDINATE, PV_MAX_COORDINATE),
    PV__DOUBLES(pv__polygon, still, PV__HASH, 0, PV__BOUNDLESS),
    PV__INDEX(POLYGON, pv__polygon, island, 0, -1),
    PV__INDEX(BODY, pv__polygon, bodies, 0, -1),
    PV__FOURS(pv__polygon, filter, 0),
};

static void make_arrays(pv__stream *t, pv_world *world, pv__polygon *q) {
    const pv_allocator *allocator = &world->def.allocator;
    size_t n = (size_t)q->corner_count,
           least = n * 28 + (size_t)q->piece_room * 4 + (size_t)q->beam_count * 8;
    if (t->broken || least > t->left) {
        t->broken = true;
        q->corner_count = q->beam_count = q->piece_room = 0;
        return;
    }
    q->corners = pv__alloc(allocator, n, sizeof *q->corners);
    q->rest = pv__alloc(allocator, n, sizeof *q->rest);
    q->shares = pv__alloc(allocator, n, sizeof *q->shares);
    q->pieces = pv__alloc(allocator, (size_t)q->piece_room, sizeof *q->pieces);
    q->beams = pv__alloc(allocator, (size_t)q->beam_count, sizeof *q->beams);
    pv__stream_got(t, q->corners && q->rest && q->shares && (q->pieces || !q->piece_room) &&
                          (q->beams || !q->beam_count));
}

/// Returns the used length of the list of pieces.
static int pieces_end(const pv__polygon *q) {
    int end = 0;
    for (int i = 0; i < q->piece_count; i++) end += q->pieces[end] + 1;
    return end;
}

/// Transfers a corner of a polygon. A particle is a corner of one polygon at most, and has no
/// inverse mass while the polygon sleeps.
static void tape_corner(pv__stream *t, pv_world *world, pv__polygon *q, int i) {
    pv__particles *p = &world->matter.particles;
    pv__stream_int(t, &q->corners[i], 1, p->count - 1);
    pv__stream_vec(t, &q->rest[i]);
    pv__stream_double(t, &q->shares[i]);
    if (!t->reads || t->broken) return;
    t->broken = p->data[q->corners[i]].polygon >= 0;
    p->data[q->corners[i]].polygon = (int)(q - world->matter.polygons);
    if (q->asleep) p->inverse_mass[q->corners[i]] = 0;
}

static void tape_polygon(pv__stream *t, pv_world *world, void *row) {
    pv__polygon *q = row;
    int room = t->reads ? 0 : pieces_end(q);
    pv__stream_int(t, &room, 0, PV__POLY_ROOM);
    if (t->reads) q->piece_room = room;
    if (t->reads) make_arrays(t, world, q);
    if (t->broken) return;
    for (int i = 0; i < q->corner_count; i++) tape_corner(t, world, q, i);
    for (int i = 0; i < room; i++) pv__stream_int(t, &q->pieces[i], 0, PV__POLY_CORNERS);
    pv__stream_halves(t, q->beams, 2 * q->beam_count);
    if (t->reads) world->matter.polygons_asleep += q->asleep;
    if (t->reads && !t->broken) pv__stream_got(t, pv__polygon_draw_mask(world, q));
}

/// Checks the pieces of a polygon. Each is a count followed by that many corners. The corners are
/// different, so that a piece has at most PV__POLY_CORNERS, for which pv__piece has room.
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

/// Hashes a polygon. Its corners and beams are hashed as particles and joints.
static void hash_polygon(uint64_t *h, const pv_world *world, const void *row) {
    const pv__polygon *q = row;
    (void)world;
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
    PV__INDEX(POLYGON, pv__crossing, polygon, PV__PART(32), 0),
    PV__INDEX(BODY, pv__crossing, body, PV__HASH, 0),
    PV__FOURS(pv__crossing, polygon_generation, 0),
    PV__FOURS(pv__crossing, body_generation, 0),
    PV__INTS(pv__crossing, passage, PV__HASH, 0, PV__PASSING),
};

static const pv__field_row inside_fields[] = {
    PV__INDEX(PARTICLE, pv__inside_pair, particle, PV__PART(32), 1),
    PV__INDEX(BODY, pv__inside_pair, body, PV__HASH, 0),
    PV__FOURS(pv__inside_pair, particle_generation, 0),
    PV__FOURS(pv__inside_pair, body_generation, 0),
};

static const pv__field_row pair_lists[] = {
    PV__LIST(pv__matter, crossings, crossing_capacity, crossing_count, pv__crossing,
             crossing_fields, PV__HASH),
    PV__LIST(pv__matter, insides, inside_capacity, inside_count, pv__inside_pair, inside_fields,
             PV__HASH),
};

/* ---- liquids and force fields ---- */

static const pv__field_row liquid_fields[] = {
    PV__DEF(pv__liquid, def, PV__TABLE(pv__liquid_fields)),
};
static const pv__field_row force_fields[] = {
    PV__DEF(pv__force, def, PV__TABLE(pv__force_fields)),
    PV__DOUBLES(pv__force, gone, PV__HASH, PV__RANGE_FINITE),
};

static void tape_liquid(pv__stream *t, pv_world *world, void *row) {
    (void)row;
    if (t->reads) pv__stream_got(t, pv__liquid_open_all(world));
}

/// Checks a force field as its maker does.
static bool is_force(const pv_world *world, const void *row) {
    pv_error e = {.function = __func__};
    return world && pv__force_check_def(&e, &((const pv__force *)row)->def);
}

/* ---- composites ---- */

static const pv__field_row member_fields[] = {
    PV__FOURS(pv_particle_id, index, PV__PART(32)),
    PV__FOURS(pv_particle_id, generation, PV__HASH),
};
static const pv__field_row body_fields[] = {{.type = PV__FIELD_UNSIGNED, .count = 2}};

#define CORNER(k)                                                                                  \
    PV__ID(pv_triangle, corners[k], PV__HASH), PV__ID(pv_triangle, joints[k], PV__HASH),           \
        PV__DOUBLES(pv_triangle, uv[k], 0, PV__RANGE_FINITE)
static const pv__field_row triangle_fields[] = {CORNER(0), CORNER(1), CORNER(2)};

#define LIST(items, one, type, fields, hash)                                                       \
    PV__LIST(pv__composite, items, one##_capacity, one##_count, type, fields, hash)
static const pv__field_row composite_fields[] = {
    PV__HASHED(pv__composite, particle_count, INT, PV__PART(32)),
    PV__HASHED(pv__composite, triangle_count, INT, PV__HASH),
    PV__FLAG(pv__composite, solid, 0),
    LIST(particles, particle, pv_particle_id, member_fields, PV__HASH),
    LIST(constraints, constraint, pv_joint_id, member_fields, PV__HASH),
    LIST(bodies, body, pv_body_id, body_fields, 0),
    LIST(triangles, triangle, pv_triangle, triangle_fields, PV__HASH),
};

/// Marks the particles of a composite that was read.
static void tape_composite(pv__stream *t, pv_world *world, void *row) {
    pv__composite *g = row;
    if (!t->reads) return;
    world->matter.solid_composites += g->solid;
    for (int i = 0; i < g->particle_count; i++) {
        int particle = pv__handle_particle(world, g->particles[i]);
        if (particle) world->matter.particles.bound[particle] |= PV__LISTED;
    }
}

/* ---- all matter ---- */

#define POOL(one, type, ...) PV__POOL(matter.one##_pool, matter.one##s, type, __VA_ARGS__)
static const pv__field_pool pools[] = {
    POOL(constraint, pv__constraint, NULL, 0, tape_joint, is_joint, hash_joint),
    POOL(polygon, pv__polygon, PV__TABLE(polygon_fields), tape_polygon, is_polygon, hash_polygon),
    POOL(liquid, pv__liquid, PV__TABLE(liquid_fields), tape_liquid, NULL, NULL),
    POOL(force, pv__force, PV__TABLE(force_fields), NULL, is_force, NULL),
    POOL(composite, pv__composite, PV__TABLE(composite_fields), tape_composite, NULL, NULL),
};

/// Counts joints at their anchors, and particles in their liquids.
static void count_all(pv_world *world) {
    pv__matter *m = &world->matter;
    for (int i = 0; i < m->constraint_pool.count; i++) {
        if (!pv__slot_lives(&m->constraints[i].slot)) continue;
        pv__constraint_count_anchor(world, &m->constraints[i].a, 1);
        pv__constraint_count_anchor(world, &m->constraints[i].b, 1);
    }
    for (int i = 1; i < m->particles.count; i++)
        if (lives_at(world, i) && m->particles.data[i].liquid >= 0)
            m->liquids[m->particles.data[i].liquid].count++;
}

void pv__stream_matter(pv__stream *t, pv_world *world) {
    tape_particles(t, world);
    for (int i = 0; i < PV__COUNT_OF(pools); i++) pv__fields_tape_pool(t, world, &pools[i]);
    pv__fields_tape(t, world, &world->matter, PV__TABLE(pair_lists));
    if (!t->reads || t->broken) return;
    t->broken = !check_particles(world);
    for (int i = 0; i < PV__COUNT_OF(pools) && !t->broken; i++)
        t->broken = !pv__fields_are_pool(world, &pools[i]);
    if (!t->broken) count_all(world);
    world->matter.loose = true;
}

void pv__hash_matter(uint64_t *h, const pv_world *world) {
    const pv__matter *m = &world->matter;
    hash_particles(h, &m->particles);
    for (int i = 0; i < PV__COUNT_OF(pools) - 1; i++) pv__fields_hash_pool(h, world, &pools[i]);
    /* Other composites have no effect. */
    for (int i = 0; i < m->composite_pool.count; i++)
        if (pv__slot_lives(&m->composites[i].slot) && m->composites[i].solid)
            pv__fields_hash(h, &m->composites[i], PV__TABLE(composite_fields));
    pv__fields_hash(h, m, PV__TABLE(pair_lists));
}
