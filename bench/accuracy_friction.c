/* accuracy_friction.c - bodies hold, slide and roll on slopes by Coulomb's law.
 *
 * Invariant: a slope descends to the right through the origin; distances along it grow downhill.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/// Gap between a new body and its slope; larger on drawn slopes, whose pixel steps stand out [px]
static const double SMOOTH_GAP = 0.005, DRAWN_GAP = 0.8;

/// Gravity in the tests of pixel contacts [px/s^2]
static const double EARTH = 980;

enum { RADIUS = 16, LENGTH = 2048 };

/* ---- slopes ---- */

typedef struct slope {
    yard yard;
    double sine, cosine, angle;
    pv_body_id ground, body;
} slope;

/// Creates the slope as a rotated rectangle.
static void put_turned(slope *s, stuff of) {
    s->ground = yard_put(&s->yard, PV_BODY_STATIC, mask_box(LENGTH, 64), -32 * s->sine,
                         32 * s->cosine, s->angle, of);
}

/// Creates the slope as an upright picture: its surface is a staircase of pixels.
static void put_drawn(slope *s, stuff of) {
    const int width = LENGTH / 2, height = 64 + (int)ceil(width * s->sine / s->cosine);
    double descent = width * s->sine / s->cosine;
    pv_vec2 points[4] = {{0, 0}, {width, descent}, {width, height}, {0, height}};
    pv_mask *mask = mask_polygon(width, height, points, 4);
    pv_vec2 center = pv_mask_compute_mass(mask).centroid;
    s->ground = yard_put(&s->yard, PV_BODY_STATIC, mask, center.x - width / 2.0,
                         center.y - descent / 2, 0, of);
}

static slope slope_in(yard in, double angle, bool drawn, stuff of) {
    slope s = {.yard = in, .sine = sin(angle), .cosine = cos(angle), .angle = angle};
    if (drawn)
        put_drawn(&s, of);
    else
        put_turned(&s, of);
    return s;
}

static slope slope_open(const setting *how, double gravity, double angle, bool drawn, stuff of) {
    return slope_in(yard_open(how, gravity), angle, drawn, of);
}

/// Creates a body on the slope, way px downhill of the origin. Its center is height px above the
/// surface.
static void put_on(slope *s, pv_mask *mask, double way, double height, stuff of) {
    double x = way * s->cosine + height * s->sine, y = way * s->sine - height * s->cosine;
    s->body = yard_put(&s->yard, PV_BODY_DYNAMIC, mask, x, y, s->angle, of);
}

static double way_of(const slope *s) {
    pv_vec2 at = yard_place(&s->yard, s->body);
    return at.x * s->cosine + at.y * s->sine;
}

static double speed_of(const slope *s) {
    pv_vec2 v = yard_velocity(&s->yard, s->body);
    return v.x * s->cosine + v.y * s->sine;
}

static stuff rough(double friction) {
    return (stuff){.static_friction = friction, .kinetic_friction = friction};
}

static void make_of(const slope *s, pv_body_id body, stuff of) {
    set_surface(s->yard.world, body, of.restitution, of.static_friction, of.kinetic_friction);
}

/// Opens a slope with a plank of 64 x 32 px of the same material. High friction holds the plank for
/// the first second.
static slope with_plank(const setting *how, double angle, bool drawn, stuff of) {
    slope s = slope_open(how, GRAVITY, angle, drawn, rough(2));
    double way = yard_uniform(&s.yard, -20, 20);
    put_on(&s, mask_box(64, 32), way, 16 + (drawn ? DRAWN_GAP : SMOOTH_GAP), rough(2));
    yard_run(&s.yard, 1);
    make_of(&s, s.ground, of);
    make_of(&s, s.body, of);
    s.yard.filled = s.yard.time;
    return s;
}

static double way_in(slope *s, double seconds) {
    double from = way_of(s);
    yard_run(&s->yard, seconds);
    return way_of(s) - from;
}

/* ---- holding and sliding ---- */

