/* constraint.h - the interface of constraint.c: the table of constraints: made, destroyed, read
 * and written.
 *
 * Invariant: as in constraint.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_JOINT_CONSTRAINT_H
#define PV_JOINT_CONSTRAINT_H

#include "core/matter.h"

/// What a def may ask for.
bool pv__constraint_stiffness_in_range(double stiffness);
/// Counts how many ends of constraints particles and bodies are held by.
void pv__constraint_count_anchor(pv_world *world, const pv__anchor *grip, int by);
/// Takes a constraint out, without waking what it held.
void pv__constraint_drop(pv_world *world, int slot);
/// Makes room for so many more constraints that are let go; false without memory.
bool pv__constraint_reserve_let_go(pv_world *world, int more);
/// Takes a constraint out whose anchor's pixels are gone, and notes it for the next step to tell;
/// there must be room.
void pv__constraint_let_go(pv_world *world, int slot);
/// The same of all that hold a particle or a body; one of them is none, 0 or -1.
void pv__constraint_drop_all_of(pv_world *world, int particle, int body);
/// Wakes the bodies that constraints join to a particle or a body.
void pv__constraint_wake_all_of(pv_world *world, int particle, int body);
/// The same when it was put elsewhere: those constraints come to where they are to be by and by.
void pv__constraint_ease_all_of(pv_world *world, int particle, int body);
/// Returns what a particle is named by in a bar.
int pv__constraint_name_bar(const pv_world *world, int particle);
/// Lists such pairs anew; false without memory.
bool pv__constraint_list_bars(pv_world *world);
/// Takes a constraint out that had to give too much, and tells of it.
void pv__constraint_break(pv_world *world, int slot, double force);

#endif
