/* pile.c - two hundred hollow and pointed toys fall into a tub and hook into each other. After a
 * while a crane pulls some of them out.
 *
 * Invariant: toys begin in and above the tub, each in its own cell at a random angle.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/props.h"
#include "stage/rounds.h"
#include "stage/texture.h"

enum { COUNT = 200, COLUMNS = 12 };

static const double half_turn = 3.14159265358979323846;

/// Side of a cell, large enough for any toy at any angle [px]
static const double cell = 70;

/// Size of the tub, lean and thickness of its walls [px]
enum { WIDE = 1120, HIGH = 660, LEAN = 90, WALL = 22 };

static const pv_vec2 corner = {80, 52};

/// y of the crane's drum and shortest length of its rope [px], speed of the rope [px/s], and its
/// greatest force, in weights of the toy that it pulls
static const double drum = -200, shortest = 160, haul = 90, strength = 120;

/// Depth in the pile at which the crane takes a toy [px]
static const double depth = 110;

/// Toys; frequent ones are listed twice
static const char *const toys[] = {
    "star", "star",     "ring",     "ring",     "gear",       "letter_c",
    "gear", "letter_c", "letter_l", "letter_l", "star_small", "ring_small",
};

struct memory {
    pv_joint_id rope;
    double length;
    /// Number of toys
    int count;
};

/// Paints a tub with leaning walls and three hoops.
static pv_image *paint_tub(struct stage *stage) {
    pv_image *image = props_picture(stage, WIDE, HIGH);
    for (int y = 0; image && y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            double rim = LEAN * (y + .5) / HIGH, left = x + .5 - rim, right = WIDE - rim - x - .5,
                   in = left < right ? left : right, base = HIGH - y - .5;
            if (in < 0 || (in >= WALL && base > WALL)) continue;
            double deep = in < base ? in : base;
            bool hoop = y < 26 || (y > 320 && y < 342) || (y > 590 && y < 612);
            bool edge = deep < 2 || y < 2 || (in > WALL - 2 && base > WALL - 2);
            double light = (hoop ? 1.35 : 1) - (left < right ? 0 : .15) - .01 * deep;
            props_dot(image, x, y, edge ? 0x14403cffu : texture_lit(0x2f9c88ffu, light));
        }
    return image;
}

static void add_tub(struct stage *stage) {
    const struct sprite *sprite = stage_keep(stage, "tub", paint_tub(stage), NULL);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){corner.x + sprite->center.x, corner.y + sprite->center.y};
    stage_put(stage, sprite, def);
}

static void build(struct stage *stage) {
    const struct memory *memory = stage_memory(stage, sizeof *memory);
    for (int i = 0; i < memory->count; i++) {
        const char *toy = toys[stage_pick(stage, (int)(sizeof toys / sizeof toys[0]))];
        double x = 640 + cell * (i % COLUMNS - (COLUMNS - 1) / 2.0), y = 600 - cell * (i / COLUMNS);
        stage_add(stage, toy, x, y, stage_uniform(stage, -half_turn, half_turn));
    }
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 1280, 720);
    if (!memory) return;
    memory->count = (int)(stage_add_setup_knob(stage, "toys", 20, 240, COUNT) + .5);
    stage->loose.stroke = 0x303848ffu;
    add_tub(stage);
    build(stage);
    aim_arm(stage, NULL);
}

/* ---- the crane ---- */

/// Ties the rope to a toy below others, or to the uppermost one.
static void grab(struct stage *stage, int which) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    double x = stage_uniform(stage, 400, 880);
    pv_vec2 from = {x, drum}, at = {x, 700};
    pv_cast_hit hit = {.point = at};
    (void)which;
    pv_world_cast_ray(stage->world, from, at, PV_CAST_CLOSEST, NULL, &hit, 1);
    at.y = hit.point.y + depth;
    pv_body_id toy = pv_world_pick_body(stage->world, at);
    if (!stage_is_body(toy)) {
        toy = hit.body;
        at = hit.point;
    }
    if (pv_body_get_type(stage->world, toy) != PV_BODY_DYNAMIC) return;
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_ROPE;
    def.a = pv_anchor_world(from);
    def.b = pv_anchor_body(toy, at);
    def.length = memory->length = at.y - drum;
    def.max_force =
        strength * pv_body_get_mass(stage->world, toy) * pv_world_def_default().gravity.y;
    memory->rope = pv_joint_create(stage->world, &def, NULL);
}

/// Shortens the rope, and lets go at the top.
static void pull(struct stage *stage, struct memory *memory) {
    if (!pv_joint_is_valid(stage->world, memory->rope)) return;
    memory->length -= haul * SCENE_STEP;
    pv_joint_set_length(stage->world, memory->rope, memory->length);
    if (memory->length < shortest) pv_joint_destroy(stage->world, memory->rope);
}

static void update(struct stage *stage) {
    static const struct rounds rounds = {420, 420, 6, 600, grab, build};
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    rounds_play(stage, &rounds);
    pull(stage, memory);
}

const struct scene scene_pile = {"pile", "two hundred hollow things in a tub", setup, update};
