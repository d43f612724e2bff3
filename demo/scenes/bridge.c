/* bridge.c - a cart goes there and back over a hanging bridge of bricks.
 *
 * Invariant: the cart is a box on two wheels, pinned with hinges. Only motors move it.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"

enum { PLANKS = 14, PAUSE = 200, BALLS = 2 };

/// Sliders
enum { KNOB_SPEED, KNOB_BALLS };

/// Top of the abutments, and ends of the gap [px]; the bridge is 3 px longer, so it sags
static const double deck = 192, left = 96, right = 541;

/// Angular velocity of the wheels [rad/s]; with a radius of 12 px that is 60 px/s
static const double speed = 5;

struct traffic {
    pv_body_id box;
    /// Direction of the cart, 1 or -1
    int way;
    pv_joint_id motors[2];
    int frame;
};

static pv_body_id add_wheel(struct stage *stage, double x) {
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){x, deck - 12.1};
    def.static_friction = def.friction = 1.5;
    def.density = 0.3;
    return stage_add_def(stage, "ball_4", def);
}

static pv_joint_id drive(struct stage *stage, pv_body_id box, pv_body_id wheel) {
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_PIN;
    def.a = pv_anchor_body(box, pv_body_get_position(stage->world, wheel));
    def.b = pv_anchor_body(wheel, pv_body_get_position(stage->world, wheel));
    pv_joint_create(stage->world, &def, NULL);
    def.type = PV_JOINT_MOTOR;
    def.motor_speed = speed;
    def.max_force = 25e5;
    return pv_joint_create(stage->world, &def, NULL);
}

static void add_cart(struct stage *stage, struct traffic *it) {
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){48, deck - 30};
    def.density = 0.2;
    it->box = stage_add_def(stage, "box_plain", def);
    for (int i = 0; i < 2; i++)
        it->motors[i] = drive(stage, it->box, add_wheel(stage, 26 + 44 * i));
}

static void add_bridge(struct stage *stage) {
    pv_bridge_def def = pv_bridge_def_default();
    def.mask = stage_mask_of(stage, "brick");
    def.user_data = (void *)stage_load(stage, "brick");
    def.from = (pv_vec2){left, deck + 8};
    def.to = (pv_vec2){right, deck + 8};
    def.plank_count = PLANKS;
    def.density = .2;
    pv_composite_id bridge = pv_bridge_create(stage->world, &def, NULL);
    stage_paint(stage, bridge, (struct stage_paint){0});
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    stage->backdrop = STAGE_DUSK;
    stage_add_static(stage, "abutment", 0, deck);
    stage_add_static(stage, "abutment", right, deck);
    stage_add_static(stage, "floor", -320, 320);
    stage_add_fence(stage, 360);
    add_bridge(stage);
    struct traffic *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    add_cart(stage, it);
    stage_add_knob(stage, "cart [rad/s]", 0, 15, speed);
    stage_add_knob(stage, "balls", 0, 6, BALLS);
    aim_arm(stage, NULL);
}

/// Drives the cart, and reverses it at the ends of its way.
static void turn_round(struct stage *stage, struct traffic *it) {
    double x = pv_body_get_position(stage->world, it->box).x;
    it->way = x > 540 ? -1 : x < 96 ? 1 : it->way;
    double wanted = it->way * stage->knobs[KNOB_SPEED].value;
    for (int i = 0; i < 2; i++) pv_joint_set_motor_speed(stage->world, it->motors[i], wanted);
}

/// Creates a ball, light and smooth, so that wheels push it and do not climb it.
static void drop_ball(struct stage *stage, double x) {
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){x, 40};
    def.density = 0.08;
    def.static_friction = def.friction = 0;
    stage_add_def(stage, "ball", def);
}

static void update(struct stage *stage) {
    struct traffic *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    turn_round(stage, it);
    int frame = it->frame++;
    if (frame % PAUSE == 60 && frame / PAUSE < stage_knob_count(stage, KNOB_BALLS))
        drop_ball(stage, 420 - 60 * (frame / PAUSE));
}

const struct scene scene_bridge = {"bridge", "a cart and balls on a hanging bridge", setup, update};
