/* speed_grains.c - steps of grains: in the air, on terrain, among turning sprites, and piling up;
 * beside a plain loop over the same grains, and beside particles.
 *
 * Invariant: the plain loop has the same terrain and starting places; particles have the same
 * terrain. Times are processor times.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed.h"

#include <math.h>
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 2000, HEIGHT = 1000, STEPS = 300, WARM = 2, WHEEL = 20, PARTICLE_STEPS = 24 };

/// Setting of a run
typedef struct setting {
    int count, bodies;
    /// Number of steps in which the grains are emitted; 1: all at once
    int pour;
    bool piles;
} setting;

/// Times of a run [ms]
typedef struct times {
    double mean, worst;
} times;

static double random_unit(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) * 0x1p-53;
}

/* ---- the scene ---- */

static bool is_terrain(int x, int y) {
    int hill = abs(x % 400 - 200) * 3 / 10;
    return x < 4 || x >= WIDTH - 4 || y >= HEIGHT - 160 + hill;
}

static pv_mask *terrain_mask(void) {
    pv_mask *mask = pv_mask_create(WIDTH, HEIGHT, NULL, NULL);
    if (!mask) exit(1);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) pv_mask_set_pixel(mask, x, y, is_terrain(x, y));
    return mask;
}

/// Draws a wheel with four spokes.
static pv_mask *wheel_mask(void) {
    pv_mask *mask = pv_mask_create(2 * WHEEL, 2 * WHEEL, NULL, NULL);
    if (!mask) exit(1);
    for (int y = 0; y < 2 * WHEEL; y++)
        for (int x = 0; x < 2 * WHEEL; x++) {
            int a = abs(x - WHEEL), b = abs(y - WHEEL), far = a * a + b * b;
            pv_mask_set_pixel(mask, x, y, far < 400 && (far > 256 || a < 5 || b < 5));
        }
    return mask;
}

static pv_world *open_scene(int bodies) {
    pv_world *world = pv_world_create(NULL, NULL);
    pv_mask *terrain = terrain_mask(), *wheel = wheel_mask();
    pv_mass_data mass = pv_mask_compute_mass(terrain);
    pv_body_def def = pv_body_def_default();
    uint64_t seed = 5;
    def.type = PV_BODY_STATIC;
    def.mask = terrain;
    def.position = mass.centroid;
    pv_body_create(world, &def, NULL);
    def.type = PV_BODY_KINEMATIC;
    def.mask = wheel;
    for (int i = 0; i < bodies; i++) {
        def.position.x = 80 + (WIDTH - 160) * random_unit(&seed);
        def.position.y = 300 + 400 * random_unit(&seed);
        def.angular_velocity = i & 1 ? 3 : -3;
        pv_body_create(world, &def, NULL);
    }
    pv_mask_release(terrain);
    pv_mask_release(wheel);
    return world;
}

static pv_grain *make_grains(int count) {
    pv_grain *list = malloc((size_t)count * sizeof *list);
    uint64_t seed = 9;
    if (!list) exit(1);
    for (int i = 0; i < count; i++) {
        pv_vec2 at = {10 + (WIDTH - 20) * random_unit(&seed), -200 + 900 * random_unit(&seed)};
        pv_vec2 velocity = {100 * random_unit(&seed) - 50, 50 * random_unit(&seed)};
        list[i] = (pv_grain){at, velocity, 0xffffffff};
    }
    return list;
}

static void add_time(times *t, double seconds, int step) {
    if (step < WARM) return;
    t->mean += 1e3 * seconds / (STEPS - WARM);
    t->worst = fmax(t->worst, 1e3 * seconds);
}

static pv_grains_id create_grains(pv_world *world, int count, bool piles) {
    pv_grains_def def = pv_grains_def_default();
    def.capacity = count;
    def.piles = piles;
    return pv_grains_create(world, &def, NULL);
}

pv_world *open_rain(int count, int bodies, bool piles) {
    pv_world *world = open_scene(bodies);
    pv_grain *list = make_grains(count);
    if (pv_grains_emit(world, create_grains(world, count, piles), list, count)) exit(1);
    free(list);
    return world;
}

static times run_grains(const setting *s, const pv_grain *list) {
    pv_world *world = open_scene(s->bodies);
    times t = {0};
    pv_grains_id grains = create_grains(world, s->count, s->piles);
    for (int i = 0; i < STEPS; i++) {
        int each = s->count / s->pour;
        if (i < s->pour) pv_grains_emit(world, grains, list + (size_t)i * (size_t)each, each);
        double begin = processor_time();
        pv_world_step(world, STEP);
        add_time(&t, processor_time() - begin, i);
    }
    pv_world_destroy(world);
    return t;
}

/* ---- a plain loop: each grain goes pixel by pixel, and bounces off the pixels around it ---- */

typedef struct plain {
    float x, y, dx, dy;
} plain;

static bool plain_solid(const pv_mask *terrain, float x, float y) {
    return pv_mask_get_pixel(terrain, (int)floorf(x), (int)floorf(y));
}

