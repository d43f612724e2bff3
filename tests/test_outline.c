/* test_outline.c - contours filled again pixel by pixel, and hulls by their defining properties.
 *
 * Invariant: the even-odd rule at pixel centers decides what is inside, from the points alone.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

static unsigned char filled[520 * 64];

/* ---- outlines ---- */

static pv_point at(pv_contour c, int i) { return c.points[i % c.point_count]; }

/// Returns twice the area, by the shoelace formula.
static int64_t shoelace(pv_contour c) {
    int64_t sum = 0;
    for (int i = 0; i < c.point_count; i++) {
        pv_point p = at(c, i), q = at(c, i + 1);
        sum += (int64_t)p.x * q.y - (int64_t)q.x * p.y;
    }
    return sum;
}

/// Flips all pixels right of each vertical edge, which leaves those with an odd number of flips.
static void fill_even_odd(pv_contour c, int w) {
    for (int i = 0; i < c.point_count; i++) {
        pv_point p = at(c, i), q = at(c, i + 1);
        int top = p.y < q.y ? p.y : q.y, bottom = p.y < q.y ? q.y : p.y;
        for (int y = top; y < bottom; y++)
            for (int x = p.x; x < w; x++) filled[y * w + x] ^= 1;
    }
}

/// Checks that edges stay in the picture, alternate in direction, and have the solid on the right.
static void check_edges(const pv_mask *mask, pv_contour c) {
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
    ck_assert(c.point_count >= 4 && c.point_count % 2 == 0);
    for (int i = 0; i < c.point_count; i++) {
        pv_point p = at(c, i), q = at(c, i + 1), r = at(c, i + 2);
        int dx = (q.x > p.x) - (q.x < p.x), dy = (q.y > p.y) - (q.y < p.y);
        ck_assert(p.x >= 0 && p.y >= 0 && p.x <= w && p.y <= h);
        ck_assert((dx == 0) != (dy == 0));
        ck_assert((q.x == r.x) != (p.x == q.x));
        for (int x = p.x, y = p.y; x != q.x || y != q.y; x += dx, y += dy) {
            int ax = x + (dx - dy - 1) / 2,
                ay = y + (dx + dy - 1) / 2; /* the pixel to the right of the step */
            ck_assert(pv_mask_get_pixel(mask, ax, ay) &&
                      !pv_mask_get_pixel(mask, ax + dy, ay - dx));
        }
    }
}

/// Returns the number of corners to the right minus those to the left; 4 for a simple contour.
static int turns_of(pv_contour c) {
    int turns = 0;
    for (int i = 0; i < c.point_count; i++) {
        pv_point p = at(c, i), q = at(c, i + 1), r = at(c, i + 2);
        int64_t cross = (int64_t)(q.x - p.x) * (r.y - q.y) - (int64_t)(q.y - p.y) * (r.x - q.x);
        turns += cross > 0 ? 1 : -1;
    }
    return turns;
}

/// Tells whether a pixel's center is inside a contour, by even-odd crossings of a ray to the left.
static bool inside(pv_contour c, int x, int y) {
    bool in = false;
    for (int i = 0; i < c.point_count; i++) {
        pv_point p = at(c, i), q = at(c, i + 1);
        if (p.x == q.x && p.x <= x && (p.y <= y) != (q.y <= y)) in = !in;
    }
    return in;
}

static void check_outer(const pv_outline *outline, int i, pv_contour c) {
    pv_contour outer = pv_outline_get_contour(outline, c.outer_index);
    ck_assert((c.area > 0) == (c.outer_index == i) && outer.area > 0);
    /* below the first edge lies a solid pixel of the part that has the hole */
    ck_assert(inside(outer, c.points[0].x, c.points[0].y));
}

static void check_outline(const pv_mask *mask, pv_connectivity neighbors) {
    pv_error error = {.status = PV_ERROR_STALE_ID};
    scoped_outline *outline = pv_outline_create(mask, neighbors, &error);
    scoped_parts *parts = pv_parts_create(mask, neighbors, NULL);
    int64_t area = 0;
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask), outers = 0, wrong = 0;
    ck_assert_int_eq(error.status, PV_OK);
    memset(filled, 0, sizeof filled);
    for (int i = 0; i < pv_outline_get_contour_count(outline); i++) {
        pv_contour c = pv_outline_get_contour(outline, i);
        check_edges(mask, c);
        ck_assert_int_eq(shoelace(c), 2 * c.area);
        ck_assert_int_eq(turns_of(c), c.area > 0 ? 4 : -4);
        check_outer(outline, i, c);
        fill_even_odd(c, w);
        area += c.area;
        outers += c.area > 0;
    }
    for (int i = 0; i < w * h; i++) wrong += pv_mask_get_pixel(mask, i % w, i / w) != filled[i];
    ck_assert_int_eq(wrong, 0);
    ck_assert_int_eq(area, pv_mask_count_pixels(mask));
    ck_assert_int_eq(outers, pv_parts_get_count(parts));
}

START_TEST(outlines_filled_again_are_the_mask) {
    for (int i = 0; i < 3000; i++) {
        scoped_mask *mask = any_picture(any_width(), any_int(0, 20));
        check_outline(mask, i & 1 ? PV_CONNECTIVITY_4 : PV_CONNECTIVITY_8);
    }
}

