/* test_body.c - one body alone: the two particles, how they are moved, and what is refused.
 *
 * Invariant: expected values are sums over pixels or closed formulas of mechanics, never the
 * library's own output.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixverlet/paper.h"
#include "support.h"

static pv_world *world_of_gravity(double gx, double gy) {
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){gx, gy};
    def.enable_sleep = false;
    pv_world *w = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(w);
    return w;
}

static const char *const BOOT[] = {"##......", "##......", "###.....", "####....",
                                   "########", "########", NULL};

/// Mass, center and inertia of a mask as unit squares, pixel by pixel.
static void weigh(const pv_mask *m, double *mass, pv_vec2 *center, double *inertia) {
    *mass = 0;
    *center = (pv_vec2){0, 0};
    for (int y = 0; y < pv_mask_get_height(m); y++)
        for (int x = 0; x < pv_mask_get_width(m); x++)
            if (pv_mask_get_pixel(m, x, y)) *mass += 1, center->x += x + 0.5, center->y += y + 0.5;
    center->x /= *mass;
    center->y /= *mass;
    *inertia = 0;
    for (int y = 0; y < pv_mask_get_height(m); y++)
        for (int x = 0; x < pv_mask_get_width(m); x++)
            if (pv_mask_get_pixel(m, x, y))
                *inertia += pow(x + 0.5 - center->x, 2) + pow(y + 0.5 - center->y, 2) + 1.0 / 6;
}

START_TEST(paper_2_1_two_particles_are_the_rigid_body) {
    pv_world *w = world_of_gravity(0, 0);
    double mass, inertia;
    pv_vec2 center, p[2];
    pv_mask *boot = text_mask(BOOT);
    weigh(boot, &mass, &center, &inertia);
    pv_body_def def = pv_body_def_default();
    def.density = 2.5;
    def.angle = 0.7;
    pv_body_id b = put(w, boot, 100, 50, def);
    ck_assert_double_eq_tol(pv_body_get_mass(w, b), 2.5 * mass, 1e-12);
    ck_assert_double_eq_tol(pv_body_get_inertia(w, b), 2.5 * inertia, 1e-9);
    ck_assert_int_eq(pv_paper_body_get_particles(w, b, p), PV_OK);
    /* half the mass each, at their distances from the center */
    double each = pv_body_get_mass(w, b) / 2, sum = 0;
    for (int i = 0; i < 2; i++) sum += each * (pow(p[i].x - 100, 2) + pow(p[i].y - 50, 2));
    ck_assert_double_eq_tol(sum, 2.5 * inertia, 1e-9);
    ck_assert_double_eq_tol((p[0].x + p[1].x) / 2, 100, 1e-12);
    ck_assert_double_eq_tol((p[0].y + p[1].y) / 2, 50, 1e-12);
    ck_assert_double_eq_tol(atan2(p[1].y - p[0].y, p[1].x - p[0].x), 0.7, 1e-12);
    /* the pivot of its picture is its center of mass */
    pv_transform t = pv_body_get_transform(w, b);
    ck_assert_double_eq_tol(t.pivot.x, center.x, 1e-12);
    ck_assert_double_eq_tol(t.pivot.y, center.y, 1e-12);
    pv_world_destroy(w);
}
END_TEST

START_TEST(mass_in_place_of_density) {
    pv_world *w = world_of_gravity(0, 0);
    pv_body_def def = pv_body_def_default();
    def.mass = 7;
    pv_body_id b = put(w, box_mask(10, 4), 0, 0, def);
    ck_assert_double_eq_tol(pv_body_get_mass(w, b), 7, 1e-12);
    ck_assert_double_eq_tol(pv_body_get_inertia(w, b), 7 * (100 + 16) / 12.0, 1e-9);
    pv_world_destroy(w);
}
END_TEST

START_TEST(paper_2_2_velocity_by_the_previous_positions) {
    pv_world *w = world_of_gravity(0, 0);
    pv_body_id b = put(w, box_mask(8, 8), 10, 20, pv_body_def_default());
    ck_assert_int_eq(pv_body_set_velocity(w, b, (pv_vec2){60, -30}), PV_OK);
    ck_assert_double_eq(pv_body_get_position(w, b).x, 10);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 60, 1e-9);
    pv_world_step(w, 1.0 / 60);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).x, 11, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).y, 19.5, 1e-9);
    pv_world_destroy(w);
}
END_TEST

