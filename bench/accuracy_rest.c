/* accuracy_rest.c - stacks, pyramids, an arch and cards have to stand, and dominoes have to fall.
 *
 * Invariant: a stack begins with the gaps of a single box at rest, so it has no reason to move.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

enum { SIDE = 32, MOST_BODIES = 1024 };

static const double pi = 3.14159265358979323846;

/* ---- places ---- */

/// Bodies and their expected places
typedef struct crowd {
    pv_body_id bodies[MOST_BODIES];
    pv_vec2 places[MOST_BODIES];
    int count;
} crowd;

static void put(crowd *c, yard *y, pv_mask *mask, pv_vec2 at, double angle, stuff of) {
    c->bodies[c->count] = yard_put(y, PV_BODY_DYNAMIC, mask, at.x, at.y, angle, of);
    c->places[c->count++] = at;
}

static void put_box(crowd *c, yard *y, double x, double height) {
    put(c, y, mask_box(SIDE, SIDE), (pv_vec2){x, -height}, 0, plain);
}

static void put_floor(yard *y, stuff of) {
    yard_put(y, PV_BODY_STATIC, mask_box(2048, 64), 0, 32, 0, of);
}

static double distance(const crowd *c, const yard *y, int i) {
    pv_vec2 at = yard_place(y, c->bodies[i]);
    return hypot(at.x - c->places[i].x, at.y - c->places[i].y);
}

/// Returns the greatest distance of any body from its place [px].
static double drift(const crowd *c, const yard *y) {
    double most = 0;
    for (int i = 0; i < c->count; i++) most = fmax(most, distance(c, y, i));
    return most;
}

/// Takes the current places as the expected ones.
static void settle(crowd *c, const yard *y) {
    for (int i = 0; i < c->count; i++) c->places[i] = yard_place(y, c->bodies[i]);
}

/// Runs for a time, or until all bodies sleep.
static void rest(yard *y, double seconds) {
    for (double end = y->time + seconds; y->time < end - 0.01 && isinf(y->asleep);) yard_run(y, 1);
}

/// Returns the gap at which a box of a given side rests on the floor [px].
static double rest_gap(const setting *how, int side) {
    setting awake = *how;
    awake.sleeping = false;
    yard y = yard_open(&awake, GRAVITY);
    put_floor(&y, plain);
    pv_body_id box =
        yard_put(&y, PV_BODY_DYNAMIC, mask_box(side, side), 0, -side / 2.0 - 0.1, 0, plain);
    yard_run(&y, 4);
    double gap = -yard_place(&y, box).y - side / 2.0;
    yard_close(&y);
    return gap;
}

/* ---- stacks ---- */

/// Returns the height of the center of the i-th box from below.
static double level(int i, int side, double gap) { return (i + 0.5) * side + (i + 1) * gap; }

/// Measures how far the top box moves, and the most pixels shared in all at any full second.
static void run_stack(const setting *how, double count, double *values) {
    double gap = rest_gap(how, SIDE);
    crowd c = {.count = 0};
    yard y = yard_open(how, GRAVITY);
    put_floor(&y, plain);
    for (int i = 0; i < (int)count; i++) put_box(&c, &y, 0, level(i, SIDE, gap));
    for (values[1] = 0; y.time < 19.9 && isinf(y.asleep);) {
        yard_run(&y, 1);
        values[1] = fmax(values[1], (double)yard_sharing(&y).sum);
    }
    values[0] = distance(&c, &y, c.count - 1);
    yard_close(&y);
}

static void run_tiny(const setting *how, double side, double *values) {
    double gap = rest_gap(how, (int)side);
    crowd c = {.count = 0};
    yard y = yard_open(how, GRAVITY);
    put_floor(&y, plain);
    for (int i = 0; i < 5; i++)
        put(&c, &y, mask_box((int)side, (int)side), (pv_vec2){0, -level(i, (int)side, gap)}, 0,
            plain);
    rest(&y, 20);
    values[0] = drift(&c, &y);
    yard_close(&y);
}

/// Runs a heavy box on four of mass 1.
static void run_heavy(const setting *how, double mass, double *values) {
    double gap = rest_gap(how, SIDE);
    crowd c = {.count = 0};
    yard y = yard_open(how, GRAVITY);
    put_floor(&y, plain);
    for (int i = 0; i < 5; i++) {
        stuff of = plain;
        of.mass = i < 4 ? 1 : mass;
        put(&c, &y, mask_box(SIDE, SIDE), (pv_vec2){0, -level(i, SIDE, gap)}, 0, of);
    }
    rest(&y, 20);
    values[0] = distance(&c, &y, 4);
    yard_close(&y);
}

