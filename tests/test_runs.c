/* test_runs.c - run lengths against the bitmaps they stand for and against loops over every pixel.
 *
 * Invariant: every answer of the runs is asked of the bits too, and of one byte a pixel.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/bits.h"
#include "pixverlet/paper.h"
#include "support.h"

#include <limits.h>

/// Random rows: noise, or a few blocks as in sprites.
static pv_mask *make(int w, int h, int style) {
    pv_mask *mask = pv_mask_create(w, h, NULL, NULL);
    for (int y = 0; y < h && style < 2; y++)
        for (int x = 0; x < w; x++)
            pv_mask_set_pixel(mask, x, y, any_int(0, 99) < (style ? 95 : 40));
    for (int i = 0; i < 5 && style == 2; i++)
        pv_mask_fill_rect(
            mask, (pv_rect){any_int(0, w), any_int(0, h), any_int(0, w), any_int(0, h)}, true);
    return mask;
}

static void check_same(const pv_mask *a, const pv_mask *b) {
    ck_assert_mask_size(a, pv_mask_get_width(b), pv_mask_get_height(b));
    size_t bytes = pv__bits_word_count(a->bits.w, a->bits.h) * sizeof(uint64_t);
    ck_assert(bytes == 0 || memcmp(a->bits.words, b->bits.words, bytes) == 0);
}

static int64_t naive(const pv_mask *a, const pv_mask *b, int64_t dx, int64_t dy) {
    int64_t area = 0;
    for (int y = 0; y < a->bits.h; y++)
        for (int x = 0; x < a->bits.w; x++) {
            int64_t i = x - dx, j = y - dy;
            if (i < 0 || j < 0 || i >= b->bits.w || j >= b->bits.h) continue;
            area += pv_mask_get_pixel(a, x, y) && pv_mask_get_pixel(b, (int)i, (int)j);
        }
    return area;
}

START_TEST(paper_5_3_run_lengths_decode_to_what_was_encoded) {
    for (int w = 0; w <= 513; w = w == 130 ? 511 : w + 1)
        for (int style = 0; style < 3; style++) {
            scoped_mask *mask = make(w, 1 + w % 5, style);
            pv_paper_runs *runs = pv_paper_runs_encode(mask, NULL, NULL);
            scoped_mask *back = pv_paper_runs_decode(runs, NULL, NULL);
            check_same(mask, back);
            pv_paper_runs_destroy(runs);
        }
}

START_TEST(paper_5_3_run_lengths_overlap_as_bitmaps) {
    for (int i = 0; i < 5000; i++) {
        scoped_mask *a = make(any_int(0, 140), any_int(0, 12), i % 3);
        scoped_mask *b = make(any_int(0, 140), any_int(0, 12), i / 3 % 3);
        pv_paper_runs *ra = pv_paper_runs_encode(a, NULL, NULL),
                      *rb = pv_paper_runs_encode(b, NULL, NULL);
        int dx = any_int(-145, 145), dy = any_int(-13, 13);
        int64_t area = pv_mask_compute_overlap_area(a, b, dx, dy);
        ck_assert_int_eq(pv_paper_runs_compute_overlap_area(ra, rb, dx, dy), area);
        ck_assert_int_eq(pv_paper_runs_compute_overlap_area(rb, ra, -dx, -dy), area);
        if (i % 10 == 0) ck_assert_int_eq(naive(a, b, dx, dy), area);
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
