/* pv_contour.c - a contour with sub-pixel detail out of a mask's pixel edges.
 *
 * Invariant: the contour stays within about half a pixel of the middles of the pixel edges. What is straight for many
 * pixels becomes one straight side, fitted by total least squares; sides meet in their intersections; axis-parallel
 * corners stay where they are; a closed run that is a circle within half a pixel becomes that circle; the rest is
 * smoothed.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_geom.h"

#include <stdlib.h>
#include <string.h>

/// Corners whose two edges are at least this long are drawn as corners [px].
static const int CORNER_RUN = 6;
/// Two sides meet no farther from the pixels than this [px].
static const double CORNER_REACH = 1.25;
/// A side has at least so many edge middles, none farther off than the tube's half width plus the slack [px].
static const int SIDE_MIDDLES = 8;
static const double SIDE_SLACK = 0.12, SIDE_SAG = 0.2;
/// Rounds of smoothing, the two factors that keep it from shrinking (Taubin 1995), and how far a point may go [px].
static const int SMOOTH_ROUNDS = 100;
static const double SMOOTH_IN = 0.5, SMOOTH_OUT = -0.503, SMOOTH_REACH = 0.5;
/// A circle's points are off by no more than this [px]; decimation moves the contour by no more than this [px].
static const double CIRCLE_SLACK = 0.6, DECIMATE = 0.02;
/// The longest way between two vertices, so that none skips a small feature of another sprite [px].
static const double SPAN = 4;

typedef enum kind { FREE = 0, CORNER, SIDE_END } kind;

typedef struct spot {
    pv_vec2 at;
    kind kind;
} spot;

/// A straight run of edge middles: from the first on, so many; a point of its line and its direction.
typedef struct run {
    int first, count;
    pv_vec2 middle, along;
} run;

typedef struct work {
    const pv_allocator *allocator;
    spot *spots, *other; ///< the loop, and as much room again
    pv_vec2 *middles;    ///< of the pixel edges, in order
    bool *barred;        ///< whether a corner stands before a middle
    int *owner;          ///< which run a middle belongs to, or -1
    run *runs, *picked;
    int room, middle_count, spot_count, run_count, picked_count;
} work;

static void free_work(work *w) {
    size_t n = (size_t)w->room;
    pv__free(w->allocator, w->spots, 2 * n, sizeof(spot));
    pv__free(w->allocator, w->other, 2 * n, sizeof(spot));
    pv__free(w->allocator, w->middles, n, sizeof(pv_vec2));
    pv__free(w->allocator, w->barred, n, sizeof(bool));
    pv__free(w->allocator, w->owner, n, sizeof(int));
    pv__free(w->allocator, w->runs, n, sizeof(run));
    pv__free(w->allocator, w->picked, n, sizeof(run));
}

static bool make_work(work *w, const pv_allocator *allocator, int room) {
    size_t n = (size_t)room;
    *w = (work){.allocator = allocator, .room = room};
    w->spots = pv__alloc(allocator, 2 * n, sizeof(spot));
    w->other = pv__alloc(allocator, 2 * n, sizeof(spot));
    w->middles = pv__alloc(allocator, n, sizeof(pv_vec2));
    w->barred = pv__alloc(allocator, n, sizeof(bool));
    w->owner = pv__alloc(allocator, n, sizeof(int));
    w->runs = pv__alloc(allocator, n, sizeof(run));
    w->picked = pv__alloc(allocator, n, sizeof(run));
    if (w->spots && w->other && w->middles && w->barred && w->owner && w->runs && w->picked) return true;
    free_work(w);
    return false;
}

/* ---- edges of pixels ---- */

static int edge_length(const pv_contour *c, int i) {
    pv_point p = c->points[i % c->count], q = c->points[(i + 1) % c->count];
    return abs(q.x - p.x) + abs(q.y - p.y);
}

/// +1 for a right turn (the solid bulges), -1 for a left one.
static int turn_at(const pv_contour *c, int i) {
    pv_point o = c->points[(i + c->count - 1) % c->count], p = c->points[i % c->count],
             q = c->points[(i + 1) % c->count];
    return (p.x - o.x) * (q.y - p.y) - (p.y - o.y) * (q.x - p.x) > 0 ? 1 : -1;
}

