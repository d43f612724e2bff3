/* test_scenes.c - every scene of the demo, played without a window.
 *
 * Invariant: checks concern the visible part of a scene: bodies stay in sight, come to rest, and
 * share no pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "stage/scene.h"
#include "stage/stage.h"
#include "viewer/viewer.h"

#define MOST 512

static struct stage *play(const struct scene *scene, uint64_t seed, int frames) {
    struct stage *stage = scene_start(scene, seed);
    ck_assert_ptr_null(stage_error(stage));
    for (int i = 0; i < frames; i++) {
        scene_update(scene, stage);
        step_well(stage->world, SCENE_STEP);
    }
    return stage;
}

/// Returns where the dynamic bodies are.
static int places_of(const struct stage *stage, pv_vec2 *places) {
    int n = 0;
    for (pv_body_id b = {0, 0};
         n < MOST && stage_is_body(b = pv_world_get_next_body(stage->world, b));)
        if (pv_body_get_type(stage->world, b) == PV_BODY_DYNAMIC)
            places[n++] = pv_body_get_position(stage->world, b);
    return n;
}

/// Returns how many dynamic bodies of a heap move by more than 1 px in its tenth second.
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
    ck_assert_int_le(pv_world_compute_overlap_area(stage->world),
                     pv_world_get_stats(stage->world).contacts);
    stage_destroy(stage);
    return moving;
}

/* A ball may roll in its bowl: 7 bodies of 48 heaps do. */
START_TEST(the_heap_comes_to_rest) {
    int moving = 0;
    uint64_t last = last_seed(8);
    for (uint64_t seed = 1; seed <= last; seed++) moving += restless(seed);
    ck_assert_int_le(moving, (int)(last + 1) / 2);
}

START_TEST(another_seed_gives_another_hash) {
    struct stage *a = play(scene_find("drop"), 1, 30), *b = play(scene_find("drop"), 2, 30);
    ck_assert(pv_world_compute_hash(a->world) != pv_world_compute_hash(b->world));
    stage_destroy(a);
    stage_destroy(b);
}

START_TEST(every_kernel_gives_the_same_hash) {
    const char *const kernels[] = {"generic", "avx2", "avx512"};
    for (int i = 0; scene_at(i); i++) {
        uint64_t wanted = 0;
        for (int k = 0; k < 3; k++) {
            if (pv_kernel_select(kernels[k]) != PV_OK) continue; /* this CPU lacks it */
            struct stage *stage = play(scene_at(i), 3, 60);
            uint64_t hash = pv_world_compute_hash(stage->world);
            if (k == 0) wanted = hash;
            ck_assert_msg(hash == wanted, "%s by %s", scene_at(i)->name, kernels[k]);
            stage_destroy(stage);
        }
    }
    ck_assert_int_eq(pv_kernel_select(NULL), PV_OK);
}

/* ---- carving ---- */

/// Pixels of a body's picture that show though they are not solid, or the other way round.
static int64_t wrong_pixels(const struct stage *stage, pv_body_id body) {
    const struct sprite *sprite = stage_sprite_of(stage, body);
    const pv_mask *mask = pv_body_get_mask(stage->world, body);
    int64_t wrong = 0;
    ck_assert_ptr_nonnull(sprite);
    ck_assert_int_eq(sprite->image->width, pv_mask_get_width(mask));
    ck_assert_int_eq(sprite->image->height, pv_mask_get_height(mask));
    const unsigned char *texel = sprite->image->pixels;
    for (int y = 0; y < pv_mask_get_height(mask); y++)
        for (int x = 0; x < pv_mask_get_width(mask); x++, texel += 4)
            wrong += (texel[3] >= 128) != pv_mask_get_pixel(mask, x, y);
    return wrong;
}

/// Plays, with pictures that follow; every so often each body that can be carved is looked at.
/// Returns how many fell off.
static int check_pictures(const char *name, int frames) {
    const struct scene *scene = scene_find(name);
    struct stage *stage = scene_start(scene, 1);
    int fell = 0, looked_at = 0;
    ck_assert_ptr_null(stage_error(stage));
    for (int i = 1; i <= frames; i++) {
        scene_update(scene, stage);
        step_well(stage->world, SCENE_STEP);
        stage_follow(stage);
        fell += pv_world_get_events(stage->world).split_count;
        if (i % 60 != 0) continue;
        for (pv_body_id b = {0, 0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));) {
            if (!(pv_body_get_filter(stage->world, b).category_bits & STAGE_SOFT)) continue;
            ck_assert_int_eq(wrong_pixels(stage, b), 0);
            looked_at++;
        }
    }
    ck_assert_int_gt(looked_at, 0);
    stage_destroy(stage);
    return fell;
}

