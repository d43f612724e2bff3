/* hair.c - a hundred strands of hair on a head that moves and turns.
 *
 * Invariant: strands are pinned to pixels of the head, which alone drives them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

enum { STRANDS = 100 };

static const pv_vec2 middle = {160, 76};

/// Distance of the roots from the middle of the head [px], and angle from ear to ear [rad]
static const double scalp = 17.2, parting = 4.2;

/// Colors of the strands, from root to root
static const uint32_t colors[] = {0x5a3418ff, 0x6e4420ff, 0x7c5028ff, 0x4a2a14ff};

struct dancer {
    pv_body_id head;
    int frame;
};

static void add_strand(struct stage *stage, pv_body_id head, int which) {
    double angle = -1.5707963267948966 + parting * (which / (STRANDS - 1.0) - 0.5);
    double length = stage_uniform(stage, 36, 54);
    pv_rotation r = pv_rotation_from_angle(angle);
    pv_rope_def def = pv_rope_def_default();
    def.from = pv_anchor_body(head, (pv_vec2){middle.x + scalp * r.c, middle.y + scalp * r.s});
    def.to = pv_anchor_world(
        (pv_vec2){middle.x + (scalp + length) * r.c, middle.y + (scalp + length) * r.s});
    def.to_free = true;
    def.segments = 12;
    def.mass = 2;
    def.radius = 0.8;
    def.linear_damping = 2;
    def.bend_stiffness = 60;
    pv_composite_id strand = pv_rope_create(stage->world, &def, NULL);
    uint32_t color = colors[stage_pick(stage, 4)];
    stage_paint(stage, strand, (struct stage_paint){.stroke = color, .width = 1});
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 320, 180);
    stage_add_static(stage, "floor", -480, 164);
    struct dancer *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = middle;
    def.static_friction = def.friction = 0.2;
    it->head = stage_add_def(stage, "ball", def);
    for (int i = 0; i < STRANDS; i++) add_strand(stage, it->head, i);
}

/// Returns the place of the head at a time, and its angle.
static pv_vec2 dance(double time, double *angle) {
    double swell = time < 2 ? time / 2 : 1;
    *angle = 0.9 * swell * pv_rotation_from_angle(2.3 * time).s;
    return (pv_vec2){middle.x + 70 * swell * pv_rotation_from_angle(1.7 * time).s,
                     middle.y - 14 * swell * (1 - pv_rotation_from_angle(3.4 * time).c)};
}

static void update(struct stage *stage) {
    struct dancer *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    double angle, now = pv_body_get_angle(stage->world, it->head);
    pv_vec2 to = dance(++it->frame * SCENE_STEP, &angle),
            at = pv_body_get_position(stage->world, it->head);
    pv_vec2 velocity = {(to.x - at.x) / SCENE_STEP, (to.y - at.y) / SCENE_STEP};
    pv_body_set_velocity(stage->world, it->head, velocity);
    pv_body_set_angular_velocity(stage->world, it->head, (angle - now) / SCENE_STEP);
}

const struct scene scene_hair = {"hair", "a hundred strands on a head that dances", setup, update};
