/* test_extras.c - properties of bodies besides mass and shape: gravity scale, damping, locks,
 * surface speed, types. Driven places and enabling are tested, too.
 *
 * Invariant: expected values are formulas of mechanics, or of the integrator as documented.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

enum { SUBSTEPS = 16, RATE = 60 };

static const double G = 320, STEP = 1.0 / RATE, H = 1.0 / RATE / SUBSTEPS;

static pv_world *open_world(pv_contact_mode contacts, double gravity) {
    pv_world_def def = pv_world_def_default();
    def.contact_mode = contacts;
    def.substeps = SUBSTEPS;
    def.gravity = (pv_vec2){0, gravity};
    pv_world *world = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(world);
    return world;
}

static void run(pv_world *world, int steps) {
    for (int i = 0; i < steps; i++) step_well(world, STEP);
}

static pv_body_id floor_at(pv_world *world, double top) {
    return put(world, box_mask(2000, 20), 0, top + 10, of_type(PV_BODY_STATIC));
}

static double x_of(pv_world *w, pv_body_id b) { return pv_body_get_position(w, b).x; }
static double y_of(pv_world *w, pv_body_id b) { return pv_body_get_position(w, b).y; }
static double vx_of(pv_world *w, pv_body_id b) { return pv_body_get_velocity(w, b).x; }
static double vy_of(pv_world *w, pv_body_id b) { return pv_body_get_velocity(w, b).y; }

START_TEST(gravity_has_its_share) {
    const double scales[] = {0, 0.5, 1, -2};
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++)
        for (int i = 0; i < 4; i++) {
            pv_world *w = open_world((pv_contact_mode)kind, G);
            pv_body_def def = pv_body_def_default();
            def.gravity_scale = scales[i];
            pv_body_id b = put(w, box_mask(8, 8), 0, 0, def),
                       later = put(w, box_mask(8, 8), 500, 0, of_type(2));
            ck_assert_int_eq(pv_body_set_gravity_scale(w, later, scales[i]), PV_OK);
            run(w, RATE);
            ck_assert_double_eq_tol(y_of(w, b), 0.5 * scales[i] * G, 1e-8);
            ck_assert_double_eq_tol(y_of(w, later), 0.5 * scales[i] * G, 1e-8);
            pv_world_destroy(w);
        }
}
END_TEST

START_TEST(damping_is_the_drag_of_particles) {
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++) {
        pv_world *w = open_world((pv_contact_mode)kind, G);
        pv_body_def def = pv_body_def_default();
        def.linear_damping = 2.5;
        def.velocity = (pv_vec2){100, 0};
        pv_body_id b = put(w, box_mask(8, 8), 0, 0, def);
        long double x = 0, px = -100 * H, y = 0, py = 0, d = 2.5 * H;
        for (int i = 0; i < 2 * RATE * SUBSTEPS; i++) {
            long double nx = x + (1 - d) * (x - px);
            long double ny = y + (1 - d) * (y - py) + (i == 0 ? 0.5 : 1) * G * H * H;
            px = x, x = nx, py = y, y = ny;
        }
        run(w, 2 * RATE);
        ck_assert_double_eq_tol(x_of(w, b), (double)x, 1e-8);
        ck_assert_double_eq_tol(y_of(w, b), (double)y, 1e-8);
        run(w, 10 * RATE);
        ck_assert_double_eq_tol(vy_of(w, b), G / 2.5, 0.5);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(a_damped_spin_decays_and_the_center_goes_on) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS, 0);
    pv_body_def def = pv_body_def_default();
    def.angular_damping = 1;
    def.angular_velocity = 20;
    def.velocity = (pv_vec2){50, 0};
    pv_body_id b = put(w, box_mask(8, 30), 0, 0, def);
    run(w, RATE);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 20 * pow(1 - H, RATE * SUBSTEPS),
                            1e-9);
    ck_assert_double_eq_tol(x_of(w, b), 50, 1e-8);
    ck_assert_int_eq(pv_body_set_linear_damping(w, b, 0), PV_OK);
    ck_assert_int_eq(pv_body_set_angular_damping(w, b, 0), PV_OK);
    double spin = pv_body_get_angular_velocity(w, b);
    run(w, RATE);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), spin, 1e-9);
    pv_world_destroy(w);
}
END_TEST

/* ---- locks ---- */