START_TEST(what_is_carved_shows_its_solid_pixels) {
    ck_assert_int_gt(check_pictures("dig", 900), 2);
    ck_assert_int_gt(check_pictures("shatter", 420), 40);
    ck_assert_int_gt(check_pictures("sawmill", 900), 2);
    ck_assert_int_gt(check_pictures("castle", 1200), 0);
}

static uint32_t texel_at(const pv_image *image, int x, int y) {
    const unsigned char *t = image->pixels + 4 * (y * image->width + x);
    return (uint32_t)t[0] << 24 | (uint32_t)t[1] << 16 | (uint32_t)t[2] << 8 | t[3];
}

/// A picture of which each texel says where it was.
static pv_image *chart(int width, int height) {
    pv_image *image = pv_image_create(width, height, NULL, NULL);
    ck_assert_ptr_nonnull(image);
    for (int i = 0; i < width * height; i++) {
        const unsigned char texel[4] = {(unsigned char)(i % width), (unsigned char)(i / width), 7,
                                        255};
        memcpy(image->pixels + 4 * i, texel, 4);
    }
    return image;
}

/// Cuts a body at a column of its picture.
static void cut_at(struct stage *stage, pv_body_id body, int column, int height) {
    pv_cut cut = pv_cut_box((pv_vec2){column, -1}, (pv_vec2){column + 1, height + 1});
    cut.local = true;
    ck_assert_int_eq(pv_body_carve(stage->world, body, &cut, NULL), PV_OK);
}

/// A bar is cut into three within a step, the second time through what fell off the first.
START_TEST(a_part_of_a_part_shows_what_it_showed) {
    enum { WIDE = 200, HIGH = 20, LEFT = 110, RIGHT = 40 };
    struct stage *stage = stage_create(1);
    pv_body_def def = pv_body_def_default();
    pv_body_id bar = stage_put(stage, stage_keep(stage, "bar", chart(WIDE, HIGH), NULL), def),
               parts[3];
    pv_world_step(stage->world, SCENE_STEP);
    cut_at(stage, bar, LEFT, HIGH); /* the right part falls off: 111...199 */
    pv_body_id right = pv_world_get_next_body(stage->world, bar);
    cut_at(stage, right, RIGHT, HIGH); /* and of that 111...150 */
    pv_world_step(stage->world, SCENE_STEP);
    ck_assert_int_eq(pv_world_get_events(stage->world).split_count, 2);
    stage_follow(stage);
    int firsts[3], count = 0;
    for (pv_body_id b = {0, 0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));
         count++) {
        ck_assert_int_lt(count, 3);
        parts[count] = b;
        ck_assert_int_eq(wrong_pixels(stage, b), 0);
        const pv_image *image = stage_sprite_of(stage, b)->image;
        pv_rect box = pv_mask_compute_bounds(pv_body_get_mask(stage->world, b));
        int x = box.x + box.w / 2, y = box.h / 2; /* off the rims, which are darker */
        firsts[count] = (int)(texel_at(image, x, y) >> 24) - box.w / 2;
        ck_assert_uint_eq(texel_at(image, x, y) & 0xffffff, (uint32_t)y << 16 | 7u << 8 | 255u);
    }
    ck_assert_int_eq(count, 3);
    ck_assert(PV_ID_EQUALS(parts[0], bar));
    ck_assert_int_eq(firsts[0], 0);
    ck_assert_int_eq(firsts[1] + firsts[2], LEFT + 1 + LEFT + 1 + RIGHT + 1);
    stage_destroy(stage);
}

/// Returns the number of solid pixels of carvable bodies.
static int64_t soft_pixels(const struct stage *stage) {
    int64_t pixels = 0;
    for (pv_body_id b = {0, 0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));)
        if (pv_body_get_filter(stage->world, b).category_bits & STAGE_SOFT)
            pixels += pv_mask_count_pixels(pv_body_get_mask(stage->world, b));
    return pixels;
}

