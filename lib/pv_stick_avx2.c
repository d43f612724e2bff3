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

#define PV__WIDE_AVX2
#include "pv_stick_code.h"

const pv__stick_kernel pv__stick_avx2 = {start, relax, drift};

#endif
