/* test_overlap.c - the pixels that two masks share, against loops over every pixel, also by runs.
 *
 * Invariant: expected values come from single pixels, and for runs from the masks.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "pixel/overlap.h"
#include "pixverlet/paper.h"
#include "support.h"

#include <limits.h>

static void drop_runs(pv_paper_runs **runs) { pv_paper_runs_destroy(*runs); }
#define scoped_runs __attribute__((cleanup(drop_runs))) pv_paper_runs

typedef struct answer {
    int64_t area;
    double x, y;
} answer;

/// Computes the overlap by looking at every pixel of p.
static answer naive(const pv_mask *p, const pv_mask *q, int dx, int dy) {
    answer o = {0, 0, 0};
    for (int y = 0; y < pv_mask_get_height(p); y++)
        for (int x = 0; x < pv_mask_get_width(p); x++) {
            if (!pv_mask_get_pixel(p, x, y) || !pv_mask_get_pixel(q, x - dx, y - dy)) continue;
            o.area++;
            o.x += x + 0.5;
            o.y += y + 0.5;
        }
    double area = o.area ? (double)o.area : 1;
    return (answer){o.area, o.x / area, o.y / area};
}

/// Checks all functions at one offset.
static void check_at(const pv_mask *p, const pv_mask *q, int dx, int dy) {
    answer expected = naive(p, q, dx, dy);
    pv_overlap o;
    ck_assert_int_eq(pv_mask_compute_overlap_area(p, q, dx, dy), expected.area);
    ck_assert_int_eq(pv_mask_test_overlap(p, q, dx, dy), expected.area > 0);
    ck_assert_int_eq(pv_mask_compute_overlap(p, q, dx, dy, &o), expected.area > 0);
    ck_assert_int_eq(o.area, expected.area);
    ck_assert_vec_eq_tol(o.point, expected.x, expected.y, 1e-9);
    double gx = (double)(naive(p, q, dx + 1, dy).area - naive(p, q, dx - 1, dy).area),
           gy = (double)(naive(p, q, dx, dy + 1).area - naive(p, q, dx, dy - 1).area),
           slope = sqrt(gx * gx + gy * gy);
    if (o.area && slope > 0) {
        ck_assert_vec_eq_tol(o.normal, -gx / slope, -gy / slope, 1e-12);
        ck_assert_double_eq_tol(o.depth, (double)o.area / (slope / 2), 1e-9);
    } else {
        ck_assert(o.normal.x == 0 && o.normal.y == 0 && o.depth == 0);
    }
}

START_TEST(paper_3_2_overlap_answers_for_random_masks) {
    const int percents[] = {100, 50, 5, 1};
    for (int i = 0; i < 600; i++) {
        scoped_mask *a = any_mask(any_int(0, 130), any_int(0, 40), percents[i & 3]),
                    *b = any_mask(any_int(0, 130), any_int(0, 40), percents[i >> 2 & 3]);
        for (int k = 0; k < 4; k++)
            check_at(a, b, any_int(-pv_mask_get_width(b) - 2, pv_mask_get_width(a) + 2),
                     any_int(-pv_mask_get_height(b) - 2, pv_mask_get_height(a) + 2));
        check_at(a, a, any_int(-9, 9), any_int(-9, 9));
        check_at(a, a, 0, 0);
    }
}

START_TEST(paper_3_2_overlap_answers_at_every_width_and_shift) {
    for (int w = 0; w <= 130; w++) {
        scoped_mask *a = any_mask(w, 3, 70), *b = any_mask(130 - w, 4, 70);
        for (int dx = -pv_mask_get_width(b) - 1; dx <= w + 1; dx++) {
            int64_t area = naive(a, b, dx, -1).area;
            if (pv_mask_compute_overlap_area(a, b, dx, -1) != area ||
                pv_mask_test_overlap(a, b, dx, -1) != !!area)
                ck_abort_msg("width %d, offset %d", w, dx);
        }
    }
}

START_TEST(paper_3_2_overlap_answers_of_wide_masks) {
    for (int w = 511; w <= 513; w++)
        for (int v = 511; v <= 513; v++) {
            scoped_mask *a = any_mask(w, 9, 60), *b = any_mask(v, 9, 60);
            for (int k = 0; k < 6; k++) check_at(a, b, any_int(-v, w), any_int(-9, 9));
            check_at(a, b, 0, 0);
            check_at(a, b, w - 1, 8);
            check_at(a, b, 1 - v, -8);
        }
}

START_TEST(one_shared_pixel_is_found_wherever_it_is) {
    scoped_mask *a = any_mask(130, 70, 0), *b = any_mask(200, 90, 0);
    for (int k = 0; k < 3000; k++) {
        int x = any_int(0, 129), y = any_int(0, 69), i = any_int(0, 199), j = any_int(0, 89);
        pv_overlap o;
        pv_mask_set_pixel(a, x, y, true);
        pv_mask_set_pixel(b, i, j, true);
        ck_assert(pv_mask_compute_overlap(a, b, x - i, y - j, &o));
        ck_assert(o.area == 1 && o.point.x == x + 0.5 && o.point.y == y + 0.5);
        ck_assert(pv_mask_test_overlap(a, b, x - i, y - j));
        ck_assert(!pv_mask_test_overlap(a, b, x - i + 1, y - j));
        ck_assert(!pv_mask_test_overlap(a, b, x - i, y - j - 1));
        pv_mask_set_pixel(a, x, y, false);
        pv_mask_set_pixel(b, i, j, false);
    }
}

START_TEST(far_offsets_share_nothing) {
    const int far[] = {INT_MIN, INT_MIN + 1, -1000000, -71, 71, 1000000, INT_MAX - 1, INT_MAX};
    scoped_mask *a = any_mask(70, 70, 100), *b = any_mask(70, 70, 100);
    scoped_runs *runs = pv_paper_runs_encode(a, NULL, NULL);
    for (size_t i = 0; i < COUNT_OF(far); i++)
        for (size_t j = 0; j < COUNT_OF(far); j++) {
            ck_assert_int_eq(pv_paper_runs_compute_overlap_area(runs, runs, far[i], 0), 0);
            ck_assert_int_eq(pv_paper_runs_compute_overlap_area(runs, runs, 0, far[j]), 0);
            pv_overlap o;
            pv_vec2 normal;
            ck_assert(!pv_mask_test_overlap(a, b, far[i], far[j]) &&
                      !pv_mask_test_overlap(a, b, 0, far[j]));
            ck_assert_int_eq(pv_mask_compute_overlap_area(a, b, far[i], 3), 0);
            ck_assert(!pv_mask_compute_overlap(a, b, far[i], far[j], &o) && o.area == 0);
            ck_assert(
                !pv__bits_gradient(&a->bits, &b->bits, far[i] * INT64_C(1000), far[j], 1, &normal));
        }
}

/* For a box over the edge of another one by d px, the normal is the edge's, and the depth is d. */
START_TEST(paper_3_3_gradient_normal_of_boxes) {
    scoped_mask *a = any_mask(64, 64, 100), *b = any_mask(20, 20, 100);
    for (int d = 1; d < 19; d++) {
        const int sides[4][4] = {
            {64 - d, 20, 1, 0}, {d - 20, 20, -1, 0}, {20, 64 - d, 0, 1}, {20, d - 20, 0, -1}};
        for (int i = 0; i < 4; i++) {
            pv_overlap o;
            pv_mask_compute_overlap(a, b, sides[i][0], sides[i][1], &o);
            ck_assert(o.normal.x == sides[i][2] && o.normal.y == sides[i][3]);
            ck_assert_double_eq_tol(o.depth, d, 1e-12);
        }
    }
    pv_overlap inside; /* here the gradient vanishes */
    ck_assert(pv_mask_compute_overlap(a, b, 20, 20, &inside));
    ck_assert(inside.normal.x == 0 && inside.normal.y == 0 && inside.depth == 0);
    ck_assert(!pv__bits_gradient(&a->bits, &b->bits, 20, 20, 3, &inside.normal));
    scoped_mask *large = any_mask(150, 150, 100); /* with no way out nearby, the normal points up */
    pv_placed at = {large, pv_transform_identity()};
    ck_assert(pv_placed_compute_overlap(&at, &at, &inside));
    ck_assert(inside.normal.x == 0 && inside.normal.y == -1 && inside.depth == 64);
}

