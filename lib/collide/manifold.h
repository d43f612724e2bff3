/* manifold.h - the interface of manifold.c: the manifolds of a world.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_MANIFOLD_H
#define PV_COLLIDE_MANIFOLD_H

#include "core/world.h"

/// Turns world->pairs into world->active, and keeps the manifolds of known pairs.
void pv__manifold_keep_pairs(pv_world *world);
/// Starts a step with the manifolds of the last one.
void pv__manifold_hold_all(pv_world *world);
/// Adds those pairs from the first on that are new in the step, and drops the others. Their first
/// update is in the substep due.
void pv__manifold_add_pairs(pv_world *world, int first, int due);
/// Merges the slots of the pairs from the first on into the step's list, and sorts these pairs.
void pv__manifold_merge(pv_world *world, int first);
/// Inserts a slot into the step's list, which is in order of pairs; returns false without memory.
bool pv__manifold_insert(pv_world *world, int slot);
/// Reserves memory for that number of slots, of wide manifolds, which have a block, and of active
/// ones. Returns false without memory.
bool pv__manifold_reserve(pv_world *world, int slots, int wide, int active);
/// Scales all impulses to a substep whose length is scaled by a factor.
void pv__manifold_scale_impulses(pv_world *world, double by);
/// Empties the manifolds that a lost pose has filled with invalid numbers, in a step with frozen
/// bodies. The next step tests these pairs anew.
void pv__manifold_forget_lost(pv_world *world);
/// Resets a slot to an empty manifold of a pair.
void pv__manifold_clear(pv_world *world, int slot, int a, int b);
/// Fills the table with all slots that have a pair.
void pv__manifold_enter_all(pv_world *world);
/// Returns the manifold of a pair, a < b, or null.
const pv__manifold *pv__manifold_between(const pv_world *world, int a, int b);
/// Fills a public contact from a manifold; returns false if the pair does not touch.
bool pv__manifold_contact(const pv_world *world, const pv__manifold *m, pv_contact *contact);

#endif
