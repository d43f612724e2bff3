/* accuracy_sleepers.c - hits on sleeping bodies: no momentum is lost, and rows end where they would
 * awake.
 *
 * Invariant: total momentum is the hitter's, less that of bodies that fall asleep or move at rest
 * speed.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

/// Speed below which a body may fall asleep, and treats sleeping bodies as immovable [px/s]
static const double REST_SPEED = 0.005;
enum { SCENES = 400, ROWS = 200, QUICK_PART = 10, SLEEPERS = 60, HEAP_SIDE = 8, STEPS = 90 };

static const double pi = 3.14159265358979323846;

static double largest(double a, double b) { return isnan(a) || a > b ? a : b; }

/// Sleepers, and last the body that hits them
typedef struct crowd {
    yard yard;
    double dt;
    int count;
    pv_body_id bodies[SLEEPERS + 1];
    bool awake[SLEEPERS + 1];
} crowd;

/* ---- filling ---- */

/// Returns a random number, spread evenly over orders of magnitude.
static double spread(yard *y, double low, double high) {
    return low * pow(high / low, yard_uniform(y, 0, 1));
}

static pv_mask *sleeper_mask(int kind, int size) {
    switch (kind) {
    case 0: return mask_box(size, size);
    case 1: return mask_disc(0.5 * size);
    case 2: return mask_letter_l(size);
    default: return mask_gear(size);
    }
}

static void put_sleeper(crowd *c, int kind, int size, double x, double y, stuff of) {
    c->bodies[c->count++] =
        yard_put(&c->yard, PV_BODY_DYNAMIC, sleeper_mask(kind, size), x, y, 0, of);
}

static void put_row(crowd *c, int count, int kind, int size, double gap, stuff of) {
    for (int i = 0; i < count; i++) put_sleeper(c, kind, size, i * (size + gap), 0, of);
}

/// Puts bodies like racked billiard balls: a triangle with its tip to the left.
static void put_rack(crowd *c, int count, int kind, int size, double gap, stuff of) {
    for (int i = 0, row = 0, place = 0; i < count; i++) {
        put_sleeper(c, kind, size, row * (size + gap), (place - 0.5 * row) * (size + gap), of);
        if (place++ == row) row++, place = 0;
    }
}

/// Puts bodies in columns with random gaps.
static void put_heap(crowd *c, int count, int kind, int size, double gap, stuff of) {
    for (int i = 0; i < count; i++)
        put_sleeper(c, kind, size, i / HEAP_SIDE * (size + gap),
                    (i % HEAP_SIDE - HEAP_SIDE / 2) * (size + gap * yard_uniform(&c->yard, 1, 2)),
                    of);
}

static void put_ring(crowd *c, int count, int kind, int size, double gap, stuff of) {
    int all = count < 6 ? 6 : count;
    double radius = 0.5 * (1.5 * size + gap) / sin(pi / all);
    for (int i = 0; i < count; i++)
        put_sleeper(c, kind, size, radius - radius * cos(2 * pi * i / all),
                    radius * sin(2 * pi * i / all), of);
}

/// Puts the hitter, which comes from the left.
static void put_hitter(crowd *c, int kind, int size, double aside, double speed, stuff of) {
    pv_body_id body = yard_put(&c->yard, PV_BODY_DYNAMIC, sleeper_mask(kind, size),
                               -size - 0.02 * speed, aside, 0, of);
    yard_push(&c->yard, body, speed, 0, 0);
    c->bodies[c->count++] = body;
}

static void fall_asleep(crowd *c) {
    while (c->yard.time < 1) yard_step(&c->yard, c->dt);
}

/* ---- measuring ---- */

static pv_vec2 momentum_of(const crowd *c, int i) {
    double mass = pv_body_get_mass(c->yard.world, c->bodies[i]);
    pv_vec2 v = yard_velocity(&c->yard, c->bodies[i]);
    return (pv_vec2){mass * v.x, mass * v.y};
}

/// Returns the total momentum.
static pv_vec2 sum_of(const crowd *c) {
    pv_vec2 sum = {0, 0};
    for (int i = 0; i < c->count; i++) {
        pv_vec2 p = momentum_of(c, i);
        sum = (pv_vec2){sum.x + p.x, sum.y + p.y};
    }
    return sum;
}

/// Notes which bodies are awake; returns whether one fell asleep since the last call.
static bool fell_asleep(crowd *c) {
    bool fell = false;
    for (int i = 0; i < c->count; i++) {
        bool awake = pv_body_is_awake(c->yard.world, c->bodies[i]);
        fell |= c->awake[i] && !awake;
        c->awake[i] = awake;
    }
    return fell;
}

/// Returns the most momentum that sleeping bodies can give back to bodies at rest speed.
static double rest_momentum(const crowd *c) {
    double sum = 0;
    for (int i = 0; i < c->count; i++) {
        pv_vec2 v = yard_velocity(&c->yard, c->bodies[i]);
        double speed = hypot(v.x, v.y);
        if (speed < REST_SPEED) sum += 2 * speed * pv_body_get_mass(c->yard.world, c->bodies[i]);
    }
    return sum;
}

