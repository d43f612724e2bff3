/* arm.c - three robotic arms reach for the same ball, or point at it when it is out of reach. The
 * ball follows the mouse while it is over the window.
 *
 * Invariant: arms touch nothing and have no weight.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/lens.h"
#include "scenes/scenes.h"

#include "stage/props.h"

#include <math.h>
#include <stdio.h>

enum { ARMS = 3, MOST_LIMBS = 12 };

struct robots {
    pv_body_id ball;
    pv_composite_id arms[ARMS];
    pv_joint_id drags[ARMS];
    int frame;
    /// True while the ball follows the mouse, and the point that it follows
    bool led;
    pv_vec2 lead;
};

/// Greatest speed of the ball [px/s]
static const double swift = 900;
/// Angular frequency of the spring that drags a hand with the mass of the whole arm [rad/s]
static const double rate = 60;

struct robot {
    pv_vec2 base;
    int limbs;
    /// Lengths of its first and last limb [px]
    double first, last;
    /// Thickness of its limbs [px]
    double thick;
    uint32_t color;
};

static const struct robot robots[ARMS] = {
    {{110, 320}, 3, 120, 80, 17, 0xe08a30ff},
    {{320, 320}, 6, 70, 40, 14, 0x4c8cc8ff},
    {{530, 320}, 12, 34, 16, 12, 0x58b068ff},
};

/// Returns the end of limbs that start at the origin along x, each turned from the previous one.
static pv_vec2 hand_of(const double *lengths, int limbs, double turn) {
    pv_rotation bend = pv_rotation_from_angle(turn);
    pv_vec2 end = {0, 0}, way = {1, 0};
    for (int i = 0; i < limbs; i++) {
        end = pv_vec2_add(end, pv_vec2_scale(lengths[i], way));
        way = pv_vec2_rotate(bend, way);
    }
    return end;
}

/// Returns the turn per limb that puts the hand at a distance; 0 if it is out of reach.
static double find_turn(const double *lengths, int limbs, double distance) {
    double low = 0, high = 2 * 3.14159265358979323846 / limbs;
    if (pv_vec2_length(hand_of(lengths, limbs, 0)) <= distance) return 0;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (pv_vec2_length(hand_of(lengths, limbs, middle)) > distance)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/// Adds a limb from a particle to the position of def, and returns the particle there.
static pv_particle_id add_limb(pv_world *world, pv_composite_id arm, pv_particle_id from,
                               pv_particle_def *def) {
    pv_joint_def limb = pv_joint_def_default();
    pv_particle_id to = pv_particle_create(world, def, NULL);
    pv_composite_add_particle(world, arm, to);
    limb.a = pv_anchor_particle(from);
    limb.b = pv_anchor_particle(to);
    pv_composite_add_joint(world, arm, pv_joint_create(world, &limb, NULL));
    return to;
}

/// Adds a damped spring that draws a hand to a target.
static pv_joint_id add_drag(pv_world *world, pv_composite_id arm, pv_particle_id hand, int limbs,
                            pv_vec2 target) {
    pv_joint_def drag = pv_joint_def_default();
    drag.type = PV_JOINT_MOUSE;
    drag.a = pv_anchor_particle(hand);
    drag.b = pv_anchor_world(target);
    drag.stiffness = limbs * rate * rate;
    drag.damping = 2 * limbs * rate;
    drag.max_force = 20000;
    pv_joint_id joint = pv_joint_create(world, &drag, NULL);
    pv_composite_add_joint(world, arm, joint);
    return joint;
}

/// Adds an arm with its hand at the target, or as near as its limbs allow.
static void add_robot(struct stage *stage, int index, pv_vec2 target) {
    const struct robot *robot = &robots[index];
    struct robots *it = stage->memory;
    pv_world *world = stage->world;
    double lengths[MOST_LIMBS];
    for (int i = 0; i < robot->limbs; i++)
        lengths[i] = robot->first + (robot->last - robot->first) * i / (robot->limbs - 1);
    pv_vec2 to = pv_vec2_sub(target, robot->base), up = {0, -1};
    double turn = find_turn(lengths, robot->limbs, pv_vec2_length(to));
    if (pv_vec2_dot(pv_vec2_perp(to), up) > 0) turn = -turn;
    pv_vec2 hand = hand_of(lengths, robot->limbs, turn);
    double size = pv_vec2_length(to) * pv_vec2_length(hand);
    pv_vec2 way = {pv_vec2_dot(hand, to) / size, pv_vec2_cross(hand, to) / size};
    pv_particle_def joint = pv_particle_def_default();
    joint.linear_damping = 8; /* Arms move like machines, not like ropes. */
    joint.mass = 0;
    joint.collides = false;
    joint.position = robot->base;
    pv_composite_id arm = pv_composite_create(world, NULL);
    pv_particle_id last = pv_particle_create(world, &joint, NULL);
    pv_composite_add_particle(world, arm, last);
    joint.mass = 1;
    for (int i = 0; i < robot->limbs; i++) {
        joint.position = pv_vec2_add(joint.position, pv_vec2_scale(lengths[i], way));
        way = pv_vec2_rotate(pv_rotation_from_angle(turn), way);
        last = add_limb(world, arm, last, &joint);
    }
    it->arms[index] = arm;
    it->drags[index] = add_drag(world, arm, last, robot->limbs, target);
    stage_paint(stage, arm,
                (struct stage_paint){.stroke = robot->color,
                                     .width = robot->thick,
                                     .strokes = robot->limbs,
                                     .dot = 0xc3d5d6ff,
                                     .knob = robot->thick * .32,
                                     .rim = 0x1c2036ff});
}

