/* dig.c - bombs dig into hills with caves, and undermined parts fall.
 *
 * Invariant: the rock at the bottom stays, so there is always ground to fall on.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/dust.h"
#include "stage/grains.h"
#include "stage/props.h"
#include "stage/texture.h"

#include <math.h>

enum { WIDE = 1280, HIGH = 720, ROCK = 16, THINGS = 38, BOMBS = 4 };

/// Frames between two bombs and until a bomb explodes, and radii of its hole [px]
enum { PACE = 40, FUSE = 100 };
static const double bite_least = 30, bite_most = 52;

/// Speed of grains that a bomb throws off [px/s]
static const double throw = 600;

/// Sliders
enum { KNOB_BRUSH, KNOB_PACE, KNOB_BITE };

struct memory {
    int frame, next;
    struct {
        pv_body_id body;
        int fuse;
    } bombs[BOMBS];
    struct sprite *bomb;
};

/* ---- the hills ---- */

static double surface_at(uint32_t seed, double x) {
    double hills = texture_rough(seed, x / 310, 0, 2),
           bumps = texture_rough(seed + 9, x / 60, 0, 3);
    return 150 + 320 * hills + 34 * (bumps - .5);
}

/// Tells whether a point is in a cave. Caves wind along the mean value of a noise, and get wider
/// with depth.
static bool is_cave(uint32_t seed, double x, double y, double depth) {
    double winding = texture_rough(seed + 20, x / 150, y / 84, 3) - .5;
    double wide = .022 + .00016 * (depth < 200 ? depth : 200);
    return depth > 16 && fabs(winding) < wide;
}

/// Rounds a share down to a sixteenth, because pixel art has few shades.
static double stepped(double share) { return floor(share * 16) / 16; }

static uint32_t soil_color(uint32_t seed, int x, int y, double depth) {
    double blotch = stepped(texture_rough(seed + 30, x / 26.0, y / 18.0, 3));
    double grain = texture_grain(1, x, y) % 23 == 0 ? .1 : 0;
    double grass = 6 + 5 * texture_noise(seed + 40, x / 5.0, 0);
    if (depth < grass) return texture_lit(0x6cb040ffu, 1.1 - .04 * floor(depth) + grain);
    if (texture_noise(seed + 50, x / 9.0, y / 7.0) > .86)
        return texture_lit(0xa89c88ffu, .8 + blotch / 3 + grain);
    double deep = stepped(depth / 260 + (blotch - .5) * .7);
    uint32_t soil = texture_mix(0xa06c40ffu, 0x5c4448ffu, deep < 0 ? 0 : deep > 1 ? 1 : deep);
    return texture_lit(soil, .9 + .3 * blotch + grain);
}

static void paint_hills(pv_image *image, uint32_t seed) {
    for (int x = 0; x < image->width; x++) {
        double top = surface_at(seed, x);
        for (int y = (int)top; y < image->height; y++) {
            double depth = y - top;
            if (y < image->height - 8 && is_cave(seed, x, y, depth)) continue;
            props_dot(image, x, y, soil_color(seed, x, y, depth));
        }
    }
    props_keep_largest(image);
}

/// Paints the dark earth behind the hills, which shows in caves and holes.
static void paint_back(pv_image *image, uint32_t seed) {
    for (int x = 0; image && x < image->width; x++) {
        double top = surface_at(seed, x) + 10;
        for (int y = (int)top; y < image->height; y++) {
            double vein = stepped(texture_rough(seed + 70, x / 34.0, y / 20.0, 3));
            double edge = y - top < 40 ? (y - top) / 40 : 1;
            uint32_t earth = texture_mix(0x5c4434ffu, 0x30242cffu, stepped(edge));
            props_dot(image, x, y, texture_lit(earth, .75 + .5 * vein));
        }
    }
}

static void add_hills(struct stage *stage) {
    pv_image *image = props_picture(stage, WIDE, HIGH - ROCK),
             *back = props_picture(stage, WIDE, HIGH - ROCK);
    uint32_t seed = (uint32_t)stage_pick(stage, 1 << 20);
    if (image) paint_hills(image, seed);
    paint_back(back, seed);
    props_decor(stage, "earth", back, 0, 0, true);
    const struct sprite *sprite = stage_keep(stage, "hills", image, NULL);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = sprite->center;
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.min_part_pixels = 40;
    fracture.keep_static = false;
    stage_soften(stage, stage_put(stage, sprite, def), &fracture);
}

static void add_rock(struct stage *stage) {
    pv_image *image = props_picture(stage, WIDE, ROCK);
    for (int y = 0; image && y < ROCK; y++)
        for (int x = 0; x < WIDE; x++)
            props_dot(image, x, y,
                      texture_lit(0x4a4a58ffu, .7 + .6 * texture_rough(3, x / 12.0, y / 6.0, 3)));
    const struct sprite *sprite = stage_keep(stage, "rock", image, NULL);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){WIDE / 2.0, HIGH - ROCK / 2.0};
    stage_put(stage, sprite, def);
}

