/* contour.c - fits a contour with sub-pixel detail to a mask's pixel edges.
 *
 * Invariant: the contour stays within about half a pixel of the middles of the pixel edges. A
 * straight run of many pixels is one side, fitted with total least squares, and sides intersect at
 * their ends. Axis-parallel corners stay, loops within CIRCLE_SLACK of a circle become circles, and
 * contour_loop.c smooths the rest.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/base.h"
#include "shape/contour_loop.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/// Least length of both edges at a pixel corner that stays a corner of the contour [px].
static const int CORNER_RUN = 6;
/// Greatest number of pixel edges of a contour that keeps its pixel corners. Smoothing would remove
/// limbs of one pixel.
static const int TINY = 32;
/// Greatest distance from the pixels to the intersection of two sides [px].
static const double CORNER_REACH = 1.25;
/// Number of following runs that are tried for a merge with the current run.
static const int MERGED = 3;
/// Least number of edge middles of a side, and the slack of its tube beyond the half width [px].
/// SIDE_SAG is the greatest bow of a side [px].
static const int SIDE_MIDDLES = 8;
static const double SIDE_SLACK = 0.12, SIDE_SAG = 0.2;
/// Greatest distance of an edge middle from a fitted circle [px].
static const double CIRCLE_SLACK = 0.6;

/// A straight run of count edge middles from the first on, with a point and the direction of its
/// line.
typedef struct run {
    int first, count;
    pv_vec2 middle, along;
} run;

/// Sums over the middles before an index [half pixels]. Unsigned integers keep differences right
/// even if the sums wrap.
typedef struct contour_sums {
    uint64_t x, y, xx, xy, yy;
} contour_sums;

/// Number of arrays; each has one item, or two spots, per middle
enum { WORK_ARRAYS = 8 };

typedef struct work {
    const pv_allocator *allocator;
    /// Spots of the loop, and a second array of the same size
    pv__spot *spots, *other;
    /// Middles of the pixel edges, in order [px]
    pv_vec2 *middles;
    /// True if there is a corner right before a middle
    bool *barred;
    /// Index of the picked run that owns a middle, or -1
    int *owner;
    /// Number of middles from a middle to the end of its straight pixel edge
    int *edge_left;
    /// Number of middles from a middle to the next corner
    int *ahead;
    contour_sums *sums;
    run *runs, *picked;
    /// Number of middles that the arrays have room for, with two spots for each
    int lengths[WORK_ARRAYS];
    /// Sum of the indices of any two middles that mirror each other, or -1; coordinate of the
    /// mirror axis [px]
    int mirror;
    double axis;
    bool upright;
    int middle_count, spot_count, run_count, run_room, picked_count, picked_room;
} work;

static void list_arrays(work *w, pv__array arrays[WORK_ARRAYS]) {
    const pv__array all[WORK_ARRAYS] = {
        {&w->spots, 2 * sizeof(pv__spot)}, {&w->other, 2 * sizeof(pv__spot)},
        {&w->middles, sizeof(pv_vec2)},    {&w->barred, sizeof(bool)},
        {&w->owner, sizeof(int)},          {&w->edge_left, sizeof(int)},
        {&w->ahead, sizeof(int)},          {&w->sums, sizeof(contour_sums)},
    };
    memcpy(arrays, all, sizeof all);
}

static void free_work(work *w) {
    pv__array arrays[WORK_ARRAYS];
    list_arrays(w, arrays);
    pv__arrays_free(w->allocator, arrays, w->lengths, WORK_ARRAYS);
    PV__FREE(w->allocator, w->runs, w->run_room);
    PV__FREE(w->allocator, w->picked, w->picked_room);
}

/// Allocates memory for the middles of a loop. Corners and ends of sides are spots, too, so there
/// are at most two spots per middle and a few more.
static bool make_work(work *w, const pv_allocator *allocator, int middles) {
    pv__array arrays[WORK_ARRAYS];
    *w = (work){.allocator = allocator, .mirror = -1};
    list_arrays(w, arrays);
    if (pv__arrays_reserve(allocator, arrays, w->lengths, WORK_ARRAYS, middles + 4)) return true;
    free_work(w);
    return false;
}

/* ---- edges of pixels ---- */

static int edge_length(const pv_contour *c, int i) {
    pv_point p = c->points[i % c->point_count], q = c->points[(i + 1) % c->point_count];
    return abs(q.x - p.x) + abs(q.y - p.y);
}

