/* pv_overlap.c - what two bitmaps share at an offset: whether, how much, where, along which normal, how deep.
 *
 * Invariant: everything is a sum over lanes, a lane being one stripe of a against the one or two stripes of b
 * that lie over it, with one shift for all its rows; only the lane_ functions touch words. All sums are whole
 * numbers, so no result depends on the order of summation.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_math.h"
#include "pv_pixels.h"

/// A stripe of a over n rows, and b moved over it. A stripe that b lacks is masked out, its pointer being the
/// other's, so that the loops need no case for it.
typedef struct lane {
    const uint64_t *a, *low, *high;
    uint64_t keep_low, keep_high;
    int shift, n;
    int x, y; ///< the pixel of a at the lane's first bit
} lane;

/// The part of a that b's rectangle covers: stripes first...last, rows top...top + rows - 1.
typedef struct window {
    const pv__bits *a, *b;
    int64_t dx, dy;
    int first, last, top, rows;
} window;

static bool window_of(window *o, const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy) {
    if (dx >= a->w || dy >= a->h || dx + b->w <= 0 || dy + b->h <= 0) return false;
    int64_t right = dx + b->w < a->w ? dx + b->w : a->w;
    int64_t bottom = dy + b->h < a->h ? dy + b->h : a->h;
    int left = dx > 0 ? (int)dx : 0, top = dy > 0 ? (int)dy : 0;
    *o = (window){a, b, dx, dy, left >> 6, (int)(right - 1) >> 6, top, (int)bottom - top};
    return right > left && o->rows > 0;
}

static lane lane_of(const window *o, int stripe) {
    int64_t column = (int64_t)stripe * 64 - o->dx;
    int shift = (int)(column & 63), low = (int)((column - shift) / 64), stripes = pv__stripes(o->b->w);
    bool has_low = low >= 0, has_high = low + 1 < stripes;
    const uint64_t *row = o->b->words + (o->top - o->dy);
    ptrdiff_t h = o->b->h;
    return (lane){
        .a = o->a->words + (ptrdiff_t)stripe * o->a->h + o->top,
        .low = row + (has_low ? low : low + 1) * h,
        .high = row + (has_high ? low + 1 : low) * h,
        .keep_low = has_low ? ~UINT64_C(0) : 0,
        .keep_high = has_high ? ~UINT64_C(0) : 0,
        .shift = shift,
        .n = o->rows,
        .x = stripe * 64,
        .y = o->top,
    };
}

static inline uint64_t shared(const lane *l, int i) {
    uint64_t low = l->low[i] >> l->shift & l->keep_low;
    uint64_t high = l->high[i] << 1 << (63 - l->shift) & l->keep_high;
    return l->a[i] & (low | high);
}

static bool lane_hit(const lane *l) {
    int i = 0;
    for (; i + 4 <= l->n; i += 4)
        if (shared(l, i) | shared(l, i + 1) | shared(l, i + 2) | shared(l, i + 3)) return true;
    for (; i < l->n; i++)
        if (shared(l, i)) return true;
    return false;
}

/// The number of ones in each byte of a word.
static inline uint64_t ones_per_byte(uint64_t w) {
    w -= w >> 1 & UINT64_C(0x5555555555555555);
    w = (w & UINT64_C(0x3333333333333333)) + (w >> 2 & UINT64_C(0x3333333333333333));
    return (w + (w >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

/// Bytes hold the counts of up to 31 words before they are added up.
static int64_t lane_area(const lane *l) {
    int64_t area = 0;
    for (int i = 0; i < l->n;) {
        int stop = l->n - i > 31 ? i + 31 : l->n;
        uint64_t bytes = 0;
        for (; i < stop; i++) bytes += ones_per_byte(shared(l, i));
        bytes = (bytes & UINT64_C(0x00ff00ff00ff00ff)) + (bytes >> 8 & UINT64_C(0x00ff00ff00ff00ff));
        area += (int64_t)(bytes * UINT64_C(0x0001000100010001) >> 48);
    }
    return area;
}

/// Adds the number of shared pixels and the sums of their coordinates to sums[0...2]. c and s are the number of
/// ones and the sum of their places in each 2, 4, 8 bits; no byte of the products exceeds 224.
static void lane_moments(const lane *l, int64_t sums[3]) {
    const uint64_t pairs = UINT64_C(0x3333333333333333), halves = UINT64_C(0x0f0f0f0f0f0f0f0f);
    const uint64_t all = UINT64_C(0x0101010101010101), by_place = UINT64_C(0x0001020304050607);
    for (int i = 0; i < l->n; i++) {
        uint64_t w = shared(l, i);
        if (!w) continue;
        uint64_t s = w >> 1 & UINT64_C(0x5555555555555555), c = w - s;
        s = (s & pairs) + (s >> 2 & pairs) + 2 * (c >> 2 & pairs);
        c = (c & pairs) + (c >> 2 & pairs);
        s = (s & halves) + (s >> 4 & halves) + 4 * (c >> 4 & halves);
        c = (c & halves) + (c >> 4 & halves);
        int64_t n = (int64_t)(c * all >> 56),
                places = (int64_t)(s * all >> 56) + 8 * (int64_t)(c * by_place >> 56);
        sums[0] += n;
        sums[1] += n * l->x + places;
        sums[2] += n * (l->y + i);
    }
}

bool pv__bits_hit(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy) {
    window o;
    if (!window_of(&o, a, b, dx, dy)) return false;
    for (int s = o.first; s <= o.last; s++) {
        lane l = lane_of(&o, s);
        if (lane_hit(&l)) return true;
    }
    return false;
}

int64_t pv__bits_area(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy) {
    window o;
    int64_t area = 0;
    if (!window_of(&o, a, b, dx, dy)) return 0;
    for (int s = o.first; s <= o.last; s++) {
        lane l = lane_of(&o, s);
        area += lane_area(&l);
    }
    return area;
}

bool pv__bits_overlap(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, pv_overlap *overlap) {
    window o;
    int64_t sums[3] = {0, 0, 0};
    *overlap = (pv_overlap){0};
    if (!window_of(&o, a, b, dx, dy)) return false;
    for (int s = o.first; s <= o.last; s++) {
        lane l = lane_of(&o, s);
        lane_moments(&l, sums);
    }
    if (sums[0] == 0) return false;
    double area = (double)sums[0];
    overlap->area = sums[0];
    overlap->point = pv__vec((double)sums[1] / area + 0.5, (double)sums[2] / area + 0.5);
    pv_vec2 slope = pv__vec((double)(pv__bits_area(a, b, dx + 1, dy) - pv__bits_area(a, b, dx - 1, dy)),
                            (double)(pv__bits_area(a, b, dx, dy + 1) - pv__bits_area(a, b, dx, dy - 1)));
    double length = pv__length(slope);
    if (length > 0) {
        overlap->normal = pv__vec(-slope.x / length, -slope.y / length);
        overlap->depth = 2.0 * area / length; /* the slope spans two pixels */
    }
    return true;
}

