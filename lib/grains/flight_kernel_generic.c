/* flight_kernel_generic.c - the flight of grains in the compiler's own vectors.
 *
 * Invariant: every other kernel has the same results bit for bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#define LANES
#include "grains/flight_kernel.h"

const pv__flight_kernel pv__flight_generic = {flight_fly};
