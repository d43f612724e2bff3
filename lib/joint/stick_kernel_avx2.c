/* stick_kernel_avx2.c - length constraints and particles in AVX2.
 *
 * Invariant: the results equal those of stick_kernel_generic.c bit for bit. The code is AVX2 only,
 * without fused products and sums.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "joint/stick.h"
#include "pixel/kernel.h"

#ifdef PV__X86_KERNELS

#define PV__WIDE_AVX2
#include "joint/stick_kernel.h"

const pv__stick_kernel pv__stick_avx2 = {stick_start, stick_relax, stick_drift};

#endif
