/* accuracy_steps.c - slow bodies that must not fall asleep: slides, falls, drifts and swings.
 *
 * Invariant: every figure is the worst over random shapes, sizes, angles and speeds that the
 * setting's seed chooses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* ---- sliding, falling and drifting go on ---- */

/// Gap at which contacts rest [px]
static const double TOUCH = 0.02;

static int trials(const setting *how, int count) { return how->quick ? (count + 3) / 4 : count; }

/// Returns the same setting with sleeping on.
static setting sleepy(const setting *how) {
    setting s = *how;
    s.sleeping = true;
    return s;
}

/// Returns the error of a sliding box's distance by Coulomb's law [%]. Its friction is below the
/// slope by a share.
static double slide_error(const setting *how, yard *dice, double tangent, double share,
                          double seconds) {
    double angle = atan(tangent), g = yard_uniform(dice, 200, 1500),
           friction = tangent * (1 - share);
    double acceleration = g * (sin(angle) - friction * cos(angle));
    int w = (int)yard_uniform(dice, 8, 64), h = (int)yard_uniform(dice, 8, fmin(w + 1, 33));
    stuff of = {.static_friction = friction, .kinetic_friction = friction};
    stuff rough = {.static_friction = 4, .kinetic_friction = 4};
    yard y = yard_open(how, g);
    double up = 0.5 * h + TOUCH, way = -yard_uniform(dice, 0, 900);
    yard_put(&y, PV_BODY_STATIC, mask_box(2400, 64), -32 * sin(angle), 32 * cos(angle), angle, of);
    pv_body_id box =
        yard_put(&y, PV_BODY_DYNAMIC, mask_box(w, h), way * cos(angle) + up * sin(angle),
                 way * sin(angle) - up * cos(angle), angle, rough);
    yard_run(&y, 0.25);
    set_surface(y.world, box, 0, friction, friction);
    pv_vec2 from = yard_place(&y, box);
    seconds = floor(seconds * HZ) / HZ;
    yard_run(&y, seconds);
    pv_vec2 to = yard_place(&y, box);
    double expected = 0.5 * acceleration * seconds * seconds;
    double gone = (to.x - from.x) * cos(angle) + (to.y - from.y) * sin(angle);
    yard_close(&y);
    return 100 * fabs(gone / expected - 1);
}

/// Runs slopes of one half and of random tangents. Friction is lower by 4 %, 1 %, or a random share
/// up to 4 %. The box goes a few hundred pixels at most.
static void run_slide(const setting *given, double unused, double *values) {
    setting how = sleepy(given);
    yard dice = yard_open(&how, 0);
    (void)unused;
    values[0] = 0;
    for (int i = 0; i < trials(&how, 24); i++) {
        double tangent = i % 2 ? yard_uniform(&dice, 0.1, 0.9) : 0.5;
        double share = i % 3 == 0 ? 0.04 : i % 3 == 1 ? 0.01 : yard_uniform(&dice, 0.002, 0.04);
        values[0] =
            fmax(values[0], slide_error(&how, &dice, tangent, share, yard_uniform(&dice, 2, 5)));
    }
    yard_close(&dice);
}

static pv_mask *any_mask(yard *dice) {
    int size = (int)yard_uniform(dice, 4, 48);
    switch ((int)yard_uniform(dice, 0, 4)) {
    case 0: return mask_box(size, size / 2 + 1);
    case 1: return mask_disc(size / 2.0);
    case 2: return mask_letter_l(size + 8);
    default: return mask_star(size + 8);
    }
}

/// Returns the greatest deviation of a free flight from its parabola in a time [px].
static double flight_error(const setting *how, yard *dice, double g, pv_vec2 velocity, double spin,
                           double seconds) {
    yard y = yard_open(how, g);
    double worst = 0, angle = yard_uniform(dice, -pi, pi);
    pv_body_id body = yard_put(&y, PV_BODY_DYNAMIC, any_mask(dice), 0, 0, angle, plain);
    double turned = pv_body_get_angle(y.world, body),
           reach = sqrt(pv_body_get_inertia(y.world, body) / pv_body_get_mass(y.world, body));
    yard_push(&y, body, velocity.x, velocity.y, spin);
    while (y.time < seconds) {
        yard_run(&y, 1.0 / HZ);
        pv_vec2 at = yard_place(&y, body);
        double t = y.time,
               off = hypot(at.x - velocity.x * t, at.y - velocity.y * t - 0.5 * g * t * t);
        double twist = remainder(pv_body_get_angle(y.world, body) - turned - spin * t, 2 * pi);
        worst = fmax(worst, off + reach * fabs(twist));
    }
    yard_close(&y);
    return worst;
}