/// Returns +1 for a right turn, where the solid bulges, and -1 for a left turn.
static int turn_at(const pv_contour *c, int i) {
    pv_point o = c->points[(i + c->point_count - 1) % c->point_count],
             p = c->points[i % c->point_count], q = c->points[(i + 1) % c->point_count];
    return (p.x - o.x) * (q.y - p.y) - (p.y - o.y) * (q.x - p.x) > 0 ? 1 : -1;
}

/// Tells whether the edges at corner i end a thin bar. The end of a bar is a short edge between two
/// long edges that turn the same way.
static bool caps(const pv_contour *c, int i) {
    int before = edge_length(c, i + c->point_count - 1), after = edge_length(c, i),
        turn = turn_at(c, i);
    if (after < 4 && before >= SIDE_MIDDLES && turn_at(c, i + 1) == turn)
        return edge_length(c, i + 1) >= SIDE_MIDDLES;
    if (before < 4 && after >= SIDE_MIDDLES && turn_at(c, i + c->point_count - 1) == turn)
        return edge_length(c, i + c->point_count - 2) >= SIDE_MIDDLES;
    return false;
}

static bool is_corner(const pv_contour *c, int i) {
    return (edge_length(c, i) >= CORNER_RUN &&
            edge_length(c, i + c->point_count - 1) >= CORNER_RUN) ||
           caps(c, i);
}

/// Adds the middles first...end - 1 of the pixel edges from a corner to the next, and their spots.
static void lay_out_edge(work *w, const pv_contour *c, int i, bool corner, int first, int end) {
    pv_point p = c->points[i], q = c->points[(i + 1) % c->point_count];
    int n = edge_length(c, i), dx = (q.x - p.x) / n, dy = (q.y - p.y) / n;
    if (corner && first == 0)
        w->spots[w->spot_count++] = (pv__spot){pv__vec(p.x, p.y), PV__SPOT_CORNER, w->middle_count};
    for (int k = first; k < n && k < end; k++) {
        pv_vec2 at = {p.x + (k + 0.5) * dx, p.y + (k + 0.5) * dy};
        w->barred[w->middle_count] = corner && k == 0;
        w->edge_left[w->middle_count] = pv__sooner(n, end) - k;
        w->spots[w->spot_count++] = (pv__spot){at, PV__SPOT_FREE, w->middle_count};
        w->middles[w->middle_count++] = at;
    }
}

/* ---- circles ---- */

static double distance_of(const work *w, int i, pv_vec2 center) {
    return pv__length(pv__sub(w->middles[i], center));
}

/// Tells whether all middles are within some slack of a circle.
static bool is_round(const work *w, pv_vec2 center, double radius, double slack) {
    for (int i = 0; i < w->middle_count; i++)
        if (!(pv__abs(distance_of(w, i, center) - radius) <= slack)) return false;
    return true;
}

/// Fits a circle with a few rounds of steepest descent on the mean squared error. Returns false for
/// a contour that is not a circle.
static bool fit_circle(const work *w, pv_vec2 *center, double *radius) {
    int n = w->middle_count;
    pv_vec2 c = {0, 0};
    double r = 0;
    if (n < 2 * SIDE_MIDDLES || w->spot_count != n) return false;
    for (int i = 0; i < n; i++) c = pv__mad(c, 1.0 / n, w->middles[i]);
    if (!is_round(w, c, distance_of(w, 0, c), 4 * CIRCLE_SLACK)) return false;
    for (int round = 0; round < 20; round++) {
        pv_vec2 pull = {0, 0};
        r = 0;
        for (int i = 0; i < n; i++) r += distance_of(w, i, c) / n;
        for (int i = 0; i < n; i++) {
            pv_vec2 d = pv__sub(w->middles[i], c);
            pull = pv__mad(pull, (1.0 - r / pv__length(d)) / n, d);
        }
        c = pv__mad(c, 2, pull);
    }
    *center = c;
    *radius = r;
    return is_round(w, c, r, CIRCLE_SLACK);
}

/* ---- straight sides ---- */

static void make_sums(work *w) {
    contour_sums s = {0, 0, 0, 0, 0};
    for (int i = 0; i < w->middle_count; i++) {
        w->sums[i] = s;
        uint64_t x = (uint64_t)(int64_t)(2 * w->middles[i].x),
                 y = (uint64_t)(int64_t)(2 * w->middles[i].y);
        s = (contour_sums){s.x + x, s.y + y, s.xx + x * x, s.xy + x * y, s.yy + y * y};
    }
    w->sums[w->middle_count] = s;
}

