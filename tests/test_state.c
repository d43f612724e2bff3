/* test_state.c - every number of a world's state is in its hash and snapshots, and every event is
 * restored.
 *
 * Invariant: one bit of one number is changed at a time, in the world itself; no other change
 * occurs.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "core/handle.h"
#include "core/pose.h"
#include "core/wake.h"
#include "solver/integrate.h"

static const double H = 1.0 / 60;
static char user_data[4];

static pv_world *open_world(pv_contact_mode contacts) {
    pv_world_def def = pv_world_def_default();
    def.contact_mode = contacts;
    def.hit_event_threshold = 5;
    pv_world *w = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(w);
    return w;
}

/* ---- a world with something of everything ---- */

enum { FLOOR, CRATE, SPECIAL, DRIVEN, MAPPED, HANGING };

static pv_material_map *map_of(int side, unsigned char hardness) {
    unsigned char hard[64 * 64], dense[64 * 64];
    for (int i = 0; i < side * side; i++) {
        hard[i] = (unsigned char)(hardness + i % 7);
        dense[i] = (unsigned char)(100 + i % 50);
    }
    pv_material_map *map = pv_material_map_from_bytes(hard, dense, side, side, side, NULL, NULL);
    ck_assert_ptr_nonnull(map);
    return map;
}

static void put_mapped(pv_world *w, unsigned char hardness) {
    pv_body_def def = pv_body_def_default();
    def.material_map = map_of(30, hardness);
    def.material_map_offset = (pv_point){3, 5};
    put(w, box_mask(20, 20), 220, -60, def);
    pv_material_map_release(def.material_map);
}

static void put_bodies(pv_world *w) {
    put(w, box_mask(600, 20), 0, 100, of_type(PV_BODY_STATIC));
    pv_body_def crate = pv_body_def_default();
    crate.user_data = &user_data[1];
    put(w, box_mask(20, 20), 0, 79.9, crate);
    pv_body_def special = pv_body_def_default();
    special.scale = (pv_vec2){-2, 1};
    special.gravity_scale = 0.5;
    special.linear_damping = special.angular_damping = 0.25;
    special.tangent_speed = 7;
    special.one_way_normal = (pv_vec2){0, -1};
    special.motion_locks = PV_LOCK_X;
    special.filter = (pv_filter){3, 0xfffffff7, 4};
    special.velocity = (pv_vec2){3, -4};
    special.angular_velocity = 0.5;
    pv_body_id b = put(w, disc_mask(9), 100, 0, special);
    pv_fracture_def f = pv_fracture_def_default();
    f.connectivity = PV_CONNECTIVITY_8;
    f.min_part_pixels = 5;
    f.spawn_debris = true;
    f.toughness = 1e9;
    f.mode = PV_FRACTURE_CRACK;
    ck_assert_int_eq(pv_body_set_fracture(w, b, &f), PV_OK);
    pv_body_id driven = put(w, box_mask(30, 6), -150, 0, of_type(PV_BODY_KINEMATIC));
    pv_body_move_to(w, driven, (pv_vec2){-149, 1}, 0.01, H);
    put_mapped(w, 40);
    pv_body_id hanging = put(w, disc_mask(6), -60, -40, pv_body_def_default());
    pv_body_apply_force(w, hanging, (pv_vec2){5, 6});
    pv_body_apply_torque(w, hanging, 7);
}

