/* props.c - paints belts, boards, and recolored sprites.
 *
 * Invariant: nothing is painted outside a picture.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/props.h"

#include "stage/scene.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

/* ---- pictures ---- */

pv_image *props_picture(struct stage *stage, int width, int height) {
    pv_error error;
    pv_image *image = pv_image_create(width, height, NULL, &error);
    if (!image && !stage->error[0])
        snprintf(stage->error, sizeof stage->error, "picture: %s", error.message);
    return image;
}

void props_dot(pv_image *image, int x, int y, uint32_t color) {
    if (!image || x < 0 || y < 0 || x >= image->width || y >= image->height) return;
    unsigned char *pixel = image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
    for (int i = 0; i < 4; i++) pixel[i] = (unsigned char)(color >> (24 - 8 * i));
}

void props_bar(pv_image *image, pv_rect bar, uint32_t color) {
    for (int y = bar.y; y < bar.y + bar.h; y++)
        for (int x = bar.x; x < bar.x + bar.w; x++) props_dot(image, x, y, color);
}

void props_disc(pv_image *image, double x, double y, double radius, uint32_t color) {
    for (int v = (int)(y - radius); v <= y + radius; v++)
        for (int u = (int)(x - radius); u <= x + radius; u++) {
            double dx = u + .5 - x, dy = v + .5 - y;
            if (dx * dx + dy * dy <= radius * radius) props_dot(image, u, v, color);
        }
}

