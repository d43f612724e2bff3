/* test_body_properties.c - gravity scale, damping, locks, surface speed, types, kinematic bodies.
 *
 * Invariant: expected values are formulas of mechanics, or of the integrator as documented.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shared_world.h"

enum { SUBSTEPS = 16, RATE = 60 };

static const double G = 320, STEP = 1.0 / RATE, H = 1.0 / RATE / SUBSTEPS;

static pv_world *w;

static void open_world(int contacts, double gravity) {
    w = next_world(WITH(with_gravity(gravity), it.contact_mode = (pv_contact_mode)contacts,
                        it.substeps = SUBSTEPS));
}

static void open_usual(void) { open_world(PV_CONTACT_MODE_CONTOURS, G); }

static pv_body_id floor_at(double top) { return put_box(PV_BODY_STATIC, 2000, 20, 0, top + 10); }

static double spin_of(pv_body_id b) { return pv_body_get_angular_velocity(w, b); }

START_TEST_FOR(gravity_has_its_share, kind, 2) {
    const double scales[] = {0, 0.5, 1, -2};
    for (int i = 0; i < 4; i++) {
        open_world(kind, G);
        pv_body_id b = put(w, box_mask(8, 8), 0, 0,
                           WITH(pv_body_def_default(), it.gravity_scale = scales[i])),
                   later = put_box(2, 8, 8, 500, 0);
        ck_assert_int_eq(pv_body_set_gravity_scale(w, later, scales[i]), PV_OK);
        step_times(RATE);
        ck_assert_double_eq_tol(body_at(b).y, 0.5 * scales[i] * G, 1e-8);
        ck_assert_double_eq_tol(body_at(later).y, 0.5 * scales[i] * G, 1e-8);
    }
}

START_TEST_FOR(damping_is_the_drag_of_particles, kind, 2) {
    open_world(kind, G);
    pv_body_id b =
        put(w, box_mask(8, 8), 0, 0,
            WITH(pv_body_def_default(), it.linear_damping = 2.5, it.velocity = (pv_vec2){100, 0}));
    long double x = 0, px = -100 * H, y = 0, py = 0, d = 2.5 * H;
    for (int i = 0; i < 2 * RATE * SUBSTEPS; i++) {
        long double nx = x + (1 - d) * (x - px);
        long double ny = y + (1 - d) * (y - py) + (i == 0 ? 0.5 : 1) * G * H * H;
        px = x, x = nx, py = y, y = ny;
    }
    step_times(2 * RATE);
    expect_point(body_at(b), (double)x, (double)y, 1e-8);
    step_times(10 * RATE);
    ck_assert_double_eq_tol(body_v(b).y, G / 2.5, 0.5);
}

START_TEST(a_damped_spin_decays_and_the_center_goes_on) {
    open_world(PV_CONTACT_MODE_CONTOURS, 0);
    pv_body_id b = put(w, box_mask(8, 30), 0, 0,
                       WITH(pv_body_def_default(), it.angular_damping = 1, it.angular_velocity = 20,
                            it.velocity = (pv_vec2){50, 0}));
    step_times(RATE);
    ck_assert_double_eq_tol(spin_of(b), 20 * pow(1 - H, RATE * SUBSTEPS), 1e-9);
    ck_assert_double_eq_tol(body_at(b).x, 50, 1e-8);
    ck_assert_int_eq(pv_body_set_linear_damping(w, b, 0), PV_OK);
    ck_assert_int_eq(pv_body_set_angular_damping(w, b, 0), PV_OK);
    double spin = spin_of(b);
    step_times(RATE);
    ck_assert_double_eq_tol(spin_of(b), spin, 1e-9);
}

/* ---- locks ---- */

/// Throws a ball at a box along x, and returns their velocities after the hit.
static void collide(pv_contact_mode kind, unsigned locks, double *ball, double *box) {
    open_world(kind, 0);
    pv_body_def def = WITH(pv_body_def_default(), it.restitution = 1,
                           it.static_friction = it.friction = 0, it.motion_locks = locks);
    pv_body_id target = put(w, box_mask(40, 40), 0, 0, def);
    def.motion_locks = 0;
    def.velocity = (pv_vec2){300, 0};
    pv_body_id b = put(w, disc_mask(8), -60, 0, def);
    step_times(RATE / 2);
    *ball = body_v(b).x;
    *box = body_v(target).x;
}