static void put_matter(pv_world *w) {
    pv_vec2 corners[4] = {{300, 40}, {330, 40}, {330, 70}, {300, 70}};
    pv_polygon_def polygon = pv_polygon_def_default();
    polygon.points = corners;
    polygon.point_count = 4;
    polygon.filter.group_index = 3;
    pv_polygon_id q = pv_polygon_create(w, &polygon, NULL);
    pv_liquid_def liquid = pv_liquid_def_default();
    pv_liquid_id water = pv_liquid_create(w, &liquid, NULL);
    pv_particle_def grain = pv_particle_def_default();
    grain.position = (pv_vec2){400, -50};
    grain.filter.group_index = 2;
    pv_liquid_add_particle(w, water, pv_particle_create(w, &grain, NULL));
    pv_body_id hanging = pv__handle_of_body(w, HANGING);
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_SLIDER;
    def.a = pv_anchor_world((pv_vec2){-60, -90});
    def.b = pv_anchor_body(hanging, (pv_vec2){-60, -40});
    def.axis = (pv_vec2){0, 1};
    ck_assert(pv_joint_is_valid(w, pv_joint_create(w, &def, NULL)));
    def.type = PV_JOINT_ROPE;
    def.b = pv_anchor_polygon(q, (pv_vec2){310, 50});
    ck_assert(pv_joint_is_valid(w, pv_joint_create(w, &def, NULL)));
    pv_force_field_def wind = pv_force_field_def_default();
    wind.velocity = (pv_vec2){30, 2};
    wind.gust = 0.5;
    pv_force_field_create(w, &wind, NULL);
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

/* ---- its numbers ---- */

/// Function that finds an object of a kind in a world: a body, a particle, a joint...
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

/// Both: what is restored has the same hash.
enum { HASHED = 1, SAVED = 2, BOTH = 3 };

/// Number of the state: its place, the distance to its next one, their count, and the data that
/// contain it
typedef struct number {
    const char *name;
    finder find;
    int slot;
    size_t offset, size;
    int count, known;
} number;

#define OF(find, type, slot, field, known)                                                         \
    { #type "." #field, find, slot, offsetof(type, field), sizeof(((type *)0)->field), 1, known }
#define VEC(find, type, slot, field, known)                                                        \
    {                                                                                              \
#type "." #field, find, slot, offsetof(type, field), sizeof(double),                       \
            (int)(sizeof(((type *)0)->field) / (sizeof(double))), known                            \
    }
#define BODY(slot, field, known) OF(the_body, pv__body, slot, field, known)
#define BODY_VEC(slot, field, known) VEC(the_body, pv__body, slot, field, known)
#define GUISE(slot, field, known) OF(the_pixels, pv__body_pixels, slot, field, known)
#define GUISE_VEC(slot, field, known) VEC(the_pixels, pv__body_pixels, slot, field, known)
#define FORCE(field) OF(the_force, pv__force, 0, def.field, BOTH)
#define JOINT(slot, field, known) OF(the_constraint, pv__constraint, slot, field, known)

static const number of_bodies[] = {
    BODY_VEC(CRATE, now, HASHED),
    BODY_VEC(CRATE, before, HASHED),
    BODY_VEC(SPECIAL, before, BOTH),
    BODY_VEC(CRATE, pose.turn, HASHED),
    BODY_VEC(CRATE, pose.turn, SAVED), /* the particles follow it */
    BODY_VEC(CRATE, pose.center, SAVED),
    BODY_VEC(CRATE, still_pose, BOTH),
    BODY_VEC(CRATE, earlier_pose, BOTH),
    BODY_VEC(HANGING, force, BOTH),
    BODY(HANGING, torque, BOTH),
    BODY_VEC(HANGING, acceleration, BOTH),
    BODY(CRATE, still, BOTH),
    BODY(CRATE, verlet_dt0, HASHED),
    BODY(CRATE, mass, BOTH),
    BODY(CRATE, inertia, BOTH),
    BODY(CRATE, material.restitution, BOTH),
    BODY(CRATE, material.static_friction, BOTH),
    BODY(CRATE, material.kinetic_friction, BOTH),
    BODY(SPECIAL, rolling_resistance, BOTH),
    BODY(CRATE, still_span, BOTH),
    BODY(CRATE, still_since, BOTH),
    BODY(CRATE, pace, BOTH),
    BODY(SPECIAL, stuck, BOTH),
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
    BODY(SPECIAL, gravity_scale, BOTH),
    BODY(SPECIAL, linear_damping, BOTH),
    BODY(SPECIAL, angular_damping, BOTH),
    BODY(SPECIAL, tangent_speed, BOTH),
    BODY_VEC(SPECIAL, one_way, BOTH),
    GUISE_VEC(SPECIAL, scale, HASHED),
    BODY(CRATE, gravity_scale, BOTH),
    BODY(CRATE, linear_damping, BOTH),
    BODY(CRATE, tangent_speed, BOTH),
    BODY(CRATE, looks, BOTH),
    BODY(CRATE, crowded, BOTH),
    BODY(CRATE, crushed, BOTH),
    BODY(SPECIAL, filter.category_bits, BOTH),
    BODY(SPECIAL, filter.mask_bits, BOTH),
    BODY(SPECIAL, filter.group_index, BOTH),
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
    BODY_VEC(DRIVEN, drive.velocity, BOTH),
    BODY(DRIVEN, drive.spin, BOTH),
    BODY_VEC(DRIVEN, drive.change, BOTH),
    BODY(DRIVEN, drive.turn, BOTH),
    BODY_VEC(DRIVEN, drive.acceleration, BOTH),
    BODY(DRIVEN, drive.twist, BOTH),
    GUISE(MAPPED, materials.x, HASHED),
    GUISE(MAPPED, materials.y, HASHED),
    OF(the_world, pv_world, 0, steps, BOTH),
    OF(the_world, pv_world, 0, dt, BOTH),
    OF(the_world, pv_world, 0, solver.rested, BOTH),
    VEC(the_world, pv_world, 0, def.gravity, HASHED),
};

static const number of_matter[] = {
    VEC(the_place, pv_vec2, 5, x, BOTH),
    VEC(the_place, pv_vec2, 5, y, BOTH),
    VEC(the_former, pv_vec2, 5, x, BOTH),
    VEC(the_former, pv_vec2, 5, y, BOTH),
    VEC(the_push, pv_vec2, 5, x, BOTH),
    VEC(the_push, pv_vec2, 5, y, BOTH),
    OF(the_filter, pv_filter, 5, group_index, BOTH),
    OF(the_filter, pv_filter, 5, mask_bits, BOTH),
    OF(the_filter, pv_filter, 5, category_bits, BOTH),
    OF(the_grain, pv__particle_data, 5, generation, HASHED),
    OF(the_grain, pv__particle_data, 5, mass, HASHED),
    OF(the_grain, pv__particle_data, 5, radius, BOTH),
    OF(the_grain, pv__particle_data, 5, drag, BOTH),
    OF(the_grain, pv__particle_data, 5, material.restitution, BOTH),
    OF(the_grain, pv__particle_data, 5, material.static_friction, BOTH),
    OF(the_grain, pv__particle_data, 5, material.kinetic_friction, BOTH),
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
    JOINT(6, turned, BOTH),
    JOINT(6, stiffness, HASHED),
    JOINT(6, damping, BOTH),
    JOINT(6, low, BOTH),
    JOINT(6, high, BOTH),
    JOINT(6, speed, BOTH),
    JOINT(6, max_force, BOTH),
    JOINT(6, break_force, BOTH),
    JOINT(6, grace, BOTH),
    JOINT(6, force, SAVED),
    JOINT(6, user_data, SAVED),
    VEC(the_constraint, pv__constraint, 6, axis, BOTH),
    VEC(the_constraint, pv__constraint, 6, angle, BOTH),
    VEC(the_constraint, pv__constraint, 6, a.local, BOTH),
    VEC(the_constraint, pv__constraint, 6, b.local, BOTH),
    JOINT(7, b.corners[0], HASHED),
    JOINT(7, b.corners[1], HASHED),
    JOINT(7, b.corners[2], HASHED),
    VEC(the_constraint, pv__constraint, 7, b.weights, BOTH),
    OF(the_polygon, pv__polygon, 0, slot.generation, HASHED),
    OF(the_polygon, pv__polygon, 0, hull, HASHED),
    OF(the_polygon, pv__polygon, 0, material.static_friction, BOTH),
    OF(the_polygon, pv__polygon, 0, material.kinetic_friction, BOTH),
    OF(the_polygon, pv__polygon, 0, material.restitution, BOTH),
    OF(the_polygon, pv__polygon, 0, still, BOTH),
    OF(the_polygon, pv__polygon, 0, filter.category_bits, BOTH),
    OF(the_polygon, pv__polygon, 0, filter.mask_bits, BOTH),
    OF(the_polygon, pv__polygon, 0, filter.group_index, BOTH),
    VEC(the_polygon, pv__polygon, 0, marks, BOTH),
    OF(the_rest, pv_vec2, 3, x, BOTH),
    OF(the_rest, pv_vec2, 3, y, BOTH),
    OF(the_liquid, pv__liquid, 0, slot.generation, HASHED),
    OF(the_liquid, pv__liquid, 0, def.interaction_radius, BOTH),
    OF(the_liquid, pv__liquid, 0, def.rest_density, BOTH),
    OF(the_liquid, pv__liquid, 0, def.stiffness, BOTH),
    OF(the_liquid, pv__liquid, 0, def.near_stiffness, BOTH),
    OF(the_liquid, pv__liquid, 0, def.viscosity, BOTH),
    OF(the_force, pv__force, 0, slot.generation, HASHED),
    OF(the_force, pv__force, 0, gone, BOTH),
    FORCE(type),
    FORCE(area.min.x),
    FORCE(area.min.y),
    FORCE(area.max.x),
    FORCE(area.max.y),
    FORCE(velocity.x),
    FORCE(velocity.y),
    FORCE(gust),
    FORCE(gust_length),
    FORCE(drag_coefficient),
    FORCE(point.x),
    FORCE(point.y),
    FORCE(strength),
    FORCE(radius),
    FORCE(density),
    FORCE(linear_damping),
};

#define PRESS(slot, field, known) VEC(the_press, pv__contact_point, slot, field, known)
#define PAIR(field, known) OF(the_manifold, pv__manifold, 0, field, known)

static const number of_contours[] = {
    PAIR(a, HASHED),
    PAIR(b, HASHED),
    PAIR(made, HASHED),
    PAIR(clearance, BOTH),
    PAIR(foreseen, BOTH),
    VEC(the_manifold, pv__manifold, 0, apart, BOTH),
    VEC(the_manifold, pv__manifold, 0, turn_a, BOTH),
    VEC(the_manifold, pv__manifold, 0, turn_b, BOTH),
    PRESS(0, anchor_a, BOTH),
    PRESS(1, anchor_b, BOTH),
    PRESS(1, normal, BOTH),
    PRESS(1, impulse_n, BOTH),
    PRESS(1, impulse_t, BOTH),
    PRESS(1, radius_a, BOTH),
    PRESS(1, radius_b, BOTH),
    PRESS(1, impulse_roll, BOTH),
    OF(the_press, pv__contact_point, 1, key, BOTH),
    OF(the_press, pv__contact_point, 1, slides, BOTH),
};

/// Changes one bit.
static unsigned char *change(pv_world *w, const number *n, int k) {
    unsigned char *at = (unsigned char *)n->find(w, n->slot) + n->offset + (size_t)k * n->size;
    *at ^= 1;
    return at;
}

static void check_hashes(pv_world *w, const number *all, size_t count) {
    uint64_t hash = pv_world_compute_hash(w);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; (all[i].known & HASHED) && k < all[i].count; k++) {
            unsigned char *at = change(w, &all[i], k);
            bool differs = pv_world_compute_hash(w) != hash;
            *at ^= 1;
            ck_assert_msg(differs, "%s, %d is not in the hash", all[i].name, k);
        }
    ck_assert_uint_eq(pv_world_compute_hash(w), hash);
}

/// Saves and restores; whether it was accepted.
static pv_status carry(pv_world *from, pv_world *to, unsigned flags) {
    size_t need = pv_world_get_snapshot_size(from, flags), size = 0;
    unsigned char *bytes = malloc(need);
    ck_assert_int_eq(pv_world_save(from, flags, bytes, need, &size), PV_OK);
    pv_status s = pv_world_restore(to, bytes, size);
    free(bytes);
    return s;
}

static void check_restores(pv_world *w, pv_world *other, const number *all, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (int k = 0; (all[i].known & SAVED) && k < all[i].count; k++) {
            unsigned char *at = change(w, &all[i], k);
            pv_status s = carry(w, other, PV_SNAPSHOT_PIXELS);
            ck_assert_msg(s == PV_OK, "%s, %d: %s", all[i].name, k, pv_status_to_string(s));
            const unsigned char *there = (unsigned char *)all[i].find(other, all[i].slot) +
                                         all[i].offset + (size_t)k * all[i].size;
            ck_assert_msg(memcmp(there, at, all[i].size) == 0, "%s, %d does not come back",
                          all[i].name, k);
            bool alike = pv_world_compute_hash(other) == pv_world_compute_hash(w);
            ck_assert_msg(alike || all[i].known != BOTH, "%s, %d changes the hash", all[i].name, k);
            *at ^= 1;
        }
}

#define CHECK_ALL(check, ...)                                                                      \
    do {                                                                                           \
        check(__VA_ARGS__, of_bodies, sizeof of_bodies / sizeof *of_bodies);                       \
        check(__VA_ARGS__, of_matter, sizeof of_matter / sizeof *of_matter);                       \
    } while (0)

START_TEST(each_number_is_in_the_hash) {
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++) {
        pv_world *w = furnished((pv_contact_mode)kind);
        CHECK_ALL(check_hashes, w);
        if (kind == PV_CONTACT_MODE_CONTOURS)
            check_hashes(w, of_contours, sizeof of_contours / sizeof *of_contours);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(each_number_comes_back) {
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++) {
        pv_world *w = furnished((pv_contact_mode)kind), *other = open_world((pv_contact_mode)kind);
        CHECK_ALL(check_restores, w, other);
        if (kind == PV_CONTACT_MODE_CONTOURS)
            check_restores(w, other, of_contours, sizeof of_contours / sizeof *of_contours);
        pv_world_destroy(w);
        pv_world_destroy(other);
    }
}
END_TEST

START_TEST(fractures_come_back_in_all_their_ranges) {
    pv_world *w = furnished(PV_CONTACT_MODE_CONTOURS),
             *other = open_world(PV_CONTACT_MODE_CONTOURS);
    pv_body_id b = pv__handle_of_body(w, CRATE);
    const int least[] = {1, 2, 0x7fffffff};
    for (int i = 0; i < 12; i++) {
        pv_fracture_def f = pv_fracture_def_default();
        f.connectivity = i & 1 ? PV_CONNECTIVITY_8 : PV_CONNECTIVITY_4;
        f.min_part_pixels = least[i % 3];
        f.mode = i & 2 ? PV_FRACTURE_CRACK : PV_FRACTURE_CHIP;
        f.keep_static = i % 5 == 0;
        f.spawn_debris = i % 5 == 1;
        f.toughness = i;
        ck_assert_int_eq(pv_body_set_fracture(w, b, &f), PV_OK);
        ck_assert_int_eq(carry(w, other, PV_SNAPSHOT_PIXELS), PV_OK);
        pv_fracture_def g = pv_body_get_fracture(other, b);
        ck_assert(g.connectivity == f.connectivity && g.min_part_pixels == f.min_part_pixels &&
                  g.mode == f.mode);
        ck_assert(g.keep_static == f.keep_static && g.spawn_debris == f.spawn_debris &&
                  g.toughness == f.toughness);
    }
    pv_world_destroy(w);
    pv_world_destroy(other);
}
END_TEST

/* ---- what has left the numbers ---- */

START_TEST(who_leaves_the_numbers_goes_back_to_where_it_last_was) {
    pv_world *w = furnished(PV_CONTACT_MODE_CONTOURS);
    pv__wake_list_awake(w);
    pv__body *b = &w->bodies.items[CRATE], was = *b;
    ck_assert(b->awake);
    for (int how = 0; how < 16; how++) {
        *b = was;
        w->events.frozen_count = 0;
        bool lost = how & 3, before_lost = how & 12;
        if (how & 1) b->pose.center.x = 2 * PV_MAX_COORDINATE;
        if (how & 2) b->pose.turn.s = NAN;
        if (how & 4) b->before[0].y = b->before[1].y = -2 * PV_MAX_COORDINATE;
        if (how & 8) b->before[0].x = NAN;
        pv__pose back = before_lost ? was.still_pose : pv__pose_before(&was),
                 wanted = lost ? back : b->pose;
        pv__integrate_settle(w);
        ck_assert_int_eq(w->events.frozen_count, lost);
        ck_assert(b->pose.center.x == wanted.center.x && b->pose.center.y == wanted.center.y);
        ck_assert(b->pose.turn.c == wanted.turn.c && b->pose.turn.s == wanted.turn.s);
        pv_vec2 middle = pv__mul(0.5, pv__add(b->now[0], b->now[1]));
        if (lost) ck_assert_double_le(pv__length(pv__sub(middle, wanted.center)), 1e-9);
        if (lost)
            ck_assert(pv__length(pv__pose_chord_of(b).way) < 1e-9 &&
                      pv__abs(pv__pose_chord_of(b).angle) < 1e-9);
    }
    *b = was;
    pv_world_destroy(w);
}
END_TEST

/* ---- what is not a world ---- */

START_TEST(maps_that_names_do_not_mean_are_refused) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS),
             *other = open_world(PV_CONTACT_MODE_CONTOURS);
    put_mapped(w, 40);
    put_mapped(other, 41);
    ck_assert_int_eq(carry(w, w, 0), PV_OK);
    ck_assert_int_eq(carry(other, other, 0), PV_OK);
    uint64_t hash = pv_world_compute_hash(other);
    ck_assert_int_ne(carry(w, other, 0), PV_OK);
    ck_assert_uint_eq(pv_world_compute_hash(other), hash);
    ck_assert_int_eq(carry(w, other, PV_SNAPSHOT_PIXELS), PV_OK);
    ck_assert_uint_eq(pv_world_compute_hash(other), pv_world_compute_hash(w));
    pv_world_destroy(w);
    pv_world_destroy(other);
}
END_TEST

