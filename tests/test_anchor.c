/* test_anchor.c - anchors on polygons, and what they keep from meeting.
 *
 * Invariant: expected values are geometry and sums of momenta, never the library's own output.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#define STEP (1.0 / 60)

static pv_world *open_world(double gravity) {
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, gravity};
    pv_world *w = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(w);
    return w;
}

static pv_body_id put_box(pv_world *w, pv_body_type type, int width, int height, double x,
                          double y) {
    pv_mask *mask = pv_mask_create(width, height, NULL, NULL);
    pv_mask_fill_all(mask, true);
    pv_body_def def = pv_body_def_default();
    def.type = type;
    def.mask = mask;
    def.position = (pv_vec2){x, y};
    pv_body_id b = pv_body_create(w, &def, NULL);
    pv_mask_release(mask);
    ck_assert(pv_body_is_valid(w, b));
    return b;
}

static pv_polygon_id put_square(pv_world *w, double x, double y, double half) {
    const pv_vec2 points[] = {
        {x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}};
    pv_polygon_def def = pv_polygon_def_default();
    def.points = points;
    def.point_count = 4;
    pv_polygon_id p = pv_polygon_create(w, &def, NULL);
    ck_assert(pv_polygon_is_valid(w, p));
    return p;
}

static pv_joint_id join(pv_world *w, pv_joint_type type, pv_anchor a, pv_anchor b) {
    pv_joint_def def = pv_joint_def_default();
    pv_error error;
    def.type = type;
    def.a = a;
    def.b = b;
    pv_joint_id c = pv_joint_create(w, &def, &error);
    ck_assert_int_eq(error.status, PV_OK);
    return c;
}

static double gap(const pv_world *w, pv_joint_id c) {
    pv_vec2 p[2];
    ck_assert_int_eq(pv_joint_get_points(w, c, p), PV_OK);
    return hypot(p[1].x - p[0].x, p[1].y - p[0].y);
}

static void run(pv_world *w, int steps) {
    for (int i = 0; i < steps; i++) step_well(w, STEP);
}

/* ---- places ---- */

START_TEST(an_anchor_is_where_it_was_put_and_goes_with_the_polygon) {
    pv_world *w = open_world(0);
    pv_polygon_id p = put_square(w, 10, 20, 16);
    const pv_vec2 places[] = {{10, 20}, {3, 25}, {26, 36}, {40, 20}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        pv_anchor hook = pv_anchor_world((pv_vec2){200, 20});
        pv_joint_id c = join(w, PV_JOINT_ROPE, hook, pv_anchor_polygon(p, places[i]));
        pv_vec2 at[2];
        ck_assert_int_eq(pv_joint_get_points(w, c, at), PV_OK);
        ck_assert_double_eq_tol(at[1].x, places[i].x, 1e-12);
        ck_assert_double_eq_tol(at[1].y, places[i].y, 1e-12);
        pv_particle_id corners[4];
        ck_assert_int_eq(pv_polygon_get_corners(w, p, corners, 4), 4);
        for (int k = 0; k < 4; k++) { /* a quarter turn about (10, 20) and on by (5, 7) */
            pv_vec2 q = pv_particle_get_position(w, corners[k]);
            pv_particle_set_position(w, corners[k], (pv_vec2){15 - (q.y - 20), 27 + (q.x - 10)});
        }
        ck_assert_int_eq(pv_joint_get_points(w, c, at), PV_OK);
        ck_assert_double_eq_tol(at[1].x, 15 - (places[i].y - 20), 1e-9);
        ck_assert_double_eq_tol(at[1].y, 27 + (places[i].x - 10), 1e-9);
        pv_polygon_destroy(w, p);
        ck_assert(!pv_joint_is_valid(w, c));
        p = put_square(w, 10, 20, 16);
    }
    pv_world_destroy(w);
}
END_TEST

/// A square that hangs by a point off its middle comes to hang with its middle below that.
START_TEST(a_polygon_hangs_below_its_anchor) {
    pv_world *w = open_world(320);
    const pv_vec2 points[] = {{-16, -16}, {16, -16}, {16, 16}, {-16, 16}};
    pv_polygon_def def = pv_polygon_def_default();
    def.points = points;
    def.point_count = 4;
    def.linear_damping = 2;
    pv_polygon_id p = pv_polygon_create(w, &def, NULL);
    pv_joint_id c = join(w, PV_JOINT_PIN, pv_anchor_world((pv_vec2){9, -5}),
                         pv_anchor_polygon(p, (pv_vec2){9, -5}));
    run(w, 1200);
    pv_vec2 middle = pv_polygon_get_position(w, p);
    ck_assert_double_eq_tol(middle.x, 9, 0.05);
    ck_assert_double_eq_tol(middle.y, -5 + hypot(9, 5), 0.05);
    ck_assert_double_lt(gap(w, c), 0.01);
    ck_assert_double_eq_tol(pv_joint_get_force(w, c), 1024 * 320.0, 1024 * 3.2);
    pv_world_destroy(w);
}
END_TEST

