/* wake_reached.h - the interface of wake_reached.c: sleeping bodies that a substep reaches.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_WAKE_REACHED_H
#define PV_SOLVER_WAKE_REACHED_H

#include "core/world.h"

/// Tells whether the next substep may move a sleeping body of the group.
bool pv__wake_reached_any(pv_world *world, double h);
/// Wakes the bodies that pv__wake_reached_any() has found, with their islands, and all that these
/// may move in the substep.
void pv__wake_reached(pv_world *world, double h, int substep);

#endif
