/* speed_scale.c - worlds of up to 100,000 bodies: their steps, their growth, their memory.
 *
 * Invariant: compared worlds have the same density and take the same steps in turns.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_land.h"

#include <math.h>
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>

static const double MEASURE_TIME = 4;

/// Most bytes per body, with its contacts
static const double MOST_BYTES = 1536;

/// Reports the bytes of a land per body.
static void report_bytes(const char *name, const land *l) {
    report(&(row){.name = name,
                  .unit = "bytes",
                  .value = (double)l->bytes / pv_world_get_stats(l->scene.ours.world).bodies,
                  .goal = MOST_BYTES});
}

/* ---- 100,000 bodies ---- */

enum { WOKEN = 100 };

/// Measures the time to wake stacks, each in another cell.
static void measure_waking(const land *l) {
    int each = CRITTERS + STACKED;
    double start = processor_time();
    for (int i = 0; i < WOKEN; i++)
        pv_body_wake(l->scene.ours.world, l->bodies[7 * i * each + CRITTERS]);
    double time = 1e3 * (processor_time() - start);
    int awake = pv_world_get_stats(l->scene.ours.world).awake;
    require(awake == l->critter_count + 4 * WOKEN, "stacks do not wake as a whole");
    report(&(row){.name = "scale_world_wake_100", .unit = "ms", .value = time, .goal = 2});
}

/// Measures 20,000 critters beside 80,000 sleeping boxes, over 100,000 x 20,000 px, and alone.
static void measure_world(void) {
    if (!wanted("scale_world")) return;
    land *alone = land_open(100, 20, LAND_CRITTERS, true);
    land *world = land_open(100, 20, LAND_CRITTERS | LAND_STACKS, true);
    double times[2];
    land_wait(world);
    while (alone->scene.ours.steps < world->scene.ours.steps) run_side(&alone->scene.ours, 1);
    measure_steps(
        (subject[]){{run_side, &alone->scene.ours, NULL}, {run_side, &world->scene.ours, NULL}},
        (long[]){2, 2}, 2, MEASURE_TIME, times);
    land_check(alone);
    land_check(world);
    require(pv_world_get_stats(world->scene.ours.world).awake == world->critter_count,
            "other bodies are awake than the critters");
    report(&(row){.name = "scale_world_awake", .unit = "ms", .value = times[0]});
    report(&(row){.name = "scale_world", .unit = "ms", .value = times[1]});
    report(&(row){
        .name = "scale_world_ratio", .unit = "times", .value = times[1] / times[0], .goal = 1.05});
    report_bytes("scale_world_bytes", world);
    report_changes("scale_world", &world->scene.ours);
    measure_waking(world);
    land_close(alone);
    land_close(world);
}

/* ---- Crowd ---- */

enum { CROWD = 20000, CROWD_COLUMNS = 142, CROWD_CELL = 34, LATTICE = 1000 };

static const double CROWD_SPEED = 160;

/// Returns a velocity toward the nearest point of a lattice, slower close to it.
static pv_vec2 press(const scene *s, pv_vec2 at) {
    (void)s;
    pv_vec2 way = {LATTICE * (floor(at.x / LATTICE) + 0.5) - at.x,
                   LATTICE * (floor(at.y / LATTICE) + 0.5) - at.y};
    double speed = fmin(CROWD_SPEED / hypot(way.x, way.y), 1 / STEP);
    return (pv_vec2){speed * way.x, speed * way.y};
}

static void press_ours(side *s) { drive_ours(s, press); }

static void press_rival(side *s) { rival_drive(s->world, press, s->scene); }

/// Measures a crowd that presses toward the points of a lattice, without gravity or rotation.
static void measure_crowd(const outline *kinds[MOST_KINDS]) {
    if (!wanted("scale_crowd")) return;
    scene s;
    heap h = {.count = CROWD, .columns = CROWD_COLUMNS, .cell = CROWD_CELL};
    for (int k = 0; k < MOST_KINDS; k++) h.kinds[k] = kinds[k];
    open_heap(&s, &h);
    pv_world *w = s.ours.world;
    s.ours.gravity = 0;
    s.ours.act = press_ours;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b))
        pv_body_set_motion_locks(w, b, PV_LOCK_ROTATION);
    settle(&s.ours, 30, 15);
    open_peer(&s);
    s.peer.act = press_rival;
    settle(&s.peer, 4, 15);
    compare("scale_crowd", 0.85, &s);
    check_box(&s);
    require(pv_world_get_stats(w).bodies == CROWD + 4, "a crowd has lost bodies");
    close_scene(&s);
}

