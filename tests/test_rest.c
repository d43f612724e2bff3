/* test_rest.c - bodies at rest cost almost nothing and react at once; slow ones are not at rest.
 *
 * Invariant: expected motions follow from free fall and momentum.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "core/world.h"

enum { BASE = 7, BOXES = BASE * (BASE + 1) / 2, SIZE = 32 };

static const double STEP = 1.0 / 60, GRAVITY = 320;

static pv_body_def stuff(pv_body_type type, double friction) {
    return WITH(of_type(type), it.restitution = 0, it.static_friction = it.friction = friction);
}

static void run(pv_world *w, double seconds) { steps_well(w, (int)(seconds * 60 + 0.5)); }

/// Adds a floor whose surface is y = 0.
static void put_floor(pv_world *w, int width, double x, double friction) {
    put(w, box_mask(width, 20), x, 10, stuff(PV_BODY_STATIC, friction));
}

static pv_body_id put_box(pv_world *w, double x, double y, double friction) {
    return put(w, box_mask(SIZE, SIZE), x, y, stuff(PV_BODY_DYNAMIC, friction));
}

static double x_of(const pv_world *w, pv_body_id b) { return pv_body_get_position(w, b).x; }
static double y_of(const pv_world *w, pv_body_id b) { return pv_body_get_position(w, b).y; }
static double vx_of(const pv_world *w, pv_body_id b) { return pv_body_get_velocity(w, b).x; }
static double vy_of(const pv_world *w, pv_body_id b) { return pv_body_get_velocity(w, b).y; }

/// Returns a pyramid of boxes on a floor after some seconds; the last box is the top.
static pv_world *pyramid(pv_body_id box[BOXES], bool sleeping, double seconds) {
    pv_world *w = plain_world(0, GRAVITY, sleeping);
    int n = 0;
    put_floor(w, 800, 0, 0.6);
    for (int row = 0; row < BASE; row++)
        for (int i = 0; i < BASE - row; i++)
            box[n++] = put_box(w, (i - (BASE - 1 - row) / 2.0) * (SIZE + 2),
                               -SIZE / 2.0 - (SIZE + 0.02) * row, 0.6);
    run(w, seconds);
    return w;
}

/// Returns the number of bodies that took all substeps of the last step.
static int restless(const pv_world *w) { return w->solver.active_count + w->solver.flying_count; }

START_TEST(a_pile_at_rest_takes_one_substep) {
    pv_body_id box[BOXES];
    scoped_world *w = pyramid(box, false, 4);
    for (int i = 0; i < 120; i++) {
        run(w, STEP);
        ck_assert_int_eq(restless(w), 0);
    }
    ck_assert_int_eq(pv_world_get_stats(w).awake, BOXES);
    for (int i = 0; i < BOXES; i++) {
        pv_vec2 v = pv_body_get_velocity(w, box[i]);
        ck_assert_double_lt(hypot(v.x, v.y), 0.03);
    }
}

START_TEST(a_ball_rolls_over_a_wall_that_rests) {
    enum { WIDE = 30, HIGH = 6 };
    scoped_world *w = plain_world(0, GRAVITY, false);
    put_floor(w, 1600, 480, 0.6);
    for (int i = 0; i < WIDE * HIGH; i++)
        put_box(w, (i % WIDE) * (SIZE + 0.02), -SIZE / 2.0 - (SIZE + 0.01) * (i / WIDE), 0.6);
    run(w, 4);
    pv_body_id ball =
        put(w, disc_mask(8), 200, -(SIZE + 0.01) * HIGH - 8,
            WITH(stuff(PV_BODY_DYNAMIC, 0.6), it.velocity.x = 10, it.angular_velocity = 10 / 8.0));
    run(w, 1);
    for (int i = 0; i < 120; i++) {
        run(w, STEP);
        ck_assert_int_ge(restless(w), 1);
        ck_assert_int_le(restless(w), WIDE * HIGH / 2);
    }
    ck_assert_double_eq_tol(x_of(w, ball), 230, 3);
}

START_TEST(what_moves_takes_all_substeps) {
    pv_body_id box[BOXES];
    scoped_world *w = pyramid(box, false, 4);
    pv_body_id ball = put(w, disc_mask(8), 300, -300, pv_body_def_default());
    for (int i = 0; i < 30; i++) {
        run(w, STEP);
        ck_assert_int_eq(restless(w), 1); /* only the ball, away from the pile */
        double t = (i + 1) * STEP;
        ck_assert_double_eq_tol(y_of(w, ball), -300 + 0.5 * GRAVITY * t * t, 1e-6);
    }
}