static void make_ahead(work *w) {
    int n = w->middle_count, left = n - 1;
    for (int i = 2 * n - 1; i >= 0; i--) { /* The second round carries counts across the start. */
        w->ahead[i % n] = left;
        if (w->barred[i % n]) left = 0;
        if (left < n - 1) left++;
    }
}

static contour_sums difference(const contour_sums *p, const contour_sums *q) {
    return (contour_sums){p->x - q->x, p->y - q->y, p->xx - q->xx, p->xy - q->xy, p->yy - q->yy};
}

/// Returns the sums over count middles from the first on, relative to the first middle.
static contour_sums sums_of(const work *w, int first, int count) {
    int n = w->middle_count, end = first + count;
    contour_sums s = difference(&w->sums[end <= n ? end : n], &w->sums[first]);
    if (end > n) {
        const contour_sums *r = &w->sums[end - n];
        s = (contour_sums){s.x + r->x, s.y + r->y, s.xx + r->xx, s.xy + r->xy, s.yy + r->yy};
    }
    uint64_t x = (uint64_t)(int64_t)(2 * w->middles[first].x),
             y = (uint64_t)(int64_t)(2 * w->middles[first].y), m = (uint64_t)count;
    return (contour_sums){s.x - m * x, s.y - m * y, s.xx - 2 * x * s.x + m * x * x,
                          s.xy - x * s.y - y * s.x + m * x * y, s.yy - 2 * y * s.y + m * y * y};
}

static double halves(uint64_t sum) { return (double)(int64_t)sum * 0.5; }
static double quarters(uint64_t sum) { return (double)(int64_t)sum * 0.25; }

/// Fits the least-squares line through count middles from the first on. Returns false where it has
/// no direction.
static bool fit_line(const work *w, int first, int count, run *out) {
    contour_sums s = sums_of(w, first, count);
    double each = 1.0 / count;
    pv_vec2 mean = {halves(s.x) * each, halves(s.y) * each};
    double half =
               0.5 * ((quarters(s.xx) - quarters(s.yy)) * each - mean.x * mean.x + mean.y * mean.y),
           cov = quarters(s.xy) * each - mean.x * mean.y;
    double root = sqrt(half * half + cov * cov);
    pv_vec2 along = half >= 0 ? pv__vec(half + root, cov) : pv__vec(cov, root - half);
    double length = pv__length(along);
    if (length == 0) return false;
    pv_vec2 end = pv__sub(w->middles[(first + count - 1) % w->middle_count], w->middles[first]);
    along = pv__mul((pv__dot(along, end) < 0 ? -1.0 : 1.0) / length, along);
    *out = (run){first, count, pv__add(mean, w->middles[first]), along};
    return true;
}

/// Bow of a run, as the sums of u * off and u * u, where u is a parabola without mean and slope.
typedef struct bow {
    double sum, norm;
} bow;

static void bend(bow *b, double weight, double t, double off) {
    double u = t * t - 1.0 / 12;
    b->sum += weight * u * off;
    b->norm += weight * u * u;
}

/// Tells whether the middles lie in the tube of pixels around their line and do not bow to one
/// side. Middles of one pixel edge lie on a line, so its first and last middle stand for all.
/// Simpson's rule sums them up.
static bool is_straight(const work *w, const run *r) {
    int n = w->middle_count;
    double width = 0.5 * pv__max(pv__abs(r->along.x), pv__abs(r->along.y)) + SIDE_SLACK;
    pv_vec2 first = pv__sub(w->middles[r->first], r->middle),
            last = pv__sub(w->middles[(r->first + r->count - 1) % n], r->middle);
    if (pv__abs(pv__cross(r->along, last)) > width) return false;
    double inverse = 1.0 / (pv__abs(pv__dot(pv__sub(last, first), r->along)) + 1e-9);
    bow b = {0, 0};
    for (int k = 0, i = r->first, m; k < r->count; k += m, i = i + m < n ? i + m : 0) {
        m = w->edge_left[i] < r->count - k ? w->edge_left[i] : r->count - k;
        pv_vec2 p = pv__sub(w->middles[i], r->middle),
                q = pv__sub(w->middles[i + m - 1], r->middle);
        double p_off = pv__cross(r->along, p), p_t = pv__dot(r->along, p) * inverse;
        if (pv__abs(p_off) > width) return false;
        if (m == 1) {
            bend(&b, 1, p_t, p_off);
            continue;
        }
        double q_off = pv__cross(r->along, q), q_t = pv__dot(r->along, q) * inverse;
        if (pv__abs(q_off) > width) return false;
        double beyond = 0.5 / (m - 1), t = beyond * (q_t - p_t), off = beyond * (q_off - p_off);
        bend(&b, m / 6.0, p_t - t, p_off - off);
        bend(&b, m / 1.5, 0.5 * (p_t + q_t), 0.5 * (p_off + q_off));
        bend(&b, m / 6.0, q_t + t, q_off + off);
    }
    return pv__abs(b.sum / b.norm) * 0.25 < SIDE_SAG;
}

