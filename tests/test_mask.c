/* test_mask.c - masks against bytes, pixel formats, reference counts, and mass against formulas.
 *
 * Invariant: expected values come from bytes of this file or formulas, never from another mask.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/bits.h"
#include "support.h"

#include <limits.h>
#include <pthread.h>

#define SIDE 520

static unsigned char solid[SIDE * SIDE];
/// Returns a mask of random pixels, which are also in solid[].
static pv_mask *make(int w, int h, int percent) {
    pv_mask *mask = pv_mask_create(w, h, NULL, NULL);
    int refused = 0;
    for (int i = 0; i < w * h; i++) {
        solid[i] = any_int(0, 99) < percent;
        refused += pv_mask_set_pixel(mask, i % w, i / w, solid[i]) != PV_OK;
    }
    ck_assert_int_eq(refused, 0);
    return mask;
}

/// Checks a mask's size, pixels and padding.
static void check_same(const pv_mask *mask, int w, int h) {
    int wrong = 0;
    ck_assert_mask_size(mask, w, h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) wrong += pv_mask_get_pixel(mask, x, y) != solid[y * w + x];
    for (int y = 0; w % 64 && y < h; y++)
        wrong += mask->bits.words[(size_t)(w / 64 * h + y)] >> w % 64 != 0;
    ck_assert_int_eq(wrong, 0);
}

/// Checks a new mask and releases it.
static void judge(pv_mask *made, int w, int h) {
    check_same(made, w, h);
    pv_mask_release(made);
}

/* ---- pixel by pixel ---- */

START_TEST(every_width_holds_its_pixels) {
    for (int w = 0; w <= 513; w = w == 130 ? 511 : w + 1)
        for (int h = 0; h <= 3; h++) {
            const pv_point beside[] = {{-1, 0}, {w, 0}, {0, h}, {0, -1}, {INT_MAX, INT_MIN}};
            pv_mask *mask = make(w, h, 50);
            for (size_t i = 0; i < COUNT_OF(beside); i++)
                ck_assert(!pv_mask_get_pixel(mask, beside[i].x, beside[i].y));
            judge(mask, w, h);
        }
}

/// Fills a rectangle of a random mask, and the same in solid[].
static void check_fill(int w, int h, pv_rect r, bool value) {
    pv_mask *mask = make(w, h, 30);
    ck_assert_int_eq(pv_mask_fill_rect(mask, r, value), PV_OK);
    for (int i = 0; i < w * h; i++) {
        int64_t x = (int64_t)(i % w) - r.x, y = (int64_t)(i / w) - r.y;
        if (x >= 0 && y >= 0 && x < r.w && y < r.h) solid[i] = value;
    }
    judge(mask, w, h);
}

START_TEST(fill_is_a_loop_over_its_pixels) {
    for (int i = 0; i < 2000; i++) {
        int w = any_int(1, 200), h = any_int(1, 12);
        pv_rect r = {any_int(-70, w + 9), any_int(-9, h + 9), any_int(0, 260), any_int(0, 30)};
        check_fill(w, h, r, i & 1);
    }
}

START_TEST(fill_takes_any_rectangle) {
    const pv_rect rects[] = {{INT_MIN, INT_MIN, INT_MAX, INT_MAX},
                             {INT_MAX, INT_MAX, INT_MAX, INT_MAX},
                             {-5, -5, INT_MAX, INT_MAX},
                             {0, 0, 0, INT_MAX},
                             {INT_MIN, 0, 5, 5},
                             {69, 4, 1, 1}};
    for (size_t i = 0; i < COUNT_OF(rects); i++) check_fill(70, 5, rects[i], true);
    pv_mask *mask = make(70, 5, 50);
    ck_assert_int_eq(pv_mask_fill_rect(mask, (pv_rect){0, 0, -1, 1}, true), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_mask_fill_rect(mask, (pv_rect){0, 0, 1, INT_MIN}, true), PV_ERROR_ARGUMENT);
    judge(mask, 70, 5);
}

START_TEST(sizes_out_of_range_are_refused) {
    pv_error error;
    ck_assert_refused(pv_mask_create(-1, 1, NULL, &error), error, PV_ERROR_ARGUMENT);
    ck_assert_refused(pv_mask_create(1, INT_MIN, NULL, &error), error, PV_ERROR_ARGUMENT);
    ck_assert_refused(pv_mask_create(32769, 1, NULL, &error), error, PV_ERROR_TOO_LARGE);
    ck_assert_ptr_null(pv_mask_create(INT_MAX, INT_MAX, NULL, NULL));
    scoped_mask *mask = pv_mask_create(32768, 2, NULL, &error);
    ck_assert_int_eq(error.status, PV_OK);
    ck_assert_int_eq(pv_mask_set_pixel(mask, 32767, 1, true), PV_OK);
    ck_assert_int_eq(pv_mask_set_pixel(mask, 32768, 1, true), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_mask_set_pixel(mask, 0, -1, true), PV_ERROR_ARGUMENT);
    ck_assert(pv_mask_compute_mass(mask).area == 1);
}