/// Leads the cursor through the ground for some steps. Exactly the swept pixels must be gone, and
/// no more after the release.
START_TEST(the_right_button_digs) {
    enum { WIDTH = 1280, HEIGHT = 720 };
    struct viewer viewer;
    ck_assert_int_eq(viewer_open(&viewer, scene_find("dig"), 1, NULL, 0), EXIT_SUCCESS);
    viewer_resize(&viewer, WIDTH, HEIGHT); /* a pixel of the canvas is one of the world */
    int64_t before = soft_pixels(viewer.stage);
    viewer.cursor = (pv_vec2){420, 600};
    ck_assert_ptr_nonnull(stage_sprite_of(
        viewer.stage, pv_world_pick_body(viewer.stage->world, (pv_vec2){470, 600})));
    viewer_bite(&viewer);
    viewer.cursor.x = 520;
    viewer_advance(&viewer, SCENE_STEP * 1.5);
    int64_t after = soft_pixels(viewer.stage);
    double swept = 100 * 2 * viewer.stage->spade + 3.15 * viewer.stage->spade * viewer.stage->spade;
    ck_assert_double_gt((double)(before - after), swept * .5); /* caves are there */
    ck_assert_double_le((double)(before - after), swept * 1.01);
    ck_assert(!stage_is_body(pv_world_pick_body(viewer.stage->world, (pv_vec2){470, 600})));
    viewer_stop_biting(&viewer);
    viewer.cursor.x = 700;
    viewer_advance(&viewer, SCENE_STEP);
    ck_assert_int_eq(soft_pixels(viewer.stage), after);
    viewer_close(&viewer);
}

START_TEST(what_comes_back_is_seen_again) {
    struct stage *stage = stage_create(1);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    const struct sprite *sprite = stage_keep(stage, "bar", chart(60, 60), NULL);
    pv_body_id one = stage_put(stage, sprite, def);
    def.position.x = 500;
    pv_body_id other = stage_put(stage, sprite, def);
    pv_cut cut = pv_cut_circle((pv_vec2){30, 30}, 12);
    cut.local = true;
    for (int i = 0; i < 2; i++) {
        cut.add = i == 1;
        ck_assert_int_eq(pv_body_carve(stage->world, one, &cut, NULL), PV_OK);
        pv_world_step(stage->world, SCENE_STEP);
        stage_follow(stage);
        ck_assert_int_eq(wrong_pixels(stage, one), 0);
        ck_assert_int_eq(texel_at(stage_sprite_of(stage, one)->image, 30, 30) & 255,
                         i == 0 ? 0 : 254);
    }
    ck_assert_uint_eq(texel_at(stage_sprite_of(stage, one)->image, 30, 30) >> 8,
                      30u << 16 | 30u << 8 | 7u);
    ck_assert_ptr_eq(stage_sprite_of(stage, other), sprite);
    stage_destroy(stage);
}

/// Returns the widest gap of a hinge [px].
static double widest_hinge(const pv_world *w) {
    double widest = 0;
    for (pv_joint_id c = pv_world_get_next_joint(w, (pv_joint_id){0, 0}); c.index;
         c = pv_world_get_next_joint(w, c)) {
        pv_anchor p[2];
        if (pv_joint_get_type(w, c) != PV_JOINT_PIN) continue;
        ck_assert_int_eq(pv_joint_get_anchors(w, c, p), PV_OK);
        widest = fmax(widest, hypot(p[1].point.x - p[0].point.x, p[1].point.y - p[0].point.y));
    }
    return widest;
}

/// Expects all bodies at finite places.
static void expect_finite(const struct stage *stage) {
    for (pv_body_id b = {0, 0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));) {
        pv_vec2 at = pv_body_get_position(stage->world, b);
        ck_assert(isfinite(at.x) && isfinite(at.y) && isfinite(pv_body_get_angle(stage->world, b)));
    }
}

