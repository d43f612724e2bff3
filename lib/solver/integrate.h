/* integrate.h - the interface of integrate.c: position Verlet of two particles and the stick
 * between them; one point, stepped in four ways.
 *
 * Invariant: as in integrate.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_INTEGRATE_H
#define PV_SOLVER_INTEGRATE_H

#include "core/world.h"

/// Moves every awake body by one substep: time-corrected Verlet and the stick.
void pv__integrate_bodies(pv_world *world, double h);
/// Stops what was driven to a place in the last step and is not in this one.
void pv__integrate_stop_driven(pv_world *world);
/// Stops bodies that pushes of matter would have out of the numbers.
void pv__integrate_settle(pv_world *world);

#endif
