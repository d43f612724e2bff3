/* test_canvas.c - drawn pixels against collision bitmaps, and against blending in long double.
 *
 * Invariant: canvases lie in guarded memory with a pitch wider than their rows.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "guarded_canvas.h"

#include <float.h>

#define WHITE 0xffffffffu

/// Returns an image of random colors, with alphas 0 and 255 only if sharp.
static pv_image *image_make(int w, int h, bool sharp) {
    pv_image *image = pv_image_create(w, h, NULL, NULL);
    for (int i = 0; i < w * h * 4; i++) image->pixels[i] = (unsigned char)next_random(&chance);
    for (int i = 0; i < w * h && sharp; i++)
        image->pixels[i * 4 + 3] = image->pixels[i * 4 + 3] & 1 ? 255 : 0;
    return image;
}

static pv_transform random_transform(int w, int h) {
    pv_transform t = {{any_within(60) + 40, any_within(60) + 30},
                      pv__rotation(any_within(7)),
                      {any_unit() * w, any_unit() * h},
                      {1, 1}};
    int style = any_int(0, 3);
    if (style == 0) t.rotation = pv__rotation(0);
    if (style == 1) t.scale = pv__vec(0.4 + 3 * any_unit(), -0.4 - 3 * any_unit());
    if (style == 2 && fabs(t.rotation.c) > 0.1)
        t.scale.x = t.rotation.c; /* u advances along x as in upright pictures */
    return t;
}

/* ---- pictures ---- */

/// Draws a random image or its mask, and compares each pixel with the collision bitmap.
static void check_bitmap(bool flipped, bool as_mask) {
    scoped_image *image = image_make(any_int(1, 80), any_int(1, 60), true);
    scoped_mask *mask = pv_mask_from_image(image, NULL, NULL);
    pv_transform t = random_transform(image->width, image->height);
    pv_rect o;
    scoped_mask *bitmap = pv_mask_transform(mask, &t, &o, NULL, NULL);
    scoped_canvas e = make_canvas(100, 80, flipped);
    int wrong = 0;
    ck_assert_int_eq(as_mask ? pv_canvas_draw_mask(&e.canvas, mask, &t, 0x123456ffu)
                             : pv_canvas_draw_image(&e.canvas, image, &t, WHITE),
                     PV_OK);
    for (int i = 0; i < 100 * 80; i++) {
        const unsigned char *p = at(&e, i % 100, i / 100);
        bool solid = pv_mask_get_pixel(bitmap, i % 100 - o.x, i / 100 - o.y);
        wrong += as_mask ? memcmp(p, solid ? "\x12\x34\x56\xff" : "\0\0\0", 4) != 0
                         : (p[3] == 255) != solid;
    }
    ck_assert_int_eq(wrong, 0);
}

START_TEST(paper_3_1_collision_bitmap_is_what_is_drawn) {
    for (int i = 0; i < 900; i++) check_bitmap(i & 1, i % 3 == 0);
}

/* Checks which texel is drawn; each texel's color is its place. */
START_TEST(texels_come_from_their_place) {
    int seen = 0;
    scoped_image *image = pv_image_create(50, 40, NULL, NULL);
    for (int i = 0; i < 2000; i++)
        memcpy(image->pixels + i * 4,
               (unsigned char[4]){(unsigned char)(i % 50), (unsigned char)(i / 50), 7, 255}, 4);
    for (int i = 0; i < 100; i++) {
        pv_transform t = random_transform(50, 40);
        scoped_canvas e = make_canvas(90, 70, false);
        pv_canvas_draw_image(&e.canvas, image, &t, WHITE);
        for (int y = 0; y < 70; y++)
            for (int x = 0; x < 90; x++) {
                const unsigned char *p = at(&e, x, y);
                if (p[3] == 0) continue;
                long double rx = x + 0.5L - t.position.x, ry = y + 0.5L - t.position.y;
                long double u = t.pivot.x + (t.rotation.c * rx + t.rotation.s * ry) / t.scale.x;
                long double v = t.pivot.y + (t.rotation.c * ry - t.rotation.s * rx) / t.scale.y;
                ck_assert(p[0] > u - 1.001L && p[0] < u + 0.001L && p[1] > v - 1.001L &&
                          p[1] < v + 0.001L);
                seen++;
            }
    }
    ck_assert_int_gt(seen, 10000);
}

