/* test_presolve.c - presolve callbacks, and one-way bodies.
 *
 * Invariant: expected values are formulas of mechanics, or counts of calls.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

enum { RATE = 60 };

static const double G = 320, STEP = 1.0 / RATE;

/// Answer of the callback, and its calls
typedef struct judge {
    pv_presolve_result verdict;
    /// Properties for the contact, if changes is true
    pv_presolve_contact say;
    bool changes;
    int asked;
    pv_presolve_contact last;
} judge;

static pv_presolve_result ask(void *user_data, const pv_world *world,
                              pv_presolve_contact *approach) {
    judge *j = user_data;
    ck_assert(pv_body_is_valid(world, approach->a) && pv_body_is_valid(world, approach->b));
    ck_assert(approach->a.index < approach->b.index);
    ck_assert_double_eq_tol(hypot(approach->normal.x, approach->normal.y), 1, 1e-9);
    j->asked++;
    j->last = *approach;
    if (j->changes) {
        approach->restitution = j->say.restitution;
        approach->static_friction = j->say.static_friction;
        approach->friction = j->say.friction;
        approach->tangent_speed = j->say.tangent_speed;
    }
    return j->verdict;
}

static pv_world *open_world(pv_contact_mode contacts, judge *j) {
    return WORLD(it.contact_mode = contacts, it.presolve_callback = j ? ask : NULL,
                 it.presolve_user_data = j);
}

static double x_of(pv_world *w, pv_body_id b) { return pv_body_get_position(w, b).x; }
static double y_of(pv_world *w, pv_body_id b) { return pv_body_get_position(w, b).y; }
static double vx_of(pv_world *w, pv_body_id b) { return pv_body_get_velocity(w, b).x; }

/// Returns the def of a body without gravity that flies at a velocity.
static pv_body_def flying(double vx, double vy) {
    return WITH(pv_body_def_default(), it.gravity_scale = 0, it.velocity = (pv_vec2){vx, vy});
}

static pv_body_id put_wall(pv_world *w, int width, int height, double x, double y) {
    return put(w, box_mask(width, height), x, y, of_type(PV_BODY_STATIC));
}

static pv_body_id put_box(pv_world *w, double x, double y) {
    return put(w, box_mask(20, 20), x, y, pv_body_def_default());
}

/* ---- answers of the callback ---- */

START_TEST_FOR(what_passes_falls_as_if_nothing_were_there, kind, 2) {
    for (int v = PV_PRESOLVE_IGNORE; v <= PV_PRESOLVE_IGNORE_UNTIL_SEPARATED; v++) {
        judge j = {.verdict = (pv_presolve_result)v};
        scoped_world *w = open_world((pv_contact_mode)kind, &j);
        put_wall(w, 400, 60, 0, 60);
        pv_body_id box = put_box(w, 0, 0);
        steps_well(w, RATE);
        ck_assert_double_eq_tol(y_of(w, box), 0.5 * G, 1e-7);
        ck_assert_int_gt(j.asked, 0);
        ck_assert_int_eq(pv_world_get_stats(w).contacts, 0);
    }
}

START_TEST(until_apart_is_asked_once_and_then_again) {
    judge j = {.verdict = PV_PRESOLVE_IGNORE_UNTIL_SEPARATED};
    scoped_world *w = open_world(PV_CONTACT_MODE_CONTOURS, &j);
    put_wall(w, 400, 40, 0, 60);
    pv_body_id box = put(w, box_mask(20, 20), 0, 0, flying(0, 100));
    steps_well(w, RATE / 3);
    ck_assert_double_gt(y_of(w, box), 30);
    int asked = j.asked;
    steps_well(w, RATE / 3);
    ck_assert_int_eq(j.asked, asked); /* still inside */
    steps_well(w, RATE / 2);
    j.verdict = PV_PRESOLVE_COLLIDE;
    ck_assert_int_eq(pv_body_set_velocity(w, box, (pv_vec2){0, -100}), PV_OK);
    steps_well(w, RATE);
    ck_assert_double_ge(y_of(w, box), 89.5);
}

START_TEST(every_resting_contact_is_asked_about_once_a_step) {
    judge j = {.verdict = PV_PRESOLVE_COLLIDE};
    scoped_world *w = open_world(PV_CONTACT_MODE_CONTOURS, &j);
    put_wall(w, 400, 20, 0, 10);
    for (int i = 0; i < 5; i++) put_box(w, i * 60 - 120, -10);
    steps_well(w, 10);
    j.asked = 0;
    steps_well(w, 10);
    ck_assert_int_eq(j.asked, 50);
    ck_assert(j.last.touching);
    ck_assert_double_eq_tol(j.last.normal.y, -1, 1e-9);
    ck_assert_double_eq_tol(j.last.point.y, 0, 0.1);
}