START_TEST(what_is_locked_along_x_is_hit_like_a_wall) {
    scoped_mask *disc = disc_mask(8);
    double ball, box, area = pv_mask_compute_mass(disc).area;
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++) {
        collide(kind, PV_LOCK_X, &ball, &box);
        ck_assert_double_eq_tol(ball, -300, 1e-6);
        ck_assert_double_eq_tol(box, 0, 1e-12);
        collide(kind, PV_LOCK_Y | PV_LOCK_ROTATION, &ball, &box);
        ck_assert_double_eq_tol(ball, 300 * (area - 1600) / (area + 1600), 1e-6);
        ck_assert_double_eq_tol(box, 600 * area / (area + 1600), 1e-6);
    }
}

START_TEST(what_is_locked_along_y_floats_and_carries) {
    pv_body_id shelf =
        put(w, box_mask(200, 10), 0, 100,
            WITH(pv_body_def_default(), it.motion_locks = PV_LOCK_Y | PV_LOCK_ROTATION));
    pv_body_id crate = put_box(PV_BODY_DYNAMIC, 20, 20, 30, 80);
    step_times(2 * RATE);
    ck_assert_double_eq_tol(body_at(shelf).y, 100, 1e-9);
    ck_assert_double_eq_tol(body_at(crate).y, 85, 0.05);
    ck_assert_int_eq(
        pv_body_apply_impulse_at(w, shelf, (pv_vec2){2000 * 5, 2000 * 5}, body_at(shelf)), PV_OK);
    step_times(RATE);
    ck_assert_double_eq_tol(body_at(shelf).y, 100, 1e-9);
    ck_assert_double_gt(body_at(shelf).x, 3);
}

START_TEST(a_ball_on_a_slope_locked_along_x_rests_and_one_locked_along_all_is_a_wall) {
    put(w, box_mask(400, 20), 0, 100,
        WITH(of_type(PV_BODY_STATIC), it.angle = 0.5, it.static_friction = it.friction = 0));
    pv_body_def def = WITH(pv_body_def_default(), it.motion_locks = PV_LOCK_X);
    pv_body_id ball = put(w, disc_mask(10), 20, 40, def);
    def.motion_locks = PV_LOCK_X | PV_LOCK_Y | PV_LOCK_ROTATION;
    pv_body_id wall = put(w, box_mask(10, 60), 300, 100, def);
    def.motion_locks = 0;
    def.velocity = (pv_vec2){200, -100};
    pv_body_id hits = put(w, box_mask(10, 10), 250, 100, def);
    step_times(5 * RATE);
    ck_assert_double_eq_tol(body_at(ball).x, 20, 1e-9);
    ck_assert_double_eq_tol(body_v(ball).y, 0, 0.01);
    ck_assert_double_lt(body_at(ball).y, 100);
    expect_point(body_at(wall), 300, 100, 1e-9);
    ck_assert_double_lt(body_at(hits).x, 295);
}

START_TEST_FOR(what_is_locked_along_all_keeps_its_numbers_where_it_cannot_give_way, kind, 2) {
    for (unsigned other = 0; other < 2; other++) {
        open_world(kind, 0);
        pv_body_def def = WITH(of_type(other ? PV_BODY_DYNAMIC : PV_BODY_STATIC),
                               it.motion_locks = PV_LOCK_X | PV_LOCK_Y | PV_LOCK_ROTATION);
        pv_body_id wall = put(w, box_mask(10, 60), 100, 0, def);
        def.type = PV_BODY_DYNAMIC;
        def.velocity = (pv_vec2){800, 300};
        pv_body_id b = put(w, disc_mask(9), 20, -30, def);
        for (int i = 0; i < RATE; i++) step_well(w, 1.0 / RATE);
        ck_assert_double_le(hypot(body_v(b).x, body_v(b).y), hypot(800, 300) + 1e-6);
        ck_assert_double_eq_tol(spin_of(b), 0, 1e-9);
        ck_assert_double_eq_tol(body_at(wall).x, 100, 1e-9);
    }
}

