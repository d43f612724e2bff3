/* placed_query.c - queries of a placed sprite with a point, ray, disc or rectangle.
 *
 * Invariant: shapes are tested in the picture's own coordinates, where pixels are squares. No
 * bitmap is made.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "placed/placed_query.h"
#include "base/duo.h"
#include "base/math.h"
#include "placed/placed.h"

static bool askable(const pv_placed *placed, pv_vec2 point) {
    return pv__placeable(point) && pv__placed_check(placed) == PV_OK;
}

bool pv__placed_point(const pv_placed *placed, pv_vec2 point) {
    return pv__bits_under(&placed->mask->bits, pv_transform_to_local(&placed->transform, point));
}

bool pv_placed_test_point(const pv_placed *placed, pv_vec2 point) {
    return askable(placed, point) && pv__placed_point(placed, point);
}

/// Walk of a ray through the cells of a picture.
typedef struct walk {
    /// Ray: from + t way
    pv__duo from, way;
    pv__duo cell, size;
    /// Parameter t at which the ray entered the cell
    double t;
    /// Axis along which it entered the cell; -1 for the cell of its start
    int axis;
    /// Sides through which the ray leaves a cell, relative to its corner
    pv__duo ahead;
    /// Start of the ray, infinitely far away on an axis that it does not move along
    pv__duo base;
    /// Way of the ray, or 1 where that is 0
    pv__duo pace;
    /// Step to the next cell
    pv__duo onward;
} walk;

/// Prepares the tests of cell sides. A side that the ray never reaches is infinitely far away.
static void set_out(walk *w) {
    const pv__duo zero = {0, 0}, one = {1, 1}, never = {-HUGE_VAL, -HUGE_VAL};
    w->pace = pv__duo_pick(w->way == zero, one, w->way);
    w->onward = pv__duo_pick(w->way > zero, one, -one);
    w->ahead = pv__duo_pick(w->way > zero, one, zero);
    w->base = pv__duo_pick(w->way == zero, never, w->from);
}

/// Clips the ray, t = 0...1, to the picture. Sets t and the axis of its entry, and its end.
static bool enter(walk *w, double *out) {
    const pv__duo zero = {0, 0}, never = {HUGE_VAL, HUGE_VAL};
    pv__which_duo still = w->way == zero,
                  outside = still & ((w->from < zero) | (w->from >= w->size));
    pv__duo one = -w->from / w->pace, other = (w->size - w->from) / w->pace;
    pv__duo near = pv__duo_pick(still, -never, pv__duo_pick(one > other, other, one));
    pv__duo far = pv__duo_pick(still, never, pv__duo_pick(one > other, one, other));
    double across = pv__max(0, near[0]), in = pv__max(across, near[1]);
    double end = pv__min(far[1], pv__min(far[0], 1));
    int down = near[1] >= across, begun = -(near[0] < 0);
    w->axis = down | (begun & (down - 1));
    w->t = in;
    *out = end;
    return !(outside[0] | outside[1]) & pv__finite(in) &
           ((in < end) | (in == 1)); /* It crosses more than a corner, or ends at an edge. */
}

/// Returns a mask with all bits set on the axis of entry.
static pv__which_duo axis_of_entry(const walk *w) {
    return (pv__which_duo){-(int64_t)(w->axis == 0), -(int64_t)(w->axis == 1)};
}

/// Finds the first cell. On the axis of entry its coordinate is known without rounding.
static void first_cell(walk *w) {
    const pv__duo zero = {0, 0}, one = {1, 1};
    pv__duo at = w->from + w->t * w->way, last = w->size - one;
    at = pv__duo_pick(at > last, last, at);
    at = pv__duo_pick(at > zero, at, zero);
    at = (pv__duo){(int)at[0], (int)at[1]};
    w->cell = pv__duo_pick(axis_of_entry(w), pv__duo_pick(w->way > zero, zero, last), at);
}

/// Moves to the next cell. Returns false outside the picture or beyond end.
static inline bool advance(walk *w, double end) {
    pv__duo leave = (w->cell + w->ahead - w->base) / w->pace;
    bool first = leave[0] <= leave[1];
    double t = first ? leave[0] : leave[1];
    w->axis = first ? 0 : 1;
    w->t = pv__max(w->t, t);
    w->cell += pv__duo_pick((pv__which_duo){-(int64_t)first, (int64_t)first - 1}, w->onward,
                            (pv__duo){0, 0});
    pv__which_duo inside = (w->cell >= (pv__duo){0, 0}) & (w->cell < w->size);
    return (inside[0] & inside[1] & 1) & (w->t <= end) & pv__finite(w->t);
}

static bool find_solid(walk *walked, const pv__bits *bits) {
    walk w = *walked;
    double end;
    set_out(&w);
    if (!enter(&w, &end)) return false;
    first_cell(&w);
    bool solid;
    do solid = pv__bits_get(bits, (int)w.cell[0], (int)w.cell[1]);
    while (!solid && advance(&w, end));
    *walked = w;
    return solid;
}