/// A number that no world holds: where, and what it is there.
typedef struct fault {
    number where;
    double value;
    /// An int, not a double
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
    WHOLE(the_grain, pv__particle_data, 5, polygon, 0),
    WHOLE(the_grain, pv__particle_data, 1, polygon, -1),
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

static const fault faults_of_pixels[] = {
    REAL(the_contact, pv__contact, 0, normal.x, 3),
    REAL(the_body, pv__body, CRATE, mass, -1),
};

static pv_status carry_with(pv_world *w, pv_world *other, const fault *f) {
    unsigned char *at = (unsigned char *)f->where.find(w, f->where.slot) + f->where.offset, kept[8];
    int whole = (int)f->value;
    memcpy(kept, at, f->where.size);
    memcpy(at, f->whole ? (const void *)&whole : (const void *)&f->value, f->where.size);
    pv_status status = carry(w, other, PV_SNAPSHOT_PIXELS);
    memcpy(at, kept, f->where.size);
    return status;
}

static void refuse_faults(pv_contact_mode contacts, const fault *all, size_t count) {
    pv_world *w = furnished(contacts), *other = furnished(contacts);
    pv_world_step(other, H);
    uint64_t hash = pv_world_compute_hash(other);
    for (const fault *f = all; f < all + count; f++) {
        ck_assert_uint_eq(f->where.size, f->whole ? sizeof(int) : sizeof(double));
        ck_assert_msg(carry_with(w, other, f) != PV_OK, "%s as %g is restored", f->where.name,
                      f->value);
        ck_assert_msg(pv_world_compute_hash(other) == hash, "%s as %g changes a world",
                      f->where.name, f->value);
    }
    ck_assert_int_eq(carry(w, other, PV_SNAPSHOT_PIXELS), PV_OK);
    ck_assert_uint_eq(pv_world_compute_hash(other), pv_world_compute_hash(w));
    pv_world_destroy(w);
    pv_world_destroy(other);
}

START_TEST(numbers_that_no_world_holds_are_refused) {
    refuse_faults(PV_CONTACT_MODE_CONTOURS, faults, sizeof faults / sizeof *faults);
    refuse_faults(PV_CONTACT_MODE_PIXELS, faults_of_pixels,
                  sizeof faults_of_pixels / sizeof *faults_of_pixels);
}
END_TEST

/// Puts a number into a manifold, if bit 0 is set, and into each point i, if bit i + 1 is set.
static void spoil(pv__manifold *m, unsigned parts, double value) {
    if (parts & 1) m->apart.x = value;
    for (int i = 0; i < m->count; i++)
        if (parts >> (i + 1) & 1) m->points[i].impulse_n = value;
}

/// Any part of a manifold is checked, whatever the others hold. Only `apart` may be any number.
START_TEST(manifolds_are_refused_for_any_of_their_parts) {
    pv_world *w = furnished(PV_CONTACT_MODE_CONTOURS),
             *other = open_world(PV_CONTACT_MODE_CONTOURS);
    pv__manifold *m = manifold_of(w, 1), was = *m;
    pv__contact_point points[PV__MANIFOLD_POINTS];
    size_t bytes = (size_t)m->count * sizeof *points;
    memcpy(points, m->points, bytes);
    const double values[] = {1e300, NAN};
    for (int k = 0; k < 2; k++)
        for (unsigned parts = 0; parts < 2u << m->count; parts++) {
            spoil(m, parts, values[k]);
            bool good = parts == 0 || (parts == 1 && k == 0);
            ck_assert_msg((carry(w, other, PV_SNAPSHOT_PIXELS) == PV_OK) == good,
                          "%g in the parts %u", values[k], parts);
            m->apart = was.apart;
            memcpy(m->points, points, bytes);
        }
    pv_world_destroy(w);
    pv_world_destroy(other);
}
END_TEST

/// Turns of manifolds are unit vectors, within a hundredth of their square.
START_TEST(turns_of_another_length_are_refused) {
    pv_world *w = furnished(PV_CONTACT_MODE_CONTOURS),
             *other = open_world(PV_CONTACT_MODE_CONTOURS);
    pv__manifold *m = manifold_of(w, 1);
    pv_rotation *const turns[] = {&m->turn_a, &m->turn_b};
    const double squares[] = {0.989, 0.991, 1.009, 1.011};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++) {
            pv_rotation was = *turns[i];
            *turns[i] = (pv_rotation){0.6 * sqrt(squares[k]), 0.8 * sqrt(squares[k])};
            ck_assert_msg((carry(w, other, PV_SNAPSHOT_PIXELS) == PV_OK) == (k == 1 || k == 2),
                          "turn %d of square %g", i, squares[k]);
            *turns[i] = was;
        }
    pv_world_destroy(w);
    pv_world_destroy(other);
}
END_TEST