/// Returns the place of the ball at a time.
static pv_vec2 way_of(double time) {
    return (pv_vec2){320 + 250 * pv_rotation_from_angle(0.9 * time).s,
                     146 + 110 * pv_rotation_from_angle(1.3 * time + 1).s};
}

/// Lets the ball follow the mouse, until the mouse leaves the window.
static void hover(struct stage *stage, const pv_vec2 *at) {
    struct robots *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    it->led = at != NULL;
    if (at) it->lead = *at;
}

/// Draws a hand of two fingers at the end of an arm, open along its last limb.
static void paint_hand(const struct lens *lens, pv_composite_id arm) {
    const double reach = 17, thick = 5, zoom = lens->view->camera.zoom;
    pv_particle_id parts[MOST_LIMBS + 1];
    int count = pv_composite_get_particles(lens->stage->world, arm, parts, MOST_LIMBS + 1);
    if (count < 2) return;
    pv_vec2 end = lens_particle(lens, parts[count - 1]),
            last = lens_particle(lens, parts[count - 2]);
    double far = hypot(end.x - last.x, end.y - last.y);
    if (far < 1e-6) return;
    pv_vec2 ahead = {(end.x - last.x) / far, (end.y - last.y) / far};
    const double long_way = reach * zoom;
    for (int side = -1; side <= 1; side += 2) {
        pv_vec2 out = {end.x - side * ahead.y * long_way + .3 * ahead.x * long_way,
                       end.y + side * ahead.x * long_way + .3 * ahead.y * long_way};
        pv_vec2 tip = {out.x + ahead.x * long_way + side * .3 * ahead.y * long_way,
                       out.y + ahead.y * long_way - side * .3 * ahead.x * long_way};
        pv_canvas_draw_thick_line(lens->canvas, end, out, thick * zoom, 0x1c2036ffu);
        pv_canvas_draw_thick_line(lens->canvas, out, tip, thick * zoom, 0x1c2036ffu);
    }
}

/// Draws the hands, and the path of the ball ahead.
static void paint(const struct lens *lens) {
    const struct robots *it = lens->stage->memory;
    for (int i = 0; i < ARMS; i++) paint_hand(lens, it->arms[i]);
    for (int i = 1; i <= 24 && !it->led; i++) {
        pv_vec2 at = lens_point(lens, way_of(it->frame * SCENE_STEP + .06 * i));
        pv_canvas_draw_circle(lens->canvas, at, 2 * lens->view->camera.zoom,
                              0xffffff00u | (uint32_t)(200 - 8 * i));
    }
}

/// Creates the stand of an arm.
static void add_stand(struct stage *stage, pv_vec2 at) {
    pv_image *image = props_picture(stage, 44, 16);
    props_bar(image, (pv_rect){0, 4, 44, 12}, 0x1c2036ffu);
    props_bar(image, (pv_rect){1, 5, 42, 10}, 0x495b78ffu);
    props_bar(image, (pv_rect){1, 5, 42, 3}, 0x6b829bffu);
    props_disc(image, 22, 12, 12, 0x1c2036ffu);
    props_disc(image, 22, 12, 11, 0x94abbaffu);
    props_decor(stage, "stand", image, at.x - 22, at.y, true);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    stage->backdrop = STAGE_BOARDS;
    stage_add_static(stage, "floor", -320, 336);
    stage->hooks.hover = hover;
    stage->hint = "move the mouse: lead the ball";
    struct robots *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    stage->painters.above = paint;
    pv_body_def ball = pv_body_def_default();
    ball.type = PV_BODY_KINEMATIC;
    ball.position = way_of(0);
    ball.scale = (pv_vec2){1.6, 1.6};
    it->ball = stage_add_def(stage, "ball_1", ball);
    for (int i = 0; i < ARMS; i++) {
        add_robot(stage, i, ball.position);
        add_stand(stage, robots[i].base);
        char label[28];
        snprintf(label, sizeof label, "%d limbs", robots[i].limbs);
        stage_add_label(stage, robots[i].base.x, 349, label);
    }
}

static void update(struct stage *stage) {
    struct robots *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    pv_vec2 at = pv_body_get_position(stage->world, it->ball),
            gravity = pv_world_get_gravity(stage->world);
    pv_vec2 to = it->led ? it->lead : way_of(++it->frame * SCENE_STEP);
    pv_vec2 velocity = {(to.x - at.x) / SCENE_STEP, (to.y - at.y) / SCENE_STEP};
    double speed = sqrt(velocity.x * velocity.x + velocity.y * velocity.y),
           share = speed > swift ? swift / speed : 1;
    velocity = (pv_vec2){share * velocity.x, share * velocity.y};
    to = (pv_vec2){at.x + velocity.x * SCENE_STEP, at.y + velocity.y * SCENE_STEP};
    pv_body_set_velocity(stage->world, it->ball, velocity);
    for (int i = 0; i < ARMS; i++) {
        pv_joint_set_target(stage->world, it->drags[i], to);
        pv_composite_apply_acceleration(stage->world, it->arms[i],
                                        (pv_vec2){-gravity.x, -gravity.y});
    }
}

const struct scene scene_arm = {"arm", "three arms that reach for a ball, which the mouse leads",
                                setup, update};
