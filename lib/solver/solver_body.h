/* solver_body.h - the interface of solver_body.c: the hot copies of bodies that a step by contours
 * works on, and which of them it may leave alone.
 *
 * Invariant: as in solver_body.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_SOLVER_BODY_H
#define PV_SOLVER_SOLVER_BODY_H

#include "core/world.h"

/// Makes movers of what is awake; false without memory.
bool pv__solver_body_gather(pv_world *world, double h);
/// Makes movers of what that may touch, and watches the step's pairs; false without memory.
bool pv__solver_body_gather_pairs(pv_world *world);
/// Makes movers of bodies that rest in pairs from the first on; those that fly are stepped after a
/// substep.
void pv__solver_body_gather_met(pv_world *world, int first, int substep);
/// Leaves islands in which nothing changed in the substep, of this time, out of the others.
void pv__solver_body_rest_quiet(pv_world *world, double h);
/// Leaves out what has come to rest in a later substep.
void pv__solver_body_rest_settled(pv_world *world, double h);
/// Takes out of the substeps what flies alone.
void pv__solver_body_set_flying(pv_world *world, double h);
/// Has what flies go through the step's other substeps.
void pv__solver_body_fly_all(pv_world *world);
/// Returns the course of a mover's island, or null for what cannot be moved.
const pv__solver_state *pv__solver_body_island_of(const pv_world *world, int mover);
/// Makes particles of movers.
void pv__solver_body_store(pv_world *world, double h);

#endif
