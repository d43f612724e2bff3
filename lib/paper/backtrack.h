/* backtrack.h - the interface of backtrack.c: poses of bodies in contact at the end of the
 * substep (Cheng 2003, section 4.1).
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PAPER_BACKTRACK_H
#define PV_PAPER_BACKTRACK_H

#include "core/world.h"

/// Moves bodies in contact back to the touch and on with their exit velocities, as far as no pixels
/// overlap.
void pv__backtrack(pv_world *world, double h, int substep);

#endif
