/* accuracy_pixel.c - pixel contacts: heaps rest and gain no energy, elastic balls keep theirs,
 * flush tiles have no bumps.
 *
 * Invariant: every figure is the worst over random shapes, sizes, angles and speeds that the
 * setting's seed chooses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

enum { MOST_BODIES = 150, WALL = 64, BALLS = 16 };

static const double gravities[] = {320, 980, 3000}, paces[] = {1.0 / 30, 1.0 / 60, 1.0 / 120};

static double largest(double a, double b) { return isnan(a) || a > b ? a : b; }

static int below(yard *in, int count) { return (int)yard_uniform(in, 0, count); }

static pv_mask *any_sprite(yard *in, int kinds, int low, int high) {
    int size = low + below(in, high - low);
    switch (below(in, kinds)) {
    case 0: return mask_box(size, size);
    case 1: return mask_box(size, 4 + size / 2);
    case 2: return mask_disc(0.5 * size);
    case 3: return mask_star(size);
    case 4: return mask_letter_c(size);
    case 5: return mask_letter_l(size);
    case 6: return mask_ring(size);
    default: return mask_gear(size);
    }
}

/* ---- heaps ---- */

typedef struct pile {
    yard yard;
    pv_body_id bodies[MOST_BODIES];
    int count, columns, cell;
    /// Number of kinds of sprites: 7, or 8 with gears
    int kinds;
    /// Sizes of sprites [px]
    int least, most;
    /// Gravity, and length of a step [s]; 0: random between 1/120 and 1/30 s
    double g, pace;
    double start, low, fell, rise, shared;
} pile;

static void put_bucket(yard *in, int w, int h, stuff of) {
    yard_put(in, PV_BODY_STATIC, mask_box(w + 2 * WALL, WALL), 0.5 * w, 0.5 * WALL, 0, of);
    yard_put(in, PV_BODY_STATIC, mask_box(WALL, h), -0.5 * WALL, -0.5 * h, 0, of);
    yard_put(in, PV_BODY_STATIC, mask_box(WALL, h), w + 0.5 * WALL, -0.5 * h, 0, of);
}

static void fill(pile *p, stuff of) {
    yard *y = &p->yard;
    int cell = p->cell;
    put_bucket(y, p->columns * cell, (p->count / p->columns + 3) * cell, of);
    for (int i = 0; i < p->count; i++) {
        double x = (i % p->columns + 0.5) * cell, height = (i / p->columns + 1.5) * cell;
        p->bodies[i] = yard_put(y, PV_BODY_DYNAMIC, any_sprite(y, p->kinds, p->least, p->most), x,
                                -height, yard_uniform(y, 0, 6), of);
    }
}

/// Chooses gravity and the length of steps.
static void vary(pile *p) {
    int pace = below(&p->yard, 4);
    p->g = gravities[below(&p->yard, 3)];
    p->pace = pace < 3 ? paces[pace] : 0;
    pv_world_set_gravity(p->yard.world, yard_direction(&p->yard, 0, p->g));
}

static double height_energy(const pile *p) {
    double sum = 0;
    for (int i = 0; i < p->count; i++)
        sum -= pv_body_get_mass(p->yard.world, p->bodies[i]) * p->g *
               yard_place(&p->yard, p->bodies[i]).y;
    return sum;
}

static double motion_energy(const pile *p) {
    double sum = 0;
    for (int i = 0; i < p->count; i++) sum += yard_kinetic_energy(&p->yard, p->bodies[i]);
    return sum;
}

/// Steps the world, and measures how far the energy rises above its lowest value so far.
static void step(pile *p, bool look) {
    double dt = p->pace > 0 ? p->pace : yard_uniform(&p->yard, 1.0 / 120, 1.0 / 30);
    pv_world_step(p->yard.world, dt);
    p->yard.time += dt;
    double height = height_energy(p), energy = height + motion_energy(p);
    p->fell = largest(p->start - height, p->fell);
    p->rise = largest(energy - p->low, p->rise);
    p->low = fmin(energy, p->low);
    if (look) p->shared = largest((double)yard_sharing(&p->yard).most, p->shared);
}

