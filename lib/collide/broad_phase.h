/* broad_phase.h - the interface of broad_phase.c: which boxes meet: two hashed grids with cells of
 * many sizes (Ericson 2005, section 7.2).
 *
 * Invariant: as in broad_phase.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_BROAD_PHASE_H
#define PV_COLLIDE_BROAD_PHASE_H

#include "core/world.h"

/// Fills world->pairs with all pairs whose swept boxes meet and of which one is awake; sorted.
/// ahead: how long the boxes are to hold [s].
void pv__broad_phase_find_pairs(pv_world *world, double ahead);
/// Sets a mover's box to what it covers while it goes by so much.
void pv__broad_phase_widen_room(pv_world *world, int index, double by);
/// Makes room for so many more bodies than there are, so that nothing but pairs takes memory later;
/// false without memory.
bool pv__broad_phase_reserve(pv_world *world, int more);
void pv__broad_phase_free(pv_world *world);
/// Says that a body came, went, fell asleep, was put elsewhere or may meet others than before.
void pv__broad_phase_displace(pv_world *world, int index);
/// Says that all bodies may lie elsewhere, of which there were so many before.
void pv__broad_phase_displace_all(pv_world *world, int before);
/// Fills world->grid.near with bodies whose boxes meet a box, all that rest among them; the result
/// is how many.
int pv__broad_phase_find_resting(pv_world *world, const pv_box *box);
/// Lays out what is awake and no sensor by where it was in the step, which is over.
void pv__broad_phase_lay_out_ways(pv_world *world);
/// Fills world->grid.near with bodies laid out whose boxes meet one's then, maybe itself among
/// them; the result is how many.
int pv__broad_phase_find_met(pv_world *world, int index, bool resting);
/// Returns what of a body can touch in a pose: its contour's box, or without one its picture's.
pv_box pv__broad_phase_touching_box(const pv__body *b, pv__pose pose);
/// Sets the budget of a step.
void pv__broad_phase_allow_enlarging(pv_world *world);
/// Tells whether a body, of which nothing but its gain changes the motion, will never have left its
/// box in the step.
bool pv__broad_phase_keeps_to_box(const pv_world *world, int index, double h);
/// Enlarges the boxes of bodies that left them in a substep, and adds their pairs.
void pv__broad_phase_enlarge_boxes(pv_world *world, double h, int substep);

#endif
