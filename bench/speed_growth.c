/* speed_growth.c - growth of a step with the number of bodies: sleeping ones should be free, each
 * other one should cost the same.
 *
 * Invariant: a row is a ratio of two worlds that are stepped in turns.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_scenes.h"

#include <math.h>
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>

enum { BOX = 16, PITCH = 24, SHELF = 8, AWAKE = 200 };

static const double GOLDEN_ANGLE = 2.39996322972865332, SETTLE_TIME = 16, MEASURE_TIME = 8;

static void run_steps(void *world, long steps) {
    for (; steps > 0; steps--) pv_world_step(world, STEP);
}

/// Creates piles of boxes on shelves, the lowest at y = 0. The whole is about as wide as high, so
/// that neither axis separates the boxes.
static void put_piles(pv_world *w, const outline *box, const outline *shelf, int columns,
                      int shelves, int high) {
    for (int k = 0; k < shelves; k++) {
        double top = -k * (high * BOX + PITCH);
        put(w, PV_BODY_STATIC, shelf, 0.5 * PITCH * columns, top + 0.5 * SHELF, 0);
        for (int i = 0; i < columns * high; i++)
            put(w, PV_BODY_DYNAMIC, box, PITCH * (i / high + 0.5), top - BOX * (i % high + 0.5), 0);
    }
}

/* ---- Sleeping ---- */

/// Creates a closed box under the shelves, with discs in it that never rest.
static void put_discs(pv_world *w, const outline *disc, const outline walls[2],
                      pv_body_id discs[AWAKE]) {
    double width = pv_mask_get_width(walls[0].mask), height = pv_mask_get_height(walls[1].mask);
    for (int i = 0; i < 2; i++) {
        put(w, PV_BODY_STATIC, &walls[0], 0.5 * width, 100 + i * (height + BOX), 0);
        put(w, PV_BODY_STATIC, &walls[1], i ? width - 0.5 * BOX : 0.5 * BOX,
            100 + 0.5 * (height + BOX), 0);
    }
    for (int i = 0; i < AWAKE; i++) {
        double x = 40 + 2 * PITCH * (i % 20), y = 140 + 2 * PITCH * (i / 20);
        discs[i] = put(w, PV_BODY_DYNAMIC, disc, x, y, 0);
        set_surface(w, discs[i], 1, 0, 0);
    }
}

static void stir(pv_world *w, const pv_body_id discs[AWAKE]) {
    for (int i = 0; i < AWAKE; i++) {
        pv_vec2 v = {200 * cos(GOLDEN_ANGLE * i), 200 * sin(GOLDEN_ANGLE * i)};
        pv_body_set_velocity(w, discs[i], v);
    }
}

static void check_awake(const pv_world *w) {
    int awake = pv_world_get_stats(w).awake;
    if (awake != AWAKE) fprintf(stderr, "speed: %d bodies are awake, not %d\n", awake, AWAKE);
}

/// Steps until only the discs are awake or time runs out, then stirs both worlds alike.
static void wait_for_sleep(pv_world *const worlds[2], pv_body_id discs[2][AWAKE]) {
    double end = now() + SETTLE_TIME;
    do {
        for (int i = 0; i < 2; i++) {
            stir(worlds[i], discs[i]);
            run_steps(worlds[i], 10);
        }
    } while (pv_world_get_stats(worlds[1]).awake > AWAKE && now() < end);
    for (int i = 0; i < 2; i++) stir(worlds[i], discs[i]);
}

/// Measures a step of 200 awake discs, alone and beside 20,000 sleeping boxes [ms].
static void time_sleeping(double milliseconds[2]) {
    outline box = outline_box(BOX, BOX), shelf = outline_box(200 * PITCH, SHELF),
            disc = outline_disc(BOX);
    outline walls[2] = {outline_box(1000, BOX), outline_box(BOX, 500)};
    pv_world *worlds[2] = {open_world(true), open_world(true)};
    pv_body_id discs[2][AWAKE];
    put_piles(worlds[1], &box, &shelf, 200, 100, 1);
    for (int i = 0; i < 2; i++) put_discs(worlds[i], &disc, walls, discs[i]);
    wait_for_sleep(worlds, discs);
    measure_steps((subject[]){{run_steps, worlds[0], NULL}, {run_steps, worlds[1], NULL}},
                  (long[]){8, 8}, 2, MEASURE_TIME, milliseconds);
    for (int i = 0; i < 2; i++) {
        check_awake(worlds[i]);
        pv_world_destroy(worlds[i]);
        outline_free(&walls[i]);
    }
    outline_free(&box);
    outline_free(&shelf);
    outline_free(&disc);
}

static void measure_sleeping(void) {
    double times[2];
    time_sleeping(times);
    report(&(row){.name = "awake_200", .unit = "ms", .value = times[0]});
    report(&(row){
        .name = "sleeping_20000", .unit = "times", .value = times[1] / times[0], .goal = 1.05});
}

/* ---- Awake ---- */

