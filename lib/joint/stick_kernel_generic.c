/* stick_kernel_generic.c - sticks and particles by whatever vectors the compiler has for this
 * machine.
 *
 * Invariant: the bits of every other kernel are these.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "joint/stick_kernel.h"

const pv__stick_kernel pv__stick_generic = {stick_start, stick_relax, stick_drift};
