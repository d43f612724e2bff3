/* island_group.h - the interface of island_group.c: islands in groups that fit into a cache.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_ISLAND_GROUP_H
#define PV_SOLVER_ISLAND_GROUP_H

#include "core/world.h"

/// Takes the group whose context is in a world through its step. Returns false if it has to wait,
/// and goes on when called again.
typedef bool pv__group_step(pv_world *world, double h);

/// Divides the awake bodies and the pairs of a step into groups; returns false if one is enough.
bool pv__island_group_form(pv_world *world);
/// Steps all groups, the waiting ones last, and lists the pairs that they met.
void pv__island_group_run(pv_world *world, double h, pv__group_step *step);
/// Frees the groups, and the lists of the solver.
void pv__island_group_free(pv_world *world);

#endif
