/* test_mask_draw.c - masks of shapes and text, against distances and crossings of single pixels.
 *
 * Invariant: each center is tested. Rounded numbers leave centers within 1e-7 px of an edge open.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "support.h"

#include <float.h>

/// Returns a random multiple of 1/8 in low...high.
static double random_eighth(int low, int high) { return any_int(8 * low, 8 * high) / 8.0; }

static double random_in(double low, double high) { return low + any_unit() * (high - low); }

/* ---- pixels of a shape ---- */

enum { OUTSIDE, INSIDE, EITHER };

typedef struct shape {
    /// Corners; two ends for a line, and twice the center for a circle
    const pv_vec2 *points;
    int count;
    double radius;
    /// True if all numbers are multiples of 1/8, which need no rounding
    bool exact;
} shape;

static int line_has(const shape *s, double x, double y) {
    double off = segment_distance(pv__vec(x, y), s->points[0], s->points[1]) - s->radius;
    return fabs(off) < 1e-7 && !s->exact ? EITHER : off <= 0;
}

/// Tells whether a point is inside: a ray to the right crosses an odd number of edges.
static int polygon_has(const shape *s, long double x, long double y) {
    bool inside = false;
    for (int i = 0; i < s->count; i++) {
        pv_vec2 a = s->points[i], b = s->points[(i + 1) % s->count];
        long double dx = b.x - (long double)a.x, dy = b.y - (long double)a.y,
                    side = dx * (y - a.y) - dy * (x - a.x), length = sqrtl(dx * dx + dy * dy);
        if ((a.y > y) == (b.y > y)) continue;
        if (fabsl(side) <= (s->exact ? 0 : 1e-7L) * length) return EITHER;
        inside ^= (side > 0) == (dy > 0);
    }
    return inside;
}

static int shape_has(const shape *s, double x, double y) {
    return s->count == 2 ? line_has(s, x, y) : polygon_has(s, x, y);
}

/// Checks a mask after a shape was filled or cleared in it.
static void check_fill(const pv_mask *mask, const pv_mask *before, const shape *s, pv_point origin,
                       bool solid) {
    int wrong = 0, w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int has = shape_has(s, origin.x + x + 0.5, origin.y + y + 0.5);
            bool was = before && pv_mask_get_pixel(before, x, y);
            if (has != EITHER)
                wrong += pv_mask_get_pixel(mask, x, y) != (has == INSIDE ? solid : was);
        }
    ck_assert_int_eq(wrong, 0);
}

/// Checks that a mask encloses the whole shape, with no row or column to spare.
static void check_place(const pv_mask *mask, const shape *s, pv_point origin) {
    pv_box box = {s->points[0], s->points[0]};
    for (int i = 1; i < s->count; i++) pv__enclose(&box, s->points[i]);
    ck_assert(origin.x == floor(box.min.x - s->radius));
    ck_assert(origin.y == floor(box.min.y - s->radius));
    ck_assert(origin.x + pv_mask_get_width(mask) == ceil(box.max.x + s->radius));
    ck_assert(origin.y + pv_mask_get_height(mask) == ceil(box.max.y + s->radius));
}

/* ---- circles and lines ---- */

START_TEST(circles_are_the_pixels_whose_centers_are_inside) {
    for (int i = 0; i < 700; i++) {
        double radius = i < 200 ? i / 8.0 : random_in(0, 90);
        int half = (int)ceil(radius);
        scoped_mask *mask = pv_mask_create_circle(radius, NULL, NULL);
        ck_assert_mask_size(mask, 2 * half, 2 * half);
        const pv_vec2 center[2] = {{half, half}, {half, half}};
        check_fill(mask, NULL, &(shape){center, 2, radius, i < 200}, (pv_point){0, 0}, true);
    }
}

static pv_mask *noise(void) { return any_mask(any_int(0, 150), any_int(0, 60), 50); }

static pv_vec2 random_place(void) { return pv__vec(random_in(-40, 190), random_in(-40, 100)); }

