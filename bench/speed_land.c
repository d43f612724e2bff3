/* speed_land.c - large worlds of equal cells: critters that hop, stacks that sleep, stirred rooms.
 *
 * Invariant: cells do not touch each other, and a cell is the same in a land of any size. All
 * bodies share the masks of a few outlines.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_land.h"

#include <math.h>
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CELL = 1000,
    WALL = 16,
    TRAY = 128,
    /// Heights of the shelf and of the tray's bottom in a cell [px]
    SHELF_Y = 500,
    TRAY_Y = 900,
    BOX = 24,
    HIGH = 4,
    ROOM_WIDTH = 460,
    ROOM_HEIGHT = 640,
    ROOM_PITCH = 40,
    /// Steps from one hop to the next
    HOP = 45,
    MOST_STEPS = 240
};

static const double GOLDEN_ANGLE = 2.39996322972865332;

/// Velocity of a hop [px/s]
static const pv_vec2 JUMP = {100, -120};

void require(bool good, const char *what) {
    if (good) return;
    fprintf(stderr, "speed: %s\n", what);
    exit(1);
}

/* ---- Outlines ---- */

static void add_box(outline *o, int x, int y, int width, int height) {
    pv_mask_fill_rect(o->mask, (pv_rect){x, y, width, height}, true);
    o->piece[o->pieces].corners = 4;
    for (int i = 0; i < 4; i++)
        o->piece[o->pieces].corner[i] =
            (pv_vec2){x + (i == 1 || i == 2 ? width : 0), y + (i >= 2 ? height : 0)};
    o->pieces++;
}

/// Draws a floor between two walls, with a ceiling if it is closed.
static outline outline_tray(int width, int height, bool closed) {
    outline o = {.mask = pv_mask_create(width, height, NULL, NULL)};
    require(o.mask != NULL, "no memory");
    add_box(&o, 0, height - WALL, width, WALL);
    add_box(&o, 0, 0, WALL, height - WALL);
    add_box(&o, width - WALL, 0, WALL, height - WALL);
    if (closed) add_box(&o, WALL, 0, width - 2 * WALL, WALL);
    return o;
}

static void draw_outlines(land *l) {
    l->tray = outline_tray(CELL - 2, TRAY, false);
    l->room = outline_tray(ROOM_WIDTH, ROOM_HEIGHT, true);
    l->shelf = outline_box(CELL - 2, WALL);
    l->box = outline_box(BOX, BOX);
    l->kinds[0] = outline_disc(16);
    l->kinds[1] = outline_octagon(24);
    l->kinds[2] = outline_box(24, 24);
    l->kinds[3] = outline_star(32);
    l->kinds[4] = outline_letter_c(32);
}

/* ---- Cells ---- */

pv_vec2 land_corner(const land *l, int cell) {
    return (pv_vec2){l->width * (cell % l->columns), l->height * (double)(cell / l->columns)};
}

/// Creates a static body with its picture's corner at a place.
static void put_fixed(land *l, const outline *o, double x, double y) {
    pv_vec2 centroid = pv_mask_compute_mass(o->mask).centroid;
    put(l->scene.ours.world, PV_BODY_STATIC, o, x + centroid.x, y + centroid.y, 0);
}

static pv_body_id put_free(land *l, const outline *o, double x, double y, double angle) {
    pv_body_id b = put(l->scene.ours.world, PV_BODY_DYNAMIC, o, x, y, angle);
    return l->bodies[l->body_count++] = b;
}

static void put_critters(land *l, pv_vec2 at) {
    put_fixed(l, &l->tray, at.x, at.y + TRAY_Y - TRAY);
    for (int i = 0; i < CRITTERS; i++)
        l->critters[l->critter_count++] =
            put_free(l, &l->kinds[i % MOST_KINDS], at.x + 50 + 100 * i, at.y + TRAY_Y - 40, 0);
}

static void put_stacks(land *l, pv_vec2 at) {
    put_fixed(l, &l->shelf, at.x, at.y + SHELF_Y);
    for (int i = 0; i < STACKED; i++)
        put_free(l, &l->box, at.x + 50 + 100 * (double)(i / HIGH),
                 at.y + SHELF_Y - BOX * (i % HIGH + 0.5), 0);
}

