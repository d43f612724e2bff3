/* convex.c - checks outlines and cuts them into convex pieces.
 *
 * Invariant: every piece is convex. Together the pieces cover the outline, and they share only
 * edges. The same outline gives the same pieces.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shape/convex.h"

#include <string.h>

/// Greatest sine of an inward turn at a corner that still counts as convex.
static const double CONVEX_FLAT = 1e-9;

static int after(int i, int count) { return i + 1 < count ? i + 1 : 0; }
static int before(int i, int count) { return i > 0 ? i - 1 : count - 1; }

/* ---- checks ---- */

static bool cross_each_other(pv_vec2 a, pv_vec2 b, pv_vec2 c, pv_vec2 d) {
    return (pv__convex_turn(a, b, c) > 0) != (pv__convex_turn(a, b, d) > 0) &&
           (pv__convex_turn(c, d, a) > 0) != (pv__convex_turn(c, d, b) > 0);
}

/// Tells whether an edge crosses another edge or comes too close to another corner. Two corners
/// that nearly coincide count, too.
static bool touches_itself(const pv_vec2 *points, int count) {
    for (int i = 0; i < count; i++) {
        pv_vec2 a = points[i], b = points[after(i, count)];
        for (int j = 0; j < count; j++) {
            int k = after(j, count);
            if (j == i || j == after(i, count)) continue;
            if (pv__length(pv__sub(points[j], pv__nearest_between(a, b, points[j]))) < PV__CLOSE)
                return true;
            if (k != i && cross_each_other(a, b, points[j], points[k])) return true;
        }
    }
    return false;
}

pv_status pv__convex_check(const pv_vec2 *points, int count) {
    if (!points || count < 3 || count > PV__POLY_CORNERS) return PV_ERROR_ARGUMENT;
    for (int i = 0; i < count; i++)
        if (!pv__finite2(points[i])) return PV_ERROR_NOT_FINITE;
    for (int i = 0; i < count; i++)
        if (!pv__placeable(points[i])) return PV_ERROR_ARGUMENT;
    if (touches_itself(points, count)) return PV_ERROR_ARGUMENT;
    return pv__abs(pv__convex_area(points, count)) < PV__CLOSE ? PV_ERROR_ARGUMENT : PV_OK;
}

double pv__convex_area(const pv_vec2 *points, int count) {
    double twice = 0;
    for (int i = 2; i < count; i++) twice += pv__convex_turn(points[0], points[i - 1], points[i]);
    return 0.5 * twice;
}

/// Tells whether the path over three points turns right or goes straight on.
static bool bulges(pv_vec2 a, pv_vec2 b, pv_vec2 c) {
    pv_vec2 u = pv__sub(b, a), v = pv__sub(c, b);
    return pv__cross(u, v) >= -CONVEX_FLAT * sqrt(pv__dot(u, u) * pv__dot(v, v));
}

bool pv__convex_holds(const pv_vec2 *points, int count, pv_vec2 p) {
    bool inside = false;
    for (int i = 0; i < count; i++) {
        pv_vec2 a = points[i], b = points[after(i, count)];
        if ((a.y > p.y) == (b.y > p.y)) continue;
        inside ^= (pv__convex_turn(a, b, p) > 0) == (b.y > a.y);
    }
    return inside;
}

/* ---- triangles: ear clipping ---- */

/// Piece under construction: corners of the outline, clockwise.
typedef struct piece {
    int count, corners[PV__POLY_CORNERS];
} piece;

typedef struct cutting {
    const pv_vec2 *points;
    int count;
    piece pieces[PV__POLY_CORNERS];
} cutting;

static bool in_triangle(pv_vec2 p, pv_vec2 a, pv_vec2 b, pv_vec2 c) {
    return pv__convex_turn(a, b, p) >= 0 && pv__convex_turn(b, c, p) >= 0 &&
           pv__convex_turn(c, a, p) >= 0;
}

/// Returns twice a triangle's area over its longest squared edge, or -1 if the corner is no ear.
static double ear_quality(const pv_vec2 *points, const int *left, int count, int i) {
    int before_i = left[before(i, count)], here = left[i], after_i = left[after(i, count)];
    pv_vec2 a = points[before_i], b = points[here], c = points[after_i];
    double area = pv__convex_turn(a, b, c);
    if (!(area > 0)) return -1;
    for (int k = 0; k < count; k++) {
        if (left[k] == before_i || left[k] == here || left[k] == after_i) continue;
        if (in_triangle(points[left[k]], a, b, c)) return -1;
    }
    pv_vec2 u = pv__sub(b, a), v = pv__sub(c, b), w = pv__sub(a, c);
    double longest = pv__max(pv__dot(u, u), pv__max(pv__dot(v, v), pv__dot(w, w)));
    return area / longest;
}

