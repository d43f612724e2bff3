/* bullets.c - volleys at four speeds against sheets of one and two pixels; none passes.
 *
 * Invariant: a lane is open behind its sheets, so a bullet that passed would be seen there.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include <stdio.h>

#define LANES 4
#define VOLLEY 8

static const double speeds[LANES] = {1000, 4000, 16000, 32000};

/// Height of a lane with its floor, and of the floor [px]
static const double lane_height = 88, floor_height = 32;

/// Fires two bullets from the middle of the lane, to the left and to the right.
static void add_bullets(struct stage *stage, double away, double y, double speed) {
    for (int side = -1; side <= 1; side += 2) {
        pv_body_id bullet =
            stage_add(stage, "bullet", 320 + side * away, y, side < 0 ? 3.14159265358979323846 : 0);
        pv_body_set_velocity(stage->world, bullet, (pv_vec2){side * speed, 0});
        stage_set_surface(stage->world, bullet, 0, .6, .5);
    }
}

static void add_sheet(struct stage *stage, const char *sprite, double left, double top) {
    stage_set_surface(stage->world, stage_add_static(stage, sprite, left, top), 0, .6, .5);
}

static void add_lane(struct stage *stage, int lane) {
    double top = 8 + lane_height * lane, bottom = top + lane_height - floor_height;
    char label[28];
    snprintf(label, sizeof label, "%g px/s", speeds[lane]);
    stage_add_static(stage, "floor", -320, bottom);
    add_sheet(stage, "sheet_1", 80, top);
    add_sheet(stage, "sheet_2", 558, top);
    for (int i = 0; i < VOLLEY; i++)
        add_bullets(stage, 12 + 20 * (i % 4), top + 8 + 6 * i, speeds[lane]);
    stage_add_label(stage, 320, bottom + 16, label);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    stage_add_fence(stage, 360);
    stage_add_static(stage, "floor", -320, 8 - floor_height);
    for (int lane = 0; lane < LANES; lane++) add_lane(stage, lane);
    stage_add_label(stage, 80, 344, "1 px");
    stage_add_label(stage, 558, 344, "2 px");
}

const struct scene scene_bullets = {"bullets", "fast bullets, thin walls", setup, NULL};
