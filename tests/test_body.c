/* test_body.c - one body alone: its two particles, calls that move it, and what is refused.
 *
 * Invariant: expected values are sums over pixels, or closed formulas of mechanics.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"

static const double DT = 1.0 / 60;

/// World of the test, without gravity unless it opens another
static pv_world *w;

static void open_world(void) { w = awake_world(0, 0); }

static pv_body_id put_moving(pv_mask *mask, double x, double y, pv_vec2 velocity, double spin) {
    return put(w, mask, x, y,
               WITH(pv_body_def_default(), it.velocity = velocity, it.angular_velocity = spin));
}

static void check_velocity(pv_body_id b, double x, double y, double most) {
    ck_assert_near(pv_body_get_velocity(w, b), ((pv_vec2){x, y}), most);
}

static void check_spin(pv_body_id b, double spin, double most) {
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), spin, most);
}

static const char *const BOOT[] = {"##......", "##......", "###.....", "####....",
                                   "########", "########", NULL};

START_TEST(paper_2_1_two_particles_are_the_rigid_body) {
    pv_paper_particle p[2];
    pv_mask *boot = text_mask(BOOT);
    mask_weight of = count_weight(boot, 1, 1);
    pv_body_id b =
        put(w, boot, 100, 50, WITH(pv_body_def_default(), it.density = 2.5, it.angle = 0.7));
    check_weight(w, b, 2.5);
    ck_assert_int_eq(pv_paper_body_get_motion(w, b, p), PV_OK);
    /* half of the mass each, at their distances from the center */
    double each = 2.5 * of.area / 2, sum = 0;
    for (int i = 0; i < 2; i++)
        sum += each * (pow(p[i].position.x - 100, 2) + pow(p[i].position.y - 50, 2));
    ck_assert_double_eq_tol(sum, 2.5 * of.inertia, 1e-9);
    ck_assert_near(pv_vec2_lerp(p[0].position, p[1].position, 0.5), ((pv_vec2){100, 50}), 1e-12);
    ck_assert_double_eq_tol(
        atan2(p[1].position.y - p[0].position.y, p[1].position.x - p[0].position.x), 0.7, 1e-12);
}

START_TEST(paper_2_2_velocity_by_the_current_positions) {
    w = world_till_end(WORLD(it.gravity.y = 0, it.substeps = 5));
    pv_body_id b = put_dynamic(w, 8, 8, 10, 20);
    ck_assert_int_eq(pv_paper_body_set_velocity(w, b, (pv_vec2){60, 0}, PV_PAPER_SHIFT_CURRENT),
                     PV_OK);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).x, 10 + 60 * DT / 5, 1e-9);
    check_velocity(b, 60, 0, 1e-9);
}

START_TEST(paper_2_3_force_moves_by_mass_and_torque_by_inertia) {
    pv_body_id b = put_dynamic(w, 10, 10, 0, 0);
    for (int i = 0; i < 60; i++) {
        pv_body_apply_force(w, b, (pv_vec2){100 * 50, 0});
        pv_body_apply_torque(w, b, 100 * 200 / 12.0 * 0.5);
        pv_world_step(w, DT);
    }
    ck_assert_double_eq_tol(pv_body_get_position(w, b).x, 0.5 * 50, 1e-6);
    check_velocity(b, 50, 0, 1e-6);
    ck_assert_double_eq_tol(pv_body_get_angle(w, b), 0.5 * 0.5, 2e-3);
    pv_world_step(w, DT); /* a force acts for one step only */
    check_velocity(b, 50, 0, 0.2);
}

