/* tiles.c - without friction, a box and a ball slide over forty flush tiles and over one long
 * bitmap.
 *
 * Invariant: there is no friction, and walls take no speed, so both go on at one height.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"

#define TILES 40

static const double tile = 16;

/// Tops of the tiles and of the bitmap [px]
static const double tiled = 150, whole = 320;

static void add_slider(struct stage *stage, const char *sprite, double x, double y, double speed) {
    pv_body_id body = stage_add(stage, sprite, x, y, 0);
    pv_body_set_velocity(stage->world, body, (pv_vec2){speed, 0});
}

static void add_sliders(struct stage *stage, double surface, double speed, const char *label) {
    add_slider(stage, "crate", 40, surface - 16, speed);
    add_slider(stage, "ball", 120, surface - 16.05, speed);
    stage_add_label(stage, 320, surface - 100, label);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    stage->backdrop = STAGE_PAPER;
    for (int i = 0; i < TILES; i++) stage_add_static(stage, "tile", tile * i, tiled);
    stage_add_static(stage, "floor", -320, whole);
    stage_add_fence(stage, 360);
    double speed = stage_add_setup_knob(stage, "speed [px/s]", 10, 600, 120);
    add_sliders(stage, tiled, speed, "forty tiles");
    add_sliders(stage, whole, speed, "one bitmap");
    for (pv_body_id body = {0}; stage_is_body(body = pv_world_get_next_body(stage->world, body));)
        stage_set_surface(stage->world, body, 1, 0, 0);
    aim_arm(stage, NULL);
}

const struct scene scene_tiles = {"tiles", "sliding over flush tiles without a hop", setup, NULL};
