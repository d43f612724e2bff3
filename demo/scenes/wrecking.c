/* wrecking.c - a wrecking ball on a chain of hinged sprites against a wall of crates.
 *
 * Invariant: links touch all bodies except their neighbors, to which bolts pin them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#define LINKS 30
#define COLUMNS 6
#define ROWS 9

/// Distance between the bolts of a link, and from the middle of the ball to its bolt [px]
static const double pitch = 14, eye = 30;

/// Masses of the ball, and of a link: 1000 to 1
static const double ball_mass = 20000, link_mass = 20;

static const pv_vec2 pivot = {560, 84};

/// Returns the point at a distance along the chain, which starts straight.
static pv_vec2 along(double way) {
    pv_rotation r = pv_rotation_from_angle(2.9);
    return (pv_vec2){pivot.x + r.c * way, pivot.y + r.s * way};
}

static void pin(struct stage *stage, pv_body_id a, pv_body_id b, pv_vec2 point) {
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_PIN;
    def.a = pv_anchor_body(a, point);
    def.b = pv_anchor_body(b, point);
    pv_joint_create(stage->world, &def, NULL);
}

static pv_body_id add_link(struct stage *stage, double way) {
    pv_body_def def = pv_body_def_default();
    def.position = along(way);
    def.angle = 2.9;
    def.mass = link_mass;
    return stage_add_def(stage, "link", def);
}

static pv_body_id add_ball(struct stage *stage, double way) {
    pv_body_def def = pv_body_def_default();
    def.position = along(way);
    def.mass = ball_mass;
    def.restitution = 0;
    return stage_add_def(stage, "wrecker", def);
}

static void add_chain(struct stage *stage) {
    pv_body_id last = stage_add_static(stage, "peg", pivot.x - 8, pivot.y - 8);
    for (int i = 0; i < LINKS; i++) {
        pv_body_id next = add_link(stage, pitch * (i + 0.5));
        pin(stage, last, next, along(pitch * i));
        last = next;
    }
    pin(stage, last, add_ball(stage, pitch * LINKS + eye), along(pitch * LINKS));
}

/// Creates a row of crates, or of boxes that are twice as wide and bind them.
static void add_row(struct stage *stage, int row, bool wide) {
    double size = wide ? 64 : 32, top = 688 - 32 * (row + 1);
    for (int i = 0; i < (wide ? COLUMNS / 2 : COLUMNS); i++)
        stage_add_upright(stage, wide ? "box_plain" : "crate", 620 + size * i, top);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 1280, 720);
    stage_add_static(stage, "floor", 0, 688);
    stage_add_fence(stage, 720);
    add_chain(stage);
    for (int row = 0; row < ROWS; row++) add_row(stage, row, row % 3 == 2);
}

const struct scene scene_wrecking = {"wrecking", "a wrecking ball on a chain of hinged sprites",
                                     setup, NULL};