START_TEST(shapes_that_fit_no_mask_are_refused) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS),
             *other = open_world(PV_CONTACT_MODE_CONTOURS);
    pv_body_id b = put(w, box_mask(60, 40), 0, 0, pv_body_def_default());
    pv_cut bite = pv_cut_circle((pv_vec2){10, -18}, 6);
    ck_assert_int_eq(pv_body_carve(w, b, &bite, NULL), PV_OK);
    pv__shape *s = pv__shape_mask_altered(pv_body_get_mask(w, b));
    ck_assert_ptr_nonnull(s);
    int *const sizes[] = {&s->field.w, &s->field.h};
    for (int i = 0; i < 2; i++) {
        int was = *sizes[i];
        *sizes[i] = 1 << 20;
        ck_assert_int_ne(carry(w, other, PV_SNAPSHOT_PIXELS), PV_OK);
        *sizes[i] = was;
    }
    double *const origin[] = {&s->field.origin.x, &s->field.origin.y};
    for (int i = 0; i < 2; i++) {
        double was = *origin[i];
        *origin[i] = 1e300;
        ck_assert_int_ne(carry(w, other, PV_SNAPSHOT_PIXELS), PV_OK);
        *origin[i] = was;
    }
    int *const links[] = {&s->vertices[1].next, &s->vertices[1].previous, &s->alive,
                          &s->sides[0].to};
    for (int i = 0; i < 4; i++) {
        int was = *links[i];
        *links[i] = was > 2 ? was - 1 : was + 1;
        ck_assert_msg(carry(w, other, PV_SNAPSHOT_PIXELS) != PV_OK, "link %d", i);
        *links[i] = was;
    }
    int *const counts[] = {&s->blocks[0].end, &s->near_blocks.nodes[0].end,
                           &s->near_sides.nodes[0].end};
    for (int i = 0; i < 3; i++) {
        int was = *counts[i];
        *counts[i] = 10000;
        ck_assert_msg(carry(w, other, PV_SNAPSHOT_PIXELS) != PV_OK, "count %d", i);
        *counts[i] = was;
    }
    ck_assert_int_eq(carry(w, other, PV_SNAPSHOT_PIXELS), PV_OK);
    pv_world_destroy(w);
    pv_world_destroy(other);
}
END_TEST

