/* ramp.c - the same crate and plank on four equal ramps of rubber, wood, steel and ice.
 *
 * Invariant: a ramp and the bodies on it have the same friction, so their average is the same. The
 * slope is 1/2. Static friction above that holds.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/props.h"
#include "stage/texture.h"

#include <stdio.h>

/// Angle of the slopes: atan(1/2) [rad]
static const double tilt = 0.46364760900080609;

/// Frames until all bodies are laid on the ramps again
enum { ROUND = 600 };

/// Size of a slope, length of the level part behind it, width of the post at its end, and thickness
/// below [px]
enum { LONG = 216, HIGH = 108, LEVEL = 92, POST = 12, FOOT = 24, CRATE = 32 };

/// Lane with the friction of the slider
enum { TUNED = 2, LANES = 4 };

struct memory {
    int frame;
    /// Ramp, plank and crate of the tuned lane
    pv_body_id tuned[3];
};

/// Gap between a ramp and a body on it, so that they share no pixel [px]
static const double gap = .75;

/// Static and kinetic friction of a ramp, its place, and the look of its surface
struct lane {
    const char *label;
    double hold, slide;
    pv_vec2 top;
    uint32_t color;
    /// Depth and length of its grain
    double grain, length;
};

static const struct lane lanes[LANES] = {
    {"rubber, 0.8: holds", .8, .6, {0, 40}, 0x4a4a58ffu, .3, 2},
    {"wood, 0.45: creeps", .45, .42, {320, 40}, 0xb07840ffu, .6, 40},
    {"", .25, .25, {0, 208}, 0x90a8c4ffu, .35, 60},
    {"ice, 0: races", 0, 0, {320, 208}, 0xa8e0f4ffu, .35, 12},
};

/// Returns the color of a ramp's pixel; 0: air. A level part with a post follows the slope.
static uint32_t ramp_color(const struct lane *lane, int x, int y) {
    int deep = y - (x < LONG ? x / 2 : HIGH);
    if (x >= LONG + LEVEL && x < LONG + LEVEL + POST && deep >= -CRATE && deep < 0)
        return (x + y) / 6 % 2 ? 0xe0a830ffu : 0x303a53ffu;
    if (deep < 0) return 0;
    if (deep >= 14) return texture_lit(0x485068ffu, .9 + .2 * texture_noise(4, x / 7.0, y / 7.0));
    if (deep < 2) return texture_lit(lane->color, 1.25);
    double along = (x + y / 2.0) / lane->length, across = deep / 3.0;
    double light = deep > 11 ? .6 : 1.1 - lane->grain * texture_rough(9, along, across, 3);
    return texture_lit(lane->color, light);
}

static pv_body_id add_ramp(struct stage *stage, const struct lane *lane) {
    pv_image *image = props_picture(stage, LONG + LEVEL + POST, HIGH + FOOT);
    for (int y = 0; image && y < image->height; y++)
        for (int x = 0; x < image->width; x++) props_dot(image, x, y, ramp_color(lane, x, y));
    const struct sprite *sprite = stage_keep(stage, "slope", image, NULL);
    if (!sprite) return (pv_body_id){0};
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){lane->top.x + sprite->center.x, lane->top.y + sprite->center.y};
    return stage_put(stage, sprite, def);
}

/// Sets the friction of a lane's ramp or of a body on it, unless it has this friction already.
static void set_friction(struct stage *stage, pv_body_id body, int lane) {
    double tuned = stage->knobs[0].value, holds = lane == TUNED ? tuned : lanes[lane].hold,
           slides = lane == TUNED ? tuned : lanes[lane].slide;
    pv_body_def now = pv_body_get_def(stage->world, body);
    if (now.restitution != 0 || now.static_friction != holds || now.friction != slides)
        stage_set_surface(stage->world, body, 0, holds, slides);
}

/// Puts a sprite on a slope, its center at distances down from the top and above the slope [px].
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
    for (int i = 0; i < LANES; i++) {
        pv_body_id plank = lay(stage, i, "plank", 60, 6 + gap),
                   crate = lay(stage, i, "crate", 140, 16 + gap);
        if (i != TUNED) continue;
        memory->tuned[1] = plank;
        memory->tuned[2] = crate;
    }
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 640, 360);
    if (!memory) return;
    stage_add_knob(stage, "friction", 0, 1, lanes[TUNED].slide);
    stage->backdrop = STAGE_PAPER;
    stage_add_fence(stage, 720);
    for (int i = 0; i < LANES; i++) {
        const struct lane *lane = &lanes[i];
        pv_body_id ramp = add_ramp(stage, lane);
        set_friction(stage, ramp, i);
        if (i == TUNED) memory->tuned[0] = ramp;
        stage_add_label(stage, lane->top.x + 200, lane->top.y + 8, lane->label);
    }
    stage_add_static(stage, "floor", -320, lanes[TUNED].top.y + HIGH + FOOT);
    lay_all(stage, memory);
    aim_arm(stage, NULL);
}

/// Sets the friction to the slider's value, and begins again after a round.
static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    for (int i = 0; i < 3; i++)
        if (pv_body_is_valid(stage->world, memory->tuned[i]))
            set_friction(stage, memory->tuned[i], TUNED);
    snprintf(stage->labels[TUNED].text, sizeof stage->labels[TUNED].text, "steel, %.2f",
             stage->knobs[0].value);
    if (++memory->frame % ROUND != 0) return;
    stage_clear_moving(stage);
    lay_all(stage, memory);
}

const struct scene scene_ramp = {"ramp", "static and kinetic friction side by side", setup, update};
