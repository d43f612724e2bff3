/* speed_depth.c - depth of bodies in each other, from the geometry of outlines and pixels.
 *
 * Invariant: the solver gives only poses. Discs and convex outlines are measured as drawn, all
 * others in pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_scenes.h"

#include <math.h>
#include <pixverlet.h>
#include <stdlib.h>

/// Distance within which a pixel's rim is searched [px]
enum { REACH = 8 };

/// Body that others may overlap; a convex one has corners, rounded by a radius.
typedef struct solid {
    pv_placed placed;
    pv_box box;
    bool moves;
    /// Number of corners; 0: measured in pixels
    int corners;
    double radius;
    pv_vec2 corner[MOST_CORNERS];
} solid;

static double dot(pv_vec2 a, pv_vec2 b) { return a.x * b.x + a.y * b.y; }

/* ---- convex outlines: the axis of least overlap ---- */

/// Returns how far a body reaches along an axis.
static double reach_along(const solid *s, pv_vec2 axis) {
    double most = -INFINITY;
    for (int i = 0; i < s->corners; i++) most = fmax(most, dot(s->corner[i], axis));
    return most + s->radius;
}

static double overlap_along(const solid *a, const solid *b, pv_vec2 axis) {
    double length = hypot(axis.x, axis.y);
    if (length == 0) return INFINITY;
    pv_vec2 n = {axis.x / length, axis.y / length}, back = {-n.x, -n.y};
    return fmin(reach_along(a, n) + reach_along(b, back), reach_along(a, back) + reach_along(b, n));
}

static double least_along_edges(const solid *of, const solid *a, const solid *b) {
    double least = INFINITY;
    for (int i = 0; of->corners > 1 && i < of->corners; i++) {
        pv_vec2 from = of->corner[i], to = of->corner[(i + 1) % of->corners];
        least = fmin(least, overlap_along(a, b, (pv_vec2){to.y - from.y, from.x - to.x}));
    }
    return least;
}

/// Returns the overlap along the lines from corner to corner, which only rounded bodies need.
static double least_along_corners(const solid *a, const solid *b) {
    double least = INFINITY;
    for (int i = 0; i < a->corners; i++)
        for (int j = 0; j < b->corners; j++) {
            pv_vec2 way = {b->corner[j].x - a->corner[i].x, b->corner[j].y - a->corner[i].y};
            least = fmin(least, overlap_along(a, b, way));
        }
    return least;
}

static double convex_depth(const solid *a, const solid *b) {
    double depth = fmin(least_along_edges(a, a, b), least_along_edges(b, a, b));
    return a->radius > 0 || b->radius > 0 ? fmin(depth, least_along_corners(a, b)) : depth;
}

/* ---- pixels ---- */

static double beyond(double x, double low) { return fmax(fmax(low - x, x - low - 1), 0); }

/// Returns the distance from a point of a picture to the nearest empty pixel; 0 in an empty one.
static double inner_distance(const pv_mask *m, pv_vec2 p) {
    int column = (int)floor(p.x), line = (int)floor(p.y);
    double least = REACH * REACH;
    if (!pv_mask_get_pixel(m, column, line)) return 0;
    for (int y = line - REACH; y <= line + REACH; y++)
        for (int x = column - REACH; x <= column + REACH; x++) {
            double dx = beyond(p.x, x), dy = beyond(p.y, y), square = dx * dx + dy * dy;
            if (square < least && !pv_mask_get_pixel(m, x, y)) least = square;
        }
    return sqrt(least);
}

static pv_vec2 into_picture(const pv_transform *t, pv_vec2 at) {
    double x = at.x - t->position.x, y = at.y - t->position.y;
    return (pv_vec2){t->pivot.x + t->rotation.c * x + t->rotation.s * y,
                     t->pivot.y + t->rotation.c * y - t->rotation.s * x};
}

/// Returns the pixels of a picture that may lie in a box of the world.
static pv_rect pixels_in(const pv_placed *placed, pv_box box) {
    pv_vec2 low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        pv_vec2 corner = {i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y};
        pv_vec2 p = into_picture(&placed->transform, corner);
        low = (pv_vec2){fmin(low.x, p.x), fmin(low.y, p.y)};
        high = (pv_vec2){fmax(high.x, p.x), fmax(high.y, p.y)};
    }
    int left = (int)fmax(floor(low.x), 0), top = (int)fmax(floor(low.y), 0);
    return (pv_rect){left, top, (int)fmin(ceil(high.x), pv_mask_get_width(placed->mask)) - left,
                     (int)fmin(ceil(high.y), pv_mask_get_height(placed->mask)) - top};
}

/// Returns the greatest sum of a pixel's distances to both rims, for pixels of a centered in b.
static double pixels_depth(const pv_placed *a, const pv_placed *b, pv_box box) {
    double most = 0;
    pv_rect r = pixels_in(a, box);
    for (int y = r.y; y < r.y + r.h; y++)
        for (int x = r.x; x < r.x + r.w; x++) {
            pv_vec2 middle = {x + 0.5, y + 0.5};
            if (!pv_mask_get_pixel(a->mask, x, y)) continue;
            pv_vec2 there =
                into_picture(&b->transform, pv_transform_to_world(&a->transform, middle));
            double inner = inner_distance(b->mask, there);
            if (inner > 0) most = fmax(most, inner + inner_distance(a->mask, middle));
        }
    return most;
}

/* ---- all bodies ---- */

static double depth_of(const solid *a, const solid *b) {
    pv_box box = {{fmax(a->box.min.x, b->box.min.x), fmax(a->box.min.y, b->box.min.y)},
                  {fmin(a->box.max.x, b->box.max.x), fmin(a->box.max.y, b->box.max.y)}};
    if (!(a->moves || b->moves) || box.min.x > box.max.x || box.min.y > box.max.y) return 0;
    if (a->corners > 0 && b->corners > 0) return convex_depth(a, b);
    return fmax(pixels_depth(&a->placed, &b->placed, box),
                pixels_depth(&b->placed, &a->placed, box));
}

static solid solid_of(const pv_placed *placed, const solid_kind *kind) {
    const outline *o = kind->outline;
    solid s = {.placed = *placed,
               .box =
                   pv_transform_compute_bounds(&placed->transform, pv_mask_get_width(placed->mask),
                                               pv_mask_get_height(placed->mask)),
               .moves = kind->moves,
               .radius = o->radius};
    pv_vec2 middle = {o->radius, o->radius};
    if (o->radius > 0) s.corner[s.corners++] = pv_transform_to_world(&placed->transform, middle);
    for (int i = 0; o->pieces == 1 && i < o->piece[0].corners; i++)
        s.corner[s.corners++] = pv_transform_to_world(&placed->transform, o->piece[0].corner[i]);
    return s;
}

static int by_left_edge(const void *a, const void *b) {
    const solid *p = a, *q = b;
    return (p->box.min.x > q->box.min.x) - (p->box.min.x < q->box.min.x);
}

double worst_depth(const pv_placed *sprites, const solid_kind *kinds, int count) {
    double worst = 0;
    solid *all = malloc((size_t)count * sizeof *all);
    if (!all) exit(1);
    for (int i = 0; i < count; i++) all[i] = solid_of(&sprites[i], &kinds[i]);
    qsort(all, (size_t)count, sizeof *all, by_left_edge);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count && all[j].box.min.x <= all[i].box.max.x; j++)
            worst = fmax(worst, depth_of(&all[i], &all[j]));
    free(all);
    return worst;
}
