/* test_mask_ops.c - operations on masks against loops over single pixels.
 *
 * Invariant: expected masks are set pixel by pixel, or come from formulas.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include <limits.h>

/// Tells whether a pixel is solid; it may be far away.
static bool at(const pv_mask *m, int64_t x, int64_t y) {
    return llabs(x) < 100000 && llabs(y) < 100000 && pv_mask_get_pixel(m, (int)x, (int)y);
}

static pv_mask *blank(int w, int h) { return pv_mask_create(w, h, NULL, NULL); }

/// Sets a pixel by its number, if solid.
static void set(pv_mask *m, int k, bool solid) {
    if (solid) pv_mask_set_pixel(m, k % pv_mask_get_width(m), k / pv_mask_get_width(m), true);
}

/// Compares a new mask with the expected one, and releases both.
static void judge(pv_mask *made, pv_mask *expected) {
    ck_assert_ptr_nonnull(made);
    check_same_masks(made, expected);
    release_masks(made, expected);
}

/* ---- one onto another ---- */

static bool combined(bool a, bool b, pv_combine op) {
    switch (op) {
    case PV_COMBINE_AND: return a && b;
    case PV_COMBINE_OR: return a || b;
    case PV_COMBINE_XOR: return a != b;
    default: return a && !b;
    }
}

static int random_offset(int size) {
    static const int far[] = {INT_MIN, INT_MAX, INT_MIN + 1, -32768, 32768, 1 << 30};
    if (any_int(0, 19) == 0) return far[any_int(0, 5)];
    return any_int(-size - 2, size + 2);
}

START_TEST(combine_is_a_loop_over_its_pixels) {
    for (int i = 0; i < 12000; i++) {
        int most = i % 2 ? 20 : 12;
        pv_mask *a = any_picture(any_width(), any_int(0, most)),
                *b = i % 2 ? a : any_picture(any_width(), any_int(0, most)); /* or with itself */
        scoped_mask *was = pv_mask_copy(a, NULL), *other = pv_mask_copy(b, NULL);
        int w = pv_mask_get_width(a), h = pv_mask_get_height(a), v = pv_mask_get_width(b);
        int dx = random_offset(w > v ? w : v),
            dy = random_offset(a == b && any_int(0, 1) ? 0 : most);
        pv_combine op = (pv_combine)(i / 2 % 4);
        pv_mask *expected = blank(w, h);
        for (int k = 0; k < w * h; k++)
            set(expected, k,
                combined(at(was, k % w, k / w),
                         at(other, (int64_t)(k % w) - dx, (int64_t)(k / w) - dy), op));
        ck_assert_int_eq(pv_mask_combine(a, b, dx, dy, op), PV_OK);
        if (a != b) judge(b, pv_mask_retain(other));
        judge(a, expected);
    }
}

/* ---- all pixels ---- */

static void check_whole(const pv_mask *mask) {
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
    int count = 0, left = w, right = 0, top = h, bottom = 0;
    for (int i = 0; i < w * h; i++) {
        int x = i % w, y = i / w;
        if (!pv_mask_get_pixel(mask, x, y)) continue;
        count++;
        left = x < left ? x : left, right = x >= right ? x + 1 : right;
        top = y < top ? y : top, bottom = y + 1;
    }
    pv_rect box = pv_mask_compute_bounds(mask);
    ck_assert_int_eq(pv_mask_count_pixels(mask), count);
    if (!count) left = right = top = bottom = 0;
    ck_assert(box.x == left && box.y == top && box.w == right - left && box.h == bottom - top);
}

START_TEST(invert_count_and_box) {
    for (int i = 0; i < 2000; i++) {
        pv_mask *mask = any_picture(any_width(), any_int(0, 12));
        int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
        pv_mask *expected = blank(w, h);
        check_whole(mask);
        for (int k = 0; k < w * h; k++) set(expected, k, !at(mask, k % w, k / w));
        ck_assert_int_eq(pv_mask_invert(mask), PV_OK);
        check_whole(mask);
        judge(mask, expected);
    }
}

/* ---- cut, mirrored, turned, scaled ---- */

