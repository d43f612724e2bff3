/* contour_loop.c - smooths loops of spots without shrinking them, and turns them into a shape's
 * vertices and sides.
 *
 * Invariant: the vertices of a loop are contiguous and in order. Neighbors are at most PV__SPAN
 * apart, and dropped spots lie within DECIMATE of the contour.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shape/contour_loop.h"
#include "base/base.h"

#include <string.h>

/// Greatest displacement of the contour by decimation [px].
static const double DECIMATE = 0.02;

/* ---- vertices ---- */

static bool add_vertex(pv__shape *s, pv_vec2 at, bool corner, pv_point edge) {
    return PV__APPEND(&s->allocator, s->vertices, s->capacity, s->count,
                      (pv__vertex){.at = at, .corner = corner, .side = -1, .edge = edge});
}

/// Returns the pixel edge that begins at a point and runs along an axis, as twice its middle.
static pv_point upright_edge(pv_vec2 at, pv_vec2 way) {
    int x = (int)pv__floor(way.x < 0 ? -at.x : at.x), y = (int)pv__floor(way.y < 0 ? -at.y : at.y);
    if (way.x != 0) return (pv_point){way.x < 0 ? -2 * x - 1 : 2 * x + 1, (int)pv__floor(2 * at.y)};
    return (pv_point){(int)pv__floor(2 * at.x), way.y < 0 ? -2 * y - 1 : 2 * y + 1};
}

/// Returns the pixel edge at a fraction of the path between two spots, as twice its middle.
static pv_point edge_between(const pv__fitted *f, const pv__spot *p, const pv__spot *q, int part,
                             int parts) {
    if (f->middle_count == 0)
        return upright_edge(pv__lerp(p->at, q->at, (double)part / parts), pv__sub(q->at, p->at));
    int way = q->place - p->place;
    if (way < 0 || (way == 0 && q == p)) way += f->middle_count;
    pv_vec2 middle = f->middles[(p->place + way * part / parts) % f->middle_count];
    return (pv_point){(int)pv__floor(2 * middle.x), (int)pv__floor(2 * middle.y)};
}

/// Returns the number of spots after the i-th that decimation can drop. The chord to the next kept
/// spot stays short and near those.
static int skippable(const pv__spot *s, int n, int i) {
    int skip = 0;
    if (s[(i + 1) % n].kind != PV__SPOT_FREE) return 0;
    for (int end = i + 2; end < i + n; end++) {
        pv_vec2 from = s[i % n].at, chord = pv__sub(s[end % n].at, from);
        double square = pv__dot(chord, chord), most = DECIMATE * DECIMATE * square;
        if (square > PV__SPAN * PV__SPAN || square < 1e-18) break;
        bool straight = true;
        for (int k = i + 1; k < end && straight; k++) {
            double off = pv__cross(chord, pv__sub(s[k % n].at, from));
            straight = off * off <= most;
        }
        if (!straight) break;
        skip = end - i - 1;
        if (s[end % n].kind != PV__SPOT_FREE) break;
    }
    return skip;
}

static bool is_loop(const pv__fitted *f) { return f->from < 0; }

static void link_vertices(pv__shape *shape, const pv__fitted *f, int begin) {
    int last = shape->count - 1, before = is_loop(f) ? last : f->from,
        after = is_loop(f) ? begin : f->to;
    for (int i = begin; i <= last; i++) {
        shape->vertices[i].next = i < last ? i + 1 : after;
        shape->vertices[i].previous = i > begin ? i - 1 : before;
    }
    if (is_loop(f)) return;
    shape->vertices[before].next = last < begin ? after : begin;
    shape->vertices[after].previous = last < begin ? before : last;
}

