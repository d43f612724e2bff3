/* integrate.h - the interface of integrate.c: position Verlet of two particles at a fixed
 * distance, and four integrators of a point.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_INTEGRATE_H
#define PV_SOLVER_INTEGRATE_H

#include "core/world.h"

/// Moves every awake body by one substep, with time-corrected Verlet and the distance constraint.
void pv__integrate_bodies(pv_world *world, double h);
/// Stops a body in a pose after a motion beyond the range of numbers.
void pv__integrate_freeze(pv_world *world, pv__body *b, pv__pose pose);
/// Stops bodies that were driven to a place in the last step and are not in this one.
void pv__integrate_stop_driven(pv_world *world);
/// Stops bodies that pushes have moved out of the range of numbers, and puts them back.
void pv__integrate_settle(pv_world *world);

#endif
