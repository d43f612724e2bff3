/* pv_smooth.c - smooths a loop of spots without shrinking it.
 *
 * Invariant: a free spot stays within REACH of where it began, any other where it is. The rounds of a pass are one
 * polynomial (Taubin, Zhang and Golub 1996), which is them within 2e-4, by Chebyshev's recurrence.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_loop.h"

#include <string.h>

/// Passes, each as so many rounds of two factors that keep the loop from shrinking (Taubin 1995), and how far a spot may
/// go [px].
static const int PASSES = 4, ROUNDS = 25;
static const double IN = 0.5, OUT = -0.503, REACH = 0.5;
/// Places at which a pass is sampled for its coefficients.
enum { SAMPLES = 32 };

/// What a pass multiplies a wave by, k being 1 minus the cosine of its phase from spot to spot.
static double pass_gain(double k) {
    double gain = 1;
    for (int round = 0; round < ROUNDS; round++) gain *= (1 - IN * k) * (1 - OUT * k);
    return gain;
}

/// Made to sum to 1, so that nothing is moved as a whole.
void pv__smooth_gains(double c[PV__SMOOTH_DEGREE + 1]) {
    double sum = 0;
    for (int j = 0; j <= PV__SMOOTH_DEGREE; j++) c[j] = 0;
    for (int m = 0; m < SAMPLES; m++) {
        double z = pv__rotation((m + 0.5) * PV__PI / SAMPLES).c, gain = pass_gain(1 - z);
        double before = z, t = 1;
        for (int j = 0; j <= PV__SMOOTH_DEGREE; j++) {
            c[j] += (j > 0 ? 2.0 : 1.0) * gain * t;
            double next = 2 * z * t - before;
            before = t;
            t = next;
        }
    }
    for (int j = 0; j <= PV__SMOOTH_DEGREE; j++) sum += c[j];
    for (int j = 0; j <= PV__SMOOTH_DEGREE; j++) c[j] /= sum;
}

/// A loop while it is smoothed: two terms of Chebyshev's recurrence, and the sum so far.
typedef struct filter {
    pv_vec2 *term, *before, *sum;
    size_t room;
} filter;

static void free_filter(const pv_allocator *allocator, filter *f) {
    pv__free(allocator, f->term, f->room, sizeof(pv_vec2));
    pv__free(allocator, f->before, f->room, sizeof(pv_vec2));
    pv__free(allocator, f->sum, f->room, sizeof(pv_vec2));
}

static bool make_room(const pv_allocator *allocator, filter *f, size_t n) {
    f->room = n;
    f->term = pv__alloc(allocator, n, sizeof(pv_vec2));
    f->before = pv__alloc(allocator, n, sizeof(pv_vec2));
    f->sum = pv__alloc(allocator, n, sizeof(pv_vec2));
    if (f->term && f->before && f->sum) return true;
    free_filter(allocator, f);
    return false;
}

/// The term after the next: twice the mean of the neighbours less the one before. What is not free keeps its place.
static void next_term(filter *f, const pv__spot *spots, int n, double scale, double keep, double c) {
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

/// One pass over all spots; those that are free stay within reach of where they began.
static void smooth_once(filter *f, const double *c, const pv__spot *begin, pv__spot *spots, int n) {
    for (int i = 0; i < n; i++) {
        f->term[i] = f->before[i] = spots[i].at;
        f->sum[i] = pv__mul(c[0], spots[i].at);
    }
    for (int j = 1; j <= PV__SMOOTH_DEGREE; j++) next_term(f, spots, n, j > 1 ? 2 : 1, j > 1 ? 1 : 0, c[j]);
    for (int i = 0; i < n; i++) {
        if (spots[i].kind != PV__SPOT_FREE) continue;
        pv_vec2 moved = pv__sub(f->sum[i], begin[i].at);
        double way = pv__dot(moved, moved);
        if (way > REACH * REACH) moved = pv__mul(REACH / sqrt(way), moved);
        spots[i].at = pv__add(begin[i].at, moved);
    }
}

static bool has_free(const pv__spot *spots, int n) {
    for (int i = 0; i < n; i++)
        if (spots[i].kind == PV__SPOT_FREE) return true;
    return false;
}

bool pv__smooth(const pv_allocator *allocator, const double *gains, pv__spot *spots, pv__spot *begin, int n) {
    filter f;
    if (!has_free(spots, n)) return true;
    if (!make_room(allocator, &f, (size_t)n)) return false;
    memcpy(begin, spots, (size_t)n * sizeof(pv__spot));
    for (int pass = 0; pass < PASSES; pass++) smooth_once(&f, gains, begin, spots, n);
    free_filter(allocator, &f);
    return true;
}
