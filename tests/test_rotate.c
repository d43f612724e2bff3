/* test_rotate.c - placed masks against the inverse map in long double, pixel by pixel.
 *
 * Invariant: expected pixels follow from the definition of the transform. Except in quarter turns,
 * they may differ where the center falls within 1/256 px of a texel's edge.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "pixel/raster.h"
#include "support.h"

#include <limits.h>

static pv_transform random_transform(const pv_mask *mask) {
    double w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
    pv_transform t = pv_transform_identity();
    t.position = pv__vec(any_within(300), any_within(300));
    t.rotation = pv__rotation(any_within(7));
    t.pivot = pv__vec(w / 2 + any_within(w), h / 2 + any_within(h));
    t.scale = pv__vec(any_within(1) < 0 ? -1 : 1, any_within(1) < 0 ? -1 : 1);
    if (any_within(1) > 0)
        t.scale = pv__vec(t.scale.x * (0.3 + any_unit()), t.scale.y * (0.3 + 2 * any_unit()));
    return t;
}

/* ---- the oracle ---- */

/// Maps the center of a world pixel back into the picture.
static void back(const pv_transform *t, int64_t x, int64_t y, long double *u, long double *v) {
    long double rx = x + 0.5L - t->position.x, ry = y + 0.5L - t->position.y, c = t->rotation.c,
                s = t->rotation.s;
    *u = t->pivot.x + (c * rx + s * ry) / t->scale.x;
    *v = t->pivot.y + (c * ry - s * rx) / t->scale.y;
}

static bool near_edge(long double x) { return fabsl(x - roundl(x)) <= 1.0L / 256; }

static bool solid_at(const pv_mask *mask, long double u, long double v) {
    if (fabsl(u) > 1e6L || fabsl(v) > 1e6L) return false;
    return pv_mask_get_pixel(mask, (int)floorl(u), (int)floorl(v));
}

static void check_padding(const pv_mask *mask) {
    const pv__bits *bits = &mask->bits;
    for (int y = 0; y < bits->h && bits->w % 64; y++)
        ck_assert(bits->words[(size_t)(bits->w / 64 * bits->h + y)] >> bits->w % 64 == 0);
}

/// Compares the raster with the oracle, and checks that a margin around it is empty.
static void check_transformed(const pv_mask *mask, const pv_transform *t, int margin) {
    pv_rect o;
    pv_error error;
    scoped_mask *got = pv_mask_transform(mask, t, &o, NULL, &error);
    int wrong = 0;
    ck_assert_int_eq(error.status, PV_OK);
    ck_assert_mask_size(got, o.w, o.h);
    pv_box box = pv_transform_compute_bounds(t, pv_mask_get_width(mask), pv_mask_get_height(mask));
    ck_assert(o.x >= box.min.x - 1 && o.y >= box.min.y - 1); /* at most a spare pixel on a side */
    ck_assert(o.x + o.w <= box.max.x + 1 && o.y + o.h <= box.max.y + 1);
    for (int y = -margin; y < o.h + margin; y++)
        for (int x = -margin; x < o.w + margin; x++) {
            long double u, v;
            back(t, (int64_t)o.x + x, (int64_t)o.y + y, &u, &v);
            if (near_edge(u) || near_edge(v)) continue;
            wrong += pv_mask_get_pixel(got, x, y) != solid_at(mask, u, v);
        }
    ck_assert_int_eq(wrong, 0);
    check_padding(got);
}

START_TEST(turned_masks_are_the_inverse_map) {
    for (int i = 0; i < 400; i++) {
        int w = any_int(1, i % 4 ? 60 : 200), h = any_int(1, 60);
        bool large = i > 396;
        scoped_mask *mask = any_mask(large ? 700 : w, large ? 300 : h, i % 3 ? 50 : 100);
        pv_transform t = random_transform(mask);
        if (large) t.scale = pv__vec(1, 1);
        check_transformed(mask, &t, 3);
    }
}

