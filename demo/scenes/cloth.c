/* cloth.c - three balls fly at a curtain of 30 by 30 threads, which tears under too much load.
 *
 * Invariant: each torn thread was pulled with more than its strength; no other is removed.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

/// Resistance of a thread to stretching [mass/s^2], and force at which it tears [mass px/s^2]. The
/// uppermost bear 2320.
static const double stiffness = 5000, strength = 16000;

/// Frames until the first ball is thrown, and between two throws
enum { FIRST = 90, PAUSE = 150, BALLS = 3 };

struct curtain {
    int frame;
};

static void throw_ball(struct stage *stage, int which) {
    pv_body_def ball = pv_body_def_default();
    ball.position = (pv_vec2){-30, 150 + 50 * which};
    ball.velocity = (pv_vec2){560 + 120 * which, -150};
    ball.density = 0.4;
    stage_add_def(stage, "ball", ball);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    stage_add_static(stage, "floor", -300, 344);
    pv_cloth_def def = pv_cloth_def_default();
    def.top_left = (pv_vec2){224, 24};
    def.mass = 0.25;
    def.stiffness = stiffness;
    def.break_force = strength;
    pv_composite_id cloth = pv_cloth_create(stage->world, &def, NULL);
    stage_paint(
        stage, cloth,
        (struct stage_paint){.skin = 0xb8343cff, .shade = 0.8, .stroke = 0x7c1c28ff, .width = 1});
}

static void update(struct stage *stage) {
    struct curtain *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    int since = it->frame++ - FIRST;
    if (since >= 0 && since % PAUSE == 0 && since / PAUSE < BALLS) throw_ball(stage, since / PAUSE);
}

const struct scene scene_cloth = {"cloth", "a curtain that tears where balls hit it", setup,
                                  update};
