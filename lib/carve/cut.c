/* cut.c - finds the pixels of a picture that a cut removes or adds.
 *
 * Invariant: a cut contains a pixel if it contains the pixel's center, wherever the picture is. The
 * tests use only + - * /, so every machine cuts the same pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "carve/cut.h"
#include "base/base.h"
#include "base/constants.h"
#include "base/error.h"
#include "base/math.h"
#include "pixel/mask_ops.h"
#include "pixel/raster.h"

#include <float.h>

/* ---- validation ---- */

static bool check_points(pv_error *e, const pv_cut *cut) {
    if (!pv__check_pointer(e, "cut.points", cut->points) ||
        !pv__check_range(e, "cut.point_count", cut->point_count, 3, PV__MOST_CORNERS))
        return false;
    for (int i = 0; i < cut->point_count; i++)
        if (!pv__check_vector(e, "cut.points", cut->points[i], DBL_MAX)) return false;
    return true;
}

bool pv__cut_check(pv_error *e, const pv_cut *cut) {
    if (!pv__check_made(e, "cut", cut, cut ? cut->cookie : 0,
                        "pv_cut_circle(), pv_cut_box(), ... or pv_cut_mask") ||
        !pv__check_range(e, "cut.type", cut->type, 0, PV_CUT_MASK) ||
        !pv__check_range(e, "cut.max_hardness", cut->max_hardness, 0, 255))
        return false;
    if (cut->type == PV_CUT_POLYGON) return check_points(e, cut);
    if (cut->type == PV_CUT_MASK)
        return pv__check_pointer(e, "cut.mask", cut->mask) &&
               pv__error_about(e, pv__raster_check_transform(&cut->transform), "cut.transform") ==
                   PV_OK;
    return pv__check_vector(e, "cut.from", cut->from, DBL_MAX) &&
           pv__check_vector(e, "cut.to", cut->to, DBL_MAX) &&
           pv__check_range(e, "cut.radius", cut->radius, 0, DBL_MAX);
}

/* ---- constructors ---- */

/// Returns a cut with default values in its other members. Wrong arguments give an invalid cut,
/// which carving refuses.
static pv_cut cut_of(pv_cut cut) {
    pv_error e;
    if (cut.type != PV_CUT_MASK) cut.transform = pv_transform_identity();
    cut.max_hardness = 255;
    cut.cookie = PV__COOKIE;
    return pv__cut_check(pv__error_begin(__func__, &e, NULL), &cut) ? cut : (pv_cut){0};
}

pv_cut pv_cut_circle(pv_vec2 center, double radius) {
    return cut_of((pv_cut){.type = PV_CUT_CIRCLE, .from = center, .to = center, .radius = radius});
}

pv_cut pv_cut_box(pv_vec2 corner, pv_vec2 opposite) {
    if (!pv__finite2(corner) || !pv__finite2(opposite)) return (pv_cut){0};
    pv_box box = pv__box_around(corner, opposite);
    return cut_of((pv_cut){.type = PV_CUT_BOX, .from = box.min, .to = box.max});
}

pv_cut pv_cut_line(pv_vec2 from, pv_vec2 to, double width) {
    return cut_of((pv_cut){.type = PV_CUT_LINE, .from = from, .to = to, .radius = 0.5 * width});
}

pv_cut pv_cut_polygon(const pv_vec2 *points, int count) {
    return cut_of((pv_cut){.type = PV_CUT_POLYGON, .points = points, .point_count = count});
}

pv_cut pv_cut_mask(const pv_mask *mask, const pv_transform *transform) {
    pv_cut cut = {.type = PV_CUT_MASK, .mask = mask};
    if (transform) cut.transform = *transform;
    return cut_of(cut);
}

/* ---- inside tests ---- */

static bool in_polygon(const pv_vec2 *points, int count, pv_vec2 p) {
    bool inside = false;
    for (int i = 0, k = count - 1; i < count; k = i++) {
        pv_vec2 a = points[i], b = points[k];
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
            inside = !inside;
    }
    return inside;
}

/// Tells whether a cut contains a point.
static bool takes(const pv_cut *cut, pv_vec2 p) {
    if (cut->type == PV_CUT_POLYGON) return in_polygon(cut->points, cut->point_count, p);
    if (cut->type == PV_CUT_MASK)
        return pv__bits_under(&cut->mask->bits, pv_transform_to_local(&cut->transform, p));
    if (cut->type == PV_CUT_BOX)
        return p.x >= cut->from.x && p.x <= cut->to.x && p.y >= cut->from.y && p.y <= cut->to.y;
    pv_vec2 way = pv__sub(cut->to, cut->from), arm = pv__sub(p, cut->from);
    double square = pv__dot(way, way),
           along = square > 0 ? pv__clamp(pv__dot(arm, way) / square, 0, 1) : 0;
    pv_vec2 off = pv__mad(arm, -along, way);
    return pv__dot(off, off) <= cut->radius * cut->radius;
}

/// Tells whether a cut changes a pixel of that hardness, at a point inside the cut.
static bool gives_way(const pv_cut *cut, double blow, int hardness, pv_vec2 p) {
    if (hardness == 0 || cut->add) return true;
    if (blow == 0) return hardness <= cut->max_hardness;
    const double reach = PV__LEAST_CHIP * PV__LEAST_CHIP;
    pv_vec2 arm = pv__sub(p, cut->from);
    double square = pv__dot(arm, arm), share = square > reach ? 1 + square / reach : 1;
    return pv__material_map_toughness_of(hardness) * share < blow;
}

