/* math.h - vectors, rotations, and the only trigonometry that may affect a world.
 *
 * Invariant: the functions use only + - * / sqrt, comparisons and integer conversions, in a fixed
 * order. So every result has the same bits on every IEEE 754 machine (compiled with
 * -ffp-contract=off). The only function of libm is sqrt.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_BASE_MATH_H
#define PV_BASE_MATH_H

#include "base/constants.h"
#include "pixverlet.h"

#include <float.h>
#include <math.h>

/* A build with flags other than configure's fails here, as far as macros reveal them. The value 1
 * is allowed: it affects only float, which the library does not use. */
#if !defined FLT_EVAL_METHOD || (FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1)
#error "libpixverlet needs plain IEEE 754 doubles (FLT_EVAL_METHOD 0; on x86: -msse2 -mfpmath=sse)"
#endif
#if defined __FAST_MATH__ || defined __ASSOCIATIVE_MATH__ || defined __RECIPROCAL_MATH__ ||        \
    defined __NO_SIGNED_ZEROS__ || (defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__ != 0)
#error                                                                                             \
    "libpixverlet must not be compiled with -ffast-math, nor with a part of it: machines would differ"
#endif
/* gcc sets this macro to 0 for -std=c11 with contraction, and for other flags that change
 * results. */
#if defined __GCC_IEC_559 && __GCC_IEC_559 == 0
#error "libpixverlet must be compiled with -ffp-contract=off: machines would differ"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define PV__PI 3.14159265358979323846

static inline double pv__min(double a, double b) { return a < b ? a : b; }
static inline double pv__max(double a, double b) { return a > b ? a : b; }
static inline double pv__clamp(double x, double low, double high) {
    return pv__max(low, pv__min(x, high));
}
static inline double pv__abs(double x) { return __builtin_fabs(x); } /* a bit operation, no call */

static inline pv_vec2 pv__vec(double x, double y) { return (pv_vec2){x, y}; }
static inline pv_vec2 pv__add(pv_vec2 a, pv_vec2 b) { return (pv_vec2){a.x + b.x, a.y + b.y}; }
static inline pv_vec2 pv__sub(pv_vec2 a, pv_vec2 b) { return (pv_vec2){a.x - b.x, a.y - b.y}; }
static inline pv_vec2 pv__mul(double k, pv_vec2 a) { return (pv_vec2){k * a.x, k * a.y}; }
/// Returns a + k b.
static inline pv_vec2 pv__mad(pv_vec2 a, double k, pv_vec2 b) {
    return (pv_vec2){a.x + k * b.x, a.y + k * b.y};
}
static inline pv_vec2 pv__lerp(pv_vec2 a, pv_vec2 b, double t) {
    return pv__mad(a, t, pv__sub(b, a));
}
static inline double pv__dot(pv_vec2 a, pv_vec2 b) { return a.x * b.x + a.y * b.y; }
/// Returns the point of the segment from a to b that is nearest to p.
static inline pv_vec2 pv__nearest_between(pv_vec2 a, pv_vec2 b, pv_vec2 p) {
    pv_vec2 way = pv__sub(b, a);
    double square = pv__dot(way, way), part = square > 0 ? pv__dot(pv__sub(p, a), way) / square : 0;
    return pv__mad(a, pv__clamp(part, 0, 1), way);
}
static inline double pv__cross(pv_vec2 a, pv_vec2 b) { return a.x * b.y - a.y * b.x; }
/// Returns the vector turned a quarter clockwise on the screen: the velocity of point a at angular
/// velocity 1.
static inline pv_vec2 pv__perp(pv_vec2 a) { return (pv_vec2){-a.y, a.x}; }
static inline double pv__length(pv_vec2 a) { return sqrt(pv__dot(a, a)); }
/// Returns the unit vector in the direction of a; (0, 0) if a is zero.
static inline pv_vec2 pv__direction(pv_vec2 a) {
    double length = pv__length(a);
    return length > 0 ? (pv_vec2){a.x / length, a.y / length} : (pv_vec2){0, 0};
}
/// Returns an upper bound of the length, at most an eighth too long, without the cost of a root.
static inline double pv__length_most(double x, double y) {
    double p = pv__abs(x), q = pv__abs(y);
    return pv__max(p + 0.5 * q, q + 0.5 * p);
}

/* boxes */

/// Returns the box around two points.
static inline pv_box pv__box_around(pv_vec2 a, pv_vec2 b) {
    return (pv_box){{pv__min(a.x, b.x), pv__min(a.y, b.y)}, {pv__max(a.x, b.x), pv__max(a.y, b.y)}};
}

