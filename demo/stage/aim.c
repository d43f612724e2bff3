/* aim.c - throws by mouse.
 *
 * Invariant: the arrow is empty except between press and release.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/aim.h"

/// Density of a thrown ball; that of a crate is 1
static const double heavy = 4;

void aim_toss_ball(struct stage *stage, pv_vec2 from, pv_vec2 velocity) {
    bool small = stage->view.max.x - stage->view.min.x < 400;
    const struct sprite *ball = stage_load(stage, small ? "ball_small" : "ball");
    if (!ball || !stage_is_free(stage, ball, from, 0)) return;
    pv_body_def def = pv_body_def_default();
    def.position = from;
    def.velocity = velocity;
    def.density = heavy;
    stage_put(stage, ball, def);
}

void aim_toss_at(struct stage *stage, pv_vec2 from, pv_vec2 at, double time) {
    pv_vec2 gravity = pv_world_get_gravity(stage->world);
    pv_vec2 velocity = {(at.x - from.x) / time - gravity.x * time / 2,
                        (at.y - from.y) / time - gravity.y * time / 2};
    aim_toss_ball(stage, from, velocity);
}

static bool press(struct stage *stage, pv_vec2 at) {
    if (stage_is_body(pv_world_pick_body(stage->world, at))) return false;
    stage->arrow[0] = stage->arrow[1] = at;
    return true;
}

static void drag(struct stage *stage, pv_vec2 at) { stage->arrow[1] = at; }

static void release(struct stage *stage, pv_vec2 at) {
    pv_vec2 from = stage->arrow[0];
    stage->arrow[1] = from;
    stage->toss(stage, from, (pv_vec2){AIM_PACE * (at.x - from.x), AIM_PACE * (at.y - from.y)});
}

void aim_arm(struct stage *stage,
             void (*toss)(struct stage *stage, pv_vec2 from, pv_vec2 velocity)) {
    stage->toss = toss ? toss : aim_toss_ball;
    stage->hint = "drag: throw a ball";
    stage->hooks.press = press;
    stage->hooks.drag = drag;
    stage->hooks.release = release;
}