/* ---- boxes ---- */

pv_box pv__cut_box(const pv_cut *cut) {
    pv_box box = pv__box_around(cut->from, cut->to);
    if (cut->type == PV_CUT_MASK)
        return pv_transform_compute_bounds(&cut->transform, cut->mask->bits.w, cut->mask->bits.h);
    if (cut->type == PV_CUT_POLYGON) {
        box = (pv_box){cut->points[0], cut->points[0]};
        for (int i = 1; i < cut->point_count; i++) pv__enclose(&box, cut->points[i]);
    }
    return pv__box_widened(box, cut->radius);
}

static pv_box box_in_picture(const pv_cut *cut, const pv_transform *picture) {
    pv_box box = pv__cut_box(cut);
    if (cut->local) return box;
    pv_box in = pv__box_around(pv_transform_to_local(picture, box.min),
                               pv_transform_to_local(picture, box.max));
    pv__enclose(&in, pv_transform_to_local(picture, pv__vec(box.min.x, box.max.y)));
    pv__enclose(&in, pv_transform_to_local(picture, pv__vec(box.max.x, box.min.y)));
    return in;
}

/// Widens a range of pixels by one at each end, and clips it to 0...size.
static void clip(double low, double high, int size, int *first, int *count) {
    double from = pv__clamp(low - 1, 0, size), to = pv__clamp(high + 1, from, size);
    *first = (int)from;
    *count = (int)-pv__floor(-to) - *first;
}

/* ---- rows of a line: few of the pixels of its box are near it ---- */

/// Circle or line in the picture
typedef struct stroke {
    pv_vec2 from, way;
    /// Greatest distance from it to the centers of its pixels [px]
    double reach;
} stroke;

static stroke stroke_of(const pv_cut *cut, const pv_transform *picture) {
    pv_vec2 scale = cut->local ? pv__vec(1, 1) : picture->scale;
    pv_vec2 from = cut->local ? cut->from : pv_transform_to_local(picture, cut->from),
            to = cut->local ? cut->to : pv_transform_to_local(picture, cut->to);
    return (stroke){from, pv__sub(to, from),
                    cut->radius / pv__min(pv__abs(scale.x), pv__abs(scale.y))};
}

/// Returns the pixels of row y of the picture that may be near a stroke, within a rectangle.
static pv_rect row_near(const stroke *s, const pv_rect *r, int y) {
    double low = y + 0.5 - s->reach - s->from.y, high = y + 0.5 + s->reach - s->from.y,
           t[2] = {0, 1};
    if (s->way.y != 0)
        t[0] = pv__clamp(low / s->way.y, 0, 1), t[1] = pv__clamp(high / s->way.y, 0, 1);
    double a = s->from.x + t[0] * s->way.x, b = s->from.x + t[1] * s->way.x;
    pv_rect near = {0, y, 0, 1};
    clip(pv__min(a, b) - s->reach - r->x, pv__max(a, b) + s->reach - r->x, r->w, &near.x, &near.w);
    return near;
}

/// Returns the pixels of row y of the picture that a cut may contain, within a rectangle. Their x
/// counts from the rectangle's left side.
static pv_rect row_of(const pv_cut *cut, const stroke *s, const pv_rect *r, int y) {
    bool is_stroke = cut->type == PV_CUT_CIRCLE || cut->type == PV_CUT_LINE;
    return is_stroke ? row_near(s, r, y) : (pv_rect){0, y, r->w, 1};
}

/* ---- pixels ---- */

/// Sets, in a mask of a rectangle of the picture, the pixels that a cut changes.
static void draw(const pv_cut *cut, double blow, const pv_transform *picture, const pv_mask *of,
                 const pv__material_view *materials, const pv_rect *r, pv_mask *made) {
    const stroke line = stroke_of(cut, picture);
    for (int y = 0; y < r->h; y++) {
        pv_rect row = row_of(cut, &line, r, r->y + y);
        for (int x = row.x; x < row.x + row.w; x++) {
            if (pv__bits_get(&of->bits, r->x + x, r->y + y) == cut->add) continue;
            pv_vec2 at = {r->x + x + 0.5, r->y + y + 0.5};
            if (!cut->local) at = pv_transform_to_world(picture, at);
            if (takes(cut, at) &&
                gives_way(cut, blow, pv__material_map_hardness_at(materials, r->x + x, r->y + y),
                          at))
                pv_mask_set_pixel(made, x, y, true);
        }
    }
}

pv_mask *pv__cut_pixels(const pv_cut *cut, double blow, const pv_transform *picture,
                        const pv_mask *of, const pv__material_view *materials, pv__cut_out *out,
                        pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_box box = box_in_picture(cut, picture);
    pv_rect r;
    *out = (pv__cut_out){{0, 0, 0, 0}, {0, 0, 0, 0}, 0};
    clip(box.min.x, box.max.x, of->bits.w, &r.x, &r.w);
    clip(box.min.y, box.max.y, of->bits.h, &r.y, &r.h);
    if (!(box.min.x <= box.max.x) || r.w <= 0 || r.h <= 0) return NULL;
    pv_mask *made = pv__mask_like(r.w, r.h, of, e);
    if (!made) return NULL;
    draw(cut, blow, picture, of, materials, &r, made);
    out->count = pv_mask_count_pixels(made);
    if (out->count == 0) {
        pv_mask_release(made);
        return NULL;
    }
    out->rect = r;
    out->box = pv_mask_compute_bounds(made);
    out->box.x += r.x;
    out->box.y += r.y;
    return made;
}
