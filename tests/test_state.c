/* test_state.c - every number of a world is in its hash and snapshots, and every event comes back.
 *
 * Invariant: one bit of one number is changed at a time, in the world itself.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "furnished.h"

#include "core/pose.h"
#include "core/wake.h"
#include "solver/integrate.h"

static pv_world *open_world(pv_contact_mode contacts) {
    return WORLD(it.contact_mode = contacts, it.hit_event_threshold = 5);
}

static pv_world *furnished(pv_contact_mode contacts) {
    pv_world *w = open_world(contacts);
    put_bodies(w);
    put_matter(w);
    for (int i = 0; i < 20; i++) pv_world_step(w, H);
    pv_body_move_to(w, pv__handle_of_body(w, DRIVEN), (pv_vec2){-148, 3}, 0.02, H);
    pv_body_apply_force(w, pv__handle_of_body(w, HANGING), (pv_vec2){5, 6});
    pv_body_apply_torque(w, pv__handle_of_body(w, HANGING), 7);
    pv_particle_apply_force(w, pv__handle_of_particle(w, 5), (pv_vec2){1, 2});
    return w;
}

/// Worlds of a test: one with some of everything, and one to restore it in
static pv_world *full, *other;

static void close_worlds(void) {
    pv_world_destroy(full);
    pv_world_destroy(other);
    full = other = NULL;
}

static void open_worlds(pv_contact_mode contacts) {
    close_worlds();
    full = furnished(contacts);
    other = open_world(contacts);
}

static void open_contours(void) { open_worlds(PV_CONTACT_MODE_CONTOURS); }

/// Restores the first world's snapshot in the second, and returns the status.
static pv_status carry(void) { return carry_world(full, PV_SNAPSHOT_PIXELS, other); }
static bool are_alike(void) { return pv_world_compute_hash(full) == pv_world_compute_hash(other); }

/* ---- its numbers ---- */

/// Function that finds an object of a kind in a world by its slot
typedef void *(*finder)(pv_world *w, int slot);

static void *the_body(pv_world *w, int slot) { return &w->bodies.items[slot]; }
static void *the_pixels(pv_world *w, int slot) { return w->bodies.items[slot].pixels; }
static void *the_world(pv_world *w, int slot) { return slot == 0 ? w : NULL; }
static void *the_grain(pv_world *w, int slot) { return &w->matter.particles.data[slot]; }
static void *the_place(pv_world *w, int slot) { return &w->matter.particles.now[slot]; }
static void *the_former(pv_world *w, int slot) { return &w->matter.particles.was[slot]; }
static void *the_push(pv_world *w, int slot) { return &w->matter.particles.force[slot]; }
static void *the_filter(pv_world *w, int slot) { return &w->matter.particles.filter[slot]; }
static void *the_constraint(pv_world *w, int slot) { return &w->matter.constraints[slot]; }
static void *the_polygon(pv_world *w, int slot) { return &w->matter.polygons[slot]; }
static void *the_rest(pv_world *w, int slot) { return &w->matter.polygons[0].rest[slot]; }
static void *the_liquid(pv_world *w, int slot) { return &w->matter.liquids[slot]; }
static void *the_force(pv_world *w, int slot) { return &w->matter.forces[slot]; }

static pv__manifold *manifold_of(const pv_world *w, int slot) {
    int i = 0;
    while (i < w->manifolds.count &&
           (w->manifolds.items[i].a < 0 || w->manifolds.items[i].count <= slot))
        i++;
    ck_assert_int_lt(i, w->manifolds.count);
    return &w->manifolds.items[i];
}
static void *the_manifold(pv_world *w, int slot) { return manifold_of(w, slot); }
static void *the_press(pv_world *w, int slot) { return &manifold_of(w, slot)->points[slot]; }
static void *the_contact(pv_world *w, int slot) {
    ck_assert_int_lt(slot, w->bitmaps.contact_count);
    return &w->bitmaps.contacts[slot];
}