/// Adds the vertices of a loop, or of a piece between its ends. Short straight runs become one
/// edge, long sides several spans.
static bool put_vertices(pv__shape *shape, const pv__fitted *f) {
    const pv__spot *spots = f->spots;
    int n = f->count, ways = is_loop(f) ? n : n - 1, first = 0, begin = shape->count;
    while (is_loop(f) && first < n - 1 && spots[first].kind == PV__SPOT_FREE) first++;
    for (int i = 0; i < ways;) {
        int next = i + 1 + skippable(spots, n, first + i);
        if (next > ways) next = ways;
        const pv__spot *from = &spots[(first + i) % n], *to = &spots[(first + next) % n];
        int spans =
            (int)pv__floor(pv__length(pv__sub(to->at, from->at)) / PV__SPAN - PV__NEGLIGIBLE) + 1;
        for (int k = i == 0 && !is_loop(f); k < spans; k++) {
            pv_vec2 at = pv__lerp(from->at, to->at, (double)k / spans);
            bool corner = k == 0 && from->kind == PV__SPOT_CORNER;
            if (!add_vertex(shape, at, corner, edge_between(f, from, to, k, spans))) return false;
        }
        i = next;
    }
    link_vertices(shape, f, begin);
    return true;
}

/// Computes normals, sharpness and curvature from the neighbors. The solid side is on the right, so
/// outward is to the left.
static void finish_vertex(pv__shape *shape, int i) {
    pv__vertex *v = &shape->vertices[i];
    pv_vec2 in = pv__sub(v->at, shape->vertices[v->previous].at),
            out = pv__sub(shape->vertices[v->next].at, v->at);
    double reach = 0.5 * (pv__length(in) + pv__length(out));
    in = pv__unit(in);
    out = pv__unit(out);
    pv_vec2 along = pv__unit(pv__add(in, out));
    v->normal = pv__vec(along.y, -along.x);
    v->first = pv__vec(in.y, -in.x);
    v->last = pv__vec(out.y, -out.x);
    v->sharp = pv__dot(in, out) < 0.8;
    v->curvature = reach > 0 ? pv__cross(in, out) / reach : 0;
}

/* ---- straight sides ---- */

/// Returns the last vertex of the straight side that begins at a vertex, up to most vertices on.
static int side_end(const pv__shape *shape, int from, int most) {
    const pv__vertex *v = shape->vertices;
    int end = v[from].next;
    for (int next = v[end].next; next != from && most > 1; next = v[next].next, most--) {
        pv_vec2 chord = pv__sub(v[next].at, v[from].at);
        double off =
            pv__abs(pv__cross(chord, pv__sub(v[end].at, v[from].at))) / (pv__length(chord) + 1e-9);
        pv_vec2 bend = pv__sub(v[next].at, v[end].at);
        if (off > PV__CLOSE || pv__dot(bend, chord) <= 0) break;
        end = next;
    }
    return end;
}

static bool add_side(pv__shape *shape, int from, int to) {
    const pv__vertex *p = &shape->vertices[from], *q = &shape->vertices[to];
    pv_vec2 way = pv__sub(q->at, p->at);
    double length = pv__length(way);
    if (length < PV__SPAN && !(p->corner && q->corner)) return true;
    if (!PV__RESERVE(&shape->allocator, shape->sides, shape->side_capacity, shape->side_count + 1))
        return false;
    for (int i = from; i != to; i = shape->vertices[i].next)
        shape->vertices[i].side = shape->side_count;
    shape->sides[shape->side_count++] =
        (pv__side){from, to, {way.y / length, -way.x / length}, length};
    return true;
}

/// Returns a vertex at which the loop bends.
static int find_bend(const pv__shape *shape, int begin) {
    for (int i = begin; i < shape->count; i++)
        if (side_end(shape, shape->vertices[i].previous, 2) == i) return i;
    return begin;
}

/// Splits edges from a vertex on into straight runs, and adds the long ones as sides.
/// @param begin first vertex of their loop or piece
static bool put_sides(pv__shape *shape, int begin, int from, int edges) {
    int n = shape->count - begin;
    for (int to; edges > 0; from = to) {
        to = side_end(shape, from, edges);
        if (!add_side(shape, from, to)) return false;
        edges -= to == from ? n : (to - from + n) % n;
    }
    return true;
}

/* ---- loops ---- */