/// Tells whether ten carelessly stacked boxes stay within half a box of their places.
static bool careless_stands(const setting *how, int number) {
    setting own = *how;
    own.seed = how->seed * 1000 + (uint64_t)number;
    crowd c = {.count = 0};
    yard y = yard_open(&own, GRAVITY);
    put_floor(&y, plain);
    for (int i = 0; i < 10; i++) {
        double x = yard_uniform(&y, -2, 2), angle = yard_uniform(&y, -1.7, 1.7) * pi / 180;
        put(&c, &y, mask_box(SIDE, SIDE), (pv_vec2){x, -level(i, SIDE, 1.5)}, angle, plain);
        c.places[i].y = -level(i, SIDE, 0);
    }
    rest(&y, 20);
    bool stands = drift(&c, &y) <= SIDE / 2.0;
    yard_close(&y);
    return stands;
}

/// Measures the share of careless stacks that fall [%].
static void run_careless(const setting *how, double unused, double *values) {
    int count = how->quick ? 20 : 100, fell = 0;
    (void)unused;
    for (int i = 0; i < count; i++) fell += !careless_stands(how, i);
    values[0] = 100.0 * fell / count;
}

/* ---- pyramids ---- */

static void run_pyramid(const setting *how, double base, double *values) {
    double gap = rest_gap(how, SIDE);
    crowd c = {.count = 0};
    yard y = yard_open(how, GRAVITY);
    put_floor(&y, plain);
    for (int row = 0; row < (int)base; row++)
        for (int i = row; i < (int)base; i++)
            put_box(&c, &y, (SIDE + 2) * (i - (base - 1 + row) / 2), level(row, SIDE, gap));
    rest(&y, how->quick ? 10 : 30);
    values[0] = drift(&c, &y);
    values[1] = yard_rms_speed(&y);
    yard_close(&y);
}

/* ---- an arch ---- */

enum { STONES = 17 };

/// Creates a polygon drawn at its place, with y downward. Its picture begins at a whole pixel.
static void put_drawn(crowd *c, yard *y, const pv_vec2 *points, int count) {
    pv_vec2 low = points[0], high = points[0], drawn[8];
    for (int i = 1; i < count; i++) {
        low = (pv_vec2){fmin(low.x, points[i].x), fmin(low.y, points[i].y)};
        high = (pv_vec2){fmax(high.x, points[i].x), fmax(high.y, points[i].y)};
    }
    low = (pv_vec2){floor(low.x), floor(low.y)};
    for (int i = 0; i < count; i++) drawn[i] = (pv_vec2){points[i].x - low.x, points[i].y - low.y};
    pv_mask *mask =
        mask_polygon((int)ceil(high.x - low.x), (int)ceil(high.y - low.y), drawn, count);
    pv_vec2 center = pv_mask_compute_mass(mask).centroid;
    put(c, y, mask, (pv_vec2){low.x + center.x, low.y + center.y}, 0, plain);
}

static pv_vec2 on_circle(double radius, double angle) {
    return (pv_vec2){-radius * cos(angle), -radius * sin(angle)};
}

/// Creates half a ring; neighbors share an edge and no pixel.
static void put_arch(crowd *c, yard *y, double inner, double outer) {
    for (int i = 0; i < STONES; i++) {
        double from = i * pi / STONES, to = (i + 1) * pi / STONES;
        pv_vec2 stone[4] = {on_circle(inner, from), on_circle(outer, from), on_circle(outer, to),
                            on_circle(inner, to)};
        put_drawn(c, y, stone, 4);
    }
}

/// Runs an arch. A half circle alone stands when thicker than 0.11 of its radius; this one has
/// 0.21. With the boxes a line of thrust stays 12 px within the stones.
static void run_arch(const setting *how, double unused, double *values) {
    crowd c = {.count = 0};
    yard y = yard_open(how, GRAVITY);
    double radius = 300 + yard_uniform(&y, -8, 8), outer = radius + 32;
    (void)unused;
    for (int side = -1; side <= 1; side += 2)
        yard_put(&y, PV_BODY_STATIC, mask_box(192, 64), radius * side, 32, 0, plain);
    put_arch(&c, &y, radius - 32, outer);
    double top = ceil(outer * cos(pi / 2 / STONES));
    for (int i = 0; i < 4; i++) put_box(&c, &y, 0, top + level(i, SIDE, 0.1));
    yard_run(&y, 1);
    settle(&c, &y);
    rest(&y, 19);
    values[0] = drift(&c, &y);
    yard_close(&y);
}