START_TEST(the_speed_of_approach_is_that_of_the_bodies) {
    judge j = {.verdict = PV_PRESOLVE_IGNORE};
    scoped_world *w = open_world(PV_CONTACT_MODE_CONTOURS, &j);
    put_wall(w, 20, 400, 60, 0);
    pv_body_id ball = put(w, disc_mask(10), 0, 0, flying(240, 0));
    steps_well(w, 20);
    ck_assert_double_eq_tol(fabs(j.last.speed), 240, 1e-6);
    ck_assert_uint_eq(j.last.b.index, ball.index);
}

START_TEST_FOR(friction_of_a_pair_can_be_changed, slides, 2) {
    judge j = {.verdict = PV_PRESOLVE_COLLIDE, .changes = true};
    j.say.static_friction = slides ? 0.1 : 2;
    j.say.friction = slides ? 0.1 : 2;
    scoped_world *w = open_world(PV_CONTACT_MODE_CONTOURS, &j);
    pv_body_def slope = WITH(of_type(PV_BODY_STATIC), it.angle = atan(0.5));
    put(w, box_mask(1600, 20), 0, 0, slope);
    pv_body_def def = WITH(pv_body_def_default(), it.angle = slope.angle);
    double out = 10 + 10 + 0.02, x = out * sin(slope.angle), y = -out * cos(slope.angle);
    pv_body_id box = put(w, box_mask(20, 20), x, y, def);
    steps_well(w, RATE);
    double v = hypot(vx_of(w, box), pv_body_get_velocity(w, box).y), c = 1 / sqrt(1.25),
           s = 0.5 * c;
    ck_assert_double_eq_tol(v, slides ? G * (s - 0.1 * c) : 0, slides ? 1 : 0.05);
}

START_TEST(restitution_and_surface_speed_of_a_pair_can_be_changed) {
    judge j = {.verdict = PV_PRESOLVE_COLLIDE, .changes = true, .say = {.restitution = 1}};
    scoped_world *w = open_world(PV_CONTACT_MODE_CONTOURS, &j);
    put_wall(w, 1600, 20, 0, 110);
    pv_body_id ball = put(w, disc_mask(10), 0, 40, pv_body_def_default());
    double top = 100;
    for (int i = 0; i < 5 * RATE; i++) {
        steps_well(w, 1);
        if (i > RATE / 2) top = fmin(top, y_of(w, ball));
    }
    ck_assert_double_eq_tol(top, 40, 1);
    pv_world_destroy(w);
    j.say = (pv_presolve_contact){.static_friction = 1, .friction = 1, .tangent_speed = 90};
    w = open_world(PV_CONTACT_MODE_CONTOURS, &j);
    put_wall(w, 1600, 20, 0, 110);
    pv_body_id box = put_box(w, 0, 90);
    steps_well(w, 2 * RATE);
    ck_assert_double_eq_tol(vx_of(w, box), 90, 0.01);
}

START_TEST(what_is_said_out_of_range_is_not_heard) {
    judge j = {.verdict = (pv_presolve_result)77, .changes = true};
    j.say = (pv_presolve_contact){
        .restitution = NAN, .static_friction = -1, .friction = INFINITY, .tangent_speed = NAN};
    scoped_world *w = open_world(PV_CONTACT_MODE_CONTOURS, &j),
                 *v = open_world(PV_CONTACT_MODE_CONTOURS, NULL);
    pv_body_id boxes[2];
    for (int i = 0; i < 2; i++) {
        pv_world *world = i ? v : w;
        put_wall(world, 400, 20, 0, 60);
        boxes[i] = put(world, box_mask(20, 20), 0, 0,
                       WITH(pv_body_def_default(), it.velocity = (pv_vec2){60, 0}));
        steps_well(world, RATE / 2);
    }
    ck_assert_double_eq_tol(x_of(w, boxes[0]), x_of(v, boxes[1]), 0.1);
    ck_assert_double_eq_tol(y_of(w, boxes[0]), y_of(v, boxes[1]), 0.1);
}

/* ---- one way ---- */

static pv_body_id platform_at(pv_world *w, pv_mask *mask, double x, double y) {
    return put(w, mask, x, y, WITH(of_type(PV_BODY_STATIC), it.one_way_normal = (pv_vec2){0, -1}));
}

/// Throws a body up at a platform from below. Sets its highest place, and where it is at last.
static void jump(pv_contact_mode kind, pv_mask *mask, double angle, double speed, int thickness,
                 double *top, double *end) {
    scoped_world *w = open_world(kind, NULL);
    platform_at(w, box_mask(600, thickness), 0, 0);
    pv_body_id b = put(w, mask, 0, 100,
                       WITH(pv_body_def_default(), it.angle = angle, it.restitution = 0,
                            it.velocity = (pv_vec2){0, -speed}));
    *top = 100;
    for (int i = 0; i < 8 * RATE; i++) {
        steps_well(w, 1);
        *top = fmin(*top, y_of(w, b));
    }
    *end = y_of(w, b);
}