/// Runs falls from rest under weak gravity.
static void run_fall(const setting *given, double unused, double *values) {
    setting how = sleepy(given);
    yard dice = yard_open(&how, 0);
    (void)unused;
    values[0] = 0;
    for (int i = 0; i < trials(&how, 12); i++) {
        double g = i % 4 == 0 ? 0.5 : yard_uniform(&dice, 0.05, 2);
        values[0] = fmax(values[0], flight_error(&how, &dice, g, (pv_vec2){0, 0}, 0, 20));
    }
    yard_close(&dice);
}

/// Runs slow drifts in any direction, with and without rotation.
static void run_drift(const setting *given, double unused, double *values) {
    setting how = sleepy(given);
    yard dice = yard_open(&how, 0);
    (void)unused;
    values[0] = 0;
    for (int i = 0; i < trials(&how, 12); i++) {
        double speed = i % 4 == 0 ? 0.1 : yard_uniform(&dice, 0.01, 0.5),
               way = yard_uniform(&dice, -pi, pi);
        double spin = i % 2 ? 0 : yard_uniform(&dice, -0.02, 0.02);
        pv_vec2 v = {speed * cos(way), speed * sin(way)};
        values[0] = fmax(values[0], flight_error(&how, &dice, 0, v, spin, 20));
    }
    yard_close(&dice);
}

/// Runs bodies thrown up, which stop for a moment at the top.
static void run_apex(const setting *given, double unused, double *values) {
    setting how = sleepy(given);
    yard dice = yard_open(&how, 0);
    (void)unused;
    values[0] = 0;
    for (int i = 0; i < trials(&how, 16); i++) {
        double g = pow(10, yard_uniform(&dice, -1, 2)), rise = yard_uniform(&dice, 1, 4);
        pv_vec2 v = {0, -g * rise};
        values[0] = fmax(values[0], flight_error(&how, &dice, g, v, 0, 2 * rise));
    }
    yard_close(&dice);
}

/// Returns the error of a small swing on a hinge in 30 s, compared with a world without sleep [px].
static double swing_error(const setting *how, yard *dice) {
    double g = yard_uniform(dice, 2, 30), length = yard_uniform(dice, 60, 250),
           lean = yard_uniform(dice, 0.5, 2) / length;
    double worst = 0;
    setting alert = *how;
    alert.sleeping = false;
    yard y[2] = {yard_open(how, g), yard_open(&alert, g)};
    pv_body_id body[2];
    for (int i = 0; i < 2; i++) {
        pv_joint_def rod = pv_joint_def_default();
        body[i] = yard_put(&y[i], PV_BODY_DYNAMIC, mask_box(24, 16), length * sin(lean),
                           length * cos(lean), -lean, plain);
        rod.type = PV_JOINT_PIN;
        rod.a = pv_anchor_world(yard_point(&y[i], 0, 0));
        rod.b = pv_anchor_body(body[i], yard_point(&y[i], 0, 0));
        pv_joint_create(y[i].world, &rod, NULL);
    }
    while (y[0].time < 30) {
        for (int i = 0; i < 2; i++) yard_run(&y[i], 0.1);
        pv_vec2 p = yard_place(&y[0], body[0]), q = yard_place(&y[1], body[1]);
        worst = fmax(worst, hypot(p.x - q.x, p.y - q.y));
    }
    for (int i = 0; i < 2; i++) yard_close(&y[i]);
    return worst;
}

static void run_swing(const setting *given, double unused, double *values) {
    setting how = sleepy(given);
    yard dice = yard_open(&how, 0);
    (void)unused;
    values[0] = 0;
    for (int i = 0; i < trials(&how, 8); i++) values[0] = fmax(values[0], swing_error(&how, &dice));
    yard_close(&dice);
}

const test tests_steps[] = {
    {"goes_on_sliding", run_slide, 0, {{"error", "%", 1}}, .rests = false},
    {"goes_on_falling", run_fall, 0, {{"error", "px", 1e-3}}, .rests = false},
    {"goes_on_drifting", run_drift, 0, {{"error", "px", 1e-3}}, .rests = false},
    {"goes_on_at_apex", run_apex, 0, {{"error", "px", 1e-3}}, .rests = false},
    {"goes_on_swinging", run_swing, 0, {{"error", "px", 1e-3}}, .rests = false},
    {.name = NULL},
};
