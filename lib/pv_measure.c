/* pv_measure.c - how the pixels of a mask are spread out.
 *
 * Invariant: sums are whole numbers up to the last step, so nothing depends on their order; with sides up to
 * 2^15 none leaves 63 bits.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_math.h"
#include "pv_pixels.h"

/// Number of pixels, and the sums of their whole coordinates and of the products of these.
typedef struct sums {
    int64_t n, x, y, xx, xy, yy;
} sums;

/// Sum of the squares of 0...k - 1.
static int64_t squares_below(int64_t k) { return (k - 1) * k * (2 * k - 1) / 6; }

static void add_row(sums *o, const pv__bits *bits, int64_t y) {
    int64_t n = 0, x = 0;
    for (pv__run run = {0, 0}; pv__run_next(bits, (int)y, &run);) {
        int64_t length = run.end - run.start;
        n += length;
        x += length * (run.start + run.end - 1) / 2;
        o->xx += squares_below(run.end) - squares_below(run.start);
    }
    o->n += n;
    o->x += x;
    o->y += n * y;
    o->xy += x * y;
    o->yy += n * y * y;
}

/// Takes the sums about a whole number near the mean, so that little is subtracted in floating point.
static sums centred(const sums *o) {
    int64_t n = o->n, x = (2 * o->x + n) / (2 * n), y = (2 * o->y + n) / (2 * n);
    return (sums){
        .n = n,
        .x = o->x - n * x,
        .y = o->y - n * y,
        .xx = o->xx - 2 * x * o->x + n * x * x,
        .xy = (o->xy - x * o->y) - y * (o->x - n * x),
        .yy = o->yy - 2 * y * o->y + n * y * y,
    };
}

pv_moments pv_mask_moments(const pv_mask *mask) {
    sums all = {0, 0, 0, 0, 0, 0};
    for (int y = 0; mask && y < mask->bits.h; y++) add_row(&all, &mask->bits, y);
    if (all.n == 0) return (pv_moments){0, 0, 0, 0};
    sums o = centred(&all);
    double n = (double)o.n, x = (double)o.x, y = (double)o.y;
    /* n times what the moments are: whole numbers, exact up to 2^53, so that symmetric sprites have no angle */
    double product = n * (double)o.xy - x * y, difference = n * (double)(o.xx - o.yy) - (x * x - y * y);
    return (pv_moments){
        .xx = (double)o.xx - x * x / n + n / 12.0,
        .xy = product / n,
        .yy = (double)o.yy - y * y / n + n / 12.0,
        .angle = 0.5 * pv__atan2(2.0 * product, difference),
    };
}