START_TEST(far_places_are_as_good_as_near_ones) {
    scoped_mask *mask = any_mask(50, 50, 60);
    for (int i = 0; i < 40; i++) {
        pv_transform t = random_transform(mask);
        t.position =
            pv__vec((i & 1 ? 1 : -1) * 16777000.0 + any_within(200), (i & 2 ? 1 : -1) * 16777000.0);
        check_transformed(mask, &t, 2);
        t.pivot = pv__vec(any_within(20000), any_within(20000));
        check_transformed(mask, &t, 2);
    }
}

/* ---- exactness ---- */

/// Checks quarter turns, mirrored or not, at quarters of a pixel, in integers.
static void check_quarter(const pv_mask *mask, int turns, int mirror_x, int mirror_y, int px4,
                          int py4) {
    static const int cosine[4] = {1, 0, -1, 0}, sine[4] = {0, 1, 0, -1};
    int c = cosine[turns & 3], s = sine[turns & 3], wrong = 0;
    pv_transform t = {{px4 / 4.0, py4 / 4.0},
                      pv__rotation(turns * (PV__PI / 2)),
                      {7.5, 3.25},
                      {mirror_x, mirror_y}};
    pv_rect o;
    scoped_mask *got = pv_mask_transform(mask, &t, &o, NULL, NULL);
    for (int y = -2; y < o.h + 2; y++)
        for (int x = -2; x < o.w + 2; x++) {
            int rx = 4 * (o.x + x) + 2 - px4, ry = 4 * (o.y + y) + 2 - py4;
            int u = 30 + mirror_x * (c * rx + s * ry), v = 13 + mirror_y * (c * ry - s * rx);
            wrong += pv_mask_get_pixel(got, x, y) != pv_mask_get_pixel(mask, u >> 2, v >> 2);
        }
    check_padding(got);
    ck_assert_msg(wrong == 0, "%d wrong: %d turns, mirrored %d %d, at %d/4 %d/4", wrong, turns,
                  mirror_x, mirror_y, px4, py4);
}

START_TEST_FOR(quarter_turns_are_exact, i, 40) {
    scoped_mask *mask = any_mask(any_int(1, 90), any_int(1, 90), 50);
    for (int turns = -4; turns <= 5; turns++)
        check_quarter(mask, turns, i & 1 ? -1 : 1, i & 2 ? -1 : 1, any_int(-500, 500),
                      any_int(-500, 500));
}

static void fill_garbage(pv__bits *bits) {
    memset(bits->words, 0xa5, pv__bits_word_count(bits->w, bits->h) * sizeof(uint64_t));
}

/* A slope of 2^-32 along one axis disables the copy by words, but changes no pixel. */
START_TEST(upright_copy_is_the_general_path) {
    uint64_t fast_words[4 * 40], slow_words[4 * 40];
    for (int i = 0; i < 2000; i++) {
        scoped_mask *mask = any_mask(any_int(1, 200), any_int(1, 30), 50);
        pv__bits fast = {any_int(1, 200), any_int(1, 40), fast_words},
                 slow = {fast.w, fast.h, slow_words};
        pv_transform t = pv_transform_identity();
        t.position = pv__vec(any_within(100), any_within(40));
        pv__map map = pv__raster_map_of(&t), bent = map;
        bent.uy = 1;
        int x = any_int(-250, 150), y = any_int(-90, 50);
        fill_garbage(&fast);
        fill_garbage(&slow);
        pv__raster(&mask->bits, &map, x, y, &fast);
        pv__raster(&mask->bits, &bent, x, y, &slow);
        ck_assert(memcmp(fast_words, slow_words,
                         pv__bits_word_count(fast.w, fast.h) * sizeof(uint64_t)) == 0);
    }
}

