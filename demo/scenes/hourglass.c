/* hourglass.c - an hourglass that runs, is turned, and runs again.
 *
 * Invariant: the scene moves only the glass, and all grains stay inside.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/grains.h"
#include "stage/props.h"
#include "stage/texture.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/// Size of the glass, of its bases and of its wall [px], and number of grains
enum { WIDE = 300, HIGH = 580, BASE = 22, WALL = 26, SAND = 20000 };

/// Frames of a turn, most frames of a run, and grains that may be left above at its end
enum { TURN = 180, RUN = 1800, LEFT = 40 };

/// Half widths of neck and bulb; ends of funnel, straight part and bulb, from the neck [px]
static const double neck = 3, bulb = 109, funnel = 170, straight = 236, end = 268;

static const pv_vec2 middle = {640, 360};

struct memory {
    pv_body_id glass;
    struct board above, below, seconds;
    /// Frames of the run and of the turn so far, and number of turns done
    int ran, turned, turns;
    /// Number of grains
    int sand;
};

/* ---- the glass ---- */

static double smooth(double t) { return t * t * (3 - 2 * t); }

/// Returns half the width of the inside at a distance from the neck; negative beyond the end.
static double half_at(double off) {
    off = fabs(off);
    if (off > end) return -1;
    double half = off < funnel ? neck + (bulb - neck) * smooth(off / funnel) : bulb;
    if (off <= straight) return half;
    double t = (off - straight) / (end - straight);
    return half - 40 * (1 - sqrt(1 - t * t));
}

/// Tells whether a point of the picture is inside the glass, or in a wall around its inside.
static bool is_inside(double x, double y, double wall) {
    for (int i = -2; i <= 2; i++) {
        double half = half_at(y + i * wall / 2);
        if (half >= 0 && fabs(x) < half + wall * (1 - .12 * abs(i))) return true;
    }
    return false;
}

static uint32_t glass_color(double x, double y) {
    double base = HIGH / 2.0 - fabs(y);
    if (base < BASE) {
        double grain = texture_rough(4, x / 30, y / 3, 2);
        return texture_lit(base < 2 || base > BASE - 2 ? 0x4c3020ffu : 0x8c5c34ffu,
                           .8 + .4 * grain);
    }
    if (is_inside(x, y, 0)) return 0xc8e8f818u;
    if (is_inside(x, y, WALL)) return x < 0 ? 0xd8f0ffe0u : 0xa8cce0e0u;
    bool post = fabs(fabs(x) - (WIDE / 2.0 - 9)) < 5;
    return post ? texture_lit(0x7c5030ffu, x < 0 ? 1.1 : .9) : 0;
}

static pv_body_id add_glass(struct stage *stage) {
    pv_image *image = props_picture(stage, WIDE, HIGH);
    for (int y = 0; image && y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            props_dot(image, x, y, glass_color(x + .5 - WIDE / 2.0, y + .5 - HIGH / 2.0));
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = middle;
    return stage_put(stage, stage_keep(stage, "hourglass", image, NULL), def);
}

/// Fills the upper bulb from the neck up.
static void fill(struct stage *stage, int left) {
    for (int off = 3; left > 0 && off < end; off++) {
        int half = (int)half_at(off) - 2;
        for (int x = -half; x < half && left > 0; x++, left--) {
            double light = stage_uniform(stage, .85, 1.12);
            uint32_t hue = off / 16 % 2 ? 0xe8b858ffu : 0xd88848ffu;
            pv_grain grain = {.position = {middle.x + x + .5, middle.y - off + .5},
                              .color = texture_lit(hue, light)};
            pv_grains_emit(stage->world, stage->grains, &grain, 1);
        }
    }
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_BOARDS;
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    memory->sand = (int)(stage_add_setup_knob(stage, "grains", 1000, SAND, SAND) + .5);
    memory->glass = add_glass(stage);
    memory->above = props_board(stage, 1040, 230, 5, 0xf0c060ffu);
    memory->below = props_board(stage, 1040, 450, 5, 0xf0c060ffu);
    memory->seconds = props_board(stage, 200, 340, 3, 0x90d0f0ffu);
    stage_add_label(stage, 1072, 216, "grains above");
    stage_add_label(stage, 1072, 436, "grains below");
    stage_add_label(stage, 220, 326, "seconds");
    pv_grains_def def = pv_grains_def_default();
    def.capacity = SAND;
    def.friction = .5;
    def.gravity_scale = .35;
    grains_add(stage, def);
    fill(stage, memory->sand);
}

/* ---- running ---- */

/// Counts the grains above the middle.
static int count_above(const struct stage *stage) {
    pv_grains_view view = pv_grains_get_view(stage->world, stage->grains);
    int count = 0;
    for (int i = 0; i < view.count; i++)
        count += view.y[i] != PV_GRAIN_NONE && view.y[i] < (int)middle.y * 65536;
    return count;
}

/// Turns the glass a step further, slowly at both ends of the turn.
static void turn(struct stage *stage, struct memory *memory) {
    if (memory->turned < TURN) {
        pv_body_set_type(stage->world, memory->glass, PV_BODY_KINEMATIC);
        double angle = PI * (memory->turns + smooth((double)++memory->turned / TURN));
        pv_body_move_to(stage->world, memory->glass, middle, angle, SCENE_STEP);
        return;
    }
    memory->turned = memory->ran = 0;
    pv_body_set_angle(stage->world, memory->glass, PI * (++memory->turns % 2));
    pv_body_set_type(stage->world, memory->glass, PV_BODY_STATIC);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    int above = count_above(stage);
    props_count(&memory->above, above);
    props_count(&memory->below, pv_grains_get_stats(stage->world, stage->grains).grains - above);
    props_count(&memory->seconds, memory->ran / 60);
    if (memory->turned > 0 || memory->ran > RUN || (memory->ran > 120 && above <= LEFT))
        turn(stage, memory);
    else
        memory->ran++;
}

const struct scene scene_hourglass = {"hourglass", "an hourglass runs, is turned, and runs again",
                                      setup, update};