/// Returns the best ear. If rounding leaves no ear, returns the corner that bulges most.
static int pick_ear(const pv_vec2 *points, const int *left, int count) {
    int best = 0, widest = 0;
    double quality = -1, turn = -1;
    for (int i = 0; i < count; i++) {
        double q = ear_quality(points, left, count, i);
        double t = pv__convex_turn(points[left[before(i, count)]], points[left[i]],
                                   points[left[after(i, count)]]);
        if (q > quality) quality = q, best = i;
        if (t > turn) turn = t, widest = i;
    }
    return quality > 0 ? best : widest;
}

static void clip_ears(cutting *c, int count) {
    int left[PV__POLY_CORNERS];
    for (int i = 0; i < count; i++) left[i] = i;
    for (; count >= 3; count--) {
        int i = pick_ear(c->points, left, count);
        c->pieces[c->count++] =
            (piece){3, {left[before(i, count)], left[i], left[after(i, count)]}};
        memmove(left + i, left + i + 1, (size_t)(count - i - 1) * sizeof *left);
    }
}

/* ---- pieces: removal of unneeded diagonals (Hertel and Mehlhorn 1983) ---- */

static pv_vec2 corner_of(const cutting *c, const piece *p, int i) {
    return c->points[p->corners[i % p->count]];
}

/// Returns the index of a piece's edge from one corner to another, or -1.
static int find_edge(const piece *p, int from, int to) {
    for (int i = 0; i < p->count; i++)
        if (p->corners[i] == from && p->corners[after(i, p->count)] == to) return i;
    return -1;
}

/// Joins two pieces at their common edge, which begins in a at i and in b at j.
static piece joined(const piece *a, int i, const piece *b, int j) {
    piece both = {0};
    for (int k = 1; k <= a->count; k++) both.corners[both.count++] = a->corners[(i + k) % a->count];
    for (int k = 2; k < b->count; k++) both.corners[both.count++] = b->corners[(j + k) % b->count];
    return both;
}

/// Tells whether no corner of a piece turns inward.
static bool is_convex(const cutting *c, const piece *p) {
    for (int i = 0; i < p->count; i++)
        if (!bulges(corner_of(c, p, i), corner_of(c, p, i + 1), corner_of(c, p, i + 2)))
            return false;
    return true;
}

/// Joins two pieces if they share an edge that is not needed.
static bool join(cutting *c, int first, int second) {
    piece *a = &c->pieces[first], *b = &c->pieces[second];
    for (int i = 0; i < a->count; i++) {
        int j = find_edge(b, a->corners[after(i, a->count)], a->corners[i]);
        if (j < 0) continue;
        piece both = joined(a, i, b, j);
        if (!is_convex(c, &both)) continue;
        *a = both;
        memmove(b, b + 1, (size_t)(--c->count - second) * sizeof *b);
        return true;
    }
    return false;
}

static void join_all(cutting *c) {
    for (int i = 0; i < c->count; i++)
        for (int j = i + 1; j < c->count; j++)
            if (join(c, i, j)) j = i;
}

int pv__convex_cut(const pv_vec2 *points, int count, int *pieces, int *room) {
    cutting c = {.points = points, .count = 1, .pieces = {{.count = count}}};
    for (int i = 0; i < count; i++) c.pieces[0].corners[i] = i;
    if (!is_convex(&c, &c.pieces[0])) {
        c.count = 0;
        clip_ears(&c, count);
        join_all(&c);
    }
    *room = 0;
    for (int i = 0; i < c.count; i++) {
        pieces[(*room)++] = c.pieces[i].count;
        for (int k = 0; k < c.pieces[i].count; k++) pieces[(*room)++] = c.pieces[i].corners[k];
    }
    return c.count;
}

/* ---- shares ---- */

/// Adds the shares of a convex piece: the mean over the fans of triangles from each corner. A
/// triangle's area is split equally among its corners.
static void share_piece(const pv_vec2 *points, const int *corners, int count, double *shares) {
    for (int i = 0; i < count; i++)
        for (int k = 1; k + 1 < count; k++) {
            int a = corners[i], b = corners[(i + k) % count], c = corners[(i + k + 1) % count];
            double third = pv__convex_turn(points[a], points[b], points[c]) / (6.0 * count);
            shares[a] += third;
            shares[b] += third;
            shares[c] += third;
        }
}

void pv__convex_shares(const pv_vec2 *points, int count, const int *pieces, int piece_count,
                       double *shares) {
    double sum = 0;
    for (int i = 0; i < count; i++) shares[i] = 0;
    for (int i = 0; i < piece_count; i++, pieces += *pieces + 1)
        share_piece(points, pieces + 1, *pieces, shares);
    for (int i = 0; i < count; i++) sum += shares[i];
    for (int i = 0; i < count; i++) shares[i] /= sum;
}