/// Fits a line through count middles from the first on. Returns false for middles that are not
/// straight or that have a corner among them.
static bool fit_run(const work *w, int first, int count, run *out) {
    first = (first + w->middle_count) % w->middle_count;
    return count <= w->ahead[first] && fit_line(w, first, count, out) && is_straight(w, out);
}

/// Fits a run of count middles with the middle at as its first or its last.
static bool fit_from(const work *w, int at, bool last, int count, run *out) {
    return fit_run(w, last ? at - count + 1 : at, count, out);
}

/// Finds the longest straight run of at least low middles that begins or ends at a middle. Returns
/// false without one.
static bool longest_at(const work *w, int at, bool last, int low, run *out) {
    int high = w->middle_count - 1;
    run r;
    if (low > high || !fit_from(w, at, last, low, out)) return false;
    while (low < high && fit_from(w, at, last, low * 2 < high ? low * 2 : high, &r)) {
        low = r.count;
        *out = r;
    }
    if (low * 2 < high) high = low * 2;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (fit_from(w, at, last, middle, &r)) {
            low = middle;
            *out = r;
        } else
            high = middle - 1;
    }
    return true;
}

static int compare_places(const void *x, const void *y) {
    const run *p = x, *q = y;
    return (p->first > q->first) - (p->first < q->first);
}

static int compare_runs(const void *x, const void *y) {
    const run *p = x, *q = y;
    if (p->count != q->count) return p->count > q->count ? -1 : 1;
    return compare_places(p, q);
}

/// Picks the part of a run that no other run owns, if it is long enough and in one piece. Returns
/// false without memory.
static bool pick(work *w, run r) {
    int n = w->middle_count, from = 0, to = r.count;
    while (from < to && w->owner[(r.first + from) % n] >= 0) from++;
    while (to > from && w->owner[(r.first + to - 1) % n] >= 0) to--;
    for (int k = from; k < to; k++)
        if (w->owner[(r.first + k) % n] >= 0) return true;
    run whole, core;
    if (to - from < SIDE_MIDDLES || !fit_run(w, r.first + from, to - from, &whole)) return true;
    /* The ends may belong to corners, so the line is fitted without them. */
    int trim = whole.count / 10;
    if (fit_run(w, whole.first + trim, whole.count - 2 * trim, &core))
        whole.middle = core.middle, whole.along = core.along;
    if (!PV__RESERVE(w->allocator, w->picked, w->picked_room, w->picked_count + 1)) return false;
    for (int k = 0; k < whole.count; k++) w->owner[(whole.first + k) % n] = w->picked_count;
    w->picked[w->picked_count++] = whole;
    return true;
}

/// Finds runs that cannot grow at either end. It tries enough starts to miss none by much.
static bool find_runs(work *w) {
    /* The runs found so far cover the middles before reached. */
    int n = w->middle_count, reached = 0;
    for (int i = 0, step; i < n; i += step) {
        run r;
        step = 1;
        if (!longest_at(w, i, false, SIDE_MIDDLES, &r)) continue;
        /* If a run ends at a corner, no start within it gives a longer run. */
        bool to_corner = r.count == w->ahead[i];
        step = to_corner ? r.count : r.count / 2;
        if (i + r.count <= reached) continue;
        reached = i + r.count;
        if (!longest_at(w, (reached - 1) % n, true, r.count, &r) ||
            !PV__APPEND(w->allocator, w->runs, w->run_room, w->run_count, r))
            return false;
    }
    return true;
}

/* ---- symmetric loops ----
 *
 * Runs are picked one by one, so the two sides of a symmetric picture could get different contours,
 * and anything standing on it would topple. Instead, runs end with the pixel edges across the axis,
 * and one half of the loop gets the mirrored runs of the other.
 */

static pv_vec2 mirrored(const work *w, pv_vec2 at) {
    return w->upright ? pv__vec(2 * w->axis - at.x, at.y) : pv__vec(at.x, 2 * w->axis - at.y);
}

