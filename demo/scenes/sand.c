/* sand.c - a hundred thousand grains run through a funnel onto sprites and hills.
 *
 * Invariant: as many grains come into the funnel as have left the scene.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/grains.h"
#include "stage/props.h"
#include "stage/texture.h"

#include <math.h>

enum { WIDE = 1280, HIGH = 720, SAND = 100000, ROOM = 120000, MIDDLE = WIDE / 2, DEEP = 150 };

/// y of the funnel's rim, shoulder and mouth; half widths of funnel and mouth, and its wall [px]
enum { RIM = 4, SHOULDER = 24, MOUTH = 230, HALF = 350, GAP = 30, WALL = 12 };

/// Frames until the first bite into the hills and between two bites, and most grains in one refill
enum { FIRST_BITE = 100, PACE = 120, REFILL = 220 };

struct memory {
    int frame;
    uint32_t seed;
    pv_body_id gears[2];
};

/* ---- sand ---- */

/// Returns half the width of the funnel's inside at a height.
static double half_at(double y) {
    if (y < SHOULDER) return HALF;
    return HALF - (HALF - GAP) * (y - SHOULDER) / (MOUTH - SHOULDER);
}

/// Returns the color of sand in a band, in a random shade.
static uint32_t sand_color(struct stage *stage, double band) {
    static const uint32_t hues[] = {0xe8c070ffu, 0xd89850ffu, 0xf0d8a0ffu, 0xc87840ffu};
    return texture_lit(hues[(int)band & 3], stage_uniform(stage, .86, 1.1));
}

static pv_grain grain_at(struct stage *stage, double x, double y, double band) {
    return (pv_grain){.position = {x, y}, .color = sand_color(stage, band)};
}

/// Fills the funnel from its mouth up with a number of grains.
static void fill(struct stage *stage, int left) {
    pv_grain row[2 * HALF];
    for (int y = MOUTH - 1; left > 0; y--) {
        int half = (int)half_at(y) - 1, count = 2 * half < left ? 2 * half : left;
        for (int i = 0; i < count; i++)
            row[i] = grain_at(stage, MIDDLE - half + i + .5, y + .5, y / 22.0);
        pv_grains_emit(stage->world, stage->grains, row, count);
        left -= count;
    }
}

static void refill(struct stage *stage, double band) {
    pv_grain list[REFILL];
    int missing =
        stage_knob_count(stage, 1) - pv_grains_get_stats(stage->world, stage->grains).grains;
    int count = missing < REFILL ? missing : REFILL;
    for (int i = 0; i < count; i++) {
        double x = MIDDLE + stage_uniform(stage, -HALF + 8, HALF - 8);
        list[i] = grain_at(stage, x, stage_uniform(stage, -60, -2), band);
    }
    if (count > 0) pv_grains_emit(stage->world, stage->grains, list, count);
}

/* ---- what it falls on ---- */

static void add_funnel(struct stage *stage) {
    int width = 2 * (HALF + WALL), height = MOUTH - RIM;
    pv_image *image = props_picture(stage, width, height);
    for (int y = 0; image && y < height; y++)
        for (int x = 0; x < width; x++) {
            double half = half_at(y + RIM), out = fabs(x + .5 - width / 2.0) - half;
            double thick = y + RIM < SHOULDER ? WALL : WALL * 1.4;
            if (out < 0 || out > thick) continue;
            bool edge = out < 2 || out > thick - 2 || y < 2 || y > height - 3;
            props_dot(image, x, y, edge ? 0x303a53ffu : texture_lit(0x6b829bffu, 1.2 - out * .04));
        }
    const struct sprite *sprite = stage_keep(stage, "funnel", image, NULL);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){MIDDLE - width / 2.0 + sprite->center.x, RIM + sprite->center.y};
    stage_put(stage, sprite, def);
}

static pv_body_id add_fixed(struct stage *stage, const char *sprite, pv_vec2 at, double angle,
                            double scale, double spin) {
    pv_body_def def = pv_body_def_default();
    def.type = spin != 0 ? PV_BODY_KINEMATIC : PV_BODY_STATIC;
    def.position = at;
    def.angle = angle;
    def.angular_velocity = spin;
    def.scale = (pv_vec2){scale, scale};
    return stage_add_def(stage, sprite, def);
}