/// Marks the free pixels that are connected with a pixel, beside and above each other.
static void flood(const pv_mask *mask, bool *marks, int x, int y) {
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask), count = 0;
    int *stack = malloc((size_t)w * (size_t)h * 4 * sizeof *stack);
    stack[count++] = y * w + x;
    while (count > 0) {
        int at = stack[--count], u = at % w, v = at / w;
        if (marks[at] || pv_mask_get_pixel(mask, u, v)) continue;
        marks[at] = true;
        if (u > 0) stack[count++] = at - 1;
        if (u + 1 < w) stack[count++] = at + 1;
        if (v > 0) stack[count++] = at - w;
        if (v + 1 < h) stack[count++] = at + w;
    }
    free(stack);
}

/// Returns the body of a scene whose picture has a name.
static pv_body_id find_named(const struct stage *stage, const char *name) {
    for (pv_body_id b = {0, 0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));) {
        const struct sprite *sprite = stage_sprite_of(stage, b);
        if (sprite && strcmp(sprite->path, name) == 0) return b;
    }
    return (pv_body_id){0, 0};
}

/// Counts the grains that are neither in marked pixels of a body nor within 1 px of one.
static int count_outside(const struct stage *stage, pv_body_id body, const bool *marks) {
    const pv_mask *mask = pv_body_get_mask(stage->world, body);
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask), count = 0;
    pv_grains_view view = pv_grains_get_view(stage->world, stage->grains);
    for (int i = 0; i < view.count; i++) {
        if (view.y[i] == PV_GRAIN_NONE) continue;
        pv_vec2 p = {view.x[i] / 65536.0, view.y[i] / 65536.0};
        p = pv_body_to_local(stage->world, body, p);
        bool inside = false;
        for (int k = 0; k < 9; k++) {
            int x = (int)floor(p.x) + k % 3 - 1, y = (int)floor(p.y) + k / 3 - 1;
            inside |= x >= 0 && y >= 0 && x < w && y < h && marks[y * w + x];
        }
        count += !inside;
    }
    return count;
}

/// Turns the hourglass once, or twice where all is asked for.
START_TEST(the_hourglass_keeps_its_grains) {
    const struct scene *scene = scene_find("hourglass");
    struct stage *stage = play(scene, 1, 1);
    pv_body_id glass = find_named(stage, "hourglass");
    const pv_mask *mask = pv_body_get_mask(stage->world, glass);
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask), turns = 0,
        wanted = (int)last_seed(2);
    bool *marks = calloc((size_t)w * (size_t)h, sizeof *marks), turned = false;
    flood(mask, marks, w / 2, h / 4);
    ck_assert(marks[3 * h / 4 * w + w / 2]);
    int grains = pv_grains_get_stats(stage->world, stage->grains).grains;
    for (int i = 0; i < 6000 && turns < wanted; i++) {
        scene_update(scene, stage);
        step_well(stage->world, SCENE_STEP);
        bool turns_now = pv_body_get_angular_velocity(stage->world, glass) > 1e-6;
        turns += turned && !turns_now;
        turned = turns_now;
    }
    ck_assert_int_eq(turns, wanted);
    ck_assert_int_eq(count_outside(stage, glass, marks), 0);
    ck_assert_int_eq(pv_grains_get_stats(stage->world, stage->grains).grains, grains);
    free(marks);
    stage_destroy(stage);
}

/// Three times the gravity, in steps twice as long; after a second all hinges are closed.
/// SOAK_STEPS asks for more steps.
START_TEST(nothing_comes_apart_under_strain) {
    const char *asked = getenv("SOAK_STEPS");
    int steps = asked ? atoi(asked) : 90;
    for (int i = 0; scene_at(i); i++) {
        struct stage *stage = scene_start(scene_at(i), 1);
        pv_vec2 g = pv_world_get_gravity(stage->world);
        if (g.y != 0)
            ck_assert_int_eq(pv_world_set_gravity(stage->world, (pv_vec2){g.x, 980}), PV_OK);
        for (int k = 0; k < steps; k++) {
            scene_update(scene_at(i), stage);
            step_well(stage->world, 2 * SCENE_STEP);
            double gap = widest_hinge(stage->world);
            ck_assert_msg(k < 30 || gap < 1, "%s: a hinge of %g px after %d steps",
                          scene_at(i)->name, gap, k);
        }
        expect_finite(stage);
        stage_destroy(stage);
    }
}

RUN_TESTS("scenes")