static void measure_awake(void) {
    outline box = outline_box(BOX, BOX);
    outline shelves[2] = {outline_box(25 * PITCH, SHELF), outline_box(100 * PITCH, SHELF)};
    pv_world *few = open_world(false), *many = open_world(false);
    double times[2];
    put_piles(few, &box, &shelves[0], 25, 10, 4);
    put_piles(many, &box, &shelves[1], 100, 40, 4);
    run_steps(few, 30);
    run_steps(many, 30);
    measure_steps((subject[]){{run_steps, few, NULL}, {run_steps, many, NULL}}, (long[]){16, 1}, 2,
                  MEASURE_TIME, times);
    report(&(row){.name = "awake_1000", .unit = "ms", .value = times[0]});
    report(&(row){.name = "growth_16000",
                  .unit = "times",
                  .value = times[1] / (16 * times[0]),
                  .goal = 1.15});
    pv_world_destroy(few);
    pv_world_destroy(many);
    for (int i = 0; i < 2; i++) outline_free(&shelves[i]);
    outline_free(&box);
}

/* ---- Terrain ---- */

enum { TILE = 16, BODIES = 50, THING = 24 };

/// Draws a full tile, and slopes of 1:2 down to the right over the upper and the lower half of a
/// tile.
static void draw_tiles(pv_mask *masks[4]) {
    masks[0] = NULL;
    for (int i = 1; i < 4; i++) masks[i] = outline_box(TILE, TILE).mask;
    for (int x = 0; x < TILE; x++) {
        pv_mask_fill_rect(masks[2], (pv_rect){x, 0, 1, x / 2}, false);
        pv_mask_fill_rect(masks[3], (pv_rect){x, 0, 1, (TILE + x) / 2}, false);
    }
}

/// Returns a tile: a hill every eight tiles of the surface, and closed caves below it.
static uint32_t tile_at(int column, int down, int surface, bool caves) {
    static const uint32_t hill[8] = {3 | PV_TILE_FLIP_X, 2 | PV_TILE_FLIP_X, 1, 2, 3, 0, 0, 0};
    if (down < surface) return down == surface - 1 ? hill[column % 8] : 0;
    bool open = caves && down > surface + 1 && down % 4 == 2 && column % 6 > 3;
    return open ? 0 : 1;
}

static pv_mask *terrain_mask(int columns, int rows, bool caves) {
    pv_mask *masks[4];
    uint32_t *tiles = calloc((size_t)columns * (size_t)rows, sizeof *tiles);
    if (!tiles) exit(1);
    for (int i = 0; i < columns * rows; i++)
        tiles[i] = tile_at(i % columns, i / columns, rows / 2, caves);
    draw_tiles(masks);
    pv_tilemap_def def = {TILE, TILE, columns, rows, tiles, masks, 4, {0}};
    pv_mask *mask = pv_tilemap_create_mask(&def, NULL);
    if (!mask) exit(1);
    for (int i = 1; i < 4; i++) pv_mask_release(masks[i]);
    free(tiles);
    return mask;
}

/// Opens a world with fifty boxes and discs over the middle of a terrain; none sleeps.
static pv_world *open_terrain(const outline *terrain, const outline things[2]) {
    pv_world *w = open_world(false);
    pv_vec2 middle = {0.5 * pv_mask_get_width(terrain->mask),
                      0.5 * pv_mask_get_height(terrain->mask)};
    pv_vec2 center = pv_mask_compute_mass(terrain->mask).centroid;
    put(w, PV_BODY_STATIC, terrain, center.x, center.y, 0);
    for (int i = 0; i < BODIES; i++)
        put(w, PV_BODY_DYNAMIC, &things[i % 2], middle.x + 19 * (i - BODIES / 2),
            middle.y - 60 - 30 * (i % 3), 0);
    return w;
}

static void measure_terrain(const char *name, const outline things[2], bool caves) {
    outline ground[2] = {{.mask = terrain_mask(64, 32, caves)},
                         {.mask = terrain_mask(1024, 256, caves)}};
    pv_world *worlds[2];
    double times[2];
    for (int i = 0; i < 2; i++) worlds[i] = open_terrain(&ground[i], things);
    measure_steps((subject[]){{run_steps, worlds[0], NULL}, {run_steps, worlds[1], NULL}},
                  (long[]){8, 8}, 2, 1, times);
    report(&(row){.name = name, .unit = "times", .value = times[1] / times[0], .goal = 1.5});
    for (int i = 0; i < 2; i++) {
        pv_world_destroy(worlds[i]);
        outline_free(&ground[i]);
    }
}

/// Compares a terrain of 16384 x 4096 px with one of 1024 x 512.
static void measure_terrains(void) {
    outline things[2] = {outline_box(THING, THING), outline_disc(THING)};
    measure_terrain("terrain_growth", things, false);
    measure_terrain("caves_growth", things, true);
    for (int i = 0; i < 2; i++) outline_free(&things[i]);
}

void speed_growth(void) {
    measure_sleeping();
    measure_awake();
    measure_terrains();
}
