/* ramp.c - the same crate and plank on four equal ramps of different friction.
 *
 * Invariant: a ramp and the bodies on it have the same friction, so their average is the same. The
 * slope is 1/2: static friction above it holds.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"

/// atan(1/2) [rad].
static const double tilt = 0.46364760900080609;

/// Frames until all bodies are laid on the ramps again
enum { ROUND = 600 };

struct memory {
    int frame;
};

/// Gap between a ramp and a body on it, so that they share no pixel [px]
static const double gap = .75;

/// Static and kinetic friction of a ramp, and place of its top
struct lane {
    const char *label;
    double hold, slide;
    pv_vec2 top;
};

static const struct lane lanes[] = {
    {"friction 0.8: holds", .8, .6, {0, 150}},
    {"friction 0.45: creeps", .45, .42, {640, 150}},
    {"friction 0.25: slides", .25, .25, {0, 528}},
    {"friction 0: races", 0, 0, {640, 528}},
};

/// Puts a sprite on the slope, with its center down from the top and above the slope [px].
static void lay(struct stage *stage, const struct lane *lane, const char *sprite, double down,
                double above) {
    pv_rotation along = pv_rotation_from_angle(tilt);
    double x = lane->top.x + along.c * down + along.s * above;
    double y = lane->top.y + along.s * down - along.c * above;
    pv_body_id body = stage_add(stage, sprite, x, y, tilt);
    stage_set_surface(stage->world, body, 0, lane->hold, lane->slide);
}

static void lay_all(struct stage *stage) {
    for (int i = 0; i < 4; i++) {
        lay(stage, &lanes[i], "plank", 60, 6 + gap);
        lay(stage, &lanes[i], "crate", 150, 16 + gap);
    }
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_HILLS;
    stage_add_fence(stage, 720);
    stage_add_static(stage, "floor", 0, lanes[0].top.y + 160);
    stage_add_static(stage, "floor", 0, lanes[2].top.y + 160);
    for (int i = 0; i < 4; i++) {
        const struct lane *lane = &lanes[i];
        pv_body_id ramp = stage_add_static(stage, "ramp", lane->top.x, lane->top.y);
        stage_set_surface(stage->world, ramp, 0, lane->hold, lane->slide);
        stage_add_label(stage, lane->top.x + 400, lane->top.y + 20, lane->label);
    }
    lay_all(stage);
    aim_arm(stage, NULL);
}

/// Begins again after a round.
static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory || ++memory->frame % ROUND != 0) return;
    stage_clear_moving(stage);
    lay_all(stage);
}

const struct scene scene_ramp = {"ramp", "static and kinetic friction side by side", setup, update};