/// Places where a number is kept: the hash, snapshots, or both
enum { HASHED = 1, SAVED = 2, BOTH = 3 };

/// Place of a particle or a corner
typedef struct place {
    pv_vec2 at;
} place;
typedef struct sieve {
    pv_filter filter;
} sieve;

/// Numbers of the state: finder and slot of their object, offset, size, count, and where kept
typedef struct number {
    const char *name;
    finder find;
    int slot;
    size_t offset, size;
    int count, known;
} number;

#define OF(find, type, slot, field, known)                                                         \
    { #type "." #field, find, slot, offsetof(type, field), sizeof(((type *)0)->field), 1, known }
#define EACH(find, type, slot, field, part, known)                                                 \
    {                                                                                              \
#type "." #field, find, slot, offsetof(type, field), sizeof(part),                         \
            (int)(sizeof(((type *)0)->field) / (sizeof(part))), known                              \
    }
/// Lists all doubles from one field to another.
#define RANGE(find, type, slot, first, last, known)                                                \
    {                                                                                              \
#type "." #first, find, slot, offsetof(type, first), sizeof(double),                       \
            (int)((offsetof(type, last) - offsetof(type, first) + sizeof(((type *)0)->last)) /     \
                  (sizeof(double))),                                                               \
            known                                                                                  \
    }
#define VEC(find, type, slot, field, known) EACH(find, type, slot, field, double, known)
#define FILTER(find, type, slot) EACH(find, type, slot, filter, uint32_t, BOTH)
#define BODY(slot, field, known) OF(the_body, pv__body, slot, field, known)
#define BODY_VEC(slot, field, known) VEC(the_body, pv__body, slot, field, known)
#define BODY_RANGE(slot, first, last, known) RANGE(the_body, pv__body, slot, first, last, known)
#define GUISE(slot, field, known) OF(the_pixels, pv__body_pixels, slot, field, known)
#define GUISE_VEC(slot, field, known) VEC(the_pixels, pv__body_pixels, slot, field, known)
#define JOINT(slot, field, known) OF(the_constraint, pv__constraint, slot, field, known)

/// Particles follow a pose's turn, so that is tested for the hash and for snapshots separately.
static const number of_bodies[] = {
    BODY_VEC(CRATE, now, HASHED),
    BODY_VEC(CRATE, before, HASHED),
    BODY_VEC(SPECIAL, before, BOTH),
    BODY_VEC(CRATE, pose.turn, HASHED),
    BODY_VEC(CRATE, pose.turn, SAVED),
    BODY_VEC(CRATE, pose.center, SAVED),
    BODY_RANGE(CRATE, still_pose, earlier_pose, BOTH),
    BODY_RANGE(HANGING, acceleration, torque, BOTH),
    BODY(CRATE, still, BOTH),
    BODY(CRATE, verlet_dt0, HASHED),
    BODY_RANGE(CRATE, mass, pace, BOTH),
    BODY(CRATE, generation, HASHED),
    BODY(CRATE, type, HASHED),
    BODY(CRATE, settled, BOTH),
    BODY(CRATE, awake, HASHED),
    BODY(CRATE, island, HASHED),
    BODY(CRATE, told_awake, SAVED),
    BODY(CRATE, touched, SAVED),
    BODY(CRATE, unseen, SAVED),
    BODY(CRATE, user_data, SAVED),
    BODY(SPECIAL, locks, BOTH),
    BODY(CRATE, sensor, HASHED),
    BODY(CRATE, disabled, HASHED),
    BODY(CRATE, outside, BOTH),
    GUISE(SPECIAL, stand_in, HASHED),
    GUISE(CRATE, stand_in, HASHED),
    BODY_RANGE(SPECIAL, gravity_scale, one_way, BOTH),
    GUISE_VEC(SPECIAL, scale, HASHED),
    BODY_RANGE(CRATE, gravity_scale, tangent_speed, BOTH),
    BODY(CRATE, looks, BOTH),
    BODY(CRATE, crowded, BOTH),
    BODY(CRATE, crushed, BOTH),
    FILTER(the_body, pv__body, SPECIAL),
    BODY(CRATE, filter.category_bits, BOTH),
    BODY(SPECIAL, fracture.connectivity, HASHED),
    BODY(SPECIAL, fracture.min_part_pixels, BOTH),
    BODY(SPECIAL, fracture.spawn_debris, BOTH),
    BODY(SPECIAL, fracture.keep_static, BOTH),
    BODY(FLOOR, fracture.keep_static, BOTH),
    BODY(SPECIAL, fracture.mode, HASHED),
    BODY(SPECIAL, fracture.toughness, BOTH),
    BODY(CRATE, fracture.keep_static, BOTH),
    BODY(DRIVEN, drive.step, HASHED),
    BODY_RANGE(DRIVEN, drive.velocity, drive.twist, BOTH),
    GUISE(MAPPED, materials.x, HASHED),
    GUISE(MAPPED, materials.y, HASHED),
    OF(the_world, pv_world, 0, steps, BOTH),
    OF(the_world, pv_world, 0, dt, BOTH),
    OF(the_world, pv_world, 0, solver.rested, BOTH),
    VEC(the_world, pv_world, 0, def.gravity, HASHED),
};

static const number of_matter[] = {
    VEC(the_place, place, 5, at, BOTH),
    VEC(the_former, place, 5, at, BOTH),
    VEC(the_push, place, 5, at, BOTH),
    FILTER(the_filter, sieve, 5),
    OF(the_grain, pv__particle_data, 5, generation, HASHED),
    OF(the_grain, pv__particle_data, 5, mass, HASHED),
    RANGE(the_grain, pv__particle_data, 5, radius, drag, BOTH),
    OF(the_grain, pv__particle_data, 5, bounce, BOTH),
    OF(the_grain, pv__particle_data, 5, passes, BOTH),
    OF(the_grain, pv__particle_data, 5, liquid, HASHED),
    JOINT(7, slot.generation, HASHED),
    JOINT(7, type, HASHED),
    JOINT(6, a.particle, HASHED),
    JOINT(6, b.body, HASHED),
    JOINT(6, collide, BOTH),
    JOINT(6, keep_when_carved, BOTH),
    JOINT(6, length, BOTH),
    JOINT(6, stiffness, HASHED),
    RANGE(the_constraint, pv__constraint, 6, damping, break_force, BOTH),
    JOINT(6, force, SAVED),
    JOINT(6, user_data, SAVED),
    RANGE(the_constraint, pv__constraint, 6, axis, grace, BOTH),
    VEC(the_constraint, pv__constraint, 6, a.local, BOTH),
    VEC(the_constraint, pv__constraint, 6, b.local, BOTH),
    EACH(the_constraint, pv__constraint, 7, b.corners, int, HASHED),
    VEC(the_constraint, pv__constraint, 7, b.weights, BOTH),
    OF(the_polygon, pv__polygon, 0, slot.generation, HASHED),
    OF(the_polygon, pv__polygon, 0, hull, HASHED),
    VEC(the_polygon, pv__polygon, 0, material, BOTH),
    OF(the_polygon, pv__polygon, 0, still, BOTH),
    FILTER(the_polygon, pv__polygon, 0),
    VEC(the_polygon, pv__polygon, 0, marks, BOTH),
    VEC(the_rest, place, 3, at, BOTH),
    OF(the_liquid, pv__liquid, 0, slot.generation, HASHED),
    RANGE(the_liquid, pv__liquid, 0, def.interaction_radius, def.viscosity, BOTH),
    OF(the_force, pv__force, 0, slot.generation, HASHED),
    OF(the_force, pv__force, 0, gone, BOTH),
    OF(the_force, pv__force, 0, def.type, BOTH),
    RANGE(the_force, pv__force, 0, def.area, def.linear_damping, BOTH),
};

#define PAIR(field, known) OF(the_manifold, pv__manifold, 0, field, known)

static const number of_contours[] = {
    PAIR(a, HASHED),
    PAIR(b, HASHED),
    PAIR(made, HASHED),
    RANGE(the_manifold, pv__manifold, 0, foreseen, turn_b, BOTH),
    RANGE(the_press, pv__contact_point, 0, anchor_a, anchor_a, BOTH),
    RANGE(the_press, pv__contact_point, 1, anchor_b, impulse_t, BOTH),
    RANGE(the_press, pv__contact_point, 1, radius_a, impulse_roll, BOTH),
    OF(the_press, pv__contact_point, 1, key, BOTH),
    OF(the_press, pv__contact_point, 1, slides, BOTH),
};

static unsigned char *find_number(pv_world *w, const number *n) {
    return (unsigned char *)n->find(w, n->slot) + n->offset;
}

static unsigned char *change(const number *n, int k) {
    unsigned char *at = find_number(full, n) + (size_t)k * n->size;
    *at ^= 1;
    return at;
}

static void check_hashes(const number *all, size_t count) {
    uint64_t hash = pv_world_compute_hash(full);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; (all[i].known & HASHED) && k < all[i].count; k++) {
            unsigned char *at = change(&all[i], k);
            ck_assert_msg(pv_world_compute_hash(full) != hash, "%s, %d is not in the hash",
                          all[i].name, k);
            *at ^= 1;
        }
    ck_assert_uint_eq(pv_world_compute_hash(full), hash);
}