START_TEST(circles_and_lines_are_filled_and_cleared) {
    for (int i = 0; i < 600; i++) {
        scoped_mask *mask = noise(), *before = pv_mask_copy(mask, NULL);
        pv_vec2 a = random_place(), ends[2] = {a, i & 2 ? a : random_place()};
        if (i % 7 == 0) ends[1].x = a.x;
        if (i % 11 == 0) ends[1].y = a.y;
        double radius = random_in(0.01, i % 3 ? 30 : 300);
        bool solid = i & 1;
        pv_status s = i & 2 ? pv_mask_fill_circle(mask, a, radius, solid)
                            : pv_mask_fill_line(mask, a, ends[1], 2 * radius, solid);
        ck_assert_int_eq(s, PV_OK);
        check_fill(mask, before, &(shape){ends, 2, radius, false}, (pv_point){0, 0}, solid);
    }
}

/* ---- polygons ---- */

/// Makes random corners around a place: any, multiples of 1/8, or a star that crosses itself.
static int random_polygon(pv_vec2 *points, int style, pv_vec2 at, double size) {
    int count = style == 2 ? 5 : any_int(3, 12);
    for (int i = 0; i < count; i++) {
        points[i] = pv__vec(at.x + random_in(-size, size), at.y + random_in(-size, size));
        if (style == 1) points[i] = pv__vec(floor(8 * points[i].x) / 8, floor(8 * points[i].y) / 8);
        if (style != 2) continue;
        pv_rotation r = pv__rotation(i * 0.8 * PV__PI + 0.3);
        points[i] = pv__vec(at.x + size * r.c, at.y + size * r.s);
    }
    return count;
}

START_TEST(polygons_are_the_pixels_with_odd_crossings) {
    pv_vec2 points[12];
    for (int i = 0; i < 900; i++) {
        pv_vec2 at = {random_eighth(-200, 200), random_eighth(-200, 200)};
        if (i % 9 == 0) at = pv__vec(-PV_MAX_COORDINATE + 90, PV_MAX_COORDINATE - 90);
        int count = random_polygon(points, i % 3, at, random_in(1, 80));
        pv_point origin;
        scoped_mask *mask = pv_mask_create_polygon(points, count, &origin, NULL, NULL);
        shape s = {points, count, 0, i % 3 == 1};
        check_place(mask, &s, origin);
        check_fill(mask, NULL, &s, origin, true);
    }
}

START_TEST(polygons_are_filled_and_cleared) {
    pv_vec2 points[12];
    for (int i = 0; i < 600; i++) {
        scoped_mask *mask = noise(), *before = pv_mask_copy(mask, NULL);
        int count = random_polygon(points, i % 3, random_place(), random_in(1, i % 4 ? 60 : 4000));
        bool solid = i & 1;
        ck_assert_int_eq(pv_mask_fill_polygon(mask, points, count, solid), PV_OK);
        check_fill(mask, before, &(shape){points, count, 0, false}, (pv_point){0, 0}, solid);
    }
}

START_TEST(cuts_take_the_same_pixels) {
    pv_vec2 points[12];
    for (int i = 0; i < 150; i++) {
        scoped_world *world = pv_world_create(NULL, NULL);
        scoped_mask *left = box_mask(100, 60);
        pv_body_id body = put(world, box_mask(100, 60), 50, 30, of_type(PV_BODY_STATIC));
        pv_vec2 from = {random_eighth(0, 90), random_eighth(0, 50)},
                to = {random_eighth(0, 90), random_eighth(0, 50)};
        double radius = random_eighth(1, 20);
        int count = random_polygon(points, 0, from, 40);
        pv_cut cut = i % 3 == 0   ? pv_cut_circle(from, radius)
                     : i % 3 == 1 ? pv_cut_line(from, to, 2 * radius)
                                  : pv_cut_polygon(points, count);
        cut.local = true;
        if (i % 3 == 0) pv_mask_fill_circle(left, from, radius, false);
        if (i % 3 == 1) pv_mask_fill_line(left, from, to, 2 * radius, false);
        if (i % 3 == 2) pv_mask_fill_polygon(left, points, count, false);
        pv_carve_result carved;
        ck_assert_int_eq(pv_body_carve(world, body, &cut, &carved), PV_OK);
        ck_assert_int_eq(carved.pixel_count, 6000 - pv_mask_count_pixels(left));
    }
}

