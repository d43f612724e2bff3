/* pv_stick_avx2.c - sticks and particles by AVX2.
 *
 * Invariant: bit for bit the results of pv_stick_generic.c: AVX2 alone, which has no fused products and sums.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_kernel.h"

#ifdef PV__X86_KERNELS

#include "pv_stick.h"

#include <immintrin.h>

#define LANES __attribute__((target("avx2")))
#define WIDE static inline __attribute__((always_inline)) LANES

WIDE pv__four pick(pv__which w, pv__four yes, pv__four no) {
    return (pv__four)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)w);
}
WIDE pv__four larger(pv__four x, pv__four y) { return (pv__four)_mm256_max_pd((__m256d)x, (__m256d)y); }
WIDE pv__four smaller(pv__four x, pv__four y) { return (pv__four)_mm256_min_pd((__m256d)x, (__m256d)y); }
WIDE pv__four root(pv__four x) { return (pv__four)_mm256_sqrt_pd((__m256d)x); }
WIDE bool any(pv__which w) { return _mm256_movemask_pd((__m256d)w) != 0; }

#include "pv_stick_code.h"

const pv__stick_kernel pv__stick_avx2 = {start, relax, drift};

#endif