START_TEST(words_hold_each_pixel_once) {
    static const pv_point sizes[] = {{1, 1}, {64, 3}, {65, 2}, {200, 7}, {0, 5}, {5, 0}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        int w = sizes[i].x, h = sizes[i].y, wrong = 0;
        scoped_mask *mask = pv_mask_create(w, h, NULL, NULL);
        for (int k = 0; k < w * h; k += 3) pv_mask_set_pixel(mask, k % w, k / w, true);
        const uint64_t *words = pv_mask_get_words(mask);
        ck_assert_int_eq(words != NULL, w * h > 0);
        for (int x = 0; words && x < (w + 63) / 64 * 64; x++)
            for (int y = 0; y < h; y++)
                wrong += (words[x / 64 * h + y] >> x % 64 & 1) != pv_mask_get_pixel(mask, x, y);
        ck_assert_int_eq(wrong, 0);
    }
}

/* ---- sharing and memory ---- */

START_TEST(shared_masks_cannot_be_changed) {
    const pv_vec2 p[3] = {{0, 0}, {9, 0}, {0, 9}};
    scoped_mask *mask = make(10, 10, 50);
    scoped_mask *other = box_mask(5, 5);
    ck_assert_ptr_eq(pv_mask_retain(mask), mask);
    const pv_status told[] = {pv_mask_set_pixel(mask, 0, 0, !solid[0]),
                              pv_mask_fill_rect(mask, (pv_rect){0, 0, 10, 10}, true),
                              pv_mask_fill_circle(mask, p[0], 5, true),
                              pv_mask_fill_line(mask, p[0], p[1], 5, true),
                              pv_mask_fill_polygon(mask, p, 3, true),
                              pv_mask_combine(mask, other, 0, 0, PV_COMBINE_XOR),
                              pv_mask_combine(mask, mask, 0, 0, PV_COMBINE_XOR),
                              pv_mask_invert(mask)};
    for (size_t i = 0; i < COUNT_OF(told); i++) ck_assert_int_eq(told[i], PV_ERROR_SHARED);
    check_same(mask, 10, 10);
    ck_assert_int_eq(pv_mask_combine(other, mask, 0, 0, PV_COMBINE_XOR), PV_OK);
    pv_mask_release(mask);
    ck_assert_int_eq(pv_mask_set_pixel(mask, 0, 0, true), PV_OK);
}

static void *hold_and_drop(void *mask) {
    for (int i = 0; i < 50000; i++) pv_mask_release(pv_mask_retain(mask));
    return NULL;
}

START_THREADED_TEST(references_are_counted_across_threads) {
    pthread_t threads[4];
    pv_mask *mask = make(10, 10, 50);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, hold_and_drop, mask), 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    ck_assert_int_eq(atomic_load(&mask->references), 1);
    judge(mask, 10, 10);
}

/* ---- from pixels ---- */

/// Pixel format; max is the greatest alpha
typedef struct format {
    int size;
    uint32_t alpha_mask;
} format;

static const format formats[] = {
    {4, 0xff000000u}, {4, 0x000000ffu}, {4, 0x00ff0000u}, {4, 0xc0000000u}, {4, 0x00000003u},
    {4, 0xffffffffu}, {4, 0},           {3, 0},           {3, 0xff0000u},   {3, 0x00003fu},
    {2, 0xf000u},     {2, 0x000fu},     {2, 0x8000u},     {2, 0x0001u},     {2, 0},
    {2, 0xff00u},     {1, 0},           {1, 0xc0u},       {1, 0x0fu}};

static const int thresholds[] = {0, 1, 2, 100, 127, 128, 129, 254, 255};

/// Writes a pixel like SDL: as a number of its size in the machine's byte order.
static void store(unsigned char *to, uint32_t value, int size) {
    const uint16_t probe = 1;
    bool little = *(const unsigned char *)&probe == 1;
    for (int i = 0; i < size; i++)
        to[little ? i : size - 1 - i] = (unsigned char)(value >> (8 * i));
}

/// Tells whether a pixel is solid by the header's rule: scale alpha to 0...255, then compare.
static bool solid_by_rule(uint32_t value, uint32_t alpha_mask, int threshold) {
    if (alpha_mask == 0) return true;
    uint32_t alpha = value & alpha_mask, max = alpha_mask;
    for (; !(max & 1); max >>= 1) alpha >>= 1;
    return floorl(255.0L * alpha / max + 0.5L) >= threshold;
}

