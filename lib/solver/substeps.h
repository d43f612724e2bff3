/* substeps.h - the interface of substeps.c: number of substeps per island.
 *
 * Invariant: as in substeps.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_SUBSTEPS_H
#define PV_SOLVER_SUBSTEPS_H

#include "core/world.h"

/// Begins the substeps after the first, usual or long ones, world->substeps in all with the first;
/// returns their length [s].
double pv__substeps_begin(pv_world *world, double h);
/// Ends the substeps, and restores impulses and the usual number.
void pv__substeps_end(pv_world *world, double h, int substeps);

#endif
