/* ramp.c - the same crate and plank on four equal ramps of different friction.
 *
 * Invariant: a ramp and the bodies on it have the same friction, so their average is the same. The
 * slope is 1/2: static friction above it holds.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"

#include <stdio.h>

/// atan(1/2) [rad].
static const double tilt = 0.46364760900080609;

/// Frames until all bodies are laid on the ramps again
enum { ROUND = 600 };

/// Lane with the friction of the slider
enum { TUNED = 2 };

struct memory {
    int frame;
    /// Ramp, plank and crate of the tuned lane
    pv_body_id tuned[3];
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
    {"", .25, .25, {0, 528}},
    {"friction 0: races", 0, 0, {640, 528}},
};

/// Sets the friction of a body on a lane or of its ramp, and leaves one with this friction alone.
static void set_friction(struct stage *stage, pv_body_id body, int lane) {
    double tuned = stage->knobs[0].value, holds = lane == TUNED ? tuned : lanes[lane].hold,
           slides = lane == TUNED ? tuned : lanes[lane].slide;
    pv_body_def now = pv_body_get_def(stage->world, body);
    if (now.restitution != 0 || now.static_friction != holds || now.friction != slides)
        stage_set_surface(stage->world, body, 0, holds, slides);
}

/// Puts a sprite on a slope, with its center down from the top and above the slope [px].
static pv_body_id lay(struct stage *stage, int which, const char *sprite, double down,
                      double above) {
    const struct lane *lane = &lanes[which];
    pv_rotation along = pv_rotation_from_angle(tilt);
    double x = lane->top.x + along.c * down + along.s * above;
    double y = lane->top.y + along.s * down - along.c * above;
    pv_body_id body = stage_add(stage, sprite, x, y, tilt);
    set_friction(stage, body, which);
    return body;
}

static void lay_all(struct stage *stage, struct memory *memory) {
    for (int i = 0; i < 4; i++) {
        pv_body_id plank = lay(stage, i, "plank", 60, 6 + gap),
                   crate = lay(stage, i, "crate", 150, 16 + gap);
        if (i != TUNED) continue;
        memory->tuned[1] = plank;
        memory->tuned[2] = crate;
    }
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 1280, 720);
    if (!memory) return;
    stage_add_knob(stage, "friction", 0, 1, lanes[TUNED].slide);
    stage->backdrop = STAGE_PAPER;
    stage_add_fence(stage, 720);
    stage_add_static(stage, "floor", 0, lanes[0].top.y + 160);
    stage_add_static(stage, "floor", 0, lanes[2].top.y + 160);
    for (int i = 0; i < 4; i++) {
        const struct lane *lane = &lanes[i];
        pv_body_id ramp = stage_add_static(stage, "ramp", lane->top.x, lane->top.y);
        set_friction(stage, ramp, i);
        if (i == TUNED) memory->tuned[0] = ramp;
        stage_add_label(stage, lane->top.x + 400, lane->top.y + 20, lane->label);
    }
    lay_all(stage, memory);
    aim_arm(stage, NULL);
}

/// Sets the friction of the slider, and begins again after a round.
static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    for (int i = 0; i < 3; i++)
        if (pv_body_is_valid(stage->world, memory->tuned[i]))
            set_friction(stage, memory->tuned[i], TUNED);
    snprintf(stage->labels[TUNED].text, sizeof stage->labels[TUNED].text, "friction %.2f",
             stage->knobs[0].value);
    if (++memory->frame % ROUND != 0) return;
    stage_clear_moving(stage);
    lay_all(stage, memory);
}

const struct scene scene_ramp = {"ramp", "static and kinetic friction side by side", setup, update};