/* ---- surfaces ---- */

START_TEST_FOR(a_box_on_a_conveyor_takes_its_speed_by_friction, kind, 2) {
    for (int way = -1; way <= 1; way += 2) {
        open_world(kind, G);
        pv_body_id belt = floor_at(0);
        ck_assert_int_eq(pv_body_set_tangent_speed(w, belt, way * 120), PV_OK);
        set_surface(w, belt, 0, 0.4, 0.25);
        pv_body_id box =
            put(w, box_mask(30, 20), 0, -10.02,
                WITH(pv_body_def_default(), it.static_friction = 0.4, it.friction = 0.25));
        step_times(RATE / 2); /* mu g t = 40 px/s */
        double off = fabs(body_v(box).x - way * 0.25 * G * 0.5);
        ck_assert_msg(off < (kind == PV_CONTACT_MODE_PIXELS ? 6 : 1), "kind %d: off by %g", kind,
                      off);
        step_times(5 * RATE / 2);
        double x = body_at(box).x;
        ck_assert_double_eq_tol(body_v(box).x, way * 120, 0.01);
        step_times(RATE);
        ck_assert_double_eq_tol(body_at(box).x - x, way * 120, 0.01);
    }
}

START_TEST(a_disc_laid_on_a_conveyor_rolls_at_a_third_of_its_speed) {
    ck_assert_int_eq(pv_body_set_tangent_speed(w, floor_at(0), 150), PV_OK);
    pv_mask *mask = disc_mask(40);
    pv_mass_data m = pv_mask_compute_mass(mask);
    pv_body_id disc = put(w, mask, 0, -40, pv_body_def_default());
    step_times(2 * RATE);
    double r2 = m.area / acos(-1.0), share = m.inertia / (m.inertia + m.area * r2);
    ck_assert_double_eq_tol(body_v(disc).x, 150 * share, 0.5);
    ck_assert_double_eq_tol(spin_of(disc), (body_v(disc).x - 150) / sqrt(r2), 0.05);
}

START_TEST(a_running_surface_keeps_what_lies_on_it_awake) {
    pv_body_id belt = floor_at(0), box = put_box(PV_BODY_DYNAMIC, 20, 20, 0, -10);
    step_times(2 * RATE);
    ck_assert(!pv_body_is_awake(w, box));
    ck_assert_int_eq(pv_body_set_tangent_speed(w, belt, 60), PV_OK);
    step_times(2 * RATE);
    ck_assert_double_eq_tol(body_v(box).x, 60, 0.01);
    ck_assert_int_eq(pv_body_set_tangent_speed(w, belt, 0), PV_OK);
    step_times(3 * RATE);
    ck_assert_double_eq_tol(body_v(box).x, 0, 0.01);
    ck_assert(!pv_body_is_awake(w, box));
}

/* ---- types, and enabling ---- */

START_TEST_FOR(types_change_while_running, kind, 2) {
    open_world(kind, G);
    pv_body_id a = put_box(PV_BODY_DYNAMIC, 40, 20, 0, 0);
    pv_body_id b = put_box(PV_BODY_DYNAMIC, 20, 20, 0, -20.1);
    step_times(RATE / 2);
    ck_assert_int_eq(pv_body_set_type(w, a, PV_BODY_STATIC), PV_OK);
    double y = body_at(a).y;
    ck_assert_double_eq(body_v(a).y, 0);
    step_times(2 * RATE);
    ck_assert_double_eq(body_at(a).y, y);
    ck_assert_double_eq_tol(body_at(b).y, y - 20, 1);
    ck_assert(!pv_body_is_awake(w, b));
    ck_assert_int_eq(pv_body_set_type(w, a, PV_BODY_DYNAMIC), PV_OK);
    step_times(RATE);
    double off = fabs(body_at(a).y - y - 0.5 * G); /* includes overlap that was released */
    ck_assert_double_lt(off, (kind == PV_CONTACT_MODE_PIXELS ? 0.5 : 0.1));
    ck_assert_double_eq_tol(body_at(b).y, y - 20 + 0.5 * G, 1);
    ck_assert_int_eq(pv_body_set_type(w, a, PV_BODY_KINEMATIC), PV_OK);
    double v = body_v(a).y, from = body_at(a).y;
    step_times(RATE);
    ck_assert_double_eq_tol(body_at(a).y, from + v, 1e-6);
}