/* ---- blending ---- */

/// Checks that a blended pixel is as near as bytes allow to source over, with straight alpha.
static void check_blend(const unsigned char *source, const unsigned char *before,
                        const unsigned char *after) {
    long double as = source[3] / 255.0L, ad = before[3] / 255.0L, a = as + ad * (1 - as);
    if (source[3] == 0) {
        ck_assert(memcmp(before, after, 4) == 0);
        return;
    }
    if (fabsl(after[3] - 255 * a) > 0.5000001L)
        ck_abort_msg("alpha %d over %d: %d", source[3], before[3], after[3]);
    for (int i = 0; i < 3; i++) {
        long double color = (source[i] * as + before[i] * ad * (1 - as)) / a;
        if (fabsl(after[i] - color) > 0.5000001L)
            ck_abort_msg("%d (%d) over %d (%d): %d", source[i], source[3], before[i], before[3],
                         after[i]);
    }
}

START_TEST(blending_is_source_over) {
    scoped_image *image = image_make(256, 256, false);
    scoped_canvas e = make_canvas(256, 256, false), old = make_canvas(256, 256, false);
    pv_transform t = pv_transform_identity();
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 256 * 256; i++) {
            int x = i % 256, y = i / 256;
            unsigned char *p = old.canvas.pixels + y * old.canvas.pitch + x * 4;
            for (int k = 0; k < 4; k++) p[k] = (unsigned char)next_random(&chance);
            if (round & 1) p[3] = round == 3 ? 0 : 255;
            image->pixels[i * 4 + 3] = (unsigned char)y;
            memcpy(e.canvas.pixels + y * e.canvas.pitch + x * 4, p, 4);
        }
        ck_assert_int_eq(pv_canvas_draw_image(&e.canvas, image, &t, WHITE), PV_OK);
        for (int i = 0; i < 256 * 256; i++)
            check_blend(image->pixels + i * 4, at(&old, i % 256, i / 256),
                        at(&e, i % 256, i / 256));
    }
}

START_TEST(tint_multiplies_every_channel) {
    scoped_image *image = image_make(64, 64, false);
    pv_transform t = pv_transform_identity();
    for (int round = 0; round < 50; round++) {
        uint32_t tint = (uint32_t)next_random(&chance);
        scoped_canvas e = make_canvas(64, 64, false);
        pv_canvas_draw_image(&e.canvas, image, &t, tint);
        for (int i = 0; i < 64 * 64; i++) {
            unsigned char expected[4];
            for (int k = 0; k < 4; k++)
                expected[k] = (unsigned char)floorl(
                    image->pixels[i * 4 + k] * (long double)(tint >> (24 - 8 * k) & 255) / 255 +
                    0.5L);
            const unsigned char *p = at(&e, i % 64, i / 64);
            ck_assert(expected[3] ? memcmp(p, expected, 4) == 0 : p[3] == 0);
        }
    }
}

START_TEST(clear_fills_all_of_it) {
    scoped_canvas e = make_canvas(33, 17, true);
    ck_assert_int_eq(pv_canvas_clear(&e.canvas, 0x11223344u), PV_OK);
    for (int i = 0; i < 33 * 17; i++)
        ck_assert(memcmp(at(&e, i % 33, i / 33), "\x11\x22\x33\x44", 4) == 0);
}

/* ---- lines ---- */

