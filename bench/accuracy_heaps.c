/* accuracy_heaps.c - heaps and stacks at steps of any length and in any gravity.
 *
 * Invariant: every figure is the worst over random sprites, angles and steps that the setting's
 * seed chooses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

enum {
    SPRITES = 150,
    KINDS = 7,
    SMALLEST = 16,
    LARGEST = 96,
    WIDTH = 1200,
    WALL = 96,
    STACKED = 10
};

static const double pi = 3.14159265358979323846;

static double largest(double a, double b) { return isnan(a) || a > b ? a : b; }

static int uniform_int(yard *y, int low, int high) { return (int)yard_uniform(y, low, high + 1); }

/* ---- steps ---- */

/// Step rate that stands for steps of random length, from 1/120 to 1/30 s
enum { RANDOM = 0 };

/// Steps the world at a number of steps per second.
static void step(yard *y, int hz) {
    yard_step(y, hz == RANDOM ? yard_uniform(y, 1.0 / 120, 1.0 / 30) : 1.0 / hz);
}

/* ---- pouring ---- */

static pv_mask *square(int size) { return mask_box(size, size); }

static pv_mask *disc(int size) { return mask_disc(size / 2.0); }

static pv_mask *draw_any(yard *y) {
    static pv_mask *(*const draw_kind[KINDS])(int) = {
        mask_star, mask_letter_c, mask_letter_l, mask_ring, mask_gear, square, disc};
    int kind = uniform_int(y, 0, KINDS - 1);
    return draw_kind[kind](uniform_int(y, SMALLEST, LARGEST));
}

/// Sprites over a bucket, and their energy
typedef struct heap {
    yard yard;
    double g;
    int count;
    pv_body_id bodies[SPRITES];
    /// Energy at the start and its greatest value since [mass px^2/s^2]
    double start, most;
} heap;

/// Creates a static box with its upper left corner at a point.
static void put_wall(yard *y, double x, double top, int w, int h) {
    yard_put(y, PV_BODY_STATIC, mask_box(w, h), x + 0.5 * w, top + 0.5 * h, 0, plain);
}

/// Creates a bucket with the left end of its floor at (0, 0).
static void put_bucket(yard *y, int height) {
    put_wall(y, -WALL, 0, WIDTH + 2 * WALL, WALL);
    put_wall(y, -WALL, -height, WALL, height);
    put_wall(y, WIDTH, -height, WALL, height);
}

/// Material with rolling resistance, so that balls come to rest too. It slows a ball of 60 px by
/// 1/90 of gravity
static const stuff rough = {.static_friction = 0.6, .kinetic_friction = 0.6, .rolling = 0.5};

/// Creates sprites in rows at random angles; returns the height they reach.
static double put_sprites(heap *h) {
    double x = 0, shelf = 20, top = shelf;
    for (int i = 0; i < h->count; i++) {
        pv_mask *mask = draw_any(&h->yard);
        pv_vec2 c = pv_mask_compute_mass(mask).centroid;
        double w = pv_mask_get_width(mask),
               reach = hypot(fmax(c.x, w - c.x), fmax(c.y, w - c.y)) + 1;
        if (x + 2 * reach > WIDTH) {
            x = 0;
            shelf = top;
        }
        top = fmax(top, shelf + 2 * reach);
        h->bodies[i] = yard_put(&h->yard, PV_BODY_DYNAMIC, mask, x + reach, -shelf - reach,
                                yard_uniform(&h->yard, -pi, pi), rough);
        x += 2 * reach;
    }
    return top;
}

static double potential(const heap *h) {
    double sum = 0;
    for (int i = 0; i < h->count; i++)
        sum -= pv_body_get_mass(h->yard.world, h->bodies[i]) * h->g *
               yard_place(&h->yard, h->bodies[i]).y;
    return sum;
}

static double kinetic(const heap *h) {
    double sum = 0;
    for (int i = 0; i < h->count; i++) sum += yard_kinetic_energy(&h->yard, h->bodies[i]);
    return sum;
}

static void heap_open(heap *h, const setting *how, double g) {
    h->yard = yard_open(how, g);
    h->g = g;
    h->count = how->quick ? SPRITES / 3 : SPRITES;
    put_bucket(&h->yard, (int)put_sprites(h) + 200);
    h->start = h->most = potential(h);
}

static void heap_step(heap *h, int hz) {
    step(&h->yard, hz);
    h->most = largest(potential(h) + kinetic(h), h->most);
}

/// Returns the greatest energy gain since the start, as a share of the energy lost by falling.
static double gain(const heap *h) { return (h->most - h->start) / fabs(h->start - potential(h)); }

enum { OVERLAP, GAIN, RMS, ASLEEP, STEPS_A_LOOK = 10, LONGEST = 12 };

/// Pours once for 12 s, or until all sleep or the heap bursts. Worse results replace the values.
static void pour_once(const setting *how, double g, int hz, double values[4]) {
    static heap h;
    heap_open(&h, how, g);
    for (int i = 1; h.yard.time < LONGEST && isinf(h.yard.asleep) && h.most < 1.2 * h.start; i++) {
        heap_step(&h, hz);
        if (i % STEPS_A_LOOK == 0)
            values[OVERLAP] = largest((double)yard_sharing(&h.yard).most, values[OVERLAP]);
    }
    values[GAIN] = largest(gain(&h), values[GAIN]);
    if (how->sleeping)
        values[ASLEEP] = largest(h.yard.asleep, values[ASLEEP]);
    else
        values[RMS] = largest(yard_rms_speed(&h.yard), values[RMS]);
    yard_close(&h.yard);
}