int pv__contour_loop_most(const pv__fitted *f) {
    double length = 0;
    for (int i = 0; i < f->count; i++)
        length += pv__length(pv__sub(f->spots[(i + 1) % f->count].at, f->spots[i].at));
    return f->count + (int)(length / PV__SPAN) + 1;
}

static void make_round(pv__shape *shape, const pv__fitted *f, int begin) {
    for (int i = begin; i < shape->count; i++) {
        pv__vertex *v = &shape->vertices[i];
        v->curvature = 1.0 / f->radius;
        v->normal = pv__mul(f->radius > 0 ? 1.0 : -1.0, pv__unit(pv__sub(v->at, f->center)));
    }
    shape->circle_center = f->center;
    shape->circle_radius = pv__max(f->radius, 0);
}

bool pv__contour_loop_put(pv__shape *shape, const pv__fitted *f) {
    int begin = shape->count;
    if (!put_vertices(shape, f)) return false;
    for (int i = begin; i < shape->count; i++) finish_vertex(shape, i);
    if (!is_loop(f)) {
        finish_vertex(shape, f->from);
        finish_vertex(shape, f->to);
        /* Runs at the ends of a piece may continue in sides that stay. */
        return put_sides(shape, begin, begin, shape->count - 1 - begin);
    }
    if (!put_sides(shape, begin, find_bend(shape, begin), shape->count - begin)) return false;
    if (f->radius != 0) make_round(shape, f, begin);
    return true;
}

/* ---- whole shapes ---- */

/// Tells whether the sides of a single loop cover it and turn at corners, always to the same side.
static bool is_polygon(const pv__shape *s) {
    if (s->side_count < 3 || s->side_count > PV__CORNERS) return false;
    for (int i = 0; i < s->side_count; i++) {
        const pv__side *p = &s->sides[i], *q = &s->sides[(i + 1) % s->side_count];
        if (p->to != q->from || !s->vertices[p->to].corner ||
            !(pv__cross(p->normal, q->normal) > 0))
            return false;
    }
    return true;
}

/// Sets point i, and fills the rest of its group of four with it.
static void set_columns(pv__columns *c, int i, pv_vec2 at) {
    for (int k = i; k <= (i | 3); k++) {
        c->x[k] = at.x;
        c->y[k] = at.y;
    }
}

void pv__contour_loops_end(pv__shape *shape, int loops) {
    if (loops != 1) shape->circle_radius = 0;
    shape->corner_count = loops == 1 && is_polygon(shape) ? shape->side_count : 0;
    for (int i = 0; i < shape->corner_count; i++) {
        const pv__side *side = &shape->sides[i];
        set_columns(&shape->corners, i, shape->vertices[side->from].at);
        set_columns(&shape->normals, i, side->normal);
    }
}

/// Returns the number of vertices that keeps chords short and near the circle.
static int points_on(double radius) {
    double step = pv__min(PV__SPAN / radius, sqrt(8 * DECIMATE / radius));
    return (int)pv__floor(2 * PV__PI / step) + 1;
}

bool pv__contour_circle(pv__shape *shape, pv_vec2 center, double radius) {
    if (!(radius > 0)) return true;
    int n = points_on(radius);
    pv__spot *spots = pv__alloc(&shape->allocator, (size_t)n, sizeof(pv__spot));
    if (!spots) return false;
    for (int i = 0; i < n; i++) {
        pv_rotation r = pv__rotation(2 * PV__PI * i / n);
        spots[i] = (pv__spot){pv__mad(center, radius, pv__vec(r.c, r.s)), PV__SPOT_END, i};
    }
    bool made = pv__contour_loop_put(
        shape,
        &(pv__fitted){.spots = spots, .count = n, .center = center, .radius = radius, .from = -1});
    PV__FREE(&shape->allocator, spots, n);
    pv__contour_loops_end(shape, 1);
    return made;
}