/* For two discs, the normal is the line through their centers. */
START_TEST(paper_3_3_gradient_normal_of_discs) {
    double worst = 0, worst_wide = 0;
    scoped_mask *a = disc_mask(48), *b = disc_mask(32);
    for (int degree = 0; degree < 360; degree++) {
        double angle = degree * (PV__PI / 180);
        int dx = (int)lround(66 * cos(angle)) + 16, dy = (int)lround(66 * sin(angle)) + 16;
        double x = dx - 16, y = dy - 16, length = sqrt(x * x + y * y);
        pv_overlap o;
        pv_vec2 wide;
        ck_assert(pv_mask_compute_overlap(a, b, dx, dy, &o));
        ck_assert(pv__bits_gradient(&a->bits, &b->bits, dx, dy, 3, &wide));
        worst = fmax(worst, fabs(o.normal.x * y - o.normal.y * x) / length);
        worst_wide = fmax(worst_wide, fabs(wide.x * y - wide.y * x) / length);
        ck_assert(o.normal.x * x + o.normal.y * y > 0 && wide.x * x + wide.y * y > 0);
    }
    ck_assert_msg(worst < 0.03, "off by %g rad", worst);
    ck_assert_msg(worst_wide < 0.015, "wide: off by %g rad", worst_wide);
}