/// Contours nest in each other; a hole's outer contour is the one of its own part.
START_TEST(holes_know_their_outer_contour) {
    static const char *const rows[] = {"###########", "#.........#", "#.#######.#", "#.#.....#.#",
                                       "#.#.###.#.#", "#.#.#.#.#.#", "#.#.###.#.#", "#.#.....#.#",
                                       "#.#######.#", "#.........#", "###########", NULL};
    static const int outers[] = {0, 1, 2, 2, 1, 0};
    scoped_mask *mask = text_mask(rows);
    scoped_outline *outline = pv_outline_create(mask, PV_CONNECTIVITY_4, NULL);
    ck_assert_int_eq(pv_outline_get_contour_count(outline), 6);
    for (int i = 0; i < 6; i++) {
        pv_contour c = pv_outline_get_contour(outline, i);
        ck_assert_int_eq(c.outer_index, outers[i]);
        ck_assert_int_eq(c.point_count, 4);
    }
}

/// Compares a contour's points and area with a text.
static void check_points(const pv_outline *outline, int index, const char *expected) {
    char text[128] = "", *to = text;
    pv_contour c = pv_outline_get_contour(outline, index);
    for (int i = 0; i < c.point_count; i++)
        to += sprintf(to, "(%d %d) ", c.points[i].x, c.points[i].y);
    sprintf(to, "%lld", (long long)c.area);
    ck_assert_str_eq(text, expected);
}

/* Two pixels that touch at a corner are one part or two. */
START_TEST(corners_join_or_part) {
    static const char *const rows[] = {"#.", ".#", NULL};
    scoped_mask *mask = text_mask(rows);
    scoped_outline *four = pv_outline_create(mask, PV_CONNECTIVITY_4, NULL);
    scoped_outline *eight = pv_outline_create(mask, PV_CONNECTIVITY_8, NULL);
    ck_assert(pv_outline_get_contour_count(four) == 2 && pv_outline_get_contour_count(eight) == 1);
    check_points(four, 0, "(0 0) (1 0) (1 1) (0 1) 1");
    check_points(four, 1, "(1 1) (2 1) (2 2) (1 2) 1");
    check_points(eight, 0, "(0 0) (1 0) (1 1) (2 1) (2 2) (1 2) (1 1) (0 1) 2");
}

/* ---- hulls ---- */

static int64_t side(pv_point a, pv_point b, int x, int y) {
    return (int64_t)(b.x - a.x) * (y - a.y) - (int64_t)(b.y - a.y) * (x - a.x);
}

static void check_hull(const pv_mask *mask) {
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
    scoped_outline *outline = pv_outline_create_hull(mask, NULL);
    int count = pv_outline_get_contour_count(outline), outside = 0;
    ck_assert_int_eq(count, pv_mask_count_pixels(mask) > 0);
    pv_contour c = pv_outline_get_contour(outline, 0);
    for (int i = 0; i < c.point_count; i++) {
        pv_point p = at(c, i), q = at(c, i + 1), r = at(c, i + 2);
        ck_assert(side(p, q, r.x, r.y) > 0);
        ck_assert(pv_mask_get_pixel(mask, p.x, p.y) || pv_mask_get_pixel(mask, p.x - 1, p.y) ||
                  pv_mask_get_pixel(mask, p.x, p.y - 1) ||
                  pv_mask_get_pixel(mask, p.x - 1, p.y - 1));
        for (int k = 0; k < w * h; k++)
            for (int corner = 0; corner < 4 && pv_mask_get_pixel(mask, k % w, k / w); corner++)
                outside += side(p, q, k % w + corner % 2, k / w + corner / 2) < 0;
    }
    ck_assert_int_eq(outside, 0);
    if (count) ck_assert_int_eq(turns_of(c), c.point_count);
    if (count) ck_assert_int_eq(c.area, shoelace(c) / 2);
}

START_TEST(hulls_are_convex_and_hold_every_pixel) {
    for (int i = 0; i < 500; i++) {
        scoped_mask *mask = any_picture(any_width(), any_int(0, 20));
        check_hull(mask);
    }
}

START_TEST(hulls_of_simple_shapes) {
    static const char *const rows[] = {"......", "...#..", "..###.", "...#..", NULL},
                             *const hulls[] = {"(3 1) (4 1) (5 2) (5 3) (4 4) (3 4) (2 3) (2 2) 7",
                                               "(0 0) (70 0) (70 3) (0 3) 210", "0"};
    pv_mask *masks[] = {text_mask(rows), box_mask(70, 3), pv_mask_create(70, 3, NULL, NULL)};
    for (int i = 0; i < 3; i++) {
        scoped_outline *outline = pv_outline_create_hull(masks[i], NULL);
        ck_assert_int_eq(pv_outline_get_contour_count(outline), i < 2);
        check_points(outline, 0, hulls[i]);
        pv_mask_release(masks[i]);
    }
}

/* ---- refusals and memory ---- */

START_TEST(contours_beyond_the_list_are_empty) {
    scoped_mask *mask = box_mask(3, 3);
    scoped_outline *outline = pv_outline_create(mask, PV_CONNECTIVITY_4, NULL);
    ck_assert(pv_outline_get_contour(outline, 1).outer_index == -1 &&
              !pv_outline_get_contour(outline, -1).points);
}

RUN_TESTS("outline")
