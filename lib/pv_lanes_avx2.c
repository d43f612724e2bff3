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

#define PV__WIDE_AVX2
#include "pv_lanes_code.h"

const pv__lane_kernel pv__lanes_avx2 = {measure, hit,  warm,     solve,  harden, begin_sweep, end_sweep, aim,
                                        advance, rise, withdraw, forget, relax,  part,        move,      fly};

#endif
