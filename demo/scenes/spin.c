/* spin.c - rotating bodies without gravity: hits off the center make bodies rotate, and a stirrer
 * stirs.
 *
 * Invariant: contacts alone change an angular velocity; the stirrer alone adds energy.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"

static const double half_turn = 3.14159265358979323846;

/// Inner side of the stirred box: two planks [px]
static const double side = 192;

/// Angular velocity of the stirrer [rad/s]
static const double pace = 2.5;

struct memory {
    pv_body_id stirrer;
    /// Its angular velocity [rad/s]
    double pace;
};

static void move(struct stage *stage, pv_body_id body, double vx, double vy) {
    pv_body_set_velocity(stage->world, body, (pv_vec2){vx, vy});
}

static pv_body_id add_plank(struct stage *stage, pv_body_type type, double x, double y,
                            double angle, double spin) {
    pv_body_def def = pv_body_def_default();
    def.type = type;
    def.position = (pv_vec2){x, y};
    def.angle = angle;
    def.angular_velocity = spin;
    return stage_add_def(stage, "plank", def);
}

/// Creates a box with a turning plank in the middle and balls around it.
static void add_stirrer(struct stage *stage, struct memory *memory, double x, double y) {
    double rim = side / 2 + 6;
    for (int i = -1; i <= 1; i += 2) {
        for (int j = -1; j <= 1; j += 2) {
            add_plank(stage, PV_BODY_STATIC, x + 48 * i, y + rim * j, 0, 0);
            add_plank(stage, PV_BODY_STATIC, x + rim * j, y + 48 * i, half_turn / 2, 0);
        }
    }
    memory->stirrer = add_plank(stage, PV_BODY_KINEMATIC, x, y, 0, pace);
    for (int i = 0; i < 14; i++) {
        pv_rotation to = pv_rotation_from_angle(i * half_turn / 7);
        pv_body_id ball = stage_add(stage, "ball_small", x + 74 * to.c, y + 74 * to.s, 0);
        double vx = stage_uniform(stage, -80, 80), vy = stage_uniform(stage, -80, 80);
        move(stage, ball, vx, vy);
    }
}

/// Creates two missiles that hit a plank at its ends, from both sides. The plank turns and stays at
/// its place.
static void add_couple(struct stage *stage, double x, double y) {
    stage_add(stage, "plank", x, y, 0);
    for (int i = -1; i <= 1; i += 2) {
        pv_body_id missile =
            stage_add(stage, "missile", x + 38 * i, y - 110 * i, half_turn / 2 * i);
        move(stage, missile, 0, 150 * i);
    }
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 640, 360);
    if (!memory) return;
    stage->backdrop = STAGE_STARS;
    pv_world_set_gravity(stage->world, (pv_vec2){0, 0});
    stage_add_fence(stage, 32);
    stage_add_static(stage, "floor", -320, -32);
    stage_add_static(stage, "floor", -320, 360);
    pv_body_id gear = stage_add(stage, "gear", 80, 90, 0);
    pv_body_set_angular_velocity(stage->world, gear, 3);
    stage_add(stage, "star", 90, 270, 0);
    move(stage, stage_add(stage, "ship", 200, 256, half_turn), -60, 0);
    add_couple(stage, 260, 150);
    add_stirrer(stage, memory, 500, 180);
    stage_add_knob(stage, "stirrer [rad/s]", -12, 12, memory->pace = pace);
    stage_add_label(stage, 80, 45, "spin stays");
    stage_add_label(stage, 500, 66, "stirred");
    aim_arm(stage, NULL);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    double wanted = stage->knobs[0].value;
    if (memory->pace == wanted) return;
    memory->pace = wanted;
    pv_body_set_angular_velocity(stage->world, memory->stirrer, wanted);
}

const struct scene scene_spin = {"spin", "no gravity: spin kept, given by hits, and stirred", setup,
                                 update};