/// Measures the greatest displacement of any plank in 10 s, with 5 % more friction than it needs.
static void run_holds(const setting *how, double drawn, double *values) {
    values[0] = 0;
    for (int degrees = 5; degrees <= 40; degrees += 5) {
        double angle = degrees * pi / 180;
        slope s = with_plank(how, angle, drawn > 0, rough(1.05 * tan(angle)));
        values[0] = fmax(values[0], fabs(way_in(&s, 10)));
        yard_close(&s.yard);
    }
}

/// Counts the planks that go less than half the expected distance in 4 s, with 5 % less friction.
static void run_slides(const setting *how, double drawn, double *values) {
    values[0] = 0;
    for (int degrees = 5; degrees <= 40; degrees += 5) {
        double angle = degrees * pi / 180, expected = 0.5 * 0.05 * GRAVITY * sin(angle) * 16;
        slope s = with_plank(how, angle, drawn > 0, rough(0.95 * tan(angle)));
        values[0] += !(way_in(&s, 4) >= expected / 2);
        yard_close(&s.yard);
    }
}

/// Returns the error of the distance that a new box slides on a slope of 0.5 in a time, over at
/// most 600 px [%].
static double error_of_slide(const setting *how, double gravity, double friction, bool drawn,
                             double seconds) {
    slope s = slope_open(how, gravity, atan(0.5), drawn, rough(friction));
    double gain = gravity * (s.sine - friction * s.cosine);
    seconds = fmin(seconds, round(sqrt(2 * 600 / gain) * HZ) / HZ);
    put_on(&s, mask_box(32, 32), 0, 16, rough(friction));
    double expected = 0.5 * gain * seconds * seconds,
           error = 100 * fabs(way_in(&s, seconds) / expected - 1);
    yard_close(&s.yard);
    return error;
}

/// Measures the worst error of boxes that start from rest just below the friction limit [%].
static void run_near_limit(const setting *how, double drawn, double *values) {
    const double frictions[] = {0.3, 0.45, 0.48, 0.49, 0.495}, gravities[] = {100, 320, 3000};
    values[0] = 0;
    for (int g = 0; g < 3; g++)
        for (int i = 0; i < 5; i++)
            values[0] =
                fmax(values[0], error_of_slide(how, gravities[g], frictions[i], drawn > 0, 2.5));
}

static const stuff slippery = {.static_friction = 0.6, .kinetic_friction = 0.3};

/// Measures the drift of a plank on a slope of 0.5, which is between static and kinetic friction.
static void run_kinetic_holds(const setting *how, double unused, double *values) {
    slope s = with_plank(how, atan(0.5), false, slippery);
    (void)unused;
    values[0] = fabs(way_in(&s, 10));
    yard_close(&s.yard);
}

/// Measures the error of the acceleration from 0.5 s to 3 s after a nudge [%].
static void run_kinetic_slides(const setting *how, double nudge, double *values) {
    slope s = with_plank(how, atan(0.5), false, slippery);
    double expected = GRAVITY * (s.sine - slippery.kinetic_friction * s.cosine);
    yard_push(&s.yard, s.body, nudge * s.cosine, nudge * s.sine, 0);
    yard_run(&s.yard, 0.5);
    double before = speed_of(&s);
    yard_run(&s.yard, 2.5);
    values[0] = 100 * fabs((speed_of(&s) - before) / 2.5 / expected - 1);
    yard_close(&s.yard);
}

/* ---- rolling ---- */

/// Returns the radius of a disc with the mask's area.
static double radius_of(pv_mass_data mass) { return sqrt(mass.area / pi); }

/// Opens a slope with a disc that touches it, and stores the disc's mass data.
static slope with_disc(const setting *how, double angle, double way, pv_mass_data *mass) {
    slope s = slope_open(how, GRAVITY, angle, false, rough(0.8));
    pv_mask *disc = mask_disc(RADIUS);
    *mass = pv_mask_compute_mass(disc);
    put_on(&s, disc, way + yard_uniform(&s.yard, -8, 8), radius_of(*mass) + SMOOTH_GAP, rough(0.8));
    return s;
}

/// Measures the speed lost per second.
static void run_rolling(const setting *how, double speed, double *values) {
    pv_mass_data mass;
    slope s = with_disc(how, 0, -800, &mass);
    yard_push(&s.yard, s.body, speed, 0, speed / radius_of(mass));
    yard_run(&s.yard, 10);
    values[0] = fabs(speed - speed_of(&s)) / 10;
    yard_close(&s.yard);
}

