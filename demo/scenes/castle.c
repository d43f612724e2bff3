/* castle.c - a cannon shoots holes into a castle until its towers fall. The mouse aims it.
 *
 * Invariant: every stone stands when the scene begins. Only carved pixels disappear.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/dust.h"
#include "stage/grains.h"
#include "stage/props.h"
#include "stage/shots.h"
#include "stage/texture.h"

#include <math.h>

enum { PACE = 84, DUST_LIFE = 70 };
/// Sliders, in their order
enum { KNOB_PACE, KNOB_BITE };

static const double ground = 688;

/// Radius of a ball's first bite [px], and speed of balls to the right [px/s]
static const double bite = 23, swift = 820;

/// Speed of grains that a hit throws off [px/s]
static const double throw = 320;

static const pv_vec2 muzzle = {118, 600};

struct memory {
    struct shots shots;
    int frame;
    pv_body_id barrel;
    pv_composite_id cloud;
    /// True while the player aims
    bool held;
};

/* ---- masonry ---- */

enum { BRICK = 22, COURSE = 11 };

static uint32_t stone_color(uint32_t seed, int x, int y) {
    int row = y / COURSE, along = x + row % 2 * (BRICK / 2), column = along / BRICK;
    int u = along % BRICK, v = y % COURSE;
    double shade = .84 + texture_grain(seed, column, row) % 64 / 255.0;
    uint32_t stone = texture_grain(seed + 1, column, row) % 5 == 0 ? 0xa8987cff : 0x9c9890ffu;
    if (u == 0 || v == 0) return texture_lit(0x605c58ffu, shade);
    return texture_lit(stone, shade + (v == 1 || u == 1 ? .14 : v == COURSE - 1 ? -.12 : 0));
}

static void paint_stones(pv_image *image, pv_rect part, uint32_t seed) {
    for (int y = part.y; y < part.y + part.h; y++)
        for (int x = part.x; x < part.x + part.w; x++)
            props_dot(image, x, y, stone_color(seed, x, y));
}

/// Cuts the gaps between battlements.
static void notch(pv_image *image, int width, int deep) {
    for (int x = width; x + width <= image->width; x += 2 * width)
        props_bar(image, (pv_rect){x, 0, width, deep}, 0);
}

/// Paints an open arch in a frame of darker stone.
static void paint_arch(pv_image *image, double middle, int sill, int half, int high) {
    for (int y = sill - high - 4; y < sill; y++)
        for (int x = (int)middle - half - 4; x <= middle + half + 4; x++) {
            double dx = x + .5 - middle, dy = y + .5 - (sill - high + half);
            double out = dy < 0 ? sqrt(dx * dx + dy * dy) : fabs(dx);
            if (out < half)
                props_dot(image, x, y, 0);
            else if (out < half + 4)
                props_dot(
                    image, x, y,
                    texture_lit(0x6c6660ffu, .9 + texture_grain(5, x / 4, y / 4) % 64 / 255.0));
        }
}

static void outline(pv_image *image) {
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const unsigned char *at =
                image->pixels + 4 * ((size_t)y * (size_t)image->width + (size_t)x);
            bool rim = x == 0 || y == 0 || x == image->width - 1 || y == image->height - 1;
            if (at[3] && rim) props_dot(image, x, y, 0x48444cffu);
        }
}

/* ---- the castle ---- */

static pv_body_id put_soft(struct stage *stage, const char *name, pv_image *image, double left) {
    if (image) outline(image);
    const struct sprite *sprite = stage_keep(stage, name, image, NULL);
    if (!sprite) return (pv_body_id){0};
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){left + sprite->center.x, sprite->center.y};
    def.restitution = .02;
    def.static_friction = .9;
    def.friction = .8;
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.min_part_pixels = 36;
    return stage_soften(stage, stage_put(stage, sprite, def), &fracture);
}

/// Moves a body so that its lower edge is at bottom.
static void stand(struct stage *stage, pv_body_id body, double bottom) {
    pv_box box = pv_body_get_bounds(stage->world, body);
    pv_vec2 at = pv_body_get_position(stage->world, body);
    pv_body_set_position(stage->world, body, (pv_vec2){at.x, at.y + bottom - box.max.y});
}

/// Creates a wall with a gate and windows, in one piece.
static void add_wall(struct stage *stage, double left, int width, int height) {
    pv_image *image = props_picture(stage, width, height);
    if (!image) return;
    paint_stones(image, (pv_rect){0, 0, width, height}, 11);
    notch(image, 20, 22);
    paint_arch(image, width / 2.0, height, 34, 92);
    for (int i = -1; i <= 1; i++) paint_arch(image, width / 2.0 + i * 80, height - 118, 11, 40);
    stand(stage, put_soft(stage, "wall of stones", image, left), ground);
}

