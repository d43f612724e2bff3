/* contact_points.h - room for the points of manifolds: two beside each slot, eight in a block.
 *
 * Invariant: a manifold has a block if it has had more than PV__MANIFOLD_NEAR points, until it is
 * cleared. Free blocks wait for other manifolds. Workers may take blocks at the same time.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_CONTACT_POINTS_H
#define PV_COLLIDE_CONTACT_POINTS_H

#include "core/world.h"

/// Opens the blocks of a world; returns false without memory.
bool pv__contact_points_open(pv_world *world);
/// Frees the room of all manifolds, and the blocks.
void pv__contact_points_free(pv_world *world);
/// Reserves room for the points of that number of slots, and that number of free blocks. Returns
/// false without memory.
bool pv__contact_points_reserve(pv_world *world, int slots, int blocks);
/// Gives a slot's manifold, whose members are zeros, the room beside the slot.
void pv__contact_points_begin(pv_world *world, int slot);
/// Takes back the block of a manifold that ends.
void pv__contact_points_end(pv_world *world, pv__manifold *m);
/// Gives a manifold room for a number of points, whose values are undefined. Returns false without
/// memory, and then changes nothing.
bool pv__contact_points_fit(const pv_world *world, pv__manifold *m, int count);

#endif
