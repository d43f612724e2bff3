/* substeps.h - the interface of substeps.c: number of substeps of a group of islands.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_SUBSTEPS_H
#define PV_SOLVER_SUBSTEPS_H

#include "core/world.h"

/// Gives the group long substeps if all its islands are brisk: sets world->substeps and world->h,
/// and lets bodies fly. h is the usual length [s]. Returns whether it did.
bool pv__substeps_lengthen(pv_world *world, double h);
/// Ends the group's substeps: sets the usual length and number.
void pv__substeps_end(pv_world *world, double h, int substeps);

#endif
