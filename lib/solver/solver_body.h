/* solver_body.h - the interface of solver_body.c: copies of bodies for a step of contours, and
 * the choice of active ones.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_SOLVER_BODY_H
#define PV_SOLVER_SOLVER_BODY_H

#include "core/world.h"

/// Creates solver bodies of the awake bodies; returns false without memory.
bool pv__solver_body_gather(pv_world *world, double h);
/// Creates solver bodies of the resting bodies in the step's pairs, and schedules the pairs;
/// returns false without memory.
bool pv__solver_body_gather_pairs(pv_world *world);
/// Creates solver bodies of resting bodies in new pairs, from the first one on. In the next
/// substep, flying bodies in them are active, and so are islands at rest.
void pv__solver_body_gather_met(pv_world *world, int first, int substep);
/// Joins active bodies into islands and measures the islands' paces. Returns false, with neither
/// done, if fewer than least bodies have pairs, or if their mean pace is not above pace [px/s].
bool pv__solver_body_measure_paces(pv_world *world, int least, double pace);
/// Makes bodies inactive that the first substep has hardly moved, in islands that are calm enough.
void pv__solver_body_rest_quiet(pv_world *world, double h);
/// Makes bodies inactive that came to rest in a later substep.
void pv__solver_body_rest_settled(pv_world *world, double h);
/// Sets the gain of a solver body to a long substep's. A chord's velocity is the one at its middle,
/// so the first gain is less. A body with load had its velocity for the whole substep.
void pv__solver_body_lengthen(pv_world *world, int k, double h);
/// Wakes a body at rest and its island within a step, and finds its pairs with bodies at rest.
void pv__solver_body_wake(pv_world *world, int index, double h);
/// Moves bodies in free flight from the active bodies to the flying ones.
/// They fly through that number of substeps of the length h [s].
void pv__solver_body_set_flying(pv_world *world, double h, int substeps);
/// Moves flying bodies through the substeps of their flight, of the length h [s].
void pv__solver_body_fly_all(pv_world *world, double h);
/// Stores the solver bodies into the particles of their bodies.
void pv__solver_body_store(pv_world *world, double h);

#endif
