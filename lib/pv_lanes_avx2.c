/* pv_lanes_avx2.c - contacts four wide by AVX2.
 *
 * Invariant: bit for bit the results of pv_lanes_generic.c: AVX2 alone, which has no fused products and sums.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_kernel.h"

#ifdef PV__X86_KERNELS

#include "pv_lanes.h"

#include <immintrin.h>

#define LANES __attribute__((target("avx2")))
#define WIDE static inline __attribute__((always_inline)) LANES

WIDE pv__four pick(pv__which w, pv__four yes, pv__four no) {
    return (pv__four)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)w);
}
WIDE pv__four larger(pv__four x, pv__four y) { return (pv__four)_mm256_max_pd((__m256d)x, (__m256d)y); }
WIDE pv__four smaller(pv__four x, pv__four y) { return (pv__four)_mm256_min_pd((__m256d)x, (__m256d)y); }
WIDE pv__four root(pv__four x) { return (pv__four)_mm256_sqrt_pd((__m256d)x); }

#include "pv_lanes_code.h"

const pv__lane_kernel pv__lanes_avx2 = {measure, hit, warm, solve, move};

#endif