static void put_room(land *l, pv_vec2 at) {
    put_fixed(l, &l->room, at.x, at.y);
    for (int i = 0; i < ROOMERS; i++)
        put_free(l, &l->kinds[i % MOST_KINDS], at.x + WALL + ROOM_PITCH * (i % 10 + 0.7),
                 at.y + ROOM_HEIGHT - WALL - ROOM_PITCH * (i / 10 + 0.7), GOLDEN_ANGLE * i);
}

/* ---- The world ---- */

/// Allocates memory and counts the bytes.
static void *counted(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    size_t *bytes = user_data;
    *bytes += new_size - old_size;
    if (new_size > 0) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static pv_world *open_counted(size_t *bytes, bool sleeping) {
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, GRAVITY};
    def.enable_sleep = sleeping;
    def.allocator = (pv_allocator){counted, bytes};
    pv_world *w = pv_world_create(&def, NULL);
    require(w != NULL, "no memory");
    return w;
}

/// Makes each critter hop every HOP steps, to and fro.
static void hop(side *s) {
    const land *l = (const land *)s->scene;
    for (int i = (int)(s->steps % HOP); i < l->critter_count; i += HOP) {
        double way = (i + s->steps / HOP) % 2 ? 1 : -1;
        pv_body_set_velocity(s->world, l->critters[i], (pv_vec2){way * JUMP.x, JUMP.y});
    }
}

land *land_open(int columns, int rows, unsigned parts, bool sleeping) {
    land *l = calloc(1, sizeof *l);
    require(l != NULL, "no memory");
    int cells = columns * rows;
    l->columns = columns;
    l->rows = rows;
    l->parts = parts;
    l->width = parts & LAND_ROOMS ? ROOM_WIDTH + WALL : CELL;
    l->height = parts & LAND_ROOMS ? ROOM_HEIGHT + WALL : CELL;
    open_scene(&l->scene, open_counted(&l->bytes, sleeping));
    l->scene.ours.act = hop;
    draw_outlines(l);
    l->bodies = calloc((size_t)cells, (CRITTERS + STACKED + ROOMERS) * sizeof *l->bodies);
    l->critters = calloc((size_t)cells, CRITTERS * sizeof *l->critters);
    require(l->bodies && l->critters, "no memory");
    for (int i = 0; i < cells; i++) {
        pv_vec2 at = land_corner(l, i);
        if (parts & LAND_CRITTERS) put_critters(l, at);
        if (parts & LAND_STACKS) put_stacks(l, at);
        if (parts & LAND_ROOMS) put_room(l, at);
    }
    return l;
}

void land_wait(land *l) {
    for (int i = 0; i < MOST_STEPS; i++) {
        run_side(&l->scene.ours, 1);
        if (i > HOP && pv_world_get_stats(l->scene.ours.world).awake <= l->critter_count) return;
    }
    require(false, "stacks do not fall asleep");
}

/* ---- Losses ---- */

/// Tells whether a body is in its room, or over the floor of its row.
static bool is_home(const land *l, int i) {
    int each = (l->parts & LAND_CRITTERS ? CRITTERS : 0) + (l->parts & LAND_STACKS ? STACKED : 0) +
               (l->parts & LAND_ROOMS ? ROOMERS : 0);
    pv_vec2 at = pv_body_get_position(l->scene.ours.world, l->bodies[i]);
    pv_vec2 corner = land_corner(l, i / each);
    if (l->parts & LAND_ROOMS)
        return at.x > corner.x && at.x < corner.x + ROOM_WIDTH && at.y > corner.y &&
               at.y < corner.y + ROOM_HEIGHT;
    return at.x > 0 && at.x < l->columns * l->width && at.y > corner.y && at.y < corner.y + TRAY_Y;
}

void land_check(const land *l) {
    int lost = 0;
    for (int i = 0; i < l->body_count; i++)
        lost += !pv_body_is_valid(l->scene.ours.world, l->bodies[i]) || !is_home(l, i);
    if (lost > 0) fprintf(stderr, "speed: %d of %d bodies are lost\n", lost, l->body_count);
    require(lost == 0, "a land has lost bodies");
}

void land_close(land *l) {
    outline *all[] = {&l->tray, &l->shelf, &l->room, &l->box};
    close_scene(&l->scene);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) outline_free(all[i]);
    for (int i = 0; i < MOST_KINDS; i++) outline_free(&l->kinds[i]);
    free(l->bodies);
    free(l->critters);
    free(l);
}