/// A ball of mass m at speed v into a box of mass M along x.
static void collide(pv_contact_mode kind, unsigned locks, double *ball, double *box) {
    pv_world *w = open_world(kind, 0);
    pv_body_def def = pv_body_def_default();
    def.restitution = 1;
    def.static_friction = def.friction = 0;
    def.motion_locks = locks;
    pv_body_id target = put(w, box_mask(40, 40), 0, 0, def);
    def.motion_locks = 0;
    def.velocity = (pv_vec2){300, 0};
    pv_body_id b = put(w, disc_mask(8), -60, 0, def);
    run(w, RATE / 2);
    *ball = vx_of(w, b);
    *box = vx_of(w, target);
    pv_world_destroy(w);
}

START_TEST(what_is_locked_along_x_is_hit_like_a_wall) {
    double ball, box, area = 0;
    pv_mask *disc = disc_mask(8);
    area = pv_mask_compute_mass(disc).area;
    pv_mask_release(disc);
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++) {
        collide((pv_contact_mode)kind, PV_LOCK_X, &ball, &box);
        ck_assert_double_eq_tol(ball, -300, 1e-6);
        ck_assert_double_eq_tol(box, 0, 1e-12);
        collide((pv_contact_mode)kind, PV_LOCK_Y | PV_LOCK_ROTATION, &ball, &box);
        ck_assert_double_eq_tol(ball, 300 * (area - 1600) / (area + 1600), 1e-6);
        ck_assert_double_eq_tol(box, 600 * area / (area + 1600), 1e-6);
    }
}
END_TEST

START_TEST(what_is_locked_along_y_floats_and_carries) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS, G);
    pv_body_def def = pv_body_def_default();
    def.motion_locks = PV_LOCK_Y | PV_LOCK_ROTATION;
    pv_body_id shelf = put(w, box_mask(200, 10), 0, 100, def);
    pv_body_id crate = put(w, box_mask(20, 20), 30, 80, pv_body_def_default());
    run(w, 2 * RATE);
    ck_assert_double_eq_tol(y_of(w, shelf), 100, 1e-9);
    ck_assert_double_eq_tol(y_of(w, crate), 85, 0.05);
    ck_assert_int_eq(pv_body_apply_impulse_at(w, shelf, (pv_vec2){2000 * 5, 2000 * 5},
                                              pv_body_get_position(w, shelf)),
                     PV_OK);
    run(w, RATE);
    ck_assert_double_eq_tol(y_of(w, shelf), 100, 1e-9);
    ck_assert_double_gt(x_of(w, shelf), 3);
    pv_world_destroy(w);
}
END_TEST

START_TEST(a_ball_on_a_slope_locked_along_x_rests_and_one_locked_along_all_is_a_wall) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS, G);
    pv_body_def slope = of_type(PV_BODY_STATIC);
    slope.angle = 0.5;
    slope.static_friction = slope.friction = 0;
    put(w, box_mask(400, 20), 0, 100, slope);
    pv_body_def def = pv_body_def_default();
    def.motion_locks = PV_LOCK_X;
    pv_body_id ball = put(w, disc_mask(10), 20, 40, def);
    def.motion_locks = PV_LOCK_X | PV_LOCK_Y | PV_LOCK_ROTATION;
    pv_body_id wall = put(w, box_mask(10, 60), 300, 100, def);
    def.motion_locks = 0;
    def.velocity = (pv_vec2){200, -100};
    pv_body_id hits = put(w, box_mask(10, 10), 250, 100, def);
    run(w, 5 * RATE);
    ck_assert_double_eq_tol(x_of(w, ball), 20, 1e-9);
    ck_assert_double_eq_tol(vy_of(w, ball), 0, 0.01);
    ck_assert_double_lt(y_of(w, ball), 100);
    ck_assert_double_eq_tol(x_of(w, wall), 300, 1e-9);
    ck_assert_double_eq_tol(y_of(w, wall), 100, 1e-9);
    ck_assert_double_lt(x_of(w, hits), 295);
    pv_world_destroy(w);
}
END_TEST

