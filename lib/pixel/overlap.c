/* overlap.c - the overlap of two bitmaps at an offset, in rows or in runs, and its shape.
 *
 * Invariant: kernels compute all sums in integers, so no result depends on the kernel. Only this
 * file divides sums.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/overlap.h"
#include "base/base.h"
#include "base/error.h"
#include "base/math.h"
#include "pixel/kernel.h"
#include "pixel/mask.h"
#include "pixverlet/paper.h"

bool pv__bits_hit(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy) {
    return pv__kernel_in_use()->hit(a, b, dx, dy);
}

int64_t pv__bits_area(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy) {
    return pv__kernel_in_use()->area(a, b, dx, dy);
}

static pv_vec2 normal_of(int64_t gx, int64_t gy, double *length) {
    pv_vec2 slope = pv__vec((double)gx, (double)gy);
    *length = pv__length(slope);
    return *length > 0 ? pv__vec(-slope.x / *length, -slope.y / *length) : pv__vec(0, 0);
}

bool pv__bits_overlap(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                      pv_overlap *overlap) {
    pv__tally t;
    double length;
    *overlap = (pv_overlap){0};
    pv__kernel_in_use()->overlap(a, b, dx, dy, &t);
    if (t.area == 0) return false;
    double area = (double)t.area;
    overlap->area = t.area;
    overlap->point = pv__vec((double)t.x / area + 0.5, (double)t.y / area + 0.5);
    overlap->normal = normal_of(t.gx, t.gy, &length);
    if (length > 0) overlap->depth = 2.0 * area / length; /* The slope spans two pixels. */
    overlap->bounds = t.box;
    return true;
}

bool pv__bits_gradient(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, int radius,
                       pv_vec2 *normal) {
    int64_t slope[2];
    double length;
    /* Weights of 4 : 1 make sum(w o_i o_j o_k o_l) isotropic, so the leading error rotates with
     * the shapes. */
    pv__kernel_in_use()->slope(a, b, dx, dy, radius, slope);
    if (slope[0] == 0 && slope[1] == 0) return false;
    *normal = normal_of(slope[0], slope[1], &length);
    return true;
}

void pv__bits_slope(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, int radius,
                    int64_t slope[2]) {
    int64_t own[2];
    pv__kernel_in_use()->slope(a, b, dx, dy, radius, own);
    slope[0] += own[0];
    slope[1] += own[1];
}

bool pv_mask_test_overlap(const pv_mask *a, const pv_mask *b, int dx, int dy) {
    return a && b && pv__kernel_in_use()->hit(&a->bits, &b->bits, dx, dy);
}

int64_t pv_mask_compute_overlap_area(const pv_mask *a, const pv_mask *b, int dx, int dy) {
    return a && b ? pv__kernel_in_use()->area(&a->bits, &b->bits, dx, dy) : 0;
}

bool pv_mask_compute_overlap(const pv_mask *a, const pv_mask *b, int dx, int dy,
                             pv_overlap *overlap) {
    pv_overlap unwanted;
    if (!overlap) overlap = &unwanted;
    *overlap = (pv_overlap){0};
    return a && b && pv__bits_overlap(&a->bits, &b->bits, dx, dy, overlap);
}

bool pv_mask_compute_overlap_normal(const pv_mask *a, const pv_mask *b, int dx, int dy,
                                    pv_vec2 *normal) {
    int64_t slope[2] = {0, 0};
    double length;
    if (a && b) pv__kernel_in_use()->gradient(&a->bits, &b->bits, dx, dy, slope);
    pv_vec2 n = normal_of(slope[0], slope[1], &length);
    if (normal) *normal = n;
    return length > 0;
}

/* ---- masks as run lengths: Cheng (2003) section 5.3 ----
 *
 * Invariant: the runs of row y are run[first[y]]...run[first[y + 1] - 1], from left to right. No
 * run is empty, and there is a gap between any two. All of it is one block of memory.
 */

/// Solid pixels start...end - 1 of a row.
typedef struct runs_run {
    uint16_t start, end;
} runs_run;

struct pv_paper_runs {
    int w, h;
    size_t bytes;
    pv_allocator allocator;
    runs_run *run;
    uint32_t first[];
};

/// Allocates the header and count runs. Returns null without memory.
static pv_paper_runs *runs_make(const pv__bits *bits, uint32_t count,
                                const pv_allocator *allocator) {
    size_t head = sizeof(pv_paper_runs) + ((size_t)bits->h + 1) * sizeof(uint32_t);
    if (count > (SIZE_MAX - head) / sizeof(runs_run)) return NULL;
    size_t bytes = head + count * sizeof(runs_run);
    pv_paper_runs *runs = pv__alloc(allocator, 1, bytes);
    if (!runs) return NULL;
    runs->w = bits->w;
    runs->h = bits->h;
    runs->bytes = bytes;
    runs->allocator = *allocator;
    runs->run = (runs_run *)(void *)(runs->first + bits->h + 1);
    return runs;
}