static void check_restores(const number *all, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (int k = 0; (all[i].known & SAVED) && k < all[i].count; k++) {
            unsigned char *at = change(&all[i], k);
            pv_status s = carry();
            ck_assert_msg(s == PV_OK, "%s, %d: %s", all[i].name, k, pv_status_to_string(s));
            const unsigned char *there = find_number(other, &all[i]) + (size_t)k * all[i].size;
            ck_assert_msg(memcmp(there, at, all[i].size) == 0, "%s, %d does not come back",
                          all[i].name, k);
            ck_assert_msg(are_alike() || all[i].known != BOTH, "%s, %d: another hash", all[i].name,
                          k);
            *at ^= 1;
        }
}

static void check_all(void (*check)(const number *all, size_t count)) {
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++) {
        open_worlds((pv_contact_mode)kind);
        check(of_bodies, COUNT_OF(of_bodies));
        check(of_matter, COUNT_OF(of_matter));
    }
    check(of_contours, COUNT_OF(of_contours));
}

START_TEST(each_number_is_in_the_hash) { check_all(check_hashes); }

/// Tests all sets of four flags, the empty one last.
START_TEST(the_hash_tells_flags_of_bodies_apart) {
    pv__body *b = the_body(full, CRATE);
    void *flags[] = {&b->outside, &b->sensor, &b->disabled, &b->locks};
    uint64_t hashes[16];
    for (int i = 15; i >= 0; i--) {
        for (int k = 0; k < 4; k++) *(unsigned char *)flags[k] = i >> k & 1;
        hashes[i] = pv_world_compute_hash(full);
        for (int k = i + 1; k < 16; k++) ck_assert(hashes[k] != hashes[i]);
    }
}

