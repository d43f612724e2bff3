/* arm.c - three robotic arms reach for the same ball, or point at it when it is out of reach.
 *
 * Invariant: the ball goes its own way, and arms touch nothing. Their joints bear their weight.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

enum { ARMS = 3, MOST_LIMBS = 12 };

struct robots {
    pv_body_id ball;
    pv_composite_id arms[ARMS];
    pv_joint_id drags[ARMS];
    int frame;
};

struct robot {
    pv_vec2 base;
    int limbs;
    /// Lengths of its limbs [px]
    double first, last;
    uint32_t color;
};

static const struct robot robots[ARMS] = {
    {{120, 320}, 3, 90, 60, 0xd08030ff},
    {{330, 320}, 6, 60, 30, 0x4880b0ff},
    {{520, 320}, 12, 26, 12, 0x50a060ff},
};

static pv_composite_id add_robot(struct stage *stage, const struct robot *robot, pv_vec2 target) {
    double lengths[MOST_LIMBS];
    for (int i = 0; i < robot->limbs; i++)
        lengths[i] = robot->first + (robot->last - robot->first) * i / (robot->limbs - 1);
    pv_arm_def def = pv_arm_def_default();
    def.base = robot->base;
    def.lengths = lengths;
    def.length_count = robot->limbs;
    def.target = target;
    pv_composite_id arm = pv_arm_create(stage->world, &def, NULL);
    stage_paint(
        stage, arm,
        (struct stage_paint){
            .stroke = robot->color, .width = 5, .strokes = robot->limbs, .dot = 0x303840ff});
    return arm;
}

/// Returns the last joint of an arm.
static pv_joint_id drag_of(const struct stage *stage, pv_composite_id arm) {
    pv_joint_id parts[MOST_LIMBS + 1];
    int count = pv_composite_get_joints(stage->world, arm, parts, MOST_LIMBS + 1);
    return count > 0 ? parts[count - 1] : (pv_joint_id){0};
}

/// Returns the place of the ball at a time.
static pv_vec2 way_of(double time) {
    return (pv_vec2){320 + 250 * pv_rotation_from_angle(0.9 * time).s,
                     180 + 130 * pv_rotation_from_angle(1.3 * time + 1).s};
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    stage_add_static(stage, "floor", -320, 336);
    struct robots *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    pv_body_def ball = pv_body_def_default();
    ball.type = PV_BODY_KINEMATIC;
    ball.position = way_of(0);
    it->ball = stage_add_def(stage, "ball_1", ball);
    for (int i = 0; i < ARMS; i++) {
        it->arms[i] = add_robot(stage, &robots[i], ball.position);
        it->drags[i] = drag_of(stage, it->arms[i]);
        stage_add_static(stage, "peg", robots[i].base.x - 8, robots[i].base.y - 8);
    }
}

static void update(struct stage *stage) {
    struct robots *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    pv_vec2 at = pv_body_get_position(stage->world, it->ball),
            gravity = pv_world_get_gravity(stage->world);
    pv_vec2 to = way_of(++it->frame * SCENE_STEP);
    pv_vec2 velocity = {(to.x - at.x) / SCENE_STEP, (to.y - at.y) / SCENE_STEP};
    pv_body_set_velocity(stage->world, it->ball, velocity);
    for (int i = 0; i < ARMS; i++) {
        pv_joint_set_anchor_point(stage->world, it->drags[i], 1, to);
        pv_composite_apply_acceleration(stage->world, it->arms[i],
                                        (pv_vec2){-gravity.x, -gravity.y});
    }
}

const struct scene scene_arm = {"arm", "three arms that reach for a ball", setup, update};
