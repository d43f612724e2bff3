/* ragdolls.c - ragdolls tumble over wheels and pegs down onto stairs.
 *
 * Invariant: one falls after the other, from random places; there are never more than ten.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

enum { DOLLS = 10, PAUSE = 45, BONES = 16 };

static const uint32_t colors[] = {0xd05838ff, 0x3878c0ff, 0x58a048ff, 0xc09030ff, 0x8858a8ff};

struct crowd {
    pv_composite_id dolls[DOLLS];
    int frame;
};

static pv_composite_id add_doll(struct stage *stage, int which) {
    pv_ragdoll_def def = pv_ragdoll_def_default();
    def.position = (pv_vec2){stage_uniform(stage, 180, 460), -70};
    pv_composite_id doll = pv_ragdoll_create(stage->world, &def, NULL);
    uint32_t color = colors[which % 5];
    stage_paint(stage, doll, (struct stage_paint){.stroke = color, .dot = color, .strokes = BONES});
    return doll;
}

/// Creates a wheel that turns at its own pace.
static void add_wheel(struct stage *stage, const char *sprite, double x, double y, double spin) {
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = (pv_vec2){x, y};
    def.angular_velocity = spin;
    stage_add_def(stage, sprite, def);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    add_wheel(stage, "gear", 220, 110, 2);
    add_wheel(stage, "gear", 420, 110, -2);
    add_wheel(stage, "star", 320, 170, 1);
    for (int i = 0; i < 6; i++) stage_add_static(stage, "peg", 72 + 96 * i, 216);
    stage_add_static(stage, "stairs", 0, 264);
    stage_add_static(stage, "floor", -320, 344);
    stage_add_fence(stage, 360);
}

static void update(struct stage *stage) {
    struct crowd *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    int which = it->frame / PAUSE, place = which % DOLLS;
    if (it->frame++ % PAUSE != 0) return;
    if (which >= DOLLS) pv_composite_destroy(stage->world, it->dolls[place]);
    it->dolls[place] = add_doll(stage, which);
}

const struct scene scene_ragdolls = {"ragdolls", "ragdolls fall over wheels and stairs", setup,
                                     update};