/* All windows of a raster show the same pixels. */
START_TEST(windows_of_a_raster_agree) {
    uint64_t words[4 * 60];
    for (int i = 0; i < 500; i++) {
        scoped_mask *mask = any_mask(any_int(1, 100), any_int(1, 100), 50);
        pv_transform t = random_transform(mask);
        pv_rect o;
        scoped_mask *whole = pv_mask_transform(mask, &t, &o, NULL, NULL);
        pv__bits part = {any_int(1, 200), any_int(1, 60), words};
        pv__map map = pv__raster_map_of(&t);
        int x = o.x + any_int(-80, o.w), y = o.y + any_int(-30, o.h), wrong = 0;
        fill_garbage(&part);
        pv__raster(&mask->bits, &map, x, y, &part);
        for (int j = 0; j < part.h; j++)
            for (int k = 0; k < part.w; k++)
                wrong +=
                    pv__bits_get(&part, k, j) != pv_mask_get_pixel(whole, x + k - o.x, y + j - o.y);
        ck_assert_int_eq(wrong, 0);
    }
}

START_TEST(windows_far_away_are_empty) {
    uint64_t words[2 * 30];
    const int far[] = {INT_MIN, -100000000, 100000000, INT_MAX - 40000};
    scoped_mask *mask = box_mask(64, 64);
    for (int i = 0; i < 64; i++) {
        pv_transform t = random_transform(mask);
        if (i & 1) t.scale = pv__vec(1.0 / 1024, 1024);
        pv__map map = pv__raster_map_of(&t);
        pv__bits out = {100, 30, words};
        fill_garbage(&out);
        pv__raster(&mask->bits, &map, far[i & 3], far[i >> 2 & 3], &out);
        for (int k = 0; k < 60; k++) ck_assert(words[k] == 0);
    }
}

/* At 2^10 texels per pixel, 2^22 px to the right, a 64-bit sum would wrap back into the picture. */
START_TEST(the_map_does_not_wrap) {
    uint64_t words[5];
    scoped_mask *mask = box_mask(64, 64);
    pv_transform t = WITH(pv_transform_identity(), it.scale.x = 1.0 / 1024);
    t.pivot.x = -500; /* the center of pixel (0, 0) is in texel 12 */
    pv__map map = pv__raster_map_of(&t);
    for (int x = -(1 << 24); x <= 1 << 24; x += 1 << 22) {
        pv__bits out = {9, 5, words};
        fill_garbage(&out);
        pv__raster(&mask->bits, &map, x, 0, &out);
        for (int k = 0; k < 5; k++) ck_assert(words[k] == (x == 0));
    }
}

/* ---- boxes ---- */

START_TEST(paper_5_1_box_of_the_rotated_sprite_is_that_of_its_corners) {
    scoped_mask *mask = box_mask(60, 40);
    for (int i = 0; i < 3000; i++) {
        pv_transform t = random_transform(mask);
        pv_box box = pv_transform_compute_bounds(&t, 60, 40);
        long double low_x = 1e9L, low_y = 1e9L, high_x = -1e9L, high_y = -1e9L;
        for (int k = 0; k < 4; k++) {
            long double mx = (k & 1 ? 60 : 0) - t.pivot.x, my = (k & 2 ? 40 : 0) - t.pivot.y;
            mx *= t.scale.x, my *= t.scale.y;
            long double x = t.position.x + t.rotation.c * mx - t.rotation.s * my;
            long double y = t.position.y + t.rotation.s * mx + t.rotation.c * my;
            low_x = fminl(low_x, x), low_y = fminl(low_y, y), high_x = fmaxl(high_x, x),
            high_y = fmaxl(high_y, y);
            pv_vec2 corner = pv_transform_to_world(&t, pv__vec(k & 1 ? 60 : 0, k & 2 ? 40 : 0));
            ck_assert_vec_eq_tol(corner, (double)x, (double)y, 1e-10);
        }
        ck_assert(box.min.x <= low_x && low_x - box.min.x <= 0.004 && box.min.y <= low_y &&
                  low_y - box.min.y <= 0.004);
        ck_assert(box.max.x >= high_x && box.max.x - high_x <= 0.004 && box.max.y >= high_y &&
                  box.max.y - high_y <= 0.004);
    }
}