START_TEST(crop_cuts_and_pads) {
    for (int i = 0; i < 3000; i++) {
        scoped_mask *mask = any_picture(any_width(), any_int(0, 20));
        pv_rect r = {random_offset(pv_mask_get_width(mask)), random_offset(20), any_width(),
                     any_int(0, 30)};
        pv_mask *expected = blank(r.w, r.h);
        for (int k = 0; k < r.w * r.h; k++)
            set(expected, k, at(mask, (int64_t)r.x + k % r.w, (int64_t)r.y + k / r.w));
        judge(pv_mask_crop(mask, r, NULL), expected);
    }
}

START_TEST(flips_mirror) {
    for (int i = 0; i < 2000; i++) {
        scoped_mask *mask = any_picture(any_width(), any_int(0, 20));
        int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
        pv_mask *expected = blank(w, h);
        for (int k = 0; k < w * h; k++)
            set(expected, k,
                at(mask, i & 1 ? w - 1 - k % w : k % w, i & 2 ? h - 1 - k / w : k / w));
        judge(pv_mask_flip(mask, i & 1, i & 2, NULL), expected);
    }
}

/// Returns a mask turned clockwise by a quarter: its left side is at the top.
static pv_mask *turned(const pv_mask *m) {
    int w = pv_mask_get_height(m), h = pv_mask_get_width(m);
    pv_mask *made = blank(w, h);
    for (int k = 0; k < w * h; k++) set(made, k, at(m, k / w, w - 1 - k % w));
    return made;
}

START_TEST(turns_are_quarters) {
    for (int i = 0; i < 1000; i++) {
        scoped_mask *mask = any_picture(any_width(), any_int(0, 140)),
                    *expected = pv_mask_copy(mask, NULL);
        int extra = i ? 4 * any_int(-3, 3) : INT_MIN;
        for (int quarters = 0; quarters < 4; quarters++) {
            pv_mask *next = turned(expected);
            judge(pv_mask_rotate90(mask, quarters + extra, NULL), expected);
            expected = next;
        }
    }
}

START_TEST(scale_takes_what_the_center_falls_on) {
    for (int i = 0; i < 2000; i++) {
        scoped_mask *mask = any_picture(any_width(), any_int(0, 30));
        int w = any_width(), h = any_int(0, 60);
        pv_mask *expected = blank(w, h);
        for (int k = 0; k < w * h; k++) {
            /* the last column that begins at or before the pixel's center */
            int x = k % w, y = k / w, from_x = 0, from_y = 0;
            while (2 * (from_x + 1) * w <= (2 * x + 1) * pv_mask_get_width(mask)) from_x++;
            while (2 * (from_y + 1) * h <= (2 * y + 1) * pv_mask_get_height(mask)) from_y++;
            set(expected, k, at(mask, from_x, from_y));
        }
        judge(pv_mask_scale(mask, w, h, NULL), expected);
    }
}

/* ---- grown and shrunk ---- */

static bool in_brush(int dx, int dy, int radius, pv_brush brush) {
    return brush == PV_BRUSH_SQUARE || dx * dx + dy * dy <= radius * radius;
}

/// Tells whether some pixel of the brush about (x, y) is solid or, with all, every pixel.
static bool under_brush(const pv_mask *p, int x, int y, int radius, pv_brush brush, bool all) {
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++)
            if (in_brush(dx, dy, radius, brush) && at(p, x + dx, y + dy) != all) return !all;
    return all;
}

static pv_mask *brushed(const pv_mask *m, int radius, pv_brush brush, bool erode) {
    int grow = erode ? 0 : radius, w = pv_mask_get_width(m) + 2 * grow,
        h = pv_mask_get_height(m) + 2 * grow;
    pv_mask *made = blank(w, h);
    for (int k = 0; k < w * h; k++)
        set(made, k, under_brush(m, k % w - grow, k / w - grow, radius, brush, erode));
    return made;
}

START_TEST(dilate_and_erode_look_at_the_brush) {
    for (int i = 0; i < 1500; i++) {
        scoped_mask *mask =
            any_picture(any_int(0, 9) ? any_int(0, 90) : any_int(125, 130), any_int(0, 24));
        int radius = any_int(0, i % 10 ? 5 : 14);
        pv_brush brush = i & 1 ? PV_BRUSH_CIRCLE : PV_BRUSH_SQUARE;
        judge(pv_mask_dilate(mask, radius, brush, NULL), brushed(mask, radius, brush, false));
        judge(pv_mask_erode(mask, radius, brush, NULL), brushed(mask, radius, brush, true));
    }
}

