/* manifold.h - the interface of manifold.c: the manifolds of a world: which pairs have one, and
 * what the world says of them.
 *
 * Invariant: as in manifold.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_MANIFOLD_H
#define PV_COLLIDE_MANIFOLD_H

#include "core/world.h"

/// Turns world->pairs into world->active, keeping what was known of a pair.
void pv__manifold_keep_pairs(pv_world *world);
/// Begins a step with those of the last one.
void pv__manifold_hold_all(pv_world *world);
/// Takes up pairs from the first on that the step does not know yet, and drops the others; they are
/// looked at in a substep.
void pv__manifold_add_pairs(pv_world *world, int first, int due);
/// Makes room for so many slots, and so many that are active; false without memory.
bool pv__manifold_reserve(pv_world *world, int slots, int active);
/// Makes impulses those of a substep that is so many times as long.
void pv__manifold_scale_impulses(pv_world *world, double by);
/// Exchanges the room for manifolds of two worlds.
void pv__manifold_swap_all(pv_world *a, pv_world *b);
/// Makes a slot one of which nothing is known but its pair.
void pv__manifold_clear(pv_world *world, int slot, int a, int b);
/// Fills the table with the slots that have a pair.
void pv__manifold_enter_all(pv_world *world);
/// The manifold of a pair, a < b, or null.
const pv__manifold *pv__manifold_between(const pv_world *world, int a, int b);
/// What a manifold is to those who ask: false when nothing presses.
bool pv__manifold_contact(const pv_world *world, const pv__manifold *m, pv_contact *contact);

#endif
