/* mask_draw.c - masks of shapes and of text, shapes filled in masks, and images of masks.
 *
 * Invariant: the center of a pixel decides, as for cuts. A polygon is tested in its own
 * coordinates, so that the position of the mask causes no rounding.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/constants.h"
#include "base/math.h"
#include "pixel/canvas.h"
#include "pixel/mask.h"
#include "pixel/mask_ops.h"

#include <float.h>

/* ---- places ---- */

/// Returns the first of limit pixels with its center at x or beyond, or limit.
/// @param origin coordinate of the first pixel's edge
static int first_at(double x, int origin, int limit) {
    int64_t pixel = -pv__floor(0.5 - x) - origin;
    return pixel < 0 ? 0 : pixel < limit ? (int)pixel : limit;
}

/// Returns the whole pixels that contain all points.
static pv_rect rect_around(const pv_vec2 *points, int count) {
    pv_box box = {points[0], points[0]};
    for (int i = 1; i < count; i++) pv__enclose(&box, points[i]);
    int x = (int)pv__floor(box.min.x), y = (int)pv__floor(box.min.y);
    return (pv_rect){x, y, (int)-pv__floor(-box.max.x) - x, (int)-pv__floor(-box.max.y) - y};
}

/* ---- circles and lines ---- */

/// Fills the pixels within radius of the segment from a to b.
static void stroke(pv_mask *mask, pv_vec2 a, pv_vec2 b, double radius, bool solid) {
    pv__stroke o = pv__stroke_of(a, b, radius, mask->bits.w, mask->bits.h);
    while (pv__stroke_next(&o))
        pv_mask_fill_rect(mask, (pv_rect){o.left, o.y, o.right - o.left, 1}, solid);
}

pv_mask *pv_mask_create_circle(double radius, const pv_allocator *allocator, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_range(e, "radius", radius, 0, DBL_MAX)) return NULL;
    double half = -(double)pv__floor(-pv__min(radius, PV__MAX_SIDE));
    pv_mask *mask = pv__mask_make_for(e, "radius", 2 * (int64_t)half, 2 * (int64_t)half, allocator);
    pv_vec2 center = {half, half};
    if (mask) stroke(mask, center, center, radius, true);
    return mask;
}

pv_status pv_mask_fill_circle(pv_mask *mask, pv_vec2 center, double radius, bool solid) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    if (!pv__check_pointer(e, "mask", mask) || !pv__check_place(e, "center", center) ||
        !pv__check_range(e, "radius", radius, 0, DBL_MAX))
        return e->status;
    if (!pv__mask_begin_edit(mask)) return PV_ERROR_SHARED;
    stroke(mask, center, center, radius, solid);
    return PV_OK;
}

pv_status pv_mask_fill_line(pv_mask *mask, pv_vec2 from, pv_vec2 to, double width, bool solid) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    if (!pv__check_pointer(e, "mask", mask) || !pv__check_place(e, "from", from) ||
        !pv__check_place(e, "to", to) || !pv__check_range(e, "width", width, DBL_TRUE_MIN, DBL_MAX))
        return e->status;
    if (!pv__mask_begin_edit(mask)) return PV_ERROR_SHARED;
    stroke(mask, from, to, width / 2, solid);
    return PV_OK;
}

/* ---- polygons ----
 *
 * Each edge marks the last pixel left of it in each row. A pixel is inside if the number of marks
 * at it and right of it is odd.
 */

/// Marks the pixels left of an edge. The expression is the same as for cuts.
static void edge(const pv__bits *bits, pv_point origin, pv_vec2 a, pv_vec2 b) {
    int y = first_at(pv__min(a.y, b.y), origin.y, bits->h),
        end = first_at(pv__max(a.y, b.y), origin.y, bits->h);
    for (; y < end; y++) {
        double down = origin.y + y + 0.5 - a.y;
        int x = first_at(a.x + down / (b.y - a.y) * (b.x - a.x), origin.x, bits->w) - 1;
        if (x < 0) continue;
        *pv__bits_at(bits, x, y) ^= UINT64_C(1) << (x & 63);
    }
}