START_TEST(each_number_comes_back) { check_all(check_restores); }

START_TEST(fractures_come_back_in_all_their_ranges) {
    pv_body_id b = pv__handle_of_body(full, CRATE);
    const int least[] = {1, 2, 0x7fffffff};
    for (int i = 0; i < 12; i++) {
        pv_fracture_def f =
            WITH(pv_fracture_def_default(),
                 it.connectivity = i & 1 ? PV_CONNECTIVITY_8 : PV_CONNECTIVITY_4,
                 it.min_part_pixels = least[i % 3],
                 it.mode = i & 2 ? PV_FRACTURE_CRACK : PV_FRACTURE_CHIP,
                 it.keep_static = i % 5 == 0, it.spawn_debris = i % 5 == 1, it.toughness = i);
        ck_assert_int_eq(pv_body_set_fracture(full, b, &f), PV_OK);
        ck_assert_int_eq(carry(), PV_OK);
        const pv_fracture_def g = pv__handle_body(other, b)->fracture;
        ck_assert(g.connectivity == f.connectivity && g.min_part_pixels == f.min_part_pixels &&
                  g.mode == f.mode);
        ck_assert(g.keep_static == f.keep_static && g.spawn_debris == f.spawn_debris &&
                  g.toughness == f.toughness);
    }
}