/// Tells whether each middle i and middle sum - i mirror each other.
static bool mirrors_all(const work *w, int sum) {
    int n = w->middle_count;
    for (int i = 0; i < n; i++)
        if (!pv__same_place(mirrored(w, w->middles[i]), w->middles[(sum - i + n) % n]))
            return false;
    return true;
}

/// Looks for an upright or a level axis that mirrors the loop onto itself.
static void find_mirror(work *w, bool upright) {
    pv_box box = {w->middles[0], w->middles[0]};
    for (int i = 0; i < w->middle_count; i++) pv__enclose(&box, w->middles[i]);
    w->upright = upright;
    w->axis = 0.5 * (upright ? box.min.x + box.max.x : box.min.y + box.max.y);
    pv_vec2 first = mirrored(w, w->middles[0]);
    for (int i = 0; i < w->middle_count && w->mirror < 0; i++)
        if (pv__same_place(w->middles[i], first) && mirrors_all(w, i)) w->mirror = i;
}

/// Puts corners at the ends of the two pixel edges across the axis, so that these edges stay flat.
static void end_at_axis(work *w) {
    int n = w->middle_count;
    for (int half = w->mirror; half < w->mirror + 2 * n; half += n) {
        int first = half / 2 % n, last = (half + 1) / 2 % n;
        while (w->edge_left[(first + n - 1) % n] == w->edge_left[first] + 1)
            first = (first + n - 1) % n;
        w->barred[first] = w->barred[(last + w->edge_left[last]) % n] = true;
    }
}

/// Mirrors the picked runs of one half onto the other half. Returns false without memory.
static bool mirror_runs(work *w) {
    int n = w->middle_count, kept = 0;
    for (int i = 0; i < w->picked_count; i++) {
        run r = w->picked[i];
        int way = (2 * r.first + r.count - 1 - w->mirror + 4 * n) % (2 * n); /* from the axis */
        if (way <= n) w->picked[kept++] = r;
    }
    w->picked_count = kept;
    for (int i = 0; i < kept; i++) {
        run r = w->picked[i];
        int last = r.first + r.count - 1, way = (r.first + last - w->mirror + 4 * n) % (2 * n);
        if (way == 0 || way == n) continue;
        r.first = (w->mirror - last + 2 * n) % n;
        r.middle = mirrored(w, r.middle);
        r.along = w->upright ? pv__vec(r.along.x, -r.along.y) : pv__vec(-r.along.x, r.along.y);
        if (!PV__APPEND(w->allocator, w->picked, w->picked_room, w->picked_count, r)) return false;
    }
    pv__sort(w->picked, w->picked_count, sizeof(run), compare_places);
    return true;
}

static bool find_sides(work *w) {
    for (int i = 0; i < w->middle_count; i++) w->owner[i] = -1;
    make_sums(w);
    make_ahead(w);
    if (!find_runs(w)) return false;
    if (w->run_count == 0) return true;
    pv__sort(w->runs, w->run_count, sizeof(run), compare_runs);
    for (int i = 0; i < w->run_count; i++)
        if (!pick(w, w->runs[i])) return false;
    return true;
}

static pv_vec2 on_line(const run *r, pv_vec2 at) {
    return pv__mad(r->middle, pv__dot(pv__sub(at, r->middle), r->along), r->along);
}

/// Returns the pixel corner between an edge's middle and that of the perpendicular edge before it.
static pv_vec2 corner_before(const work *w, int i) {
    pv_vec2 after = w->middles[i], before = w->middles[i > 0 ? i - 1 : w->middle_count - 1];
    bool level = (double)pv__floor(before.y) == before.y;
    return level ? pv__vec(after.x, before.y) : pv__vec(before.x, after.y);
}

/// Puts spots at middles that no side owns, and at the corners before them.
static int put_loose(const work *w, pv__spot *out, int first, int last) {
    int count = 0;
    for (int k = first; k <= last; k++) {
        int i = k % w->middle_count;
        if (w->barred[i]) out[count++] = (pv__spot){corner_before(w, i), PV__SPOT_CORNER, i};
        out[count++] = (pv__spot){w->middles[i], PV__SPOT_FREE, i};
    }
    return count;
}

/// Puts spots at the start of a side and at the corner before it.
static int put_start(const work *w, pv__spot *out, const run *r) {
    int count = 0;
    if (w->barred[r->first])
        out[count++] = (pv__spot){corner_before(w, r->first), PV__SPOT_CORNER, r->first};
    out[count++] = (pv__spot){on_line(r, w->middles[r->first]), PV__SPOT_END, r->first};
    return count;
}

