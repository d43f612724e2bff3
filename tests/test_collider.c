/* test_collider.c - circle and box colliders, rolling resistance, and the profile of a step.
 *
 * Invariant: expected values come from formulas of rigid bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"

static const double g = 320;

static pv_body_def rough(double friction) {
    return WITH(pv_body_def_default(), it.restitution = 0,
                it.static_friction = it.friction = friction);
}

static pv_body_def floor_of(double friction) {
    return WITH(rough(friction), it.type = PV_BODY_STATIC);
}

/// Returns a plus sign, whose outline has notches between its arms.
static pv_mask *cross_mask(int size, int arm) {
    pv_mask *m = pv_mask_create(size, size, NULL, NULL);
    ck_assert_ptr_nonnull(m);
    pv_mask_fill_rect(m, (pv_rect){(size - arm) / 2, 0, arm, size}, true);
    pv_mask_fill_rect(m, (pv_rect){0, (size - arm) / 2, size, arm}, true);
    return m;
}

/// m a = -f and I a / r = f r - c N: friction f speeds up the spin, the torque c N slows it.
START_TEST_FOR(rolling_resistance_takes_what_the_formula_says, i, 4) {
    const double radius = 16, speed = 150, resistance[] = {0, 0.5, 1, 2};
    scoped_world *w = plain_world(0, g, false);
    put(w, box_mask(3000, 20), 0, 10, floor_of(0.8));
    pv_body_def def = rough(0.8);
    def.rolling_resistance = 2 * resistance[i]; /* pairs use the mean, with the floor's 0 */
    def.velocity.x = speed;
    def.angular_velocity = speed / radius;
    pv_body_id b = put(w, disc_mask((int)radius), -1000, -radius - 0.02, def);
    double m = pv_body_get_mass(w, b), inertia = pv_body_get_inertia(w, b);
    double deceleration = resistance[i] * m * g / (radius * (m + inertia / (radius * radius)));
    steps_well(w, 30); /* it has landed by then */
    double from = pv_body_get_velocity(w, b).x;
    steps_well(w, 120);
    ck_assert_double_eq_tol(from - pv_body_get_velocity(w, b).x, 2 * deceleration,
                            0.01 * deceleration + 1e-3);
    steps_well(w, 2000);
    if (i > 0) ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 0, 1e-3);
}

static double circle_radius(const pv_world *w, pv_body_id b) {
    return sqrt((double)solid_pixels_of(w, b) / M_PI);
}

static pv_body_id put_collider(pv_world *w, pv_mask *mask, double x, double y,
                               pv_collider collider) {
    return put(w, mask, x, y, WITH(rough(0.8), it.collider = collider));
}

/// A body with a circle collider rolls like a disc, whatever its pixels.
START_TEST(a_circle_stands_in) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, g, NULL);
    put(w, box_mask(2000, 20), 0, 10, floor_of(0.8));
    pv_body_id b = put_collider(w, cross_mask(40, 12), -200, -40, PV_COLLIDER_CIRCLE);
    steps_well(w, 60);
    double radius = circle_radius(w, b);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).y, -radius, 0.1);
    ck_assert_int_eq(pv_body_set_velocity(w, b, (pv_vec2){100, 0}), PV_OK);
    ck_assert_int_eq(pv_body_set_angular_velocity(w, b, 100 / radius), PV_OK);
    steps_well(w, 120);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).x, 0, 2);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).y, -radius, 0.1);
}

/// Adds a ramp that falls by 1 px in 4, whose surface begins at the origin.
static void put_ramp(pv_world *w) {
    pv_mask *ramp = pv_mask_create(800, 400, NULL, NULL);
    for (int x = 0; x < 800; x++) pv_mask_fill_rect(ramp, (pv_rect){x, x / 4, 1, 400}, true);
    pv_body_def def = WITH(floor_of(0.8), it.mask = ramp);
    pv_body_def_set_top_left(&def, (pv_vec2){0, 0});
    put(w, ramp, def.position.x, def.position.y, def);
}

