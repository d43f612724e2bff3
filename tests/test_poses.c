/* test_poses.c - poses as arrays, queries on one body or two, oriented hits, vectors.
 *
 * Invariant: arrays agree with functions of one body, and overlaps with counts of single pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

enum { BODIES = 12 };

static const char *const hook[] = {"##..", "#...", "####", NULL};

/// Returns a world of turned, scaled, mirrored hooks; every third is static, every fourth disabled.
static pv_world *yard(pv_body_id bodies[BODIES]) {
    pv_world *w = pv_world_create(NULL, NULL);
    pv_mask *mask = text_mask(hook);
    for (int i = 0; i < BODIES; i++) {
        pv_body_def d = pv_body_def_at(PV_BODY_DYNAMIC, mask, 5 * i, 2 * i);
        if (i % 3 == 0) d = pv_body_def_at(PV_BODY_STATIC, mask, 5 * i, 2 * i);
        d.angle = 0.7 * i;
        d.scale = (pv_vec2){i % 2 ? -2 : 2, 2};
        d.user_data = &bodies[i];
        d.enabled = i % 4 != 3;
        bodies[i] = pv_body_create(w, &d, NULL);
    }
    pv_mask_release(mask);
    for (int i = 0; i < 5; i++) pv_world_step(w, 1.0 / 60);
    return w;
}

static void check_pose(const pv_world *w, const pv_pose *p) {
    pv_transform t = pv_body_get_transform(w, p->body);
    pv_vec2 at = pv_body_get_position(w, p->body),
            corner = pv_transform_to_world(&t, PV_VEC2(0, 0));
    pv_rotation turn = pv_body_get_transform(w, p->body).rotation;
    ck_assert(p->position.x == at.x && p->position.y == at.y);
    ck_assert(p->rotation.c == turn.c && p->rotation.s == turn.s);
    ck_assert(p->top_left.x == corner.x && p->top_left.y == corner.y);
    ck_assert_ptr_eq(p->user_data, pv_body_get_user_data(w, p->body));
}

START_TEST(poses_are_those_of_the_bodies) {
    pv_body_id bodies[BODIES], listed[BODIES];
    pv_pose poses[BODIES], some[3];
    scoped_world *w = yard(bodies);
    pv_body_destroy(w, bodies[4]);
    pv_body_id next = pv_null_body;
    for (int i = 0; (next = pv_world_get_next_body(w, next)).index; i++) listed[i] = next;
    ck_assert_int_eq(pv_world_get_stats(w).bodies, BODIES - 1);
    for (unsigned flags = 0; flags < 4; flags++) {
        int count = pv_world_get_poses(w, flags, poses, BODIES), k = 0;
        ck_assert_int_eq(pv_world_get_poses(w, flags, some, 3), count);
        ck_assert_int_eq(pv_world_get_poses(w, flags, NULL, 0), count);
        for (int i = 0; i < BODIES - 1; i++) {
            bool enabled = pv_body_is_enabled(w, listed[i]), awake = pv_body_is_awake(w, listed[i]);
            if (!(enabled || flags & PV_POSES_DISABLED) || !(awake || !(flags & PV_POSES_AWAKE)))
                continue;
            ck_assert(PV_ID_EQUALS(poses[k].body, listed[i]));
            check_pose(w, &poses[k++]);
        }
        ck_assert_int_eq(k, count);
        ck_assert_mem_eq(some, poses, 3 * sizeof *poses);
    }
}

START_TEST(a_pose_between_two_keeps_its_picture_together) {
    pv_body_id bodies[BODIES];
    pv_pose before[2], after[2];
    scoped_world *w = yard(bodies);
    pv_world_get_poses(w, PV_POSES_DISABLED, before, 2);
    for (int i = 0; i < 20; i++) pv_world_step(w, 1.0 / 60);
    pv_world_get_poses(w, PV_POSES_DISABLED, after, 2);
    pv_pose from = before[1], to = after[1];
    pv_pose first = pv_pose_lerp(&from, &to, 0), last = pv_pose_lerp(&from, &to, 7),
            half = pv_pose_lerp(&from, &to, 0.5);
    ck_assert_double_eq_tol(pv_vec2_length(pv_vec2_sub(first.position, from.position)), 0, 1e-12);
    ck_assert_double_eq_tol(pv_vec2_length(pv_vec2_sub(last.top_left, to.top_left)), 0, 1e-9);
    ck_assert_double_eq_tol(half.position.x, (from.position.x + to.position.x) / 2, 1e-12);
    ck_assert_double_eq_tol(half.rotation.c * half.rotation.c + half.rotation.s * half.rotation.s,
                            1, 1e-12);
    double arm = pv_vec2_length(pv_vec2_sub(half.top_left, half.position));
    ck_assert_double_eq_tol(arm, pv_vec2_length(pv_vec2_sub(to.top_left, to.position)), 1e-12);
    pv_clock clock = {.step = 0.1, .max_steps = 4};
    ck_assert_int_eq(pv_clock_advance(&clock, 0.125), 1);
    ck_assert_double_eq_tol(clock.accumulator / clock.step, 0.25, 1e-12);
}

START_TEST(particles_go_into_a_buffer) {
    scoped_world *w = pv_world_create(NULL, NULL);
    float xy[8] = {0};
    for (int i = 0; i < 5; i++) CREATE(particle, w, it.position = PV_VEC2(10.25 * i, -i));
    ck_assert_int_eq(pv_world_get_particle_positions(w, xy, 3), 5);
    for (int i = 0; i < 3; i++) {
        ck_assert(xy[2 * i] == (float)(10.25 * i));
        ck_assert(xy[2 * i + 1] == (float)-i);
    }
    ck_assert(xy[6] == 0 && xy[7] == 0);
    ck_assert_int_eq(pv_world_get_particle_positions(w, NULL, 0), 5);
}

/// Counts the world pixels that two bodies share, one by one.
static int64_t shared(const pv_world *w, pv_body_id a, pv_body_id b) {
    pv_placed p = pv_body_get_placed(w, a), q = pv_body_get_placed(w, b);
    pv_rect at, over;
    pv_mask *first = pv_mask_transform(p.mask, &p.transform, &at, NULL, NULL),
            *second = pv_mask_transform(q.mask, &q.transform, &over, NULL, NULL);
    int64_t count = 0;
    for (int y = 0; y < at.h; y++)
        for (int x = 0; x < at.w; x++)
            count += pv_mask_get_pixel(first, x, y) &&
                     pv_mask_get_pixel(second, x + at.x - over.x, y + at.y - over.y);
    release_masks(first, second);
    return count;
}

START_TEST(two_bodies_overlap_by_their_pixels) {
    pv_body_id bodies[BODIES];
    scoped_world *w = yard(bodies);
    int met = 0;
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < BODIES; k++) {
            if (i == k) continue;
            int64_t area = shared(w, bodies[i], bodies[k]);
            pv_placed a = pv_body_get_placed(w, bodies[i]), b = pv_body_get_placed(w, bodies[k]);
            ck_assert_int_eq(pv_body_test_overlap(w, bodies[i], bodies[k]), area > 0);
            ck_assert_int_eq(pv_placed_compute_overlap_area(&a, &b), area);
            met += area > 0;
        }
    ck_assert_int_gt(met, 4);
    ck_assert(!pv_body_test_overlap(w, bodies[0], pv_null_body));
    ck_assert_ptr_null(pv_body_get_placed(w, pv_null_body).mask);
}

START_TEST(points_go_to_the_picture_and_back) {
    pv_body_id bodies[BODIES];
    scoped_world *w = yard(bodies);
    for (int i = 0; i < BODIES; i++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 4; x++) {
                pv_vec2 at = pv_body_to_world(w, bodies[i], PV_VEC2(x + 0.5, y + 0.5));
                ck_assert_vec_eq_tol(pv_body_to_local(w, bodies[i], at), x + 0.5, y + 0.5, 1e-9);
                ck_assert_int_eq(pv_body_test_point(w, bodies[i], at), hook[y][x] == '#');
            }
}

START_TEST(a_picture_lies_by_its_corner) {
    static const unsigned char heavy[12] = {255, 1, 1, 1, 9, 1, 1, 1, 90, 1, 1, 200};
    scoped_world *w = pv_world_create(NULL, NULL);
    scoped_mask *mask = text_mask(hook);
    scoped_map *map = pv_material_map_from_bytes(NULL, heavy, 4, 3, 4, NULL, NULL);
    for (int i = 0; i < 24; i++) {
        pv_body_def d = pv_body_def_at(PV_BODY_KINEMATIC, mask, 0, 0);
        ck_assert_int_eq(d.type, PV_BODY_KINEMATIC);
        d.angle = i;
        d.scale = PV_VEC2(i & 1 ? -1 : 1, i & 2 ? -1 : 1);
        d.material_map = i & 4 ? map : NULL;
        pv_body_def_set_top_left(&d, PV_VEC2(30, 20));
        pv_body_id b = pv_body_create(w, &d, NULL);
        ck_assert_vec_eq_tol(pv_body_to_world(w, b, PV_VEC2(0, 0)), 30, 20, 1e-9);
    }
    pv_body_def_set_top_left(NULL, PV_VEC2(0, 0));
}

START_TEST(what_rests_is_a_rest_gap_apart) {
    scoped_world *w = pv_world_create(NULL, NULL);
    scoped_mask *floor = pv_mask_create_rect(200, 20, NULL, NULL),
                *box = pv_mask_create_rect(20, 20, NULL, NULL);
    pv_body_def d = pv_body_def_at(PV_BODY_STATIC, floor, 100, 110);
    pv_body_create(w, &d, NULL);
    d = pv_body_def_at(PV_BODY_DYNAMIC, box, 100, 85);
    pv_body_id b = pv_body_create(w, &d, NULL);
    steps_well(w, 300);
    double gap = 100 - (pv_body_get_position(w, b).y + 10);
    ck_assert(!pv_body_is_awake(w, b));
    ck_assert_double_eq_tol(gap, PV_REST_GAP, 0.1 * PV_REST_GAP);
}

START_TEST(a_hit_is_seen_from_either_side) {
    pv_body_id a = {1, 1}, b = {2, 1}, c = {3, 1};
    pv_hit_event hit = {.a = a, .b = b, .normal = {0.6, 0.8}};
    ck_assert(pv_hit_event_orient(&hit, a) && hit.normal.x == 0.6 && PV_ID_EQUALS(hit.a, a));
    ck_assert(pv_hit_event_orient(&hit, b) && hit.normal.x == -0.6 && hit.normal.y == -0.8);
    ck_assert(PV_ID_EQUALS(hit.a, b) && PV_ID_EQUALS(hit.b, a));
    ck_assert(!pv_hit_event_orient(&hit, c) && PV_ID_EQUALS(hit.a, b));
    ck_assert(!pv_hit_event_orient(NULL, b));
}

START_TEST(vectors_and_boxes_reckon) {
    pv_vec2 a = {3, 4}, b = {-4, 3};
    pv_rotation quarter = pv_rotation_from_angle(1.5707963267948966);
    ck_assert(pv_vec2_length(a) == 5);
    ck_assert(pv_vec2_dot(a, b) == 0 && pv_vec2_cross(a, b) == 25);
    ck_assert(pv_vec2_perp(a).x == -4 && pv_vec2_perp(a).y == 3);
    ck_assert(pv_vec2_add(a, b).x == -1 && pv_vec2_sub(a, b).y == 1);
    ck_assert(pv_vec2_scale(2, a).y == 8 && pv_vec2_lerp(a, b, 0.5).x == -0.5);
    ck_assert(pv_vec2_normalize(a).x == 0.6 && pv_vec2_normalize(PV_VEC2(0, 0)).x == 0);
    ck_assert(pv_vec2_normalize(PV_VEC2(NAN, 1)).y == 0);
    ck_assert_double_eq_tol(pv_vec2_rotate(quarter, a).x, -4, 1e-12);
    ck_assert_double_eq_tol(pv_vec2_rotate_inverse(quarter, b).x, 3, 1e-12);
    pv_box box = {{0, 0}, {10, 10}}, beside = {{10, 10}, {20, 20}}, none = {{1, 1}, {-1, -1}};
    ck_assert(pv_box_contains(box, PV_VEC2(10, 0)) && !pv_box_contains(box, PV_VEC2(10.1, 0)));
    ck_assert(pv_box_overlaps(box, beside) && !pv_box_overlaps(box, none));
    ck_assert(pv_box_overlaps(box, box) && !pv_box_overlaps(none, none));
    pv_transform flat = WITH(pv_transform_identity(), it.scale.x = 0);
    ck_assert(pv_transform_to_local(&flat, a).x == 3 && pv_transform_to_local(NULL, a).y == 4);
}

RUN_TESTS("poses")