/* ---- bodies that left the finite numbers ---- */

START_TEST(who_leaves_the_numbers_goes_back_to_where_it_last_was) {
    pv__wake_list_awake(full);
    pv__body *b = &full->bodies.items[CRATE], was = *b;
    ck_assert(b->awake);
    for (int how = 0; how < 16; how++) {
        *b = was;
        full->events.frozen_count = 0;
        bool lost = how & 3, before_lost = how & 12;
        if (how & 1) b->pose.center.x = 2 * PV_MAX_COORDINATE;
        if (how & 2) b->pose.turn.s = NAN;
        if (how & 4) b->before[0].y = b->before[1].y = -2 * PV_MAX_COORDINATE;
        if (how & 8) b->before[0].x = NAN;
        pv__pose back = before_lost ? was.still_pose : pv__pose_before(&was),
                 wanted = lost ? back : b->pose;
        pv__integrate_settle(full);
        ck_assert_int_eq(full->events.frozen_count, lost);
        ck_assert(b->pose.center.x == wanted.center.x && b->pose.center.y == wanted.center.y);
        ck_assert(b->pose.turn.c == wanted.turn.c && b->pose.turn.s == wanted.turn.s);
        pv_vec2 middle = pv__mul(0.5, pv__add(b->now[0], b->now[1]));
        if (!lost) continue;
        ck_assert_double_le(pv__length(pv__sub(middle, wanted.center)), 1e-9);
        ck_assert_double_lt(pv__length(pv__pose_chord_of(b).way), 1e-9);
        ck_assert_double_lt(pv__abs(pv__pose_chord_of(b).angle), 1e-9);
    }
    *b = was;
}

/* ---- snapshots that are no world ---- */

START_TEST(maps_that_names_do_not_mean_are_refused) {
    close_worlds();
    full = open_world(PV_CONTACT_MODE_CONTOURS);
    other = open_world(PV_CONTACT_MODE_CONTOURS);
    put_mapped(full, 40);
    put_mapped(other, 41);
    ck_assert_int_eq(carry_world(full, 0, full), PV_OK);
    ck_assert_int_eq(carry_world(other, 0, other), PV_OK);
    uint64_t hash = pv_world_compute_hash(other);
    ck_assert_int_ne(carry_world(full, 0, other), PV_OK);
    ck_assert_uint_eq(pv_world_compute_hash(other), hash);
    ck_assert_int_eq(carry(), PV_OK);
    ck_assert(are_alike());
}

/// A mask with the same pixels in a wider frame is another mask.
START_TEST(masks_that_names_do_not_mean_are_refused) {
    pv_world **const worlds[] = {&full, &other};
    close_worlds();
    for (int i = 0; i < 2; i++) {
        pv_mask *m = pv_mask_create(8 + 8 * i, 4, NULL, NULL);
        pv_mask_fill_rect(m, (pv_rect){0, 0, 8, 4}, true);
        *worlds[i] = open_world(PV_CONTACT_MODE_CONTOURS);
        put(*worlds[i], m, 0, 0, of_type(PV_BODY_STATIC));
        ck_assert_int_eq(carry_world(*worlds[i], 0, *worlds[i]), PV_OK);
    }
    ck_assert_int_ne(carry_world(full, 0, other), PV_OK);
}