/* ---- momentum ---- */

typedef struct total {
    double x, y, turn;
} total;

static void count(total *t, double mass, pv_vec2 p, pv_vec2 v) {
    t->x += mass * v.x;
    t->y += mass * v.y;
    t->turn += mass * (p.x * v.y - p.y * v.x);
}

static total total_of(const pv_world *w) {
    total t = {0, 0, 0};
    for (pv_particle_id p = pv_world_get_next_particle(w, (pv_particle_id){0, 0}); p.index;
         p = pv_world_get_next_particle(w, p))
        count(&t, pv_particle_get_mass(w, p), pv_particle_get_position(w, p),
              pv_particle_get_velocity(w, p));
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0, 0}); b.index;
         b = pv_world_get_next_body(w, b)) {
        count(&t, pv_body_get_mass(w, b), pv_body_get_position(w, b), pv_body_get_velocity(w, b));
        t.turn += pv_body_get_inertia(w, b) * pv_body_get_angular_velocity(w, b);
    }
    return t;
}

START_TEST(a_hinge_of_a_sprite_and_a_polygon_keeps_momentum) {
    const pv_joint_type types[] = {PV_JOINT_PIN, PV_JOINT_DISTANCE, PV_JOINT_ROPE};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        pv_world *w = open_world(0);
        pv_body_id b = put_box(w, PV_BODY_DYNAMIC, 30, 12, 0, 0);
        pv_polygon_id p = put_square(w, 25, 4, 12);
        pv_vec2 on_p = i == 0 ? (pv_vec2){14, 2} : (pv_vec2){28, 9};
        pv_joint_id c =
            join(w, types[i], pv_anchor_body(b, (pv_vec2){14, 2}), pv_anchor_polygon(p, on_p));
        pv_body_set_velocity(w, b, (pv_vec2){-50, 90});
        pv_body_set_angular_velocity(w, b, 4);
        total before = total_of(w);
        for (int k = 0; k < 300; k++) {
            run(w, 1);
            if (i == 0) ck_assert_double_lt(gap(w, c), 0.05);
        }
        total after = total_of(w);
        ck_assert_double_eq_tol(after.x, before.x, 1e-9 * 360 * 100);
        ck_assert_double_eq_tol(after.y, before.y, 1e-9 * 360 * 100);
        ck_assert_double_eq_tol(after.turn, before.turn, 1e-9 * 360 * 100 * 100);
        pv_world_destroy(w);
    }
}
END_TEST

/* ---- what does not meet ---- */

/// A particle that is pinned inside of a sprite leaves it where it is.
START_TEST(what_is_pinned_inside_does_not_push_itself_out) {
    for (int collide = 0; collide < 2; collide++) {
        pv_world *w = open_world(0);
        pv_body_id b = put_box(w, PV_BODY_DYNAMIC, 40, 40, 0, 0);
        pv_particle_def def = pv_particle_def_default();
        def.mass = 400;
        def.position = (pv_vec2){12, 3};
        pv_particle_id p = pv_particle_create(w, &def, NULL);
        pv_joint_def pin = pv_joint_def_default();
        pin.type = PV_JOINT_PIN;
        pin.a = pv_anchor_body(b, def.position);
        pin.b = pv_anchor_particle(p);
        pin.collide_connected = collide;
        pv_joint_id c = pv_joint_create(w, &pin, NULL);
        double worst = 0, force = 0;
        for (int i = 0; i < 120; i++) {
            run(w, 1);
            worst = fmax(worst, gap(w, c));
            force = fmax(force, pv_joint_get_force(w, c));
        }
        ck_assert_double_lt(worst, 1e-9);
        if (collide) /* the sprite pushes, and the pin holds against it */
            ck_assert_double_gt(force, 1000);
        else
            ck_assert_double_lt(force, 1e-3);
        pv_world_destroy(w);
    }
}
END_TEST