START_TEST(lines_join_their_ends) {
    for (int i = 0; i < 2000; i++) {
        scoped_canvas e = make_canvas(60, 50, i & 1);
        pv_vec2 a = {any_unit() * 60, any_unit() * 50}, b = {any_unit() * 60, any_unit() * 50};
        ck_assert_int_eq(pv_canvas_draw_line(&e.canvas, a, b, WHITE), PV_OK);
        double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
        int columns = abs((int)b.x - (int)a.x), rows = abs((int)b.y - (int)a.y);
        int expected = 1 + (fabs(dx) >= fabs(dy) ? columns : rows), count = 0;
        for (int y = 0; y < 50; y++)
            for (int x = 0; x < 60; x++) {
                if (at(&e, x, y)[3] == 0) continue;
                count++;
                if (length > 1)
                    ck_assert(fabs((x + 0.5 - a.x) * dy - (y + 0.5 - a.y) * dx) / length <= 0.5001);
            }
        ck_assert(count <= expected &&
                  count >= expected - 2); /* a center beyond an end may be off the canvas */
    }
}

START_TEST(lines_are_the_same_both_ways) {
    for (int i = 0; i < 500; i++) {
        scoped_canvas e = make_canvas(60, 50, false), f = make_canvas(60, 50, false);
        pv_vec2 a = {any_int(-200, 400) / 4.0, any_int(-200, 400) / 4.0},
                b = {any_int(-200, 400) / 4.0, a.y};
        if (i & 1) b = pv__vec(a.x, b.x);
        pv_canvas_draw_line(&e.canvas, a, b, WHITE);
        pv_canvas_draw_line(&f.canvas, b, a, WHITE);
        for (int y = 0; y < 50; y++) ck_assert(memcmp(at(&e, 0, y), at(&f, 0, y), 240) == 0);
    }
}

/* A line on a small canvas is the same as on a larger one, cut off. */
START_TEST(lines_are_clipped_not_bent) {
    for (int i = 0; i < 500; i++) {
        scoped_canvas small = make_canvas(40, 30, false), large = make_canvas(240, 230, false);
        pv_vec2 a = {any_int(-400, 560) / 4.0, any_int(-400, 520) / 4.0};
        pv_vec2 b = {a.x + any_int(-6, 6) * 16, a.y + 32};
        if (i & 1) b = pv__vec(a.x + 64, a.y + any_int(-4, 4) * 16);
        pv_canvas_draw_line(&small.canvas, a, b, WHITE);
        pv_canvas_draw_line(&large.canvas, pv__vec(a.x + 100, a.y + 100),
                            pv__vec(b.x + 100, b.y + 100), WHITE);
        for (int y = 0; y < 30; y++)
            ck_assert(memcmp(at(&small, 0, y), at(&large, 100, y + 100), 160) == 0);
    }
}

START_TEST(lines_of_any_finite_length_end) {
    const double ends[] = {-DBL_MAX, -1e300, -1e18, -4e9, -1,   0,
                           25,       49.999, 60,    3e9,  1e18, DBL_MAX};
    const int n = COUNT_OF(ends);
    for (int i = 0; i < n * n * n * n; i++) {
        scoped_canvas e = make_canvas(60, 50, i & 1);
        pv_vec2 a = {ends[i % n], ends[i / n % n]}, b = {ends[i / n / n % n], ends[i / n / n / n]};
        ck_assert_int_eq(pv_canvas_draw_line(&e.canvas, a, b, WHITE), PV_OK);
        ck_assert_int_le(drawn(&e), 60);
    }
    scoped_canvas e = make_canvas(60, 50, false);
    pv_canvas_draw_line(&e.canvas, pv__vec(-DBL_MAX, 25.5), pv__vec(DBL_MAX, 25.5), WHITE);
    ck_assert_int_eq(drawn(&e), 60);
}

START_TEST(lines_blend) {
    scoped_canvas e = make_canvas(10, 10, false);
    pv_canvas_clear(&e.canvas, 0x000000ffu);
    pv_canvas_draw_line(&e.canvas, pv__vec(0, 0), pv__vec(9.5, 0.5), 0xff804080u);
    ck_assert(memcmp(at(&e, 5, 0), "\x80\x40\x20\xff", 4) == 0);
}