START_TEST(what_is_locked_along_all_keeps_its_numbers_where_it_cannot_give_way) {
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++)
        for (unsigned other = 0; other < 2; other++) {
            pv_world *w = open_world((pv_contact_mode)kind, 0);
            pv_body_def def = of_type(other ? PV_BODY_DYNAMIC : PV_BODY_STATIC);
            def.motion_locks = PV_LOCK_X | PV_LOCK_Y | PV_LOCK_ROTATION;
            pv_body_id wall = put(w, box_mask(10, 60), 100, 0, def);
            def.type = PV_BODY_DYNAMIC;
            def.velocity = (pv_vec2){800, 300};
            pv_body_id b = put(w, disc_mask(9), 20, -30, def);
            for (int i = 0; i < RATE; i++) step_well(w, 1.0 / RATE);
            ck_assert_double_le(hypot(vx_of(w, b), vy_of(w, b)), hypot(800, 300) + 1e-6);
            ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 0, 1e-9);
            ck_assert_double_eq_tol(x_of(w, wall), 100, 1e-9);
            pv_world_destroy(w);
        }
}
END_TEST

/* ---- surfaces ---- */

START_TEST(a_box_on_a_conveyor_takes_its_speed_by_friction) {
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++)
        for (int way = -1; way <= 1; way += 2) {
            pv_world *w = open_world((pv_contact_mode)kind, G);
            pv_body_id belt = floor_at(w, 0);
            ck_assert_int_eq(pv_body_set_tangent_speed(w, belt, way * 120), PV_OK);
            set_surface(w, belt, 0, 0.4, 0.25);
            pv_body_def def = pv_body_def_default();
            def.static_friction = 0.4;
            def.friction = 0.25;
            pv_body_id box = put(w, box_mask(30, 20), 0, -10.02, def);
            run(w, RATE / 2); /* mu g t = 40 px/s */
            double off = fabs(vx_of(w, box) - way * 0.25 * G * 0.5);
            ck_assert_msg(off < (kind == PV_CONTACT_MODE_PIXELS ? 6 : 1), "kind %d: off by %g",
                          kind, off);
            run(w, 5 * RATE / 2);
            double x = x_of(w, box);
            ck_assert_double_eq_tol(vx_of(w, box), way * 120, 0.01);
            run(w, RATE);
            ck_assert_double_eq_tol(x_of(w, box) - x, way * 120, 0.01);
            pv_world_destroy(w);
        }
}
END_TEST

START_TEST(a_disc_laid_on_a_conveyor_rolls_at_a_third_of_its_speed) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS, G);
    ck_assert_int_eq(pv_body_set_tangent_speed(w, floor_at(w, 0), 150), PV_OK);
    pv_mask *mask = disc_mask(40);
    pv_mass_data m = pv_mask_compute_mass(mask);
    pv_body_id disc = put(w, mask, 0, -40, pv_body_def_default());
    run(w, 2 * RATE);
    double r2 = m.area / acos(-1.0), share = m.inertia / (m.inertia + m.area * r2);
    ck_assert_double_eq_tol(vx_of(w, disc), 150 * share, 0.5);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, disc),
                            (vx_of(w, disc) - 150) / sqrt(r2), 0.05);
    pv_world_destroy(w);
}
END_TEST

