/* played.h - shared by the suites of scenes: the scene of the running test, without a window.
 *
 * Invariant: a test that includes this ends with finish().
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PLAYED_H
#define PLAYED_H

#include "support.h"

#include "stage/scene.h"
#include "stage/stage.h"

/// Scene of the test, the last one that was started
static const struct scene *scene;
static struct stage *stage;
static pv_world *world;

static inline void play_on(const struct scene *which, struct stage *its_stage, int frames) {
    for (int i = 0; i < frames; i++) {
        scene_update(which, its_stage);
        step_well(its_stage->world, SCENE_STEP);
    }
}

static inline void run(int frames) { play_on(scene, stage, frames); }

static inline void finish(void) {
    if (stage) stage_destroy(stage);
    stage = NULL;
}

static inline void start_with(const char *name, uint64_t seed, int substeps) {
    finish();
    scene = scene_find(name);
    stage = scene_start_with(scene, seed, (struct stage_rules){.substeps = substeps}, NULL);
    ck_assert_ptr_null(stage_error(stage));
    world = stage->world;
}

static inline void start(const char *name, uint64_t seed) { start_with(name, seed, 0); }
static inline pv_vec2 place_of(pv_body_id body) { return pv_body_get_position(world, body); }

/// Returns the next dynamic body after a body.
static inline pv_body_id next_moving(pv_body_id b) {
    do b = pv_world_get_next_body(world, b);
    while (stage_is_body(b) && pv_body_get_type(world, b) != PV_BODY_DYNAMIC);
    return b;
}

/// Tells whether the path of a body's sprite ends with a name.
static inline bool is_named(pv_body_id body, const char *name) {
    const struct sprite *sprite = stage_sprite_of(stage, body);
    size_t length = sprite ? strlen(sprite->path) : 0, tail = strlen(name);
    return length >= tail && strcmp(sprite->path + length - tail, name) == 0;
}

static inline pv_body_id next_named(pv_body_id b, const char *name) {
    do b = pv_world_get_next_body(world, b);
    while (stage_is_body(b) && !is_named(b, name));
    return b;
}

static inline pv_body_id find_body(const char *name) { return next_named((pv_body_id){0}, name); }

static inline int places_of(pv_vec2 *places, int capacity) {
    int count = 0;
    for (pv_body_id b = {0}; count < capacity && stage_is_body(b = next_moving(b));)
        places[count++] = place_of(b);
    return count;
}

#endif