/* ---- events ---- */

static bool same(pv_body_id a, pv_body_id b) { return PV_ID_EQUALS(a, b); }
static bool same_place(pv_vec2 a, pv_vec2 b) { return a.x == b.x && a.y == b.y; }

static void same_pairs(const pv_contact_event *p, int n, const pv_contact_event *q, int m) {
    ck_assert_int_eq(n, m);
    for (int i = 0; i < n; i++) ck_assert(same(p[i].a, q[i].a) && same(p[i].b, q[i].b));
}

static void same_visits(const pv_sensor_event *p, int n, const pv_sensor_event *q, int m) {
    ck_assert_int_eq(n, m);
    for (int i = 0; i < n; i++)
        ck_assert(same(p[i].sensor, q[i].sensor) && same(p[i].visitor, q[i].visitor));
}

static void same_names(const pv_body_id *p, int n, const pv_body_id *q, int m) {
    ck_assert_int_eq(n, m);
    for (int i = 0; i < n; i++) ck_assert(same(p[i], q[i]));
}

static void same_hits(const pv_hit_event *p, int n, const pv_hit_event *q, int m) {
    ck_assert_int_eq(n, m);
    for (int i = 0; i < n; i++) {
        ck_assert(same(p[i].a, q[i].a) && same(p[i].b, q[i].b));
        ck_assert(same_place(p[i].point, q[i].point) && same_place(p[i].normal, q[i].normal));
        ck_assert(p[i].speed == q[i].speed && p[i].impulse == q[i].impulse);
    }
}