/* ---- what is on them ---- */

/// Returns the y of the highest solid pixel at x.
static double top_at(const struct stage *stage, double x) {
    pv_cast_hit hit = {.point = {x, HIGH}};
    pv_world_cast_ray(stage->world, (pv_vec2){x, 0}, (pv_vec2){x, HIGH}, PV_CAST_CLOSEST, NULL,
                      &hit, 1);
    return hit.point.y;
}

static void add_things(struct stage *stage) {
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.min_part_pixels = 24;
    for (int i = 0, tries = 0; i < THINGS && tries < 8 * THINGS; tries++) {
        double x = stage_uniform(stage, 40, WIDE - 40), up = stage_uniform(stage, 30, 44);
        pv_body_id body = stage_add_thing(stage, (pv_vec2){x, top_at(stage, x) - up});
        if (!stage_is_body(body)) continue;
        stage_soften(stage, body, &fracture);
        i++;
    }
}

/// Paints an iron ball with a fuse.
static struct sprite *paint_bomb(struct stage *stage) {
    pv_image *image = props_picture(stage, 22, 26);
    for (int y = 0; image && y < 26; y++)
        for (int x = 0; x < 22; x++) {
            double dx = x + .5 - 11, dy = y + .5 - 15,
                   shine = (dx + 4) * (dx + 4) + (dy + 4) * (dy + 4);
            if (dx * dx + dy * dy <= 121)
                props_dot(image, x, y, texture_lit(0x30344cffu, shine < 9 ? 3 : 1.3 - shine / 400));
        }
    props_bar(image, (pv_rect){8, 2, 6, 3}, 0x585c74ffu);
    props_bar(image, (pv_rect){10, 0, 2, 2}, 0xffb030ffu);
    return stage_keep(stage, "bomb", image, NULL);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, WIDE, HIGH);
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    stage->spade = 18;
    stage_add_knob(stage, "brush [px]", 4, 60, stage->spade);
    stage_add_knob(stage, "steps per bomb", 10, 240, PACE);
    stage_add_knob(stage, "bite [%]", 30, 200, 100);
    stage->loose.dot = 0x7a5436ffu;
    pv_grains_def grains = pv_grains_def_default();
    grains.capacity = GRAINS_USUAL;
    grains.linear_damping = 1.5;
    grains.follow = true;
    grains_add(stage, grains);
    add_rock(stage);
    add_hills(stage);
    add_things(stage);
    stage_add_fence(stage, 500);
    memory->bomb = paint_bomb(stage);
}

/* ---- bombs ---- */

static void drop_bomb(struct stage *stage, struct memory *memory, int which) {
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){stage_uniform(stage, 60, WIDE - 60), -30};
    def.velocity = (pv_vec2){stage_uniform(stage, -120, 120), 200};
    def.angular_velocity = stage_uniform(stage, -4, 4);
    def.density = 3;
    memory->bombs[which].body = stage_put(stage, memory->bomb, def);
    memory->bombs[which].fuse = FUSE + stage_pick(stage, 30);
}

static void go_off(struct stage *stage, pv_vec2 at) {
    double size = stage->knobs[KNOB_BITE].value / 100,
           radius = size * stage_uniform(stage, bite_least, bite_most);
    pv_world_explode(stage->world, at, 3 * radius, 5000);
    stage_bite(stage, STAGE_SOFT, at, radius);
    pv_world_explode(stage->world, (pv_vec2){at.x, at.y + radius / 2}, 2 * radius, throw);
    dust_burst(stage, at, radius * .8, 22, (pv_vec2){0, -80}, 260);
}

static void tend_bomb(struct stage *stage, struct memory *memory, int which, bool *due) {
    pv_body_id body = memory->bombs[which].body;
    if (!pv_body_is_valid(stage->world, body)) {
        if (*due) drop_bomb(stage, memory, which);
        *due = false;
        return;
    }
    if (memory->bombs[which].fuse-- > 0) return;
    pv_vec2 at = pv_body_get_position(stage->world, body);
    pv_body_destroy(stage->world, body);
    go_off(stage, at);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    stage->spade = stage->knobs[KNOB_BRUSH].value;
    dust_settle(stage, ++memory->frame, 90);
    bool due = memory->frame % stage_knob_count(stage, KNOB_PACE) == 0;
    for (int i = 0; i < BOMBS; i++) tend_bomb(stage, memory, i, &due);
}

const struct scene scene_dig = {
    "dig", "bombs and the right mouse button dig into hills, and what they undermine falls", setup,
    update};