/* ---- cards ---- */

static const stuff card = {.static_friction = 0.7, .kinetic_friction = 0.7};

/// Creates cards of 2 x 32 px that lean by 25 degrees, tip to tip. Flat cards lie on the tips, with
/// the next row on those.
static void put_cards(crowd *c, yard *y, int rows, double gap) {
    double lean = 25 * pi / 180, s = sin(lean), k = cos(lean), pitch = 32 + gap, floor = 0;
    double half_width = 16 * s + k, half_height = 16 * k + s;
    for (int row = 0; row < rows; row++) {
        for (int i = row; i < rows; i++) {
            double x = pitch * (i - (rows - 1 + row) / 2.0), height = floor + gap + half_height;
            for (int side = -1; side <= 1; side += 2)
                put(c, y, mask_box(2, 32), (pv_vec2){x + side * (half_width + gap / 2), -height},
                    -lean * side, card);
            if (i > row)
                put(c, y, mask_box(32, 2),
                    (pv_vec2){x - pitch / 2, -(height + half_height + gap + 1)}, 0, card);
        }
        floor += 2 * half_height + 2 + 2 * gap;
    }
}

static void run_cards(const setting *how, double rows, double *values) {
    crowd c = {.count = 0};
    yard y = yard_open(how, GRAVITY);
    put_floor(&y, card);
    put_cards(&c, &y, (int)rows, yard_uniform(&y, 0.02, 0.06));
    yard_run(&y, 1);
    settle(&c, &y);
    rest(&y, 19);
    values[0] = drift(&c, &y);
    yard_close(&y);
}

/* ---- dominoes ---- */

/// Counts the dominoes of 15 that still stand after the first was tipped. The last falls after
/// about 12 s.
static void run_dominoes(const setting *how, double unused, double *values) {
    const double spin = 2.5;
    crowd c = {.count = 0};
    yard y = yard_open(how, GRAVITY);
    (void)unused;
    put_floor(&y, plain);
    for (int i = 0; i < 15; i++)
        put(&c, &y, mask_box(8, 32), (pv_vec2){SIDE * (i - 7), -16.01 - yard_uniform(&y, 0, 0.05)},
            0, plain);
    yard_push(&y, c.bodies[0], 16 * spin, -4 * spin, spin);
    rest(&y, 20);
    values[0] = 0;
    for (int i = 0; i < c.count; i++) {
        double angle = pv_body_get_angle(y.world, c.bodies[i]) - how->turn;
        values[0] += fabs(remainder(angle, 2 * pi)) < pi / 6;
    }
    yard_close(&y);
}

/* ---- symmetric pictures ---- */

/// Number of pixels missing at the top of each column of half a picture
typedef struct top {
    int missing[24], half;
} top;

static int whole(yard *y, int low, int high) { return (int)floor(yard_uniform(y, low, high + 1)); }

/// Draws a lid in the middle, a dome, or steps.
static void draw_smooth(yard *y, top *t) {
    int kind = whole(y, 0, 2), lid = whole(y, 1, t->half - 1), high = whole(y, 1, 3),
        dome = whole(y, 4, 10);
    for (int x = 0, step = 9; x < t->half; x++) {
        double way = (x + 0.5) / t->half;
        if (x % 5 == 0) step -= whole(y, 0, 2);
        t->missing[x] = kind == 0   ? (x >= t->half - lid ? 0 : high)
                        : kind == 1 ? (int)(dome * (1 - way) * (1 - way))
                                    : step;
    }
}

/// Draws any heights, or those of a random walk.
static void draw_jagged(yard *y, top *t) {
    bool walks = whole(y, 0, 1);
    for (int x = 0, level = 4; x < t->half; x++) {
        t->missing[x] = walks ? level : whole(y, 0, 4);
        if (whole(y, 0, 3) == 0) level = (int)fmin(8, fmax(0, level + whole(y, -1, 1)));
    }
}

