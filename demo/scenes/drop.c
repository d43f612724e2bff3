/* drop.c - sixty bodies of all shapes rain on hilly ground with caves, and come to rest. After a
 * while more follow, one at a time.
 *
 * Invariant: no body begins in an overlap, and none can leave sideways.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/rounds.h"

enum { COLUMNS = 12, THINGS = 60, TRIES = 20 };

struct memory {
    /// Number of bodies of the heap
    int things;
};

static void build(struct stage *stage) {
    const struct memory *memory = stage_memory(stage, sizeof *memory);
    const double cell = 1280.0 / COLUMNS, jitter = 16;
    for (int i = 0; i < memory->things; i++) {
        pv_vec2 middle = {(i % COLUMNS + .5) * cell, 420 - i / COLUMNS * 100.0};
        pv_body_id body = {0};
        for (int tries = 0; tries < TRIES && !stage_is_body(body); tries++) {
            double x = middle.x + stage_uniform(stage, -jitter, jitter);
            double y = middle.y + stage_uniform(stage, -jitter, jitter);
            body = stage_add_thing(stage, (pv_vec2){x, y});
        }
    }
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 1280, 720);
    if (!memory) return;
    memory->things = (int)(stage_add_setup_knob(stage, "things", 12, 120, THINGS) + .5);
    stage_add_static(stage, "ground", 0, 480);
    stage_add_fence(stage, 1440);
    build(stage);
    aim_arm(stage, NULL);
}

/// Drops another thing, if there is room.
static void drop_one(struct stage *stage, int which) {
    (void)which;
    stage_add_thing(stage, (pv_vec2){stage_uniform(stage, 60, 1220), -40});
}

static void update(struct stage *stage) {
    static const struct rounds rounds = {660, 40, 30, 300, drop_one, build};
    if (stage->memory) rounds_play(stage, &rounds);
}

const struct scene scene_drop = {"drop", "a heap of sixty things falls on hills and caves", setup,
                                 update};
