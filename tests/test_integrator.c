/* test_integrator.c - four ways to integrate one point: accuracy, stability, and refusals.
 *
 * Invariant: expected values are exact solutions of the motion, or of the integrator's recurrence.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixverlet/paper.h"
#include "support.h"

static const pv_paper_integrator EULER = PV_PAPER_INTEGRATOR_EULER,
                                 SYMPLECTIC = PV_PAPER_INTEGRATOR_SYMPLECTIC,
                                 VERLET = PV_PAPER_INTEGRATOR_VERLET,
                                 CORRECTED = PV_PAPER_INTEGRATOR_CORRECTED_VERLET;

enum { WAYS = 4 };

/// Stiffness and frequency of a spring x'' = -K x, and acceleration of a fall
static const double K = 9, OMEGA = 3, FALL = 320;

static pv_vec2 spring(pv_vec2 at) { return (pv_vec2){-K * at.x, -K * at.y}; }

/// Returns the place on a spring, after a time, of a point with position p and velocity v.
static pv_vec2 spring_at(pv_vec2 p, pv_vec2 v, double t) {
    double c = cos(OMEGA * t), s = sin(OMEGA * t) / OMEGA;
    return (pv_vec2){c * p.x + s * v.x, c * p.y + s * v.y};
}

static pv_vec2 fall_at(pv_vec2 p, pv_vec2 v, double t) {
    return (pv_vec2){p.x + v.x * t, p.y + v.y * t + FALL / 2 * t * t};
}

static pv_paper_motion motion_from(pv_vec2 position, pv_vec2 velocity) {
    return (pv_paper_motion){.position = position, .velocity = velocity};
}

/// Returns the greatest error of a throw that takes 2 s.
static double throw_error(pv_paper_integrator way, int steps) {
    pv_vec2 p = {10, 600}, v = {120, -400};
    pv_paper_motion m = motion_from(p, v);
    double h = 2.0 / steps, worst = 0;
    for (int i = 1; i <= steps; i++) {
        m = pv_paper_motion_step(way, m, (pv_vec2){0, FALL}, h);
        worst = fmax(worst, vec_distance(m.position, fall_at(p, v, i * h)));
    }
    return worst;
}

START_TEST(a_throw_is_exact_by_verlet) {
    ck_assert_double_le(throw_error(VERLET, 500), 1e-8);
    ck_assert_double_le(throw_error(CORRECTED, 500), 1e-8);
    /* Sums of a h^2 i instead of a t^2 / 2 are off by a h t / 2, to either side */
    ck_assert_double_eq_tol(throw_error(EULER, 500), FALL * 2 * (2.0 / 500) / 2, 1e-8);
    ck_assert_double_eq_tol(throw_error(SYMPLECTIC, 500), FALL * 2 * (2.0 / 500) / 2, 1e-8);
}

/// Returns a random step of 1/240...1/40 s.
static double jittered(uint64_t *dice) {
    return 1.0 / 240 + next_unit(dice) * (1.0 / 40 - 1.0 / 240);
}

typedef pv_vec2 (*exact_fn)(pv_vec2 p, pv_vec2 v, double t);

/// Returns the greatest error with uneven steps.
static double jitter_error(pv_paper_integrator way, exact_fn exact, uint64_t dice) {
    pv_vec2 p = {50, 0}, v = {20, -30};
    pv_paper_motion m = motion_from(p, v);
    double t = 0, worst = 0;
    for (int i = 0; i < 300; i++) {
        double h = jittered(&dice);
        pv_vec2 a = exact == fall_at ? (pv_vec2){0, FALL} : spring(m.position);
        m = pv_paper_motion_step(way, m, a, h);
        t += h;
        worst = fmax(worst, vec_distance(m.position, exact(p, v, t)));
    }
    return worst;
}

START_TEST(uneven_steps_spoil_verlet_unless_it_is_corrected) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        ck_assert_double_le(jitter_error(CORRECTED, fall_at, seed), 1e-8);
        ck_assert_double_ge(jitter_error(VERLET, fall_at, seed), 20);
        ck_assert_double_le(jitter_error(CORRECTED, spring_at, seed), 1);
        ck_assert_double_ge(jitter_error(VERLET, spring_at, seed),
                            20 * jitter_error(CORRECTED, spring_at, seed));
    }
}

/// Returns the energy of a point on a spring.
static double energy(const pv_paper_motion *m) {
    return (K * pow(m->position.x, 2) + pow(m->velocity.x, 2)) / 2;
}

static pv_paper_motion start_on_spring(void) {
    return motion_from((pv_vec2){100, 0}, (pv_vec2){0, 0});
}