/// Pokes one disc of a heap at rest in each step; few others must be roused.
START_TEST(a_poke_rouses_what_it_moves) {
    enum { COLUMNS = 30, DISCS = 600, CELL = 17 };
    scoped_world *w = plain_world(0, GRAVITY, false);
    pv_body_id disc[DISCS];
    put(w, box_mask(COLUMNS * CELL + 100, 40), 0, 20, stuff(PV_BODY_STATIC, 0.6));
    for (int side = -1; side <= 1; side += 2)
        put(w, box_mask(40, 600), side * (COLUMNS * CELL / 2 + 20 + CELL), -300,
            stuff(PV_BODY_STATIC, 0.6));
    for (int i = 0; i < DISCS; i++) {
        int line = i / COLUMNS;
        disc[i] = put(w, disc_mask(8), CELL * (i % COLUMNS - COLUMNS / 2 + (line % 2 ? 0.5 : 0)),
                      -CELL * (line + 0.5), stuff(PV_BODY_DYNAMIC, 0.6));
    }
    run(w, 10);
    int roused = 0;
    for (int i = 0; i < 60; i++) {
        pv_body_id poked = disc[137 * i % DISCS];
        pv_vec2 v = pv_body_get_velocity(w, poked);
        pv_body_set_velocity(w, poked, (pv_vec2){v.x + (i % 2 ? 1 : -1), v.y});
        run(w, STEP);
        roused += restless(w);
    }
    ck_assert_int_gt(roused, 0);
    ck_assert_int_lt(roused, 60 * DISCS / 50); /* most rest again before the step ends */
}

START_TEST_FOR(a_kick_is_felt_in_its_step, sleeping, 2) {
    pv_body_id box[BOXES];
    scoped_world *w = pyramid(box, sleeping, 4);
    pv_body_id top = box[BOXES - 1];
    ck_assert_int_eq(pv_world_get_stats(w).awake, sleeping ? 0 : BOXES);
    pv_vec2 at = pv_body_get_position(w, top);
    double mass = pv_body_get_mass(w, top), up = -60;
    pv_body_apply_impulse_at(w, top, (pv_vec2){0, mass * up}, at);
    run(w, STEP);
    ck_assert_double_eq_tol(y_of(w, top) - at.y, up * STEP + 0.5 * GRAVITY * STEP * STEP, 0.02);
    ck_assert_double_eq_tol(vy_of(w, top), up + GRAVITY * STEP, 0.5);
}

START_TEST_FOR(gravity_turned_lifts_all_in_its_step, sleeping, 2) {
    pv_body_id box[BOXES];
    pv_vec2 at[BOXES];
    scoped_world *w = pyramid(box, sleeping, 4);
    for (int i = 0; i < BOXES; i++) at[i] = pv_body_get_position(w, box[i]);
    pv_world_set_gravity(w, (pv_vec2){0, -GRAVITY});
    run(w, STEP);
    for (int i = 0; i < BOXES; i++) /* released overlaps open a bit more */
        ck_assert_double_eq_tol(y_of(w, box[i]) - at[i].y, -0.5 * GRAVITY * STEP * STEP, 0.015);
    run(w, 0.5 - STEP);
    for (int i = 0; i < BOXES; i++) ck_assert_double_eq_tol(vy_of(w, box[i]), -GRAVITY / 2, 1);
}