/// A polygon falls onto a sprite, and through one that it is pinned to at the far side.
START_TEST(a_polygon_passes_what_it_is_pinned_to) {
    for (int pinned = 0; pinned < 2; pinned++) {
        pv_world *w = open_world(320);
        pv_body_id ground = put_box(w, PV_BODY_STATIC, 200, 40, 0, 40);
        pv_polygon_id p = put_square(w, 0, -10, 12);
        if (pinned) {
            pv_anchor end = pv_anchor_polygon(p, (pv_vec2){11, -10});
            join(w, PV_JOINT_PIN, pv_anchor_body(ground, (pv_vec2){11, -10}), end);
        }
        double lowest = -100;
        for (int i = 0; i < 120; i++) {
            run(w, 1);
            pv_particle_id corners[4];
            pv_polygon_get_corners(w, p, corners, 4);
            for (int k = 0; k < 4; k++)
                lowest = fmax(lowest, pv_particle_get_position(w, corners[k]).y);
        }
        if (pinned)
            ck_assert_double_gt(lowest, 14);
        else
            ck_assert_double_lt(lowest, 20.1);
        pv_world_destroy(w);
    }
}
END_TEST

/// Checks that contacts return after the destruction of a world's last joint.
START_TEST(what_is_let_go_meets_again) {
    for (int let_go = 0; let_go < 2; let_go++) {
        pv_world *w = open_world(0);
        pv_body_id a = put_box(w, PV_BODY_STATIC, 40, 40, 0, 0),
                   b = put_box(w, PV_BODY_DYNAMIC, 40, 40, 60, 0);
        pv_anchor end = pv_anchor_body(b, (pv_vec2){60, 0});
        pv_joint_id c = join(w, PV_JOINT_ROPE, pv_anchor_body(a, (pv_vec2){0, 0}), end);
        run(w, 2);
        if (let_go) ck_assert_int_eq(pv_joint_destroy(w, c), PV_OK);
        pv_body_set_velocity(w, b, (pv_vec2){-40, 0});
        run(w, 60);
        if (let_go)
            ck_assert_double_gt(pv_body_get_position(w, b).x, 39);
        else
            ck_assert_double_lt(pv_body_get_position(w, b).x, 25);
        pv_world_destroy(w);
    }
}
END_TEST

/* ---- what is refused ---- */

START_TEST(bad_anchors_are_refused) {
    pv_world *w = open_world(0);
    pv_polygon_id p = put_square(w, 0, 0, 10), gone = put_square(w, 50, 0, 10);
    pv_polygon_destroy(w, gone);
    pv_joint_def def = pv_joint_def_default();
    pv_error error;
    def.type = PV_JOINT_PIN;
    def.a = pv_anchor_world((pv_vec2){0, 0});
    def.b = pv_anchor_polygon(gone, (pv_vec2){50, 0});
    ck_assert_uint_eq(pv_joint_create(w, &def, &error).index, 0);
    ck_assert_int_eq(error.status, PV_ERROR_STALE_ID);
    def.b = pv_anchor_polygon(p, (pv_vec2){NAN, 0});
    ck_assert_uint_eq(pv_joint_create(w, &def, &error).index, 0);
    ck_assert_int_eq(error.status, PV_ERROR_NOT_FINITE);
    def.a = pv_anchor_polygon(p, (pv_vec2){2, 2});
    def.b = pv_anchor_polygon(p, (pv_vec2){2, 2});
    ck_assert_uint_eq(pv_joint_create(w, &def, &error).index, 0);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    def.type = PV_JOINT_WELD;
    def.a = pv_anchor_world((pv_vec2){0, 0});
    ck_assert_uint_eq(pv_joint_create(w, &def, &error).index, 0);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    pv_world_destroy(w);
}
END_TEST

START_TEST(anchors_tell_their_polygon_and_go_with_its_corners) {
    pv_world *w = open_world(0);
    pv_polygon_id p = put_square(w, 0, 0, 10);
    pv_joint_id c = join(w, PV_JOINT_PIN, pv_anchor_world((pv_vec2){1, 2}),
                         pv_anchor_polygon(p, (pv_vec2){1, 2}));
    pv_anchor ends[2];
    ck_assert_int_eq(pv_joint_get_anchors(w, c, ends), PV_OK);
    ck_assert(ends[1].polygon.index == p.index && ends[1].polygon.generation == p.generation);
    ck_assert_uint_eq(ends[0].polygon.index, 0);
    pv_particle_id corners[4];
    pv_polygon_get_corners(w, p, corners, 4);
    for (int k = 0; k < 4; k++) pv_particle_destroy(w, corners[k]);
    ck_assert(!pv_joint_is_valid(w, c));
    ck_assert(!pv_polygon_is_valid(w, p));
    run(w, 2);
    pv_world_destroy(w);
}
END_TEST

RUN_SUITE("anchor", an_anchor_is_where_it_was_put_and_goes_with_the_polygon,
          a_polygon_hangs_below_its_anchor, a_hinge_of_a_sprite_and_a_polygon_keeps_momentum,
          what_is_pinned_inside_does_not_push_itself_out, a_polygon_passes_what_it_is_pinned_to,
          what_is_let_go_meets_again, bad_anchors_are_refused,
          anchors_tell_their_polygon_and_go_with_its_corners)