static void plain_bounce(const pv_mask *terrain, plain *g) {
    float x = 0, y = 0;
    for (int j = -3; j <= 3; j++)
        for (int i = -3; i <= 3; i++)
            if (plain_solid(terrain, g->x + (float)i, g->y + (float)j)) {
                x -= (float)i;
                y -= (float)j;
            }
    float length = sqrtf(x * x + y * y);
    if (length == 0) return;
    x /= length;
    y /= length;
    float approach = -(g->dx * x + g->dy * y), along = g->dy * x - g->dx * y;
    if (approach <= 0) return;
    float push = approach * 1.2F, brake = fmaxf(-0.6F * push, fminf(0.6F * push, along));
    g->dx += push * x + brake * y;
    g->dy += push * y - brake * x;
}

static void plain_step(const pv_mask *terrain, plain *g) {
    g->dy += (float)(GRAVITY * STEP * STEP);
    int count = (int)ceilf(fmaxf(fabsf(g->dx), fabsf(g->dy)));
    for (int i = 0; i < count; i++) {
        float x = g->x + g->dx / (float)count, y = g->y + g->dy / (float)count;
        if (plain_solid(terrain, x, y)) {
            plain_bounce(terrain, g);
            return;
        }
        g->x = x;
        g->y = y;
    }
}

static times run_plain(const setting *s, const pv_grain *list) {
    pv_mask *terrain = terrain_mask();
    plain *all = malloc((size_t)s->count * sizeof *all);
    times t = {0};
    if (!all) exit(1);
    for (int i = 0; i < s->count; i++)
        all[i] = (plain){(float)list[i].position.x, (float)list[i].position.y,
                         (float)(list[i].velocity.x * STEP), (float)(list[i].velocity.y * STEP)};
    for (int n = 0; n < STEPS; n++) {
        double begin = processor_time();
        for (int i = 0; i < s->count; i++) plain_step(terrain, &all[i]);
        add_time(&t, processor_time() - begin, n);
    }
    sink += (int64_t)all[0].x;
    free(all);
    pv_mask_release(terrain);
    return t;
}

/* ---- particles ---- */

/// Returns the mean time of the steps in which the first particles land [ms].
static double run_particles(int count) {
    pv_world *world = open_scene(0);
    uint64_t seed = 9;
    pv_particle_def def = pv_particle_def_default();
    def.restitution = 0.2;
    for (int i = 0; i < count; i++) {
        def.position.x = 10 + (WIDTH - 20) * random_unit(&seed);
        def.position.y = 600 + 200 * random_unit(&seed);
        pv_particle_create(world, &def, NULL);
    }
    double begin = 0;
    for (int i = 0; i < PARTICLE_STEPS + WARM; i++) {
        if (i == WARM) begin = processor_time();
        pv_world_step(world, STEP);
    }
    double mean = 1e3 * (processor_time() - begin) / PARTICLE_STEPS;
    pv_world_destroy(world);
    return mean;
}

/* ---- rows ---- */

static void report_run(const char *name, setting s, double mean_goal, double worst_goal,
                       bool beside_plain) {
    char worst[64];
    snprintf(worst, sizeof worst, "%s_worst", name);
    if (!wanted(name)) return;
    pv_grain *list = make_grains(s.count);
    double means[3], maxima[3], plains[3];
    for (int i = 0; i < 3; i++) {
        times t = run_grains(&s, list);
        means[i] = t.mean;
        maxima[i] = t.worst;
        plains[i] = beside_plain ? run_plain(&s, list).mean : 0;
    }
    row mean = {.name = name, .unit = "ms", .value = median(means, 3), .goal = mean_goal};
    if (beside_plain) {
        mean.peer = median(plains, 3);
        mean.peer_name = "plain loop";
    }
    report(&mean);
    report(&(row){.name = worst, .unit = "ms", .value = median(maxima, 3), .goal = worst_goal});
    free(list);
}

static void report_particles(void) {
    const char *name = "grains_100000_particles";
    if (!wanted(name)) return;
    setting s = {.count = 100000, .pour = 1, .piles = true};
    pv_grain *list = make_grains(s.count);
    double ours = run_grains(&s, list).mean, theirs = run_particles(s.count);
    free(list);
    report(&(row){
        .name = name, .unit = "ms", .value = ours, .peer = theirs, .peer_name = "particles"});
}

void speed_grains(void) {
    report_run("grains_10000", (setting){10000, 0, 1, true}, 0, 0, true);
    report_run("grains_100000", (setting){100000, 0, 1, true}, 0, 0, true);
    report_run("grains_1000000", (setting){1000000, 0, 1, true}, 10, 0, true);
    report_run("grains_bouncing_100000", (setting){100000, 0, 1, false}, 0, 0, true);
    report_run("grains_100000_16", (setting){100000, 16, 1, true}, 1.5, 0, false);
    report_run("grains_100000_64", (setting){100000, 64, 1, true}, 0, 0, false);
    report_run("grains_100000_piling", (setting){100000, 0, 250, true}, 0, 2, false);
    report_particles();
}
