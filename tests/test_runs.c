/* test_runs.c - run lengths against the bitmaps they stand for.
 *
 * Invariant: every answer of the runs is asked of the bits too.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixverlet/paper.h"
#include "support.h"

#include <limits.h>

START_TEST(paper_5_3_run_lengths_decode_to_what_was_encoded) {
    for (int w = 0; w <= 513; w = w == 130 ? 511 : w + 1)
        for (int i = 0; i < 3; i++) {
            scoped_mask *mask = any_picture(w, 1 + w % 5);
            pv_paper_runs *runs = pv_paper_runs_encode(mask, NULL, NULL);
            scoped_mask *back = pv_paper_runs_decode(runs, NULL, NULL);
            check_same_masks(mask, back);
            pv_paper_runs_destroy(runs);
        }
}

START_TEST(paper_5_3_run_lengths_overlap_as_bitmaps) {
    for (int i = 0; i < 5000; i++) {
        scoped_mask *a = any_picture(any_int(0, 140), any_int(0, 12)),
                    *b = any_picture(any_int(0, 140), any_int(0, 12));
        pv_paper_runs *ra = pv_paper_runs_encode(a, NULL, NULL),
                      *rb = pv_paper_runs_encode(b, NULL, NULL);
        int dx = any_int(-145, 145), dy = any_int(-13, 13);
        int64_t area = pv_mask_compute_overlap_area(a, b, dx, dy);
        ck_assert_int_eq(pv_paper_runs_compute_overlap_area(ra, rb, dx, dy), area);
        ck_assert_int_eq(pv_paper_runs_compute_overlap_area(rb, ra, -dx, -dy), area);
        pv_paper_runs_destroy(ra);
        pv_paper_runs_destroy(rb);
    }
}

/* Every second pixel is the worst case; a full mask is the best: one run a row. */
START_TEST(paper_5_3_run_lengths_take_four_bytes_a_run) {
    scoped_mask *comb = pv_mask_create(101, 7, NULL, NULL), *full = box_mask(101, 7);
    for (int y = 0; y < 7; y++)
        for (int x = 0; x < 101; x += 2) pv_mask_set_pixel(comb, x, y, true);
    purse wide = {0}, narrow = {0};
    pv_paper_runs *many = pv_paper_runs_encode(comb, &(pv_allocator){purse_alloc, &wide}, NULL),
                  *few = pv_paper_runs_encode(full, &(pv_allocator){purse_alloc, &narrow}, NULL);
    ck_assert_int_eq(wide.live_bytes - narrow.live_bytes, (51 - 1) * 7 * 4);
    ck_assert_int_eq(pv_paper_runs_compute_overlap_area(many, few, 0, 0), 51 * 7);
    ck_assert_int_eq(pv_paper_runs_compute_overlap_area(many, many, 1, 0), 0);
    pv_paper_runs_destroy(many);
    pv_paper_runs_destroy(few);
}

START_TEST(widest_rows_fit) {
    scoped_mask *full = box_mask(32768, 2), *tooth = pv_mask_create(32768, 2, NULL, NULL);
    pv_mask_set_pixel(tooth, 32767, 1, true);
    pv_paper_runs *a = pv_paper_runs_encode(full, NULL, NULL),
                  *b = pv_paper_runs_encode(tooth, NULL, NULL);
    ck_assert_int_eq(pv_paper_runs_compute_overlap_area(a, a, 0, 0), 65536);
    ck_assert_int_eq(pv_paper_runs_compute_overlap_area(a, b, 0, 0), 1);
    pv_paper_runs_destroy(a);
    pv_paper_runs_destroy(b);
}

START_TEST(far_offsets_share_nothing) {
    const int far[] = {INT_MIN, INT_MIN + 1, -71, 71, INT_MAX - 1, INT_MAX};
    scoped_mask *mask = box_mask(70, 70);
    pv_paper_runs *runs = pv_paper_runs_encode(mask, NULL, NULL);
    for (size_t i = 0; i < COUNT_OF(far); i++) {
        ck_assert_int_eq(pv_paper_runs_compute_overlap_area(runs, runs, far[i], 0), 0);
        ck_assert_int_eq(pv_paper_runs_compute_overlap_area(runs, runs, 0, far[i]), 0);
    }
    pv_paper_runs_destroy(runs);
}

RUN_TESTS("runs")
