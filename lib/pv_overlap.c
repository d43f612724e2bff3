/* pv_overlap.c - what two bitmaps share at an offset: whether, how much, where, along which normal, how deep.
 *
 * Invariant: all that is summed is summed by a kernel in whole numbers, so no result depends on which kernel
 * that is; only here are sums divided.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_kernel.h"
#include "pv_math.h"

/// Pairs that are looked at ahead of the one that is tested: first where the bitmap is, then its rows.
enum { FAR_AHEAD = 12, AHEAD = 6 };

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

bool pv__bits_overlap(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, pv_overlap *overlap) {
    pv__tally t;
    double length;
    *overlap = (pv_overlap){0};
    pv__kernel_in_use()->overlap(a, b, dx, dy, &t);
    if (t.area == 0) return false;
    double area = (double)t.area;
    overlap->area = t.area;
    overlap->point = pv__vec((double)t.x / area + 0.5, (double)t.y / area + 0.5);
    overlap->normal = normal_of(t.gx, t.gy, &length);
    if (length > 0) overlap->depth = 2.0 * area / length; /* the slope spans two pixels */
    overlap->box = t.box;
    return true;
}

bool pv__bits_gradient(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, int radius,
                       pv_vec2 *normal) {
    int64_t slope[2];
    double length;
    /* 4 : 1 makes sum(w o_i o_j o_k o_l) isotropic, so the leading error turns with the shapes. */
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

bool pv_mask_hit(const pv_mask *a, const pv_mask *b, int dx, int dy) {
    return a && b && pv__kernel_in_use()->hit(&a->bits, &b->bits, dx, dy);
}

int64_t pv_mask_overlap_area(const pv_mask *a, const pv_mask *b, int dx, int dy) {
    return a && b ? pv__kernel_in_use()->area(&a->bits, &b->bits, dx, dy) : 0;
}

bool pv_mask_overlap(const pv_mask *a, const pv_mask *b, int dx, int dy, pv_overlap *overlap) {
    pv_overlap unwanted;
    if (!overlap) overlap = &unwanted;
    *overlap = (pv_overlap){0};
    return a && b && pv__bits_overlap(&a->bits, &b->bits, dx, dy, overlap);
}

bool pv_mask_overlap_normal(const pv_mask *a, const pv_mask *b, int dx, int dy, pv_vec2 *normal) {
    int64_t slope[2] = {0, 0};
    double length;
    if (a && b) pv__kernel_in_use()->gradient(&a->bits, &b->bits, dx, dy, slope);
    pv_vec2 n = normal_of(slope[0], slope[1], &length);
    if (normal) *normal = n;
    return length > 0;
}

/* ---- many pairs ---- */

static void fetch_lines(const uint64_t *words, int64_t from, int64_t count) {
    for (int64_t i = from & ~INT64_C(7); i < from + count; i += 8) __builtin_prefetch(words + i);
}

/// Asks for the rows that two masks of one stripe can share, of others for the first of them.
static void fetch_rows(const pv_mask_pair *p) {
    if (!p->a || !p->b) return;
    const pv__bits *a = &p->a->bits, *b = &p->b->bits;
    int64_t top = p->dy > 0 ? p->dy : 0, bottom = (int64_t)p->dy + b->h < a->h ? (int64_t)p->dy + b->h : a->h;
    int64_t rows = bottom - top < 64 ? bottom - top : 64;
    fetch_lines(a->words, top, rows);
    fetch_lines(b->words, top - p->dy, rows);
}

int64_t pv_masks_hit(const pv_mask_pair *pairs, size_t count, bool *hits) {
    int64_t found = 0;
    for (size_t i = 0; pairs && i < count; i++) {
        if (count - i > FAR_AHEAD) {
            __builtin_prefetch(pairs[i + FAR_AHEAD].a);
            __builtin_prefetch(pairs[i + FAR_AHEAD].b);
        }
        if (count - i > AHEAD) fetch_rows(&pairs[i + AHEAD]);
        bool is_hit = pv_mask_hit(pairs[i].a, pairs[i].b, pairs[i].dx, pairs[i].dy);
        if (hits) hits[i] = is_hit;
        found += is_hit;
    }
    return found;
}