bool pv__contour_box(pv__shape *shape, pv_rect r) {
    if (r.w <= 0 || r.h <= 0) return true;
    pv__spot spots[4];
    for (int i = 0; i < 4; i++)
        spots[i] = (pv__spot){pv__vec(r.x + (i == 1 || i == 2) * r.w, r.y + (i > 1) * r.h),
                              PV__SPOT_CORNER, i};
    bool made = pv__contour_loop_put(shape, &(pv__fitted){.spots = spots, .count = 4, .from = -1});
    pv__contour_loops_end(shape, 1);
    return made;
}

/* ---- smooths a loop of spots without shrinking it ----
 *
 * Invariant: a free spot stays within SMOOTH_REACH of its origin, and any other spot in place.
 */

/// Number of passes, and greatest displacement of a spot [px].
static const int PASSES = 4;
static const double SMOOTH_REACH = 0.5;
/// Gain of a pass for a wave, as coefficients of Chebyshev polynomials in z, the cosine of the
/// wave's phase step per spot (Taubin, Zhang and Golub 1996). With k = 1 - z it equals
/// ((1 - 0.5 k) (1 + 0.503 k))^25 within 2e-4: 25 rounds of two factors that keep the loop from
/// shrinking (Taubin 1995). The coefficients add up to 1, so the loop as a whole does not move.
static const double GAINS[] = {
    0.26851074208394005,   0.46184850264088745,   0.2811804893180651,    0.09349508448360619,
    -0.022521685067594596, -0.052531032683417564, -0.03293802066110122,  -0.007002928531907878,
    0.004888624927117991,  0.00471265572353515,   0.0013042211450894927, -0.00045823803455431863,
    -0.0004884153436659997};

/// State of the smoothing: two terms of Chebyshev's recurrence, and the sum so far.
typedef struct filter {
    pv_vec2 *term, *before, *sum;
} filter;

/// Computes the next term: twice the mean of the neighbors less the term before. Spots that are not
/// free keep their place.
static void next_term(filter *f, const pv__spot *spots, int n, double scale, double keep,
                      double c) {
    for (int i = 0; i < n; i++) {
        if (spots[i].kind != PV__SPOT_FREE) continue;
        pv_vec2 p = f->term[i > 0 ? i - 1 : n - 1], q = f->term[i + 1 < n ? i + 1 : 0];
        f->before[i] = pv__mad(pv__mul(-keep, f->before[i]), 0.5 * scale, pv__add(p, q));
        f->sum[i] = pv__mad(f->sum[i], c, f->before[i]);
    }
    pv_vec2 *term = f->term;
    f->term = f->before;
    f->before = term;
}

/// Smooths all spots once. Free spots stay within SMOOTH_REACH of their origin.
static void smooth_once(filter *f, const pv__spot *begin, pv__spot *spots, int n) {
    for (int i = 0; i < n; i++) {
        f->term[i] = f->before[i] = spots[i].at;
        f->sum[i] = pv__mul(GAINS[0], spots[i].at);
    }
    for (size_t j = 1; j < sizeof GAINS / sizeof *GAINS; j++)
        next_term(f, spots, n, j > 1 ? 2 : 1, j > 1 ? 1 : 0, GAINS[j]);
    for (int i = 0; i < n; i++) {
        if (spots[i].kind != PV__SPOT_FREE) continue;
        pv_vec2 moved = pv__sub(f->sum[i], begin[i].at);
        double way = pv__dot(moved, moved);
        if (way > SMOOTH_REACH * SMOOTH_REACH) moved = pv__mul(SMOOTH_REACH / sqrt(way), moved);
        spots[i].at = pv__add(begin[i].at, moved);
    }
}

bool pv__contour_smooth(const pv_allocator *allocator, pv__spot *spots, pv__spot *begin, int n) {
    pv_vec2 *room = pv__alloc(allocator, (size_t)n, 3 * sizeof *room);
    if (!room) return false;
    filter f = {room, room + n, room + 2 * n};
    memcpy(begin, spots, (size_t)n * sizeof(pv__spot));
    for (int pass = 0; pass < PASSES; pass++) smooth_once(&f, begin, spots, n);
    pv__free(allocator, room, (size_t)n, 3 * sizeof *room);
    return true;
}