/// Returns a mask whose halves mirror each other, with an even or an odd width.
static pv_mask *mask_symmetric(const top *t, int height, int odd, int *tallest) {
    int width = 2 * t->half - odd;
    pv_mask *mask = pv_mask_create(width, height, 0, NULL);
    *tallest = 0;
    for (int x = 0; x < t->half; x++) {
        pv_rect column = {x, t->missing[x], 1, height - t->missing[x]};
        pv_mask_fill_rect(mask, column, true);
        column.x = width - 1 - x;
        pv_mask_fill_rect(mask, column, true);
        *tallest = (int)fmax(*tallest, column.h);
    }
    return mask;
}

/// Stacks a random symmetric picture; returns the greatest turn of any in 30 s [rad].
static double turn_of_stack(const setting *how, int picture, int count, bool jagged) {
    const double gravities[] = {100, GRAVITY, 980};
    setting own = *how;
    own.seed += 1000 * (uint64_t)picture;
    own.turn = 0;
    yard y = yard_open(&own, gravities[picture % 3]);
    top t = {.half = whole(&y, 8, 24)};
    int height = whole(&y, 16, 48), odd = whole(&y, 0, 1), tallest;
    if (jagged)
        draw_jagged(&y, &t);
    else
        draw_smooth(&y, &t);
    double most = 0;
    pv_body_id bodies[6];
    put_floor(&y, plain);
    for (int i = 0; i < count; i++) {
        pv_mask *mask = mask_symmetric(&t, height, odd, &tallest);
        pv_mass_data mass = pv_mask_compute_mass(mask);
        bodies[i] = yard_put(&y, PV_BODY_DYNAMIC, mask, mass.centroid.x - t.half,
                             mass.centroid.y - height - (double)tallest * i, 0, plain);
    }
    for (int second = 0; second < (how->quick ? 10 : 30) && most < 0.1; second++) {
        yard_run(&y, 1);
        for (int i = 0; i < count; i++)
            most = fmax(most, fabs(remainder(pv_body_get_angle(y.world, bodies[i]), 2 * pi)));
    }
    yard_close(&y);
    return most;
}

/// Counts the stacks of two and of six in which a picture turns by more than 0.001.
static void run_symmetric(const setting *how, double jagged, double *values) {
    int pictures = how->quick ? 10 : 250;
    values[0] = 0;
    for (int i = 0; i < 2 * pictures; i++)
        values[0] += !(turn_of_stack(how, i / 2, i % 2 ? 6 : 2, jagged > 0) <= 0.001);
}

const test tests_rest[] = {
    {"stack_10", run_stack, 10, {{"loss", "px", 0.05}, {"shared", "px", 0}}, .rests = true},
    {"stack_20", run_stack, 20, {{"loss", "px", 0.1}, {"shared", "px", 0}}, .rests = true},
    {"stack_30", run_stack, 30, {{"loss", "px", 0.2}, {"shared", "px", 0}}, .rests = true},
    {"stack_50", run_stack, 50, {{"loss", "px", 0.7}, {"shared", "px", 0}}, .rests = true},
    {"careless_stacks", run_careless, 0, {{"fallen", "of 100", 1}}, .rests = true},
    {"pyramid_20", run_pyramid, 20, {{"drift", "px", 0.1}, {"speed", "px/s", 0.01}}, .rests = true},
    {"pyramid_40", run_pyramid, 40, {{"drift", "px", 0.3}, {"speed", "px/s", 0.01}}, .rests = true},
    {"heavy_100", run_heavy, 100, {{"sinks", "px", 0.6}}, .rests = true},
    {"heavy_400", run_heavy, 400, {{"sinks", "px", 1.5}}, .rests = true},
    {"heavy_1000", run_heavy, 1000, {{"sinks", "px", 1.5}}, .rests = true},
    {"arch", run_arch, 0, {{"drift", "px", 1}}, .rests = true},
    {"cards", run_cards, 5, {{"drift", "px", 1}}, .rests = true},
    {"symmetric_smooth", run_symmetric, 0, {{"turned", "stacks", 0}}, .rests = false},
    {"symmetric_jagged", run_symmetric, 1, {{"turned", "stacks", 0}}, .rests = false},
    {"stack_2px", run_tiny, 2, {{"loss", "px", 0.1}}, .rests = true},
    {"dominoes", run_dominoes, 0, {{"stand", "of 15", 0}}, .rests = false},
    {.name = NULL},
};