/// Extends a box to include a point.
static inline void pv__enclose(pv_box *box, pv_vec2 at) {
    box->min = pv__vec(pv__min(box->min.x, at.x), pv__min(box->min.y, at.y));
    box->max = pv__vec(pv__max(box->max.x, at.x), pv__max(box->max.y, at.y));
}

/// Tells whether two boxes share more than their edges.
static inline bool pv__boxes_meet(const pv_box *a, const pv_box *b) {
    return (a->min.x < b->max.x) & (b->min.x < a->max.x) & (a->min.y < b->max.y) &
           (b->min.y < a->max.y);
}

/// Tells whether two boxes share a point.
static inline bool pv__boxes_touch(const pv_box *a, const pv_box *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y &&
           b->min.y <= a->max.y;
}

static inline bool pv__is_mass(double x) { return pv__within(x, PV__RANGE_MASS); }
static inline bool pv__finite(double x) { return isfinite(x); }
static inline bool pv__finite2(pv_vec2 a) { return isfinite(a.x) && isfinite(a.y); }
/// Returns x, or the greatest number of its sign if it overflowed, or 0 for NaN.
static inline double pv__held(double x) {
    return x >= -DBL_MAX && x <= DBL_MAX ? x : x > 0 ? DBL_MAX : x < 0 ? -DBL_MAX : 0;
}
static inline pv_vec2 pv__held2(pv_vec2 v) { return (pv_vec2){pv__held(v.x), pv__held(v.y)}; }
/// Returns the nearest point within the coordinates of a world; 0 along an axis for NaN.
static inline pv_vec2 pv__into_world(pv_vec2 a) {
    pv_vec2 p = pv__held2(a);
    return (pv_vec2){pv__clamp(p.x, -PV_MAX_COORDINATE, PV_MAX_COORDINATE),
                     pv__clamp(p.y, -PV_MAX_COORDINATE, PV_MAX_COORDINATE)};
}
/// Tells whether a point is finite and within the coordinates of a world.
static inline bool pv__placeable(pv_vec2 a) {
    return pv__abs(a.x) <= PV_MAX_COORDINATE && pv__abs(a.y) <= PV_MAX_COORDINATE;
}

/// Returns the largest integer <= x, clamped to +-2^62. NaN gives -2^62.
static inline int64_t pv__floor(double x) {
    if (!(x > -0x1p62 && x < 0x1p62)) return x > 0 ? INT64_C(1) << 62 : -(INT64_C(1) << 62);
    int64_t i = (int64_t)x;
    return i - (x < (double)i);
}

/// Sets c to cos(x) and s to sin(x) / x - 1, for |x| <= pi/4 and z = x * x. The Taylor series ends
/// below half an ulp; it works for numbers and for vectors.
#define PV__SERIES_OCTANT(z, c, s)                                                                 \
    do {                                                                                           \
        s = z * (-1.0 / 1307674368000.0) + 1.0 / 6227020800.0;                                     \
        s = s * z - 1.0 / 39916800.0;                                                              \
        s = s * z + 1.0 / 362880.0;                                                                \
        s = s * z - 1.0 / 5040.0;                                                                  \
        s = s * z + 1.0 / 120.0;                                                                   \
        s = s * z - 1.0 / 6.0;                                                                     \
        s = s * z;                                                                                 \
        c = z * (1.0 / 20922789888000.0) - 1.0 / 87178291200.0;                                    \
        c = c * z + 1.0 / 479001600.0;                                                             \
        c = c * z - 1.0 / 3628800.0;                                                               \
        c = c * z + 1.0 / 40320.0;                                                                 \
        c = c * z - 1.0 / 720.0;                                                                   \
        c = c * z + 1.0 / 24.0;                                                                    \
        c = c * z - 0.5;                                                                           \
        c = c * z + 1.0;                                                                           \
    } while (0)

/// Returns cosine and sine for |x| <= pi/4.
static inline pv_rotation pv__sincos_octant(double x) {
    double z = x * x, c, s;
    PV__SERIES_OCTANT(z, c, s);
    return (pv_rotation){c, s * x + x};
}

/// Returns cosine and sine of an angle, |angle| <= 1e6 [rad]. Quarter turns are subtracted in two
/// parts. The first part has few enough bits for exact multiples (Cody and Waite 1980).
static inline pv_rotation pv__rotation(double angle) {
    if (pv__abs(angle) < 0.5) return pv__sincos_octant(angle);
    const double half_pi_high = 0x1.921fb544p+0, half_pi_low = 0x1.0b4611a626331p-34;
    int64_t quarters = pv__floor(angle * (2.0 / PV__PI) + 0.5);
    double k = (double)quarters;
    pv_rotation r = pv__sincos_octant((angle - k * half_pi_high) - k * half_pi_low);
    switch (quarters & 3) {
    case 1: return (pv_rotation){-r.s, r.c};
    case 2: return (pv_rotation){-r.c, -r.s};
    case 3: return (pv_rotation){r.s, -r.c};
    default: return r;
    }
}