/* ---- rectangles and text ---- */

START_TEST(rectangles_are_solid) {
    for (int w = 0; w <= 130; w++) {
        scoped_mask *mask = pv_mask_create_rect(w, 3, NULL, NULL);
        ck_assert_mask_size(mask, w, 3);
        ck_assert_int_eq(pv_mask_count_pixels(mask), 3 * w);
    }
}

static void check_text(const char *rows, int w, int h, const char *pixels) {
    scoped_mask *mask = pv_mask_from_text(rows, NULL, NULL);
    ck_assert_mask_size(mask, w, h);
    for (int i = 0; i < w * h; i++)
        ck_assert_int_eq(pv_mask_get_pixel(mask, i % w, i / w), pixels[i] == '1');
}

START_TEST(text_shows_its_pixels) {
    check_text(".##.\n####", 4, 2, "01101111");
    check_text(".##.\n####\n", 4, 2, "01101111");
    check_text("", 0, 0, "");
    check_text("\n", 0, 1, "");
    check_text("\n\n", 0, 2, "");
    check_text("#", 1, 1, "1");
    check_text("X .\n\no\n", 3, 3, "100000100");
    check_text("\xff@", 2, 1, "11");
    char rows[2 * 141 + 1] = "", pixels[2 * 140 + 1] = "";
    for (int i = 0; i < 282; i++) rows[i] = i % 141 == 140 ? '\n' : i % 3 ? '#' : '.';
    for (int i = 0; i < 280; i++) pixels[i] = rows[i % 140 + i / 140 * 141] == '#' ? '1' : '0';
    check_text(rows, 140, 2, pixels);
}

/* ---- limits ---- */

static void check_error(const pv_mask *mask, const pv_error *e, pv_status status,
                        const char *field) {
    ck_assert_ptr_null(mask);
    ck_assert_int_eq(e->status, status);
    ck_assert_str_eq(e->field, field);
}

START_TEST(shapes_too_large_are_refused) {
    pv_error e;
    pv_point origin = {7, 7};
    const pv_vec2 wide[3] = {{-0.5, 0}, {32768, 0}, {0, 9}};
    const pv_vec2 away[3] = {{0, 0}, {PV_MAX_COORDINATE * 2, 0}, {0, 9}};
    check_error(pv_mask_create_circle(16384.001, NULL, &e), &e, PV_ERROR_TOO_LARGE, "radius");
    check_error(pv_mask_create_circle(DBL_MAX, NULL, &e), &e, PV_ERROR_TOO_LARGE, "radius");
    check_error(pv_mask_create_circle(-0.1, NULL, &e), &e, PV_ERROR_ARGUMENT, "radius");
    check_error(pv_mask_create_rect(32769, 1, NULL, &e), &e, PV_ERROR_TOO_LARGE, "width");
    check_error(pv_mask_create_rect(1, -1, NULL, &e), &e, PV_ERROR_ARGUMENT, "height");
    check_error(pv_mask_create_polygon(wide, 3, &origin, NULL, &e), &e, PV_ERROR_TOO_LARGE,
                "points");
    ck_assert(origin.x == 0 && origin.y == 0);
    check_error(pv_mask_create_polygon(away, 3, NULL, NULL, &e), &e, PV_ERROR_ARGUMENT, "points");
    check_error(pv_mask_create_polygon(wide, 2, NULL, NULL, &e), &e, PV_ERROR_ARGUMENT,
                "point_count");
    scoped_memory char *text = malloc(32770);
    memset(text, '#', 32769);
    text[32769] = 0;
    check_error(pv_mask_from_text(text, NULL, &e), &e, PV_ERROR_TOO_LARGE, "rows");
    text[32768] = 0;
    scoped_mask *row = pv_mask_from_text(text, NULL, &e);
    ck_assert_int_eq(pv_mask_count_pixels(row), 32768);
}