/// Turns the marks of a row into pixels, 64 at once from right to left.
static void between(const pv__bits *bits, int y) {
    uint64_t right = 0;
    for (int s = pv__bits_stripes(bits->w) - 1; s >= 0; s--) {
        uint64_t *word = pv__bits_at(bits, s * 64, y);
        for (int shift = 1; shift < 64; shift *= 2) *word ^= *word >> shift;
        *word ^= right;
        right = *word & 1 ? ~UINT64_C(0) : 0;
    }
}

static void polygon(const pv__bits *bits, pv_point origin, const pv_vec2 *points, int count) {
    for (int i = 0, k = count - 1; i < count; k = i++) edge(bits, origin, points[i], points[k]);
    for (int y = 0; y < bits->h; y++) between(bits, y);
}

static bool check_points(pv_error *e, const pv_vec2 *points, int count) {
    return pv__check_pointer(e, "points", points) &&
           pv__check_range(e, "point_count", count, 3, PV__MOST_CORNERS) &&
           pv__check_places(e, "points", points, count);
}

pv_mask *pv_mask_create_polygon(const pv_vec2 *points, int point_count, pv_point *origin,
                                const pv_allocator *allocator, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (origin) *origin = (pv_point){0, 0};
    if (!check_points(e, points, point_count)) return NULL;
    pv_rect rect = rect_around(points, point_count);
    if (!pv__mask_check_made(e, "points", rect.w, rect.h)) return NULL;
    if (origin) *origin = (pv_point){rect.x, rect.y};
    pv_mask *mask = pv__mask_make(e, rect.w, rect.h, allocator);
    if (mask) polygon(&mask->bits, (pv_point){rect.x, rect.y}, points, point_count);
    return mask;
}

pv_status pv_mask_fill_polygon(pv_mask *mask, const pv_vec2 *points, int point_count, bool solid) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    if (!pv__check_pointer(e, "mask", mask) || !check_points(e, points, point_count))
        return e->status;
    if (!pv__mask_begin_edit(mask)) return PV_ERROR_SHARED;
    pv_rect rect = pv__rect_meet(rect_around(points, point_count),
                                 (pv_rect){0, 0, mask->bits.w, mask->bits.h});
    if (rect.w <= 0 || rect.h <= 0) return PV_OK;
    pv_mask *made = pv__mask_make(e, rect.w, rect.h, &mask->allocator);
    if (!made) return e->status;
    polygon(&made->bits, (pv_point){rect.x, rect.y}, points, point_count);
    pv__bits_combine(&mask->bits, &made->bits, rect.x, rect.y,
                     solid ? PV_COMBINE_OR : PV_COMBINE_ANDNOT);
    pv_mask_release(made);
    return PV_OK;
}

/* ---- rectangles, text and images ---- */

pv_mask *pv_mask_create_rect(int width, int height, const pv_allocator *allocator,
                             pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_mask *mask = pv__mask_make_sized(e, width, height, allocator);
    if (mask) pv_mask_invert(mask);
    return mask;
}

/// Returns the length of the row at *text, and sets *text to the next row.
static size_t text_row(const char **text) {
    size_t length = strcspn(*text, "\n");
    *text += length + ((*text)[length] == '\n');
    return length;
}

pv_mask *pv_mask_from_text(const char *rows, const pv_allocator *allocator, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_pointer(e, "rows", rows)) return NULL;
    int64_t w = 0, h = 0;
    for (const char *at = rows; *at; h++) {
        int64_t length = (int64_t)text_row(&at);
        w = length > w ? length : w;
    }
    pv_mask *mask = pv__mask_make_for(e, "rows", w, h, allocator);
    const char *next = rows;
    for (int y = 0; mask && y < h; y++) {
        const char *row = next;
        int length = (int)text_row(&next);
        for (int x = 0; x < length; x++)
            if (row[x] != '.' && row[x] != ' ') pv_mask_set_pixel(mask, x, y, true);
    }
    return mask;
}