START_TEST(a_running_surface_keeps_what_lies_on_it_awake) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS, G);
    pv_body_id belt = floor_at(w, 0);
    pv_body_id box = put(w, box_mask(20, 20), 0, -10, pv_body_def_default());
    run(w, 2 * RATE);
    ck_assert(!pv_body_is_awake(w, box));
    ck_assert_int_eq(pv_body_set_tangent_speed(w, belt, 60), PV_OK);
    run(w, 2 * RATE);
    ck_assert_double_eq_tol(vx_of(w, box), 60, 0.01);
    ck_assert_int_eq(pv_body_set_tangent_speed(w, belt, 0), PV_OK);
    run(w, 3 * RATE);
    ck_assert_double_eq_tol(vx_of(w, box), 0, 0.01);
    ck_assert(!pv_body_is_awake(w, box));
    pv_world_destroy(w);
}
END_TEST

/* ---- types, and being there ---- */

START_TEST(types_change_while_running) {
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++) {
        pv_world *w = open_world((pv_contact_mode)kind, G);
        pv_body_id a = put(w, box_mask(40, 20), 0, 0, pv_body_def_default());
        pv_body_id b = put(w, box_mask(20, 20), 0, -20.1, pv_body_def_default());
        run(w, RATE / 2);
        ck_assert_int_eq(pv_body_set_type(w, a, PV_BODY_STATIC), PV_OK);
        double y = y_of(w, a);
        ck_assert_double_eq(vy_of(w, a), 0);
        run(w, 2 * RATE);
        ck_assert_double_eq(y_of(w, a), y);
        ck_assert_double_eq_tol(y_of(w, b), y - 20, 1);
        ck_assert(!pv_body_is_awake(w, b));
        ck_assert_int_eq(pv_body_set_type(w, a, PV_BODY_DYNAMIC), PV_OK);
        run(w, RATE);
        double off = fabs(y_of(w, a) - y - 0.5 * G); /* includes released overlap */
        ck_assert_double_lt(off, (kind == PV_CONTACT_MODE_PIXELS ? 0.5 : 0.1));
        ck_assert_double_eq_tol(y_of(w, b), y - 20 + 0.5 * G, 1);
        ck_assert_int_eq(pv_body_set_type(w, a, PV_BODY_KINEMATIC), PV_OK);
        double v = vy_of(w, a), from = y_of(w, a);
        run(w, RATE);
        ck_assert_double_eq_tol(y_of(w, a), from + v, 1e-6);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(what_is_disabled_is_not_there) {
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++) {
        pv_world *w = open_world((pv_contact_mode)kind, G);
        floor_at(w, 100);
        pv_body_id shelf = put(w, box_mask(60, 10), 0, 0, of_type(PV_BODY_STATIC));
        pv_body_id box = put(w, box_mask(20, 20), 0, -15, pv_body_def_default());
        pv_body_id other = put(w, box_mask(20, 20), 200, 0, pv_body_def_default());
        ck_assert_int_eq(pv_body_set_velocity(w, other, (pv_vec2){30, 0}), PV_OK);
        ck_assert_int_eq(pv_body_set_enabled(w, other, false), PV_OK);
        run(w, 2 * RATE);
        ck_assert(!pv_body_is_awake(w, box));
        ck_assert_int_eq(pv_body_set_enabled(w, shelf, false), PV_OK);
        ck_assert(!pv_body_get_def(w, shelf).enabled);
        ck_assert_int_eq(pv_world_query_point(w, (pv_vec2){0, 0}, NULL, NULL, 0), 0);
        run(w, 1);
        ck_assert_int_eq(pv_world_get_events(w).contact_end_count, 1);
        run(w, 2 * RATE);
        ck_assert_double_eq_tol(y_of(w, box), 90, 1);
        ck_assert_double_eq(x_of(w, other), 200);
        ck_assert_double_eq(y_of(w, other), 0);
        ck_assert_int_eq(pv_body_set_enabled(w, other, true), PV_OK);
        run(w, RATE / 2);
        ck_assert_double_eq_tol(x_of(w, other), 215, 1e-6);
        ck_assert_double_eq_tol(y_of(w, other), 0.125 * G, 1e-6);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(a_mass_that_is_set_counts_in_collisions) {
    for (int i = 0; i < 3; i++) {
        const double masses[] = {50, 400, 5000};
        pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS, 0);
        pv_body_def def = pv_body_def_default();
        def.restitution = 1;
        pv_body_id a = put(w, box_mask(20, 20), 0, 0, def),
                   b = put(w, box_mask(20, 20), 60, 0, def);
        ck_assert_int_eq(pv_body_set_mass(w, a, masses[i]), PV_OK);
        ck_assert_double_eq_tol(pv_body_get_inertia(w, a), masses[i] * (20 * 20 + 20 * 20) / 12.0,
                                1e-6);
        ck_assert_int_eq(pv_body_set_velocity(w, a, (pv_vec2){200, 0}), PV_OK);
        run(w, RATE);
        ck_assert_double_eq_tol(vx_of(w, b), 400 * masses[i] / (masses[i] + 400), 0.01);
        pv_world_destroy(w);
    }
}
END_TEST

/* ---- driven ---- */

START_TEST(a_driven_body_is_where_it_was_told_to_be) {
    for (int kind = PV_CONTACT_MODE_PIXELS; kind <= PV_CONTACT_MODE_CONTOURS; kind++) {
        pv_world *w = open_world((pv_contact_mode)kind, G);
        pv_body_id b = put(w, box_mask(60, 10), 0, 0, of_type(PV_BODY_KINEMATIC));
        for (int i = 1; i <= 300; i++) {
            double t = i * STEP, dt = i % 3 ? STEP : STEP / 2;
            pv_vec2 to = {100 * sin(2 * t), 40 * cos(3 * t)};
            ck_assert_int_eq(pv_body_move_to(w, b, to, sin(t), dt), PV_OK);
            pv_world_step(w, dt);
            ck_assert_double_eq_tol(x_of(w, b), to.x, 1e-9);
            ck_assert_double_eq_tol(y_of(w, b), to.y, 1e-9);
            ck_assert_double_eq_tol(pv_body_get_angle(w, b), sin(t), 1e-9);
        }
        pv_vec2 last = pv_body_get_position(w, b);
        run(w, 5);
        ck_assert_double_eq_tol(x_of(w, b), last.x, 1e-9);
        ck_assert_double_eq_tol(y_of(w, b), last.y, 1e-9);
        ck_assert_int_eq(pv_body_set_velocity(w, b, (pv_vec2){60, 0}), PV_OK);
        run(w, RATE);
        ck_assert_double_eq_tol(x_of(w, b), last.x + 60, 1e-9);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(riders_stay_where_they_stand_on_a_driven_platform) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS, G);
    pv_body_id platform = put(w, box_mask(200, 10), 0, 0, of_type(PV_BODY_KINEMATIC));
    pv_body_id box = put(w, box_mask(20, 20), 30, -15, pv_body_def_default());
    pv_body_id on_top = put(w, box_mask(14, 14), 32, -32, pv_body_def_default());
    for (int i = 1; i <= 20 * RATE;
         i++) { /* 110 and 90 px/s^2 at most: friction holds 0.6 (g - 90) = 138 */
        double t = i * STEP;
        pv_vec2 to = {27.5 * (1 - cos(2 * t)), 10 * (1 - cos(3 * t))};
        ck_assert_int_eq(pv_body_move_to(w, platform, to, 0, STEP), PV_OK);
        run(w, 1);
        ck_assert_double_eq_tol(x_of(w, box) - to.x, 30, 0.5);
        ck_assert_double_eq_tol(y_of(w, box) - to.y, -15, 0.25);
        ck_assert_double_eq_tol(x_of(w, on_top) - to.x, 32, 0.7);
    }
    pv_world_destroy(w);
}
END_TEST

/* ---- all together ---- */

START_TEST(a_def_read_back_makes_the_same_body) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS, G),
             *v = open_world(PV_CONTACT_MODE_CONTOURS, G);
    pv_body_def def = pv_body_def_default();
    def.angle = 0.3;
    def.velocity = (pv_vec2){20, -80};
    def.angular_velocity = 2;
    def.density = 0.5;
    def.gravity_scale = 0.7;
    def.linear_damping = 0.2;
    def.angular_damping = 0.4;
    def.restitution = 0.4;
    def.tangent_speed = 7;
    def.one_way_normal = (pv_vec2){0, -3};
    def.filter = (pv_filter){4, 6, -1};
    pv_body_id a = put(w, disc_mask(9), 10, 20, def);
    pv_body_def read = pv_body_get_def(w, a);
    ck_assert_double_eq(read.one_way_normal.y, -1);
    pv_body_id b = pv_body_create(v, &read, NULL);
    ck_assert(pv_body_is_valid(v, b));
    ck_assert_uint_eq(pv_body_get_filter(v, b).category_bits, 4);
    run(w, RATE);
    run(v, RATE);
    ck_assert_double_eq_tol(x_of(w, a), x_of(v, b), 1e-9);
    ck_assert_double_eq_tol(y_of(w, a), y_of(v, b), 1e-9);
    ck_assert_double_eq_tol(pv_body_get_angle(w, a), pv_body_get_angle(v, b), 1e-9);
    ck_assert_int_eq(pv_body_destroy(w, a), PV_OK);
    read = pv_body_get_def(w, a);
    pv_error error;
    ck_assert_uint_eq(pv_body_create(w, &read, &error).index, 0);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    pv_world_destroy(w);
    pv_world_destroy(v);
}
END_TEST