bool pv__bits_gradient(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, int radius,
                       pv_vec2 *normal) {
    int64_t gx = 0, gy = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            if (i == 0 && j == 0) continue;
            /* 4 : 1 makes sum(w o_i o_j o_k o_l) isotropic, so the leading error turns with the shapes. */
            int weight = i == 0 || j == 0 ? 4 : 1;
            int64_t f = weight * pv__bits_area(a, b, dx + i * radius, dy + j * radius);
            gx += i * f;
            gy += j * f;
        }
    if (gx == 0 && gy == 0) return false;
    pv_vec2 slope = pv__vec((double)gx, (double)gy);
    double length = pv__length(slope);
    *normal = pv__vec(-slope.x / length, -slope.y / length);
    return true;
}

/// Adds the products of the coordinates of the shared pixels, counted from an origin, to sums: xx, xy, yy.
static void lane_products(const lane *l, int x0, int y0, int64_t sums[3]) {
    for (int i = 0; i < l->n; i++)
        for (uint64_t w = shared(l, i); w; w &= w - 1) {
            int64_t x = l->x + __builtin_ctzll(w) - x0, y = l->y + i - y0;
            sums[0] += x * x;
            sums[1] += x * y;
            sums[2] += y * y;
        }
}

bool pv__bits_strip(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, pv__strip *strip) {
    window o;
    int64_t sums[3] = {0, 0, 0}, products[3] = {0, 0, 0};
    if (!window_of(&o, a, b, dx, dy)) return false;
    int x0 = o.first * 64, y0 = o.top;
    for (int s = o.first; s <= o.last; s++) {
        lane l = lane_of(&o, s);
        lane_moments(&l, sums);
        lane_products(&l, x0, y0, products);
    }
    if (sums[0] == 0) return false;
    double n = (double)sums[0], x = (double)sums[1] / n - x0, y = (double)sums[2] / n - y0;
    double xx = (double)products[0] / n - x * x, xy = (double)products[1] / n - x * y;
    double yy = (double)products[2] / n - y * y;
    double half = 0.5 * (xx - yy), root = sqrt(half * half + xy * xy), mean = 0.5 * (xx + yy);
    /* of the two ways to write the eigenvector the one without cancellation */
    pv_vec2 axis = half >= 0 ? pv__vec(half + root, xy) : pv__vec(xy, root - half);
    double length = pv__length(axis);
    strip->axis = length > 0 ? pv__mul(1.0 / length, axis) : pv__vec(1, 0);
    strip->half_length = sqrt(3.0 * (mean + root));
    strip->half_width = sqrt(3.0 * pv__max(0, mean - root) + 0.25);
    return true;
}

bool pv_mask_hit(const pv_mask *a, const pv_mask *b, int dx, int dy) {
    return a && b && pv__bits_hit(&a->bits, &b->bits, dx, dy);
}

int64_t pv_mask_overlap_area(const pv_mask *a, const pv_mask *b, int dx, int dy) {
    return a && b ? pv__bits_area(&a->bits, &b->bits, dx, dy) : 0;
}

bool pv_mask_overlap(const pv_mask *a, const pv_mask *b, int dx, int dy, pv_overlap *overlap) {
    pv_overlap unwanted;
    if (!overlap) overlap = &unwanted;
    *overlap = (pv_overlap){0};
    return a && b && pv__bits_overlap(&a->bits, &b->bits, dx, dy, overlap);
}
