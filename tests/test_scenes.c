/* test_scenes.c - every scene of the demo, played without a window.
 *
 * Invariant: checks concern what a viewer sees: bodies stay in sight, rest, and share no pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "played.h"

#include "viewer/viewer.h"

#define MOST 512

/// Returns how many dynamic bodies of a heap move by more than 1 px in its tenth second.
static int restless(uint64_t seed) {
    pv_vec2 early[MOST], late[MOST];
    start("drop", seed);
    run(540);
    int n = places_of(early, MOST), moving = 0;
    ck_assert_int_gt(n, 50);
    for (int i = 0; i < 60; i++) pv_world_step(world, SCENE_STEP);
    ck_assert_int_eq(places_of(late, MOST), n);
    for (int i = 0; i < n; i++) {
        moving += vec_distance(late[i], early[i]) > 1;
        ck_assert_msg(late[i].x > 0 && late[i].x < 1280 && late[i].y < 720 && late[i].y > 0,
                      "seed %d: body %d left to %g, %g", (int)seed, i, late[i].x, late[i].y);
    }
    ck_assert_int_le(pv_world_compute_overlap_area(world), pv_world_get_stats(world).contacts);
    return moving;
}

/* A ball may still roll in its bowl, as 7 bodies of 48 heaps do. */
START_TEST(the_heap_comes_to_rest) {
    int moving = 0;
    uint64_t last = last_seed(8);
    for (uint64_t seed = 1; seed <= last; seed++) moving += restless(seed);
    ck_assert_int_le(moving, (int)(last + 1) / 2);
}

static uint64_t hash_of(const char *name, uint64_t seed, int frames) {
    start(name, seed);
    run(frames);
    return pv_world_compute_hash(world);
}

START_TEST(another_seed_gives_another_hash) {
    ck_assert_uint_ne(hash_of("drop", 1, 30), hash_of("drop", 2, 30));
}

START_TEST(every_kernel_gives_the_same_hash) {
    const char *const kernels[] = {"generic", "avx2", "avx512"};
    for (int i = 0; scene_at(i); i++) {
        uint64_t wanted = 0;
        for (int k = 0; k < 3; k++) {
            if (pv_kernel_select(kernels[k]) != PV_OK) continue; /* this CPU lacks it */
            uint64_t hash = hash_of(scene_at(i)->name, 3, 30);
            if (k == 0) wanted = hash;
            ck_assert_msg(hash == wanted, "%s by %s", scene->name, kernels[k]);
        }
    }
    ck_assert_int_eq(pv_kernel_select(NULL), PV_OK);
}

/* ---- carving ---- */

/// Counts pixels of a body's picture that are drawn but not solid, or the other way round.
static int64_t wrong_pixels(pv_body_id body) {
    const struct sprite *sprite = stage_sprite_of(stage, body);
    const pv_mask *mask = pv_body_get_mask(world, body);
    int64_t wrong = 0;
    ck_assert_ptr_nonnull(sprite);
    ck_assert_mask_size(mask, sprite->image->width, sprite->image->height);
    const unsigned char *texel = sprite->image->pixels;
    for (int y = 0; y < pv_mask_get_height(mask); y++)
        for (int x = 0; x < pv_mask_get_width(mask); x++, texel += 4)
            wrong += (texel[3] >= 128) != pv_mask_get_pixel(mask, x, y);
    return wrong;
}

/// Plays a scene, and checks pictures of bodies at times. Returns how many parts fell off.
static int check_pictures(const char *name, int frames) {
    int fell = 0, looked_at = 0;
    start(name, 2);
    for (int i = 1; i <= frames; i++) {
        run(1);
        stage_follow(stage);
        fell += pv_world_get_events(world).split_count;
        if (i % 60 != 0) continue;
        for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(world, b));) {
            if (!(pv_body_get_filter(world, b).category_bits & STAGE_SOFT)) continue;
            ck_assert_int_eq(wrong_pixels(b), 0);
            looked_at++;
        }
    }
    ck_assert_int_gt(looked_at, 0);
    return fell;
}

START_TEST(what_is_carved_shows_its_solid_pixels) {
    static const struct {
        const char *scene;
        int frames, fell; /* more than fell fall off */
    } played[] = {{"dig", 1500, 4}, {"shatter", 300, 40}, {"sawmill", 600, 2}, {"castle", 960, 0}};
    for (uint64_t i = 0; i < last_seed(4); i++)
        ck_assert_int_gt(check_pictures(played[i].scene, played[i].frames), played[i].fell);
}

static uint32_t texel_at(const pv_image *image, int x, int y) {
    const unsigned char *t = image->pixels + 4 * (y * image->width + x);
    return (uint32_t)t[0] << 24 | (uint32_t)t[1] << 16 | (uint32_t)t[2] << 8 | t[3];
}