START_TEST_FOR(one_way_platforms_let_through_from_below_and_hold_from_above, kind, 2) {
    for (int i = 0; i < 24; i++) {
        int thickness = i % 3 == 0 ? 2 : i % 3 == 1 ? 12 : 50;
        double speed = 330 + 25 * i, top, end, rise = speed * speed / (2 * G);
        pv_mask *mask = i % 2 ? disc_mask(10) : box_mask(24, 16);
        jump((pv_contact_mode)kind, mask, i % 4 == 2 ? 0.4 : 0, speed, thickness, &top, &end);
        if (100 - rise > -thickness / 2.0 - 16) continue;
        ck_assert_double_eq_tol(top, 100 - rise, 0.06 * speed / RATE + 0.5);
        ck_assert_msg(end < -thickness / 2.0 - 6 && end > -thickness / 2.0 - 13.5,
                      "kind %d case %d: ends at %g on %d px", kind, i, end, thickness);
    }
}

/// A body half a pixel below the top is held, and one 1.5 px below it falls.
START_TEST_FOR(one_way_platforms_hold_what_is_up_to_a_pixel_deep, deeper, 2) {
    scoped_world *w = open_world(PV_CONTACT_MODE_CONTOURS, NULL);
    platform_at(w, box_mask(100, 40), 0, 20);
    pv_body_id box = put_box(w, 0, -9.5 + deeper);
    steps_well(w, RATE);
    ck_assert_double_eq_tol(y_of(w, box), deeper ? -8.5 + 0.5 * G : -10, 0.5);
}

START_TEST_FOR(what_turns_round_half_way_falls_back, kind, 2) {
    for (int i = 0; i < 12; i++) {
        double top, end, speed = sqrt(2 * G * (80 + 2.5 * i));
        jump((pv_contact_mode)kind, disc_mask(10), 0, speed, 30, &top, &end);
        ck_assert_double_eq_tol(top, 100 - (80 + 2.5 * i), 0.06 * speed / RATE + 0.5);
        ck_assert_double_gt(end, 1000); /* free fall for seven seconds */
    }
}

START_TEST_FOR(one_way_platforms_do_not_stop_what_comes_from_the_side, kind, 2) {
    scoped_world *w = open_world((pv_contact_mode)kind, NULL);
    platform_at(w, box_mask(100, 40), 0, 0);
    pv_body_id b = put(w, box_mask(16, 16), -150, 3, flying(150, 0));
    steps_well(w, 2 * RATE);
    ck_assert_double_eq_tol(x_of(w, b), 150, 1e-6);
    ck_assert_double_eq_tol(y_of(w, b), 3, 1e-6);
}

START_TEST(one_way_platforms_carry_while_they_move) {
    scoped_world *w = open_world(PV_CONTACT_MODE_CONTOURS, NULL);
    pv_body_id platform =
        put(w, box_mask(200, 12), 0, 0,
            WITH(of_type(PV_BODY_KINEMATIC), it.one_way_normal = (pv_vec2){0, -1}));
    pv_body_id box = put_box(w, 0, -16);
    for (int i = 1; i < 20 * RATE; i++) {
        double t = i * STEP, y = 20 * (1 - cos(3 * t));
        ck_assert_int_eq(pv_body_move_to(w, platform, (pv_vec2){10 * sin(t), y}, 0, STEP), PV_OK);
        steps_well(w, 1);
        ck_assert_double_eq_tol(y_of(w, box) - y, -16, 0.3);
    }
}

START_TEST_FOR(the_side_turns_with_the_body, kind, 2) {
    for (int over = 0; over < 2; over++) {
        scoped_world *w = open_world((pv_contact_mode)kind, NULL);
        pv_body_def def = WITH(of_type(PV_BODY_STATIC), it.one_way_normal = (pv_vec2){0, -1});
        def.angle = over ? acos(-1) + 0.1 : 0.1; /* upside down, it does not hold from above */
        put(w, box_mask(300, 12), 0, 0, def);
        pv_body_id b =
            put(w, box_mask(20, 20), 0, -60, WITH(pv_body_def_default(), it.static_friction = 1));
        steps_well(w, 2 * RATE);
        if (over)
            ck_assert_double_gt(y_of(w, b), 200);
        else
            ck_assert_double_eq_tol(y_of(w, b), -16, 3);
    }
}

RUN_TESTS("presolve")
