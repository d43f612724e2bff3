/* pv_lanes_generic.c - contacts four wide by whatever vectors the compiler has for every CPU of the kind.
 *
 * Invariant: bit for bit the results of pv_lanes_avx2.c.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_lanes_code.h"

const pv__lane_kernel pv__lanes_generic = {measure,   hit,  warm,    solve, harden,   begin_sweep,
                                           end_sweep, aim,  advance, rise,  withdraw, forget,
                                           relax,     part, move,    fly};