/// Finds the intersection of two sides that are a few middles apart. Returns false for nearly
/// parallel sides and for an intersection far from the pixels.
static bool meet(const work *w, const run *p, const run *q, int gap, pv_vec2 *at) {
    double turn = pv__cross(p->along, q->along);
    if (gap > CORNER_RUN || pv__abs(turn) < 0.17) return false;
    double t = pv__cross(pv__sub(q->middle, p->middle), q->along) / turn, nearest = INFINITY;
    *at = pv__mad(p->middle, t, p->along);
    for (int k = 0; k <= gap + 1; k++) {
        int i = (q->first - k + 2 * w->middle_count) % w->middle_count;
        nearest = pv__min(nearest, pv__length(pv__sub(*at, w->middles[i])));
    }
    return nearest < CORNER_REACH;
}

/// Puts the spots between two sides, from the end of the first to the start of the second. Returns
/// their number.
static int put_gap(work *w, pv__spot *out, const run *p, const run *q, int gap) {
    int n = w->middle_count, last = p->first + p->count - 1, count = 0;
    pv_vec2 at;
    if (meet(w, p, q, gap, &at)) {
        *out = (pv__spot){at, PV__SPOT_CORNER, q->first};
        return 1;
    }
    out[count++] = (pv__spot){on_line(p, w->middles[last % n]), PV__SPOT_END, last % n};
    count += put_loose(w, out + count, last + 1, last + gap);
    return count + put_start(w, out + count, q);
}

/// Merges everything from one run's start to another's end into one run, if that is straight.
static bool merge(const work *w, run *p, const run *q) {
    int n = w->middle_count, count = (q->first + q->count - p->first + n - 1) % n + 1;
    run whole;
    if (count < p->count + q->count || !fit_run(w, p->first, count, &whole)) return false;
    *p = whole;
    return true;
}

/// Sorts the picked runs along the loop and merges neighbors that are one straight run. A part can
/// leave the tube that the whole stays in.
static void merge_runs(work *w) {
    int count = 0, taken;
    pv__sort(w->picked, w->picked_count, sizeof(run), compare_places);
    for (int i = 0; i < w->picked_count; i = taken) {
        run r = w->picked[i];
        taken = i + 1;
        for (int k = i + 1; k < w->picked_count && k <= i + MERGED; k++)
            if (merge(w, &r, &w->picked[k])) taken = k + 1;
        w->picked[count++] = r;
    }
    if (count > 1 && merge(w, &w->picked[count - 1], &w->picked[0]))
        w->picked[0] = w->picked[--count];
    w->picked_count = count;
}

/// Rebuilds the loop with sides for its straight runs.
static void join_sides(work *w) {
    int n = w->middle_count, count = 0;
    if (w->picked_count == 0) return;
    for (int i = 0; i < w->picked_count; i++) {
        const run *p = &w->picked[i], *q = &w->picked[(i + 1) % w->picked_count];
        int gap = (q->first - (p->first + p->count) + 2 * n) % n;
        count += put_gap(w, w->other + count, p, q, gap);
    }
    memcpy(w->spots, w->other, (size_t)count * sizeof(pv__spot));
    w->spot_count = count;
}

/* ---- loops ---- */

/// Returns the radius that a disc was drawn with [px]. It is the larger of half its width and the
/// radius of its area; for a hole, the smaller. With the area alone, a disc's four flat sides would
/// stick out of its circle.
static double drawn_radius(const work *w, double area) {
    pv_box box = {w->spots[0].at, w->spots[0].at};
    for (int i = 1; i < w->spot_count; i++) pv__enclose(&box, w->spots[i].at);
    double of_area = sqrt(pv__abs(area) / PV__PI), of_width = 0.5 * (box.max.x - box.min.x);
    return area > 0 ? pv__max(of_area, of_width) : pv__min(of_area, of_width);
}

/// Moves the spots and the middles to the result.
static void hand_over(work *w, pv__fitted *out) {
    out->spots = w->spots;
    out->middles = w->middles;
    out->count = w->spot_count;
    out->middle_count = w->middle_count;
    out->middle_room = w->lengths[0];
    out->spot_room = 2 * out->middle_room;
    w->spots = NULL;
    w->middles = NULL;
}

/// Puts the spots on a circle, if the contour is one.
static bool round_off(work *w, const pv_contour *c, pv__fitted *out) {
    if (!fit_circle(w, &out->center, &out->radius)) {
        out->radius = 0;
        return false;
    }
    out->radius = drawn_radius(w, (double)c->area);
    for (int i = 0; i < w->spot_count; i++)
        w->spots[i].at =
            pv__mad(out->center, out->radius, pv__unit(pv__sub(w->spots[i].at, out->center)));
    if (c->area <= 0) out->radius = -out->radius;
    return true;
}