/// Returns the arc tangent for 0 <= t <= 1: halves the angle twice, then sums Gregory's series.
static inline double pv__atan_unit(double t) {
    t = t / (1.0 + sqrt(1.0 + t * t));
    t = t / (1.0 + sqrt(1.0 + t * t));
    double z = t * t, sum = 0;
    for (int n = 25; n >= 3; n -= 2) sum = (1.0 / n - sum) * z;
    return 4.0 * (t - t * sum);
}

/// Returns the angle of (x, y) in (-pi, pi]; 0 for (0, 0) [rad].
static inline double pv__atan2(double y, double x) {
    double ax = pv__abs(x), ay = pv__abs(y);
    if (ax == 0 && ay == 0) return 0;
    double a = ax >= ay ? pv__atan_unit(ay / ax) : PV__PI / 2 - pv__atan_unit(ax / ay);
    if (x < 0) a = PV__PI - a;
    return y < 0 ? -a : a;
}

/// Returns the arc sine for |s| <= 1 [rad]. For small s it uses the series, which is exact to
/// rounding there.
static inline double pv__asin(double s) {
    double z = s * s;
    if (z < 1e-4) return s + s * z * (1.0 / 6 + z * (3.0 / 40 + z * (15.0 / 336)));
    return pv__atan2(s, sqrt((1.0 - s) * (1.0 + s)));
}

/// Returns R v.
static inline pv_vec2 pv__rotate(pv_rotation r, pv_vec2 v) {
    return pv__vec(r.c * v.x - r.s * v.y, r.s * v.x + r.c * v.y);
}
/// Returns R^-1 v.
static inline pv_vec2 pv__unrotate(pv_rotation r, pv_vec2 v) {
    return pv__vec(r.c * v.x + r.s * v.y, r.c * v.y - r.s * v.x);
}

/// Returns a rotation turned by another one.
static inline pv_rotation pv__turned(pv_rotation r, pv_rotation by) {
    return (pv_rotation){r.c * by.c - r.s * by.s, r.s * by.c + r.c * by.s};
}

/// Returns the turn from one rotation to another.
static inline pv_rotation pv__turn_between(pv_rotation from, pv_rotation to) {
    return (pv_rotation){from.c * to.c + from.s * to.s, from.c * to.s - from.s * to.c};
}

static inline bool pv__same_place(pv_vec2 a, pv_vec2 b) { return a.x == b.x && a.y == b.y; }
static inline bool pv__same_pixel(pv_point a, pv_point b) { return a.x == b.x && a.y == b.y; }

/// Returns a vector scaled by another one.
static inline pv_vec2 pv__scale(pv_vec2 a, pv_vec2 b) { return pv__vec(a.x * b.x, a.y * b.y); }

static inline int pv__later(int a, int b) { return a > b ? a : b; }
static inline int pv__sooner(int a, int b) { return a < b ? a : b; }

/// Returns a box widened on all sides.
static inline pv_box pv__box_widened(pv_box box, double by) {
    return (pv_box){{box.min.x - by, box.min.y - by}, {box.max.x + by, box.max.y + by}};
}

/// Returns the box around two boxes.
static inline pv_box pv__box_join(pv_box a, pv_box b) {
    return (pv_box){{pv__min(a.min.x, b.min.x), pv__min(a.min.y, b.min.y)},
                    {pv__max(a.max.x, b.max.x), pv__max(a.max.y, b.max.y)}};
}

/// Returns the rectangle around two rectangles.
static inline pv_rect pv__rect_join(pv_rect a, pv_rect b) {
    int x = pv__sooner(a.x, b.x), y = pv__sooner(a.y, b.y);
    return (pv_rect){x, y, pv__later(a.x + a.w, b.x + b.w) - x,
                     pv__later(a.y + a.h, b.y + b.h) - y};
}

/// Tells whether a rectangle contains another one.
static inline bool pv__rect_contains(pv_rect a, pv_rect b) {
    return b.x >= a.x && b.y >= a.y && b.x + b.w <= a.x + a.w && b.y + b.h <= a.y + a.h;
}

/// Returns the intersection of two rectangles; its size is 0 if they share nothing.
static inline pv_rect pv__rect_meet(pv_rect a, pv_rect b) {
    int x = pv__later(a.x, b.x), y = pv__later(a.y, b.y);
    int w = pv__sooner(a.x + a.w, b.x + b.w) - x, h = pv__sooner(a.y + a.h, b.y + b.h) - y;
    return w > 0 && h > 0 ? (pv_rect){x, y, w, h} : (pv_rect){x, y, 0, 0};
}

#endif
