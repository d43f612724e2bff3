/* narrow_phase.h - the interface of narrow_phase.c: when which manifold has to be found again.
 *
 * Invariant: as in narrow_phase.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_NARROW_PHASE_H
#define PV_COLLIDE_NARROW_PHASE_H

#include "core/world.h"

/// All pairs of the step are looked at in the first substep; false without memory.
bool pv__narrow_phase_schedule_all(pv_world *world);
/// Looks at a manifold that came within the step, from a substep on.
void pv__narrow_phase_schedule(pv_world *world, int slot, int due);
/// Tells whether a step may go on with the pairs of the last one, in which all rested.
bool pv__narrow_phase_holds_pairs(const pv_world *world);
/// No pair of two that are quiet is looked at any more.
void pv__narrow_phase_keep_active(pv_world *world);
/// Converts the substeps in which pairs are due to so many after the first, in place of
/// world->substeps - 1.
void pv__narrow_phase_pace(pv_world *world, int count);
/// Marks the manifolds that have to be found or judged again in a substep. The solver puts their
/// impulses back then.
void pv__narrow_phase_mark(pv_world *world, double h, int substep);
/// Finds and judges what is marked. The solver takes it up then.
void pv__narrow_phase_update(pv_world *world, double h, int substep);
/// Wakes what will be touched in a step; whether there was any.
bool pv__narrow_phase_wake_reached(pv_world *world, double dt);

#endif
