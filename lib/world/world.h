/* world.h - the interface of world.c: the world: made, destroyed, counted and retimed.
 *
 * Invariant: as in world.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_WORLD_H
#define PV_WORLD_WORLD_H

#include "core/world.h"

/// Makes now - before mean the same velocities for a substep of another length.
void pv__world_retime(pv_world *world, double h);

#endif
