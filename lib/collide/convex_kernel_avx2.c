/* convex_kernel_avx2.c - contacts of discs and convex polygons in AVX2.
 *
 * Invariant: the results equal those of convex_kernel_generic.c bit for bit. The code is AVX2
 * alone, without fused products and sums.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/collide.h"

#ifdef PV__X86_KERNELS

#define PV__WIDE_AVX2
#include "collide/convex_kernel.h"

const pv__convex_kernel pv__convex_avx2 = {convex_gap, convex_meet};

#endif