/* ---- Growth ---- */

/// Steps before growth is measured, and steps of the measurement
enum { WARM = 24, MEASURED = 5 };

/// Returns the median milliseconds of a step in both lands, which take the same steps.
static void time_growth(land *const lands[2], double milliseconds[2]) {
    double times[2][MEASURED];
    for (int k = 0; k < WARM + MEASURED; k++)
        for (int i = 0; i < 2; i++) {
            double start = processor_time();
            run_side(&lands[i]->scene.ours, 1);
            if (k >= WARM) times[i][k - WARM] = 1e3 * (processor_time() - start);
        }
    for (int i = 0; i < 2; i++) milliseconds[i] = median(times[i], MEASURED);
}

/// Reports the exponent of a step's time from 1,000 to 100,000 bodies that never sleep.
static void measure_growth(const char *name, unsigned parts, int columns, int rows, bool stirred) {
    if (!wanted(name)) return;
    land *lands[2];
    double times[2];
    char text[80];
    for (int i = 0; i < 2; i++) {
        lands[i] = land_open(i ? 10 * columns : columns, i ? 10 * rows : rows, parts, false);
        if (stirred) begin_to_stir(&lands[i]->scene.ours);
    }
    require(lands[0]->body_count == 1000 && lands[1]->body_count == 100000, "lands are wrong");
    time_growth(lands, times);
    for (int i = 0; i < 2; i++) {
        land_check(lands[i]);
        snprintf(text, sizeof text, "%s_%d", name, lands[i]->body_count);
        report(&(row){.name = text, .unit = "ms", .value = times[i]});
    }
    report(&(row){
        .name = name, .unit = "of n", .value = log(times[1] / times[0]) / log(100), .goal = 1.1});
    snprintf(text, sizeof text, "%s_bytes", name);
    report_bytes(text, lands[1]);
    for (int i = 0; i < 2; i++) land_close(lands[i]);
}

/// Reports the exponent of a step's time from 500 to 8000 stirred bodies of one heap, each in
/// twenty lines.
static void measure_exponent(const heap *h) {
    enum { WARM_STEPS = 90, LINES = 20 };
    if (!wanted(h->name)) return;
    scene s[2];
    double times[2];
    for (int i = 0; i < 2; i++) {
        heap sized = *h;
        sized.count = i ? 8000 : 500;
        sized.columns = sized.count / LINES;
        open_heap(&s[i], &sized);
        begin_to_stir(&s[i].ours);
        settle(&s[i].ours, WARM_STEPS, 24);
    }
    measure_steps((subject[]){{run_side, &s[0].ours, NULL}, {run_side, &s[1].ours, NULL}},
                  (long[]){16, 1}, 2, 4, times);
    report(&(row){
        .name = h->name, .unit = "of n", .value = log(times[1] / times[0]) / log(16), .goal = 1.1});
    for (int i = 0; i < 2; i++) close_scene(&s[i]);
}

void speed_scale(void) {
    outline disc = outline_disc(16), octagon = outline_octagon(24), box = outline_box(24, 24),
            star = outline_star(32), c = outline_letter_c(32);
    const outline *kinds[] = {&disc, &octagon, &box, &star, &c};
    const heap heaps[] = {{.name = "exponent_circles", .kinds = {&disc}, .cell = 17},
                          {.name = "exponent_boxes", .kinds = {&box}, .cell = 35},
                          {.name = "exponent_concave", .kinds = {&star, &c}, .cell = 34}};
    measure_world();
    measure_crowd(kinds);
    measure_bullets("scale_shooter", 0.7, kinds, 2000, 10000);
    measure_growth("scale_resting", LAND_STACKS, 5, 5, false);
    measure_growth("scale_awake", LAND_CRITTERS, 10, 10, false);
    measure_growth("scale_stirred", LAND_ROOMS, 5, 2, true);
    for (size_t i = 0; i < sizeof heaps / sizeof *heaps; i++) measure_exponent(&heaps[i]);
    speed_churn();
    speed_tiles();
    outline_free(&disc);
    outline_free(&octagon);
    outline_free(&box);
    outline_free(&star);
    outline_free(&c);
}
