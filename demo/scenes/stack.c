/* stack.c - towers of ten and twenty crates, and safes on boxes a hundred and four hundred times
 * lighter. After a while balls fly at them.
 *
 * Invariant: every body begins where it should stay; none falls and none overlaps.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/rounds.h"

#include <math.h>
#include <stdio.h>

static const double ground = 688;

/// Middles of the towers and of the boxes under a safe [px]
static const double towers[2] = {260, 500}, safes[2] = {780, 1020};

/// Number of boxes under a safe
enum { BOXES = 4 };

struct memory {
    /// Heights of the towers
    int counts[2];
    /// Masses of the safes
    double masses[2];
};

static void add_tower(struct stage *stage, double x, int count) {
    for (int i = 0; i < count; i++) stage_add(stage, "crate", x, ground - 16 - 32 * i, 0);
}

/// Creates boxes of mass 1 and a safe on the uppermost.
static void add_safe(struct stage *stage, double x, double mass) {
    pv_body_def def = pv_body_def_default();
    def.mass = 1;
    for (int i = 0; i < BOXES; i++) {
        def.position = (pv_vec2){x, ground - 16 - 32 * i};
        stage_add_def(stage, "box_plain", def);
    }
    def.mass = mass;
    def.position = (pv_vec2){x, ground - 32 - 32 * BOXES};
    stage_add_def(stage, "safe", def);
}

static void build(struct stage *stage) {
    const struct memory *memory = stage_memory(stage, sizeof *memory);
    for (int i = 0; i < 2; i++) add_tower(stage, towers[i], memory->counts[i]);
    for (int i = 0; i < 2; i++) add_safe(stage, safes[i], memory->masses[i]);
}

static void tell(struct stage *stage, double x, double number, const char *of) {
    char label[28];
    snprintf(label, sizeof label, "%.0f %s", number, of);
    stage_add_label(stage, x, ground + 16, label);
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_PAPER;
    if (!memory) return;
    stage_add_static(stage, "floor", 0, ground);
    stage_add_fence(stage, 720);
    memory->counts[0] = 10;
    memory->counts[1] = (int)(stage_add_setup_knob(stage, "crates", 1, 20, 20) + .5);
    memory->masses[0] = 100;
    memory->masses[1] = floor(stage_add_setup_knob(stage, "safe mass", 1, 400, 400) + .5);
    build(stage);
    for (int i = 0; i < 2; i++) {
        tell(stage, towers[i], memory->counts[i], "crates");
        tell(stage, safes[i], memory->masses[i], "on boxes of 1");
    }
    aim_arm(stage, NULL);
}

/// Throws a ball at the upper part of a tower, or at the boxes under a safe.
static void toss(struct stage *stage, int which) {
    const struct memory *memory = stage_memory(stage, sizeof *memory);
    int place = which / 2;
    double up = which % 2 ? 60 : 20 * memory->counts[place];
    pv_vec2 at = {which % 2 ? safes[1 - place] : towers[place], ground - up};
    aim_toss_at(stage, (pv_vec2){which % 2 ? 1240 : 40, 200}, at, .5);
}

static void update(struct stage *stage) {
    static const struct rounds rounds = {480, 120, 4, 300, toss, build};
    if (stage->memory) rounds_play(stage, &rounds);
}

const struct scene scene_stack = {"stack", "towers of crates, and safes on light boxes", setup,
                                  update};
