/* backtrack.h - the interface of backtrack.c: where bodies that touched end the substep (Cheng
 * 2003, section 4.1).
 *
 * Invariant: as in backtrack.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_BACKTRACK_H
#define PV_SOLVER_BACKTRACK_H

#include "core/world.h"

/// Moves what touched back to the touch and on with its exit velocities, as far as no pixels meet.
void pv__backtrack(pv_world *world, double h);

#endif