START_TEST_FOR(what_is_disabled_is_not_there, kind, 2) {
    open_world(kind, G);
    floor_at(100);
    pv_body_id shelf = put_box(PV_BODY_STATIC, 60, 10, 0, 0);
    pv_body_id box = put_box(PV_BODY_DYNAMIC, 20, 20, 0, -15);
    pv_body_id other = put_box(PV_BODY_DYNAMIC, 20, 20, 200, 0);
    ck_assert_int_eq(pv_body_set_velocity(w, other, (pv_vec2){30, 0}), PV_OK);
    ck_assert_int_eq(pv_body_set_enabled(w, other, false), PV_OK);
    step_times(2 * RATE);
    ck_assert(!pv_body_is_awake(w, box));
    ck_assert_int_eq(pv_body_set_enabled(w, shelf, false), PV_OK);
    ck_assert(!pv_body_get_def(w, shelf).enabled);
    ck_assert_int_eq(pv_world_query_point(w, (pv_vec2){0, 0}, NULL, NULL, 0), 0);
    step_times(1);
    ck_assert_int_eq(pv_world_get_events(w).contact_end_count, 1);
    step_times(2 * RATE);
    ck_assert_double_eq_tol(body_at(box).y, 90, 1);
    ck_assert_double_eq(body_at(other).x, 200);
    ck_assert_double_eq(body_at(other).y, 0);
    ck_assert_int_eq(pv_body_set_enabled(w, other, true), PV_OK);
    step_times(RATE / 2);
    expect_point(body_at(other), 215, 0.125 * G, 1e-6);
}

START_TEST_FOR(a_mass_that_is_set_counts_in_collisions, i, 3) {
    const double masses[] = {50, 400, 5000};
    open_world(PV_CONTACT_MODE_CONTOURS, 0);
    pv_body_def def = WITH(pv_body_def_default(), it.restitution = 1);
    pv_body_id a = put(w, box_mask(20, 20), 0, 0, def), b = put(w, box_mask(20, 20), 60, 0, def);
    ck_assert_int_eq(pv_body_set_mass(w, a, masses[i]), PV_OK);
    ck_assert_double_eq_tol(pv_body_get_inertia(w, a), masses[i] * (20 * 20 + 20 * 20) / 12.0,
                            1e-6);
    ck_assert_int_eq(pv_body_set_velocity(w, a, (pv_vec2){200, 0}), PV_OK);
    step_times(RATE);
    ck_assert_double_eq_tol(body_v(b).x, 400 * masses[i] / (masses[i] + 400), 0.01);
}

/* ---- kinematic bodies ---- */

START_TEST_FOR(a_driven_body_is_where_it_was_told_to_be, kind, 2) {
    open_world(kind, G);
    pv_body_id b = put_box(PV_BODY_KINEMATIC, 60, 10, 0, 0);
    for (int i = 1; i <= 300; i++) {
        double t = i * STEP, dt = i % 3 ? STEP : STEP / 2;
        pv_vec2 to = {100 * sin(2 * t), 40 * cos(3 * t)};
        ck_assert_int_eq(pv_body_move_to(w, b, to, sin(t), dt), PV_OK);
        pv_world_step(w, dt);
        expect_point(body_at(b), to.x, to.y, 1e-9);
        ck_assert_double_eq_tol(pv_body_get_angle(w, b), sin(t), 1e-9);
    }
    pv_vec2 last = body_at(b);
    step_times(5);
    expect_point(body_at(b), last.x, last.y, 1e-9);
    ck_assert_int_eq(pv_body_set_velocity(w, b, (pv_vec2){60, 0}), PV_OK);
    step_times(RATE);
    ck_assert_double_eq_tol(body_at(b).x, last.x + 60, 1e-9);
}

