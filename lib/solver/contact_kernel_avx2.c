/* contact_kernel_avx2.c - contacts four wide with AVX2.
 *
 * Invariant: the results equal contact_kernel_generic.c bit for bit. AVX2 alone has no fused
 * products and sums.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/kernel.h"
#include "solver/contact_batch.h"

#ifdef PV__X86_KERNELS

#define PV__WIDE_AVX2
#include "solver/contact_kernel.h"

const pv__batch_kernel pv__lanes_avx2 = {
    lane_measure, lane_hit,   lane_warm,  lane_solve,   lane_gaps, lane_load,
    begin_sweep,  end_sweep,  lane_aim,   lane_advance, lane_rise, withdraw,
    lane_forget,  lane_relax, accelerate, move_listed,  lane_move, lane_fly};

#endif