START_TEST(paper_2_3_force_and_impulse_at_a_point) {
    pv_body_id a = put_dynamic(w, 10, 10, 0, 0), b = put_dynamic(w, 10, 10, 100, 0);
    double m = 100, inertia = 100 * 200 / 12.0;
    pv_body_apply_impulse_at(w, a, (pv_vec2){0, 300}, (pv_vec2){4, 0});
    check_velocity(a, 0, 300 / m, 1e-9);
    check_spin(a, 4 * 300 / inertia, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_velocity_at(w, a, (pv_vec2){4, 0}).y,
                            300 / m + 16 * 300 / inertia, 1e-9);
    pv_body_apply_force_at(w, b, (pv_vec2){0, 600}, (pv_vec2){103, 0});
    pv_world_step(w, 0.01);
    check_velocity(b, 0, 600 / m * 0.01, 1e-9);
    check_spin(b, 1800 / inertia * 0.01, 2e-3);
    pv_body_apply_angular_impulse(w, a, -4 * 300);
    check_velocity(a, 0, 300 / m, 1e-9);
    check_spin(a, 0, 1e-9);
}

/// Returns the velocity of particle i, measured over a tiny step.
static pv_vec2 particle_velocity(pv_body_id b, int i) {
    pv_paper_particle before[2], after[2];
    pv_paper_body_get_motion(w, b, before);
    pv_world_step(w, 1e-6);
    pv_paper_body_get_motion(w, b, after);
    return pv_vec2_scale(1e6, pv_vec2_sub(after[i].position, before[i].position));
}

START_TEST_FOR(paper_2_4_turn_about_center_or_a_particle, k, 3) {
    const pv_paper_about abouts[] = {PV_PAPER_ABOUT_CENTER, PV_PAPER_ABOUT_FIRST,
                                     PV_PAPER_ABOUT_SECOND};
    pv_body_id b = put_moving(box_mask(20, 10), 0, 0, (pv_vec2){20, 5}, 0);
    ck_assert_int_eq(pv_body_set_angle(w, b, 0.3), PV_OK);
    ck_assert_int_eq(pv_paper_body_set_angular_velocity(w, b, 3, abouts[k]), PV_OK);
    check_spin(b, 3, 1e-9);
    if (k == 0) check_velocity(b, 20, 5, 1e-9);
    if (k == 0) return;
    pv_vec2 v = particle_velocity(b, k - 1), u = particle_velocity(b, 2 - k);
    ck_assert_near(v, ((pv_vec2){20, 5}), 1e-3);
    ck_assert_double_eq_tol(vec_distance(u, v), 3 * 2 * sqrt((400 + 100) / 12.0), 1e-2);
}

START_TEST(jittering_steps_stay_on_the_parabola) {
    w = awake_world(0, 320);
    pv_body_id b = put_moving(box_mask(6, 6), 0, 0, (pv_vec2){40, -150}, 2);
    uint64_t seed = 5;
    double t = 0, stick = 2 * sqrt((36 + 36) / 12.0), rounding = 1e-12;
    for (int i = 0; i < 300; i++) {
        double dt = 0.002 + 0.03 * next_unit(&seed);
        pv_world_step(w, dt);
        t += dt;
        /* Rounding of y turns the stick twice a step: an ulp over its length, in a substep. */
        double y = pv_body_get_position(w, b).y;
        rounding += 2 * (fabs(y) * 0x1p-52 / stick) / (dt / 16);
        ck_assert_double_eq_tol(y, -150 * t + 160 * t * t, 1e-6 * (1 + t * t));
        check_spin(b, 2, rounding);
    }
    ck_assert_double_eq_tol(cos(2 * t - pv_body_get_angle(w, b)), 1, 1e-12);
}