START_TEST(riders_stay_where_they_stand_on_a_driven_platform) {
    pv_body_id platform = put_box(PV_BODY_KINEMATIC, 200, 10, 0, 0);
    pv_body_id box = put_box(PV_BODY_DYNAMIC, 20, 20, 30, -15);
    pv_body_id on_top = put_box(PV_BODY_DYNAMIC, 14, 14, 32, -32);
    for (int i = 1; i <= 20 * RATE;
         i++) { /* 110 and 90 px/s^2 at most: friction holds 0.6 (g - 90) = 138 */
        double t = i * STEP;
        pv_vec2 to = {27.5 * (1 - cos(2 * t)), 10 * (1 - cos(3 * t))};
        ck_assert_int_eq(pv_body_move_to(w, platform, to, 0, STEP), PV_OK);
        step_times(1);
        ck_assert_double_eq_tol(body_at(box).x - to.x, 30, 0.5);
        ck_assert_double_eq_tol(body_at(box).y - to.y, -15, 0.25);
        ck_assert_double_eq_tol(body_at(on_top).x - to.x, 32, 0.7);
    }
}

/* ---- all properties ---- */

START_TEST(a_def_read_back_makes_the_same_body) {
    pv_body_id a = put(w, disc_mask(9), 10, 20,
                       WITH(pv_body_def_default(), it.angle = 0.3, it.velocity = (pv_vec2){20, -80},
                            it.angular_velocity = 2, it.density = 0.5, it.gravity_scale = 0.7,
                            it.linear_damping = 0.2, it.angular_damping = 0.4, it.restitution = 0.4,
                            it.tangent_speed = 7, it.one_way_normal = (pv_vec2){0, -3},
                            it.filter = (pv_filter){4, 6, -1}));
    pv_body_def read = pv_body_get_def(w, a), gone;
    pv_mask_retain((pv_mask *)read.mask);
    ck_assert_double_eq(read.one_way_normal.y, -1);
    step_times(RATE);
    pv_vec2 end = body_at(a);
    double angle = pv_body_get_angle(w, a);
    ck_assert_int_eq(pv_body_destroy(w, a), PV_OK);
    gone = pv_body_get_def(w, a);
    pv_error error;
    ck_assert_uint_eq(pv_body_create(w, &gone, &error).index, 0);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    open_world(PV_CONTACT_MODE_CONTOURS, G);
    pv_body_id b = put(w, (pv_mask *)read.mask, read.position.x, read.position.y, read);
    ck_assert_uint_eq(pv_body_get_filter(w, b).category_bits, 4);
    step_times(RATE);
    expect_point(body_at(b), end.x, end.y, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_angle(w, b), angle, 1e-9);
}

START_TEST(what_is_out_of_range_changes_nothing) {
    pv_body_id b = put(w, disc_mask(9), 10, 20, pv_body_def_default());
    pv_body_id k = put(w, disc_mask(9), 100, 20, of_type(PV_BODY_KINEMATIC));
    uint64_t hash = pv_world_compute_hash(w);
    ck_assert_int_eq(pv_body_set_gravity_scale(w, b, 1001), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_linear_damping(w, b, -1), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_motion_locks(w, b, 8), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_tangent_speed(w, b, 2e6), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_mass(w, b, 0), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_move_to(w, b, (pv_vec2){0, 0}, 0, STEP), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_move_to(w, k, (pv_vec2){0, 0}, 0, 0), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_move_to(w, k, (pv_vec2){1e6, 0}, 0, 1e-3), PV_ERROR_ARGUMENT);
    ck_assert_uint_eq(pv_world_compute_hash(w), hash);
}

RUN_TESTS_IN("body_properties", open_usual, close_world, 1)
