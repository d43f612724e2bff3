/* simd.h - operations on vectors of four besides + - * /, for the instruction set of the
 * including kernel.
 *
 * Invariant: results have the same bits on every CPU. A kernel for AVX2 defines PV__WIDE_AVX2.
 * LANES marks functions for its instruction set, and never an instruction set that fuses products
 * and sums. There is no guard, as each kernel includes this file once.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/world.h"

#ifdef PV__WIDE_AVX2

#include <immintrin.h>

#define LANES __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline)) LANES

INLINE pv__four simd_pick(pv__which w, pv__four yes, pv__four no) {
    return (pv__four)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)w);
}
INLINE pv__four simd_larger(pv__four x, pv__four y) {
    return (pv__four)_mm256_max_pd((__m256d)x, (__m256d)y);
}
INLINE pv__four smaller(pv__four x, pv__four y) {
    return (pv__four)_mm256_min_pd((__m256d)x, (__m256d)y);
}
INLINE pv__four simd_root(pv__four x) { return (pv__four)_mm256_sqrt_pd((__m256d)x); }
INLINE bool simd_any(pv__which w) { return _mm256_movemask_pd((__m256d)w) != 0; }

#else

#define LANES
#define INLINE static inline __attribute__((always_inline)) LANES

INLINE pv__four simd_pick(pv__which w, pv__four yes, pv__four no) {
    return (pv__four)(((pv__which)yes & w) | ((pv__which)no & ~w));
}
INLINE pv__four simd_larger(pv__four x, pv__four y) { return simd_pick(x > y, x, y); }
INLINE pv__four smaller(pv__four x, pv__four y) { return simd_pick(x < y, x, y); }
INLINE pv__four simd_root(pv__four x) {
    return (pv__four){sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])};
}
INLINE bool simd_any(pv__which w) { return (w[0] | w[1] | w[2] | w[3]) != 0; }

#endif

INLINE pv__four simd_each(double x) { return (pv__four){x, x, x, x}; }
