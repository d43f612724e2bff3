/* test_math.c - base/math.h against libm; clock, status texts, version, and memory.
 *
 * Invariant: expected values come from libm in long double, or from definitions.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/base.h"
#include "base/math.h"
#include "support.h"

#include <float.h>

static double larger(double a, double b) { return a > b ? a : b; }

/* ---- trigonometry ---- */

static double rotation_error(double angle) {
    pv_rotation r = pv__rotation(angle);
    double c = (double)fabsl(r.c - cosl((long double)angle)),
           s = (double)fabsl(r.s - sinl((long double)angle));
    return larger(c, s);
}

START_TEST(rotation_is_libm_within_4e_16) {
    const double ranges[] = {1e-9, 1e-3, 0.8, 1.6, 3.2, 10, 1000, 1e6};
    double worst = 0;
    for (size_t k = 0; k < COUNT_OF(ranges); k++)
        for (int i = 0; i < 20000; i++)
            worst = larger(worst, rotation_error(any_within(ranges[k])));
    for (int i = -4000; i <= 4000; i++) {
        double corner = i * (PV__PI / 4);
        worst = larger(worst, rotation_error(corner));
        worst = larger(worst, rotation_error(nextafter(corner, 1e9)));
        worst = larger(worst, rotation_error(nextafter(corner, -1e9)));
    }
    ck_assert_msg(worst <= 4e-16, "off by %g", worst);
}

START_TEST(quarter_turns_are_exact) {
    ck_assert(pv__rotation(0).c == 1 && pv__rotation(0).s == 0);
    ck_assert(pv__rotation(PV__PI / 2).s == 1 && pv__rotation(-PV__PI / 2).s == -1);
    ck_assert(pv__rotation(PV__PI).c == -1);
}

START_TEST(unrotate_undoes_rotate) {
    for (int i = 0; i < 2000; i++) {
        pv_rotation r = pv__rotation(any_within(10));
        pv_vec2 v = pv__vec(any_within(100), any_within(100));
        ck_assert_double_le(pv__length(pv__sub(v, pv__unrotate(r, pv__rotate(r, v)))), 1e-13);
    }
}

START_TEST(from_angle_refuses_what_is_out_of_range) {
    const double bad[] = {1.0000001e6, -1e7, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        pv_rotation r = pv_rotation_from_angle(bad[i]);
        ck_assert(r.c == 1 && r.s == 0);
    }
    pv_rotation r = pv_rotation_from_angle(1e6);
    ck_assert_double_eq_tol(r.c, cos(1e6), 4e-16);
    ck_assert_double_eq_tol(r.s, sin(1e6), 4e-16);
}

START_TEST(atan2_is_libm_within_3_ulp) {
    double worst = 0;
    for (int i = 0; i < 200000; i++) {
        double x = any_within(1), y = any_within(1) * (i % 3 ? 1 : 1e-6);
        if (i % 5 == 0) x *= 1e-12;
        worst = larger(worst,
                       (double)fabsl(pv__atan2(y, x) / atan2l((long double)y, (long double)x) - 1));
    }
    ck_assert_msg(worst <= 3 * DBL_EPSILON, "off by %g of it", worst);
}

START_TEST(atan2_keeps_small_angles_relatively) {
    double worst = 0;
    for (double y = 1e-300; y < 0.1; y *= 1.7)
        worst = larger(worst, (double)fabsl(pv__atan2(y, 1) / atan2l((long double)y, 1) - 1));
    ck_assert_msg(worst <= 5e-16, "off by %g of it", worst);
}

START_TEST(atan2_of_the_axes) {
    ck_assert(pv__atan2(0, 0) == 0);
    ck_assert(pv__atan2(0, 1) == 0);
    ck_assert(pv__atan2(0, -1) == PV__PI);
    ck_assert(pv__atan2(-0.0, -1) == PV__PI);
    ck_assert_double_eq_tol(pv__atan2(1, 0), PV__PI / 2, 3e-16);
    ck_assert_double_eq_tol(pv__atan2(-1, 0), -PV__PI / 2, 3e-16);
    ck_assert_double_eq_tol(pv__atan2(-1e-18, -1), -PV__PI, 5e-16);
}

/* Compares with libm. Toward 1 the slope of the arc sine grows without bound, and so does the
 * effect of the last bit of s. */
START_TEST(asin_is_libm) {
    double worst = 0;
    for (int i = 0; i < 100000; i++) {
        double s = any_within(1), slope = 1 / sqrt(1 - s * s);
        worst = larger(worst, (double)fabsl(pv__asin(s) - asinl((long double)s)) / slope);
    }
    ck_assert_msg(worst <= 4e-16, "off by %g", worst);
    ck_assert_double_eq_tol(pv__asin(1), PV__PI / 2, 3e-16);
    ck_assert_double_eq_tol(pv__asin(-1), -PV__PI / 2, 3e-16);
    ck_assert(pv__asin(0) == 0);
}

/* ---- the rest ---- */

START_TEST(floor_is_libms) {
    const double corners[] = {0,    -0.0,   0.5,     -0.5,   1,       -1,     1.5,
                              -1.5, 0x1p52, -0x1p52, 0x1p61, -0x1p61, 1e-300, -1e-300};
    for (size_t i = 0; i < COUNT_OF(corners); i++)
        ck_assert((double)pv__floor(corners[i]) == floor(corners[i]));
    for (int i = 0; i < 5000; i++) {
        double x = any_within(i % 2 ? 1e3 : 1e15);
        ck_assert((double)pv__floor(x) == floor(x));
    }
}

