/* liquid_kernel_avx2.c - liquids in AVX2.
 *
 * Invariant: the results equal those of liquid_kernel_generic.c bit for bit. The code is AVX2 only,
 * without fused products and sums.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "matter/liquid_pairs.h"
#include "pixel/kernel.h"

#ifdef PV__X86_KERNELS

#define PV__WIDE_AVX2
#include "matter/liquid_kernel.h"

const pv__liquid_kernel pv__liquid_avx2 = {liquid_search, liquid_feel, liquid_part};

#endif
