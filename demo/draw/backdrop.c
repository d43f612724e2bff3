/* backdrop.c - draws the backgrounds, sky and hills, felt, and stars, each in one pass over the
 * canvas.
 *
 * Invariant: the picture depends only on the arguments.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/backdrop.h"

#include <string.h>

/// Side of a grain of earth [px of the world]
enum { EARTH_GRAIN = 4 };

struct color {
    unsigned char r, g, b;
};

static unsigned char *row_of(const pv_canvas *canvas, int y) {
    return canvas->pixels + y * canvas->pitch;
}

static void put(unsigned char *pixel, struct color color) {
    memcpy(pixel, (unsigned char[4]){color.r, color.g, color.b, 255}, 4);
}

static unsigned char between(int from, int to, int part, int whole) {
    return (unsigned char)(from + (to - from) * part / whole);
}

static struct color mix(struct color from, struct color to, int part, int whole) {
    return (struct color){between(from.r, to.r, part, whole), between(from.g, to.g, part, whole),
                          between(from.b, to.b, part, whole)};
}

/// Fills a row with a color. It doubles the filled part until the row is full, as fast as memset.
static void fill_row(const pv_canvas *canvas, int y, struct color color) {
    unsigned char *row = row_of(canvas, y);
    size_t size = (size_t)canvas->width * 4;
    put(row, color);
    for (size_t done = 4; done < size; done *= 2)
        memcpy(row + done, row, done < size - done ? done : size - done);
}

/// Fills rows with a gradient from color to color.
static void gradient(const pv_canvas *canvas, int top, int bottom, struct color from,
                     struct color to) {
    for (int y = top; y < bottom; y++) fill_row(canvas, y, mix(from, to, y - top, bottom - top));
}

struct range {
    /// Height of its middle over the bottom, as a part of the canvas height
    double rise;
    /// Amplitude, as a part of the canvas height
    double swell;
    /// Length of its longest wave [px]
    double length;
    /// Part of the scrolling that it follows
    double follow;
    struct color color;
};

static double wave(double x, double length) {
    double turns = x / length;
    return pv_rotation_from_angle((turns - (double)(int64_t)turns) * 6.28318530717958648).s;
}

static int crest(const struct range *range, const pv_canvas *canvas, int column, double scroll) {
    double x = column + scroll * range->follow + 5000;
    double long_wave = wave(x, range->length), short_wave = wave(x, range->length * .41);
    double swell = long_wave * .6 + short_wave * .3 + wave(x, range->length * .13) * .1;
    return (int)(canvas->height * (1 - range->rise - range->swell * swell));
}

static void draw_range(const pv_canvas *canvas, const struct range *range, double scroll) {
    for (int x = 0; x < canvas->width; x += 2) {
        int width = x + 1 < canvas->width ? 2 : 1;
        for (int y = crest(range, canvas, x, scroll); y < canvas->height; y++) {
            if (y < 0) continue;
            unsigned char *pixel = row_of(canvas, y) + (size_t)x * 4;
            for (int i = 0; i < width; i++) put(pixel + i * 4, range->color);
        }
    }
}

static uint32_t scramble(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/// Returns the color of the earth in a square of the world: darker with depth, with stones.
static struct color earth_at(int column, int depth) {
    uint32_t dice = scramble((uint32_t)column * 0x9e3779b1u + (uint32_t)depth * 0x85ebca6bu);
    int light = depth < 40 ? 40 - depth : 0, stone = (int)(dice >> 27);
    struct color color = {(unsigned char)(52 + light / 2), (unsigned char)(38 + light / 3),
                          (unsigned char)(44 + light / 5)};
    return dice % 23 == 0 ? mix(color, (struct color){150, 132, 128}, stone, 80) : color;
}

/// Fills what is below the ground with earth, in squares of the world.
static void draw_earth(const pv_canvas *canvas, const struct backdrop_ground *ground) {
    const double grain = EARTH_GRAIN * ground->zoom;
    const int far = 1 << 20;
    for (int y = (int)(ground->top > 0 ? ground->top : 0); y < canvas->height; y++) {
        int depth = (int)((y - ground->top) / grain);
        unsigned char *row = row_of(canvas, y);
        for (int x = 0; x < canvas->width;) {
            int column = (int)((x + .5 - ground->left) / grain + far);
            struct color color = earth_at(column, depth);
            int end = (int)((column + 1 - far) * grain + ground->left + .5);
            if (end > canvas->width) end = canvas->width;
            do put(row + (size_t)x++ * 4, color);
            while (x < end);
        }
    }
}

static void draw_hills(const pv_canvas *canvas, pv_vec2 scroll) {
    static const struct range far = {.42, .10, 760, .06, {160, 194, 214}};
    static const struct range near = {.24, .09, 520, .14, {134, 174, 190}};
    gradient(canvas, 0, canvas->height, (struct color){96, 150, 206},
             (struct color){226, 238, 240});
    draw_range(canvas, &far, scroll.x);
    draw_range(canvas, &near, scroll.x);
}

static void draw_felt(const pv_canvas *canvas) {
    const struct color rim = {16, 74, 52}, middle = {34, 112, 76};
    gradient(canvas, 0, canvas->height / 2, rim, middle);
    gradient(canvas, canvas->height / 2, canvas->height, middle, rim);
}

/// Returns the place of a star along one axis of the canvas [px]. A star that leaves on one side
/// enters on the other.
static int wrap(uint32_t home, double scroll, int size) {
    int at = (int)((int64_t)home - (int64_t)scroll) % size;
    return at < 0 ? at + size : at;
}

static void draw_stars(const pv_canvas *canvas, pv_vec2 scroll) {
    gradient(canvas, 0, canvas->height, (struct color){10, 12, 34}, (struct color){32, 22, 58});
    for (uint32_t i = 0; i < 260; i++) {
        double follow = .02 + .02 * (i % 4);
        int x = wrap(scramble(2 * i) >> 8, scroll.x * follow, canvas->width);
        int y = wrap(scramble(2 * i + 1) >> 8, scroll.y * follow, canvas->height);
        unsigned char light = (unsigned char)(70 + 45 * (i % 4));
        put(row_of(canvas, y) + (size_t)x * 4,
            (struct color){light, light, (unsigned char)(light + 20)});
    }
}

void backdrop_draw(const pv_canvas *canvas, enum stage_backdrop kind, pv_vec2 scroll,
                   const struct backdrop_ground *ground) {
    switch (kind) {
    case STAGE_HILLS:
        draw_hills(canvas, scroll);
        draw_earth(canvas, ground);
        break;
    case STAGE_FELT: draw_felt(canvas); break;
    case STAGE_STARS: draw_stars(canvas, scroll); break;
    }
}