START_TEST(placeable_keeps_nan_and_far_places_out) {
    ck_assert(pv__placeable(pv__vec(PV_MAX_COORDINATE, -PV_MAX_COORDINATE)));
    ck_assert(!pv__placeable(pv__vec(PV_MAX_COORDINATE * 1.0000001, 0)));
    ck_assert(!pv__placeable(pv__vec(0, NAN)));
    ck_assert(!pv__placeable(pv__vec(-INFINITY, 0)));
}

START_TEST(clock_counts_whole_steps) {
    pv_clock clock = {.step = 0.25, .max_steps = 100};
    ck_assert_int_eq(pv_clock_advance(&clock, 0.2), 0);
    ck_assert_int_eq(pv_clock_advance(&clock, 0.1), 1);
    ck_assert_double_eq_tol(clock.accumulator, 0.05, 1e-12);
    ck_assert_int_eq(pv_clock_advance(&clock, 1.0), 4);
    ck_assert_int_eq(pv_clock_advance(&clock, 0.25), 1);
}

START_TEST(clock_loses_no_time_over_uneven_frames) {
    pv_clock clock = {.step = 1.0 / 120, .max_steps = 100};
    double total = 0;
    int steps = 0;
    for (int i = 0; i < 20000; i++) {
        double frame = 0.001 + 0.02 * (0.5 + any_within(0.5));
        total += frame;
        steps += pv_clock_advance(&clock, frame);
        ck_assert(clock.accumulator >= 0 && clock.accumulator < clock.step);
    }
    ck_assert_double_eq_tol(steps * clock.step + clock.accumulator, total, 1e-9);
}

START_TEST(clock_drops_a_hiccup) {
    pv_clock clock = {.step = 0.01, .max_steps = 5};
    ck_assert_int_eq(pv_clock_advance(&clock, 3600), 5);
    ck_assert(clock.accumulator >= 0 && clock.accumulator < clock.step);
    ck_assert_int_le(pv_clock_advance(&clock, 0.0101), 2);
}

START_TEST(clock_ignores_what_is_no_time) {
    pv_clock clock = {.step = 0.01, .max_steps = 5}, broken = {.step = 0, .max_steps = 5};
    const double bad[] = {-1, 0, NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        ck_assert_int_eq(pv_clock_advance(&clock, bad[i]), 0);
        ck_assert(clock.accumulator == 0);
    }
    ck_assert_int_eq(pv_clock_advance(NULL, 1), 0);
    ck_assert_int_eq(pv_clock_advance(&broken, 1), 0);
    broken.step = NAN;
    ck_assert_int_eq(pv_clock_advance(&broken, 1), 0);
}

START_TEST(every_status_has_a_sentence_of_its_own) {
    for (int i = 0; i < PV_STATUS_COUNT; i++) {
        const char *word = pv_status_to_string((pv_status)i);
        ck_assert_ptr_nonnull(word);
        ck_assert(word[0] && word[strlen(word) - 1] != '.');
        ck_assert_str_ne(word, "unknown status");
        for (int j = 0; j < i; j++) ck_assert_str_ne(word, pv_status_to_string((pv_status)j));
    }
    ck_assert_str_eq(pv_status_to_string(PV_STATUS_COUNT), "unknown status");
    ck_assert_str_eq(pv_status_to_string((pv_status)1000), "unknown status");
    ck_assert(strchr(pv_version(), '.'));
}

/* ---- memory ---- */

/// Allocator that aligns memory only to 16 bytes, and refuses one request in eight
typedef struct crooked {
    uint64_t seed;
    size_t bytes;
} crooked;

static void *crooked_resize(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    crooked *c = user_data;
    char *base = NULL, *memory = NULL;
    if (new_size > 0) {
        if (next_random(&c->seed) % 8 == 0) return NULL;
        base = malloc(new_size + 80);
        ck_assert_ptr_nonnull(base);
        memory = base + 16 * (1 + next_random(&c->seed) % 4);
        memcpy(memory - sizeof base, &base, sizeof base);
        if (ptr) memcpy(memory, ptr, old_size < new_size ? old_size : new_size);
    }
    c->bytes += new_size - (ptr ? old_size : 0);
    if (ptr) memcpy(&base, (char *)ptr - sizeof base, sizeof base), free(base);
    return memory;
}

static unsigned char byte_at(size_t i) { return (unsigned char)(i * 2654435761u >> 13); }

static void fill_bytes(unsigned char *block, size_t from, size_t end) {
    for (size_t i = from; i < end; i++) block[i] = byte_at(i);
}

static bool has_bytes(const unsigned char *block, size_t end) {
    for (size_t i = 0; i < end; i++)
        if (block[i] != byte_at(i)) return false;
    return true;
}

START_TEST(large_blocks_begin_at_a_line_and_keep_their_bytes) {
    crooked c = {.seed = 7};
    pv_allocator allocator = {crooked_resize, &c};
    unsigned char *block = NULL;
    size_t size = 0;
    int refused = 0;
    for (int i = 0; i < 4000; i++) {
        size_t wanted = 1 + next_random(&chance) % (i % 2 ? 4200 : 20000);
        unsigned char *moved = pv__resize(&allocator, block, size, wanted);
        refused += !moved;
        size_t kept = moved && wanted < size ? wanted : size;
        if (moved) block = moved, size = wanted;
        ck_assert(has_bytes(block, kept));
        ck_assert(size < 4096 || (uintptr_t)block % 64 == 0);
        fill_bytes(block, kept, size);
    }
    ck_assert_int_gt(refused, 100);
    ck_assert_ptr_null(pv__resize(&allocator, block, size, SIZE_MAX));
    ck_assert(has_bytes(block, size));
    pv__resize(&allocator, block, size, 0);
    ck_assert_uint_eq(c.bytes, 0);
}

RUN_TESTS("math")