static void add_sprites(struct stage *stage, struct memory *memory) {
    memory->gears[0] = add_fixed(stage, "gear", (pv_vec2){MIDDLE - 30, 360}, 0, 2, .7);
    memory->gears[1] = add_fixed(stage, "gear", (pv_vec2){MIDDLE + 190, 430}, .2, 1.5, -1);
    add_fixed(stage, "star", (pv_vec2){MIDDLE - 200, 430}, .3, 2.5, 0);
    add_fixed(stage, "ring", (pv_vec2){MIDDLE + 70, 500}, 0, 2, 0);
    add_fixed(stage, "letter_c", (pv_vec2){MIDDLE - 370, 500}, -1.5707963267948966, 3, 0);
    add_fixed(stage, "letter_c", (pv_vec2){MIDDLE + 370, 490}, -1.3, 3, 0);
}

/* ---- hills ---- */

static double surface_at(uint32_t seed, double x) {
    double off = (x - MIDDLE) / MIDDLE;
    return 10 + 60 * texture_rough(seed, x / 230, 0, 2) + 60 * off * off;
}

static void add_hills(struct stage *stage, struct memory *memory) {
    pv_image *image = props_picture(stage, WIDE, DEEP);
    for (int x = 0; image && x < WIDE; x++) {
        int top = (int)surface_at(memory->seed, x);
        for (int y = top; y < DEEP; y++) {
            double blotch = texture_rough(memory->seed + 3, x / 24.0, y / 14.0, 3);
            uint32_t rock = texture_mix(0x8c5c48ffu, 0x4c3c50ffu, (y - top) / (DEEP - 20.0));
            props_dot(image, x, y, texture_lit(rock, .7 + .5 * floor(blotch * 8) / 8));
        }
    }
    const struct sprite *sprite = stage_keep(stage, "hills of rock", image, NULL);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){sprite->center.x, HIGH - DEEP + sprite->center.y};
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.min_part_pixels = 60;
    stage_soften(stage, stage_put(stage, sprite, def), &fracture);
}

/// Puts dunes on the hills, and returns the number of their grains.
static int strew(struct stage *stage, const struct memory *memory) {
    pv_grain column[DEEP];
    int total = 0;
    for (int x = 0; x < WIDE; x++) {
        double dune = texture_rough(memory->seed + 7, x / 160.0, 0, 2);
        int high = (int)(60 * dune * dune), top = HIGH - DEEP + (int)surface_at(memory->seed, x);
        for (int i = 0; i < high; i++)
            column[i] = grain_at(stage, x + .5, top - i - .5, (high - i) / 9.0);
        pv_grains_emit(stage->world, stage->grains, column, high);
        total += high;
    }
    return total;
}

static void setup(struct stage *stage) {
    stage_set_view(stage, WIDE, HIGH);
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    memory->seed = (uint32_t)stage_pick(stage, 1 << 20);
    stage->spade = 18;
    stage_add_knob(stage, "brush [px]", 4, 60, stage->spade);
    stage_add_knob(stage, "grains", 0, SAND, SAND);
    add_hills(stage, memory);
    add_sprites(stage, memory);
    add_funnel(stage);
    pv_grains_def def = pv_grains_def_default();
    def.capacity = ROOM;
    def.friction = .3;
    def.follow = true;
    grains_add(stage, def);
    grains_drain(stage, (pv_box){{-60, HIGH - DEEP}, {-12, HIGH + 40}});
    grains_drain(stage, (pv_box){{WIDE + 12, HIGH - DEEP}, {WIDE + 60, HIGH + 40}});
    fill(stage, SAND - strew(stage, memory));
}

/* ---- running ---- */

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    memory->frame++;
    stage->spade = stage->knobs[0].value;
    refill(stage, memory->frame / 150.0);
    if (memory->frame < FIRST_BITE || memory->frame % PACE != 60) return;
    double x = stage_uniform(stage, 60, WIDE - 60), y = HIGH - DEEP + surface_at(memory->seed, x);
    double radius = stage_uniform(stage, 22, 40);
    stage_bite(stage, STAGE_SOFT, (pv_vec2){x, y}, radius);
    pv_world_explode(stage->world, (pv_vec2){x, y + radius}, 4 * radius, 520);
}

const struct scene scene_sand = {
    "sand", "a hundred thousand grains run through a funnel; the right mouse button digs", setup,
    update};
