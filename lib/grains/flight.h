/* flight.h - the interface of the flight: moves grains far from all pixels, many at a time.
 *
 * Invariant: every kernel gives the same bits. A grain that might touch something is left in place,
 * with its new motion, and its bit is set in the result.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_GRAINS_FLIGHT_H
#define PV_GRAINS_FLIGHT_H

#include "core/world.h"
#include "pixel/kernel.h"

typedef struct pv__flight_kernel {
    /// Moves the grains in a word of 64 slots, starting at first. Returns the bits of those that
    /// might touch something.
    uint64_t (*fly)(const pv__grains *g, int first, uint64_t moving);
} pv__flight_kernel;

extern const pv__flight_kernel pv__flight_generic;
#ifdef PV__X86_KERNELS
extern const pv__flight_kernel pv__flight_avx2;
#endif

static inline const pv__flight_kernel *pv__flight_choose(void) { return PV__KERNEL_OF(pv__flight); }

#endif
