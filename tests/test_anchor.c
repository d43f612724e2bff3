/* test_anchor.c - anchors on polygons, and objects that they keep from colliding.
 *
 * Invariant: expected values come from geometry and sums of momenta, never from library output.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shared_world.h"

static pv_world *w;

static pv_body_id put_square(double x, double y, double half) {
    const pv_vec2 points[] = {
        {x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}};
    return put_polygon(w, points, 4);
}

/* ---- places ---- */

START_TEST(an_anchor_is_where_it_was_put_and_goes_with_the_polygon) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    const pv_vec2 places[] = {{10, 20}, {3, 25}, {26, 36}, {40, 20}};
    const pv_anchor hook = pv_anchor_world((pv_vec2){200, 20});
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        pv_body_id p = put_square(10, 20, 16);
        pv_anchor end = pv_anchor_body(p, places[i]), at[2];
        pv_joint_def weld = joint_of(PV_JOINT_WELD, hook, end),
                     own = joint_of(PV_JOINT_PIN, end, end);
        ck_assert_uint_eq(pv_joint_create(w, &weld, NULL).index, 0); /* polygons have no welds */
        ck_assert_uint_eq(pv_joint_create(w, &own, NULL).index, 0);
        pv_joint_id c = join(PV_JOINT_ROPE, hook, end);
        ck_assert_int_eq(pv_joint_get_anchors(w, c, at), PV_OK);
        ck_assert(PV_ID_EQUALS(at[1].body, p) && PV_ID_IS_NULL(at[0].body));
        expect_point(at[1].point, places[i].x, places[i].y, 1e-12);
        pv_particle_id corners[4];
        ck_assert_int_eq(pv_body_get_corners(w, p, corners, 4), 4);
        for (int k = 0; k < 4; k++) { /* a quarter turn about (10, 20) and on by (5, 7) */
            pv_vec2 q = particle_at(corners[k]);
            pv_particle_set_position(w, corners[k], (pv_vec2){15 - (q.y - 20), 27 + (q.x - 10)});
        }
        ck_assert_int_eq(pv_joint_get_anchors(w, c, at), PV_OK);
        expect_point(at[1].point, 15 - (places[i].y - 20), 27 + (places[i].x - 10), 1e-9);
        if (i % 2) pv_body_destroy(w, p);
        for (int k = 0; k < 4; k++) pv_particle_destroy(w, corners[k]); /* it goes with these */
        ck_assert(!pv_joint_is_valid(w, c) && !pv_body_is_valid(w, p));
        step_times(2);
    }
}

/// A square that hangs by a point off its middle ends with its middle straight below that point.
START_TEST(a_polygon_hangs_below_its_anchor) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320);
    const pv_vec2 points[] = {{-16, -16}, {16, -16}, {16, 16}, {-16, 16}};
    pv_body_id p =
        CREATE(polygon, w, it.points = points, it.point_count = 4, it.linear_damping = 2);
    pv_joint_id c =
        join(PV_JOINT_PIN, pv_anchor_world((pv_vec2){9, -5}), pv_anchor_body(p, (pv_vec2){9, -5}));
    step_times(1200);
    expect_point(polygon_at(p), 9, -5 + hypot(9, 5), 0.05);
    ck_assert_double_lt(gap_of(c), 0.01);
    ck_assert_double_eq_tol(pv_joint_get_force(w, c), 1024 * 320.0, 1024 * 3.2);
}

/* ---- momentum ---- */

START_TEST(a_hinge_of_a_sprite_and_a_polygon_keeps_momentum) {
    const pv_joint_type types[] = {PV_JOINT_PIN, PV_JOINT_DISTANCE, PV_JOINT_ROPE};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
        pv_body_id b = put_box(PV_BODY_DYNAMIC, 30, 12, 0, 0), p = put_square(25, 4, 12);
        pv_joint_id c = join(types[i], pv_anchor_body(b, (pv_vec2){14, 2}),
                             pv_anchor_body(p, i == 0 ? (pv_vec2){14, 2} : (pv_vec2){28, 9}));
        pv_body_set_velocity(w, b, (pv_vec2){-50, 90});
        pv_body_set_angular_velocity(w, b, 4);
        momenta before = momenta_of(w);
        for (int k = 0; k < 300; k++) {
            step_times(1);
            if (i == 0) ck_assert_double_lt(gap_of(c), 0.05);
        }
        expect_kept_momenta(&before, w, 1e-9 * 360 * 100, 1e-9 * 360 * 100 * 100);
    }
}

/* ---- pairs that do not collide ---- */

/// A particle pinned inside a sprite does not move it.
START_TEST_FOR(what_is_pinned_inside_does_not_push_itself_out, collide, 2) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_body_id b = put_box(PV_BODY_DYNAMIC, 40, 40, 0, 0);
    pv_particle_def def =
        WITH(pv_particle_def_default(), it.mass = 400, it.position = (pv_vec2){12, 3});
    pv_joint_def pin = WITH(joint_of(PV_JOINT_PIN, pv_anchor_body(b, def.position),
                                     pv_anchor_particle(pv_particle_create(w, &def, NULL))),
                            it.collide_connected = collide);
    pv_joint_id c = join_by(pin);
    double worst = 0, force = 0;
    for (int i = 0; i < 120; i++) {
        step_times(1);
        worst = fmax(worst, gap_of(c));
        force = fmax(force, pv_joint_get_force(w, c));
    }
    ck_assert_double_lt(worst, 1e-9);
    if (collide) /* the sprite pushes, and the pin resists */
        ck_assert_double_gt(force, 1000);
    else
        ck_assert_double_lt(force, 1e-3);
}

/// A polygon falls onto a sprite, but through one that it is pinned to.
START_TEST_FOR(a_polygon_passes_what_it_is_pinned_to, pinned, 2) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320);
    pv_body_id ground = put_box(PV_BODY_STATIC, 200, 40, 0, 40), p = put_square(0, -10, 12);
    if (pinned) {
        pv_anchor end = pv_anchor_body(p, (pv_vec2){11, -10});
        join(PV_JOINT_PIN, pv_anchor_body(ground, (pv_vec2){11, -10}), end);
    }
    double lowest = -100;
    for (int i = 0; i < 120; i++) {
        step_times(1);
        pv_particle_id corners[4];
        pv_body_get_corners(w, p, corners, 4);
        for (int k = 0; k < 4; k++) lowest = fmax(lowest, particle_at(corners[k]).y);
    }
    if (pinned)
        ck_assert_double_gt(lowest, 14);
    else
        ck_assert_double_lt(lowest, 20.1);
}

RUN_TESTS_IN("anchor", NULL, close_world, 1)