/// Number that no world may hold, and its place
typedef struct fault {
    number where;
    double value;
    /// True for an int, false for a double
    bool whole;
} fault;

#define REAL(find, type, slot, field, value)                                                       \
    { OF(find, type, slot, field, 0), value, false }
#define WHOLE(find, type, slot, field, value)                                                      \
    { OF(find, type, slot, field, 0), value, true }

static const fault faults[] = {
    REAL(the_body, pv__body, CRATE, pose.center.x, 1e300),
    REAL(the_body, pv__body, CRATE, still_pose.center.y, 1e300),
    REAL(the_body, pv__body, CRATE, mass, -1),
    REAL(the_body, pv__body, CRATE, inertia, 0),
    REAL(the_body, pv__body, CRATE, material.restitution, 2),
    REAL(the_body, pv__body, CRATE, material.static_friction, -1),
    REAL(the_body, pv__body, CRATE, still, -1),
    REAL(the_body, pv__body, CRATE, still_span, 1e-300),
    REAL(the_body, pv__body, CRATE, verlet_dt0, 2),
    REAL(the_body, pv__body, SPECIAL, gravity_scale, 1e9),
    REAL(the_body, pv__body, SPECIAL, linear_damping, -1),
    REAL(the_body, pv__body, SPECIAL, tangent_speed, 1e30),
    REAL(the_body, pv__body, SPECIAL, one_way.y, -3),
    REAL(the_body, pv__body, SPECIAL, rolling_resistance, -1),
    WHOLE(the_body, pv__body, CRATE, island, 1000),
    REAL(the_grain, pv__particle_data, 5, mass, -1),
    REAL(the_grain, pv__particle_data, 5, radius, -1),
    WHOLE(the_grain, pv__particle_data, 5, liquid, 99),
    REAL(the_constraint, pv__constraint, 0, length, -5),
    REAL(the_constraint, pv__constraint, 1, stiffness, -5),
    WHOLE(the_constraint, pv__constraint, 0, b.body, 1000),
    REAL(the_liquid, pv__liquid, 0, def.interaction_radius, 1),
    REAL(the_liquid, pv__liquid, 0, def.rest_density, 0),
    REAL(the_force, pv__force, 0, def.gust, 3),
    REAL(the_force, pv__force, 0, def.strength, 1e300),
    REAL(the_press, pv__contact_point, 0, normal.x, 3),
    REAL(the_press, pv__contact_point, 0, impulse_n, 1e300),
    REAL(the_press, pv__contact_point, 0, anchor_a.x, 1e300),
};

static const fault faults_of_pixels[] = {REAL(the_contact, pv__contact, 0, normal.x, 3),
                                         REAL(the_body, pv__body, CRATE, mass, -1)};

static pv_status carry_with(const fault *f) {
    unsigned char *at = find_number(full, &f->where), kept[8];
    int whole = (int)f->value;
    memcpy(kept, at, f->where.size);
    memcpy(at, f->whole ? (const void *)&whole : (const void *)&f->value, f->where.size);
    pv_status status = carry();
    memcpy(at, kept, f->where.size);
    return status;
}

static void refuse_faults(pv_contact_mode contacts, const fault *all, size_t count) {
    open_worlds(contacts);
    pv_world_destroy(other);
    other = furnished(contacts);
    pv_world_step(other, H);
    uint64_t hash = pv_world_compute_hash(other);
    for (const fault *f = all; f < all + count; f++) {
        ck_assert_uint_eq(f->where.size, f->whole ? sizeof(int) : sizeof(double));
        ck_assert_msg(carry_with(f) != PV_OK, "%s as %g is restored", f->where.name, f->value);
        ck_assert_msg(pv_world_compute_hash(other) == hash, "%s as %g changes a world",
                      f->where.name, f->value);
    }
    ck_assert_int_eq(carry(), PV_OK);
    ck_assert(are_alike());
}