START_TEST(a_force_moves_what_rests) {
    /* three times the force that friction can hold, and a third of it */
    for (int k = 0; k < 2; k++) {
        scoped_world *w = plain_world(0, GRAVITY, false);
        put_floor(w, 400, 0, 0.3);
        pv_body_id box = put_box(w, 0, -SIZE / 2.0, 0.3);
        run(w, 2);
        ck_assert_int_eq(restless(w), 0);
        double mass = pv_body_get_mass(w, box), at = x_of(w, box);
        double pull = (k ? 1.0 / 3 : 3) * 0.3 * GRAVITY;
        for (int i = 0; i < 12; i++) {
            pv_body_apply_force(w, box, (pv_vec2){mass * pull, 0});
            run(w, STEP);
        }
        double t = 12 * STEP, way = k ? 0 : 0.5 * (pull - 0.3 * GRAVITY) * t * t;
        ck_assert_double_eq_tol(x_of(w, box) - at, way, 0.03 * way + 0.01);
    }
}

START_TEST(a_force_on_what_rests_ends_at_a_wall_that_it_has_not_met) {
    scoped_world *w = plain_world(0, GRAVITY, false);
    put_floor(w, 400, 0, 0);
    pv_body_id box = put_box(w, -4, -SIZE / 2.0, 0);
    put(w, box_mask(20, 400), SIZE / 2.0 + 10, -200, stuff(PV_BODY_STATIC, 0));
    run(w, 2 + STEP);
    ck_assert_int_eq(restless(w), 0);
    pv_body_apply_force(w, box, (pv_vec2){40000 * pv_body_get_mass(w, box), 0});
    run(w, STEP);
    ck_assert_double_eq_tol(x_of(w, box), 0, 0.02);
}

/// Returns the momentum along x of all dynamic bodies.
static double momentum(const pv_world *w) {
    double sum = 0;
    for (pv_body_id b = {0, 0}; (b = pv_world_get_next_body(w, b)).index;)
        if (pv_body_get_type(w, b) == PV_BODY_DYNAMIC) sum += pv_body_get_mass(w, b) * vx_of(w, b);
    return sum;
}

/// Returns a world with a column of boxes on a floor.
static pv_world *column(pv_body_id box[3], double friction, bool sleeping) {
    pv_world *w = plain_world(0, GRAVITY, sleeping);
    put_floor(w, 2000, 0, friction);
    for (int i = 0; i < 3; i++) box[i] = put_box(w, 0, -SIZE / 2.0 - (SIZE + 0.02) * i, friction);
    run(w, 3);
    return w;
}

START_TEST_FOR(a_kick_goes_through_a_column_in_its_step, sleeping, 2) {
    pv_body_id box[3];
    /* Speed that one box loses under the weight of one box */
    double mu = 0.3, speed = 300, slowed = mu * GRAVITY * STEP;
    scoped_world *w = column(box, mu, sleeping);
    pv_vec2 impulse = {speed * pv_body_get_mass(w, box[0]), 0};
    pv_body_apply_impulse_at(w, box[0], impulse, pv_body_get_position(w, box[0]));
    run(w, STEP);
    ck_assert_double_eq_tol(vx_of(w, box[0]), speed - 5 * slowed, 0.5);
    ck_assert_double_eq_tol(vx_of(w, box[1]), slowed, 0.3);
    ck_assert_double_eq_tol(vx_of(w, box[2]), slowed, 0.3);
}

START_TEST_FOR(a_bullet_is_felt_in_the_step_in_which_it_arrives, sleeping, 2) {
    for (int speed = 400; speed <= 12800; speed *= 2)
        for (int phase = 0; phase < 5; phase++) {
            pv_body_id box[3];
            scoped_world *w = column(box, 0, sleeping);
            ck_assert_int_eq(sleeping ? pv_world_get_stats(w).awake : restless(w), 0);
            pv_body_def def = stuff(PV_BODY_DYNAMIC, 0);
            double way = 300 + phase * speed * STEP / 5;
            /* The bullet arrives at its starting height. */
            def.velocity = (pv_vec2){speed, -0.5 * GRAVITY * way / speed};
            pv_body_id bullet = put(w, disc_mask(4), -SIZE / 2.0 - 4 - way, -1.5 * SIZE, def);
            double before = momentum(w), slowed = speed;
            for (int i = 0; i < 200 && slowed > 0.99 * speed; i++) {
                run(w, STEP);
                slowed = vx_of(w, bullet);
            }
            ck_assert_msg(slowed < 0.5 * speed, "%d px/s: %g left", speed, slowed);
            ck_assert_msg(fabs(momentum(w) - before) < 1e-6 * before, "%d px/s%s: %g of %g left",
                          speed, sleeping ? " against sleep" : "", momentum(w), before);
            ck_assert(pv_body_is_awake(w, box[1]));
            ck_assert_double_gt(vx_of(w, box[1]), 0);
        }
}