/// Whether the edges at corner i end a thin bar: one short edge between two long ones that turn the same way.
static bool caps(const pv_contour *c, int i) {
    int before = edge_length(c, i + c->count - 1), after = edge_length(c, i), turn = turn_at(c, i);
    if (after < 4 && before >= 2 * SIDE_MIDDLES / 2 && turn_at(c, i + 1) == turn)
        return edge_length(c, i + 1) >= SIDE_MIDDLES;
    if (before < 4 && after >= SIDE_MIDDLES && turn_at(c, i + c->count - 1) == turn)
        return edge_length(c, i + c->count - 2) >= SIDE_MIDDLES;
    return false;
}

static bool is_corner(const pv_contour *c, int i) {
    if (c->count == 4) return true;
    return (edge_length(c, i) >= CORNER_RUN && edge_length(c, i + c->count - 1) >= CORNER_RUN) || caps(c, i);
}

/// Lays out corners and edge middles in order.
static void lay_out(work *w, const pv_contour *c) {
    w->middle_count = w->spot_count = 0;
    for (int i = 0; i < c->count; i++) {
        pv_point p = c->points[i], q = c->points[(i + 1) % c->count];
        int n = edge_length(c, i), dx = (q.x - p.x) / n, dy = (q.y - p.y) / n;
        bool corner = is_corner(c, i);
        if (corner) w->spots[w->spot_count++] = (spot){pv__vec(p.x, p.y), CORNER};
        for (int k = 0; k < n; k++) {
            pv_vec2 at = {p.x + (k + 0.5) * dx, p.y + (k + 0.5) * dy};
            w->barred[w->middle_count] = corner && k == 0;
            w->middles[w->middle_count++] = at;
            w->spots[w->spot_count++] = (spot){at, FREE};
        }
    }
}

/* ---- circles ---- */

/// Centre and radius by a few rounds of steepest descent on the mean squared error; false when it is no circle.
static bool fit_circle(const work *w, pv_vec2 *centre, double *radius) {
    int n = w->middle_count;
    pv_vec2 c = {0, 0};
    double r = 0;
    if (n < 2 * SIDE_MIDDLES || w->spot_count != n) return false;
    for (int i = 0; i < n; i++) c = pv__mad(c, 1.0 / n, w->middles[i]);
    for (int round = 0; round < 20; round++) {
        pv_vec2 pull = {0, 0};
        r = 0;
        for (int i = 0; i < n; i++) r += pv__length(pv__sub(w->middles[i], c)) / n;
        for (int i = 0; i < n; i++) {
            pv_vec2 d = pv__sub(w->middles[i], c);
            pull = pv__mad(pull, (1.0 - r / pv__length(d)) / n, d);
        }
        c = pv__mad(c, 2, pull);
    }
    for (int i = 0; i < n; i++)
        if (!(pv__abs(pv__length(pv__sub(w->middles[i], c)) - r) <= CIRCLE_SLACK)) return false;
    *centre = c;
    *radius = r;
    return true;
}

/* ---- straight sides ---- */

/// Fits a line through count middles from first on; false when they are not straight within the tube of pixels, or
/// bend to one side.
static bool fit_run(const work *w, int first, int count, run *out) {
    int n = w->middle_count;
    pv_vec2 origin = w->middles[first % n], end = pv__sub(w->middles[(first + count - 1) % n], origin),
            mean = {0, 0};
    double xx = 0, xy = 0, yy = 0;
    for (int k = 0; k < count; k++) {
        pv_vec2 d = pv__sub(w->middles[(first + k) % n], origin);
        mean = pv__add(mean, d);
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
    }
    mean = pv__mul(1.0 / count, mean);
    double half = 0.5 * ((xx - yy) / count - mean.x * mean.x + mean.y * mean.y),
           cov = xy / count - mean.x * mean.y;
    double root = sqrt(half * half + cov * cov);
    pv_vec2 along = half >= 0 ? pv__vec(half + root, cov) : pv__vec(cov, root - half);
    double length = pv__length(along);
    if (length == 0) return false;
    along = pv__mul((pv__dot(along, end) < 0 ? -1.0 : 1.0) / length, along);
    *out = (run){first % n, count, pv__add(mean, origin), along};
    double width = 0.5 * pv__max(pv__abs(along.x), pv__abs(along.y)) + SIDE_SLACK,
           span = pv__abs(pv__dot(end, along));
    double bow = 0, norm = 0;
    for (int k = 0; k < count; k++) {
        pv_vec2 d = pv__sub(w->middles[(first + k) % n], out->middle);
        double off = pv__cross(along, d), t = pv__dot(along, d) / (span + 1e-9), u = t * t - 1.0 / 12;
        if (pv__abs(off) > width) return false;
        bow += u * off;
        norm += u * u;
    }
    return pv__abs(bow / norm) * 0.25 < SIDE_SAG;
}