static bool fit(work *w) {
    find_mirror(w, true);
    if (w->mirror < 0) find_mirror(w, false);
    if (w->mirror >= 0) end_at_axis(w);
    if (!find_sides(w)) return false;
    if (w->picked_count > 0) merge_runs(w);
    if (w->mirror >= 0 && !mirror_runs(w)) return false;
    join_sides(w);
    return pv__contour_smooth(w->allocator, w->spots, w->other, w->spot_count);
}

static int unit_edges(const pv_contour *c) {
    int sum = 0;
    for (int i = 0; i < c->point_count; i++) sum += edge_length(c, i);
    return sum;
}

/// Makes a spot of every pixel corner, without a fit.
static bool fit_exactly(const pv_allocator *allocator, const pv_contour *c, pv__fitted *out) {
    out->spots = pv__alloc(allocator, (size_t)c->point_count, sizeof(pv__spot));
    if (!out->spots) return false;
    out->count = out->spot_room = c->point_count;
    for (int i = 0; i < c->point_count; i++)
        out->spots[i] = (pv__spot){pv__vec(c->points[i].x, c->points[i].y), PV__SPOT_CORNER, i};
    return true;
}

bool pv__contour_fit_loop(const pv_allocator *allocator, const pv_contour *c, pv__fitted *out) {
    work w;
    *out = (pv__fitted){.from = -1};
    int edges = unit_edges(c);
    if (c->point_count == 4) return fit_exactly(allocator, c, out);
    if (!make_work(&w, allocator, edges)) return false;
    for (int i = 0; i < c->point_count; i++) lay_out_edge(&w, c, i, is_corner(c, i), 0, INT_MAX);
    bool round = round_off(&w, c, out);
    if (!round && edges <= TINY) {
        free_work(&w);
        return fit_exactly(allocator, c, out);
    }
    bool made = round || fit(&w);
    if (made) hand_over(&w, out);
    free_work(&w);
    return made;
}

void pv__contour_fitted_free(const pv_allocator *allocator, pv__fitted *f) {
    PV__FREE(allocator, f->spots, f->spot_room);
    PV__FREE(allocator, f->middles, f->middle_room);
}

/* ---- pieces of loops ---- */

static pv_point way_at(const pv_point *trail, int i) {
    return (pv_point){trail[i + 1].x - trail[i].x, trail[i + 1].y - trail[i].y};
}

/// Copies the corners of a trail of unit edges, and both its ends. Returns their number.
static int corners_of(const pv_point *trail, int count, pv_point *corners) {
    int n = 0;
    for (int i = 0; i <= count; i++)
        if (i == 0 || i == count || !pv__same_pixel(way_at(trail, i), way_at(trail, i - 1)))
            corners[n++] = trail[i];
    return n;
}

/// Tells whether the loop has a corner at corner i of a trail. Corners near the ends of the trail
/// use their own two edges only.
static bool is_corner_within(const pv_contour *trail, int i) {
    bool known = i >= 2 && i + 2 < trail->point_count - 1;
    if (i < 1 || i >= trail->point_count - 1) return false;
    return known ? is_corner(trail, i)
                 : edge_length(trail, i) >= CORNER_RUN && edge_length(trail, i - 1) >= CORNER_RUN;
}

/// Lists the middles of edges first...end - 1 of a trail and marks edges after a corner. Sets
/// *cornered for the edge at end.
static void lay_out_piece(work *w, const pv_contour *corners, int first, int end, bool *cornered) {
    for (int i = 0, at = 0; i + 1 < corners->point_count && at <= end;
         at += edge_length(corners, i++)) {
        bool corner = is_corner_within(corners, i);
        if (at == end) *cornered = corner;
        lay_out_edge(w, corners, i, corner, pv__later(first - at, 0), end - at);
    }
}

/// Puts the spots of an open piece, where no run crosses the ends. Returns their number.
static int join_piece(work *w, pv__spot *out) {
    if (w->picked_count == 0) return put_loose(w, out, 0, w->middle_count - 1);
    const run *p = w->picked, *end = p + w->picked_count;
    int count = put_loose(w, out, 0, p->first - 1);
    count += put_start(w, out + count, p);
    for (; p + 1 < end; p++)
        count += put_gap(w, out + count, p, p + 1, p[1].first - (p->first + p->count));
    int last = p->first + p->count - 1;
    out[count++] = (pv__spot){on_line(p, w->middles[last]), PV__SPOT_END, last};
    return count + put_loose(w, out + count, last + 1, w->middle_count - 1);
}

