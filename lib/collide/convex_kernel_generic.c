/* convex_kernel_generic.c - contacts of discs and convex polygons in the compiler's own vectors.
 *
 * Invariant: every other kernel has the same results bit for bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/convex_kernel.h"

const pv__convex_kernel pv__convex_generic = {convex_gap, convex_meet};
