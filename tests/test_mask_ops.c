/* test_mask_ops.c - operations on masks against loops over one byte a pixel.
 *
 * Invariant: the expected values come from bytes held in this file, pixel by pixel, or from
 * formulas.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "pixel/bits.h"
#include "support.h"

#include <limits.h>

#define SIDE 700

/// Picture of one byte per pixel
typedef struct picture {
    int w, h;
    unsigned char solid[SIDE * SIDE];
} picture;

static picture one, two, expected;
static bool at(const picture *p, int64_t x, int64_t y) {
    return x >= 0 && y >= 0 && x < p->w && y < p->h && p->solid[y * p->w + x];
}

static void resize(picture *p, int w, int h) {
    p->w = w;
    p->h = h;
}

/// A random picture: noise, or a few rectangles.
static void draw_any(picture *p, int w, int h) {
    static const int percents[] = {0, 3, 30, 50, 97, 100};
    int percent = percents[any_int(0, 5)];
    resize(p, w, h);
    for (int i = 0; i < w * h; i++) p->solid[i] = any_int(0, 99) < percent;
    for (int i = any_int(0, 1) ? 4 : 0; i > 0; i--) {
        int left = any_int(0, w), top = any_int(0, h), right = any_int(left, w),
            low = any_int(top, h);
        for (int y = top; y < low; y++)
            memset(p->solid + y * w + left, i & 1, (size_t)(right - left));
    }
}

static pv_mask *make(picture *p, int w, int h) {
    pv_mask *mask = pv_mask_create(w, h, NULL, NULL);
    ck_assert_ptr_nonnull(mask);
    draw_any(p, w, h);
    for (int i = 0; i < w * h; i++)
        if (p->solid[i]) pv_mask_set_pixel(mask, i % w, i / w, true);
    return mask;
}

/// Checks that the mask equals the picture, and that its padding is zero.
static void check_same(const pv_mask *mask, const picture *p) {
    int wrong = 0;
    ck_assert_ptr_nonnull(mask);
    ck_assert_mask_size(mask, p->w, p->h);
    for (int y = 0; y < p->h; y++)
        for (int x = 0; x < p->w; x++)
            wrong += pv__bits_get(&mask->bits, x, y) != (p->solid[y * p->w + x] != 0);
    ck_assert_int_eq(wrong, 0);
    for (int y = 0; p->w % 64 && y < p->h; y++)
        ck_assert(mask->bits.words[(size_t)(p->w / 64 * p->h + y)] >> p->w % 64 == 0);
}

/// Judges a new mask by the expected picture, and frees it.
static void judge(pv_mask *made) {
    check_same(made, &expected);
    pv_mask_release(made);
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

static void combine_bytes(const picture *a, const picture *b, int dx, int dy, pv_combine op) {
    resize(&expected, a->w, a->h);
    for (int y = 0; y < a->h; y++)
        for (int x = 0; x < a->w; x++)
            expected.solid[y * a->w + x] =
                combined(at(a, x, y), at(b, (int64_t)x - dx, (int64_t)y - dy), op);
}

static int random_offset(int size) {
    static const int far[] = {INT_MIN, INT_MAX, INT_MIN + 1, -32768, 32768, 1 << 30};
    if (any_int(0, 19) == 0) return far[any_int(0, 5)];
    return any_int(-size - 2, size + 2);
}

START_TEST(combine_is_a_loop_over_its_pixels) {
    for (int i = 0; i < 12000; i++) {
        int most = i % 2 ? 20 : 12;
        pv_mask *a = make(&one, any_width(), any_int(0, most)),
                *b = i % 2 ? a : make(&two, any_width(), any_int(0, most));
        if (a == b) two = one; /* with itself */
        int dx = random_offset(one.w > two.w ? one.w : two.w),
            dy = random_offset(a == b && any_int(0, 1) ? 0 : most);
        pv_combine op = (pv_combine)(i / 2 % 4);
        combine_bytes(&one, &two, dx, dy, op);
        ck_assert_int_eq(pv_mask_combine(a, b, dx, dy, op), PV_OK);
        if (a != b) check_same(b, &two), pv_mask_release(b);
        judge(a);
    }
}

/* ---- all pixels ---- */

static void check_whole(const picture *p, const pv_mask *mask) {
    int count = 0, left = p->w, right = 0, top = p->h, bottom = 0;
    for (int i = 0; i < p->w * p->h; i++) {
        int x = i % p->w, y = i / p->w;
        if (!p->solid[i]) continue;
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
        pv_mask *mask = make(&one, any_width(), any_int(0, 12));
        check_whole(&one, mask);
        expected = one;
        for (int k = 0; k < one.w * one.h; k++) expected.solid[k] = !one.solid[k];
        ck_assert_int_eq(pv_mask_invert(mask), PV_OK);
        check_same(mask, &expected);
        check_whole(&expected, mask);
        pv_mask_release(mask);
    }
}

/* ---- cut, mirrored, turned, scaled ---- */

