/* pyramid.c - two hundred and ten crates, twenty in the lowest row.
 *
 * Invariant: each crate stands on the middle of the gap below it; the crates of a row do not touch.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"

#define BASE 20

/// Distance between the middles of the crates of a row [px]
static const double pitch = 34;

static void setup(struct stage *stage) {
    stage_set_view(stage, 1280, 720);
    stage_add_static(stage, "floor", 0, 688);
    stage_add_fence(stage, 720);
    for (int row = 0; row < BASE; row++)
        for (int i = 0; i < BASE - row; i++)
            stage_add(stage, "crate", 640 + pitch * (i - (BASE - 1 - row) / 2.0), 672 - 32 * row,
                      0);
    aim_arm(stage, NULL);
}

const struct scene scene_pyramid = {"pyramid", "twenty rows of crates", setup, NULL};