/// Runs a hit. Returns the greatest loss of momentum in a step in which no body fell asleep, as a
/// share of all. Momentum of bodies at rest speed is no loss.
static double momentum_error(crowd *c) {
    pv_vec2 all = sum_of(c), before = all;
    double worst = 0, rest = rest_momentum(c);
    fell_asleep(c);
    for (int i = 0; i < STEPS; i++) {
        yard_step(&c->yard, c->dt);
        pv_vec2 sum = sum_of(c);
        double lost = hypot(sum.x - before.x, sum.y - before.y) - rest;
        if (!fell_asleep(c) && !(lost <= 0)) worst = largest(lost / hypot(all.x, all.y), worst);
        before = sum;
        rest = rest_momentum(c);
    }
    return worst;
}

/* ---- momentum ---- */

static crowd crowd_open(const setting *how, double g) {
    static const double rates[] = {30, 60, 90, 144};
    crowd c = {.yard = yard_open(how, g)};
    c.dt = 1 / rates[(int)yard_uniform(&c.yard, 0, 4)];
    return c;
}

static double hit_crowd(const setting *how) {
    static void (*const put[])(crowd *, int, int, int, double, stuff) = {put_row, put_rack,
                                                                         put_heap, put_ring};
    crowd c = crowd_open(how, 0);
    yard *y = &c.yard;
    int count = (int)yard_uniform(y, 2, SLEEPERS + 1), size = (int)yard_uniform(y, 8, 33),
        kind = (int)yard_uniform(y, 0, 4);
    double gap = yard_uniform(y, 0, 1) < 0.5 ? spread(y, 0.001, 3) : yard_uniform(y, 0, 3);
    stuff of = {floor(yard_uniform(y, 0, 3)) / 2, 0.3, 0.3, 0, 0}, heavy = of;
    double area = (double)size * size;
    of.mass = area;
    heavy.mass = area * spread(y, 0.01, 100);
    put[(int)yard_uniform(y, 0, 4)](&c, count, kind, size, gap, of);
    fall_asleep(&c);
    put_hitter(&c, (int)yard_uniform(y, 0, 4), size, yard_uniform(y, -0.4, 0.4) * size,
               spread(y, 20, 4000), heavy);
    double error = momentum_error(&c);
    yard_close(y);
    return error;
}

static void momentum(const setting *how, double parameter, double *values) {
    (void)parameter;
    values[0] = 0;
    for (int i = 0; i < (how->quick ? SCENES / QUICK_PART : SCENES); i++) {
        setting one = *how;
        one.seed = how->seed + 1000 * ((uint64_t)i + 1);
        one.sleeping = true;
        values[0] = largest(hit_crowd(&one), values[0]);
    }
}

/* ---- places in a row, asleep and awake ---- */

/// Hits a row of up to most bodies, in space or on a floor with friction.
static void hit_row(const setting *how, double most, bool floored, pv_vec2 *places, int *count) {
    crowd c = crowd_open(how, floored ? GRAVITY : 0);
    yard *y = &c.yard;
    int size = (int)yard_uniform(y, 8, 33), kind = floored ? 0 : (int)yard_uniform(y, 0, 2);
    double gap = yard_uniform(y, 0.01, 3), friction = floored ? yard_uniform(y, 0.2, 0.8) : 0;
    stuff of = {floor(yard_uniform(y, 0, 3)) / 2, friction, friction, 0, 0}, heavy = of;
    of.mass = (double)size * size;
    heavy.mass = of.mass * spread(y, 0.01, 100);
    if (floored) yard_put(y, PV_BODY_STATIC, mask_box(8000, 64), 0, 0.5 * size + 32, 0, of);
    put_row(&c, (int)yard_uniform(y, 1, most + 1), kind, size, gap, of);
    fall_asleep(&c);
    put_hitter(&c, kind, size, 0, spread(y, 20, 1000), heavy);
    for (int i = 0; i < STEPS; i++) yard_step(y, c.dt);
    *count = c.count;
    for (int i = 0; i < c.count; i++) places[i] = yard_place(y, c.bodies[i]);
    yard_close(y);
}

/// Compares the places of all bodies with those of the same scene without sleep.
static void places(const setting *how, double most, double *values) {
    values[0] = 0;
    for (int i = 0; i < (how->quick ? ROWS / QUICK_PART : ROWS); i++) {
        pv_vec2 asleep[SLEEPERS + 1], awake[SLEEPERS + 1];
        int count;
        setting one = *how;
        one.seed = how->seed + 1000 * ((uint64_t)i + 1);
        one.sleeping = true;
        hit_row(&one, most, most > 1, asleep, &count);
        one.sleeping = false;
        hit_row(&one, most, most > 1, awake, &count);
        for (int k = 0; k < count; k++)
            values[0] =
                largest(hypot(asleep[k].x - awake[k].x, asleep[k].y - awake[k].y), values[0]);
    }
}

const test tests_sleepers[] = {
    {.name = "sleepers_momentum", .run = momentum, .figures = {{NULL, "relative", 1e-9}}},
    {.name = "sleepers_place_1", .run = places, .parameter = 1, .figures = {{NULL, "px", 1}}},
    {.name = "sleepers_place_6", .run = places, .parameter = 6, .figures = {{NULL, "px", 1}}},
    {.name = NULL},
};