/// How many middles from first on, not past a corner, make the longest straight run; 0 for none.
static int longest_from(const work *w, int first, run *out) {
    int n = w->middle_count, most = 1;
    while (most < n - 1 && !w->barred[(first + most) % n]) most++;
    int low = SIDE_MIDDLES, high = most;
    if (low > most || !fit_run(w, first, low, out)) return 0;
    while (low < high && fit_run(w, first, low * 2 < high ? low * 2 : high, out))
        low = low * 2 < high ? low * 2 : high;
    if (low * 2 < high) high = low * 2;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (fit_run(w, first, middle, out))
            low = middle;
        else
            high = middle - 1;
    }
    fit_run(w, first, low, out);
    return low;
}

static int compare_runs(const void *x, const void *y) {
    const run *p = x, *q = y;
    if (p->count != q->count) return p->count > q->count ? -1 : 1;
    return (p->first > q->first) - (p->first < q->first);
}

/// Takes what is still free of a run, if that is enough and in one piece.
static void pick(work *w, run r) {
    int n = w->middle_count, from = 0, to = r.count;
    while (from < to && w->owner[(r.first + from) % n] >= 0) from++;
    while (to > from && w->owner[(r.first + to - 1) % n] >= 0) to--;
    for (int k = from; k < to; k++)
        if (w->owner[(r.first + k) % n] >= 0) return;
    run whole, core;
    if (to - from < SIDE_MIDDLES || !fit_run(w, r.first + from, to - from, &whole)) return;
    int trim = whole.count / 10; /* the ends may belong to the corners */
    if (fit_run(w, whole.first + trim, whole.count - 2 * trim, &core))
        whole.middle = core.middle, whole.along = core.along;
    for (int k = 0; k < whole.count; k++) w->owner[(whole.first + k) % n] = w->picked_count;
    w->picked[w->picked_count++] = whole;
}

static void find_sides(work *w) {
    w->run_count = w->picked_count = 0;
    for (int i = 0; i < w->middle_count; i++) {
        w->owner[i] = -1;
        if (longest_from(w, i, &w->runs[w->run_count]) > 0) w->run_count++;
    }
    qsort(w->runs, (size_t)w->run_count, sizeof(run), compare_runs);
    for (int i = 0; i < w->run_count; i++) pick(w, w->runs[i]);
}

static int compare_places(const void *x, const void *y) {
    const run *p = x, *q = y;
    return (p->first > q->first) - (p->first < q->first);
}

static pv_vec2 on_line(const run *r, pv_vec2 at) {
    return pv__mad(r->middle, pv__dot(pv__sub(at, r->middle), r->along), r->along);
}

/// The pixel corner between two middles of edges at right angles.
static pv_vec2 corner_between(pv_vec2 before, pv_vec2 after) {
    bool level = (double)pv__floor(before.y) == before.y;
    return level ? pv__vec(after.x, before.y) : pv__vec(before.x, after.y);
}

/// Where two sides meet that are a few middles apart; false when they hardly turn or meet far from the pixels.
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

/// What lies between two sides, after the first one's end and up to the second one's start.
static int put_gap(work *w, spot *out, const run *p, const run *q, int gap) {
    int n = w->middle_count, last = p->first + p->count - 1, count = 0;
    pv_vec2 at;
    if (meet(w, p, q, gap, &at)) {
        out[count++] = (spot){at, CORNER};
        return count;
    }
    out[count++] = (spot){on_line(p, w->middles[last % n]), SIDE_END};
    for (int k = last + 1; k <= last + gap + 1; k++) {
        if (w->barred[k % n])
            out[count++] = (spot){corner_between(w->middles[(k + n - 1) % n], w->middles[k % n]), CORNER};
        if (k <= last + gap) out[count++] = (spot){w->middles[k % n], FREE};
    }
    out[count++] = (spot){on_line(q, w->middles[q->first]), SIDE_END};
    return count;
}

