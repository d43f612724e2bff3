/* test_fill.c - filled discs, strokes and triangles, against a test of each pixel's center.
 *
 * Invariant: edge functions and distances of centers decide, in integers except for strokes.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "guarded_canvas.h"

#include <float.h>

#define WHITE 0xffffffffu
#define VEIL 0xffffff40u /* shows if a pixel is blended twice */

static pv_vec2 vec(double x, double y) { return (pv_vec2){x, y}; }

/// Returns how often VEIL was blended over a transparent pixel, or -1.
static int layers(const unsigned char *p) {
    static const unsigned char alphas[] = {0, 64, 112, 148};
    for (int i = 0; i < 4; i++)
        if (p[3] == alphas[i]) return i;
    return -1;
}

/* ---- discs ---- */

/// Numbers are in quarters of a pixel.
START_TEST(disc_holds_the_centers_within_radius) {
    int on_rim = 0;
    for (int i = 0; i < 3000; i++) {
        int cx = any_int(-80, 320), cy = any_int(-80, 280), radius = any_int(0, i % 3 ? 60 : 400);
        scoped_canvas e = make_canvas(60, 50, i & 1);
        ck_assert_int_eq(
            pv_canvas_draw_circle(&e.canvas, vec(cx / 4.0, cy / 4.0), radius / 4.0, VEIL), PV_OK);
        for (int y = 0; y < 50; y++)
            for (int x = 0; x < 60; x++) {
                int64_t dx = 4 * x + 2 - cx, dy = 4 * y + 2 - cy;
                int64_t beyond = dx * dx + dy * dy - (int64_t)radius * radius;
                on_rim += beyond == 0;
                if (layers(at(&e, x, y)) != (beyond <= 0))
                    ck_abort_msg("pixel %d %d of disc %d %d %d", x, y, cx, cy, radius);
            }
    }
    ck_assert_int_gt(on_rim, 400); /* centers exactly on the rim are in it */
}

START_TEST_FOR(discs_of_any_finite_size_end, i, 7 * 7 * 5) {
    const double ends[] = {-DBL_MAX, -1e300, -3e9, 0, 25.5, 1e18, DBL_MAX},
                 radii[] = {0, 1e-310, 7, 1e18, DBL_MAX};
    pv_vec2 c = {ends[i % 7], ends[i / 7 % 7]};
    double r = radii[i / 49];
    scoped_canvas e = make_canvas(60, 50, i & 1);
    ck_assert_int_eq(pv_canvas_draw_circle(&e.canvas, c, r, WHITE), PV_OK);
    double dx = fabs(c.x / 4),
           dy = fabs(c.y / 4); /* outside by the longer distance, or inside by their sum */
    if (dx > r / 4 + 20 || dy > r / 4 + 20) ck_assert_int_eq(drawn(&e), 0);
    if (dx + dy < r / 4 - 30) ck_assert_int_eq(drawn(&e), 60 * 50);
}

/* ---- strokes ---- */

/// Counts the pixels in a stroke, and fails where a pixel disagrees with its distance.
static int check_stroke(const guarded_canvas *e, pv_vec2 a, pv_vec2 b, double width) {
    int count = 0;
    for (int y = 0; y < e->canvas.height; y++)
        for (int x = 0; x < e->canvas.width; x++) {
            double beyond = segment_distance(vec(x + 0.5, y + 0.5), a, b) - width / 2;
            if (fabs(beyond) < 1e-9) continue;
            if (layers(at(e, x, y)) != (beyond < 0))
                ck_abort_msg("pixel %d %d: %g px out", x, y, beyond);
            count += beyond < 0;
        }
    return count;
}