START_TEST(paper_2_2_velocity_by_the_current_positions) {
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, 0};
    def.substeps = 5;
    pv_world *w = pv_world_create(&def, NULL);
    pv_body_id b = put(w, box_mask(8, 8), 10, 20, pv_body_def_default());
    double h = 1.0 / 60 / 5;
    ck_assert_int_eq(pv_paper_body_set_velocity(w, b, (pv_vec2){60, 0}, PV_PAPER_SHIFT_CURRENT),
                     PV_OK);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).x, 10 + 60 * h, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 60, 1e-9);
    pv_world_destroy(w);
}
END_TEST

START_TEST(paper_2_3_force_moves_by_mass_and_torque_by_inertia) {
    pv_world *w = world_of_gravity(0, 0);
    pv_body_id b = put(w, box_mask(10, 10), 0, 0, pv_body_def_default());
    double m = 100, inertia = 100 * 200 / 12.0, t = 0;
    for (int i = 0; i < 60; i++, t += 1.0 / 60) {
        pv_body_apply_force(w, b, (pv_vec2){m * 50, 0});
        pv_body_apply_torque(w, b, inertia * 0.5);
        pv_world_step(w, 1.0 / 60);
    }
    ck_assert_double_eq_tol(pv_body_get_position(w, b).x, 0.5 * 50 * t * t, 1e-6);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 50 * t, 1e-6);
    ck_assert_double_eq_tol(pv_body_get_angle(w, b), 0.5 * 0.5 * t * t, 2e-3);
    pv_world_step(w, 1.0 / 60); /* forces do not linger */
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 50 * t, 0.2);
    pv_world_destroy(w);
}
END_TEST

START_TEST(paper_2_3_force_and_impulse_at_a_point) {
    pv_world *w = world_of_gravity(0, 0);
    pv_body_id a = put(w, box_mask(10, 10), 0, 0, pv_body_def_default());
    double m = 100, inertia = 100 * 200 / 12.0;
    pv_body_apply_impulse_at(w, a, (pv_vec2){0, 300}, (pv_vec2){4, 0});
    ck_assert_double_eq_tol(pv_body_get_velocity(w, a).y, 300 / m, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, a), 4 * 300 / inertia, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_velocity_at(w, a, (pv_vec2){4, 0}).y,
                            300 / m + 16 * 300 / inertia, 1e-9);
    pv_body_id b = put(w, box_mask(10, 10), 100, 0, pv_body_def_default());
    pv_body_apply_force_at(w, b, (pv_vec2){0, 600}, (pv_vec2){103, 0});
    pv_world_step(w, 0.01);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).y, 600 / m * 0.01, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 1800 / inertia * 0.01, 2e-3);
    pv_world_destroy(w);
}
END_TEST

/// Velocity of particle i by its own movement over a tiny step.
static pv_vec2 particle_velocity(pv_world *w, pv_body_id b, int i) {
    pv_vec2 before[2], after[2];
    pv_paper_body_get_particles(w, b, before);
    pv_world_step(w, 1e-6);
    pv_paper_body_get_particles(w, b, after);
    return (pv_vec2){(after[i].x - before[i].x) / 1e-6, (after[i].y - before[i].y) / 1e-6};
}