START_TEST(a_slow_float_is_not_slowed) {
    scoped_world *w = plain_world(0, 0, false);
    pv_body_def def = WITH(stuff(PV_BODY_DYNAMIC, 0.6), it.velocity = (pv_vec2){0.01, -0.004},
                           it.angular_velocity = 1e-4);
    pv_body_id free = put(w, box_mask(SIZE, SIZE), 0, 0, def);
    def.velocity = (pv_vec2){0, 0};
    def.angular_velocity = 0;
    put(w, box_mask(SIZE, SIZE), 2 * SIZE, 0, def);
    for (int i = 1; i <= 1200; i++) {
        run(w, STEP);
        ck_assert_double_eq_tol(x_of(w, free), 0.01 * i * STEP, 1e-9);
        ck_assert_double_eq_tol(y_of(w, free), -0.004 * i * STEP, 1e-9);
        ck_assert_double_eq_tol(pv_body_get_angle(w, free), 1e-4 * i * STEP, 1e-9);
    }
}

START_TEST(two_that_touch_in_space_float_on) {
    scoped_world *w = plain_world(0, 0, false);
    pv_body_def def = WITH(stuff(PV_BODY_DYNAMIC, 0.6), it.velocity = (pv_vec2){0.01, 0});
    pv_body_id a = put(w, box_mask(SIZE, SIZE), 0, 0, def),
               b = put(w, box_mask(SIZE, SIZE), 0, SIZE + 0.02, def);
    run(w, 20);
    ck_assert_double_eq_tol(x_of(w, a), 0.2, 1e-6);
    ck_assert_double_eq_tol(x_of(w, b), 0.2, 1e-6);
}

START_TEST(creeping_gets_away) {
    /* a tilt of 0.1 px/s^2 on ice moves it late, but it does */
    scoped_world *w = plain_world(0.1, GRAVITY, false);
    put_floor(w, 4000, 0, 0);
    pv_body_id box = put_box(w, 0, -SIZE / 2.0 - 0.02, 0);
    run(w, 20);
    double early = vx_of(w, box);
    ck_assert_double_gt(early, 1);
    ck_assert_double_le(early, 0.1 * 20 + 1e-6);
    run(w, 10);
    ck_assert_double_eq_tol(vx_of(w, box) - early, 0.1 * 10, 0.01);
}

/// Checks that a free body moves by the formula and never sleeps.
static void check_flight(double g, double speed, double seconds) {
    scoped_world *w = plain_world(0, g, true);
    pv_body_id b = put(w, box_mask(SIZE, SIZE), 0, 0,
                       WITH(stuff(PV_BODY_DYNAMIC, 0.6), it.velocity = (pv_vec2){0, speed}));
    long steps = lround(seconds / STEP);
    for (long i = 0; i < steps; i++) {
        run(w, STEP);
        ck_assert_msg(pv_body_is_awake(w, b), "g %g: asleep in step %ld", g, i);
    }
    double t = (double)steps * STEP;
    ck_assert_double_eq_tol(y_of(w, b), speed * t + 0.5 * g * t * t, 0.05);
}

START_TEST(what_flies_does_not_fall_asleep) {
    check_flight(0.5, 0, 10);
    check_flight(2, 0, 10);
    check_flight(0.5, -2, 8); /* stops for a moment on the way */
    check_flight(20, -60, 6);
    check_flight(0, 0.1, 10);
    check_flight(0, -0.02, 10);
}

