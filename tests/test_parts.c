/* test_parts.c - connected parts against a flood fill.
 *
 * Invariant: the expected parts come from a flood fill of single pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include <limits.h>

static int label[520 * 200], stack[520 * 200], first[520 * 200];

/// Numbers all pixels that are connected with pixel i. Returns their area and box.
static pv_part flood(const pv_mask *mask, int i, int number, pv_connectivity neighbors) {
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
    int left = w, right = -1, top = h, bottom = -1, depth = 0;
    int64_t area = 0;
    label[i] = number;
    stack[depth++] = i;
    while (depth) {
        int x = stack[--depth] % w, y = stack[depth] / w;
        area++;
        left = x < left ? x : left, right = x > right ? x : right;
        top = y < top ? y : top, bottom = y > bottom ? y : bottom;
        for (int d = 0; d < 9; d++) {
            int nx = x + d % 3 - 1, ny = y + d / 3 - 1;
            if (neighbors == PV_CONNECTIVITY_4 && d % 2 == 0) continue;
            if (!pv_mask_get_pixel(mask, nx, ny) || label[ny * w + nx] >= 0) continue;
            label[ny * w + nx] = number;
            stack[depth++] = ny * w + nx;
        }
    }
    return (pv_part){area, {left, top, right + 1 - left, bottom + 1 - top}};
}

static void check_mask(const pv_parts *parts, int part, int w, int number) {
    pv_part is = pv_parts_get_part(parts, part);
    scoped_mask *mask = pv_parts_create_mask(parts, part, NULL);
    int wrong = 0;
    ck_assert(pv_mask_get_width(mask) == is.rect.w && pv_mask_get_height(mask) == is.rect.h);
    ck_assert_int_eq(pv_mask_count_pixels(mask), is.area);
    for (int y = 0; y < is.rect.h; y++)
        for (int x = 0; x < is.rect.w; x++)
            wrong += pv_mask_get_pixel(mask, x, y) !=
                     (label[(is.rect.y + y) * w + is.rect.x + x] == number);
    ck_assert_int_eq(wrong, 0);
}

/// Compares all parts with the flood fill: the number of every pixel, boxes, masks, and order.
static void check_parts(const pv_mask *mask, pv_connectivity neighbors) {
    pv_error error = {.status = PV_ERROR_STALE_ID};
    scoped_parts *parts = pv_parts_create(mask, neighbors, &error);
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask), count = 0, wrong = 0;
    ck_assert_int_eq(error.status, PV_OK);
    for (int i = 0; i < w * h; i++) label[i] = -1;
    for (int i = 0; i < w * h; i++) {
        if (!pv_mask_get_pixel(mask, i % w, i / w) || label[i] >= 0) continue;
        int part = pv_parts_find_at(parts, i % w, i / w);
        pv_part found = flood(mask, i, part, neighbors), got = pv_parts_get_part(parts, part);
        ck_assert(part >= 0 && got.area == found.area);
        ck_assert(memcmp(&got.rect, &found.rect, sizeof got.rect) == 0);
        first[part] = i;
        count++;
    }
    for (int k = 1; k < count; k++) { /* larger parts come first; of equal ones, the upper */
        pv_part before = pv_parts_get_part(parts, k - 1), is = pv_parts_get_part(parts, k);
        ck_assert(before.area > is.area || (before.area == is.area && first[k - 1] < first[k]));
    }
    for (int i = 0; i < w * h; i++) wrong += pv_parts_find_at(parts, i % w, i / w) != label[i];
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(pv_parts_get_count(parts), count);
    for (int i = 0; i < count && i < 5; i++) check_mask(parts, i, w, i);
}

START_TEST(parts_are_what_a_flood_reaches) {
    static const int percents[] = {0, 5, 30, 45, 60, 75, 95, 100};
    for (int i = 0; i < 3000; i++) {
        scoped_mask *mask = any_mask(any_width(), any_int(0, 30), percents[any_int(0, 7)]);
        check_parts(mask, i & 1 ? PV_CONNECTIVITY_4 : PV_CONNECTIVITY_8);
    }
}

/* Combs, whose teeth are joined only in the last row, and stairs, which touch only at corners. */
START_TEST(awkward_shapes) {
    for (int w = 1; w <= 200; w += 7)
        for (int kind = 0; kind < 2; kind++) {
            int h = kind ? w : 20;
            scoped_mask *mask = pv_mask_create(w, h, NULL, NULL);
            for (int i = 0; i < w * h; i++)
                if (kind ? i % w == w - 1 - i / w : i % w % 2 == 0 || i / w == 19)
                    pv_mask_set_pixel(mask, i % w, i / w, true);
            check_parts(mask, PV_CONNECTIVITY_4);
            check_parts(mask, PV_CONNECTIVITY_8);
        }
}

START_TEST(what_is_not_there) {
    pv_error error = {0};
    scoped_mask *mask = any_mask(10, 10, 100);
    scoped_parts *parts = pv_parts_create(mask, PV_CONNECTIVITY_8, NULL);
    ck_assert_int_eq(pv_parts_find_at(parts, -1, 0), -1);
    ck_assert_int_eq(pv_parts_find_at(parts, 10, 9), -1);
    ck_assert_int_eq(pv_parts_find_at(parts, INT_MAX, INT_MIN), -1);
    ck_assert_int_eq(pv_parts_find_at(parts, INT_MIN, 0), -1);
    ck_assert_int_eq(pv_parts_find_at(parts, 0, INT_MAX), -1);
    ck_assert(pv_parts_get_part(parts, 1).area == 0 && pv_parts_get_part(parts, -1).area == 0);
    ck_assert_refused(pv_parts_create_mask(parts, 1, &error), error, PV_ERROR_ARGUMENT);
    ck_assert(pv_parts_get_count(NULL) == 0 && pv_parts_find_at(NULL, 0, 0) == -1 &&
              pv_parts_get_part(NULL, 0).area == 0);
    ck_assert_ptr_null(pv_parts_create_mask(NULL, 0, NULL));
    ck_assert_refused(pv_parts_create(NULL, PV_CONNECTIVITY_4, &error), error, PV_ERROR_ARGUMENT);
    ck_assert_ptr_null(pv_parts_create(mask, (pv_connectivity)6, NULL));
    pv_parts_destroy(NULL);
}

/* Worst known patterns, which would take very long if joining were not nearly linear. */
START_TEST(a_million_runs) {
    scoped_mask *mask = pv_mask_create(2048, 1024, NULL, NULL);
    for (int x = 0; x < 2048; x += 2) pv_mask_fill_rect(mask, (pv_rect){x, 0, 1, 1024}, true);
    pv_mask_fill_rect(mask, (pv_rect){0, 1023, 2048, 1}, true);
    scoped_parts *parts = pv_parts_create(mask, PV_CONNECTIVITY_4, NULL);
    ck_assert_int_eq(pv_parts_get_count(parts), 1);
    ck_assert_int_eq(pv_parts_get_part(parts, 0).area, pv_mask_count_pixels(mask));
    pv_parts_destroy(parts);
    for (int y = 0; y < 1024; y += 2) pv_mask_fill_rect(mask, (pv_rect){0, y, 2048, 1}, false);
    parts = pv_parts_create(mask, PV_CONNECTIVITY_4, NULL);
    ck_assert_int_eq(pv_parts_get_count(parts), 1024 * 511 + 1);
    ck_assert_int_eq(pv_parts_get_part(parts, 0).area, 2048);
}

RUN_TESTS("parts")