START_TEST(paper_2_4_turn_about_center_or_a_particle) {
    const pv_paper_about abouts[] = {PV_PAPER_ABOUT_CENTER, PV_PAPER_ABOUT_FIRST,
                                     PV_PAPER_ABOUT_SECOND};
    for (int k = 0; k < 3; k++) {
        pv_world *w = world_of_gravity(0, 0);
        pv_body_def def = pv_body_def_default();
        def.angle = 0.3;
        def.velocity = (pv_vec2){20, 5};
        pv_body_id b = put(w, box_mask(20, 10), 0, 0, def);
        ck_assert_int_eq(pv_paper_body_set_angular_velocity(w, b, 3, abouts[k]), PV_OK);
        ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 3, 1e-9);
        if (abouts[k] == PV_PAPER_ABOUT_CENTER) {
            ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 20, 1e-9);
        } else {
            int stays = abouts[k] == PV_PAPER_ABOUT_FIRST ? 0 : 1;
            pv_vec2 v = particle_velocity(w, b, stays), u = particle_velocity(w, b, !stays);
            ck_assert_double_eq_tol(v.x, 20, 1e-3);
            ck_assert_double_eq_tol(v.y, 5, 1e-3);
            double stick = 2 * sqrt((400 + 100) / 12.0);
            ck_assert_double_eq_tol(hypot(u.x - v.x, u.y - v.y), 3 * stick, 1e-2);
        }
        pv_world_destroy(w);
    }
}
END_TEST

/// Returns the greatest error of a throw at x = 8000 px to its parabola in 2 s. Rounding adds up
/// over more substeps.
static double off_parabola(int substeps) {
    pv_world_def wd = pv_world_def_default();
    wd.gravity = (pv_vec2){12, 320};
    wd.substeps = substeps;
    pv_world *w = pv_world_create(&wd, NULL);
    pv_body_def def = pv_body_def_default();
    def.velocity = (pv_vec2){40, -150};
    pv_body_id b = put(w, box_mask(6, 6), 8000, 100, def);
    double most = 0;
    for (int i = 1; i <= 120; i++) {
        pv_world_step(w, 1.0 / 60);
        double t = i / 60.0;
        pv_vec2 p = pv_body_get_position(w, b);
        most = fmax(most, fabs(p.x - (8000 + 40 * t + 6 * t * t)));
        most = fmax(most, fabs(p.y - (100 - 150 * t + 160 * t * t)));
        ck_assert_double_eq_tol(pv_body_get_velocity(w, b).y, -150 + 320 * t, 1e-5);
    }
    pv_world_destroy(w);
    return most;
}

START_TEST(free_fall_lies_on_the_parabola) {
    ck_assert_double_lt(off_parabola(4), 1e-7);
    ck_assert_double_lt(off_parabola(16), 1e-6);
}
END_TEST

START_TEST(jittering_steps_stay_on_the_parabola) {
    pv_world *w = world_of_gravity(0, 320);
    pv_body_def def = pv_body_def_default();
    def.velocity = (pv_vec2){40, -150};
    def.angular_velocity = 2;
    pv_body_id b = put(w, box_mask(6, 6), 0, 0, def);
    uint64_t seed = 5;
    double t = 0, stick = 2 * sqrt((36 + 36) / 12.0), rounding = 1e-12;
    for (int i = 0; i < 300; i++) {
        double dt = 0.002 + 0.03 * next_unit(&seed);
        pv_world_step(w, dt);
        t += dt;
        /* Particles are made and read twice per step: an ulp over the stick, in a substep */
        rounding += 2 * (fabs(pv_body_get_position(w, b).y) * 0x1p-52 / stick) / (dt / 16);
        ck_assert_double_eq_tol(pv_body_get_position(w, b).y, -150 * t + 160 * t * t,
                                1e-6 * (1 + t * t));
        ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 2, rounding);
    }
    double turned = fmod(2 * t, 2 * M_PI), angle = pv_body_get_angle(w, b);
    ck_assert_double_eq_tol(cos(turned - angle), 1, 1e-12);
    pv_world_destroy(w);
}
END_TEST

START_TEST(free_spin_does_not_decay) {
    pv_world *w = world_of_gravity(0, 0);
    pv_body_def def = pv_body_def_default();
    def.angular_velocity = 10;
    pv_body_id b = put(w, box_mask(30, 3), 0, 0, def);
    for (int i = 0; i < 600; i++) pv_world_step(w, 1.0 / 60);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 10, 1e-6);
    ck_assert_double_eq_tol(cos(pv_body_get_angle(w, b) - 100), 1, 1e-9);
    pv_vec2 p[2];
    pv_paper_body_get_particles(w, b, p);
    ck_assert_double_eq_tol(hypot(p[1].x - p[0].x, p[1].y - p[0].y), 2 * sqrt((900 + 9) / 12.0),
                            1e-9);
    pv_world_destroy(w);
}
END_TEST

