/* bounce.c - a ball and a crate fall on each of six planks, restitution 0 to 1.
 *
 * Invariant: a plank and the bodies above it have the same restitution, so their average is the
 * same.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

static const char *const labels[] = {"0", "0.2", "0.4", "0.6", "0.8", "1"};

static void drop(struct stage *stage, const char *sprite, double x, double restitution) {
    pv_body_id body = stage_add(stage, sprite, x, 64, 0);
    stage_set_surface(stage->world, body, restitution, .6, .5);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    stage_add_fence(stage, 720);
    stage_add_static(stage, "floor", 0, 340);
    for (int i = 0; i < 6; i++) {
        double middle = 60 + 104 * i, restitution = i / 5.0;
        pv_body_id plank = stage_add_static(stage, "plank", middle - 48, 328);
        stage_set_surface(stage->world, plank, restitution, .6, .5);
        drop(stage, "ball", middle - 24, restitution);
        drop(stage, "crate", middle + 24, restitution);
        stage_add_label(stage, middle, 349, labels[i]);
    }
}

const struct scene scene_bounce = {"bounce", "restitution from 0 to 1", setup, NULL};
