/* duo.h - two numbers side by side, in one register of every 64-bit CPU.
 *
 * Invariant: each number gets the same bits as in scalar code. Minimum and maximum agree with
 * pv__min() and pv__max(), also for NaN.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_BASE_DUO_H
#define PV_BASE_DUO_H

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef double pv__duo __attribute__((vector_size(16), aligned(8), may_alias));
/// Two truth values, each with all bits set or none
typedef int64_t pv__which_duo __attribute__((vector_size(16), aligned(8), may_alias));

/// Returns the two numbers at a place of an array.
static inline pv__duo pv__duo_at(const double *place) { return *(const pv__duo *)place; }
/// Stores two numbers at a place of an array.
static inline void pv__duo_put(double *place, pv__duo x) { *(pv__duo *)place = x; }

/// Returns the numbers without their signs.
static inline pv__duo pv__duo_abs(pv__duo x) { return (pv__duo)((pv__which_duo)x & INT64_MAX); }

/// Picks each number from yes if its truth value is true, otherwise from no.
static inline pv__duo pv__duo_pick(pv__which_duo w, pv__duo yes, pv__duo no) {
    return (pv__duo)(((pv__which_duo)yes & w) | ((pv__which_duo)no & ~w));
}

#ifdef __SSE2__
static inline pv__duo pv__duo_min(pv__duo x, pv__duo y) { return _mm_min_pd(x, y); }
static inline pv__duo pv__duo_max(pv__duo x, pv__duo y) { return _mm_max_pd(x, y); }
/// Returns the truth values in the two lowest bits.
static inline unsigned pv__duo_bits(pv__which_duo w) {
    return (unsigned)_mm_movemask_pd((pv__duo)w);
}
#else
static inline pv__duo pv__duo_min(pv__duo x, pv__duo y) { return pv__duo_pick(x < y, x, y); }
static inline pv__duo pv__duo_max(pv__duo x, pv__duo y) { return pv__duo_pick(x > y, x, y); }
static inline unsigned pv__duo_bits(pv__which_duo w) { return (unsigned)((w[0] & 1) | (w[1] & 2)); }
#endif

#endif
