/* dominoes.c - three rows of dominoes, close, wider and down a flight of stairs; the first of each
 * is pushed.
 *
 * Invariant: all dominoes stand at rest except the first of each row, so every fall follows from a
 * hit. Dominoes are slippery and their ground is rough: friction is 0.2 between two and 0.5 below.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"

/// Momentum per mass that tips a domino over, given at its top [px/s]
static const double push = 40;

/// Friction of a domino
static const double slip = .2;

/// Frames until all dominoes stand again
enum { ROUND = 1500 };

struct memory {
    int frame;
    double push, friction;
};

/// Place of the first domino of each row [px]
static const double first = 48;

/// Heights on which the rows begin [px]
static const double rows[3] = {200, 400, 608};

static void add_rough(struct stage *stage, const char *sprite, double left, double top) {
    stage_set_surface(stage->world, stage_add_static(stage, sprite, left, top), 0, .8, .8);
}

static pv_body_id add_domino(struct stage *stage, double x, double bottom) {
    pv_body_id domino = stage_add(stage, "domino", x, bottom - 16, 0);
    const struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_surface(stage->world, domino, 0, memory->friction, memory->friction);
    return domino;
}

static void push_top(struct stage *stage, pv_body_id domino, double x, double bottom) {
    const struct memory *memory = stage_memory(stage, sizeof *memory);
    pv_vec2 impulse = {memory->push * pv_body_get_mass(stage->world, domino), 0};
    pv_body_apply_impulse_at(stage->world, domino, impulse, (pv_vec2){x, bottom - 32});
}

/// Puts up a row on the ground, and pushes the first one.
static void stand_row(struct stage *stage, double bottom, double pitch) {
    push_top(stage, add_domino(stage, first, bottom), first, bottom);
    for (double x = first + pitch; x < 1240; x += pitch) add_domino(stage, x, bottom);
}

/// Puts up dominoes at pitch 32: fourteen above, one on each of ten steps of 8 px, thirteen below.
static void stand_stairs(struct stage *stage, double top) {
    push_top(stage, add_domino(stage, first, top), first, top);
    for (int i = 1; i < 37; i++) {
        int step = i < 14 ? 0 : i < 24 ? i - 14 : 10;
        add_domino(stage, first + 32 * i, top + 8 * step);
    }
}

static void stand_all(struct stage *stage) {
    stand_row(stage, rows[0], 16);
    stand_row(stage, rows[1], 24);
    stand_stairs(stage, rows[2]);
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_BOARDS;
    if (!memory) return;
    memory->push = stage_add_setup_knob(stage, "push [px/s]", 1, 120, push);
    memory->friction = stage_add_setup_knob(stage, "friction", 0, 1, slip);
    stage_add_fence(stage, 360);
    for (int i = 0; i < 2; i++) add_rough(stage, "floor", 0, rows[i]);
    for (int i = 0; i < 3; i++) add_rough(stage, "floor", -800, rows[2] + 32 * i);
    add_rough(stage, "stairs", 480, rows[2]);
    add_rough(stage, "floor", 0, rows[2] + 80);
    stage_add_label(stage, 640, rows[0] + 16, "pitch 16");
    stage_add_label(stage, 640, rows[1] + 16, "pitch 24");
    stage_add_label(stage, 240, rows[2] + 40, "pitch 32, down the stairs");
    stand_all(stage);
    aim_arm(stage, NULL);
}

/// Puts all up again after a round.
static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory || ++memory->frame % ROUND != 0) return;
    stage_clear_moving(stage);
    stand_all(stage);
}

const struct scene scene_dominoes = {"dominoes", "three rows, one down the stairs", setup, update};