START_TEST(what_is_out_of_range_changes_nothing) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS, G);
    pv_body_id b = put(w, disc_mask(9), 10, 20, pv_body_def_default());
    pv_body_id k = put(w, disc_mask(9), 100, 20, of_type(PV_BODY_KINEMATIC));
    uint64_t hash = pv_world_compute_hash(w);
    ck_assert_int_eq(pv_body_set_gravity_scale(w, b, NAN), PV_ERROR_NOT_FINITE);
    ck_assert_int_eq(pv_body_set_gravity_scale(w, b, 1001), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_linear_damping(w, b, -1), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_angular_damping(w, b, INFINITY), PV_ERROR_NOT_FINITE);
    ck_assert_int_eq(pv_body_set_motion_locks(w, b, 8), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_tangent_speed(w, b, 2e6), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_one_way_normal(w, b, (pv_vec2){NAN, 0}), PV_ERROR_NOT_FINITE);
    ck_assert_int_eq(pv_body_set_type(w, b, (pv_body_type)7), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_mass(w, b, 0), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_move_to(w, b, (pv_vec2){0, 0}, 0, STEP), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_move_to(w, k, (pv_vec2){0, 0}, 0, 0), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_move_to(w, k, (pv_vec2){1e6, 0}, 0, 1e-3), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_move_to(w, k, (pv_vec2){0, NAN}, 0, STEP), PV_ERROR_NOT_FINITE);
    ck_assert_uint_eq(pv_world_compute_hash(w), hash);
    pv_world_destroy(w);
}
END_TEST

RUN_SUITE("extras", gravity_has_its_share, damping_is_the_drag_of_particles,
          a_damped_spin_decays_and_the_center_goes_on, what_is_locked_along_x_is_hit_like_a_wall,
          what_is_locked_along_y_floats_and_carries,
          a_ball_on_a_slope_locked_along_x_rests_and_one_locked_along_all_is_a_wall,
          what_is_locked_along_all_keeps_its_numbers_where_it_cannot_give_way,
          a_box_on_a_conveyor_takes_its_speed_by_friction,
          a_disc_laid_on_a_conveyor_rolls_at_a_third_of_its_speed,
          a_running_surface_keeps_what_lies_on_it_awake, types_change_while_running,
          what_is_disabled_is_not_there, a_mass_that_is_set_counts_in_collisions,
          a_driven_body_is_where_it_was_told_to_be,
          riders_stay_where_they_stand_on_a_driven_platform, a_def_read_back_makes_the_same_body,
          what_is_out_of_range_changes_nothing)
