/* speed_threads.c - steps of stirred heaps and of grains with several workers, beside one.
 *
 * Invariant: both worlds are alike and take the same frames in turns; their hashes are equal.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_land.h"

#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>

/// Frames before and in a race, and in a turn. Turns of one frame would measure caches that the
/// other world has filled; a game steps one world.
enum { THREAD_WARM = 60, THREAD_FRAMES = 240, THREAD_TURN = 12 };

/// Least ratio of one worker's time to that of two
static const double LEAST_SPEEDUP = 1.7;

/// Two worlds that are alike, the second one with workers
typedef struct rival_worlds {
    const char *name;
    side *sides[2];
    /// Milliseconds of the frames of each
    double times[2][THREAD_FRAMES];
    /// Sums of the time of steps and of the shared part, with one worker [s]
    double total, shared;
} rival_worlds;

static double step_timed(side *s) {
    double begin = now();
    run_side(s, 1);
    return 1e3 * (now() - begin);
}

/// Steps one world for a turn.
static void race_turn(rival_worlds *r, int which, int first) {
    for (int i = first; i < first + THREAD_TURN; i++) {
        r->times[which][i] = step_timed(r->sides[which]);
        pv_world_profile profile = pv_world_get_profile(r->sides[which]->world);
        if (which == 0) r->total += profile.total;
        if (which == 0) r->shared += profile.shared;
    }
}

static void race(rival_worlds *r) {
    for (int first = 0; first < THREAD_FRAMES; first += THREAD_TURN)
        for (int k = 0; k < 2; k++) race_turn(r, (first / THREAD_TURN + k) % 2, first);
}

static void report_figure(const char *name, const char *what, double value, const char *unit) {
    char text[80];
    snprintf(text, sizeof text, "%s%s", name, what);
    report(&(row){.name = text, .unit = unit, .value = value});
}

/// Reports the speedup of more workers on paper: only the shared part is divided among them (Amdahl
/// 1967).
static void report_paper(const char *name, double shared) {
    for (int workers = 2; workers <= 16; workers *= 2) {
        char what[32];
        snprintf(what, sizeof what, "_on_paper_%d", workers);
        report_figure(name, what, 1 / (1 - shared + shared / workers), "x");
    }
}

static void report_race(rival_worlds *r) {
    double one = median(r->times[0], THREAD_FRAMES), several = median(r->times[1], THREAD_FRAMES);
    report(&(row){r->name, "ms", several, one / LEAST_SPEEDUP, one, "one worker"});
    report_figure(r->name, "_speedup", one / several, "x");
}

static void report_shared(const rival_worlds *r) {
    double shared = r->shared / r->total;
    report_figure(r->name, "_shared", shared, "of a step");
    report_paper(r->name, shared);
}

static pv_task_pool *attach_workers(pv_world *world, int workers) {
    pv_task_pool *pool = pv_task_pool_create(workers, NULL);
    pv_world_def def = pv_world_def_default();
    if (!pool || pv_task_pool_attach(pool, &def) || pv_world_set_workers(world, &def)) exit(1);
    return pool;
}

/// Compares the times and hashes of both worlds, the second one with workers.
static void compare_workers(rival_worlds *r, int workers, bool stirred) {
    pv_task_pool *pool = attach_workers(r->sides[1]->world, workers);
    for (int i = 0; stirred && i < 2; i++) {
        begin_to_stir(r->sides[i]);
        settle(r->sides[i], THREAD_WARM, 30);
    }
    race(r);
    require(pv_world_compute_hash(r->sides[0]->world) == pv_world_compute_hash(r->sides[1]->world),
            "workers change the result");
    report_race(r);
    if (stirred) report_shared(r); /* One worker precomputes no paths of grains. */
    if (pv_world_set_workers(r->sides[1]->world, NULL)) exit(1);
    pv_task_pool_destroy(pool);
}

static void measure_heap(const heap *h) {
    static scene scenes[2];
    static rival_worlds r;
    if (!wanted(h->name)) return;
    for (int i = 0; i < 2; i++) open_heap(&scenes[i], h);
    r = (rival_worlds){.name = h->name, .sides = {&scenes[0].ours, &scenes[1].ours}};
    compare_workers(&r, 2, true);
    for (int i = 0; i < 2; i++) close_scene(&scenes[i]);
}

/// Measures rooms of 100 bodies, whose islands are stepped in groups.
static void measure_rooms(const char *name, int columns, int rows) {
    static rival_worlds r;
    if (!wanted(name)) return;
    land *lands[2];
    for (int i = 0; i < 2; i++) lands[i] = land_open(columns, rows, LAND_ROOMS, false);
    r = (rival_worlds){.name = name, .sides = {&lands[0]->scene.ours, &lands[1]->scene.ours}};
    compare_workers(&r, 2, true);
    for (int i = 0; i < 2; i++) land_close(lands[i]);
}

static void step_rain(void *world, pv_vec2 gravity) {
    (void)gravity;
    if (pv_world_step(world, STEP)) exit(1);
}

/// Measures grains from their start in the air.
static void measure_rain(const char *name, int count, int wheels, bool piles) {
    static rival_worlds r;
    if (!wanted(name)) return;
    side sides[2] = {{.step = step_rain}, {.step = step_rain}};
    for (int i = 0; i < 2; i++) sides[i].world = open_rain(count, wheels, piles);
    r = (rival_worlds){.name = name, .sides = {&sides[0], &sides[1]}};
    compare_workers(&r, 2, false);
    for (int i = 0; i < 2; i++) pv_world_destroy(sides[i].world);
}

void speed_threads(void) {
    outline disc = outline_disc(16), box = outline_box(24, 24), star = outline_star(32),
            c = outline_letter_c(32);
    const heap heaps[] = {{"threads_2_concave_2000", {&star, &c}, 2000, 100, 33, 0, 0},
                          {"threads_2_circles_5000", {&disc}, 5000, 250, 17, 0, 0},
                          {"threads_2_boxes_2000", {&box}, 2000, 100, 34, 0, 0}};
    for (size_t i = 0; i < sizeof heaps / sizeof *heaps; i++) measure_heap(&heaps[i]);
    measure_rooms("threads_2_rooms_10000", 10, 10);
    measure_rain("threads_2_grains_1000000", 1000000, 0, true);
    measure_rain("threads_2_grains_100000_64", 100000, 64, true);
    measure_rain("threads_2_grains_bouncing_100000", 100000, 0, false);
    outline_free(&disc);
    outline_free(&box);
    outline_free(&star);
    outline_free(&c);
}