static pv_mask_options options_of(int threshold) {
    return WITH(pv_mask_options_default(), it.alpha_threshold = threshold);
}

/// Checks the mask of a random picture in a format, upside down when flipped.
static void check_format(format f, int w, int h, int threshold, bool flipped) {
    static unsigned char bytes[SIDE * 64 * 4];
    int pitch = w * f.size + any_int(0, 9);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            uint32_t value = (uint32_t)next_random(&chance);
            store(bytes + y * pitch + x * f.size, value, f.size);
            solid[(flipped ? h - 1 - y : y) * w + x] = solid_by_rule(
                f.size < 4 ? value & ((1u << 8 * f.size) - 1) : value, f.alpha_mask, threshold);
        }
    pv_pixels pixels = {bytes, w, h, pitch, f.size, f.alpha_mask};
    if (flipped) pixels.data = bytes + (h - 1) * pitch, pixels.pitch = -pitch;
    pv_mask_options options = options_of(threshold);
    pv_error error;
    pv_mask *mask = pv_mask_from_pixels(&pixels, &options, &error);
    ck_assert_int_eq(error.status, PV_OK);
    judge(mask, w, h);
}

START_TEST(every_pixel_format_and_threshold) {
    for (int f = 0; f < (int)COUNT_OF(formats); f++)
        for (int t = 0; t < (int)COUNT_OF(thresholds); t++) {
            check_format(formats[f], any_int(1, 130), 3, thresholds[t], false);
            check_format(formats[f], any_int(1, 130), 3, thresholds[t], true);
            check_format(formats[f], 64, 1, thresholds[t], false);
        }
}

/* Checks every alpha of up to 8 bits at all thresholds. */
START_TEST(every_alpha_at_every_threshold) {
    for (int bits = 1; bits <= 8; bits++)
        for (int threshold = 0; threshold <= 255; threshold++) {
            unsigned char bytes[256];
            for (int i = 0; i < 1 << bits; i++) {
                bytes[i] = (unsigned char)i;
                solid[i] = solid_by_rule((uint32_t)i, (1u << bits) - 1, threshold);
            }
            pv_pixels pixels = {bytes, 1 << bits, 1, 256, 1, (1u << bits) - 1};
            pv_mask_options options = options_of(threshold);
            judge(pv_mask_from_pixels(&pixels, &options, NULL), 1 << bits, 1);
        }
}

START_TEST(regions_are_cut_out) {
    static unsigned char bytes[150 * 20 * 4];
    for (int i = 0; i < 150 * 20; i++) bytes[i * 4 + 3] = (unsigned char)next_random(&chance);
    for (int i = 0; i < 500; i++) {
        pv_rect r = {any_int(0, 149), any_int(0, 19), 0, 0};
        r.w = any_int(1, 150 - r.x);
        r.h = any_int(1, 20 - r.y);
        for (int y = 0; y < r.h; y++)
            for (int x = 0; x < r.w; x++)
                solid[y * r.w + x] = bytes[((r.y + y) * 150 + r.x + x) * 4 + 3] >= 128;
        pv_mask_options options = WITH(options_of(128), it.region = r);
        judge(pv_mask_from_rgba(bytes, 150, 20, 600, &options, NULL), r.w, r.h);
    }
}

static void refuse_pixels(pv_pixels pixels, pv_mask_options options) {
    pv_error error = {0};
    ck_assert_refused(pv_mask_from_pixels(&pixels, &options, &error), error, PV_ERROR_ARGUMENT);
}

START_TEST(regions_that_leave_the_picture_are_refused) {
    static const pv_rect bad[] = {
        {-1, 0, 5, 5},      {0, -1, 5, 5}, {6, 0, 5, 5},       {0, 6, 5, 5},       {0, 0, 11, 1},
        {0, 0, 1, INT_MAX}, {0, 0, -1, 5}, {0, 0, 5, -1},      {INT_MAX, 0, 1, 1}, {1, 1, 10, 10},
        {0, 0, 0, 5},       {0, 0, 5, 0},  {INT_MIN, 0, 20, 5}};
    unsigned char bytes[400] = {0};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        refuse_pixels((pv_pixels){bytes, 10, 10, 40, 4, 0xff000000u},
                      WITH(pv_mask_options_default(), it.region = bad[i]));
}