static void same_breaks(const pv_joint_break_event *p, int n, const pv_joint_break_event *q,
                        int m) {
    ck_assert_int_eq(n, m);
    for (int i = 0; i < n; i++) {
        ck_assert_uint_eq(p[i].joint.index, q[i].joint.index);
        ck_assert_uint_eq(p[i].joint.generation, q[i].joint.generation);
        ck_assert(p[i].force == q[i].force && same_place(p[i].point, q[i].point));
        ck_assert(p[i].user_data == q[i].user_data && p[i].carved == q[i].carved);
    }
}

static void same_carving(const pv_events *e, const pv_events *f) {
    ck_assert(e->split_count == f->split_count && e->dirty_rect_count == f->dirty_rect_count);
    for (int i = 0; i < e->split_count; i++) {
        const pv_split_event *p = &e->splits[i], *q = &f->splits[i];
        ck_assert(same(p->parent, q->parent) && same(p->child, q->child) && p->x == q->x &&
                  p->y == q->y);
    }
    for (int i = 0; i < e->dirty_rect_count; i++) {
        const pv_rect p = e->dirty_rects[i].rect, q = f->dirty_rects[i].rect;
        ck_assert(same(e->dirty_rects[i].body, f->dirty_rects[i].body));
        ck_assert(p.x == q.x && p.y == q.y && p.w == q.w && p.h == q.h);
    }
}

