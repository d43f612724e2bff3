/* furnished.h - shared by the suites of snapshots: a world with some of everything.
 *
 * Invariant: bodies have the slots named below.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef FURNISHED_H
#define FURNISHED_H

#include "core/handle.h"
#include "support.h"

static const double H = 1.0 / 60;
static char cookies[4];

enum { FLOOR, CRATE, SPECIAL, DRIVEN, MAPPED, HANGING };

static inline pv_material_map *map_of(int side, unsigned char hardness) {
    unsigned char hard[64 * 64], dense[64 * 64];
    for (int i = 0; i < side * side; i++) {
        hard[i] = (unsigned char)(hardness + i % 7);
        dense[i] = (unsigned char)(100 + i % 50);
    }
    pv_material_map *map = pv_material_map_from_bytes(hard, dense, side, side, side, NULL, NULL);
    ck_assert_ptr_nonnull(map);
    return map;
}

static inline void put_mapped(pv_world *w, unsigned char hardness) {
    pv_body_def def = WITH(pv_body_def_default(), it.material_map = map_of(30, hardness),
                           it.material_map_offset = (pv_point){3, 5});
    put(w, box_mask(20, 20), 220, -60, def);
    pv_material_map_release(def.material_map);
}

static inline void put_bodies(pv_world *w) {
    put(w, box_mask(600, 20), 0, 100, of_type(PV_BODY_STATIC));
    put(w, box_mask(20, 20), 0, 79.9, WITH(pv_body_def_default(), it.user_data = &cookies[1]));
    pv_body_def special =
        WITH(pv_body_def_default(), it.scale = (pv_vec2){-2, 1}, it.gravity_scale = 0.5,
             it.linear_damping = it.angular_damping = 0.25, it.tangent_speed = 7,
             it.one_way_normal = (pv_vec2){0, -1}, it.motion_locks = PV_LOCK_X,
             it.filter = (pv_filter){3, 0xfffffff7, 4}, it.velocity = (pv_vec2){3, -4},
             it.angular_velocity = 0.5);
    pv_body_id b = put(w, disc_mask(9), 100, 0, special);
    pv_fracture_def f =
        WITH(pv_fracture_def_default(), it.connectivity = PV_CONNECTIVITY_8, it.min_part_pixels = 5,
             it.spawn_debris = true, it.toughness = 1e9, it.mode = PV_FRACTURE_CRACK);
    ck_assert_int_eq(pv_body_set_fracture(w, b, &f), PV_OK);
    pv_body_id driven = put(w, box_mask(30, 6), -150, 0, of_type(PV_BODY_KINEMATIC));
    pv_body_move_to(w, driven, (pv_vec2){-149, 1}, 0.01, H);
    put_mapped(w, 40);
    pv_body_id hanging = put(w, disc_mask(6), -60, -40, pv_body_def_default());
    pv_body_apply_force(w, hanging, (pv_vec2){5, 6});
    pv_body_apply_torque(w, hanging, 7);
    put(w, disc_mask(30), 60, 170, WITH(of_type(PV_BODY_STATIC), it.sensor = true));
}

static inline void put_matter(pv_world *w) {
    pv_vec2 corners[4] = {{300, 40}, {330, 40}, {330, 70}, {300, 70}};
    pv_body_id q =
        CREATE(polygon, w, it.points = corners, it.point_count = 4, it.filter.group_index = 3);
    pv_liquid_id water = CREATE_FROM(liquid, w, pv_liquid_def_default());
    pv_particle_def grain = WITH(pv_particle_def_default(), it.position = (pv_vec2){400, -50},
                                 it.filter.group_index = 2);
    pv_liquid_add_particle(w, water, pv_particle_create(w, &grain, NULL));
    pv_body_id hanging = pv__handle_of_body(w, HANGING);
    pv_joint_def def =
        WITH(pv_joint_def_default(), it.type = PV_JOINT_SLIDER,
             it.a = pv_anchor_world((pv_vec2){-60, -90}),
             it.b = pv_anchor_body(hanging, (pv_vec2){-60, -40}), it.axis = (pv_vec2){0, 1});
    ck_assert(pv_joint_is_valid(w, pv_joint_create(w, &def, NULL)));
    put_joint(w, PV_JOINT_ROPE, def.a, pv_anchor_body(q, (pv_vec2){310, 50}));
    CREATE(force_field, w, it.velocity = (pv_vec2){30, 2}, it.gust = 0.5);
}

#endif