/// Measures the energy gain as a share of the fall, the worst pair's shared pixels, and the final
/// rms speed.
static void pour(const setting *how, int count, double values[3]) {
    pile p = {.yard = yard_open_pixels(how, 320),
              .count = count,
              .columns = 10,
              .cell = 72,
              .kinds = 7,
              .least = 12,
              .most = 46};
    yard *y = &p.yard;
    stuff of = plain;
    vary(&p);
    of.restitution = below(y, 2) ? 0 : yard_uniform(y, 0, 0.8);
    fill(&p, of);
    p.start = p.low = height_energy(&p);
    for (int i = 0; y->time < 12; i++) step(&p, i % 30 == 0);
    values[0] = largest(p.rise / p.fell, values[0]);
    values[1] = largest(p.shared, values[1]);
    values[2] = largest(yard_rms_speed(y), values[2]);
    yard_close(y);
}

static void heap(const setting *how, double count, double *values) {
    setting one = *how;
    int heaps = how->quick ? 2 : count > 100 ? 3 : 6;
    for (int i = 0; i < 3; i++) values[i] = 0;
    for (int i = 0; i < heaps; i++) {
        one.seed = 100 * how->seed + (uint64_t)i;
        pour(&one, (int)count, values);
    }
}

/* ---- rest ---- */

/// Returns the time until a heap sleeps, up to 30 s.
static double settled(const setting *how, int count) {
    pile p = {.yard = yard_open_pixels(how, 320), .count = count, .pace = 0};
    vary(&p);
    p.columns = 4 + below(&p.yard, 6);
    p.least = 12 + below(&p.yard, 20);
    p.most = 2 * p.least + below(&p.yard, 20);
    p.cell = p.most * 3 / 2;
    p.kinds = 8;
    fill(&p, plain);
    while (p.yard.time < 30 && (p.yard.time < 1 || pv_world_get_stats(p.yard.world).awake > 0))
        step(&p, false);
    double time = p.yard.time;
    yard_close(&p.yard);
    return time;
}

static void rest(const setting *how, double count, double *values) {
    setting one = *how;
    one.sleeping = true;
    int heaps = how->quick ? 3 : 10;
    values[0] = values[1] = 0;
    for (int i = 0; i < heaps; i++) {
        one.seed = 100 * how->seed + (uint64_t)i;
        double time = settled(&one, (int)count);
        values[0] = largest(time, values[0]);
        values[1] += time / heaps;
    }
}

/* ---- elastic balls ---- */

/// Lets balls without friction fly in a closed box for 20 s. Measures the energy lost, and the
/// share that became spin.
static void gas(const setting *how, double count, double *values) {
    static const stuff elastic = {.restitution = 1};
    enum { ROOM = 400 };
    values[0] = values[1] = 0;
    for (int k = 0; k < (how->quick ? 1 : 3); k++) {
        setting one = *how;
        one.seed = 10 * how->seed + (uint64_t)k;
        yard y = yard_open_elastic(&one);
        pv_body_id balls[BALLS];
        double was = 0, is = 0, spin = 0, pace = paces[below(&y, 3)];
        put_bucket(&y, ROOM, ROOM + WALL, elastic);
        yard_put(&y, PV_BODY_STATIC, mask_box(ROOM + 2 * WALL, WALL), 0.5 * ROOM,
                 -ROOM - 0.5 * WALL, 0, elastic);
        for (int i = 0; i < (int)count; i++) {
            balls[i] =
                yard_put(&y, PV_BODY_DYNAMIC, mask_disc(yard_uniform(&y, 6, 14)),
                         50 + 100 * (i % 4), -50 - 100 * (i / 4), yard_uniform(&y, 0, 6), elastic);
            yard_push(&y, balls[i], yard_uniform(&y, -200, 200), yard_uniform(&y, -200, 200), 0);
            was += yard_kinetic_energy(&y, balls[i]);
        }
        while (y.time < 20) yard_step(&y, pace);
        for (int i = 0; i < (int)count; i++) {
            double turns = pv_body_get_angular_velocity(y.world, balls[i]);
            is += yard_kinetic_energy(&y, balls[i]);
            spin += 0.5 * pv_body_get_inertia(y.world, balls[i]) * turns * turns;
        }
        values[0] = largest(100 * fabs(1 - is / was), values[0]);
        values[1] = largest(100 * spin / was, values[1]);
        yard_close(&y);
    }
}