pv_paper_runs *pv_paper_runs_encode(const pv_mask *mask, const pv_allocator *allocator,
                                    pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_pointer(e, "mask", mask)) return NULL;
    pv_allocator from = pv__allocator(allocator);
    const pv__bits *bits = &mask->bits;
    uint32_t count = 0;
    for (int y = 0; y < bits->h; y++)
        for (pv__run r = {0, 0}; pv__mask_run_next(bits, y, &r);) count++;
    pv_paper_runs *runs = runs_make(bits, count, &from);
    if (!runs) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    runs_run *out = runs->run;
    for (int y = 0; y < bits->h; y++) {
        for (pv__run r = {0, 0}; pv__mask_run_next(bits, y, &r);)
            *out++ = (runs_run){(uint16_t)r.start, (uint16_t)r.end};
        runs->first[y + 1] = (uint32_t)(out - runs->run);
    }
    return runs;
}

pv_mask *pv_paper_runs_decode(const pv_paper_runs *runs, const pv_allocator *allocator,
                              pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_pointer(e, "runs", runs)) return NULL;
    pv_mask *mask = pv__mask_make(e, runs->w, runs->h, allocator);
    if (!mask) return NULL;
    for (int y = 0; y < runs->h; y++)
        for (uint32_t i = runs->first[y]; i < runs->first[y + 1]; i++) {
            runs_run r = runs->run[i];
            pv_mask_fill_rect(mask, (pv_rect){r.start, y, r.end - r.start, 1}, true);
        }
    return mask;
}

void pv_paper_runs_destroy(pv_paper_runs *runs) {
    if (!runs) return;
    pv_allocator from = runs->allocator;
    pv__free(&from, runs, 1, runs->bytes);
}

/// Returns the number of shared pixels of two sorted lists of runs, with the second at an offset of
/// dx.
static int64_t runs_merge(const runs_run *a, const runs_run *a_end, const runs_run *b,
                          const runs_run *b_end, int64_t dx) {
    int64_t area = 0;
    while (a < a_end && b < b_end) {
        int64_t start = b->start + dx, end = b->end + dx;
        int64_t low = start > a->start ? start : a->start, high = end < a->end ? end : a->end;
        if (high > low) area += high - low;
        if (end < a->end)
            b++;
        else
            a++;
    }
    return area;
}

int64_t pv_paper_runs_compute_overlap_area(const pv_paper_runs *a, const pv_paper_runs *b, int dx,
                                           int dy) {
    int64_t area = 0;
    if (!a || !b) return 0;
    for (int64_t y = dy > 0 ? dy : 0; y < a->h && y < (int64_t)dy + b->h; y++) {
        const uint32_t *at_a = a->first + y, *at_b = b->first + (y - dy);
        area +=
            runs_merge(a->run + at_a[0], a->run + at_a[1], b->run + at_b[0], b->run + at_b[1], dx);
    }
    return area;
}

/* ---- the shape of an overlap: the extent of a contact along its length ----
 *
 * Invariant: the shape derives from integer sums over the shared pixels and from their extremes.
 * The result depends neither on their order nor on the kernel.
 */

/// Returns the direction of the greater spread, and the variances along and across it.
static pv_vec2 main_axis(double xx, double xy, double yy, double *along, double *across) {
    double half = 0.5 * (xx - yy), root = sqrt(half * half + xy * xy), mean = 0.5 * (xx + yy);
    /* This form of the eigenvector avoids cancellation. */
    pv_vec2 axis = half >= 0 ? pv__vec(half + root, xy) : pv__vec(xy, root - half);
    double length = pv__length(axis);
    *along = mean + root;
    *across = pv__max(0, mean - root);
    return length > 0 ? pv__mul(1.0 / length, axis) : pv__vec(1, 0);
}

/// Finds the least and the greatest distance of the shared pixels from their mean, along the axis.
static void patch_find_ends(const pv__window *o, pv__patch *p) {
    p->low = INFINITY;
    p->high = -INFINITY;
    for (int s = o->first; s <= o->last; s++) {
        pv__lane l = pv__lane_of(o, s);
        for (int i = 0; i < l.n; i++) {
            uint64_t w = pv__shared(&l, i);
            if (!w) continue;
            double up = (l.y + i + 0.5 - p->mean.y) * p->axis.y, x = l.x + 0.5 - p->mean.x;
            double left = up + (x + __builtin_ctzll(w)) * p->axis.x;
            double right = up + (x + 63 - __builtin_clzll(w)) * p->axis.x;
            p->low = pv__min(p->low, pv__min(left, right));
            p->high = pv__max(p->high, pv__max(left, right));
        }
    }
}

bool pv__bits_patch(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                    pv__patch *patch) {
    pv__window o;
    pv__products s;
    if (!pv__window_of(&o, a, b, dx, dy)) return false;
    pv__kernel_in_use()->products(a, b, dx, dy, &s);
    if (s.n == 0) return false;
    double n = (double)s.n, x = (double)s.x / n, y = (double)s.y / n;
    double xx = (double)s.xx / n - x * x, xy = (double)s.xy / n - x * y,
           yy = (double)s.yy / n - y * y;
    patch->axis = main_axis(xx, xy, yy, &patch->along, &patch->across);
    patch->mean = pv__vec(x + s.x0 + 0.5, y + s.y0 + 0.5);
    patch_find_ends(&o, patch);
    return true;
}
