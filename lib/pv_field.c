/* pv_field.c - signed distances to a contour, sampled on a grid.
 *
 * Invariant: node (i, j) lies at ((i / NODES) - MARGIN, (j / NODES) - MARGIN) and holds the distance to the nearest
 * segment of the contour, negative inside, cut off at REACH.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_geom.h"

#include <stdlib.h>

/// No vertex lies on a line of the scan: the fits are not as round as this [px].
static const double SCAN_SHIFT = 1.0 / 8191;

static double node_at(int i) { return (double)i / PV__FIELD_NODES - PV__FIELD_MARGIN; }

static int node_below(double x, int most) {
    return (int)pv__clamp((double)pv__floor((x + PV__FIELD_MARGIN) * PV__FIELD_NODES), 0, most);
}

/// Lowers the nodes near a segment to their distance from it.
static void splat(pv__field *f, pv_vec2 a, pv_vec2 b) {
    pv_vec2 way = pv__sub(b, a);
    double inverse = 1.0 / (pv__dot(way, way) + 1e-20);
    int left = node_below(pv__min(a.x, b.x) - PV__FIELD_REACH, f->w - 1);
    int right = node_below(pv__max(a.x, b.x) + PV__FIELD_REACH, f->w - 1);
    int top = node_below(pv__min(a.y, b.y) - PV__FIELD_REACH, f->h - 1);
    int bottom = node_below(pv__max(a.y, b.y) + PV__FIELD_REACH, f->h - 1);
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++) {
            pv_vec2 p = pv__sub(pv__vec(node_at(i), node_at(j)), a);
            pv_vec2 off = pv__mad(p, -pv__clamp(pv__dot(p, way) * inverse, 0, 1), way);
            double distance = pv__length(off) * PV__FIELD_SCALE + 0.5;
            int16_t *node = &f->nodes[(size_t)j * (size_t)f->w + (size_t)i];
            if (distance < *node) *node = (int16_t)distance;
        }
}

static int compare_numbers(const void *x, const void *y) {
    double p = *(const double *)x, q = *(const double *)y;
    return (p > q) - (p < q);
}

/// Where the contour crosses each row of nodes: row j has x[first[j]]...x[first[j + 1] - 1].
typedef struct crossings {
    int *first;
    double *x;
    int rows, total;
} crossings;

static double level_of(int row) { return node_at(row) + SCAN_SHIFT; }

/// Counts the crossings of a segment in first, or, where x is given, writes them down, first being where they go.
static void cross(pv_vec2 a, pv_vec2 b, int rows, int *first, double *x) {
    int top = node_below(pv__min(a.y, b.y) - 1, rows - 1), bottom = node_below(pv__max(a.y, b.y) + 1, rows - 1);
    for (int j = top; j <= bottom; j++) {
        double y = level_of(j);
        if ((a.y > y) == (b.y > y)) continue;
        if (x) x[first[j]] = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
        first[j]++;
    }
}

static void cross_all(const pv__shape *s, crossings *c, double *x) {
    for (int i = 0; i < s->count; i++) {
        const pv__vertex *v = &s->vertices[i];
        cross(v->at, s->vertices[v->next].at, c->rows, c->first, x);
    }
}

/// Turns counts into where each row begins.
static void begin_rows(crossings *c) {
    int sum = 0;
    for (int j = 0; j <= c->rows; j++) {
        int count = c->first[j];
        c->first[j] = sum;
        sum += count;
    }
    c->total = sum;
}

static void free_crossings(const pv_allocator *allocator, crossings *c) {
    pv__free(allocator, c->first, (size_t)c->rows + 1, sizeof(int));
    pv__free(allocator, c->x, (size_t)c->total + 1, sizeof(double));
}

static bool find_crossings(const pv__shape *s, crossings *c) {
    *c = (crossings){.rows = s->field.h};
    c->first = pv__alloc(&s->allocator, (size_t)c->rows + 1, sizeof(int));
    if (!c->first) return false;
    cross_all(s, c, NULL);
    begin_rows(c);
    c->x = pv__alloc(&s->allocator, (size_t)c->total + 1, sizeof(double));
    if (!c->x) return free_crossings(&s->allocator, c), false;
    cross_all(s, c, c->x); /* each row's place is now the next one's beginning */
    for (int j = c->rows; j > 0; j--) c->first[j] = c->first[j - 1];
    c->first[0] = 0;
    return true;
}

/// Makes the nodes inside negative.
static bool sign(pv__shape *s) {
    pv__field *f = &s->field;
    crossings c;
    if (!find_crossings(s, &c)) return false;
    for (int j = 0; j < f->h; j++) {
        double *x = c.x + c.first[j];
        int n = c.first[j + 1] - c.first[j], passed = 0;
        qsort(x, (size_t)n, sizeof *x, compare_numbers);
        for (int i = 0; i < f->w; i++) {
            while (passed < n && x[passed] < node_at(i)) passed++;
            int16_t *node = &f->nodes[(size_t)j * (size_t)f->w + (size_t)i];
            if (passed & 1) *node = (int16_t) - *node;
        }
    }
    free_crossings(&s->allocator, &c);
    return true;
}

bool pv__field_make(pv__shape *shape, int w, int h) {
    pv__field *f = &shape->field;
    f->w = (w + 2 * PV__FIELD_MARGIN) * PV__FIELD_NODES + 1;
    f->h = (h + 2 * PV__FIELD_MARGIN) * PV__FIELD_NODES + 1;
    size_t count = (size_t)f->w * (size_t)f->h;
    f->nodes = pv__alloc(&shape->allocator, count, sizeof(int16_t));
    if (!f->nodes) return false;
    for (size_t i = 0; i < count; i++) f->nodes[i] = (int16_t)(PV__FIELD_REACH * PV__FIELD_SCALE);
    for (int i = 0; i < shape->count; i++) {
        const pv__vertex *v = &shape->vertices[i];
        splat(f, v->at, shape->vertices[v->next].at);
    }
    return sign(shape);
}

double pv__field_at(const pv__shape *shape, pv_vec2 point, pv_vec2 *gradient) {
    const pv__field *f = &shape->field;
    double x = (point.x + PV__FIELD_MARGIN) * PV__FIELD_NODES,
           y = (point.y + PV__FIELD_MARGIN) * PV__FIELD_NODES;
    double cx = pv__clamp(x, 0, f->w - 1.001), cy = pv__clamp(y, 0, f->h - 1.001);
    int i = (int)cx, j = (int)cy;
    double u = cx - i, v = cy - j;
    const int16_t *n = &f->nodes[(size_t)j * (size_t)f->w + (size_t)i];
    double a = n[0], b = n[1], c = n[f->w], d = n[f->w + 1];
    double top = a + (b - a) * u, bottom = c + (d - c) * u;
    if (gradient) {
        double k = PV__FIELD_NODES / PV__FIELD_SCALE;
        *gradient = pv__vec(k * ((b - a) * (1 - v) + (d - c) * v), k * (bottom - top));
    }
    double inside = (top + (bottom - top) * v) / PV__FIELD_SCALE;
    pv_vec2 beyond = {(x - cx) / PV__FIELD_NODES, (y - cy) / PV__FIELD_NODES};
    return inside + pv__length(beyond);
}