START_TEST(boxes_of_nothing_are_empty) {
    pv_transform t = pv_transform_identity();
    pv_box boxes[] = {pv_transform_compute_bounds(&t, 0, 5), pv_transform_compute_bounds(&t, 5, 0),
                      pv_transform_compute_bounds(&t, -3, 5),
                      pv_transform_compute_bounds(NULL, 5, 5)};
    for (int i = 0; i < 4; i++)
        ck_assert(boxes[i].max.x < boxes[i].min.x && boxes[i].max.y < boxes[i].min.y);
    scoped_mask *nothing = pv_mask_create(0, 9, NULL, NULL);
    pv_rect o = {1, 2, 3, 4};
    scoped_mask *got = pv_mask_transform(nothing, &t, &o, NULL, NULL);
    ck_assert(got && o.w == 0 && o.h == 0 && pv_mask_get_width(got) == 0);
}

/* ---- scale, area, refusals ---- */

static void check_area(const pv_mask *mask, pv_transform t, double area, double off) {
    scoped_mask *got = pv_mask_transform(mask, &t, NULL, NULL, NULL);
    ck_assert_double_le(fabs((double)pv_mask_count_pixels(got) - area), off);
}

START_TEST(area_follows_the_scale) {
    scoped_mask *dot = box_mask(1, 1), *sheet = box_mask(1024, 1024);
    pv_transform t = WITH(pv_transform_identity(), it.scale = pv__vec(1024, -1024));
    check_area(dot, t, 1024.0 * 1024, 0);
    t.scale = pv__vec(1.0 / 1024, 1.0 / 1024);
    check_area(sheet, t, 1, 0);
    t = (pv_transform){{500, 500}, pv__rotation(0.5), {512, 512}, {0.5, 0.25}};
    check_area(sheet, t, 512 * 256, 200);
}

static void refuse(const pv_mask *mask, pv_transform t, pv_status expected) {
    pv_error error = {0};
    pv_rect o;
    ck_assert_refused(pv_mask_transform(mask, &t, &o, NULL, &error), error, expected);
    ck_assert(o.w == 0 && o.h == 0);
}

START_TEST(wrong_transforms_are_refused) {
    scoped_mask *mask = box_mask(40, 40);
    const pv_transform good = pv_transform_identity();
    pv_transform t = good;
    t.position.x = 2e7, refuse(mask, t, PV_ERROR_ARGUMENT), t = good;
    t.pivot.y = -2e7, refuse(mask, t, PV_ERROR_ARGUMENT), t = good;
    t.rotation.c = 1.00001, refuse(mask, t, PV_ERROR_ARGUMENT), t = good;
    t.rotation.c = 1e300, refuse(mask, t, PV_ERROR_ARGUMENT), t = good;
    t.rotation.c = 0, refuse(mask, t, PV_ERROR_ARGUMENT), t = good;
    t.scale.x = 0, refuse(mask, t, PV_ERROR_ARGUMENT), t = good;
    t.scale.y = 1025, refuse(mask, t, PV_ERROR_ARGUMENT), t = good;
    t.scale.y = -1.0 / 1025, refuse(mask, t, PV_ERROR_ARGUMENT), t = good;
    t.scale.x = 1024, refuse(mask, t, PV_ERROR_TOO_LARGE);
}

/* The greatest valid scales, pivots and places overflow nothing, and give an error or a mask. */
START_TEST(extremes_are_survived) {
    const double ends[] = {-PV_MAX_COORDINATE, -0.5, PV_MAX_COORDINATE},
                 scales[] = {-1024, 1.0 / 1024, 1024};
    pv_mask *masks[] = {box_mask(1, 1), box_mask(3, 32768)};
    for (int i = 0; i < 2 * 81; i++) {
        pv_transform t = {
            {ends[i % 3], ends[i / 3 % 3]}, pv__rotation(i), {ends[i / 9 % 3], 5}, {1, 1}};
        t.scale = pv__vec(scales[i / 27 % 3], scales[i % 3]);
        pv_error error;
        scoped_mask *got = pv_mask_transform(masks[i / 81], &t, NULL, NULL, &error);
        ck_assert(error.status == (got ? PV_OK : PV_ERROR_TOO_LARGE));
    }
    release_masks(masks[0], masks[1]);
}

RUN_TESTS("rotate")