/// Returns a picture in which each texel's color is its place.
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

static void open_stage(void) {
    finish();
    stage = stage_create(1);
    world = stage->world;
}

static void cut_at(pv_body_id body, int column, int height) {
    pv_cut cut = pv_cut_box((pv_vec2){column, -1}, (pv_vec2){column + 1, height + 1});
    cut.local = true;
    ck_assert_int_eq(pv_body_carve(world, body, &cut, NULL), PV_OK);
}

START_TEST(a_part_of_a_part_shows_what_it_showed) {
    enum { WIDE = 200, HIGH = 20, LEFT = 110, RIGHT = 40 };
    open_stage();
    pv_body_def def = pv_body_def_default();
    pv_body_id bar = stage_put(stage, stage_keep(stage, "bar", chart(WIDE, HIGH), NULL), def);
    pv_world_step(world, SCENE_STEP);
    cut_at(bar, LEFT, HIGH); /* the right part, 111...199, falls off */
    cut_at(pv_world_get_next_body(world, bar), RIGHT, HIGH); /* and 111...150 of that */
    pv_world_step(world, SCENE_STEP);
    ck_assert_int_eq(pv_world_get_events(world).split_count, 2);
    stage_follow(stage);
    int firsts[3], count = 0;
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(world, b)); count++) {
        ck_assert_int_lt(count, 3);
        ck_assert_int_eq(wrong_pixels(b), 0);
        const pv_image *image = stage_sprite_of(stage, b)->image;
        pv_rect box = pv_mask_compute_bounds(pv_body_get_mask(world, b));
        int x = box.x + box.w / 2, y = box.h / 2; /* away from the rims, which are darker */
        firsts[count] = (int)(texel_at(image, x, y) >> 24) - box.w / 2;
        ck_assert_uint_eq(texel_at(image, x, y) & 0xffffff, (uint32_t)y << 16 | 7u << 8 | 255u);
        ck_assert(count > 0 || PV_ID_EQUALS(b, bar));
    }
    ck_assert_int_eq(count, 3);
    ck_assert_int_eq(firsts[0], 0);
    ck_assert_int_eq(firsts[1] + firsts[2], LEFT + 1 + LEFT + 1 + RIGHT + 1);
}

static int64_t soft_pixels(const pv_world *of) {
    int64_t pixels = 0;
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(of, b));)
        if (pv_body_get_filter(of, b).category_bits & STAGE_SOFT)
            pixels += pv_mask_count_pixels(pv_body_get_mask(of, b));
    return pixels;
}

START_TEST(the_right_button_digs) {
    enum { WIDTH = 1280, HEIGHT = 720 };
    const pv_vec2 between = {470, 600};
    struct viewer viewer;
    ck_assert_int_eq(viewer_open(&viewer, scene_find("dig"), 1, NULL, 0), EXIT_SUCCESS);
    viewer_resize(&viewer, WIDTH, HEIGHT); /* one canvas pixel per world pixel */
    const pv_world *dug = viewer.stage->world;
    int64_t before = soft_pixels(dug);
    ck_assert_ptr_nonnull(stage_sprite_of(viewer.stage, pv_world_pick_body(dug, between)));
    viewer.cursor = (pv_vec2){420, 600};
    viewer_bite(&viewer);
    viewer.cursor.x = 520;
    viewer_advance(&viewer, SCENE_STEP * 1.5);
    int64_t after = soft_pixels(dug);
    double swept = 100 * 2 * viewer.stage->spade + 3.15 * viewer.stage->spade * viewer.stage->spade;
    ck_assert_double_gt((double)(before - after), swept * .5); /* part of it is caves */
    ck_assert_double_le((double)(before - after), swept * 1.01);
    ck_assert(!stage_is_body(pv_world_pick_body(dug, between)));
    viewer_stop_biting(&viewer);
    viewer.cursor.x = 700;
    viewer_advance(&viewer, SCENE_STEP);
    ck_assert_int_eq(soft_pixels(dug), after);
    viewer_close(&viewer);
}

START_TEST(what_comes_back_is_seen_again) {
    open_stage();
    pv_body_def def = of_type(PV_BODY_STATIC);
    const struct sprite *sprite = stage_keep(stage, "bar", chart(60, 60), NULL);
    pv_body_id one = stage_put(stage, sprite, def);
    def.position.x = 500;
    pv_body_id other = stage_put(stage, sprite, def);
    pv_cut cut = WITH(pv_cut_circle((pv_vec2){30, 30}, 12), it.local = true);
    for (int i = 0; i < 2; i++) {
        cut.add = i == 1;
        ck_assert_int_eq(pv_body_carve(world, one, &cut, NULL), PV_OK);
        pv_world_step(world, SCENE_STEP);
        stage_follow(stage);
        ck_assert_int_eq(wrong_pixels(one), 0);
        ck_assert_int_eq(texel_at(stage_sprite_of(stage, one)->image, 30, 30) & 255, i ? 254 : 0);
    }
    ck_assert_uint_eq(texel_at(stage_sprite_of(stage, one)->image, 30, 30) >> 8,
                      30u << 16 | 30u << 8 | 7u);
    ck_assert_ptr_eq(stage_sprite_of(stage, other), sprite);
}

