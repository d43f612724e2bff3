/* accuracy_thin.c - small sprites against thin lines and in rooms: none passes, and heaps rest.
 *
 * Invariant: every figure is the worst over random shapes, sizes, angles and speeds that the
 * setting's seed chooses. A flood fill of the picture with the line finds the reachable side. A
 * shot starts clear of the line.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PICTURE = 161,
    MIDDLE = PICTURE / 2,
    CLEAR = 8,
    SHOTS = 8400,
    QUICK_SHOTS = 120,
    ROOM = 200,
    PRESSED = 2000,
    QUICK_PRESSED = 60,
    SMALL = 400,
    HEAPS = 6,
    LONGEST = 24
};

static const double pi = 3.14159265358979323846;

/* ---- lines ---- */

/// Draws a line one pixel wide. With four, its pixels join at edges, not at corners.
static void draw_line(pv_mask *m, int x, int y, int to_x, int to_y, bool four) {
    int w = abs(to_x - x), h = -abs(to_y - y), sx = x < to_x ? 1 : -1, sy = y < to_y ? 1 : -1,
        e = w + h;
    pv_mask_set_pixel(m, x, y, true);
    while (x != to_x || y != to_y) {
        int twice = 2 * e;
        bool across = twice >= h;
        if (across) e += h, x += sx;
        if (across && four) pv_mask_set_pixel(m, x, y, true);
        if (twice <= w) e += w, y += sy;
        pv_mask_set_pixel(m, x, y, true);
    }
}

/// Draws a line from one edge of the picture through its middle to the opposite edge.
static void draw_slope(yard *y, pv_mask *m, bool four) {
    int end = (int)yard_uniform(y, 0, PICTURE);
    if (yard_uniform(y, 0, 1) < 0.5)
        draw_line(m, 0, end, PICTURE - 1, PICTURE - 1 - end, four);
    else
        draw_line(m, end, 0, PICTURE - 1 - end, PICTURE - 1, four);
}

static void draw_circle(yard *y, pv_mask *m) {
    double r = yard_uniform(y, 20, MIDDLE - 2);
    int x = MIDDLE + (int)lround(r), at_y = MIDDLE;
    for (int i = 1; i <= 720; i++) {
        int to_x = MIDDLE + (int)lround(r * cos(i * pi / 360)),
            to_y = MIDDLE + (int)lround(r * sin(i * pi / 360));
        draw_line(m, x, at_y, to_x, to_y, false);
        x = to_x;
        at_y = to_y;
    }
}

/// Draws the counter of a letter: an A's, or a D's.
static void draw_letter(yard *y, pv_mask *m) {
    int w = (int)yard_uniform(y, 22, MIDDLE - 2), h = (int)yard_uniform(y, 22, MIDDLE - 2);
    bool d = yard_uniform(y, 0, 1) < 0.5;
    draw_line(m, MIDDLE - w, MIDDLE + h, d ? MIDDLE - w : MIDDLE, MIDDLE - h, false);
    draw_line(m, d ? MIDDLE - w : MIDDLE, MIDDLE - h, MIDDLE + w, d ? MIDDLE : MIDDLE + h, false);
    draw_line(m, MIDDLE + w, d ? MIDDLE : MIDDLE + h, MIDDLE - w, MIDDLE + h, false);
}

static pv_mask *line_of(yard *y) {
    pv_mask *m = pv_mask_create(PICTURE, PICTURE, NULL, NULL);
    int kind = (int)yard_uniform(y, 0, 4);
    if (kind < 2) draw_slope(y, m, kind == 1);
    if (kind == 2) draw_circle(y, m);
    if (kind == 3) draw_letter(y, m);
    return m;
}

/// Returns a box, a disc, an L or a plus.
static pv_mask *sprite_of(yard *y) {
    int size = (int)yard_uniform(y, 1, 9), kind = (int)yard_uniform(y, 0, 4);
    if (kind == 1) return mask_disc(0.5 * size);
    pv_mask *m = mask_box(size, size);
    if (kind == 0 || size < 3) return m;
    int at = kind == 2 ? 0 : size / 2;
    for (int i = 0; i < size * size; i++)
        pv_mask_set_pixel(m, i % size, i / size, i % size == at || i / size == at);
    return m;
}

/* ---- sides ---- */

typedef struct sides {
    unsigned char reached[PICTURE][PICTURE];
    int stack[PICTURE * PICTURE];
    int count;
} sides;

static void reach(sides *s, const pv_mask *line, int x, int y) {
    if (x < 0 || y < 0 || x >= PICTURE || y >= PICTURE || s->reached[y][x] ||
        pv_mask_get_pixel(line, x, y))
        return;
    s->reached[y][x] = 1;
    s->stack[s->count++] = y * PICTURE + x;
}