/// Creates a tower in one piece; returns its top.
static double add_tower(struct stage *stage, double left, int width, int height) {
    pv_image *image = props_picture(stage, width, height);
    if (!image) return ground;
    paint_stones(image, (pv_rect){8, 0, width - 16, height}, 12);
    paint_stones(image, (pv_rect){0, 0, width, 44}, 13);
    notch(image, 18, 18);
    for (int sill = 110; sill < height - 80; sill += 84)
        paint_arch(image, width / 2.0, sill, 8, 32);
    stand(stage, put_soft(stage, "tower", image, left), ground);
    return ground - height;
}

static void add_block(struct stage *stage, double left, double bottom, int width, int height,
                      uint32_t seed) {
    pv_image *image = props_picture(stage, width, height);
    if (image) paint_stones(image, (pv_rect){0, 0, width, height}, seed);
    stand(stage, put_soft(stage, "block", image, left), bottom);
}

/// Creates a tower of blocks whose courses overlap; returns its top.
static double add_stack(struct stage *stage, double left, int courses) {
    for (int row = 0; row < courses; row++) {
        double bottom = ground - 33 * row;
        uint32_t seed = 20 + (uint32_t)row;
        add_block(stage, left, bottom, row % 2 ? 33 : 66, 33, seed);
        add_block(stage, left + (row % 2 ? 33 : 66), bottom, row % 2 ? 66 : 33, 33, seed + 40);
    }
    return ground - 33 * courses;
}

static void add_roof(struct stage *stage, double middle, double bottom, int half, int high) {
    pv_image *image = props_picture(stage, 2 * half, high);
    for (int y = 0; image && y < high; y++)
        for (int x = 0; x < 2 * half; x++) {
            if (fabs(x + .5 - half) > half * (y + 3.0) / (high + 3.0)) continue;
            double light =
                1.1 - x / 8 * 2.4 / half - (y % 8 == 7 || (x + y / 8 * 5) % 10 == 0 ? .25 : 0);
            props_dot(image, x, y, texture_lit(0xb04838ffu, light));
        }
    stand(stage, put_soft(stage, "roof", image, middle - half), bottom);
}

static void add_castle(struct stage *stage) {
    add_tower(stage, 606, 92, 396);
    add_wall(stage, 712, 300, 220);
    add_roof(stage, 712 + 300 + 8 + 49.5, add_stack(stage, 712 + 300 + 8, 10), 62, 84);
    for (int i = 0; i < 3; i++) add_block(stage, 1150, ground - 33 * i, 48, 33, 90 + (uint32_t)i);
}

/* ---- the cannon ---- */

static pv_image *paint_barrel(struct stage *stage) {
    pv_image *image = props_picture(stage, 120, 40);
    for (int y = 0; image && y < 40; y++)
        for (int x = 0; x < 120; x++) {
            double half = x < 10 ? 10 : x > 108 ? 17 : 19 - x * .045, across = y + .5 - 20;
            bool ring = x % 36 < 5 || x > 108;
            if (fabs(across) > half + (ring ? 1 : 0)) continue;
            double round = 1.25 - (across + half) * .5 / half;
            props_dot(image, x, y, texture_lit(ring ? 0x6c5c34ffu : 0x505868ffu, round));
        }
    return image;
}

static pv_image *paint_wheel(struct stage *stage) {
    pv_image *image = props_picture(stage, 84, 84);
    for (int y = 0; image && y < 84; y++)
        for (int x = 0; x < 84; x++) {
            double dx = x + .5 - 42, dy = y + .5 - 42, out = sqrt(dx * dx + dy * dy);
            bool spoke = fabs(dx) < 3.5 || fabs(dy) < 3.5 || fabs(dx - dy) < 5 || fabs(dx + dy) < 5;
            if (out > 42 || (out > 9 && out < 33 && !spoke)) continue;
            props_dot(image, x, y,
                      out > 40 ? 0x3a2c24ffu : texture_lit(0x8a5c34ffu, 1.1 - .006 * (dx + dy)));
        }
    return image;
}

/* ---- shooting ---- */

/// Returns the velocity that takes a ball from the muzzle to a place.
static pv_vec2 aim(const struct stage *stage, pv_vec2 at) {
    double time = (at.x - muzzle.x) / swift,
           fall = pv_world_get_gravity(stage->world).y * time * time / 2;
    return (pv_vec2){swift, (at.y - muzzle.y - fall) / time};
}