START_TEST(numbers_that_no_world_holds_are_refused) {
    refuse_faults(PV_CONTACT_MODE_CONTOURS, faults, COUNT_OF(faults));
    refuse_faults(PV_CONTACT_MODE_PIXELS, faults_of_pixels, COUNT_OF(faults_of_pixels));
}

/// Puts a number into a manifold if bit 0 is set, and into point i if bit i + 1 is set.
static void spoil(pv__manifold *m, unsigned parts, double value) {
    if (parts & 1) m->apart.x = value;
    for (int i = 0; i < m->count; i++)
        if (parts >> (i + 1) & 1) m->points[i].impulse_n = value;
}

/// Each part of a manifold is checked on its own. Only `apart` may be any finite number.
START_TEST(manifolds_are_refused_for_any_of_their_parts) {
    pv__manifold *m = manifold_of(full, 1), was = *m;
    pv__contact_point points[PV__MANIFOLD_POINTS];
    size_t bytes = (size_t)m->count * sizeof *points;
    memcpy(points, m->points, bytes);
    const double values[] = {1e300, NAN};
    for (int k = 0; k < 2; k++)
        for (unsigned parts = 0; parts < 2u << m->count; parts++) {
            spoil(m, parts, values[k]);
            bool good = parts == 0 || (parts == 1 && k == 0);
            ck_assert_msg((carry() == PV_OK) == good, "%g in the parts %u", values[k], parts);
            m->apart = was.apart;
            memcpy(m->points, points, bytes);
        }
}

START_TEST(turns_of_another_length_are_refused) {
    pv__manifold *m = manifold_of(full, 1);
    pv_rotation *const turns[] = {&m->turn_a, &m->turn_b};
    const double squares[] = {0.989, 0.991, 1.009, 1.011};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++) {
            pv_rotation was = *turns[i];
            *turns[i] = (pv_rotation){0.6 * sqrt(squares[k]), 0.8 * sqrt(squares[k])};
            ck_assert_msg((carry() == PV_OK) == (k == 1 || k == 2), "turn %d of %g", i, squares[k]);
            *turns[i] = was;
        }
}

/* ---- events ---- */

/// Events of a kind: their number, bytes of each, and how many of these are compared
typedef struct series {
    const void *items;
    int count;
    size_t size, compared;
} series;

enum { KINDS = 11 };

#define SERIES(items, count)                                                                       \
    { e.items, e.count, sizeof *e.items, sizeof *e.items }

/// Lists a world's events by kind. One kind of struct has padding, which is not compared.
static void list_events(const pv_world *w, series list[KINDS]) {
    pv_events e = pv_world_get_events(w);
    const series all[KINDS] = {SERIES(contact_begins, contact_begin_count),
                               SERIES(contact_ends, contact_end_count),
                               SERIES(hits, hit_count),
                               SERIES(sensor_begins, sensor_begin_count),
                               SERIES(sensor_ends, sensor_end_count),
                               SERIES(sleeps, sleep_count),
                               SERIES(wakes, wake_count),
                               SERIES(out_of_bounds, out_of_bounds_count),
                               SERIES(splits, split_count),
                               SERIES(dirty_rects, dirty_rect_count),
                               {e.joint_breaks, e.joint_break_count, sizeof *e.joint_breaks,
                                offsetof(pv_joint_break_event, carved) + sizeof(bool)}};
    memcpy(list, all, sizeof all);
}