/* Masks with more rows than a byte can count. */
START_TEST(tall_full_masks_are_counted) {
    scoped_mask *tall = box_mask(100, 32768);
    ck_assert_int_eq(pv_mask_compute_overlap_area(tall, tall, 0, 0), 3276800);
    ck_assert_int_eq(pv_mask_compute_overlap_area(tall, tall, -37, 5), 63 * 32763);
    pv_overlap o;
    ck_assert(pv_mask_compute_overlap(tall, tall, 30, -32000, &o));
    ck_assert(o.area == 70 * 768 && o.point.x == 65 && o.point.y == 384);
}

/* ---- run lengths ---- */

START_TEST(paper_5_3_run_lengths_decode_to_what_was_encoded) {
    for (int w = 0; w <= 513; w = w == 130 ? 511 : w + 1)
        for (int i = 0; i < 3; i++) {
            scoped_mask *mask = any_picture(w, 1 + w % 5);
            scoped_runs *runs = pv_paper_runs_encode(mask, NULL, NULL);
            scoped_mask *back = pv_paper_runs_decode(runs, NULL, NULL);
            check_same_masks(mask, back);
        }
}

START_TEST(paper_5_3_run_lengths_overlap_as_bitmaps) {
    for (int i = 0; i < 5000; i++) {
        scoped_mask *a = any_picture(any_int(0, 140), any_int(0, 12)),
                    *b = any_picture(any_int(0, 140), any_int(0, 12));
        scoped_runs *ra = pv_paper_runs_encode(a, NULL, NULL),
                    *rb = pv_paper_runs_encode(b, NULL, NULL);
        int dx = any_int(-145, 145), dy = any_int(-13, 13);
        int64_t area = pv_mask_compute_overlap_area(a, b, dx, dy);
        ck_assert_int_eq(pv_paper_runs_compute_overlap_area(ra, rb, dx, dy), area);
        ck_assert_int_eq(pv_paper_runs_compute_overlap_area(rb, ra, -dx, -dy), area);
    }
}

/* Every second pixel is the worst case; a full mask with one run a row is the best. */
START_TEST(paper_5_3_run_lengths_take_four_bytes_a_run) {
    scoped_mask *comb = pv_mask_create(101, 7, NULL, NULL), *full = box_mask(101, 7);
    for (int y = 0; y < 7; y++)
        for (int x = 0; x < 101; x += 2) pv_mask_set_pixel(comb, x, y, true);
    purse wide = {0}, narrow = {0};
    scoped_runs *many = pv_paper_runs_encode(comb, &(pv_allocator){purse_alloc, &wide}, NULL),
                *few = pv_paper_runs_encode(full, &(pv_allocator){purse_alloc, &narrow}, NULL);
    ck_assert_int_eq(wide.live_bytes - narrow.live_bytes, (51 - 1) * 7 * 4);
    ck_assert_int_eq(pv_paper_runs_compute_overlap_area(many, few, 0, 0), 51 * 7);
    ck_assert_int_eq(pv_paper_runs_compute_overlap_area(many, many, 1, 0), 0);
}

START_TEST(widest_rows_fit) {
    scoped_mask *full = box_mask(32768, 2), *tooth = pv_mask_create(32768, 2, NULL, NULL);
    pv_mask_set_pixel(tooth, 32767, 1, true);
    scoped_runs *a = pv_paper_runs_encode(full, NULL, NULL),
                *b = pv_paper_runs_encode(tooth, NULL, NULL);
    ck_assert_int_eq(pv_paper_runs_compute_overlap_area(a, a, 0, 0), 65536);
    ck_assert_int_eq(pv_paper_runs_compute_overlap_area(a, b, 0, 0), 1);
}

RUN_TESTS("overlap")