START_TEST(the_largest_brushes) {
    scoped_mask *none = pv_mask_create(0, 0, NULL, NULL), *dot = box_mask(1, 1);
    for (int brush = 0; brush < 2; brush++) {
        scoped_mask *made = pv_mask_dilate(none, 16384, (pv_brush)brush, NULL);
        ck_assert_mask_size(made, 32768, 32768);
        ck_assert_int_eq(pv_mask_count_pixels(made), 0);
        pv_mask_release(made);
        made = pv_mask_dilate(dot, 1000, (pv_brush)brush, NULL);
        int64_t count = 0;
        for (int64_t y = -1000; y <= 1000; y++)
            for (int64_t x = -1000; x <= 1000; x++) count += brush == 0 || x * x + y * y <= 1000000;
        ck_assert_int_eq(pv_mask_count_pixels(made), count);
    }
}

START_TEST(erosion_by_huge_brushes_leaves_nothing) {
    scoped_mask *mask = box_mask(130, 30);
    static const int radii[] = {15, 64, 32768, INT_MAX};
    for (int i = 0; i < 8; i++)
        judge(pv_mask_erode(mask, radii[i / 2], (pv_brush)(i & 1), NULL), blank(130, 30));
}

START_TEST(obstacle_is_where_they_hit) {
    for (int i = 0; i < 1200; i++) {
        scoped_mask *a = any_picture(any_int(1, i % 8 ? 40 : 130), any_int(1, 14)),
                    *b = i % 16 ? any_picture(any_int(1, i % 5 ? 40 : 130), any_int(1, 14))
                                : pv_mask_retain(a);
        int w = pv_mask_get_width(a), h = pv_mask_get_height(a), v = pv_mask_get_width(b),
            g = pv_mask_get_height(b);
        pv_mask *expected = blank(w + v - 1, h + g - 1);
        for (int p = 0; p < w * h; p++)
            for (int q = 0; at(a, p % w, p / w) && q < v * g; q++)
                if (at(b, q % v, q / v))
                    pv_mask_set_pixel(expected, p % w - q % v + v - 1, p / w - q / v + g - 1, true);
        judge(pv_mask_obstacle(a, b, NULL), expected);
    }
}

/* ---- colors ---- */

static int channel(uint32_t color, int i) { return (int)(color >> (24 - 8 * i) & 255); }

/// Paints random bytes near a color, so that tolerances matter.
static void paint(unsigned char *bytes, int count, uint32_t color) {
    for (int i = 0; i < count; i++) {
        int c = channel(color, i % 4) + (any_int(0, 3) ? any_int(-3, 3) : any_int(-255, 255));
        bytes[i] = (unsigned char)(c < 0 ? 0 : c > 255 ? 255 : c);
    }
}

START_TEST(colors_are_matched_by_channel) {
    static unsigned char bytes[40 * 2200], other[40 * 2200];
    static const uint32_t tolerances[] = {0, 0x000000ff, 0x02010300, 0xffffffff, 0x0102ffff};
    for (int i = 0; i < 2000; i++) {
        int w = any_width(), h = any_int(0, 6), pitch = 4 * w + any_int(0, 9);
        uint32_t color = (uint32_t)next_random(&chance), tolerance = tolerances[i % 5];
        bool flipped = i % 3 == 0, key = i & 1, pair = i % 7 == 0;
        paint(bytes, pitch * h, color);
        paint(other, pitch * h, color);
        pv_mask *expected = blank(w, h);
        for (int k = 0; k < w * h; k++) {
            bool same = true;
            int x = k % w, y = k / w, p = (flipped ? h - 1 - y : y) * pitch + 4 * x,
                q = y * pitch + 4 * x;
            for (int c = 0; c < 4; c++)
                same = same && abs(bytes[p + c] - (pair ? other[q + c] : channel(color, c))) <=
                                   channel(tolerance, c);
            set(expected, k, same != key);
        }
        const pv_color_match match = {color, tolerance, key, pair ? other : NULL, pitch};
        const unsigned char *first = flipped && h ? bytes + (h - 1) * pitch : bytes;
        judge(pv_mask_from_color(first, w, h, flipped ? -pitch : pitch, &match, NULL, NULL),
              expected);
    }
}