/// Marks all empty pixels that are connected to a pixel.
static void flood(sides *s, const pv_mask *line, int x, int y) {
    memset(s->reached, 0, sizeof s->reached);
    s->count = 0;
    reach(s, line, x, y);
    while (s->count > 0) {
        int at = s->stack[--s->count], i = at % PICTURE, j = at / PICTURE;
        reach(s, line, i - 1, j);
        reach(s, line, i + 1, j);
        reach(s, line, i, j - 1);
        reach(s, line, i, j + 1);
    }
}

static bool is_in_picture(pv_vec2 p) {
    return p.x >= 1 && p.y >= 1 && p.x < PICTURE - 1 && p.y < PICTURE - 1;
}

static bool is_clear(const pv_mask *line, int x, int y) {
    for (int j = -CLEAR; j <= CLEAR; j++)
        for (int i = -CLEAR; i <= CLEAR; i++)
            if (pv_mask_get_pixel(line, x + i, y + j)) return false;
    return true;
}

/* ---- shots ---- */

enum { UPRIGHT, TURNED, TURNING };

/// Tells whether most of a sprite's pixel centers are at unreachable places. Sets *out if some are
/// outside the picture.
static bool is_beyond(const yard *y, pv_body_id body, const sides *s, const pv_mask *line,
                      bool *out) {
    const pv_mask *m = pv_body_get_mask(y->world, body);
    pv_transform t = pv_body_get_transform(y->world, body);
    int w = pv_mask_get_width(m), beyond = 0, all = 0;
    for (int i = 0; i < w * pv_mask_get_height(m); i++) {
        if (!pv_mask_get_pixel(m, i % w, i / w)) continue;
        pv_vec2 p = yard_seen(y, pv_transform_to_world(&t, (pv_vec2){i % w + 0.5, i / w + 0.5}));
        *out |= !is_in_picture(p);
        if (*out) return false;
        all++;
        beyond += !pv_mask_get_pixel(line, (int)p.x, (int)p.y) && !s->reached[(int)p.y][(int)p.x];
    }
    return 2 * beyond > all;
}

/// Steps until the sprite has passed or left the picture, or for LONGEST steps. The picture's
/// corner is at the origin.
static bool goes_through(yard *y, pv_body_id body, const sides *s, const pv_mask *line) {
    bool out = false;
    for (int i = 0; i < LONGEST && !out; i++) {
        yard_run(y, 1.0 / HZ);
        if (is_beyond(y, body, s, line, &out)) return true;
    }
    return false;
}

/// Shoots a sprite in a random direction; returns false if it would start too near the line.
static bool shoot(yard *y, pv_mask *line, int how, int *through) {
    static sides s;
    int x = (int)yard_uniform(y, CLEAR, PICTURE - CLEAR),
        at_y = (int)yard_uniform(y, CLEAR, PICTURE - CLEAR);
    if (!is_clear(line, x, at_y)) return false;
    flood(&s, line, x, at_y);
    double speed = yard_uniform(y, 500, 10000), way = yard_uniform(y, 0, 2 * pi);
    pv_vec2 from = {x + yard_uniform(y, 0, 1), at_y + yard_uniform(y, 0, 1)};
    stuff of = {.static_friction = yard_uniform(y, 0, 0.6), .restitution = 0};
    of.kinetic_friction = of.static_friction;
    pv_vec2 middle = pv_mask_compute_mass(line).centroid;
    yard_put(y, PV_BODY_STATIC, pv_mask_retain(line), middle.x, middle.y, 0, of);
    pv_body_id body = yard_put(y, PV_BODY_DYNAMIC, sprite_of(y), from.x, from.y,
                               how == UPRIGHT ? 0 : yard_uniform(y, 0, 2 * pi), of);
    yard_push(y, body, speed * cos(way), speed * sin(way),
              how == TURNING ? yard_uniform(y, -60, 60) : 0);
    *through += goes_through(y, body, &s, line);
    return true;
}

static void shots(const setting *how, double turned, double *values) {
    int through = 0, shot = 0;
    for (uint64_t i = 0; shot < (how->quick ? QUICK_SHOTS : SHOTS); i++) {
        setting one = *how;
        one.seed = how->seed + 1000 * (i + 1);
        yard y = yard_open(&one, 0);
        /* Aligns the picture's pixels with those of the world. */
        y.shift = (pv_vec2){0, 0};
        pv_mask *line = line_of(&y);
        shot += shoot(&y, line, (int)turned, &through);
        pv_mask_release(line);
        yard_close(&y);
    }
    values[0] = through;
}

/* ---- sprites pressed into the corner of a room ---- */

static pv_mask *room_of(int thick) {
    pv_mask *m = mask_box(ROOM + 2 * thick, ROOM + 2 * thick);
    pv_mask_fill_rect(m, (pv_rect){thick, thick, ROOM, ROOM}, false);
    return m;
}