/* ---- refusals and extremes ---- */

static void refuse_canvas(pv_canvas canvas, pv_status status) {
    pv_transform t = pv_transform_identity();
    const pv_vec2 p[3] = {{1, 1}, {8, 1}, {1, 8}};
    scoped_image *image = image_make(3, 3, true);
    scoped_mask *mask = box_mask(3, 3);
    ck_assert_int_eq(pv_canvas_draw_image(&canvas, image, &t, WHITE), status);
    ck_assert_int_eq(pv_canvas_draw_mask(&canvas, mask, &t, WHITE), status);
    ck_assert_int_eq(pv_canvas_clear(&canvas, WHITE), status);
    ck_assert_int_eq(pv_canvas_draw_line(&canvas, p[0], p[1], WHITE), status);
    ck_assert_int_eq(pv_canvas_draw_circle(&canvas, p[0], 3, WHITE), status);
    ck_assert_int_eq(pv_canvas_draw_thick_line(&canvas, p[0], p[1], 3, WHITE), status);
    ck_assert_int_eq(pv_canvas_draw_triangle(&canvas, NULL, p, NULL, WHITE), status);
}

START_TEST(wrong_canvases_are_refused) {
    unsigned char pixels[400] = {0};
    const pv_canvas wrong[] = {{NULL, 10, 10, 40},     {pixels, -1, 10, 40},
                               {pixels, 10, -1, 40},   {pixels, 10, 10, 39},
                               {pixels, 10, 10, -39},  {pixels, 40000, 10, 160000},
                               {pixels, 10, 40000, 40}};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) refuse_canvas(wrong[i], PV_ERROR_ARGUMENT);
    for (int i = 0; i < 400; i++) ck_assert_int_eq(pixels[i], 0);
    refuse_canvas((pv_canvas){NULL, 0, 5, 0}, PV_OK);
}

START_TEST(wrong_things_to_draw_are_refused) {
    scoped_canvas e = make_canvas(10, 10, false);
    pv_transform t = pv_transform_identity();
    const pv_vec2 p[3] = {{1, 1}, {8, 1}, {1, 8}};
    const pv_image wrong[] = {{3, 3, NULL, {NULL, NULL}}, {0, 3, e.memory, {NULL, NULL}}};
    for (int i = 0; i < 2; i++) {
        const pv_image *image = &wrong[i];
        ck_assert_int_eq(pv_canvas_draw_image(&e.canvas, image, &t, WHITE), PV_ERROR_ARGUMENT);
        ck_assert_int_eq(pv_canvas_draw_triangle(&e.canvas, image, p, p, WHITE), PV_ERROR_ARGUMENT);
    }
    ck_assert_int_eq(drawn(&e), 0);
}

/* Draws pictures far away, huge and tiny: nothing is slow or written outside. */
START_TEST(extremes_are_survived) {
    const double ends[] = {-PV_MAX_COORDINATE, -30000, 5.5, PV_MAX_COORDINATE},
                 scales[] = {-1024, 1.0 / 1024, 1, 1024};
    scoped_image *image = image_make(31, 17, false);
    scoped_mask *mask = pv_mask_from_image(image, NULL, NULL);
    for (int i = 0; i < 4 * 4 * 4 * 4 * 4; i++) {
        pv_transform t = {
            {ends[i & 3], ends[i >> 2 & 3]}, pv__rotation(i), {ends[i >> 4 & 3], 3}, {1, 1}};
        t.scale = pv__vec(scales[i >> 6 & 3], scales[i >> 8 & 3]);
        scoped_canvas e = make_canvas(50, 40, i & 1);
        ck_assert_int_eq(pv_canvas_draw_image(&e.canvas, image, &t, WHITE), PV_OK);
        ck_assert_int_eq(pv_canvas_draw_mask(&e.canvas, mask, &t, WHITE), PV_OK);
    }
}

RUN_TESTS("canvas")
