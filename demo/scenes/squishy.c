/* squishy.c - sprites made of jelly fall on steps and on each other.
 *
 * Invariant: there are at most MOST; the next one replaces the oldest.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

enum { STEPS = 6, SPRITES = 8, MOST = 16, EVERY = 40 };

struct jellies {
    pv_composite_id all[MOST];
    int frame;
};

static const char *const sprites[SPRITES] = {"rock_medium", "gear", "star",     "letter_c",
                                             "ring",        "ship", "letter_l", "ball"};

/// Returns the top of step i, which is 96 px wide. The steps go down to the right.
static double top_of(int step) { return 216 + 18 * step; }

static pv_composite_id drop_jelly(struct stage *stage, int step, const char *sprite) {
    pv_jelly_def def = pv_jelly_def_default();
    def.mask = stage_mask_of(stage, sprite);
    def.position = (pv_vec2){80 + 96 * step, top_of(step) - stage_uniform(stage, 110, 150)};
    def.angle = stage_uniform(stage, -0.3, 0.3);
    def.restitution = 0;
    def.static_friction = def.friction = 1;
    pv_composite_id made = pv_jelly_create(stage->world, &def, NULL);
    stage_paint(stage, made, (struct stage_paint){.picture = sprite});
    return made;
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    for (int i = 0; i < STEPS; i++) {
        pv_body_id step = stage_add_static(stage, "abutment", 32 + 96 * i, top_of(i));
        stage_set_surface(stage->world, step, 0, 1, 1);
    }
    stage_add_static(stage, "floor", -320, 344);
}

/// Drops six jellies at once, one for each step, and then one after the other.
static void update(struct stage *stage) {
    struct jellies *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    int frame = it->frame++;
    for (int i = 0; frame == 0 && i < STEPS; i++) it->all[i] = drop_jelly(stage, i, sprites[i]);
    if (frame == 0 || frame % EVERY > 0) return;
    int next = frame / EVERY + STEPS - 1;
    pv_composite_id *place = &it->all[next % MOST];
    if (pv_composite_is_valid(stage->world, *place)) pv_composite_destroy(stage->world, *place);
    *place = drop_jelly(stage, (int)stage_uniform(stage, 0, STEPS), sprites[next % SPRITES]);
}

const struct scene scene_squishy = {"squishy", "sprites of jelly fall on steps and on each other",
                                    setup, update};
