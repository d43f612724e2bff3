/* test_collider.c - circles and boxes in place of pixels, rolling resistance, and the profile of a
 * step.
 *
 * Invariant: expected values come from the formulas of rigid bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

static const double g = 320;

static pv_body_def rough(double friction) {
    pv_body_def def = pv_body_def_default();
    def.restitution = 0;
    def.static_friction = def.friction = friction;
    return def;
}

static pv_body_def floor_of(double friction) {
    pv_body_def def = rough(friction);
    def.type = PV_BODY_STATIC;
    return def;
}

/// A plus sign: its pixels stand on two feet only where the arms end.
static pv_mask *cross_mask(int size, int arm) {
    pv_mask *m = pv_mask_create(size, size, NULL, NULL);
    ck_assert_ptr_nonnull(m);
    pv_mask_fill_rect(m, (pv_rect){(size - arm) / 2, 0, arm, size}, true);
    pv_mask_fill_rect(m, (pv_rect){0, (size - arm) / 2, size, arm}, true);
    return m;
}

/// Formulas: m a = -f and I a / r = f r - c N. The friction f turns the disc that the torque c N
/// slows.
START_TEST_FOR(rolling_resistance_takes_what_the_formula_says, i, 4) {
    const double radius = 16, speed = 150, resistance[] = {0, 0.5, 1, 2};
    scoped_world *w = plain_world(0, g, false);
    put(w, box_mask(3000, 20), 0, 10, floor_of(0.8));
    pv_body_def def = rough(0.8);
    def.rolling_resistance = 2 * resistance[i]; /* the pair's is the average with the floor's 0 */
    def.velocity.x = speed;
    def.angular_velocity = speed / radius;
    pv_body_id b = put(w, disc_mask((int)radius), -1000, -radius - 0.02, def);
    double m = pv_body_get_mass(w, b), inertia = pv_body_get_inertia(w, b);
    double deceleration = resistance[i] * m * g / (radius * (m + inertia / (radius * radius)));
    steps_well(w, 30); /* landed by now */
    double from = pv_body_get_velocity(w, b).x;
    steps_well(w, 120);
    ck_assert_double_eq_tol(from - pv_body_get_velocity(w, b).x, 2 * deceleration,
                            0.01 * deceleration + 1e-3);
    steps_well(w, 2000);
    if (i > 0) ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 0, 1e-3);
}

START_TEST(a_circle_stands_in) {
    scoped_world *w = plain_world(0, g, false);
    put(w, box_mask(2000, 20), 0, 10, floor_of(0.8));
    pv_body_def def = rough(0.8);
    def.collider = PV_COLLIDER_CIRCLE;
    pv_body_id b = put(w, cross_mask(40, 12), -200, -40, def);
    steps_well(w, 60);
    double radius = sqrt((double)pv_mask_count_pixels(pv_body_get_mask(w, b)) / M_PI);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).y, -radius, 0.1);
    ck_assert_int_eq(pv_body_set_velocity(w, b, (pv_vec2){100, 0}), PV_OK);
    ck_assert_int_eq(pv_body_set_angular_velocity(w, b, 100 / radius), PV_OK);
    steps_well(w, 120);
    /* The body rolls like a disc, unlike its pixels. */
    ck_assert_double_eq_tol(pv_body_get_position(w, b).x, 0, 2);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).y, -radius, 0.1);
}

START_TEST_FOR(a_box_stands_in, how, 2) {
    scoped_world *w = plain_world(0, g, false);
    put(w, box_mask(400, 20), 0, 10, floor_of(0.6));
    pv_body_def def = rough(0.6);
    def.collider = how ? PV_COLLIDER_BOX : PV_COLLIDER_PIXELS;
    pv_body_id low = put(w, cross_mask(36, 12), 0, -18.1, def);
    def.collider = PV_COLLIDER_PIXELS;
    pv_body_id high =
        put(w, box_mask(8, 8), 14, -36 - 4.5, def); /* above the gap beside the upper arm */
    steps_well(w, 120);
    /* all rest 0.02 px apart, and what is not convex 0.15 px more: slanted pixels stand out of
     * its contour */
    ck_assert_double_eq_tol(pv_body_get_position(w, low).y, -18, how ? 0.05 : 0.2);
    if (how)
        ck_assert_double_eq_tol(pv_body_get_position(w, high).y, -36 - 4, 0.2);
    else
        /* The body fell into the gap. */
        ck_assert_double_gt(pv_body_get_position(w, high).y, -36 + 4);
}

START_TEST(what_is_out_of_range_is_refused) {
    scoped_world *w = plain_world(0, g, false);
    scoped_mask *m = box_mask(4, 4);
    pv_error error;
    for (int i = 0; i < 2; i++) {
        pv_body_def def = pv_body_def_default();
        def.mask = m;
        def.rolling_resistance = i ? 1e7 : -1;
        pv_body_create(w, &def, &error);
        ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    }
}

START_TEST(a_step_says_where_its_time_went) {
    pv_world_profile none = pv_world_get_profile(NULL);
    ck_assert_double_eq(none.total, 0);
    scoped_world *w = plain_world(0, g, false);
    ck_assert_double_eq(pv_world_get_profile(w).total, 0);
    put(w, box_mask(400, 20), 0, 10, floor_of(0.6));
    for (int i = 0; i < 20; i++) put(w, box_mask(10, 10), 12 * i - 120, -20, rough(0.6));
    steps_well(w, 10);
    pv_world_profile p = pv_world_get_profile(w);
    const double stages[] = {p.pairs, p.collide, p.solve, p.move, p.sleep};
    double sum = 0;
    for (int i = 0; i < 5; i++) {
        ck_assert_double_ge(stages[i], 0);
        sum += stages[i];
    }
    ck_assert_double_gt(p.total, 0);
    ck_assert_double_le(sum, p.total + 1e-6);
}

RUN_TESTS("collider")