/// Assembles the whole piece: the point where the old contour stops, the new spots, and the point
/// where it resumes.
static void assemble(work *w, const pv_point *end, bool starts, bool ends, const pv_vec2 joints[4],
                     pv__fitted *out) {
    pv__spot *s = w->other;
    int n = w->middle_count, count = 0, first;
    s[count++] = (pv__spot){joints[0], PV__SPOT_END, 0};
    if (pv__length(pv__sub(joints[1], joints[0])) > PV__NEGLIGIBLE)
        s[count++] = (pv__spot){joints[1], PV__SPOT_END, 0};
    if (starts) s[count++] = (pv__spot){pv__vec(end[0].x, end[0].y), PV__SPOT_CORNER, 1};
    first = count;
    count += join_piece(w, s + count);
    for (int i = first; i < count; i++) s[i].place++;
    if (ends) s[count++] = (pv__spot){pv__vec(end[1].x, end[1].y), PV__SPOT_CORNER, n + 1};
    if (pv__length(pv__sub(joints[3], joints[2])) > PV__NEGLIGIBLE)
        s[count++] = (pv__spot){joints[2], PV__SPOT_END, n + 1};
    s[count++] = (pv__spot){joints[3], PV__SPOT_END, n + 1};
    out->spots = s;
    out->count = count;
    out->spot_room = 2 * w->lengths[0];
    w->other = NULL;
}

/// Stores the middles from the edge before the new ones to the edge after them.
static bool take_middles(const pv_allocator *allocator, const pv_point *trail, int first, int count,
                         pv__fitted *out) {
    out->middles = pv__alloc(allocator, (size_t)count, sizeof(pv_vec2));
    if (!out->middles) return false;
    out->middle_count = out->middle_room = count;
    for (int i = 0; i < count; i++) {
        pv_point p = trail[first + i], q = trail[first + i + 1];
        out->middles[i] = pv__vec(0.5 * (p.x + q.x), 0.5 * (p.y + q.y));
    }
    return true;
}

static bool fit_open(work *w, const pv_contour *corners, const pv_point *trail, int first, int end,
                     const pv_vec2 joints[4], pv__fitted *out) {
    bool ends = false;
    lay_out_piece(w, corners, first, end, &ends);
    bool starts = w->middle_count > 0 ? w->barred[0] : ends;
    if (w->middle_count > 0) {
        w->barred[0] = true; /* No run crosses the ends. */
        if (!find_sides(w)) return false;
        if (w->picked_count > 0) merge_runs(w);
        w->barred[0] = false;
    } else
        ends = false;
    assemble(w, (pv_point[]){trail[first], trail[end]}, starts, ends, joints, out);
    return pv__contour_smooth(w->allocator, out->spots, w->spots, out->count) &&
           take_middles(w->allocator, trail, first - 1, end - first + 2, out);
}

bool pv__contour_fit_piece(const pv_allocator *allocator, const pv_point *trail, int count,
                           int first, int end, const pv_vec2 joints[4], pv__fitted *out) {
    work w;
    size_t room = (size_t)count + 1;
    pv_point *corners = pv__alloc(allocator, room, sizeof *corners);
    *out = (pv__fitted){.from = -1};
    bool made = corners && make_work(&w, allocator, end - first + 4);
    if (made) {
        pv_contour c = {corners, corners_of(trail, count, corners), -1, 0};
        made = fit_open(&w, &c, trail, first, end, joints, out);
        free_work(&w);
    }
    pv__free(allocator, corners, room, sizeof *corners);
    return made;
}

/* ---- shapes ---- */

bool pv__contour_make(pv__shape *shape, const pv_mask *mask) {
    pv_outline *outline = pv_outline_create(mask, PV_CONNECTIVITY_4, NULL);
    bool made = outline != NULL;
    for (int i = 0; made && i < pv_outline_get_contour_count(outline); i++) {
        pv_contour c = pv_outline_get_contour(outline, i);
        pv__fitted fitted;
        made = pv__contour_fit_loop(&shape->allocator, &c, &fitted) &&
               pv__contour_loop_put(shape, &fitted);
        pv__contour_fitted_free(&shape->allocator, &fitted);
    }
    pv__contour_loops_end(shape, pv_outline_get_contour_count(outline));
    pv_outline_destroy(outline);
    return made;
}
