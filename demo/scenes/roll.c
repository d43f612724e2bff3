/* roll.c - balls roll down slopes and along the flat, each under a marker that follows the formula.
 *
 * Invariant: a marker touches nothing. A rolling disc accelerates down its slope by two thirds of
 * g sin(angle), and so does its marker.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include <math.h>
#include <stdio.h>

enum { LANES = 6, FLAT = 5 };

/// Radius of the disc with the 812 pixels of a ball [px]
static const double radius = 16.0769;

/// Gap between a ball and its slope at the start [px]
static const double air = .05;

/// Height of the middle of a marker above the slope [px]
static const double marker_height = 44;

/// Frames of a round
enum { ROUND = 420 };

/// Distance from the top of a slope to the start of its ball [px]
static const double start = 20;

struct lane {
    const char *label, *sprite;
    /// Angle of the slope, down to the right [rad]
    double angle;
    /// Left end of the slope [px]
    pv_vec2 top;
    /// Distance from the left end down to the end of the ball's way [px]
    double end;
    /// Speed at the start [px/s]
    double speed;
};

static const struct lane lanes[LANES] = {
    {"5 degrees", "beam", 0.08726646259971648, {60, 125}, 432, 0},
    {"10 degrees", "beam", 0.17453292519943296, {700, 90}, 432, 0},
    {"20 degrees", "beam", 0.34906585039886592, {60, 230}, 432, 0},
    {"30 degrees", "beam", 0.52359877559829887, {700, 250}, 432, 0},
    {"1:2, as drawn", "ramp", 0.46364760900080609, {60, 528}, 310, 0},
    {"", "floor", 0, {400, 688}, 864, 150},
};

/// Returns the point at given distances down a lane and above it.
static pv_vec2 lane_point(const struct lane *lane, double down, double above) {
    pv_rotation r = pv_rotation_from_angle(lane->angle);
    return (pv_vec2){lane->top.x + r.c * down + r.s * above,
                     lane->top.y + r.s * down - r.c * above};
}

static void add_slope(struct stage *stage, const struct lane *lane) {
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.angle = lane->angle;
    if (lane->speed > 0) {
        stage_add_static(stage, lane->sprite, 0, lane->top.y);
        return;
    }
    def.position = lane_point(lane, lane->end + 32, 16);
    stage_add_def(stage, "crate", def);
    def.position = lane_point(lane, 240, -8);
    if (lane->sprite[0] == 'b')
        stage_add_def(stage, lane->sprite, def);
    else
        stage_add_static(stage, lane->sprite, lane->top.x, lane->top.y);
}

struct memory {
    pv_body_id balls[LANES], markers[LANES];
    /// Speed on the flat [px/s]
    double speed;
    int frame;
};

/// Creates the ball of a lane and its marker in place of those of the last round.
static void add_ball(struct stage *stage, struct memory *memory, int which) {
    const struct lane *lane = &lanes[which];
    if (memory->frame > 0) {
        pv_body_destroy(stage->world, memory->balls[which]);
        pv_body_destroy(stage->world, memory->markers[which]);
    }
    pv_body_def def = pv_body_def_default();
    double speed = lane->speed > 0 ? memory->speed : 0;
    def.angle = lane->angle;
    def.velocity.x = speed;
    def.angular_velocity = speed / radius;
    def.restitution = 0;
    def.position = lane_point(lane, start, radius + air);
    memory->balls[which] = stage_add_def(stage, "ball", def);
    def.type = PV_BODY_KINEMATIC;
    def.angular_velocity = 0;
    def.position = lane_point(lane, start, marker_height);
    memory->markers[which] = stage_add_def(stage, "marker", def);
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_PAPER;
    if (!memory) return;
    memory->speed =
        floor(stage_add_setup_knob(stage, "flat [px/s]", 0, 400, lanes[FLAT].speed) + .5);
    for (int i = 0; i < LANES; i++) {
        add_slope(stage, &lanes[i]);
        add_ball(stage, memory, i);
        pv_vec2 at = lane_point(&lanes[i], 240, 80);
        stage_add_label(stage, at.x, at.y, lanes[i].label);
    }
    snprintf(stage->labels[FLAT].text, sizeof stage->labels[FLAT].text, "flat, %.0f px/s",
             memory->speed);
    stage_add_label(stage, 640, 24, "yellow: the formula's place");
    stage_add_fence(stage, 720);
}

/// Gives a marker the mean velocity of the coming step, or the velocity that takes it to its end.
static void drive(pv_world *world, pv_body_id marker, const struct lane *lane) {
    pv_vec2 v = pv_body_get_velocity(world, marker), at = pv_body_get_position(world, marker);
    pv_vec2 end = lane_point(lane, lane->end, marker_height);
    pv_rotation r = pv_rotation_from_angle(lane->angle);
    double gain = pv_world_get_gravity(world).y * r.s * 2 / 3 * SCENE_STEP,
           speed = v.x * r.c + v.y * r.s;
    double most = ((end.x - at.x) * r.c + (end.y - at.y) * r.s) / SCENE_STEP;
    speed += speed == 0 ? gain / 2 : gain;
    if (speed > most) speed = most;
    pv_body_set_velocity(world, marker, (pv_vec2){speed * r.c, speed * r.s});
}

/// Drives the markers, and begins again when all balls have arrived.
static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    memory->frame++;
    for (int i = 0; i < LANES; i++) {
        if (memory->frame % ROUND == 0) add_ball(stage, memory, i);
        drive(stage->world, memory->markers[i], &lanes[i]);
    }
}

const struct scene scene_roll = {"roll", "balls on slopes beside what the formula says", setup,
                                 update};
