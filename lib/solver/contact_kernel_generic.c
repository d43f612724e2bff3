/* contact_kernel_generic.c - contacts four wide with the vectors that the compiler has for every
 * CPU of the kind.
 *
 * Invariant: the results equal contact_kernel_avx2.c bit for bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/contact_kernel.h"

const pv__batch_kernel pv__lanes_generic = {
    lane_measure, lane_hit,   lane_warm,  lane_solve,   lane_gaps, lane_load,
    begin_sweep,  end_sweep,  lane_aim,   lane_advance, lane_rise, withdraw,
    lane_forget,  lane_relax, accelerate, move_listed,  lane_move, lane_fly};