START_TEST(types_move_as_they_say) {
    pv_world *w = world_of_gravity(0, 320);
    pv_body_def def = of_type(PV_BODY_KINEMATIC);
    def.velocity = (pv_vec2){30, 0};
    def.angular_velocity = 1;
    pv_body_id k = put(w, box_mask(8, 8), 0, 0, def);
    pv_body_id s = put(w, box_mask(8, 8), 0, 100, of_type(PV_BODY_STATIC));
    def = pv_body_def_default();
    def.motion_locks = PV_LOCK_ROTATION;
    pv_body_id f = put(w, box_mask(8, 8), 0, 200, def);
    pv_body_apply_torque(w, f, 1e6);
    pv_body_apply_force(w, k, (pv_vec2){1e6, 1e6});
    for (int i = 0; i < 60; i++) pv_world_step(w, 1.0 / 60);
    ck_assert_double_eq_tol(pv_body_get_position(w, k).x, 30, 1e-9);
    ck_assert_double_eq(pv_body_get_position(w, k).y, 0);
    ck_assert_double_eq_tol(pv_body_get_angle(w, k), 1, 1e-9);
    ck_assert_double_eq(pv_body_get_position(w, s).y, 100);
    ck_assert_double_eq(pv_body_get_angle(w, f), 0);
    ck_assert_int_eq(pv_body_set_velocity(w, s, (pv_vec2){1, 0}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_apply_force(w, s, (pv_vec2){1, 0}), PV_ERROR_ARGUMENT);
    pv_world_destroy(w);
}
END_TEST

START_TEST(teleports_keep_the_motion) {
    pv_world *w = world_of_gravity(0, 100);
    pv_body_def def = pv_body_def_default();
    def.velocity = (pv_vec2){3, 4};
    def.angular_velocity = -2;
    pv_body_id b = put(w, box_mask(8, 8), 0, 0, def);
    pv_world_step(w, 1.0 / 60);
    pv_vec2 v = pv_body_get_velocity(w, b);
    ck_assert_int_eq(pv_body_set_position(w, b, (pv_vec2){-500, 70}), PV_OK);
    ck_assert_int_eq(pv_body_set_angle(w, b, -3), PV_OK);
    ck_assert_double_eq(pv_body_get_position(w, b).x, -500);
    ck_assert_double_eq_tol(pv_body_get_angle(w, b), -3, 1e-12);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, v.x, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).y, v.y, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), -2, 1e-9);
    pv_world_destroy(w);
}
END_TEST

START_TEST(a_body_that_would_leave_the_numbers_is_frozen) {
    pv_world *w = world_of_gravity(0, 0);
    pv_body_def def = pv_body_def_default();
    def.velocity = (pv_vec2){PV_MAX_COORDINATE, 0};
    pv_body_id b = put(w, box_mask(8, 8), PV_MAX_COORDINATE - 10, 0, def);
    pv_body_id other = put(w, box_mask(8, 8), 0, 0, pv_body_def_default());
    ck_assert_int_eq(pv_world_step(w, 1.0 / 60), PV_OK);
    ck_assert_int_eq(pv_world_get_events(w).frozen_count, 1);
    ck_assert_double_eq(pv_body_get_position(w, b).x, PV_MAX_COORDINATE - 10);
    ck_assert_double_eq(pv_body_get_velocity(w, b).x, 0);
    for (int i = 0; i < 2; i++) pv_body_apply_force(w, other, (pv_vec2){1e308, 0});
    ck_assert_int_eq(pv_world_step(w, 1.0 / 60), PV_OK);
    ck_assert_int_eq(pv_world_get_events(w).frozen_count, 1);
    ck_assert(isfinite(pv_body_get_position(w, other).x) &&
              isfinite(pv_body_get_velocity(w, other).x));
    pv_world_destroy(w);
}
END_TEST

