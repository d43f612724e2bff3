/* liquid_kernel_generic.c - liquids in the compiler's own vectors.
 *
 * Invariant: every other kernel has the same results bit for bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "matter/liquid_kernel.h"

const pv__liquid_kernel pv__liquid_generic = {liquid_search, liquid_feel, liquid_part};