void props_keep_largest(pv_image *image) {
    pv_mask *mask = image ? pv_mask_from_image(image, NULL, NULL) : NULL;
    pv_parts *parts = mask ? pv_parts_create(mask, PV_CONNECTIVITY_4, NULL) : NULL;
    for (int y = 0; parts && y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            if (pv_parts_find_at(parts, x, y) > 0) props_dot(image, x, y, 0);
    pv_parts_destroy(parts);
    pv_mask_release(mask);
}

void props_decor(struct stage *stage, const char *name, pv_image *image, double left, double top,
                 bool behind) {
    const struct sprite *sprite = stage_keep(stage, name, image, NULL);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.type = behind ? PV_BODY_KINEMATIC : PV_BODY_STATIC;
    def.position = (pv_vec2){left + sprite->center.x, top + sprite->center.y};
    def.sensor = true;
    def.filter.mask_bits = 0;
    stage_put(stage, sprite, def);
}

pv_body_id props_part(struct stage *stage, const char *name, pv_image *image, pv_vec2 at) {
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = at;
    def.sensor = true;
    def.filter.mask_bits = 0;
    return stage_put(stage, stage_keep(stage, name, image, NULL), def);
}

/* ---- belts ---- */

/// Thickness of the rubber, and approximate distance of its ribs [px]
enum { RUBBER = 5, RIBS = 14 };

static const uint32_t outline = 0x1c2036ffu, rubber[2] = {0x2c3044ffu, 0x4a5068ffu},
                      steel[3] = {0x495b78ffu, 0x6b829bffu, 0x94abbaff}, paint = 0xe0a830ffu;

/// Returns the distance along a belt's outline to the point nearest to a pixel [px]. It counts
/// clockwise from the left end of the top.
static double arc_of(double x, double y, double straight, double radius) {
    double past = x < 0 ? x : x > straight ? x - straight : 0;
    if (past == 0) return y < 0 ? x : 2 * straight + PI * radius - x;
    double length = sqrt(past * past + y * y);
    double angle = pv_rotation_get_angle(
        (pv_rotation){fabs(past) / length, past > 0 ? y / length : -y / length});
    return past > 0 ? straight + (angle + PI / 2) * radius
                    : 2 * straight + (angle + 3 * PI / 2) * radius;
}

static uint32_t rubber_color(const struct belt *belt, double x, double y, double straight,
                             double radius) {
    double whole = 2 * straight + 2 * PI * radius, rib = whole / floor(whole / RIBS);
    double along = (arc_of(x, y, straight, radius) - belt->way) / rib;
    return rubber[along - floor(along) < .4];
}

/// Paints a pixel if it is rubber; the first time also if it is inside the belt.
static void paint_pixel(const struct belt *belt, int column, int row, bool first) {
    pv_image *image = belt->sprite->image;
    double radius = image->height / 2.0, straight = image->width - 2 * radius;
    double x = column + .5 - radius, y = row + .5 - radius;
    double past = x < 0 ? x : x > straight ? x - straight : 0, out = past * past + y * y;
    if (out > radius * radius) return;
    if (out > (radius - 1) * (radius - 1))
        props_dot(image, column, row, outline);
    else if (out > (radius - RUBBER) * (radius - RUBBER))
        props_dot(image, column, row, rubber_color(belt, x, y, straight, radius));
    else if (first)
        props_dot(image, column, row, y < -2 ? steel[2] : y < 2 ? steel[1] : steel[0]);
}

/// Paints a wheel with a cross that turns.
static void paint_roller(const struct belt *belt, double middle, double radius) {
    pv_image *image = belt->sprite->image;
    double center = image->height / 2.0, turn = belt->way / (center - RUBBER);
    pv_rotation r = pv_rotation_from_angle(turn - 2 * PI * floor(turn / (2 * PI)));
    for (int row = 0; row < image->height; row++)
        for (int column = (int)(middle - radius) - 1; column <= middle + radius; column++) {
            double x = column + .5 - middle, y = row + .5 - center;
            double along = r.c * x + r.s * y, across = r.c * y - r.s * x;
            if (x * x + y * y > radius * radius) continue;
            bool spoke = fabs(along) < 1.2 || fabs(across) < 1.2;
            bool rim = x * x + y * y > (radius - 1.2) * (radius - 1.2);
            props_dot(image, column, row, rim ? outline : spoke ? paint : steel[0]);
        }
}

static void paint_belt(const struct belt *belt, bool first) {
    pv_image *image = belt->sprite->image;
    double center = image->height / 2.0, straight = image->width - image->height;
    for (int y = 0; y < image->height; y++) {
        bool inside = y >= RUBBER && y < image->height - RUBBER && !first;
        for (int x = 0; x < image->width; x++) {
            if (inside && x == image->height) x = image->width - image->height;
            paint_pixel(belt, x, y, first);
        }
    }
    int rollers = 1 + (int)(straight / 72);
    for (int i = 0; i <= rollers; i++)
        paint_roller(belt, center + straight * i / rollers, center - RUBBER);
}

struct belt props_belt(struct stage *stage, pv_vec2 middle, int length, int thick,
                       pv_body_def def) {
    struct belt belt = {.speed = def.tangent_speed};
    struct sprite blank = {.image = props_picture(stage, length, thick)};
    belt.sprite = &blank;
    if (blank.image) paint_belt(&belt, true);
    belt.sprite = stage_keep(stage, "belt", blank.image, NULL);
    def.type = PV_BODY_STATIC;
    def.position = middle;
    belt.body = stage_put(stage, belt.sprite, def);
    return belt;
}

void props_run(struct belt *belt) {
    belt->way += belt->speed * SCENE_STEP;
    if (belt->sprite) paint_belt(belt, false);
}

/* ---- boards ---- */

/// Digits of 3 x 5 pixels each, row by row from the top
static const uint16_t digits[10] = {075557, 022222, 071747, 071717, 055711,
                                    074717, 074757, 071111, 075757, 075717};

void props_number(pv_image *image, int x, int y, int number, uint32_t color) {
    int places = 1;
    for (int rest = number / 10; rest > 0; rest /= 10) places++;
    int left = x - (4 * places - 1) / 2;
    for (int place = places - 1; place >= 0; place--, number /= 10)
        for (int i = 0; i < 15; i++)
            if (digits[number % 10] >> (14 - i) & 1)
                props_dot(image, left + 4 * place + i % 3, y - 2 + i / 3, color);
}

enum { DOT = 3, STRIDE = 4 * DOT, MARGIN = 4 };

static void paint_digit(const struct board *board, int place, int digit) {
    for (int i = 0; i < 15; i++) {
        bool lit = digits[digit] >> (14 - i) & 1;
        pv_rect dot = {MARGIN + place * STRIDE + i % 3 * DOT, MARGIN + i / 3 * DOT, DOT, DOT};
        props_bar(board->sprite->image, dot, lit ? board->color : 0x141828ffu);
    }
}

void props_count(struct board *board, int number) {
    if (!board->sprite || board->shown == number) return;
    board->shown = number;
    for (int place = board->digits - 1; place >= 0; place--, number /= 10)
        paint_digit(board, place, number % 10);
}

struct board props_board(struct stage *stage, double left, double top, int places, uint32_t color) {
    int width = places * STRIDE - DOT + 2 * MARGIN, height = 5 * DOT + 2 * MARGIN;
    pv_image *image = props_picture(stage, width, height);
    props_bar(image, (pv_rect){0, 0, width, height}, 0x495b78ffu);
    props_bar(image, (pv_rect){1, 1, width - 2, height - 2}, 0x141828ffu);
    props_decor(stage, "board", image, left, top, false);
    struct board board = {stage_error(stage) ? NULL : stage->sprites, places, -1, color};
    props_count(&board, 0);
    return board;
}

/* ---- recolored sprites ---- */

static unsigned char blended(unsigned from, unsigned to, unsigned share) {
    return (unsigned char)((from * (255 - share) + to * share + 127) / 255);
}

struct sprite *props_tinted(struct stage *stage, const char *name, uint32_t color) {
    const struct sprite *plain = stage_load(stage, name);
    if (!plain) return NULL;
    pv_image *image = props_picture(stage, plain->image->width, plain->image->height);
    if (!image) return NULL;
    for (int i = 0; i < image->width * image->height * 4; i++)
        image->pixels[i] = i % 4 == 3 ? plain->image->pixels[i]
                                      : blended(plain->image->pixels[i],
                                                color >> (24 - i % 4 * 8) & 255, color & 255);
    return stage_keep(stage, "tinted", image, pv_mask_retain(plain->mask));
}

/// Returns the brightness of a texel, 0...255.
static unsigned light_of(const unsigned char *texel) {
    return (texel[0] * 2u + texel[1] * 5u + texel[2]) / 8;
}

static void paint_glass(pv_image *image, pv_mask *mask, const struct sprite *plain, int factor,
                        uint32_t color) {
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            int u = x / factor, v = y / factor;
            if (!pv_mask_get_pixel(plain->mask, u, v)) continue;
            unsigned light = light_of(plain->image->pixels + 4 * (v * plain->image->width + u)),
                     shade = 96 + light * 5 / 8;
            uint32_t lit = 0;
            for (int shift = 8; shift < 32; shift += 8)
                lit |= (color >> shift & 255) * shade / 255 << shift;
            props_dot(image, x, y, lit | (color & 255));
            pv_mask_set_pixel(mask, x, y, true);
        }
}

struct sprite *props_glass(struct stage *stage, const char *name, int factor, uint32_t color) {
    const struct sprite *plain = stage_load(stage, name);
    if (!plain) return NULL;
    int width = plain->image->width * factor, height = plain->image->height * factor;
    pv_image *image = props_picture(stage, width, height);
    pv_mask *mask = image ? pv_mask_create(width, height, NULL, NULL) : NULL;
    if (mask) paint_glass(image, mask, plain, factor, color);
    return stage_keep(stage, "glass", image, mask);
}
