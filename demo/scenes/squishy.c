/* squishy.c - sprites made of jelly fall into a stepped basin, and squeeze each other.
 *
 * Invariant: there are at most MOST; the next one replaces the oldest. Each begins above all
 * others.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

enum { STEPS = 6, SPRITES = 8, MOST = 18, EVERY = 45 };

struct jellies {
    pv_composite_id all[MOST];
    /// Steps so far and since the last jelly, and number of jellies
    int frame, waited, made;
};

static const char *const sprites[SPRITES] = {"rock_medium", "gear", "star",     "letter_c",
                                             "ring",        "ship", "letter_l", "ball"};

/// Tops of the steps, which are 96 px wide [px]
static const double tops[STEPS] = {216, 262, 304, 304, 262, 216};

/// Place of new jellies above the view [px]
static const double sky = -50;

static pv_composite_id drop_jelly(struct stage *stage, pv_vec2 at, const char *sprite) {
    pv_jelly_def def = pv_jelly_def_default();
    def.mask = stage_mask_of(stage, sprite);
    def.position = at;
    def.angle = stage_uniform(stage, -0.3, 0.3);
    def.restitution = 0;
    def.static_friction = def.friction = .3;
    pv_composite_id made = pv_jelly_create(stage->world, &def, NULL);
    stage_paint(stage, made, (struct stage_paint){.picture = sprite});
    return made;
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    stage->backdrop = STAGE_BOARDS;
    stage_add_knob(stage, "steps per jelly", 30, 300, EVERY);
    for (int i = 0; i < STEPS; i++) stage_add_static(stage, "abutment", 32 + 96 * i, tops[i]);
    stage_add_static(stage, "floor", -320, 344);
    stage_add_fence(stage, 360);
}

/// Drops a jelly on each step at once, and then one after the other.
static void update(struct stage *stage) {
    struct jellies *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    int frame = it->frame++;
    for (int i = 0; frame == 0 && i < STEPS; i++)
        it->all[i] = drop_jelly(stage, (pv_vec2){80 + 96 * i, tops[i] - 130}, sprites[i]);
    if (frame == 0 || ++it->waited < stage_knob_count(stage, 0)) return;
    int next = STEPS + it->made++;
    it->waited = 0;
    pv_composite_id *place = &it->all[next % MOST];
    if (pv_composite_is_valid(stage->world, *place)) pv_composite_destroy(stage->world, *place);
    pv_vec2 at = {stage_uniform(stage, 150, 490), sky};
    *place = drop_jelly(stage, at, sprites[next % SPRITES]);
}

const struct scene scene_squishy = {"squishy", "sprites of jelly squeeze each other in a basin",
                                    setup, update};