/* ---- tiles ---- */

/// Returns the lowest corner of a body's pixels in the scene.
static double lowest(const yard *in, pv_body_id body) {
    const pv_mask *m = pv_body_get_mask(in->world, body);
    pv_transform t = pv_body_get_transform(in->world, body);
    double low = -INFINITY;
    for (int y = 0; y < pv_mask_get_height(m); y++)
        for (int x = 0; x < pv_mask_get_width(m); x++) {
            if (!pv_mask_get_pixel(m, x, y)) continue;
            for (int k = 0; k < 4; k++) {
                double px = x + (k & 1) - t.pivot.x, py = y + (k >> 1) - t.pivot.y;
                pv_vec2 at = {t.position.x + t.rotation.c * px - t.rotation.s * py,
                              t.position.y + t.rotation.s * px + t.rotation.c * py};
                low = fmax(low, yard_seen(in, at).y);
            }
        }
    return low;
}

static pv_mask *slider(yard *in) {
    int size = 8 + below(in, 40);
    switch (below(in, 4)) {
    case 0: return mask_box(size, size);
    case 1: return mask_box(size, 4 + size / 3);
    case 2: return mask_disc(0.5 * size);
    default: return mask_letter_l(size);
    }
}

/// Returns how high a body hops while it slides over a row of flush tiles.
static double ride(yard *y, stuff of) {
    int w = 8 + below(y, 56), h = 8 + below(y, 24), pace = below(y, 3);
    double speed = yard_uniform(y, 50, 600), top = 0.5 * (below(y, 2) ? yard_uniform(y, 0, 2) : 0),
           hop = 0;
    for (int x = -100; x < 1300; x += w)
        yard_put(y, PV_BODY_STATIC, mask_box(w, h), x + 0.5 * w, top + 0.5 * h, 0, of);
    pv_body_id body =
        yard_put(y, PV_BODY_DYNAMIC, slider(y), yard_uniform(y, 100, 101), -60, 0, of);
    pv_vec2 at = yard_place(y, body);
    at.y += top - 0.5 - lowest(y, body);
    pv_body_set_position(y->world, body, yard_point(y, at.x, at.y));
    for (double t = 0; t < 1; t += paces[pace]) pv_world_step(y->world, paces[pace]);
    yard_push(y, body, speed, 0, 0);
    for (double t = 0; t < 1.2 && yard_place(y, body).x < 1100; t += paces[pace]) {
        pv_world_step(y->world, paces[pace]);
        hop = largest(top - lowest(y, body), hop);
    }
    return hop;
}

static void tiles(const setting *how, double friction, double *values) {
    setting one = *how;
    int rides = how->quick ? 10 : 60;
    values[0] = 0;
    /* Turned tiles are not flush in pixels. */
    if (how->turn != 0) return;
    for (int i = 0; i < rides; i++) {
        one.seed = 1000 * how->seed + (uint64_t)i;
        yard y = yard_open_pixels(&one, gravities[i % 3]);
        values[0] =
            largest(ride(&y, (stuff){.static_friction = friction, .kinetic_friction = friction}),
                    values[0]);
        yard_close(&y);
    }
}

const test tests_pixel[] = {
    {"pixel_heap_60",
     heap,
     60,
     {{"gain", "share", 1e-3}, {"shared", "px", 0}, {"rms", "px/s", 5}},
     .rests = false},
    {"pixel_heap_150",
     heap,
     150,
     {{"gain", "share", 1e-3}, {"shared", "px", 0}, {"rms", "px/s", 5}},
     .slow = true},
    {"pixel_rest_60", rest, 60, {{"last", "s", 12}, {"mean", "s", 6}}, .rests = false},
    {"pixel_rest_30", rest, 30, {{"last", "s", 12}, {"mean", "s", 5}}, .rests = false},
    {"pixel_gas_1", gas, 1, {{"loss", "%", 0.1}, {"spin", "%", 0.1}}, .rests = false},
    {"pixel_gas_16", gas, BALLS, {{"loss", "%", 3}, {"spin", "%", 1}}, .rests = false},
    {"pixel_tiles", tiles, 0, {{"hop", "px", 1}}, .rests = false},
    {"pixel_tiles_rough", tiles, 0.3, {{"hop", "px", 1}}, .rests = false},
    {0}};
