/* stick_kernel_generic.c - length constraints and particles in the compiler's own vectors.
 *
 * Invariant: every other kernel has the same results bit for bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "joint/stick_kernel.h"

const pv__stick_kernel pv__stick_generic = {stick_start, stick_relax, stick_drift};