/// Cheng 2003, section 2: a displacement along the stick moves the body by half of it.
START_TEST(paper_2_1_particles_are_displaced) {
    pv_body_id b = put_moving(box_mask(30, 3), 5, 7, (pv_vec2){0, 0}, 0);
    pv_paper_particle p[2];
    ck_assert_int_eq(pv_paper_body_displace(w, b, 1, (pv_vec2){0.5, 0}), PV_OK);
    ck_assert_int_eq(pv_paper_body_get_motion(w, b, p), PV_OK);
    double stick = 2 * sqrt((900 + 9) / 12.0), substep = 1 / 960.0;
    ck_assert_double_eq_tol(pv_body_get_position(w, b).x, 5.25, 1e-12);
    ck_assert_double_eq_tol(p[1].position.x - p[0].position.x, stick, 1e-12);
    ck_assert_double_eq_tol(p[0].position.x - p[0].previous.x, 0.25, 1e-12);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 0.25 / substep, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 0, 1e-12);
    /* across the stick: the other particle stays, but for the stick's fixed length */
    b = put_moving(box_mask(30, 3), 5, 90, (pv_vec2){0, 0}, 0);
    pv_paper_body_get_motion(w, b, p);
    pv_vec2 other = p[0].position;
    ck_assert_int_eq(pv_paper_body_displace(w, b, 1, (pv_vec2){0, 0.01}), PV_OK);
    pv_paper_body_get_motion(w, b, p);
    ck_assert_double_lt(vec_distance(p[0].position, other), 1e-5);
    ck_assert_double_eq_tol(pv_body_get_angle(w, b), atan2(0.01, stick), 1e-12);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), atan2(0.01, stick) / substep, 1e-6);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).y, 0.005 / substep, 1e-9);
    ALL_TOLD(PV_ERROR_ARGUMENT, pv_paper_body_displace(w, b, 2, (pv_vec2){1, 0}),
             pv_paper_body_displace(
                 w, b, 0,
                 (pv_vec2){p[1].position.x - p[0].position.x, p[1].position.y - p[0].position.y}),
             pv_paper_body_displace(w, b, 0, (pv_vec2){1e9, 0}));
    ALL_TOLD(PV_ERROR_NOT_FINITE, pv_paper_body_displace(w, b, 0, (pv_vec2){NAN, 0}));
}

/// Cheng 2003, section 2.4: an angle added to the rotation is added again in each substep.
START_TEST(paper_2_4_what_is_turned_spins) {
    const double substep = 1 / 960.0, angle = 0.01;
    for (int k = PV_PAPER_ABOUT_CENTER; k <= PV_PAPER_ABOUT_SECOND; k++) {
        open_world();
        pv_body_id b = put_moving(box_mask(30, 3), 5, 7, (pv_vec2){0, 0}, 0);
        uint64_t hash = pv_world_compute_hash(w);
        ck_assert_int_eq(pv_paper_body_rotate(w, b, 1e9, (pv_paper_about)k), PV_ERROR_ARGUMENT);
        ck_assert_uint_eq(pv_world_compute_hash(w), hash);
        pv_paper_particle p[2];
        pv_vec2 still = {5, 7};
        pv_paper_body_get_motion(w, b, p);
        if (k != PV_PAPER_ABOUT_CENTER) still = p[k - PV_PAPER_ABOUT_FIRST].position;
        pv_vec2 before[2] = {p[0].previous, p[1].previous};
        ck_assert_int_eq(pv_paper_body_rotate(w, b, angle, (pv_paper_about)k), PV_OK);
        pv_paper_body_get_motion(w, b, p);
        pv_vec2 stays = k == PV_PAPER_ABOUT_CENTER ? pv_body_get_position(w, b)
                                                   : p[k - PV_PAPER_ABOUT_FIRST].position;
        ck_assert_near(stays, still, 1e-12);
        for (int i = 0; i < 2; i++) ck_assert_near(p[i].previous, before[i], 1e-3);
        ck_assert_double_eq_tol(pv_body_get_angle(w, b), angle, 1e-12);
        check_spin(b, angle / substep, 1e-6);
        steps_well(w, 1);
        ck_assert_double_eq_tol(pv_body_get_angle(w, b), 17 * angle, 1e-9);
    }
}