/// A cross with a circle collider rolls down a ramp of pixels like a disc, also after a restore.
START_TEST(a_circle_rolls_down_a_ramp_of_pixels) {
    pv_world *w = mode_world(PV_CONTACT_MODE_PIXELS, g, NULL);
    scoped_keepsake saved = {0};
    put_ramp(w);
    pv_body_id b = put_collider(w, cross_mask(40, 12), 60, -4, PV_COLLIDER_CIRCLE);
    double radius = circle_radius(w, b), level = sqrt(1 / (1 + 0.0625));
    for (int i = 0; i < 120; i++) {
        steps_well(w, 1);
        pv_vec2 p = pv_body_get_position(w, b);
        if (i >= 30) ck_assert_double_eq_tol((p.x / 4 - p.y) * level, radius, 1.2);
    }
    double inertia = pv_body_get_inertia(w, b) / pv_body_get_mass(w, b),
           rolled = g * 0.25 * level / (1 + inertia / (radius * radius)) * 2,
           speed = vec_distance(pv_body_get_velocity(w, b), PV_VEC2(0, 0));
    ck_assert_double_eq_tol(speed, rolled, 0.15 * rolled);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b) * radius, speed, 0.1 * speed);
    keep_world(w, PV_SNAPSHOT_PIXELS, &saved);
    steps_well(w, 60);
    uint64_t hash = pv_world_compute_hash(w);
    recall_world(w, &saved);
    steps_well(w, 60);
    ck_assert_uint_eq(pv_world_compute_hash(w), hash);
}

/// A cross with a box collider rests on its box, and a small box rests on it between two arms.
START_TEST_FOR(a_box_stands_in, how, 4) {
    bool box = how / 2, pixels = how % 2 == PV_CONTACT_MODE_PIXELS;
    pv_world *w = mode_world(how % 2, g, NULL);
    put(w, box_mask(400, 20), 0, 10, floor_of(0.6));
    pv_body_id low = put_collider(w, cross_mask(36, 12), 0, -18.1,
                                  box ? PV_COLLIDER_BOX : PV_COLLIDER_PIXELS),
               high = put(w, box_mask(8, 8), 14, -36 - 4.5, rough(0.6));
    steps_well(w, 120);
    /* By contours all rest 0.02 px apart. Shapes that are not convex rest 0.15 px further: their
     * slanted pixels stick out. */
    ck_assert_double_eq_tol(pv_body_get_position(w, low).y, -18, pixels ? 0.6 : box ? 0.05 : 0.2);
    ck_assert_double_eq_tol(pv_body_get_angle(w, low), 0, 0.05);
    if (box)
        ck_assert_double_eq_tol(pv_body_get_position(w, high).y, -36 - 4, pixels ? 0.6 : 0.2);
    else
        ck_assert_double_gt(pv_body_get_position(w, high).y, -36 + 4);              /* in the gap */
    if (box) ck_assert_uint_eq(pv_world_pick_body(w, (pv_vec2){14, -34}).index, 0); /* no pixel */
}

/// The circle is computed anew from the pixels that a cut leaves.
START_TEST(a_carved_collider_fits_what_is_left) {
    pv_world *w = mode_world(PV_CONTACT_MODE_PIXELS, g, NULL);
    put(w, box_mask(400, 20), 0, 10, floor_of(0.8));
    pv_body_id b = put_collider(w, box_mask(60, 30), 0, -40, PV_COLLIDER_CIRCLE);
    for (int cuts = 0; cuts < 2; cuts++) {
        steps_well(w, 120);
        double radius = circle_radius(w, b);
        ck_assert_double_eq_tol(pv_body_get_position(w, b).y, -radius, 1.2);
        cut_out(w, b, pv_cut_circle(pv_body_to_world(w, b, (pv_vec2){60 * cuts, 15}), 22));
        ck_assert_double_lt(circle_radius(w, b), radius - 1);
    }
}

START_TEST_FOR(what_is_out_of_range_is_refused, i, 2) {
    scoped_world *w = plain_world(0, g, false);
    scoped_mask *m = box_mask(4, 4);
    pv_error error;
    pv_body_def def = pv_body_def_at(PV_BODY_DYNAMIC, m, 0, 0);
    def.rolling_resistance = i ? 1e7 : -1;
    pv_body_create(w, &def, &error);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
}

START_TEST(a_step_says_where_its_time_went) {
    ck_assert_double_eq(pv_world_get_profile(NULL).total, 0);
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

RUN_TESTS_IN("collider", NULL, give_back, 1)
