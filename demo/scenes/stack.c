/* stack.c - towers of ten and twenty crates, and safes on boxes a hundred and four hundred times
 * lighter.
 *
 * Invariant: every body begins where it should stay; none falls and none overlaps.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"

static const double ground = 688;

static void add_tower(struct stage *stage, double x, int count, const char *label) {
    for (int i = 0; i < count; i++) stage_add(stage, "crate", x, ground - 16 - 32 * i, 0);
    stage_add_label(stage, x, ground + 16, label);
}

/// Creates four boxes of mass 1 and a safe on the uppermost.
static void add_safe(struct stage *stage, double x, double mass, const char *label) {
    pv_body_def def = pv_body_def_default();
    def.mass = 1;
    for (int i = 0; i < 4; i++) {
        def.position = (pv_vec2){x, ground - 16 - 32 * i};
        stage_add_def(stage, "box_plain", def);
    }
    def.mass = mass;
    def.position = (pv_vec2){x, ground - 160};
    stage_add_def(stage, "safe", def);
    stage_add_label(stage, x, ground + 16, label);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 1280, 720);
    stage_add_static(stage, "floor", 0, ground);
    stage_add_fence(stage, 720);
    add_tower(stage, 260, 10, "10 crates");
    add_tower(stage, 500, 20, "20 crates");
    add_safe(stage, 780, 100, "100 on boxes of 1");
    add_safe(stage, 1020, 400, "400 on boxes of 1");
    aim_arm(stage, NULL);
}

const struct scene scene_stack = {"stack", "towers of crates, and safes on light boxes", setup,
                                  NULL};
