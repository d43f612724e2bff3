/* flight_kernel_avx2.c - the flight of grains in AVX2.
 *
 * Invariant: the results equal those of flight_kernel_generic.c bit for bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/flight.h"

#ifdef PV__X86_KERNELS

#define LANES __attribute__((target("avx2")))
#include "grains/flight_kernel.h"

const pv__flight_kernel pv__flight_avx2 = {flight_fly};

#endif
