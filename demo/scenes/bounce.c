/* bounce.c - a ball and a crate fall on each of six planks with restitution 0 to 1. The bar behind
 * them is as high as the formula lets them bounce.
 *
 * Invariant: a plank and the bodies above it have the same restitution, so their average is the
 * same.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/props.h"

#include <stdio.h>

enum { PLANKS = 6, MARKS = 3, ROUND = 900, BAR = 96 };

/// Half height of the bodies, and top of the planks [px]
static const double half = 16, top = 328;

/// Colors of the planks' bars, and of the mark at the starting height
static const uint32_t inks[PLANKS] = {0xe05048ffu, 0xe8883cffu, 0xe8c048ffu,
                                      0x88c858ffu, 0x48b8b0ffu, 0x6090e8ffu};
static const uint32_t start_ink = 0xfff4c0ffu;

struct memory {
    pv_body_id bodies[2 * PLANKS];
    /// y at which the middles of the bodies start [px]
    double start;
    int frame;
};

static double middle_of(int plank) { return 60 + 104 * plank; }

/// Drops a ball and a crate on a plank in place of those of the last round.
static void drop(struct stage *stage, struct memory *memory, int plank) {
    for (int i = 0; i < 2; i++) {
        pv_body_id *body = &memory->bodies[2 * plank + i];
        if (pv_body_is_valid(stage->world, *body)) pv_body_destroy(stage->world, *body);
        *body = stage_add(stage, i ? "crate" : "ball", middle_of(plank) + (i ? 24 : -24),
                          memory->start, 0);
        stage_set_surface(stage->world, *body, plank / 5.0, .6, .5);
    }
}

/// Paints a bar from the plank up to the height of the first bounce, with an edge around it.
static void add_bar(struct stage *stage, int height, int plank) {
    pv_image *image = props_picture(stage, BAR, height);
    props_bar(image, (pv_rect){0, 0, BAR, height}, inks[plank]);
    props_bar(image, (pv_rect){1, 1, BAR - 2, height - 1}, (inks[plank] & ~255u) | 72);
    props_decor(stage, "bar", image, middle_of(plank) - BAR / 2, top - height, true);
}

/// Marks the heights that the lower edges reach: the start, and after each bounce e^2 times the
/// height before.
static void mark(struct stage *stage, double start, int plank) {
    double height = top - start - half, e = plank / 5.0, x = middle_of(plank);
    if (e > 0) add_bar(stage, (int)(e * e * height + .5), plank);
    for (int i = 0; i <= MARKS && height >= 2; i++, height *= e * e) {
        double y = top - height;
        stage_add_streak(stage, (pv_vec2){x - BAR / 2, y}, (pv_vec2){x + BAR / 2, y},
                         i == 0 ? start_ink : inks[plank]);
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
        char label[28];
        snprintf(label, sizeof label, "e = %g", i / 5.0);
        mark(stage, memory->start, i);
        drop(stage, memory, i);
        stage_add_label(stage, middle_of(i), 349, label);
    }
    stage_add_label(stage, 320, 24, "bars: height by the formula");
}

/// Begins again after a round, when all but the last pair have come to rest.
static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory || ++memory->frame % ROUND != 0) return;
    for (int i = 0; i < PLANKS; i++) drop(stage, memory, i);
}

const struct scene scene_bounce = {"bounce", "restitution from 0 to 1, and heights to reach", setup,
                                   update};
