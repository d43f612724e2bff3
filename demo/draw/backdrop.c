/* backdrop.c - draws the backgrounds: hills by day and at dusk, felt, stars, graph paper, and the
 * boards of a workshop.
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
    /// Part of the scrolling that it follows, as it is far away
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

/// Fills the canvas below the ground with earth, in squares fixed to the world.
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

/// Fills a disc with one color.
static void draw_disc(const pv_canvas *canvas, int left, int top, int radius, struct color color) {
    for (int y = -radius; y <= radius; y++) {
        if (top + y < 0 || top + y >= canvas->height) continue;
        for (int x = -radius; x <= radius; x++)
            if (x * x + y * y <= radius * radius && left + x >= 0 && left + x < canvas->width)
                put(row_of(canvas, top + y) + (size_t)(left + x) * 4, color);
    }
}

static void draw_dusk(const pv_canvas *canvas, pv_vec2 scroll) {
    static const struct range far = {.38, .13, 880, .06, {150, 92, 116}};
    static const struct range near = {.22, .08, 460, .14, {104, 68, 104}};
    const struct color high = {62, 54, 104}, middle = {196, 112, 118}, low = {250, 190, 132};
    int horizon = canvas->height * 5 / 8;
    gradient(canvas, 0, horizon * 2 / 3, high, middle);
    gradient(canvas, horizon * 2 / 3, horizon, middle, low);
    gradient(canvas, horizon, canvas->height, low, middle);
    draw_disc(canvas, (int)(canvas->width * .7 - scroll.x * .03), canvas->height / 2,
              canvas->height / 14, (struct color){255, 230, 176});
    draw_range(canvas, &far, scroll.x);
    draw_range(canvas, &near, scroll.x);
}

/// Returns the index of the grid cell at a position on the canvas, along one axis.
static int cell_at(double place, double origin, double side) {
    return (int)((place - origin) / side + (1 << 20)) - (1 << 20);
}

/// Draws graph paper, darker toward the bottom: a line every 32 px of the world, and a stronger one
/// every 128 px.
static void draw_paper(const pv_canvas *canvas, const struct backdrop_ground *ground) {
    const struct color night = {14, 22, 40}, sheet = {32, 49, 76}, line = {39, 59, 89},
                       strong = {52, 76, 108};
    const double side = 32 * ground->zoom;
    const int fade = 2 * canvas->height;
    for (int y = 0; y < canvas->height; y++) {
        int row = cell_at(y, ground->top, side);
        bool is_line = row != cell_at(y - 1, ground->top, side);
        fill_row(canvas, y, mix(!is_line ? sheet : row % 4 == 0 ? strong : line, night, y, fade));
    }
    for (int x = 0; x < canvas->width; x++) {
        int column = cell_at(x, ground->left, side);
        if (column == cell_at(x - 1, ground->left, side)) continue;
        for (int y = 0; y < canvas->height; y++)
            put(row_of(canvas, y) + (size_t)x * 4,
                mix(column % 4 == 0 ? strong : line, night, y, fade));
    }
}

/// Fills a part of a row with a color.
static void fill_span(const pv_canvas *canvas, int y, int from, int to, struct color color) {
    unsigned char *row = row_of(canvas, y);
    for (int x = from < 0 ? 0 : from; x < to && x < canvas->width; x++)
        put(row + (size_t)x * 4, color);
}

/// Returns the color of a board of some shade, darker toward the bottom.
static struct color board_color(int shade, int y, int height) {
    int light = shade - y * 24 / height;
    return (struct color){(unsigned char)(82 + light), (unsigned char)(120 + light),
                          (unsigned char)(124 + light)};
}

/// Draws the boards of a wall, 48 px of the world high, in varying shades, with seams of 2 px.
static void draw_boards(const pv_canvas *canvas, const struct backdrop_ground *ground) {
    enum { SEAM = 2, DARK = -16 };
    const double side = 48 * ground->zoom, length = 400 * ground->zoom;
    for (int y = 0; y < canvas->height; y++) {
        int row = cell_at(y, ground->top, side);
        double left = ground->left + (scramble((uint32_t)row) >> 16) / 65536.0 * length;
        struct color seam = board_color(DARK, y, canvas->height);
        fill_row(canvas, y, seam);
        if (row != cell_at(y - SEAM, ground->top, side)) continue;
        for (int board = cell_at(0, left, length); left + board * length < canvas->width; board++) {
            int shade = (int)(scramble((uint32_t)(row * 64 + board)) % 9),
                from = (int)(left + board * length), to = (int)(left + (board + 1) * length);
            fill_span(canvas, y, from + SEAM, to, board_color(shade, y, canvas->height));
        }
    }
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
    case STAGE_DUSK:
        draw_dusk(canvas, scroll);
        draw_earth(canvas, ground);
        break;
    case STAGE_PAPER: draw_paper(canvas, ground); break;
    case STAGE_BOARDS: draw_boards(canvas, ground); break;
    case STAGE_FELT: draw_felt(canvas); break;
    case STAGE_STARS: draw_stars(canvas, scroll); break;
    }
}