START_TEST(masks_are_painted_in_two_colors) {
    static unsigned char bytes[40 * 2200];
    for (int i = 0; i < 500; i++) {
        scoped_mask *mask = any_picture(any_width(), any_int(0, 6));
        int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask),
            pitch = 4 * w + any_int(0, 9), wrong = 0;
        const uint32_t solid = (uint32_t)next_random(&chance),
                       empty = (uint32_t)next_random(&chance);
        memset(bytes, 77, sizeof bytes);
        ck_assert_int_eq(pv_mask_to_rgba(mask, bytes, pitch, solid, empty), PV_OK);
        for (int k = 0; k < pitch * 7; k++) {
            int x = k % (pitch ? pitch : 1) / 4, y = k / (pitch ? pitch : 1);
            bool in = x < w && y < h;
            wrong += bytes[k] != (in ? channel(at(mask, x, y) ? solid : empty, k % pitch % 4) : 77);
        }
        ck_assert_int_eq(wrong, 0);
        const pv_color_match match = {solid, 0, false, NULL, 0};
        if (solid != empty && w)
            judge(pv_mask_from_color(bytes, w, h, pitch, &match, NULL, NULL), pv_mask_retain(mask));
    }
}

/* ---- refusals ---- */

/// Error of the last call that may be refused
static pv_error said;

static void refused(pv_mask *made, pv_status wanted) {
    ck_assert_ptr_null(made);
    ck_assert_int_eq(said.status, wanted);
    said.status = PV_STATUS_COUNT;
}

START_TEST(wrong_pictures_are_refused) {
    unsigned char bytes[400] = {0};
    scoped_mask *mask = box_mask(10, 10);
    pv_color_match m = {0, 0, false, NULL, 0};
    refused(pv_mask_from_color(bytes, -1, 10, 40, &m, NULL, &said), PV_ERROR_ARGUMENT);
    refused(pv_mask_from_color(bytes, 10, INT_MIN, 40, &m, NULL, &said), PV_ERROR_ARGUMENT);
    refused(pv_mask_from_color(bytes, 10, 10, -39, &m, NULL, &said), PV_ERROR_ARGUMENT);
    refused(pv_mask_from_color(bytes, INT_MAX, 1, 0, &m, NULL, &said), PV_ERROR_TOO_LARGE);
    refused(pv_mask_from_color(bytes, 65536, 65536, PTRDIFF_MIN, &m, NULL, &said),
            PV_ERROR_TOO_LARGE);
    m.reference = bytes, m.reference_pitch = 39;
    refused(pv_mask_from_color(bytes, 10, 10, 40, &m, NULL, &said), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_mask_to_rgba(mask, bytes, 39, 0, 0), PV_ERROR_ARGUMENT);
}

START_TEST(sizes_out_of_range_allocate_nothing) {
    scoped_purse p = {0, 0, 0};
    pv_allocator allocator = {purse_alloc, &p};
    scoped_mask *mask = pv_mask_create(100, 100, &allocator, NULL),
                *wide = pv_mask_create(32768, 1, &allocator, NULL);
    long calls = p.calls;
    refused(pv_mask_crop(mask, (pv_rect){0, 0, -1, 5}, &said), PV_ERROR_ARGUMENT);
    refused(pv_mask_crop(mask, (pv_rect){0, 0, INT_MAX, INT_MAX}, &said), PV_ERROR_TOO_LARGE);
    refused(pv_mask_scale(mask, 5, -1, &said), PV_ERROR_ARGUMENT);
    refused(pv_mask_scale(mask, 65536, 65536, &said), PV_ERROR_TOO_LARGE);
    refused(pv_mask_dilate(mask, -1, PV_BRUSH_CIRCLE, &said), PV_ERROR_ARGUMENT);
    refused(pv_mask_erode(mask, INT_MIN, PV_BRUSH_CIRCLE, &said), PV_ERROR_ARGUMENT);
    refused(pv_mask_dilate(mask, 16335, PV_BRUSH_SQUARE, &said), PV_ERROR_TOO_LARGE);
    refused(pv_mask_dilate(mask, INT_MAX, PV_BRUSH_SQUARE, &said), PV_ERROR_TOO_LARGE);
    refused(pv_mask_dilate(mask, 1 << 30, PV_BRUSH_CIRCLE, &said), PV_ERROR_TOO_LARGE);
    refused(pv_mask_obstacle(wide, mask, &said), PV_ERROR_TOO_LARGE);
    ck_assert_int_eq(p.calls, calls);
}

RUN_TESTS("mask_ops")
