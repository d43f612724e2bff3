/* force.h - the interface of force.c: wind, attractors, buoyancy and explosions.
 *
 * Invariant: as in force.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_FORCE_H
#define PV_WORLD_FORCE_H

#include "core/matter.h"

/// Adds what the forces do in a step to the forces of particles and of bodies that are awake.
void pv__force_apply_all(pv_world *world, double dt);
void pv__force_free_all(pv_world *world);

#endif