/// A sleeping crate falls once its platform is displaced.
START_TEST(paper_2_1_a_displaced_platform_lets_sleepers_go) {
    pv_world_def def = pv_world_def_default();
    w = world_till_end(create_world(&def));
    pv_body_id platform = put_moving(box_mask(80, 8), 0, 0, (pv_vec2){0, 0}, 0),
               crate = put_dynamic(w, 16, 16, 0, -13);
    ck_assert_int_eq(pv_body_set_type(w, platform, PV_BODY_KINEMATIC), PV_OK);
    for (int i = 0; i < 1200 && pv_body_is_awake(w, crate); i++) steps_well(w, 1);
    ck_assert(!pv_body_is_awake(w, crate));
    ck_assert_int_eq(pv_paper_body_displace(w, platform, 1, (pv_vec2){900, 0}), PV_OK);
    ck_assert_int_eq(pv_body_set_velocity(w, platform, (pv_vec2){0, 0}), PV_OK);
    steps_well(w, 60);
    ck_assert_double_gt(pv_body_get_position(w, crate).y, 50);
}

/// A particle's acceleration is that of its point of the rigid body.
START_TEST(paper_2_3_particles_tell_their_acceleration) {
    w = awake_world(0, 320);
    pv_body_id b = put_moving(box_mask(30, 3), 0, 0, (pv_vec2){0, 0}, 0);
    pv_paper_particle p[2];
    double mass = pv_body_get_mass(w, b), inertia = pv_body_get_inertia(w, b);
    pv_body_apply_force(w, b, (pv_vec2){3 * mass, 0});
    pv_body_apply_torque(w, b, 2 * inertia);
    ck_assert_int_eq(pv_paper_body_get_motion(w, b, p), PV_OK);
    double half = sqrt((900 + 9) / 12.0);
    for (int i = 0; i < 2; i++)
        ck_assert_vec_eq_tol(p[i].acceleration, 3, 320 + (i ? 2 : -2) * half, 1e-9);
    ck_assert_int_eq(pv_paper_body_get_motion(w, pv_null_body, p), PV_ERROR_STALE_ID);
    ck_assert_int_eq(pv_paper_body_get_motion(w, b, NULL), PV_ERROR_ARGUMENT);
}

START_TEST(types_move_as_they_say) {
    w = awake_world(0, 320);
    pv_body_id k = put_moving(box_mask(8, 8), 0, 0, (pv_vec2){30, 0}, 1),
               s = put_static(w, 8, 8, 0, 100), f = put_dynamic(w, 8, 8, 0, 200);
    ck_assert_int_eq(pv_body_set_type(w, k, PV_BODY_KINEMATIC), PV_OK);
    ck_assert_int_eq(pv_body_set_motion_locks(w, f, PV_LOCK_ROTATION), PV_OK);
    pv_body_apply_torque(w, f, 1e6);
    pv_body_apply_force(w, k, (pv_vec2){1e6, 1e6});
    steps_well(w, 60);
    ck_assert_double_eq_tol(pv_body_get_position(w, k).x, 30, 1e-9);
    ck_assert_double_eq(pv_body_get_position(w, k).y, 0);
    ck_assert_double_eq_tol(pv_body_get_angle(w, k), 1, 1e-9);
    ck_assert_double_eq(pv_body_get_position(w, s).y, 100);
    ck_assert_double_eq(pv_body_get_angle(w, f), 0);
    ALL_TOLD(PV_ERROR_ARGUMENT, pv_body_set_velocity(w, s, (pv_vec2){1, 0}),
             pv_body_apply_force(w, s, (pv_vec2){1, 0}));
}

