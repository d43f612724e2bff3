/* drop.c - sixty bodies of all shapes rain on a hilly ground with caves, and come to rest.
 *
 * Invariant: no body begins in an overlap, and none can leave sideways.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"

#define COLUMNS 12
#define ROWS 5
#define TRIES 20

static void setup(struct stage *stage) {
    const double cell = 1280.0 / COLUMNS, jitter = 16;
    stage_set_view(stage, 1280, 720);
    stage_add_static(stage, "ground", 0, 480);
    stage_add_fence(stage, 1440);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        pv_vec2 middle = {(i % COLUMNS + .5) * cell, 420 - i / COLUMNS * 100.0};
        pv_body_id body = {0};
        for (int tries = 0; tries < TRIES && !stage_is_body(body); tries++) {
            double x = middle.x + stage_uniform(stage, -jitter, jitter);
            double y = middle.y + stage_uniform(stage, -jitter, jitter);
            body = stage_add_thing(stage, (pv_vec2){x, y});
        }
    }
    aim_arm(stage, NULL);
}

const struct scene scene_drop = {"drop", "a heap of sixty things falls on hills and caves", setup,
                                 NULL};
