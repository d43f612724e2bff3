/* substeps.h - the interface of substeps.c: number of substeps per island.
 *
 * Invariant: as in substeps.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_SUBSTEPS_H
#define PV_SOLVER_SUBSTEPS_H

#include "core/world.h"

/// Chooses the kind of substeps for each island, after the first substep.
void pv__substeps_choose_paces(pv_world *world, double h);
/// Tells whether there are substeps of a kind. Usual ones may exist for matter alone, without
/// bodies.
bool pv__substeps_has_pace(const pv_world *world, pv__pace pace);
/// Starts the other substeps of a kind, world->substeps in all with the first; returns their length
/// [s].
double pv__substeps_begin_pace(pv_world *world, pv__pace pace, double h);
/// Ends substeps of a kind, and restores impulses and the count of usual substeps.
void pv__substeps_end_pace(pv_world *world, double h, int substeps);

#endif