/// Shoots from the muzzle.
static void fire(struct stage *stage, struct memory *memory, pv_vec2 v) {
    double speed = sqrt(v.x * v.x + v.y * v.y);
    pv_rotation way = {v.x / speed, v.y / speed};
    pv_vec2 from = {muzzle.x + way.c * 50, muzzle.y + way.s * 50};
    shots_throw(stage, &memory->shots, from, v);
    pv_body_set_angle(stage->world, memory->barrel, pv_rotation_get_angle(way));
    dust_burst(stage, from, 8, 12, (pv_vec2){v.x / 4, v.y / 4}, 90);
    dust_cloud(stage, memory->cloud, from, 12, 6);
}

static void shoot(struct stage *stage, struct memory *memory) {
    fire(stage, memory, aim(stage, (pv_vec2){660, stage_uniform(stage, 330, 660)}));
}

/* ---- the player ---- */

static bool press(struct stage *stage, pv_vec2 at) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory || at.x < muzzle.x + 60) return false;
    memory->held = true;
    stage->arrow[0] = muzzle;
    stage->arrow[1] = at;
    return true;
}

static void point(struct stage *stage, pv_vec2 at) {
    const struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory || !memory->held || at.x < muzzle.x + 60) return;
    stage->arrow[1] = at;
    pv_vec2 v = aim(stage, at);
    double speed = sqrt(v.x * v.x + v.y * v.y);
    pv_rotation way = {v.x / speed, v.y / speed};
    pv_body_set_angle(stage->world, memory->barrel, pv_rotation_get_angle(way));
}

/// Shoots at the place where the arrow ends.
static void release(struct stage *stage, pv_vec2 at) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory || !memory->held) return;
    point(stage, at);
    memory->held = false;
    fire(stage, memory, aim(stage, stage->arrow[1]));
    stage->arrow[1] = stage->arrow[0];
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 1280, 720);
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    stage->spade = 14;
    stage_add_knob(stage, "steps per shot", 20, 240, PACE);
    stage_add_knob(stage, "bite [px]", 10, 40, bite);
    stage->loose.dot = 0x8c867effu;
    pv_grains_def grains = pv_grains_def_default();
    grains.capacity = GRAINS_USUAL;
    grains.linear_damping = .5;
    grains.follow = true;
    grains_add(stage, grains);
    stage_add_static(stage, "floor", 0, ground);
    stage_add_fence(stage, 720);
    add_castle(stage);
    memory->shots = (struct shots){
        .sprite = shots_paint(stage, 12), .density = 5, .hard = 160, .keeps = .5, .most = 3};
    memory->cloud = pv_composite_create(stage->world, NULL);
    stage_paint(stage, memory->cloud, (struct stage_paint){.dot = 0xc8c0b460});
    stage->hooks.press = press;
    stage->hooks.drag = point;
    stage->hooks.release = release;
    stage->hint = "drag: aim the cannon";
    memory->barrel = props_part(stage, "barrel", paint_barrel(stage), muzzle);
    props_part(stage, "wheel", paint_wheel(stage), (pv_vec2){84, ground - 42});
}

/* ---- running ---- */

static void strike(struct stage *stage, struct memory *memory, const pv_hit_event *hit) {
    pv_vec2 v;
    int strikes;
    if (!shots_strike(stage, &memory->shots, hit, STAGE_SOFT, &v, &strikes)) return;
    double radius = stage->knobs[KNOB_BITE].value - 4 * strikes;
    stage_bite(stage, STAGE_SOFT, hit->point, radius);
    pv_world_explode(stage->world, hit->point, 1.5 * radius, throw);
    dust_burst(stage, hit->point, radius * .7, 16, (pv_vec2){v.x / 3, v.y / 3 - 40}, 170);
    dust_cloud(stage, memory->cloud, hit->point, radius, 12);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    dust_settle(stage, ++memory->frame, DUST_LIFE);
    pv_events events = pv_world_get_events(stage->world);
    for (int i = 0; i < events.hit_count; i++) strike(stage, memory, &events.hits[i]);
    dust_float(stage, memory->cloud);
    int pace = (int)stage->knobs[KNOB_PACE].value;
    if (memory->frame % pace == 60 % pace && !memory->held) shoot(stage, memory);
    shots_note(stage, &memory->shots);
}

const struct scene scene_castle = {"castle", "cannon balls bite holes into a castle", setup,
                                   update};