static void same_events(const pv_world *w, const pv_world *other) {
    pv_events e = pv_world_get_events(w), f = pv_world_get_events(other);
    same_pairs(e.contact_begins, e.contact_begin_count, f.contact_begins, f.contact_begin_count);
    same_pairs(e.contact_ends, e.contact_end_count, f.contact_ends, f.contact_end_count);
    same_visits(e.sensor_begins, e.sensor_begin_count, f.sensor_begins, f.sensor_begin_count);
    same_visits(e.sensor_ends, e.sensor_end_count, f.sensor_ends, f.sensor_end_count);
    same_names(e.sleeps, e.sleep_count, f.sleeps, f.sleep_count);
    same_names(e.wakes, e.wake_count, f.wakes, f.wake_count);
    same_names(e.out_of_bounds, e.out_of_bounds_count, f.out_of_bounds, f.out_of_bounds_count);
    same_hits(e.hits, e.hit_count, f.hits, f.hit_count);
    same_breaks(e.joint_breaks, e.joint_break_count, f.joint_breaks, f.joint_break_count);
    same_carving(&e, &f);
}

/// Greatest number of events at once, for each kind
typedef struct tally {
    int most[11];
} tally;

static void count(tally *t, const pv_world *w) {
    pv_events e = pv_world_get_events(w);
    const int counts[] = {e.contact_begin_count, e.contact_end_count,   e.hit_count,
                          e.sensor_begin_count,  e.sensor_end_count,    e.sleep_count,
                          e.wake_count,          e.out_of_bounds_count, e.joint_break_count,
                          e.split_count,         e.dirty_rect_count};
    for (int i = 0; i < 11; i++) t->most[i] = counts[i] > t->most[i] ? counts[i] : t->most[i];
}