START_TEST(crop_cuts_and_pads) {
    for (int i = 0; i < 3000; i++) {
        scoped_mask *mask = make(&one, any_width(), any_int(0, 20));
        pv_rect r = {random_offset(one.w), random_offset(20), any_width(), any_int(0, 30)};
        resize(&expected, r.w, r.h);
        for (int k = 0; k < r.w * r.h; k++)
            expected.solid[k] = at(&one, (int64_t)r.x + k % r.w, (int64_t)r.y + k / r.w);
        judge(pv_mask_crop(mask, r, NULL));
        check_same(mask, &one);
    }
}

START_TEST(flips_mirror) {
    for (int i = 0; i < 2000; i++) {
        scoped_mask *mask = make(&one, any_width(), any_int(0, 20));
        bool h = i & 1, v = i & 2;
        resize(&expected, one.w, one.h);
        for (int k = 0; k < one.w * one.h; k++) {
            int x = k % one.w, y = k / one.w;
            expected.solid[k] = at(&one, h ? one.w - 1 - x : x, v ? one.h - 1 - y : y);
        }
        judge(pv_mask_flip(mask, h, v, NULL));
    }
}

/// A quarter clockwise: what was at the left is at the top.
static void turn_bytes(const picture *p) {
    resize(&expected, p->h, p->w);
    for (int y = 0; y < p->w; y++)
        for (int x = 0; x < p->h; x++) expected.solid[y * p->h + x] = at(p, y, p->h - 1 - x);
}

START_TEST(turns_are_quarters) {
    for (int i = 0; i < 1000; i++) {
        scoped_mask *mask = make(&one, any_width(), any_int(0, 140));
        int extra = i ? 4 * any_int(-3, 3) : INT_MIN;
        expected = one;
        for (int quarters = 0; quarters < 4; quarters++) {
            pv_mask *made = pv_mask_rotate90(mask, quarters + extra, NULL);
            check_same(made, &expected);
            pv_mask_release(made);
            two = expected;
            turn_bytes(&two);
        }
    }
}

START_TEST(scale_takes_what_the_center_falls_on) {
    for (int i = 0; i < 2000; i++) {
        scoped_mask *mask = make(&one, any_width(), any_int(0, 30));
        int w = any_width(), h = any_int(0, 60);
        resize(&expected, w, h);
        for (int k = 0; k < w * h; k++) {
            /* the last column that begins at or before the center */
            int x = k % w, y = k / w, from_x = 0, from_y = 0;
            while (2 * (from_x + 1) * w <= (2 * x + 1) * one.w) from_x++;
            while (2 * (from_y + 1) * h <= (2 * y + 1) * one.h) from_y++;
            expected.solid[k] = at(&one, from_x, from_y);
        }
        judge(pv_mask_scale(mask, w, h, NULL));
    }
}

/* ---- grown and shrunk ---- */

static bool in_brush(int dx, int dy, int radius, pv_brush brush) {
    return brush == PV_BRUSH_SQUARE || dx * dx + dy * dy <= radius * radius;
}

/// Tells whether some (or, with all, every) pixel of the brush about (x, y) is solid.
static bool under_brush(const picture *p, int x, int y, int radius, pv_brush brush, bool all) {
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++)
            if (in_brush(dx, dy, radius, brush) && at(p, x + dx, y + dy) != all) return !all;
    return all;
}

static void brush_bytes(const picture *p, int radius, pv_brush brush, bool erode) {
    int grow = erode ? 0 : radius;
    resize(&expected, p->w + 2 * grow, p->h + 2 * grow);
    for (int y = 0; y < expected.h; y++)
        for (int x = 0; x < expected.w; x++)
            expected.solid[y * expected.w + x] =
                under_brush(p, x - grow, y - grow, radius, brush, erode);
}

START_TEST(dilate_and_erode_look_at_the_brush) {
    for (int i = 0; i < 1500; i++) {
        scoped_mask *mask =
            make(&one, any_int(0, 9) ? any_int(0, 90) : any_int(125, 130), any_int(0, 24));
        int radius = any_int(0, i % 10 ? 5 : 14);
        pv_brush brush = i & 1 ? PV_BRUSH_CIRCLE : PV_BRUSH_SQUARE;
        brush_bytes(&one, radius, brush, false);
        judge(pv_mask_dilate(mask, radius, brush, NULL));
        brush_bytes(&one, radius, brush, true);
        judge(pv_mask_erode(mask, radius, brush, NULL));
        check_same(mask, &one);
    }
}

START_TEST(the_largest_brushes) {
    scoped_mask *none = pv_mask_create(0, 0, NULL, NULL), *dot = box_mask(1, 1);
    for (int brush = 0; brush < 2; brush++) {
        pv_mask *made = pv_mask_dilate(none, 16384, (pv_brush)brush, NULL);
        ck_assert_mask_size(made, 32768, 32768);
        ck_assert_int_eq(pv_mask_count_pixels(made), 0);
        pv_mask_release(made);
        made = pv_mask_dilate(dot, 1000, (pv_brush)brush, NULL);
        int64_t count = 0;
        for (int64_t y = -1000; y <= 1000; y++)
            for (int64_t x = -1000; x <= 1000; x++) count += brush == 0 || x * x + y * y <= 1000000;
        ck_assert_int_eq(pv_mask_count_pixels(made), count);
        pv_mask_release(made);
    }
}

