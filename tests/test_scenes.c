/* test_scenes.c - every scene of the demo, played without a window.
 *
 * Invariant: what is asked of a scene is what a player would see: things stay in sight, come to rest, and do not
 * share pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "../demo/scene.h"
#include "../demo/stage.h"

#define MOST 512

static struct stage *play(const struct scene *scene, uint64_t seed, int frames) {
    struct stage *stage = scene_start(scene, seed);
    ck_assert_ptr_null(stage_error(stage));
    for (int i = 0; i < frames; i++) {
        scene_update(scene, stage);
        ck_assert_uint_eq(pv_world_step(stage->world, SCENE_STEP), 0);
    }
    return stage;
}

/// Where the dynamic bodies are.
static int places_of(const struct stage *stage, pv_vec2 *places) {
    int n = 0;
    for (pv_body b = {0, 0}; n < MOST && stage_is_body(b = pv_world_next_body(stage->world, b));)
        if (pv_body_get_type(stage->world, b) == PV_BODY_DYNAMIC)
            places[n++] = pv_body_position(stage->world, b);
    return n;
}

/// How many dynamic bodies of a heap move by more than 1 px in its tenth second.
static int restless(uint64_t seed) {
    pv_vec2 early[MOST], late[MOST];
    struct stage *stage = play(scene_find("drop"), seed, 540);
    int n = places_of(stage, early), moving = 0;
    ck_assert_int_gt(n, 50);
    for (int i = 0; i < 60; i++) pv_world_step(stage->world, SCENE_STEP);
    ck_assert_int_eq(places_of(stage, late), n);
    for (int i = 0; i < n; i++) {
        moving += hypot(late[i].x - early[i].x, late[i].y - early[i].y) > 1;
        ck_assert_msg(late[i].x > 0 && late[i].x < 1280 && late[i].y < 720 && late[i].y > 0,
                      "seed %d: body %d left to %g, %g", (int)seed, i, late[i].x, late[i].y);
    }
    ck_assert_int_le(pv_world_overlap_area(stage->world), pv_world_get_stats(stage->world).contacts);
    stage_destroy(stage);
    return moving;
}

START_TEST(the_heap_comes_to_rest) {
    ck_assert_int_eq(restless(1), 0);
    for (uint64_t seed = 2; seed <= 8; seed++)
        ck_assert_int_le(restless(seed), 1); /* a ball may roll in its bowl */
}
END_TEST

START_TEST(the_same_seed_gives_the_same_hash) {
    for (int i = 0; scene_at(i); i++) {
        struct stage *a = play(scene_at(i), 7, 90), *b = play(scene_at(i), 7, 90);
        ck_assert_msg(pv_world_hash(a->world) == pv_world_hash(b->world), "%s", scene_at(i)->name);
        stage_destroy(a);
        stage_destroy(b);
    }
    struct stage *a = play(scene_find("drop"), 1, 30), *b = play(scene_find("drop"), 2, 30);
    ck_assert(pv_world_hash(a->world) != pv_world_hash(b->world));
    stage_destroy(a);
    stage_destroy(b);
}
END_TEST

START_TEST(every_kernel_gives_the_same_hash) {
    const char *const kernels[] = {"generic", "avx2", "avx512"};
    for (int i = 0; scene_at(i); i++) {
        uint64_t wanted = 0;
        for (int k = 0; k < 3; k++) {
            if (pv_kernel_force(kernels[k]) != PV_OK) continue; /* this CPU lacks it */
            struct stage *stage = play(scene_at(i), 3, 60);
            uint64_t hash = pv_world_hash(stage->world);
            if (k == 0) wanted = hash;
            ck_assert_msg(hash == wanted, "%s by %s", scene_at(i)->name, kernels[k]);
            stage_destroy(stage);
        }
    }
    ck_assert_int_eq(pv_kernel_force(NULL), PV_OK);
}
END_TEST

RUN_SUITE("scenes", the_heap_comes_to_rest, the_same_seed_gives_the_same_hash, every_kernel_gives_the_same_hash)
