/* simd.h - operations on vectors of four besides + - * /, for the instruction set of the
 * including kernel.
 *
 * Invariant: results have the same bits on every CPU. A kernel for AVX2 defines PV__WIDE_AVX2.
 * LANES marks functions for its instruction set, which must not fuse products and sums. There is no
 * include guard, because each source file includes it once.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/world.h"

#include <string.h>

/// Four vectors: after simd_transpose(), the first, second, third and fourth numbers of its inputs
typedef struct simd_columns {
    pv__four x, y, z, w;
} simd_columns;

/// Vector of two
typedef double simd_two __attribute__((vector_size(16)));
/// Two vectors, element by element
typedef struct simd_zipped {
    simd_two first, second, third, fourth;
} simd_zipped;

#ifdef PV__WIDE_AVX2

#include <immintrin.h>

#define LANES __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline)) LANES

INLINE pv__four simd_each(double x) { return (pv__four){x, x, x, x}; }

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
INLINE unsigned simd_bits(pv__which w) { return (unsigned)_mm256_movemask_pd((__m256d)w); }
INLINE bool simd_any(pv__which w) { return simd_bits(w) != 0; }

INLINE pv__which simd_gt(pv__four x, pv__four y) { return x > y; }
INLINE pv__which simd_ge(pv__four x, pv__four y) { return x >= y; }
INLINE pv__which simd_eq(pv__four x, pv__four y) { return x == y; }
INLINE pv__which simd_ne(pv__four x, pv__four y) { return x != y; }

INLINE simd_columns simd_transpose(pv__four p, pv__four q, pv__four r, pv__four s) {
    pv__four even_pq = __builtin_shufflevector(p, q, 0, 4, 2, 6),
             odd_pq = __builtin_shufflevector(p, q, 1, 5, 3, 7);
    pv__four even_rs = __builtin_shufflevector(r, s, 0, 4, 2, 6),
             odd_rs = __builtin_shufflevector(r, s, 1, 5, 3, 7);
    return (simd_columns){__builtin_shufflevector(even_pq, even_rs, 0, 1, 4, 5),
                          __builtin_shufflevector(odd_pq, odd_rs, 0, 1, 4, 5),
                          __builtin_shufflevector(even_pq, even_rs, 2, 3, 6, 7),
                          __builtin_shufflevector(odd_pq, odd_rs, 2, 3, 6, 7)};
}

INLINE simd_zipped simd_zip(pv__four x, pv__four y) {
    pv__four even = __builtin_shufflevector(x, y, 0, 4, 2, 6),
             odd = __builtin_shufflevector(x, y, 1, 5, 3, 7);
    return (simd_zipped){
        __builtin_shufflevector(even, even, 0, 1), __builtin_shufflevector(odd, odd, 0, 1),
        __builtin_shufflevector(even, even, 2, 3), __builtin_shufflevector(odd, odd, 2, 3)};
}

INLINE pv__four simd_gather(const double *from, const int *i) {
    return (pv__four){from[i[0]], from[i[1]], from[i[2]], from[i[3]]};
}

#else

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define LANES
#define INLINE static inline __attribute__((always_inline)) LANES

typedef int64_t simd_which_two __attribute__((vector_size(16)));
/// Halves of a vector. gcc would compare vectors of four one by one on a CPU with vectors of two.
typedef struct simd_halves {
    simd_two low, high;
} simd_halves;

INLINE simd_halves simd_split(pv__four x) {
    simd_halves h;
    memcpy(&h, &x, sizeof h);
    return h;
}
INLINE pv__four simd_whole(simd_two low, simd_two high) {
    simd_halves h = {low, high};
    pv__four x;
    memcpy(&x, &h, sizeof x);
    return x;
}
INLINE pv__four simd_each(double x) { return simd_whole((simd_two){x, x}, (simd_two){x, x}); }
INLINE pv__which simd_join(simd_which_two low, simd_which_two high) {
    return (pv__which)simd_whole((simd_two)low, (simd_two)high);
}

INLINE pv__which simd_gt(pv__four x, pv__four y) {
    simd_halves p = simd_split(x), q = simd_split(y);
    return simd_join(p.low > q.low, p.high > q.high);
}
INLINE pv__which simd_ge(pv__four x, pv__four y) {
    simd_halves p = simd_split(x), q = simd_split(y);
    return simd_join(p.low >= q.low, p.high >= q.high);
}
INLINE pv__which simd_eq(pv__four x, pv__four y) {
    simd_halves p = simd_split(x), q = simd_split(y);
    return simd_join(p.low == q.low, p.high == q.high);
}
INLINE pv__which simd_ne(pv__four x, pv__four y) { return ~simd_eq(x, y); }

INLINE pv__four simd_pick(pv__which w, pv__four yes, pv__four no) {
    return (pv__four)(((pv__which)yes & w) | ((pv__which)no & ~w));
}
#ifdef __SSE2__
INLINE pv__four simd_larger(pv__four x, pv__four y) {
    simd_halves p = simd_split(x), q = simd_split(y);
    return simd_whole(_mm_max_pd(p.low, q.low), _mm_max_pd(p.high, q.high));
}
INLINE pv__four smaller(pv__four x, pv__four y) {
    simd_halves p = simd_split(x), q = simd_split(y);
    return simd_whole(_mm_min_pd(p.low, q.low), _mm_min_pd(p.high, q.high));
}
INLINE pv__four simd_root(pv__four x) {
    simd_halves h = simd_split(x);
    return simd_whole(_mm_sqrt_pd(h.low), _mm_sqrt_pd(h.high));
}
INLINE unsigned simd_bits(pv__which w) {
    simd_halves h = simd_split((pv__four)w);
    return (unsigned)(_mm_movemask_pd(h.low) | _mm_movemask_pd(h.high) << 2);
}
#else
INLINE pv__four simd_larger(pv__four x, pv__four y) { return simd_pick(simd_gt(x, y), x, y); }
INLINE pv__four smaller(pv__four x, pv__four y) { return simd_pick(simd_gt(y, x), x, y); }
INLINE pv__four simd_root(pv__four x) {
    return (pv__four){sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])};
}
INLINE unsigned simd_bits(pv__which w) {
    return (unsigned)((w[0] & 1) | (w[1] & 2) | (w[2] & 4) | (w[3] & 8));
}
#endif
INLINE bool simd_any(pv__which w) { return (w[0] | w[1] | w[2] | w[3]) != 0; }

INLINE simd_columns simd_transpose(pv__four p, pv__four q, pv__four r, pv__four s) {
    simd_halves a = simd_split(p), b = simd_split(q), c = simd_split(r), d = simd_split(s);
    return (simd_columns){simd_whole(__builtin_shufflevector(a.low, b.low, 0, 2),
                                     __builtin_shufflevector(c.low, d.low, 0, 2)),
                          simd_whole(__builtin_shufflevector(a.low, b.low, 1, 3),
                                     __builtin_shufflevector(c.low, d.low, 1, 3)),
                          simd_whole(__builtin_shufflevector(a.high, b.high, 0, 2),
                                     __builtin_shufflevector(c.high, d.high, 0, 2)),
                          simd_whole(__builtin_shufflevector(a.high, b.high, 1, 3),
                                     __builtin_shufflevector(c.high, d.high, 1, 3))};
}

INLINE simd_zipped simd_zip(pv__four x, pv__four y) {
    simd_halves p = simd_split(x), q = simd_split(y);
    return (simd_zipped){__builtin_shufflevector(p.low, q.low, 0, 2),
                         __builtin_shufflevector(p.low, q.low, 1, 3),
                         __builtin_shufflevector(p.high, q.high, 0, 2),
                         __builtin_shufflevector(p.high, q.high, 1, 3)};
}

INLINE pv__four simd_gather(const double *from, const int *i) {
    return simd_whole((simd_two){from[i[0]], from[i[1]]}, (simd_two){from[i[2]], from[i[3]]});
}

#endif

/// Vector in an array of numbers or points
typedef double simd_array __attribute__((vector_size(32), aligned(8), may_alias));

INLINE pv__four simd_load(const void *four) { return (pv__four) * (const simd_array *)four; }
INLINE void simd_store(void *four, pv__four v) { *(simd_array *)four = (simd_array)v; }
