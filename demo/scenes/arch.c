/* arch.c - seventeen stones lean on each other over a gap, and carry four crates.
 *
 * Invariant: each stone is drawn for its place and begins there. Stones share no pixel and leave no
 * pixel between them empty.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include <stdio.h>

#define STONES 17

/// Upper left corners about the middle of the springing line, where make_sprites.py cuts the stones
/// [px]
static const struct {
    short left, top;
} places[STONES] = {
    {-378, -69},  {-372, -136}, {-352, -199}, {-321, -254}, {-279, -301}, {-228, -338},
    {-168, -364}, {-103, -376}, {-35, -376},  {29, -376},   {86, -364},   {140, -338},
    {189, -301},  {232, -254},  {267, -199},  {293, -136},  {309, -69},
};

/// Middle of the springing line [px]
static const pv_vec2 middle = {640, 560};

static void set_material(struct stage *stage, pv_body_id body) {
    stage_set_surface(stage->world, body, 0, .6, .6);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 1280, 720);
    stage_add_static(stage, "floor", 0, 688);
    stage_add_fence(stage, 720);
    set_material(stage, stage_add_static(stage, "abutment", middle.x - 394, middle.y));
    set_material(stage, stage_add_static(stage, "abutment", middle.x + 298, middle.y));
    for (int i = 0; i < STONES; i++) {
        char name[24];
        snprintf(name, sizeof name, "arch_%d", i + 1);
        set_material(stage, stage_add_upright(stage, name, middle.x + places[i].left,
                                              middle.y + places[i].top));
    }
    double crown = middle.y + places[STONES / 2].top;
    for (int i = 0; i < 4; i++)
        stage_add(stage, "crate", middle.x - 16.5 + 33 * (i % 2), crown - 16 - 32 * (i / 2), 0);
}

const struct scene scene_arch = {"arch", "seventeen stones carry each other and four crates", setup,
                                 NULL};
