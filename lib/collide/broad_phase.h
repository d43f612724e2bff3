/* broad_phase.h - the interface of broad_phase.c: candidate pairs from swept boxes: two hashed
 * grids with cells of many sizes (Ericson 2005, section 7.2).
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_BROAD_PHASE_H
#define PV_COLLIDE_BROAD_PHASE_H

#include "core/world.h"

/// Fills world->pairs with all candidate pairs, sorted: their swept boxes overlap, and at least one
/// body is awake. The boxes hold for the time ahead [s].
void pv__broad_phase_find_pairs(pv_world *world, double ahead);
/// Reserves memory for that number of further bodies, so that later only pairs need memory; returns
/// false without memory.
bool pv__broad_phase_reserve(pv_world *world, int more);
/// Frees the memory of the grids.
void pv__broad_phase_free(pv_world *world);
/// Marks a body as displaced: it came, went, fell asleep, was moved or may collide with other
/// bodies than before.
void pv__broad_phase_displace(pv_world *world, int index);
/// Marks all bodies as displaced. The world had that number of bodies before.
void pv__broad_phase_displace_all(pv_world *world, int before);
/// Fills world->grid.near with all resting bodies whose boxes overlap a box, and returns their
/// number. Bodies that woke just before may be among them.
int pv__broad_phase_find_resting(pv_world *world, const pv_box *box);
/// Lays out the awake bodies except sensors, with their swept boxes of the finished step.
void pv__broad_phase_lay_out_ways(pv_world *world);
/// Fills near with laid-out bodies whose boxes overlap the box of a body, and returns their number.
/// The body itself may be among them; resting bodies are if resting is true. The array near needs
/// room for one more than all bodies.
int pv__broad_phase_find_met(const pv_world *world, int index, bool resting, int *near);
/// Prepares the workers for a search and clears their pairs; returns false without memory.
bool pv__broad_phase_equip(pv_world *world);
/// Makes room for further pairs among a worker's; returns false without memory.
bool pv__broad_phase_make_room(pv_world *world, pv__worker *w, int more);
/// Sets the budget of a step for the enlargement of boxes.
void pv__broad_phase_allow_enlarging(pv_world *world);
/// Pairs a body that wakes within the step with the resting bodies in its box.
void pv__broad_phase_pair_resting(pv_world *world, int index);
/// Tells whether a body will stay in its box for that number of substeps of the length h [s] if
/// only gravity and forces act on it.
bool pv__broad_phase_keeps_to_box(const pv_world *world, int index, double h, int substeps);
/// Notes which active bodies left their boxes in a substep; returns whether any did.
bool pv__broad_phase_some_left(pv_world *world, double h);
/// Enlarges the boxes of the bodies that left them, and adds their pairs.
void pv__broad_phase_enlarge_boxes(pv_world *world, double h, int substep);

#endif