START_TEST(bad_defs_are_refused) {
    pv_world *w = world_of_gravity(0, 0);
    pv_mask *box = box_mask(4, 4), *empty = pv_mask_create(4, 4, NULL, NULL);
    pv_body_def good = pv_body_def_default(), d;
    good.mask = box;
    struct {
        size_t offset;
        double value;
        pv_status status;
    } bad[] = {
        {offsetof(pv_body_def, position.x), NAN, PV_ERROR_NOT_FINITE},
        {offsetof(pv_body_def, position.y), INFINITY, PV_ERROR_NOT_FINITE},
        {offsetof(pv_body_def, position.x), 2 * PV_MAX_COORDINATE, PV_ERROR_ARGUMENT},
        {offsetof(pv_body_def, angle), NAN, PV_ERROR_NOT_FINITE},
        {offsetof(pv_body_def, velocity.x), -INFINITY, PV_ERROR_NOT_FINITE},
        {offsetof(pv_body_def, angular_velocity), NAN, PV_ERROR_NOT_FINITE},
        {offsetof(pv_body_def, mass), -1, PV_ERROR_ARGUMENT},
        {offsetof(pv_body_def, density), -1, PV_ERROR_ARGUMENT},
        {offsetof(pv_body_def, density), 0, PV_ERROR_ARGUMENT},
        {offsetof(pv_body_def, density), 0.99e-6, PV_ERROR_ARGUMENT},
        {offsetof(pv_body_def, density), 1.01e6, PV_ERROR_ARGUMENT},
        {offsetof(pv_body_def, mass), 0.99e-9, PV_ERROR_ARGUMENT},
        {offsetof(pv_body_def, mass), 5e-324, PV_ERROR_ARGUMENT},
        {offsetof(pv_body_def, mass), 1.01e12, PV_ERROR_ARGUMENT},
        {offsetof(pv_body_def, restitution), 1.01, PV_ERROR_ARGUMENT},
        {offsetof(pv_body_def, restitution), -0.01, PV_ERROR_ARGUMENT},
        {offsetof(pv_body_def, restitution), NAN, PV_ERROR_NOT_FINITE},
        {offsetof(pv_body_def, static_friction), 2e6, PV_ERROR_ARGUMENT},
        {offsetof(pv_body_def, friction), -1, PV_ERROR_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pv_error error;
        d = good;
        memcpy((char *)&d + bad[i].offset, &bad[i].value, sizeof(double));
        pv_body_id b = pv_body_create(w, &d, &error);
        ck_assert_uint_eq(b.index, 0);
        ck_assert_msg(error.status == bad[i].status, "case %zu: %s", i, error.message);
    }
    pv_error error;
    d = good, d.mask = empty;
    ck_assert_uint_eq(pv_body_create(w, &d, &error).index, 0);
    ck_assert_int_eq(error.status, PV_ERROR_EMPTY);
    d = good, d.mask = NULL;
    pv_body_create(w, &d, &error);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    d = good, d.type = (pv_body_type)9;
    pv_body_create(w, &d, &error);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    d = good, d.cookie = 0;
    pv_body_create(w, &d, &error);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    pv_body_create(w, NULL, &error);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    pv_body_create(NULL, &good, &error);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_world_get_stats(w).bodies, 0);
    pv_mask_release(box);
    pv_mask_release(empty);
    pv_world_destroy(w);
}
END_TEST

