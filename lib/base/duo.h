/* duo.h - two numbers side by side, in one register of every 64-bit CPU.
 *
 * Invariant: a number has the same bits as alone. Minimum and maximum are those of pv__min() and
 * pv__max(), for NaN, too.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef double pv__duo __attribute__((vector_size(16), aligned(8), may_alias));
/// Two truth values, of all bits or none
typedef int64_t pv__which_duo __attribute__((vector_size(16), aligned(8), may_alias));

/// Returns the two numbers at a place of an array.
static inline pv__duo pv__duo_at(const double *place) { return *(const pv__duo *)place; }
/// Stores two numbers at a place of an array.
static inline void pv__duo_put(double *place, pv__duo x) { *(pv__duo *)place = x; }

/// Returns the numbers of yes where a truth value says so, otherwise those of no.
static inline pv__duo pv__duo_pick(pv__which_duo w, pv__duo yes, pv__duo no) {
    return (pv__duo)(((pv__which_duo)yes & w) | ((pv__which_duo)no & ~w));
}

#ifdef __SSE2__
static inline pv__duo pv__duo_min(pv__duo x, pv__duo y) { return _mm_min_pd(x, y); }
static inline pv__duo pv__duo_max(pv__duo x, pv__duo y) { return _mm_max_pd(x, y); }
/// Returns truth values as the lowest two bits.
static inline unsigned pv__duo_bits(pv__which_duo w) {
    return (unsigned)_mm_movemask_pd((pv__duo)w);
}
#else
static inline pv__duo pv__duo_min(pv__duo x, pv__duo y) { return pv__duo_pick(x < y, x, y); }
static inline pv__duo pv__duo_max(pv__duo x, pv__duo y) { return pv__duo_pick(x > y, x, y); }
static inline unsigned pv__duo_bits(pv__which_duo w) { return (unsigned)((w[0] & 1) | (w[1] & 2)); }
#endif
