/* direct_layout.h - the interface of direct_layout.c: which joints are solved directly, and the
 * order of their rows.
 *
 * Invariant: as in direct_layout.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_JOINT_DIRECT_LAYOUT_H
#define PV_JOINT_DIRECT_LAYOUT_H

#include "core/matter.h"

/// Chooses the constraints that are solved directly, and in which order; false without memory.
bool pv__direct_lay_out(pv_world *world);
void pv__direct_free(pv_world *world);

#endif