START_TEST(teleports_keep_the_motion) {
    w = awake_world(0, 100);
    pv_body_id b = put_moving(box_mask(8, 8), 0, 0, (pv_vec2){3, 4}, -2);
    pv_world_step(w, DT);
    pv_vec2 v = pv_body_get_velocity(w, b);
    ck_assert_int_eq(pv_body_set_position(w, b, (pv_vec2){-500, 70}), PV_OK);
    ck_assert_int_eq(pv_body_set_angle(w, b, -3), PV_OK);
    ck_assert_double_eq(pv_body_get_position(w, b).x, -500);
    ck_assert_double_eq_tol(pv_body_get_angle(w, b), -3, 1e-12);
    check_velocity(b, v.x, v.y, 1e-9);
    check_spin(b, -2, 1e-9);
}

START_TEST(a_body_that_would_leave_the_numbers_is_frozen) {
    pv_body_id b = put_moving(box_mask(8, 8), PV_MAX_COORDINATE - 10, 0,
                              (pv_vec2){PV_MAX_COORDINATE, 0}, 0),
               other = put_dynamic(w, 8, 8, 0, 0);
    ck_assert_int_eq(pv_world_step(w, DT), PV_OK);
    ck_assert_int_eq(pv_world_get_events(w).frozen_count, 1);
    ck_assert_double_eq(pv_body_get_position(w, b).x, PV_MAX_COORDINATE - 10);
    ck_assert_double_eq(pv_body_get_velocity(w, b).x, 0);
    for (int i = 0; i < 2; i++) pv_body_apply_force(w, other, (pv_vec2){1e308, 0});
    ck_assert_int_eq(pv_world_step(w, DT), PV_OK);
    ck_assert_int_eq(pv_world_get_events(w).frozen_count, 1);
    ck_assert(isfinite(pv_body_get_position(w, other).x));
    check_velocity(other, 0, 0, 1e-9);
}

#define AT(member) offsetof(pv_body_def, member)

START_TEST(bad_defs_are_refused) {
    pv_body_def good = pv_body_def_default(), d;
    good.mask = mask_till_end(box_mask(4, 4));
    const struct {
        size_t offset;
        double value;
    } bad[] = {{AT(position.x), 2 * PV_MAX_COORDINATE},
               {AT(mass), -1},
               {AT(density), -1},
               {AT(density), 0},
               {AT(restitution), 1.01},
               {AT(restitution), -0.01},
               {AT(static_friction), 2e6},
               {AT(friction), -1}};
    pv_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        d = good;
        memcpy((char *)&d + bad[i].offset, &bad[i].value, sizeof(double));
        ck_assert_uint_eq(pv_body_create(w, &d, &error).index, 0);
        ck_assert_msg(error.status == PV_ERROR_ARGUMENT, "case %zu: %s", i, error.message);
    }
    good.mask = mask_till_end(pv_mask_create(4, 4, NULL, NULL));
    ck_assert_uint_eq(pv_body_create(w, &good, &error).index, 0);
    ck_assert_int_eq(error.status, PV_ERROR_EMPTY);
    ck_assert_int_eq(pv_world_get_stats(w).bodies, 0);
}