/// Compares the events of both worlds. Updates the greatest number of events at once, by kind.
static void compare_events(int most[KINDS]) {
    series e[KINDS], f[KINDS];
    list_events(full, e);
    list_events(other, f);
    for (int k = 0; k < KINDS; k++) {
        ck_assert_int_eq(e[k].count, f[k].count);
        for (size_t i = 0; i < (size_t)e[k].count; i++) {
            const char *p = e[k].items, *q = f[k].items;
            ck_assert_msg(memcmp(p + i * e[k].size, q + i * f[k].size, e[k].compared) == 0,
                          "event %d of kind %d", (int)i, k);
        }
        most[k] = e[k].count > most[k] ? e[k].count : most[k];
    }
}

static void tie(pv_world *w, pv_joint_type type, pv_vec2 from, pv_body_id b, pv_vec2 to,
                double break_force, void *data) {
    ck_assert(pv_joint_is_valid(w, CREATE(joint, w, it.type = type, it.a = pv_anchor_world(from),
                                          it.b = pv_anchor_body(b, to),
                                          it.break_force = break_force, it.user_data = data)));
}

/// Adds bodies that fall through a sensor, rest, leave the bounds, or hang on ropes that break.
static pv_body_id stage(pv_world *w) {
    put(w, box_mask(600, 20), 0, 100, of_type(PV_BODY_STATIC));
    put(w, box_mask(300, 30), 0, 40, WITH(of_type(PV_BODY_STATIC), it.sensor = true));
    for (int i = 0; i < 4; i++)
        put(w, i & 1 ? disc_mask(8) : box_mask(16, 16), -60 + 40 * i, 0, pv_body_def_default());
    pv_body_def away = WITH(pv_body_def_default(), it.velocity = (pv_vec2){2000, -300});
    put(w, box_mask(6, 6), 200, -300, away);
    put(w, box_mask(6, 6), 200, -400, away);
    for (int i = 0; i < 2; i++) {
        pv_vec2 from = {-250 + 90 * i, -250}, at = {from.x + 30, from.y};
        pv_body_id b = put(w, disc_mask(6), at.x, at.y, pv_body_def_default());
        tie(w, PV_JOINT_ROPE, from, b, at, 30000, &cookies[2]);
    }
    pv_body_id plank = put(w, box_mask(80, 10), 220, 60, pv_body_def_default());
    for (int i = 0; i < 2; i++) {
        pv_vec2 at = {200.5 + 60 * i, 60.5};
        tie(w, PV_JOINT_PIN, at, plank, at, 0, &cookies[i]);
    }
    return plank;
}

static void disturb(pv_world *w, pv_body_id plank, int step) {
    const double at[] = {198, 258, 228};
    for (int i = 0; step == 40 && i < 3; i++) {
        pv_cut slice = pv_cut_box((pv_vec2){at[i], 0}, (pv_vec2){at[i] + 5, 200});
        pv_body_carve(w, plank, &slice, NULL);
    }
    for (pv_body_id b = {0, 0}; step == 200 && (b = pv_world_get_next_body(w, b)).index;)
        if (pv_body_get_type(w, b) == PV_BODY_DYNAMIC)
            pv_body_set_velocity(w, b, (pv_vec2){0, -150});
}

START_TEST_FOR(events_come_back_entry_by_entry, kind, 2) {
    pv_world_def def =
        WITH(pv_world_def_default(), it.contact_mode = (pv_contact_mode)kind,
             it.bounds = (pv_box){{-1000, -1000}, {1000, 1000}}, it.hit_event_threshold = 5);
    close_worlds();
    full = create_world(&def);
    other = create_world(&def);
    pv_body_id plank = stage(full);
    int most[KINDS] = {0};
    for (int i = 0; i < 300; i++) {
        disturb(full, plank, i);
        ck_assert_int_eq(carry(), PV_OK);
        compare_events(most);
        pv_world_step(full, H);
        pv_world_step(other, H);
        compare_events(most);
    }
    for (int k = 0; k < KINDS; k++)
        ck_assert_msg(most[k] >= 2, "%d of kind %d at once", most[k], k);
}

RUN_TESTS_IN("state", open_contours, close_worlds, 1)