START_TEST(explicit_euler_gains_energy_in_every_step) {
    pv_paper_motion m = start_on_spring();
    double h = 1.0 / 60, wanted = energy(&m);
    for (int i = 0; i < 600; i++) {
        m = pv_paper_motion_step(EULER, m, spring(m.position), h);
        wanted *= 1 + K * h * h; /* the square of (1 - i omega h) */
        ck_assert_double_eq_tol(energy(&m) / wanted, 1, 1e-10);
    }
    ck_assert_double_ge(wanted, 4 * K * 100 * 100 / 2);
}

START_TEST(symplectic_euler_keeps_an_energy_near_the_true_one) {
    pv_paper_motion m = start_on_spring();
    double h = 1.0 / 60, wanted = energy(&m);
    for (int i = 0; i < 100000; i++) {
        m = pv_paper_motion_step(SYMPLECTIC, m, spring(m.position), h);
        double kept = energy(&m) - h / 2 * K * m.position.x * m.velocity.x;
        ck_assert_double_eq_tol(kept / wanted, 1, 1e-9);
    }
}

START_TEST(verlet_by_equal_steps_goes_round_for_ever_and_needs_no_correction) {
    /* Solution of x'' = 2 x' - x - K h^2 x' is x0 cos(i theta), 2 cos theta = 2 - K h^2 */
    pv_paper_motion m = start_on_spring(), c = m;
    double h = 1.0 / 60, theta = acos(1 - K * h * h / 2);
    for (int i = 1; i <= 100000; i++) {
        m = pv_paper_motion_step(VERLET, m, spring(m.position), h);
        c = pv_paper_motion_step(CORRECTED, c, spring(c.position), h);
        ck_assert_double_eq(c.position.x, m.position.x);
        ck_assert_double_eq_tol(m.position.x, 100 * cos(i * theta), 1e-5);
    }
}

/// Returns the farthest place of a point on a spring, in the last of many uneven steps.
static double farthest_of(pv_paper_integrator way) {
    pv_paper_motion m = motion_from((pv_vec2){100, 0}, (pv_vec2){0, 100 * OMEGA}); /* a circle */
    uint64_t dice = 11;
    double farthest = 0;
    for (int i = 0; i < 100000; i++) {
        m = pv_paper_motion_step(way, m, spring(m.position), jittered(&dice));
        if (i >= 95000) farthest = fmax(farthest, hypot(m.position.x, m.position.y));
    }
    return farthest;
}

START_TEST(uneven_steps_feed_verlet_unless_it_is_corrected) {
    ck_assert_double_eq_tol(farthest_of(CORRECTED), 100, 1);
    ck_assert_double_ge(farthest_of(VERLET), 1000);
}

START_TEST_FOR(a_state_says_what_the_last_step_was, way, WAYS) {
    pv_paper_motion m = motion_from((pv_vec2){5, 6}, (pv_vec2){7, 8});
    ck_assert_double_eq(m.velocity.y, 8);
    ck_assert_double_eq(m.last, 0);
    pv_paper_motion n = pv_paper_motion_step((pv_paper_integrator)way, m, (pv_vec2){10, 0}, 0.5);
    ck_assert_double_eq(n.previous.x, 5);
    ck_assert_double_eq(n.previous.y, 6);
    ck_assert_double_eq(n.last, 0.5);
    ck_assert_double_eq(n.position.y, 10);
}

static void expect_refused(pv_paper_motion m, pv_vec2 acceleration, double h) {
    for (int way = 0; way < WAYS; way++) {
        pv_paper_motion n = pv_paper_motion_step((pv_paper_integrator)way, m, acceleration, h);
        ck_assert_int_eq(memcmp(&n, &m, sizeof m), 0);
    }
}

START_TEST(what_is_out_of_range_changes_nothing) {
    pv_paper_motion m = pv_paper_motion_step(VERLET, motion_from((pv_vec2){1, 2}, (pv_vec2){3, 4}),
                                             (pv_vec2){5, 6}, 1);
    static const double steps[] = {0, -0.1, 1.0000001, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        expect_refused(m, (pv_vec2){0, 9}, steps[i]);
    expect_refused(m, (pv_vec2){NAN, 0}, 0.1);
    expect_refused(m, (pv_vec2){0, INFINITY}, 0.1);
    expect_refused((pv_paper_motion){{0, 1e308}, {0, 0}, {0, 1e308}, 1}, (pv_vec2){0, 1e308}, 1);
    m.position.x = NAN;
    expect_refused(m, (pv_vec2){0, 0}, 0.1);
    pv_paper_motion n =
        pv_paper_motion_step((pv_paper_integrator)WAYS, start_on_spring(), (pv_vec2){0, 9}, 0.1);
    ck_assert_double_eq(n.last, 0);
}

RUN_TESTS("integrator")