static void hang(pv_world *w, pv_vec2 from, double break_force) {
    pv_body_id b = put(w, disc_mask(6), from.x + 30, from.y, pv_body_def_default());
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_ROPE;
    def.a = pv_anchor_world(from);
    def.b = pv_anchor_body(b, (pv_vec2){from.x + 30, from.y});
    def.break_force = break_force;
    def.user_data = &user_data[2];
    ck_assert(pv_joint_is_valid(w, pv_joint_create(w, &def, NULL)));
}

/// Things that fall through sensors onto a floor, rest, leave the bounds, hang on ropes that break.
static pv_body_id stage(pv_world *w) {
    put(w, box_mask(600, 20), 0, 100, of_type(PV_BODY_STATIC));
    pv_body_def sensor = of_type(PV_BODY_STATIC);
    sensor.sensor = true;
    put(w, box_mask(300, 30), 0, 40, sensor);
    for (int i = 0; i < 4; i++)
        put(w, i & 1 ? disc_mask(8) : box_mask(16, 16), -60 + 40 * i, 0, pv_body_def_default());
    pv_body_def away = pv_body_def_default();
    away.velocity = (pv_vec2){2000, -300};
    put(w, box_mask(6, 6), 200, -300, away);
    put(w, box_mask(6, 6), 200, -400, away);
    for (int i = 0; i < 2; i++) hang(w, (pv_vec2){-250 + 90 * i, -250}, 30000);
    pv_body_id plank = put(w, box_mask(80, 10), 220, 60, pv_body_def_default());
    for (int i = 0; i < 2; i++) {
        pv_joint_def def = pv_joint_def_default();
        def.type = PV_JOINT_PIN;
        def.a = pv_anchor_world((pv_vec2){200.5 + 60 * i, 60.5});
        def.b = pv_anchor_body(plank, def.a.point);
        def.user_data = &user_data[i];
        ck_assert(pv_joint_is_valid(w, pv_joint_create(w, &def, NULL)));
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

START_TEST(events_come_back_entry_by_entry) {
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++) {
        pv_world_def def = pv_world_def_default();
        def.contact_mode = (pv_contact_mode)kind;
        def.bounds = (pv_box){{-1000, -1000}, {1000, 1000}};
        def.hit_event_threshold = 5;
        pv_world *w = pv_world_create(&def, NULL), *other = pv_world_create(&def, NULL);
        pv_body_id plank = stage(w);
        tally t = {{0}};
        for (int i = 0; i < 300; i++) {
            disturb(w, plank, i);
            ck_assert_int_eq(carry(w, other, PV_SNAPSHOT_PIXELS), PV_OK);
            same_events(w, other);
            pv_world_step(w, H);
            pv_world_step(other, H);
            same_events(w, other);
            count(&t, w);
        }
        for (int i = 0; i < 11; i++)
            ck_assert_msg(t.most[i] >= 2, "%d of kind %d at once", t.most[i], i);
        pv_world_destroy(w);
        pv_world_destroy(other);
    }
}
END_TEST

RUN_SUITE("state", each_number_is_in_the_hash, each_number_comes_back,
          fractures_come_back_in_all_their_ranges,
          who_leaves_the_numbers_goes_back_to_where_it_last_was,
          maps_that_names_do_not_mean_are_refused, numbers_that_no_world_holds_are_refused,
          manifolds_are_refused_for_any_of_their_parts, turns_of_another_length_are_refused,
          shapes_that_fit_no_mask_are_refused, events_come_back_entry_by_entry)
