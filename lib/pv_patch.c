/* pv_patch.c - the shape of what two bitmaps share: where along its length it presses.
 *
 * Invariant: derived from whole sums over the shared pixels and their extreme ones, so no result depends on the order in
 * which they are visited, or on the kernel.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_kernel.h"
#include "pv_math.h"
#include "pv_pixels.h"

/// Word y of stripe s of a, and of b moved over it.
static uint64_t shared_word(const pv__bits *a, const pv__bits *b, int s, int y, int64_t dx, int64_t dy) {
    int64_t column = (int64_t)s * 64 - dx;
    int shift = (int)(column & 63), low = (int)((column - shift) / 64), stripes = pv__stripes(b->w);
    const uint64_t *row = b->words + (y - dy);
    uint64_t word = low >= 0 && low < stripes ? row[(ptrdiff_t)low * b->h] >> shift : 0;
    if (shift && low + 1 >= 0 && low + 1 < stripes) word |= row[(ptrdiff_t)(low + 1) * b->h] << (64 - shift);
    return word & a->words[(size_t)s * (size_t)a->h + (size_t)y];
}

typedef struct window {
    int first, last, top, bottom; ///< stripes first...last, rows top...bottom - 1
} window;

static bool window_of(window *o, const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy) {
    int64_t left = dx > 0 ? dx : 0, right = dx + b->w < a->w ? dx + b->w : a->w;
    int64_t top = dy > 0 ? dy : 0, bottom = dy + b->h < a->h ? dy + b->h : a->h;
    if (left >= right || top >= bottom) return false;
    *o = (window){(int)(left >> 6), (int)(right - 1) >> 6, (int)top, (int)bottom};
    return true;
}

/// Direction of the greater spread, and the variances along and across it.
static pv_vec2 main_axis(double xx, double xy, double yy, double *along, double *across) {
    double half = 0.5 * (xx - yy), root = sqrt(half * half + xy * xy), mean = 0.5 * (xx + yy);
    /* of the two ways to write the eigenvector the one without cancellation */
    pv_vec2 axis = half >= 0 ? pv__vec(half + root, xy) : pv__vec(xy, root - half);
    double length = pv__length(axis);
    *along = mean + root;
    *across = pv__max(0, mean - root);
    return length > 0 ? pv__mul(1.0 / length, axis) : pv__vec(1, 0);
}

/// Least and greatest distance along the axis of what is shared from its mean.
static void find_ends(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, const window *o,
                      pv__patch *p) {
    p->low = INFINITY;
    p->high = -INFINITY;
    for (int s = o->first; s <= o->last; s++)
        for (int y = o->top; y < o->bottom; y++) {
            uint64_t w = shared_word(a, b, s, y, dx, dy);
            if (!w) continue;
            double up = (y + 0.5 - p->mean.y) * p->axis.y, x = s * 64 + 0.5 - p->mean.x;
            double left = up + (x + __builtin_ctzll(w)) * p->axis.x;
            double right = up + (x + 63 - __builtin_clzll(w)) * p->axis.x;
            p->low = pv__min(p->low, pv__min(left, right));
            p->high = pv__max(p->high, pv__max(left, right));
        }
}

bool pv__bits_patch(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, pv__patch *patch) {
    window o;
    pv__products s;
    if (!window_of(&o, a, b, dx, dy)) return false;
    pv__kernel_in_use()->products(a, b, dx, dy, &s);
    if (s.n == 0) return false;
    double n = (double)s.n, x = (double)s.x / n, y = (double)s.y / n;
    double xx = (double)s.xx / n - x * x, xy = (double)s.xy / n - x * y, yy = (double)s.yy / n - y * y;
    patch->axis = main_axis(xx, xy, yy, &patch->along, &patch->across);
    patch->mean = pv__vec(x + s.x0 + 0.5, y + s.y0 + 0.5);
    find_ends(a, b, dx, dy, &o, patch);
    return true;
}