START_TEST(the_largest_shapes_are_made) {
    scoped_mask *mask = pv_mask_create_circle(16384, NULL, NULL);
    ck_assert_int_eq(pv_mask_get_width(mask), 32768);
    ck_assert_double_eq_tol((double)pv_mask_count_pixels(mask), PV__PI * 16384 * 16384, 2e4);
    pv_mask_release(mask);
    const pv_vec2 half[3] = {{0, 0}, {32768, 0}, {0, 32768}};
    mask = pv_mask_create_polygon(half, 3, NULL, NULL, NULL);
    ck_assert_double_eq_tol((double)pv_mask_count_pixels(mask), 0.5 * 32768 * 32768, 32768);
    pv_mask_release(mask);
    scoped_memory pv_vec2 *points = malloc(65536 * sizeof *points);
    for (int i = 0; i < 65536; i++) points[i] = pv__vec(i / 64.0, i & 1 ? 9 : 0);
    mask = pv_mask_create_polygon(points, 65536, NULL, NULL, NULL);
    ck_assert_int_eq(pv_mask_get_width(mask), 1024);
    ck_assert_int_eq(pv_mask_fill_polygon(mask, points, 65537, true), PV_ERROR_ARGUMENT);
}

START_TEST(extremes_are_survived) {
    scoped_mask *mask = pv_mask_create(100, 9, NULL, NULL);
    const double most = PV_MAX_COORDINATE;
    const pv_vec2 all[4] = {{-most, -most}, {most, -most}, {most, most}, {-most, most}};
    ck_assert_int_eq(pv_mask_fill_circle(mask, all[0], DBL_MAX, true), PV_OK);
    ck_assert_int_eq(pv_mask_count_pixels(mask), 900);
    ck_assert_int_eq(pv_mask_fill_line(mask, all[0], all[2], DBL_MAX, false), PV_OK);
    ck_assert_int_eq(pv_mask_count_pixels(mask), 0);
    ck_assert_int_eq(pv_mask_fill_polygon(mask, all, 4, true), PV_OK);
    ck_assert_int_eq(pv_mask_count_pixels(mask), 900);
    ck_assert_int_eq(pv_mask_fill_circle(mask, (pv_vec2){3.5, 3.5}, 0, false), PV_OK);
    ck_assert_int_eq(pv_mask_fill_line(mask, (pv_vec2){5.5, 1}, (pv_vec2){5.5, 2}, 5e-324, false),
                     PV_OK);
    ck_assert_int_eq(pv_mask_count_pixels(mask), 898);
    ck_assert(!pv_mask_get_pixel(mask, 3, 3) && !pv_mask_get_pixel(mask, 5, 1));
    ck_assert_int_eq(pv_mask_fill_circle(mask, (pv_vec2){NAN, 0}, 1, true), PV_ERROR_NOT_FINITE);
    ck_assert_int_eq(pv_mask_fill_circle(mask, all[0], -1, true), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_mask_fill_line(mask, all[0], all[1], 0, true), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_mask_count_pixels(mask), 898);
}

START_TEST(without_memory_no_pixel_is_filled) {
    scoped_purse p = {0, 0, 2};
    pv_allocator a = {purse_alloc, &p};
    const pv_vec2 t[3] = {{0, 0}, {9, 0}, {0, 9}};
    scoped_mask *mask = pv_mask_create(9, 9, &a, NULL);
    ck_assert_int_eq(pv_mask_fill_polygon(mask, t, 3, true), PV_ERROR_MEMORY);
    ck_assert_int_eq(pv_mask_count_pixels(mask), 0);
}

RUN_TESTS("mask_draw")