START_TEST(erosion_by_huge_brushes_leaves_nothing) {
    scoped_mask *mask = box_mask(130, 30);
    static const int radii[] = {15, 64, 32768, INT_MAX};
    resize(&expected, 130, 30);
    memset(expected.solid, 0, 130 * 30);
    for (int i = 0; i < 8; i++) judge(pv_mask_erode(mask, radii[i / 2], (pv_brush)(i & 1), NULL));
}

START_TEST(obstacle_is_where_they_hit) {
    for (int i = 0; i < 1200; i++) {
        pv_mask *a = make(&one, any_int(1, i % 8 ? 40 : 130), any_int(1, 14));
        pv_mask *b =
            i % 16 ? make(&two, any_int(1, i % 5 ? 40 : 130), any_int(1, 14)) : pv_mask_retain(a);
        if (a == b) two = one;
        resize(&expected, one.w + two.w - 1, one.h + two.h - 1);
        memset(expected.solid, 0, (size_t)(expected.w * expected.h));
        for (int p = 0; p < one.w * one.h; p++)
            for (int q = 0; one.solid[p] && q < two.w * two.h; q++) {
                int x = p % one.w - q % two.w + two.w - 1, y = p / one.w - q / two.w + two.h - 1;
                if (two.solid[q]) expected.solid[y * expected.w + x] = 1;
            }
        judge(pv_mask_obstacle(a, b, NULL));
        release_masks(a, b);
    }
}

/* ---- colors ---- */

static int channel(uint32_t color, int i) { return (int)(color >> (24 - 8 * i) & 255); }

/// Random bytes near the color, so that tolerances matter.
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
        resize(&expected, w, h);
        for (int k = 0; k < w * h; k++) {
            bool same = true;
            int x = k % w, y = k / w, p = (flipped ? h - 1 - y : y) * pitch + 4 * x,
                q = y * pitch + 4 * x;
            for (int c = 0; c < 4; c++)
                same = same && abs(bytes[p + c] - (pair ? other[q + c] : channel(color, c))) <=
                                   channel(tolerance, c);
            expected.solid[k] = same != key;
        }
        const pv_color_match match = {color, tolerance, key, pair ? other : NULL, pitch};
        const unsigned char *first = flipped && h ? bytes + (h - 1) * pitch : bytes;
        judge(pv_mask_from_color(first, w, h, flipped ? -pitch : pitch, &match, NULL, NULL));
    }
}

START_TEST(masks_are_painted_in_two_colors) {
    static unsigned char bytes[40 * 2200];
    for (int i = 0; i < 500; i++) {
        scoped_mask *mask = make(&one, any_width(), any_int(0, 6));
        int pitch = 4 * one.w + any_int(0, 9), wrong = 0;
        const uint32_t solid = (uint32_t)next_random(&chance),
                       empty = (uint32_t)next_random(&chance);
        memset(bytes, 77, sizeof bytes);
        ck_assert_int_eq(pv_mask_to_rgba(mask, bytes, pitch, solid, empty), PV_OK);
        for (int k = 0; k < pitch * 7; k++) {
            int x = k % (pitch ? pitch : 1) / 4, y = k / (pitch ? pitch : 1);
            bool in = x < one.w && y < one.h;
            wrong += bytes[k] != (in ? channel(at(&one, x, y) ? solid : empty, k % pitch % 4) : 77);
        }
        ck_assert_int_eq(wrong, 0);
        const pv_color_match match = {solid, 0, false, NULL, 0};
        expected = one;
        if (solid != empty && one.w)
            judge(pv_mask_from_color(bytes, one.w, one.h, pitch, &match, NULL, NULL));
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
    purse p = {0, 0, 0};
    pv_allocator allocator = {purse_alloc, &p};
    pv_mask *mask = pv_mask_create(100, 100, &allocator, NULL),
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
    release_masks(mask, wide);
    ck_assert_int_eq(p.live_bytes, 0);
}

START_TEST(shared_masks_cannot_be_changed) {
    pv_mask *mask = make(&one, 70, 9), *other = box_mask(5, 5);
    pv_mask_retain(mask);
    ck_assert_int_eq(pv_mask_combine(mask, other, 0, 0, PV_COMBINE_XOR), PV_ERROR_SHARED);
    ck_assert_int_eq(pv_mask_combine(mask, mask, 0, 0, PV_COMBINE_XOR), PV_ERROR_SHARED);
    ck_assert_int_eq(pv_mask_combine(other, mask, 0, 0, PV_COMBINE_XOR), PV_OK);
    ck_assert_int_eq(pv_mask_invert(mask), PV_ERROR_SHARED);
    check_same(mask, &one);
    pv_mask_release(mask);
    ck_assert_int_eq(pv_mask_invert(mask), PV_OK);
    release_masks(mask, other);
}

/* ---- memory ---- */

RUN_TESTS("mask_ops")