/// Pours three seeds per setting, or one in turned or quick settings. The first seed also runs
/// without sleep.
static void pour(const setting *how, double g, int hz, double *values) {
    setting own = *how;
    int seeds = how->quick || how->turn != 0 ? 1 : 3;
    for (int i = 0; i < 4; i++) values[i] = 0;
    for (int i = 0; i <= seeds; i++) {
        own.seed = 10 * how->seed + (how->turn != 0 ? 9 : (uint64_t)i % (uint64_t)seeds);
        own.sleeping = i < seeds;
        pour_once(&own, g, hz, values);
    }
}

static void pour_30(const setting *how, double g, double *values) { pour(how, g, 30, values); }
static void pour_60(const setting *how, double g, double *values) { pour(how, g, 60, values); }
static void pour_120(const setting *how, double g, double *values) { pour(how, g, 120, values); }
static void pour_random(const setting *how, double g, double *values) {
    pour(how, g, RANDOM, values);
}

/* ---- crates ---- */

static void put_crates(yard *y, pv_body_id crates[STACKED]) {
    yard_put(y, PV_BODY_STATIC, mask_box(2048, 64), 0, 32, 0, plain);
    for (int i = 0; i < STACKED; i++)
        crates[i] = yard_put(y, PV_BODY_DYNAMIC, mask_box(32, 32), yard_uniform(y, -2, 2),
                             -(i + 0.5) * 32.02, 0, plain);
}

/// Bounds of a body's positions
typedef struct range {
    pv_vec2 from, to;
} range;

static void widen(range *r, pv_vec2 at) {
    r->from = (pv_vec2){fmin(r->from.x, at.x), fmin(r->from.y, at.y)};
    r->to = (pv_vec2){fmax(r->to.x, at.x), fmax(r->to.y, at.y)};
}

/// Measures how far any of ten crates moves under random steps, from 3 s to 10 s.
static void run_tremble(const setting *how, double g, double *values) {
    range ranges[STACKED];
    pv_body_id crates[STACKED];
    yard y = yard_open(how, g);
    put_crates(&y, crates);
    while (y.time < 3) step(&y, RANDOM);
    for (int i = 0; i < STACKED; i++) ranges[i].from = ranges[i].to = yard_place(&y, crates[i]);
    while (y.time < 10) {
        step(&y, RANDOM);
        for (int i = 0; i < STACKED; i++) widen(&ranges[i], yard_place(&y, crates[i]));
    }
    values[0] = 0;
    for (int i = 0; i < STACKED; i++)
        values[0] = largest(
            hypot(ranges[i].to.x - ranges[i].from.x, ranges[i].to.y - ranges[i].from.y), values[0]);
    yard_close(&y);
}

/// Measures the greatest displacement of ten crates in 60 steps, the first of which takes 0.25 s.
static void run_hiccup(const setting *how, double g, double *values) {
    pv_vec2 places[STACKED];
    pv_body_id crates[STACKED];
    yard y = yard_open(how, g);
    put_crates(&y, crates);
    yard_run(&y, 3 + yard_uniform(&y, 0, 1));
    for (int i = 0; i < STACKED; i++) places[i] = yard_place(&y, crates[i]);
    values[0] = 0;
    for (int step = 0; step < HZ; step++) {
        yard_step(&y, step ? 1.0 / HZ : 0.25);
        for (int i = 0; i < STACKED; i++) {
            pv_vec2 at = yard_place(&y, crates[i]);
            values[0] = largest(hypot(at.x - places[i].x, at.y - places[i].y), values[0]);
        }
    }
    yard_close(&y);
}

/* ---- the table ---- */

#define POUR(steps, gravity, only_full)                                                            \
    {                                                                                              \
        "pour_" #steps "_" #gravity, pour_##steps, gravity,                                        \
            {{"overlap", "px", 30},                                                                \
             {"gain", "of 1", 1e-4},                                                               \
             {"rms", "px/s", 0.01},                                                                \
             {"asleep", "s", LONGEST}},                                                            \
            .slow = only_full                                                                      \
    }

#define TREMBLE(gravity)                                                                           \
    { "tremble_" #gravity, run_tremble, gravity, {{"range", "px", 0.02}}, .rests = false }
#define HICCUP(gravity)                                                                            \
    { "hiccup_" #gravity, run_hiccup, gravity, {{"hop", "px", 1}}, .rests = false }

const test tests_heaps[] = {
    POUR(30, 320, true),
    POUR(30, 980, false),
    POUR(30, 3000, true),
    POUR(60, 320, false),
    POUR(60, 980, true),
    POUR(60, 3000, true),
    POUR(120, 320, true),
    POUR(120, 980, true),
    POUR(120, 3000, false),
    POUR(random, 320, true),
    POUR(random, 980, false),
    POUR(random, 3000, true),
    TREMBLE(320),
    TREMBLE(980),
    TREMBLE(3000),
    HICCUP(320),
    HICCUP(980),
    HICCUP(3000),
    {.name = NULL},
};
