/* garden.c - trees and grass in a wind that comes in gusts, and a ball that rolls through.
 *
 * Invariant: the stage's random numbers decide how plants grow. Wind and ball move them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/texture.h"

enum { TREES = 4, LEAVES = 256 };

struct memory {
    pv_force_field_id wind;
    /// Current speed [px/s] and gusts of the wind
    double speed, gust;
};

static const double ground = 328;

/// x and height of each tree [px]
static const double trees[TREES][2] = {{85, 190}, {220, 120}, {375, 230}, {525, 150}};

static const uint32_t leaves[TREES] = {0x5a9a38ff, 0x88b040ff, 0x3c8444ff, 0xb07c30ff};

/// Creates a composite that shows the corners of a tree's leaves as discs.
static void add_foliage(struct stage *stage, pv_composite_id tree, double radius, uint32_t color) {
    pv_triangle triangles[LEAVES];
    int count = pv_composite_get_triangles(stage->world, tree, triangles, LEAVES);
    pv_composite_id foliage = pv_composite_create(stage->world, NULL);
    for (int i = 0; i < count && i < LEAVES; i++)
        for (int k = 0; k < 3; k++)
            pv_composite_add_particle(stage->world, foliage, triangles[i].corners[k]);
    stage_paint(stage, foliage, (struct stage_paint){.dot = color, .knob = radius});
}

static void add_tree(struct stage *stage, int which) {
    pv_tree_def def = pv_tree_def_default();
    def.root = (pv_vec2){trees[which][0], ground};
    def.height = trees[which][1];
    def.seed = (uint64_t)stage_pick(stage, 1 << 30);
    pv_composite_id tree = pv_tree_create(stage->world, &def, NULL);
    stage_paint(stage, tree,
                (struct stage_paint){
                    .stroke = 0x7a5230ff, .strokes = (2 << def.depth) - 1, .rim = 0x3a2418ff});
    add_foliage(stage, tree, def.height * .075, texture_lit(leaves[which], .62));
    add_foliage(stage, tree, def.height * .062, leaves[which]);
    add_foliage(stage, tree, def.height * .03, texture_lit(leaves[which], 1.25));
}

static void add_grass(struct stage *stage, double from, double to, uint32_t color) {
    pv_grass_def def = pv_grass_def_default();
    def.from = (pv_vec2){from, ground};
    def.to = (pv_vec2){to, ground};
    def.blade_count = (int)((to - from) / 4);
    def.seed = (uint64_t)stage_pick(stage, 1 << 30);
    pv_composite_id grass = pv_grass_create(stage->world, &def, NULL);
    stage_paint(stage, grass, (struct stage_paint){.skin = color});
}

static pv_force_field_def wind_of(double speed, double gust) {
    pv_force_field_def wind = pv_force_field_def_default();
    wind.velocity = (pv_vec2){speed, 0};
    wind.gust = gust;
    wind.gust_length = 700;
    return wind;
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 640, 360);
    if (!memory) return;
    stage_add_static(stage, "floor", -320, ground);
    for (int i = 0; i < TREES; i++) add_tree(stage, i);
    add_grass(stage, 10, 630, 0x4c8c30ff);
    add_grass(stage, 10, 630, 0x6cac40ff);
    pv_force_field_def wind = wind_of(240, .9);
    memory->wind = pv_force_field_create(stage->world, &wind, NULL);
    stage_add_knob(stage, "wind [px/s]", -600, 600, 240);
    stage_add_knob(stage, "gusts", 0, 1, .9);
    pv_body_def ball = pv_body_def_default();
    ball.position = (pv_vec2){-12, ground - 8.1};
    ball.velocity.x = 80;
    ball.angular_velocity = 80 / 8.0;
    stage_add_def(stage, "ball_small", ball);
}

/// Sets the wind to the sliders' values.
static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    double speed = stage->knobs[0].value, gust = stage->knobs[1].value;
    if (memory->speed == speed && memory->gust == gust) return;
    memory->speed = speed;
    memory->gust = gust;
    pv_force_field_def wind = wind_of(speed, gust);
    pv_force_field_set_def(stage->world, memory->wind, &wind);
}

const struct scene scene_garden = {"garden", "trees and grass in the wind", setup, update};