START_TEST(what_slides_does_not_fall_asleep) {
    for (double friction = 0.48; friction < 0.5; friction += 0.015) { /* on a slope of one half */
        double angle = atan(0.5), g = 500, a = g * (sin(angle) - friction * cos(angle));
        scoped_world *w = plain_world(g * sin(angle), g * cos(angle), true);
        put_floor(w, 2000, 0, friction);
        pv_body_id box = put(w, box_mask(SIZE, SIZE / 2), 0, -SIZE / 4.0 - 0.005,
                             stuff(PV_BODY_DYNAMIC, friction));
        run(w, 4);
        ck_assert(pv_body_is_awake(w, box));
        ck_assert_double_eq_tol(x_of(w, box), 0.5 * a * 16, 0.05 * a * 8);
    }
}

START_TEST(rest_is_found_again) {
    pv_body_id box[BOXES];
    scoped_world *w = pyramid(box, false, 4);
    pv_body_id ball = put(w, disc_mask(8), 0, -400, pv_body_def_default());
    run(w, 2);
    pv_body_destroy(w, ball);
    run(w, 4);
    ck_assert_int_eq(restless(w), 0);
    pv_body_destroy(w, box[0]); /* a corner stone */
    run(w, STEP);
    ck_assert_int_gt(restless(w), 0);
    run(w, 8);
    ck_assert_int_eq(restless(w), 0);
}

/// Bodies fall asleep together with a kinematic one that bears them, and fall when it is destroyed.
static void check_on_driven(pv_contact_mode contacts) {
    scoped_world *w = world_by(contacts);
    pv_body_id ground = put(w, box_mask(400, 20), 0, 10, stuff(PV_BODY_KINEMATIC, 0.6)), boxes[3];
    for (int i = 0; i < 3; i++)
        boxes[i] = put(w, box_mask(20, 20), 0, -20 * (i + 0.5), stuff(PV_BODY_DYNAMIC, 0.6));
    run(w, 3);
    ck_assert(!pv_body_is_awake(w, ground));
    for (int i = 0; i < 3; i++) ck_assert(!pv_body_is_awake(w, boxes[i]));
    pv_body_destroy(w, ground);
    run(w, 0.5);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(y_of(w, boxes[i]) + 20 * (i + 0.5), 0.5 * GRAVITY * 0.25, 2);
}

START_TEST(what_a_driven_body_bears_sleeps_with_it) {
    check_on_driven(PV_CONTACT_MODE_CONTOURS);
    check_on_driven(PV_CONTACT_MODE_PIXELS);
}

/// Adds a square ring around the origin, 5 px thick.
static void put_ring(pv_world *w, int side) {
    pv_mask *m = box_mask(side, side);
    pv_body_def def = WITH(pv_body_def_default(), it.gravity_scale = 0);
    pv_mask_fill_rect(m, (pv_rect){5, 5, side - 10, side - 10}, false);
    put(w, m, 0, 0, def);
}

/// A push moves a resting crate in a crowd at full speed, even if its pairs exceed the limit.
START_TEST(a_push_from_rest_counts_in_a_crowd) {
    for (int rest = 16; rest < 24; rest++) {
        scoped_world *w = plain_world(0, 20, false);
        pv_body_id crate = put(w, box_mask(10, 10), 0, 0, stuff(PV_BODY_DYNAMIC, 0));
        put(w, box_mask(50, 4), 0, 7, stuff(PV_BODY_STATIC, 0));
        for (int i = 0; i < 6; i++) put_ring(w, 70 + 12 * i);
        for (int i = 0; i < 8; i++)
            put(w, box_mask(2, 2), 9 + 2.5 * (i / 2), i % 2 ? -9 : -6.5, of_type(PV_BODY_STATIC));
        run(w, rest * STEP);
        ck_assert(!w->broad_phase.crowded);
        pv_body_apply_force(w, crate, (pv_vec2){pv_body_get_mass(w, crate) * 600 / STEP, 0});
        run(w, STEP);
        ck_assert(w->broad_phase.crowded);
        ck_assert_double_eq_tol(vx_of(w, crate), 600, 1e-6);
    }
}

RUN_TESTS("rest")