START_TEST(stroke_holds_the_centers_within_half_its_width) {
    int count = 0;
    for (int i = 0; i < 4000; i++) {
        scoped_canvas e = make_canvas(60, 50, i & 1);
        double size = i % 4 ? 60 : 400, width = 0.1 + 20 * any_unit() * any_unit();
        pv_vec2 a = {30 + size * (any_unit() - 0.5), 25 + size * (any_unit() - 0.5)};
        pv_vec2 b = {30 + size * (any_unit() - 0.5), 25 + size * (any_unit() - 0.5)};
        if (i % 7 == 0) b.x = a.x;
        if (i % 11 == 0) b.y = a.y;
        ck_assert_int_eq(pv_canvas_draw_thick_line(&e.canvas, a, b, width, VEIL), PV_OK);
        count += check_stroke(&e, a, b, width);
    }
    ck_assert_int_gt(count, 100000);
}

static void check_far_stroke(pv_vec2 a, pv_vec2 near_a, pv_vec2 b, pv_vec2 near_b, double width) {
    scoped_canvas e = make_canvas(60, 50, false);
    pv_canvas_draw_thick_line(&e.canvas, a, b, width, VEIL);
    ck_assert_int_eq(drawn(&e), check_stroke(&e, near_a, near_b, width));
}

START_TEST(strokes_of_any_finite_length_end) {
    const double ends[] = {-DBL_MAX, -1e300, -4e9, 0, 25.5, 1e18, DBL_MAX},
                 widths[] = {1e-310, 5, 1e18, DBL_MAX};
    for (int i = 0; i < 7 * 7 * 7 * 7 * 4; i++) {
        scoped_canvas e = make_canvas(20, 16, i & 1);
        pv_vec2 a = {ends[i % 7], ends[i / 7 % 7]}, b = {ends[i / 49 % 7], ends[i / 343 % 7]};
        ck_assert_int_eq(pv_canvas_draw_thick_line(&e.canvas, a, b, widths[i / 2401], VEIL), PV_OK);
    }
    /* ends far away are drawn like nearer ones in the same direction */
    check_far_stroke(vec(-DBL_MAX, 25), vec(-1000, 25), vec(DBL_MAX, 25), vec(1000, 25), 4);
    check_far_stroke(vec(30, -1e200), vec(30, -1000), vec(30, 25), vec(30, 25), 6);
    check_far_stroke(vec(32 - 0x1p56, 24 - 0x1p55), vec(32 - 0x1p11, 24 - 0x1p10), vec(32, 24),
                     vec(32, 24), 6);
}

/* ---- triangles ---- */

/// Corner [1/256 px]
typedef struct corner {
    int64_t x, y;
} corner;

static pv_vec2 place(corner c) { return vec((double)c.x / 256, (double)c.y / 256); }