/// Tests both sides of each limit, whether the mass is given or follows from the density.
START_TEST(masses_keep_within_their_range) {
    const struct {
        double mass, density;
        /// Side of a box [px]
        int side;
        bool good;
    } cases[] = {{1e-9, 1, 1, true},     {0.99e-9, 1, 1, false},  {1e12, 1, 1, true},
                 {1.01e12, 1, 1, false}, {1e-9, 0, 64, true},     {0, 1e-6, 1, true},
                 {0, 1e6, 1000, true},   {0, 1e6, 1001, false},   {0, 9e5, 1001, true},
                 {5e-324, 1, 64, false}, {0, 0.99e-6, 64, false}, {0, 1.01e6, 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_error error;
        pv_body_def d =
            WITH(pv_body_def_default(), it.mass = cases[i].mass, it.density = cases[i].density,
                 it.mask = mask_till_end(box_mask(cases[i].side, cases[i].side)));
        pv_body_id b = pv_body_create(w, &d, &error);
        ck_assert_msg(error.status == (cases[i].good ? PV_OK : PV_ERROR_ARGUMENT), "case %zu", i);
        if (cases[i].good && d.mass > 0) ck_assert_double_eq(pv_body_get_mass(w, b), d.mass);
    }
    pv_body_id b = put_dynamic(w, 8, 8, 0, 0);
    ALL_TOLD(PV_ERROR_ARGUMENT, pv_body_set_mass(w, b, 0.99e-9), pv_body_set_mass(w, b, 1.01e12));
    ck_assert_double_eq(pv_body_get_mass(w, b), 64);
    ck_assert_int_eq(pv_body_set_mass(w, b, 1e12), PV_OK);
    ck_assert_int_eq(pv_body_set_scale(w, b, (pv_vec2){2, 1}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_mass(w, b, 1e-9), PV_OK);
    ck_assert_int_eq(pv_body_set_scale(w, b, (pv_vec2){0.5, 1}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_scale(w, b, (pv_vec2){2, 1}), PV_OK);
    ck_assert_double_eq_tol(pv_body_get_mass(w, b), 2e-9, 1e-24);
}

/// Parts of a carved body weigh no less than the least mass.
START_TEST_FOR(what_is_left_of_the_lightest_weighs_as_much, contacts, 2) {
    w = mode_world((pv_contact_mode)contacts, 320, NULL);
    pv_body_def d = WITH(pv_body_def_default(), it.mass = 1e-9);
    pv_body_id b = put(w, box_mask(40, 40), 20, 20, d), part = {0};
    pv_carve_result carved;
    pv_cut cut = pv_cut_box((pv_vec2){18, -1}, (pv_vec2){22, 50});
    ck_assert_int_eq(pv_body_carve(w, b, &cut, &carved), PV_OK);
    ck_assert_int_eq(carved.body_count, 2);
    for (int i = 0; i < 2; i++) {
        part = pv_world_get_next_body(w, part);
        d = pv_body_get_def(w, part);
        ck_assert_double_eq(pv_body_get_mass(w, part), 1e-9);
        ck_assert(pv_body_is_valid(w, pv_body_create(w, &d, NULL)));
    }
}

/// A step takes 1e-9...1 s; any other length changes nothing.
START_TEST_FOR(steps_keep_within_their_range, contacts, 2) {
    const double bad[] = {5e-324, 1e-308, 1e-100, 1e-12, 0.99e-9, 1.01},
                 good[] = {1e-9, 2e-9, 1e-6, 1};
    w = mode_world((pv_contact_mode)contacts, 0, NULL);
    pv_body_id b = put_moving(box_mask(10, 10), 0, 0, (pv_vec2){100, 50}, 2);
    uint64_t hash = pv_world_compute_hash(w);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(pv_world_step(w, bad[i]), PV_ERROR_ARGUMENT);
        ck_assert(pv_world_compute_hash(w) == hash);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        step_well(w, good[i]);
        check_velocity(b, 100, 50, 1e-2);
        check_spin(b, 2, 1e-2);
    }
}

START_TEST(bad_numbers_are_refused_and_change_nothing) {
    pv_body_id b = put_dynamic(w, 4, 4, 5, 6);
    uint64_t hash = pv_world_compute_hash(w);
    const pv_vec2 o = {0, 0}, far = {1e300, 0};
    ALL_TOLD(PV_ERROR_ARGUMENT, pv_body_set_position(w, b, (pv_vec2){1e9, 0}),
             pv_body_set_restitution(w, b, 1.5), pv_body_set_friction(w, b, -1),
             pv_body_set_static_friction(w, b, 2e6), pv_body_apply_impulse_at(w, b, far, o),
             pv_world_step(w, 0), pv_world_step(w, -1), pv_world_step(w, 1.5));
    ck_assert(pv_world_compute_hash(w) == hash);
}

RUN_TESTS_IN("body", open_world, give_back, 1)