/// Measures the worst error of the acceleration on slopes of 2...20 degrees [%]. The formula is g
/// sin / (1 + I / (m r^2)).
static void run_rolling_down(const setting *how, double unused, double *values) {
    (void)unused;
    values[0] = 0;
    for (int degrees = 2; degrees <= 20; degrees += 2) {
        pv_mass_data mass;
        slope s = with_disc(how, degrees * pi / 180, -900, &mass);
        double r = radius_of(mass),
               expected = GRAVITY * s.sine / (1 + mass.inertia / (mass.area * r * r));
        yard_run(&s.yard, 0.5);
        double before = speed_of(&s);
        yard_run(&s.yard, 4);
        values[0] = fmax(values[0], 100 * fabs((speed_of(&s) - before) / 4 / expected - 1));
        yard_close(&s.yard);
    }
}

/* ---- contacts by pixels ---- */

/// Slopes, and radii of discs on them [px]
static const double rises[] = {1.0 / 8, 1.0 / 4, 1.0 / 2, 1}, radii[] = {4, 6, 8, 12, 16, 20, 30};
enum { RISES = 4, RADII = 7 };

/// Least radius of a disc as wide as the treads of all these slopes [px]. Smaller discs are
/// measured only on slopes of at least SMALL_RISE.
static const double WIDE = 8, SMALL_RISE = 1.0 / 4;

/// Returns the error of the distance a disc covers in the first second [%].
static double error_of_disc(const setting *how, double rise, bool drawn, double half,
                            double friction) {
    pv_mask *disc = mask_disc(half);
    pv_mass_data mass = pv_mask_compute_mass(disc);
    double r = radius_of(mass), slip = friction > 0 ? 1 + mass.inertia / (mass.area * r * r) : 1;
    slope s = slope_in(yard_open_pixels(how, EARTH), atan(rise), drawn, rough(friction));
    put_on(&s, disc, yard_uniform(&s.yard, -310, -300), half + DRAWN_GAP, rough(friction));
    double error = 100 * fabs(way_in(&s, 1) / (0.5 * EARTH * s.sine / slip) - 1);
    yard_close(&s.yard);
    return error;
}

/// Measures wide discs and small ones; they roll, or slide without friction [%].
static void run_pixel_discs(const setting *how, double friction, double *values) {
    values[0] = values[1] = 0;
    for (int i = 0; i < RISES * RADII * 2; i++) {
        double rise = rises[i / 2 / RADII], half = radii[i / 2 % RADII];
        if (half < WIDE && rise < SMALL_RISE) continue;
        double *worst = &values[half >= WIDE ? 0 : 1];
        *worst = fmax(*worst, error_of_disc(how, rise, i % 2, half, friction));
    }
}

const test tests_friction[] = {
    {"ramp_holds", run_holds, 0, {{"drift", "px", 0.05}}, .rests = true},
    {"ramp_slides", run_slides, 0, {{"stuck", "of 8", 0}}, .rests = false},
    {"staircase_holds", run_holds, 1, {{"drift", "px", 1}}, .rests = true},
    {"staircase_slides", run_slides, 1, {{"stuck", "of 8", 0}}, .rests = false},
    {"ramp_near_limit", run_near_limit, 0, {{"error", "%", 3}}, .rests = false},
    {"staircase_near_limit", run_near_limit, 1, {{"error", "%", 3}}, .rests = false},
    {"kinetic_holds", run_kinetic_holds, 0, {{"drift", "px", 0.05}}, .rests = true},
    {"kinetic_slides", run_kinetic_slides, 30, {{"error", "%", 0.5}}, .rests = false},
    {"rolling_flat", run_rolling, 150, {{"loss", "px/s^2", 0.5}}, .rests = false},
    {"rolling_slope", run_rolling_down, 0, {{"error", "%", 0.6}}, .rests = false},
    {"pixel_roll", run_pixel_discs, 0.6, {{"wide", "%", 15}, {"small", "%", 20}}, .rests = false},
    {"pixel_slide", run_pixel_discs, 0, {{"wide", "%", 15}, {"small", "%", 20}}, .rests = false},
    {.name = NULL},
};