static bool is_out(const yard *y, pv_body_id body, double out) {
    pv_vec2 at = yard_place(y, body);
    return !(fabs(at.x) < out && fabs(at.y) < out);
}

/// Throws a sprite at a small one in a corner.
static pv_body_id press(yard *y) {
    int side = (int)yard_uniform(y, 1, 7), size = (int)yard_uniform(y, 8, 28);
    double far = 0.5 * (ROOM - side) - 0.05, speed = 300 * pow(20, yard_uniform(y, 0, 1));
    pv_body_id body = yard_put(y, PV_BODY_DYNAMIC,
                               yard_uniform(y, 0, 1) < 0.5 ? mask_box(side, side) : sprite_of(y),
                               -far + 3, far - 3, yard_uniform(y, 0, 2 * pi), plain);
    pv_vec2 from = {yard_uniform(y, -70, -30), yard_uniform(y, 40, 80)};
    pv_vec2 way = {-far + 3 - from.x, far - 3 - from.y};
    double length = hypot(way.x, way.y);
    pv_body_id other =
        yard_put(y, PV_BODY_DYNAMIC,
                 yard_uniform(y, 0, 1) < 0.5 ? mask_disc(0.5 * size) : mask_box(size, size), from.x,
                 from.y, yard_uniform(y, 0, 2 * pi), plain);
    yard_push(y, other, speed * way.x / length, speed * way.y / length, 0);
    return body;
}

static void pressed(const setting *how, double thick, double *values) {
    static const double steps[] = {30, 60, 120};
    values[0] = 0;
    for (int i = 0; i < (how->quick ? QUICK_PRESSED : PRESSED); i++) {
        setting one = *how;
        one.seed = how->seed + 1000 * ((uint64_t)i + 1);
        yard y = yard_open(&one, i % 2 ? 600 : 0);
        yard_put(&y, PV_BODY_STATIC, room_of((int)thick), 0, 0, 0, plain);
        pv_body_id body = press(&y);
        double out = 0.5 * ROOM + thick, hz = steps[i % 3];
        bool through = false;
        for (int k = 0; k < (int)(0.4 * hz); k++) {
            yard_step(&y, 1 / hz);
            through |= is_out(&y, body, out);
        }
        values[0] += through;
        yard_close(&y);
    }
}

/* ---- heaps of small sprites ---- */

/// Material with rolling resistance, so that balls come to rest as well
static const stuff rough = {.static_friction = 0.6, .kinetic_friction = 0.6, .rolling = 0.5};

/// Drops sprites of up to 8 px into a room with walls of a thickness. Runs for 20 s, or until all
/// sleep.
static void small_heap(const setting *how, double thick, double *values) {
    values[0] = values[1] = 0;
    for (int i = 0; i < (how->quick ? 1 : HEAPS); i++) {
        setting one = *how;
        one.seed = how->seed + 1000 * ((uint64_t)i + 1);
        one.sleeping = true;
        yard y = yard_open(&one, 600);
        yard_put(&y, PV_BODY_STATIC, room_of((int)thick), 0, 0, 0, plain);
        pv_body_id bodies[SMALL];
        int count = SMALL >> i % 3;
        for (int k = 0; k < count; k++)
            bodies[k] = yard_put(&y, PV_BODY_DYNAMIC, sprite_of(&y), k % 17 * 11 - 88,
                                 85 - k / 17 * 8, yard_uniform(&y, 0, 2 * pi), rough);
        while (y.time < 20 && y.asleep == INFINITY) yard_step(&y, 1.0 / HZ);
        values[0] = fmax(values[0], y.asleep);
        for (int k = 0; k < count; k++) values[1] += is_out(&y, bodies[k], 0.5 * ROOM + thick);
        yard_close(&y);
    }
}

const test tests_thin[] = {
    {.name = "small_heap_1",
     .run = small_heap,
     .parameter = 1,
     .figures = {{"asleep", "s", 8}, {"through", "through", 0}}},
    {.name = "small_heap_20",
     .run = small_heap,
     .parameter = 20,
     .figures = {{"asleep", "s", 8}, {"through", "through", 0}}},
    {.name = "pressed_wall_1", .run = pressed, .parameter = 1, .figures = {{.unit = "through"}}},
    {.name = "pressed_wall_2", .run = pressed, .parameter = 2, .figures = {{.unit = "through"}}},
    {.name = "pressed_wall_4", .run = pressed, .parameter = 4, .figures = {{.unit = "through"}}},
    {.name = "thin_upright", .run = shots, .parameter = UPRIGHT, .figures = {{.unit = "through"}}},
    {.name = "thin_turned", .run = shots, .parameter = TURNED, .figures = {{.unit = "through"}}},
    {.name = "thin_turning", .run = shots, .parameter = TURNING, .figures = {{.unit = "through"}}},
    {.name = NULL},
};