/// Returns the world normal of the edge through which the ray entered a cell.
static pv_vec2 edge_normal(const walk *w, const pv_transform *t) {
    const pv__duo zero = {0, 0};
    pv__which_duo against = (w->way > zero) ^ ((pv__duo){t->scale.x, t->scale.y} > zero);
    pv__duo normal = pv__duo_pick(axis_of_entry(w),
                                  pv__duo_pick(against, (pv__duo){1, 1}, (pv__duo){-1, -1}), zero);
    return pv__rotate(t->rotation, pv__vec(normal[0], normal[1]));
}

bool pv__placed_segment(const pv_placed *placed, pv_vec2 from, pv_vec2 to, pv_ray_hit *hit) {
    const pv_transform *t = &placed->transform;
    const pv__bits *bits = &placed->mask->bits;
    pv_vec2 m = pv_transform_to_local(t, from), way = pv__sub(to, from),
            turned = pv__unrotate(t->rotation, way);
    walk w = {.from = {m.x, m.y},
              .way = {turned.x / t->scale.x, turned.y / t->scale.y},
              .size = {bits->w, bits->h}};
    if (bits->w == 0 || bits->h == 0) return false;
    if (pv__bits_under(bits, m)) {
        *hit = (pv_ray_hit){0, from, {0, 0}, (int)m.x, (int)m.y};
        return true;
    }
    if (!find_solid(&w, bits)) return false;
    *hit = (pv_ray_hit){w.t, pv__mad(from, w.t, way), edge_normal(&w, t), (int)w.cell[0],
                        (int)w.cell[1]};
    return true;
}

bool pv_placed_cast_segment(const pv_placed *placed, pv_vec2 from, pv_vec2 to, pv_ray_hit *hit) {
    pv_ray_hit unwanted;
    if (!hit) hit = &unwanted;
    *hit = (pv_ray_hit){0};
    return askable(placed, from) && pv__placeable(to) && pv__placed_segment(placed, from, to, hit);
}

/// Tells whether a row has a solid pixel in the open interval low...high.
static bool meets(const pv__bits *bits, int y, double low, double high) {
    return low < high && pv__bits_any(bits, pv__floor(low), -pv__floor(-high) - 1, y, y);
}

/// Finds the rows in the open interval low...high: *first...*last.
static void rows_between(const pv__bits *bits, double low, double high, int *first, int *last) {
    *first = (int)pv__floor(pv__clamp(low, 0, bits->h));
    *last = (int)-pv__floor(-pv__clamp(high, 0, bits->h)) - 1;
}

/// Tests an ellipse, as a disc is an axis-parallel ellipse in the picture. Over a row it is widest
/// at the row's line nearest to its center.
bool pv__placed_circle(const pv_placed *placed, pv_vec2 center, double radius) {
    if (!(radius > 0)) return false;
    const pv__bits *bits = &placed->mask->bits;
    const pv_transform *t = &placed->transform;
    pv_vec2 m = pv_transform_to_local(t, center);
    double rx = radius / pv__abs(t->scale.x), ry = radius / pv__abs(t->scale.y);
    int first, last;
    rows_between(bits, m.y - ry, m.y + ry, &first, &last);
    for (int y = first; y <= last; y++) {
        double off = (pv__clamp(m.y, y, y + 1) - m.y) / ry;
        double half = rx * sqrt(pv__max(0, 1 - off * off));
        if (meets(bits, y, m.x - half, m.x + half)) return true;
    }
    return false;
}

/// Widens low...high to the part of a polygon's edge between two heights.
static void widen(pv_vec2 a, pv_vec2 b, double top, double bottom, double *low, double *high) {
    pv_vec2 p = a.y > b.y ? b : a, q = a.y > b.y ? a : b;
    if (q.y < top || p.y > bottom) return;
    double slope = q.y > p.y ? (q.x - p.x) / (q.y - p.y) : 0;
    double x1 = p.y < top ? p.x + (top - p.y) * slope : p.x,
           x2 = q.y > bottom ? p.x + (bottom - p.y) * slope : q.x;
    *low = pv__min(*low, pv__min(x1, x2));
    *high = pv__max(*high, pv__max(x1, x2));
}

/// Tests a parallelogram, as a rectangle becomes one in the picture. Its part of a row is as wide
/// as its edges there.
bool pv__placed_rectangle(const pv_placed *placed, pv_box box) {
    if (!(box.min.x < box.max.x && box.min.y < box.max.y)) return false;
    const pv__bits *bits = &placed->mask->bits;
    const pv_transform *t = &placed->transform;
    pv_vec2 corner[4] = {box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
    pv_box around = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};
    for (int i = 0; i < 4; i++) {
        corner[i] = pv_transform_to_local(t, corner[i]);
        pv__enclose(&around, corner[i]);
    }
    int first, last;
    rows_between(bits, around.min.y, around.max.y, &first, &last);
    for (int y = first; y <= last; y++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < 4; i++) widen(corner[i], corner[(i + 1) & 3], y, y + 1, &low, &high);
        if (meets(bits, y, low, high)) return true;
    }
    return false;
}