/// The loop anew, sides for what is straight.
static void join_sides(work *w) {
    int n = w->middle_count, count = 0;
    if (w->picked_count == 0) return;
    qsort(w->picked, (size_t)w->picked_count, sizeof(run), compare_places);
    for (int i = 0; i < w->picked_count; i++) {
        const run *p = &w->picked[i], *q = &w->picked[(i + 1) % w->picked_count];
        int gap = (q->first - (p->first + p->count) + 2 * n) % n;
        count += put_gap(w, w->other + count, p, q, gap);
    }
    memcpy(w->spots, w->other, (size_t)count * sizeof(spot));
    w->spot_count = count;
}

/* ---- smoothing ---- */

/// Moves free spots towards or away from the middle of their neighbours, within reach of where they began.
static void relax(const spot *begin, const spot *from, spot *to, int n, double factor) {
    for (int i = 0; i < n; i++) {
        to[i] = from[i];
        if (from[i].kind != FREE) continue;
        pv_vec2 middle = pv__lerp(from[(i + n - 1) % n].at, from[(i + 1) % n].at, 0.5);
        pv_vec2 moved = pv__sub(pv__lerp(from[i].at, middle, factor), begin[i].at);
        double way = pv__length(moved);
        if (way > SMOOTH_REACH) moved = pv__mul(SMOOTH_REACH / way, moved);
        to[i].at = pv__add(begin[i].at, moved);
    }
}

static bool smooth(work *w) {
    size_t n = (size_t)w->spot_count;
    spot *begin = pv__alloc(w->allocator, n, sizeof(spot));
    if (!begin) return false;
    memcpy(begin, w->spots, n * sizeof(spot));
    for (int round = 0; round < SMOOTH_ROUNDS; round++) {
        relax(begin, w->spots, w->other, w->spot_count, SMOOTH_IN);
        relax(begin, w->other, w->spots, w->spot_count, SMOOTH_OUT);
    }
    pv__free(w->allocator, begin, n, sizeof(spot));
    return true;
}

/* ---- vertices ---- */

static bool add_vertex(pv__shape *s, pv_vec2 at) {
    if (!pv__reserve(&s->allocator, &s->vertices, &s->capacity, s->count + 1, sizeof(pv__vertex))) return false;
    s->vertices[s->count++] = (pv__vertex){.at = at};
    return true;
}

/// How many spots after the i-th can be left out, the way to the next one being short and straight.
static int skippable(const work *w, int i) {
    int n = w->spot_count, skip = 0;
    const spot *s = w->spots;
    if (s[(i + 1) % n].kind != FREE) return 0;
    for (int end = i + 2; end < i + n; end++) {
        pv_vec2 chord = pv__sub(s[end % n].at, s[i % n].at);
        double length = pv__length(chord);
        if (length > SPAN || length < 1e-9) break;
        double off = 0;
        for (int k = i + 1; k < end; k++)
            off = pv__max(off, pv__abs(pv__cross(chord, pv__sub(s[k % n].at, s[i % n].at))) / length);
        if (off > DECIMATE) break;
        skip = end - i - 1;
        if (s[end % n].kind != FREE) break;
    }
    return skip;
}

/// Vertices of the loop: short straight ways in one, long sides in spans.
static bool put_loop(pv__shape *shape, const work *w) {
    int n = w->spot_count, first = 0, begin = shape->count;
    while (first < n - 1 && w->spots[first].kind == FREE) first++;
    for (int i = 0; i < n;) {
        int next = i + 1 + skippable(w, first + i);
        if (next > n) next = n;
        pv_vec2 a = w->spots[(first + i) % n].at, b = w->spots[(first + next) % n].at;
        int spans = (int)pv__floor(pv__length(pv__sub(b, a)) / SPAN - 1e-6) + 1;
        for (int k = 0; k < spans; k++)
            if (!add_vertex(shape, pv__lerp(a, b, (double)k / spans))) return false;
        i = next;
    }
    for (int i = begin; i < shape->count; i++) {
        shape->vertices[i].next = i + 1 < shape->count ? i + 1 : begin;
        shape->vertices[i].previous = i > begin ? i - 1 : shape->count - 1;
    }
    return true;
}

