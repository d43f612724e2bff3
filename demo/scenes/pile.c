/* pile.c - two hundred hollow and pointed toys fall into a bucket and hook into each other.
 *
 * Invariant: they begin in a column above the bucket, each in its own cell at a random angle.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"

#define COUNT 200
#define COLUMNS 8

static const double half_turn = 3.14159265358979323846;

/// Side of a cell, large enough for any toy at any angle [px]
static const double cell = 60;

/// Toys, the small ones twice
static const char *const toys[] = {
    "star_small",     "star_small",     "ring_small",     "ring_small",
    "gear_small",     "gear_small",     "letter_c_small", "letter_c_small",
    "letter_l_small", "letter_l_small", "star",           "letter_l",
};

static void setup(struct stage *stage) {
    stage_set_view(stage, 736, 414);
    stage_add_static(stage, "bucket", 48, 10);
    for (int i = 0; i < COUNT; i++) {
        const char *toy = toys[stage_pick(stage, (int)(sizeof toys / sizeof toys[0]))];
        double x = 368 + cell * (i % COLUMNS - (COLUMNS - 1) / 2.0), y = 340 - cell * (i / COLUMNS);
        stage_add(stage, toy, x, y, stage_uniform(stage, -half_turn, half_turn));
    }
    aim_arm(stage, NULL);
}

const struct scene scene_pile = {"pile", "two hundred hollow things in a bucket", setup, NULL};