static double widest_hinge(void) {
    double widest = 0;
    for (pv_joint_id c = {0}; (c = pv_world_get_next_joint(world, c)).index;) {
        pv_anchor p[2];
        if (pv_joint_get_type(world, c) != PV_JOINT_PIN) continue;
        ck_assert_int_eq(pv_joint_get_anchors(world, c, p), PV_OK);
        widest = fmax(widest, vec_distance(p[0].point, p[1].point));
    }
    return widest;
}

static void expect_finite(void) {
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(world, b));) {
        pv_vec2 at = place_of(b);
        ck_assert(isfinite(at.x) && isfinite(at.y) && isfinite(pv_body_get_angle(world, b)));
    }
}

/// Marks the free pixels that are connected with a pixel by edges; none of them is at the rim.
static void flood(const pv_mask *mask, bool *marks, int x, int y) {
    int w = pv_mask_get_width(mask), count = 0;
    scoped_memory int *stack =
        malloc((size_t)w * (size_t)pv_mask_get_height(mask) * 4 * sizeof *stack);
    stack[count++] = y * w + x;
    while (count > 0) {
        int at = stack[--count], ways[] = {-1, 1, -w, w};
        if (marks[at] || pv_mask_get_pixel(mask, at % w, at / w)) continue;
        marks[at] = true;
        for (int i = 0; i < 4; i++) stack[count++] = at + ways[i];
    }
}

/// Counts the grains that are neither in marked pixels of a body nor within 1 px of one.
static int count_outside(pv_body_id body, const bool *marks) {
    const pv_mask *mask = pv_body_get_mask(world, body);
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask), count = 0;
    pv_grains_view view = pv_grains_get_view(world, stage->grains);
    for (int i = 0; i < view.count; i++) {
        if (view.y[i] == PV_GRAIN_NONE) continue;
        pv_vec2 p = {view.x[i] / 65536.0, view.y[i] / 65536.0};
        p = pv_body_to_local(world, body, p);
        bool inside = false;
        for (int k = 0; k < 9; k++) {
            int x = (int)floor(p.x) + k % 3 - 1, y = (int)floor(p.y) + k / 3 - 1;
            inside |= x >= 0 && y >= 0 && x < w && y < h && marks[y * w + x];
        }
        count += !inside;
    }
    return count;
}

START_TEST(the_hourglass_keeps_its_grains) {
    start("hourglass", 1);
    run(1);
    pv_body_id glass = find_body("hourglass");
    const pv_mask *mask = pv_body_get_mask(world, glass);
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask), turns = 0,
        wanted = (int)last_seed(2), grains = pv_grains_get_stats(world, stage->grains).grains;
    bool *marks = calloc((size_t)w * (size_t)h, sizeof *marks), turned = false;
    flood(mask, marks, w / 2, h / 4);
    ck_assert(marks[3 * h / 4 * w + w / 2]);
    for (int i = 0; i < 6000 && turns < wanted; i++) {
        run(1);
        bool turns_now = pv_body_get_angular_velocity(world, glass) > 1e-6;
        turns += turned && !turns_now;
        turned = turns_now;
    }
    ck_assert_int_eq(turns, wanted);
    ck_assert_int_eq(count_outside(glass, marks), 0);
    ck_assert_int_eq(pv_grains_get_stats(world, stage->grains).grains, grains);
    free(marks);
}

START_TEST(nothing_comes_apart_under_strain) {
    const char *asked = getenv("SOAK_STEPS");
    int steps = asked ? atoi(asked) : 90;
    for (int i = 0; scene_at(i); i++) {
        start(scene_at(i)->name, 1);
        pv_vec2 g = pv_world_get_gravity(world);
        if (g.y != 0) ck_assert_int_eq(pv_world_set_gravity(world, (pv_vec2){g.x, 980}), PV_OK);
        for (int k = 0; k < steps; k++) {
            scene_update(scene, stage);
            step_well(world, 2 * SCENE_STEP);
            double gap = widest_hinge();
            ck_assert_msg(k < 30 || gap < 1, "%s: a hinge of %g px, step %d", scene->name, gap, k);
        }
        expect_finite();
    }
}

RUN_TESTS_IN("scenes", NULL, finish, 1)