static pv_vec2 unit(pv_vec2 v) {
    double length = pv__length(v);
    return length > 0 ? pv__mul(1.0 / length, v) : pv__vec(1, 0);
}

/// Normals, corners and curvatures from the neighbours. The solid is at the right, so outward is at the left.
static void finish_vertex(pv__shape *shape, int i) {
    pv__vertex *v = &shape->vertices[i];
    pv_vec2 in = pv__sub(v->at, shape->vertices[v->previous].at),
            out = pv__sub(shape->vertices[v->next].at, v->at);
    double reach = 0.5 * (pv__length(in) + pv__length(out));
    in = unit(in);
    out = unit(out);
    pv_vec2 along = unit(pv__add(in, out));
    v->normal = pv__vec(along.y, -along.x);
    v->sharp = pv__dot(in, out) < 0.8;
    v->curvature = reach > 0 ? pv__cross(in, out) / reach : 0;
}

/// The straight side from a vertex on, as far as it goes; its last vertex.
static int side_end(const pv__shape *shape, int from) {
    const pv__vertex *v = shape->vertices;
    int end = v[from].next;
    for (int next = v[end].next; next != from; next = v[next].next) {
        pv_vec2 chord = pv__sub(v[next].at, v[from].at);
        double off = pv__abs(pv__cross(chord, pv__sub(v[end].at, v[from].at))) / (pv__length(chord) + 1e-9);
        pv_vec2 bend = pv__sub(v[next].at, v[end].at);
        if (off > 1e-3 || pv__dot(bend, chord) <= 0) break;
        end = next;
    }
    return end;
}

static bool add_side(pv__shape *shape, int from, int to) {
    pv_vec2 way = pv__sub(shape->vertices[to].at, shape->vertices[from].at);
    double length = pv__length(way);
    if (length < SPAN) return true;
    if (!pv__reserve(&shape->allocator, &shape->sides, &shape->side_capacity, shape->side_count + 1,
                     sizeof(pv__side)))
        return false;
    shape->sides[shape->side_count++] = (pv__side){from, to, {way.y / length, -way.x / length}, length};
    return true;
}

static bool put_sides(pv__shape *shape, int begin) {
    for (int i = begin; i < shape->count; i++) {
        if (side_end(shape, shape->vertices[i].previous) != i) continue; /* a side goes through it */
        if (!add_side(shape, i, side_end(shape, i))) return false;
    }
    return true;
}

static bool trace_loop(pv__shape *shape, work *w, const pv_contour *c) {
    pv_vec2 centre = {0, 0};
    double radius = 0;
    int begin = shape->count;
    lay_out(w, c);
    bool round = fit_circle(w, &centre, &radius);
    if (round) {
        radius = sqrt(pv__abs((double)c->area) / PV__PI); /* that of the pixels' area, as it was drawn */
        for (int i = 0; i < w->spot_count; i++)
            w->spots[i].at = pv__mad(centre, radius, unit(pv__sub(w->spots[i].at, centre)));
    } else {
        find_sides(w);
        join_sides(w);
        if (!smooth(w)) return false;
    }
    if (!put_loop(shape, w)) return false;
    for (int i = begin; i < shape->count; i++) {
        pv__vertex *v = &shape->vertices[i];
        finish_vertex(shape, i);
        if (!round) continue;
        v->curvature = (c->area > 0 ? 1.0 : -1.0) / radius;
        v->normal = pv__mul(c->area > 0 ? 1.0 : -1.0, unit(pv__sub(v->at, centre)));
    }
    return put_sides(shape, begin);
}

static int unit_edges(const pv_contour *c) {
    int sum = 0;
    for (int i = 0; i < c->count; i++) sum += edge_length(c, i);
    return sum;
}

bool pv__contour_make(pv__shape *shape, const pv_mask *mask) {
    pv_outline *outline = pv_outline_trace(mask, PV_NEIGHBOURS_4, NULL);
    bool made = outline != NULL;
    for (int i = 0; made && i < pv_outline_count(outline); i++) {
        pv_contour c = pv_outline_get(outline, i);
        work w;
        made = make_work(&w, &shape->allocator, 2 * unit_edges(&c) + 8);
        if (!made) break;
        made = trace_loop(shape, &w, &c);
        free_work(&w);
    }
    pv_outline_free(outline);
    return made;
}
