/* substeps.h - the interface of substeps.c: how many substeps the islands of a step take.
 *
 * Invariant: as in substeps.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_SUBSTEPS_H
#define PV_SOLVER_SUBSTEPS_H

#include "core/world.h"

/// Chooses the paces of islands, after the first substep.
void pv__substeps_choose_paces(pv_world *world, double h);
/// Tells whether something goes on at a pace; at the usual one matter may, without bodies.
bool pv__substeps_has_pace(const pv_world *world, pv__pace pace);
/// Begins the other substeps of a pace, world->substeps in all with the first; returns their
/// length.
double pv__substeps_begin_pace(pv_world *world, pv__pace pace, double h);
/// Ends them: impulses and the count of substeps are those of usual ones again.
void pv__substeps_end_pace(pv_world *world, double h, int substeps);

#endif