/// On both sides of each limit, whichever way a mass comes to be.
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
    pv_world *w = world_of_gravity(0, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pv_error error;
        pv_body_def d = pv_body_def_default();
        d.mass = cases[i].mass;
        d.density = cases[i].density;
        d.mask = box_mask(cases[i].side, cases[i].side);
        pv_body_id b = pv_body_create(w, &d, &error);
        ck_assert_msg(error.status == (cases[i].good ? PV_OK : PV_ERROR_ARGUMENT), "case %zu", i);
        if (error.status == PV_OK && d.mass > 0)
            ck_assert_double_eq(pv_body_get_mass(w, b), d.mass);
        pv_mask_release(d.mask);
    }
    pv_body_id b = put(w, box_mask(8, 8), 0, 0, pv_body_def_default());
    ck_assert_int_eq(pv_body_set_mass(w, b, 0.99e-9), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_mass(w, b, 1.01e12), PV_ERROR_ARGUMENT);
    ck_assert_double_eq(pv_body_get_mass(w, b), 64);
    ck_assert_int_eq(pv_body_set_mass(w, b, 1e12), PV_OK);
    ck_assert_int_eq(pv_body_set_scale(w, b, (pv_vec2){2, 1}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_mass(w, b, 1e-9), PV_OK);
    ck_assert_int_eq(pv_body_set_scale(w, b, (pv_vec2){0.5, 1}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_scale(w, b, (pv_vec2){2, 1}), PV_OK);
    ck_assert_double_eq_tol(pv_body_get_mass(w, b), 2e-9, 1e-24);
    pv_world_destroy(w);
}
END_TEST

/// Checks that parts of a carved body may weigh less than the limit.
START_TEST(what_is_left_of_the_lightest_weighs_as_much) {
    for (int contacts = 0; contacts < 2; contacts++) {
        pv_world_def wd = pv_world_def_default();
        wd.contact_mode = (pv_contact_mode)contacts;
        pv_world *w = pv_world_create(&wd, NULL);
        pv_body_def d = pv_body_def_default();
        d.mass = 1e-9;
        pv_body_id b = put(w, box_mask(40, 40), 20, 20, d), part = {0};
        pv_carve_result carved;
        pv_cut cut = pv_cut_box((pv_vec2){18, -1}, (pv_vec2){22, 50});
        ck_assert_int_eq(pv_body_carve(w, b, &cut, &carved), PV_OK);
        ck_assert_int_eq(carved.body_count, 2);
        for (int i = 0; i < 2; i++) {
            pv_error error;
            part = pv_world_get_next_body(w, part);
            d = pv_body_get_def(w, part);
            ck_assert_double_eq(pv_body_get_mass(w, part), 1e-9);
            ck_assert(pv_body_is_valid(w, pv_body_create(w, &d, &error)));
        }
        pv_world_destroy(w);
    }
}
END_TEST

/// A step is 1e-9...1 s long; another one changes nothing.
START_TEST(steps_keep_within_their_range) {
    const double bad[] = {5e-324, 1e-308, 1e-100, 1e-12, 0.99e-9, 1.01},
                 good[] = {1e-9, 2e-9, 1e-6, 1};
    for (int contacts = 0; contacts < 2; contacts++) {
        pv_world_def wd = pv_world_def_default();
        wd.contact_mode = (pv_contact_mode)contacts;
        wd.gravity = (pv_vec2){0, 0};
        pv_world *w = pv_world_create(&wd, NULL);
        pv_body_def d = pv_body_def_default();
        d.velocity = (pv_vec2){100, 50};
        d.angular_velocity = 2;
        pv_body_id b = put(w, box_mask(10, 10), 0, 0, d);
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            uint64_t hash = pv_world_compute_hash(w);
            ck_assert_int_eq(pv_world_step(w, bad[i]),
                             isfinite(bad[i]) ? PV_ERROR_ARGUMENT : PV_ERROR_NOT_FINITE);
            ck_assert(pv_world_compute_hash(w) == hash);
        }
        for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
            step_well(w, good[i]);
            ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 100, 1e-2);
            ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 2, 1e-2);
        }
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(stale_names_are_noticed) {
    pv_world *w = world_of_gravity(0, 0);
    pv_body_id old = put(w, box_mask(4, 4), 5, 5, pv_body_def_default());
    ck_assert_int_eq(pv_body_destroy(w, old), PV_OK);
    pv_body_id young = put(w, box_mask(4, 4), 9, 9, pv_body_def_default());
    ck_assert_uint_eq(young.index, old.index);
    const pv_body_id bad[] = {old, {0, 0}, {99, 1}, {young.index, young.generation + 2}};
    pv_vec2 p[2];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pv_body_id b = bad[i];
        ck_assert(!pv_body_is_valid(w, b));
        ck_assert_int_eq(pv_body_destroy(w, b), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_set_position(w, b, (pv_vec2){1, 1}), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_set_angle(w, b, 1), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_set_velocity(w, b, (pv_vec2){1, 1}), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_set_angular_velocity(w, b, 1), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_apply_force(w, b, (pv_vec2){1, 1}), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_apply_force_at(w, b, (pv_vec2){1, 1}, (pv_vec2){0, 0}),
                         PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_apply_torque(w, b, 1), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_apply_impulse_at(w, b, (pv_vec2){1, 1}, (pv_vec2){0, 0}),
                         PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_set_restitution(w, b, 0), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_set_friction(w, b, 0), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_set_static_friction(w, b, 0), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_set_rolling_resistance(w, b, 0), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_apply_impulse(w, b, (pv_vec2){1, 1}), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_apply_angular_impulse(w, b, 1), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_set_user_data(w, b, w), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_body_wake(w, b), PV_ERROR_STALE_ID);
        ck_assert_int_eq(pv_paper_body_get_particles(w, b, p), PV_ERROR_STALE_ID);
        ck_assert_double_eq(pv_body_get_position(w, b).x, 0);
        ck_assert_double_eq(pv_body_get_rotation(w, b).c, 1);
        ck_assert_ptr_null(pv_body_get_mask(w, b));
        ck_assert_ptr_null(pv_body_get_user_data(w, b));
        ck_assert_double_eq(pv_body_get_mass(w, b), 0);
    }
    ck_assert_double_eq(pv_body_get_position(w, young).x, 9);
    pv_world_destroy(w);
}
END_TEST