START_TEST(wrong_pixels_and_options_are_refused) {
    unsigned char bytes[400] = {0};
    const pv_pixels good = {bytes, 10, 10, 40, 4, 0xff000000u};
    pv_mask_options options = pv_mask_options_default();
    pv_pixels p = good;
    p.data = NULL, refuse_pixels(p, options), p = good;
    p.width = -1, refuse_pixels(p, options), p = good;
    p.height = -1, refuse_pixels(p, options), p = good;
    p.pitch = 39, refuse_pixels(p, options), p = good;
    p.pitch = -39, refuse_pixels(p, options), p = good;
    p.bytes_per_pixel = 0, refuse_pixels(p, options), p = good;
    p.bytes_per_pixel = 5, refuse_pixels(p, options), p = good;
    p.bytes_per_pixel = 3, refuse_pixels(p, options), p = good;
    p.alpha_mask = 0xf0f0, refuse_pixels(p, options), p = good;
    options.alpha_threshold = -1, refuse_pixels(good, options);
    options.alpha_threshold = 256, refuse_pixels(good, options);
}

START_TEST(pictures_without_pixels_give_empty_masks) {
    for (int h = 0; h <= 7; h += 7) {
        pv_error error;
        pv_mask *mask = pv_mask_from_rgba(NULL, 0, h, 0, NULL, &error);
        ck_assert_int_eq(error.status, PV_OK);
        ck_assert(pv_mask_compute_mass(mask).area == 0);
        judge(mask, 0, h);
    }
}

/* ---- mass ---- */

/// Computes the mass from plain sums about the center.
static pv_mass_data naive_mass(int w, int h) {
    pv_mass_data o = {0, {0, 0}, 0};
    for (int i = 0; i < w * h; i++)
        if (solid[i]) {
            o.area += 1;
            o.centroid.x += i % w + 0.5;
            o.centroid.y += i / w + 0.5;
        }
    if (o.area == 0) return o;
    o.centroid.x /= o.area;
    o.centroid.y /= o.area;
    for (int i = 0; i < w * h; i++) {
        double x = i % w + 0.5 - o.centroid.x, y = i / w + 0.5 - o.centroid.y;
        if (solid[i]) o.inertia += x * x + y * y + 1.0 / 6;
    }
    return o;
}

START_TEST(mass_is_plain_sums) {
    for (int i = 0; i < 500; i++) {
        int w = any_int(0, i % 10 ? 130 : 513), h = any_int(0, 40);
        scoped_mask *mask = make(w, h, i % 3 ? 50 : 98);
        pv_mass_data got = pv_mask_compute_mass(mask), expected = naive_mass(w, h);
        ck_assert(got.area == expected.area);
        ck_assert_vec_eq_tol(got.centroid, expected.centroid.x, expected.centroid.y, 1e-10);
        ck_assert_double_eq_tol(got.inertia, expected.inertia, 1e-11 * expected.inertia + 1e-300);
    }
}

static void check_box(int w, int h, pv_rect r) {
    scoped_mask *mask = pv_mask_create(w, h, NULL, NULL);
    pv_mask_fill_rect(mask, r, true);
    pv_mass_data got = pv_mask_compute_mass(mask);
    double a = r.w, b = r.h, inertia = a * b * (a * a + b * b) / 12;
    ck_assert(got.area == a * b && got.centroid.x == r.x + a / 2 && got.centroid.y == r.y + b / 2);
    ck_assert_double_eq_tol(got.inertia, inertia, 4e-16 * inertia);
}

START_TEST(mass_of_boxes_by_formula) {
    check_box(1, 1, (pv_rect){0, 0, 1, 1});
    check_box(32, 32, (pv_rect){0, 0, 32, 32});
    check_box(200, 3, (pv_rect){7, 1, 180, 1});
    check_box(2048, 2048, (pv_rect){0, 0, 2048, 2048});
    check_box(32768, 64, (pv_rect){0, 0, 32768, 64});
    check_box(100, 32768, (pv_rect){0, 0, 100, 32768});
    check_box(32768, 4, (pv_rect){32760, 1, 3, 2});
    check_box(4, 32768, (pv_rect){1, 32765, 2, 3});
}

/* A sprite in a far corner has the same mass up to its last bits. */
START_TEST(mass_does_not_care_where) {
    scoped_mask *near = make(40, 30, 50), *far = pv_mask_create(20000, 20000, NULL, NULL);
    for (int i = 0; i < 40 * 30; i++)
        pv_mask_set_pixel(far, 19960 + i % 40, 19970 + i / 40, solid[i]);
    pv_mass_data a = pv_mask_compute_mass(near), b = pv_mask_compute_mass(far);
    ck_assert(a.area == b.area);
    ck_assert_double_eq_tol(a.centroid.x + 19960, b.centroid.x, 1e-11);
    ck_assert_double_eq_tol(a.centroid.y + 19970, b.centroid.y, 1e-11);
    ck_assert_double_eq_tol(a.inertia, b.inertia, 1e-15 * a.inertia);
}

RUN_TESTS("mask")
