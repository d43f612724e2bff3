/* bounce.c - a ball and a crate fall on each of six planks, restitution 0 to 1, beside marks at the
 * heights of the formula.
 *
 * Invariant: a plank and the bodies above it have the same restitution, so their average is the
 * same.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

enum { PLANKS = 6, MARKS = 3, ROUND = 900 };

static const char *const labels[PLANKS] = {"0", "0.2", "0.4", "0.6", "0.8", "1"};

/// Half height of the bodies, and top of the planks [px]
static const double half = 16, top = 328;

/// Colors of the marks, from the start on
static const uint32_t inks[MARKS + 1] = {0xfff4c0ffu, 0xe03030ffu, 0xe06038ffu, 0xe09048ffu};

struct memory {
    pv_body_id bodies[2 * PLANKS];
    /// Start of the middles of bodies [px]
    double start;
    int frame;
};

static double middle_of(int plank) { return 60 + 104 * plank; }

/// Drops a ball and a crate on a plank; those of the last round are gone then.
static void drop(struct stage *stage, struct memory *memory, int plank) {
    for (int i = 0; i < 2; i++) {
        pv_body_id *body = &memory->bodies[2 * plank + i];
        if (pv_body_is_valid(stage->world, *body)) pv_body_destroy(stage->world, *body);
        *body = stage_add(stage, i ? "crate" : "ball", middle_of(plank) + (i ? 24 : -24),
                          memory->start, 0);
        stage_set_surface(stage->world, *body, plank / 5.0, .6, .5);
    }
}

/// Marks the heights that the lower edges reach: the start, and e^2 of the last height after each
/// bounce.
static void mark(struct stage *stage, double start, int plank) {
    double height = top - start - half, e = plank / 5.0, x = middle_of(plank);
    for (int i = 0; i <= MARKS; i++, height *= e * e) {
        double y = top - height;
        if (height < 2 || (e == 1 && i > 0)) break;
        for (int side = -1; side <= 1; side += 2)
            stage_add_streak(stage, (pv_vec2){x + side * 50, y}, (pv_vec2){x + side * 42, y},
                             inks[i]);
        stage_add_streak(stage, (pv_vec2){x - 6, y}, (pv_vec2){x + 6, y}, inks[i]);
    }
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 640, 360);
    stage->backdrop = STAGE_PAPER;
    double height = stage_add_setup_knob(stage, "height [px]", 40, 264, 264);
    if (memory) memory->start = top - height;
    stage_add_fence(stage, 720);
    stage_add_static(stage, "floor", 0, 340);
    for (int i = 0; memory && i < PLANKS; i++) {
        pv_body_id plank = stage_add_static(stage, "plank", middle_of(i) - 48, top);
        stage_set_surface(stage->world, plank, i / 5.0, .6, .5);
        drop(stage, memory, i);
        mark(stage, memory->start, i);
        stage_add_label(stage, middle_of(i), 349, labels[i]);
    }
    stage_add_label(stage, 320, 24, "marks: the formula");
}

/// Begins again when all but the last pair have come to rest.
static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory || ++memory->frame % ROUND != 0) return;
    for (int i = 0; i < PLANKS; i++) drop(stage, memory, i);
}

const struct scene scene_bounce = {"bounce", "restitution from 0 to 1, and heights to reach", setup,
                                   update};
