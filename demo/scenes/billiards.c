/* billiards.c - a table from above: the cue ball breaks the rack.
 *
 * Invariant: there is no gravity; the felt alone slows the balls, all at the same rate.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

static const double half_turn = 3.14159265358979323846;

/// Share of its speed that a ball loses to the felt [1/s]
static const double felt = .35;

static const char *const balls[] = {"ball_1", "ball_2", "ball_3", "ball_4", "ball_5", "ball_6"};

static void set_material(struct stage *stage, pv_body_id body) {
    stage_set_surface(stage->world, body, .95, .05, .05);
}

/// Creates a plank of cushion at its middle.
static void add_cushion(struct stage *stage, double x, double y, double angle) {
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){x, y};
    def.angle = angle;
    set_material(stage, stage_add_def(stage, "plank", def));
}

/// Creates the table. Planks overlap at their ends, so balls find no gap.
static void add_table(struct stage *stage) {
    for (int i = 0; i < 7; i++) {
        add_cushion(stage, 68 + 84 * i, 30, 0);
        add_cushion(stage, 68 + 84 * i, 330, half_turn);
    }
    for (int i = 0; i < 4; i++) {
        add_cushion(stage, 26, 72 + 72 * i, -half_turn / 2);
        add_cushion(stage, 614, 72 + 72 * i, half_turn / 2);
    }
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    stage->backdrop = STAGE_FELT;
    pv_world_set_gravity(stage->world, (pv_vec2){0, 0});
    add_table(stage);
    for (int row = 0; row < 5; row++)
        for (int i = 0; i <= row; i++) {
            const char *ball = balls[stage_pick(stage, 6)];
            set_material(stage,
                         stage_add(stage, ball, 400 + 22 * row, 180 + 25 * (i - row / 2.0), 0));
        }
    pv_body_id cue = stage_add(stage, "ball_cue", 140, 180 + stage_uniform(stage, -6, 6), 0);
    set_material(stage, cue);
    pv_body_set_velocity(stage->world, cue, (pv_vec2){800, 0});
}

static void update(struct stage *stage) {
    pv_world *world = stage->world;
    for (pv_body_id body = {0}; stage_is_body(body = pv_world_get_next_body(world, body));) {
        if (!pv_body_is_awake(world, body)) continue;
        double brake = -felt * pv_body_get_mass(world, body);
        pv_vec2 v = pv_body_get_velocity(world, body);
        pv_body_apply_force(world, body, (pv_vec2){brake * v.x, brake * v.y});
        pv_body_apply_torque(world, body,
                             -felt * pv_body_get_inertia(world, body) *
                                 pv_body_get_angular_velocity(world, body));
    }
}

const struct scene scene_billiards = {"billiards", "from above: the cue ball breaks the rack",
                                      setup, update};
