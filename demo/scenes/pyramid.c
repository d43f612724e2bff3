/* pyramid.c - two hundred and ten crates, twenty in the lowest row. Later balls fly at them.
 *
 * Invariant: each crate stands over the middle of a gap. The crates of a row do not touch.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/rounds.h"

struct memory {
    /// Number of rows
    int rows;
};

/// Distance between the middles of the crates of a row [px]
static const double pitch = 34;

static void build(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    for (int row = 0; memory && row < memory->rows; row++)
        for (int i = 0; i < memory->rows - row; i++)
            stage_add(stage, "crate", 640 + pitch * (i - (memory->rows - 1 - row) / 2.0),
                      672 - 32 * row, 0);
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_DUSK;
    if (!memory) return;
    memory->rows = (int)(stage_add_setup_knob(stage, "rows", 2, 20, 20) + .5);
    stage_add_static(stage, "floor", 0, 688);
    stage_add_fence(stage, 720);
    build(stage);
    aim_arm(stage, NULL);
}

/// Throws a ball at a side of the pyramid, alternately from the left and the right.
static void toss(struct stage *stage, int which) {
    const struct memory *memory = stage_memory(stage, sizeof *memory);
    double side = which % 2 ? 1 : -1, high = memory->rows * stage_uniform(stage, .3, .8);
    pv_vec2 from = {640 + side * 580, 300},
            at = {640 + side * pitch * (memory->rows - high) / 2, 688 - 32 * high};
    aim_toss_at(stage, from, at, .5);
}

static void update(struct stage *stage) {
    static const struct rounds rounds = {480, 90, 6, 300, toss, build};
    if (stage->memory) rounds_play(stage, &rounds);
}

const struct scene scene_pyramid = {"pyramid", "twenty rows of crates", setup, update};