static int64_t edge_function(corner a, corner b, corner p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/// Tells whether a center is inside an edge of a clockwise triangle, or on an edge that owns it.
static bool inside_edge(corner a, corner b, corner p) {
    int64_t e = edge_function(a, b, p);
    bool top = a.y == b.y && b.x > a.x, left = b.y < a.y;
    return e > 0 || (e == 0 && (top || left));
}

static bool in_triangle(const corner c[3], int x, int y) {
    corner p = {256 * x + 128, 256 * y + 128};
    int64_t area = edge_function(c[0], c[1], c[2]);
    if (area == 0) return false;
    corner q = area > 0 ? c[1] : c[2], r = area > 0 ? c[2] : c[1];
    return inside_edge(c[0], q, p) && inside_edge(q, r, p) && inside_edge(r, c[0], p);
}

static corner random_corner(int grid, int size) {
    return (corner){any_int(-size / 4, size) * 256 / grid, any_int(-size / 4, size) * 256 / grid};
}

START_TEST(triangle_holds_the_centers_by_the_top_left_rule) {
    for (int i = 0; i < 6000; i++) {
        const int grids[] = {1, 2, 16, 256};
        int grid = grids[i % 4];
        corner c[3];
        for (int k = 0; k < 3; k++) c[k] = random_corner(grid, (i % 5 ? 60 : 500) * grid);
        if (i % 17 == 0) c[2] = (corner){2 * c[1].x - c[0].x, 2 * c[1].y - c[0].y};
        pv_vec2 p[3] = {place(c[0]), place(c[1]), place(c[2])};
        scoped_canvas e = make_canvas(60, 50, i & 1);
        ck_assert_int_eq(pv_canvas_draw_triangle(&e.canvas, NULL, p, NULL, VEIL), PV_OK);
        for (int y = 0; y < 50; y++)
            for (int x = 0; x < 60; x++)
                if (layers(at(&e, x, y)) != in_triangle(c, x, y))
                    ck_abort_msg("triangle %d: pixel %d %d", i, x, y);
    }
}

START_TEST(triangle_is_the_same_from_any_corner_either_way) {
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (int i = 0; i < 300; i++) {
        pv_vec2 p[3];
        for (int k = 0; k < 3; k++) p[k] = vec(90 * any_unit() - 20, 80 * any_unit() - 20);
        scoped_canvas first = make_canvas(60, 50, false);
        pv_canvas_draw_triangle(&first.canvas, NULL, p, NULL, VEIL);
        for (int k = 1; k < 6; k++) {
            pv_vec2 q[3] = {p[orders[k][0]], p[orders[k][1]], p[orders[k][2]]};
            scoped_canvas e = make_canvas(60, 50, false);
            pv_canvas_draw_triangle(&e.canvas, NULL, q, NULL, VEIL);
            for (int y = 0; y < 50; y++)
                ck_assert(memcmp(at(&e, 0, y), at(&first, 0, y), 240) == 0);
        }
    }
}

/* ---- seams ---- */

#define SIDE 9

static void draw_half(const guarded_canvas *e, pv_vec2 a, pv_vec2 b, pv_vec2 c) {
    pv_vec2 p[3] = {a, b, c};
    ck_assert_int_eq(pv_canvas_draw_triangle(&e->canvas, NULL, p, NULL, VEIL), PV_OK);
}

/// Checks that each pixel of the canvas was blended exactly once.
static void check_once(const guarded_canvas *e, int round) {
    for (int y = 0; y < e->canvas.height; y++)
        for (int x = 0; x < e->canvas.width; x++)
            if (layers(at(e, x, y)) != 1)
                ck_abort_msg("round %d: pixel %d %d was drawn %d times", round, x, y,
                             layers(at(e, x, y)));
}

/* Grid points are moved by less than a quarter of a mesh; each mesh is cut along a diagonal. */
START_TEST(nets_cover_each_pixel_once) {
    for (int round = 0; round < 400; round++) {
        pv_vec2 net[SIDE][SIDE];
        double mesh = round % 3 ? 9 : 40, jitter = mesh * 0.49;
        for (int i = 0; i < SIDE * SIDE; i++) {
            double dx = jitter * (any_unit() - 0.5), dy = jitter * (any_unit() - 0.5);
            if (round & 1)
                dx = floor(2 * dx) / 2, dy = floor(2 * dy) / 2; /* through pixel centers */
            net[i / SIDE][i % SIDE] = vec((i % SIDE - 1) * mesh + dx, (i / SIDE - 1) * mesh + dy);
        }
        scoped_canvas e = make_canvas(50, 50, round & 2);
        for (int y = 0; y + 1 < SIDE; y++)
            for (int x = 0; x + 1 < SIDE; x++) {
                bool falling = any_int(0, 1);
                pv_vec2 a = net[y][x], b = net[y][x + 1], c = net[y + 1][x + 1], d = net[y + 1][x];
                draw_half(&e, a, b, falling ? c : d);
                draw_half(&e, c, d, falling ? a : b);
            }
        check_once(&e, round);
    }
}

START_TEST(triangles_of_any_finite_size_end) {
    const double ends[] = {-DBL_MAX, -1e300, -4e9, 0, 25.5, 1e18, DBL_MAX};
    scoped_image *image = pv_image_create(3, 2, NULL, NULL);
    const pv_vec2 texture[3] = {{0, 0}, {1, 0}, {1, 1}};
    for (int i = 0; i < 7 * 7 * 7 * 7 * 7 * 7; i += 1 + i % 5) {
        scoped_canvas e = make_canvas(9, 8, i & 1);
        pv_vec2 p[3] = {{ends[i % 7], ends[i / 7 % 7]},
                        {ends[i / 49 % 7], ends[i / 343 % 7]},
                        {ends[i / 2401 % 7], ends[i / 16807]}};
        ck_assert_int_eq(pv_canvas_draw_triangle(&e.canvas, i & 2 ? image : NULL, p, texture, VEIL),
                         PV_OK);
    }
    const double far[] = {1e5, 4e9, 1e18, 1e200, DBL_MAX / 4};
    /* the canvas lies far inside all edges, or has a corner on it */
    for (int i = 0; i < 5; i++) {
        double d = far[i];
        scoped_canvas e = make_canvas(40, 40, i & 1), f = make_canvas(40, 40, i & 1),
                      g = make_canvas(40, 40, i & 1);
        draw_half(&e, vec(-d, -d), vec(3 * d, -d), vec(-d, 3 * d));
        check_once(&e, i);
        draw_half(&f, vec(20, 20), vec(20, -d), vec(d, 20));
        ck_assert_int_eq(drawn(&f), 20 * 20);
        draw_half(&g, vec(40, 0), vec(-2 * d, d), vec(40, d)); /* all but 40 x 20 / 2 pixels */
        ck_assert_int_eq(drawn(&g), 40 * 30);
    }
}

/* ---- pictures ---- */

/// Returns an image in which each texel's color is its place.
static pv_image *map_make(int w, int h) {
    pv_image *image = pv_image_create(w, h, NULL, NULL);
    for (int i = 0; i < w * h; i++)
        memcpy(image->pixels + i * 4,
               (unsigned char[4]){(unsigned char)(i % w), (unsigned char)(i / w), 7, 255}, 4);
    return image;
}

/* Two triangles show a picture in a rectangle as it is, texel for pixel. */
START_TEST(halves_show_the_whole_picture) {
    scoped_image *image = map_make(31, 23);
    const pv_vec2 unit[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int i = 0; i < 200; i++) {
        int left = any_int(-20, 40), top = any_int(-20, 40);
        scoped_canvas e = make_canvas(50, 40, i & 1);
        for (int half = 0; half < 2; half++) {
            int k[3] = {(i / 2) % 4, (i / 2 + 1 + half) % 4, (i / 2 + 2 + half) % 4};
            pv_vec2 p[3], t[3];
            for (int j = 0; j < 3; j++) {
                t[j] = unit[k[j]];
                p[j] = vec(left + 31 * t[j].x, top + 23 * t[j].y);
            }
            ck_assert_int_eq(pv_canvas_draw_triangle(&e.canvas, image, p, t, WHITE), PV_OK);
        }
        for (int y = 0; y < 40; y++)
            for (int x = 0; x < 50; x++) {
                int u = x - left, v = y - top;
                bool in = u >= 0 && u < 31 && v >= 0 && v < 23;
                unsigned char expected[4] = {(unsigned char)u, (unsigned char)v, 7, 255};
                ck_assert(memcmp(at(&e, x, y), in ? expected : (unsigned char[4]){0, 0, 0, 0}, 4) ==
                          0);
            }
    }
}

/// Computes texture coordinates at a point from its barycentric weights.
static void texture_at(const pv_vec2 p[3], const pv_vec2 t[3], long double x, long double y,
                       long double uv[2]) {
    long double area = ((long double)p[1].x - p[0].x) * ((long double)p[2].y - p[0].y) -
                       ((long double)p[1].y - p[0].y) * ((long double)p[2].x - p[0].x);
    uv[0] = uv[1] = 0;
    for (int i = 0; i < 3; i++) {
        pv_vec2 a = p[(i + 1) % 3], b = p[(i + 2) % 3];
        long double weight = ((a.x - x) * (b.y - y) - (a.y - y) * (b.x - x)) / area;
        uv[0] += weight * t[i].x;
        uv[1] += weight * t[i].y;
    }
}

START_TEST(texels_come_from_their_place) {
    int seen = 0;
    scoped_image *image = map_make(50, 40);
    for (int i = 0; i < 2000; i++) {
        pv_vec2 p[3], t[3];
        for (int k = 0; k < 3; k++) {
            p[k] = vec(any_int(-5120, 20480) / 256.0, any_int(-5120, 20480) / 256.0);
            t[k] = vec(any_unit(), any_unit());
        }
        scoped_canvas e = make_canvas(60, 50, i & 1);
        ck_assert_int_eq(pv_canvas_draw_triangle(&e.canvas, image, p, t, WHITE), PV_OK);
        for (int y = 0; y < 50; y++)
            for (int x = 0; x < 60; x++) {
                const unsigned char *q = at(&e, x, y);
                long double uv[2];
                if (q[3] == 0) continue;
                texture_at(p, t, x + 0.5L, y + 0.5L, uv);
                long double u = uv[0] * 50, v = uv[1] * 40;
                ck_assert(q[0] > u - 1.00001L && q[0] < u + 0.00001L);
                ck_assert(q[1] > v - 1.00001L && q[1] < v + 0.00001L);
                seen++;
            }
    }
    ck_assert_int_gt(seen, 100000);
}

START_TEST(texture_ends_at_the_rim) {
    scoped_image *image = map_make(50, 40);
    const pv_vec2 p[3] = {{2, 3}, {55, 7}, {20, 48}}, beyond[3] = {{-3, 0.5}, {4, 2}, {0, 1e9}},
                  rim[3] = {{0, 0.5}, {1, 1}, {0, 1}};
    scoped_canvas e = make_canvas(60, 50, false), f = make_canvas(60, 50, false);
    pv_canvas_draw_triangle(&e.canvas, image, p, beyond, WHITE);
    pv_canvas_draw_triangle(&f.canvas, image, p, rim, WHITE);
    ck_assert_int_gt(drawn(&e), 500);
    for (int y = 0; y < 50; y++) ck_assert(memcmp(at(&e, 0, y), at(&f, 0, y), 240) == 0);
}

START_TEST(pictures_fill_the_same_pixels_and_are_tinted) {
    scoped_image *image = pv_image_create(1, 1, NULL, NULL);
    memcpy(image->pixels, (unsigned char[4]){255, 128, 64, 128}, 4);
    for (int i = 0; i < 500; i++) {
        pv_vec2 p[3];
        const pv_vec2 t[3] = {{-3, 0}, {4, 1}, {0, 2}};
        for (int k = 0; k < 3; k++) p[k] = vec(90 * any_unit() - 20, 80 * any_unit() - 20);
        scoped_canvas e = make_canvas(60, 50, i & 1);
        pv_canvas_draw_triangle(&e.canvas, NULL, p, NULL, VEIL);
        scoped_canvas f = make_canvas(60, 50, i & 1);
        pv_canvas_draw_triangle(&f.canvas, image, p, t, 0x80ffff80u);
        for (int y = 0; y < 50; y++)
            for (int x = 0; x < 60; x++) {
                bool in = at(&e, x, y)[3] != 0;
                ck_assert(memcmp(at(&f, x, y), in ? "\x80\x80\x40\x40" : "\0\0\0", 4) == 0);
            }
    }
}

/* ---- backgrounds ---- */

/// Fills a canvas with random colors, opaque if asked for.
static void ground(guarded_canvas *e, bool opaque) {
    for (int y = 0; y < e->canvas.height; y++)
        for (int x = 0; x < e->canvas.width; x++) {
            unsigned char *p = e->canvas.pixels + y * e->canvas.pitch + (ptrdiff_t)x * 4;
            for (int i = 0; i < 4; i++) p[i] = (unsigned char)any_int(i == 3, 255);
            if (opaque) p[3] = 255;
        }
}

/// Returns one channel of a color blended over a pixel, rounded to nearest, half up.
static int over(const unsigned char *below, const unsigned char *above, int i) {
    double a = above[3] / 255.0, b = below[3] / 255.0 * (1 - a);
    double value = i == 3 ? 255 * (a + b) : (above[i] * a + below[i] * b) / (a + b);
    return (int)floor(value + 0.5 + 1e-9);
}

START_TEST(what_is_filled_is_blended_over_its_ground) {
    for (int n = 0; n < 600; n++) {
        scoped_canvas e = make_canvas(24, 20, n & 1), was = make_canvas(24, 20, n & 1);
        ground(&was, n & 2);
        for (int y = 0; y < 20; y++)
            memcpy(e.canvas.pixels + y * e.canvas.pitch, at(&was, 0, y), 24 * 4);
        unsigned char c[4];
        for (int i = 0; i < 4; i++) c[i] = (unsigned char)any_int(0, 255);
        if (n % 7 == 0) c[3] = 255;
        if (n % 7 == 1) c[3] = 0;
        uint32_t color = (uint32_t)c[0] << 24 | (uint32_t)c[1] << 16 | (uint32_t)c[2] << 8 | c[3];
        const pv_vec2 corners[3] = {{-40, -40}, {200, -40}, {-40, 200}};
        pv_status s =
            n % 3 == 0   ? pv_canvas_draw_circle(&e.canvas, vec(12, 10), 40, color)
            : n % 3 == 1 ? pv_canvas_draw_thick_line(&e.canvas, vec(-9, 10), vec(40, 10), 60, color)
                         : pv_canvas_draw_triangle(&e.canvas, NULL, corners, NULL, color);
        ck_assert_int_eq(s, PV_OK);
        for (int y = 0; y < 20; y++)
            for (int x = 0; x < 24; x++)
                for (int i = 0; i < 4; i++) {
                    int wanted = c[3] == 0 ? at(&was, x, y)[i] : over(at(&was, x, y), c, i);
                    ck_assert_int_eq(at(&e, x, y)[i], wanted);
                }
    }
}

/* ---- refusals ---- */

static const pv_vec2 sound[3] = {{1, 1}, {8, 1}, {1, 8}};

START_TEST(wrong_numbers_are_refused) {
    const double wrong[] = {NAN, INFINITY, -INFINITY};
    scoped_canvas e = make_canvas(10, 10, false);
    const pv_canvas *c = &e.canvas;
    const pv_vec2 in = {5, 5}, left = {1, 5};
    for (int i = 0; i < 9; i++) {
        pv_vec2 p[3] = {sound[0], sound[1], sound[2]};
        p[i % 3].y = wrong[i / 3];
        ck_assert_int_eq(pv_canvas_draw_triangle(c, NULL, p, NULL, WHITE), PV_ERROR_NOT_FINITE);
    }
    ck_assert_int_eq(pv_canvas_draw_circle(c, in, -1, WHITE), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_canvas_draw_thick_line(c, left, in, 0, WHITE), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_canvas_draw_thick_line(c, left, in, -2, WHITE), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(drawn(&e), 0);
}

START_TEST(wrong_pictures_are_refused) {
    scoped_canvas e = make_canvas(10, 10, false);
    const pv_canvas *c = &e.canvas;
    scoped_image *image = map_make(3, 3);
    pv_vec2 t[3] = {{0, 0}, {1, 0}, {1, 1}};
    ck_assert_int_eq(pv_canvas_draw_triangle(c, image, sound, NULL, WHITE), PV_ERROR_ARGUMENT);
    t[1].x = NAN;
    ck_assert_int_eq(pv_canvas_draw_triangle(c, image, sound, t, WHITE), PV_ERROR_NOT_FINITE);
    ck_assert_int_eq(drawn(&e), 0);
    /* without an image, t is ignored */
    ck_assert_int_eq(pv_canvas_draw_triangle(c, NULL, sound, t, WHITE), PV_OK);
    ck_assert_int_gt(drawn(&e), 0);
}

RUN_TESTS("fill")