START_TEST(bad_numbers_are_refused_and_change_nothing) {
    pv_world *w = world_of_gravity(0, 0);
    pv_body_id b = put(w, box_mask(4, 4), 5, 6, pv_body_def_default());
    uint64_t hash = pv_world_compute_hash(w);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        pv_vec2 v = {bad[i], 0}, o = {0, 0};
        ck_assert_int_eq(pv_body_set_position(w, b, v), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_set_angle(w, b, bad[i]), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_set_velocity(w, b, v), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_set_angular_velocity(w, b, bad[i]), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_apply_force(w, b, v), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_apply_force_at(w, b, o, v), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_apply_torque(w, b, bad[i]), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_apply_impulse_at(w, b, v, o), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_apply_impulse_at(w, b, o, v), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_apply_impulse(w, b, v), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_apply_angular_impulse(w, b, bad[i]), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_set_restitution(w, b, bad[i]), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_set_friction(w, b, bad[i]), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_body_set_rolling_resistance(w, b, bad[i]), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_world_set_gravity(w, v), PV_ERROR_NOT_FINITE);
        ck_assert_int_eq(pv_world_step(w, bad[i]), PV_ERROR_NOT_FINITE);
    }
    ck_assert_int_eq(pv_body_set_position(w, b, (pv_vec2){1e9, 0}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_paper_body_set_velocity(w, b, (pv_vec2){1, 0}, (pv_paper_shift)7),
                     PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_paper_body_set_angular_velocity(w, b, 1, (pv_paper_about)-1),
                     PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_restitution(w, b, 1.5), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_friction(w, b, -1), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_static_friction(w, b, 2e6), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_apply_impulse_at(w, b, (pv_vec2){1e300, 0}, (pv_vec2){0, 0}),
                     PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_world_step(w, 0), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_world_step(w, -1), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_world_step(w, 1.5), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_world_step(NULL, 0.1), PV_ERROR_ARGUMENT);
    ck_assert(pv_world_compute_hash(w) == hash);
    pv_world_destroy(w);
}
END_TEST

RUN_SUITE("body", paper_2_1_two_particles_are_the_rigid_body, mass_in_place_of_density,
          paper_2_2_velocity_by_the_previous_positions, paper_2_2_velocity_by_the_current_positions,
          paper_2_3_force_moves_by_mass_and_torque_by_inertia,
          paper_2_3_force_and_impulse_at_a_point, paper_2_4_turn_about_center_or_a_particle,
          free_fall_lies_on_the_parabola, jittering_steps_stay_on_the_parabola,
          free_spin_does_not_decay, types_move_as_they_say, teleports_keep_the_motion,
          a_body_that_would_leave_the_numbers_is_frozen, bad_defs_are_refused,
          stale_names_are_noticed, bad_numbers_are_refused_and_change_nothing,
          masses_keep_within_their_range, what_is_left_of_the_lightest_weighs_as_much,
          steps_keep_within_their_range)
