/* island_group.h - the interface of island_group.c: islands in groups that fit into a cache.
 *
 * Invariant: as in island_group.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_ISLAND_GROUP_H
#define PV_SOLVER_ISLAND_GROUP_H

#include "core/world.h"

/// Parts the awake bodies and the pairs of a step into groups, and returns their number. With one
/// group, the lists of bodies and pairs stay as they are.
int pv__island_group_form(pv_world *world);
/// Makes the bodies and pairs of a group the only ones of the step.
void pv__island_group_begin(pv_world *world, int group);
/// Makes the bodies of the running group immovable for the others.
void pv__island_group_end(pv_world *world);
/// Lists all pairs of the step again, with those met since.
void pv__island_group_close(pv_world *world);
/// Frees the groups, and the lists of members and active bodies.
void pv__island_group_free(pv_world *world);

#endif
