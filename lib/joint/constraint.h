/* constraint.h - the interface of constraint.c: creates, destroys, reads and writes joints.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_JOINT_CONSTRAINT_H
#define PV_JOINT_CONSTRAINT_H

#include "base/error.h"
#include "core/matter.h"

/// Checks the object and the point of an anchor.
bool pv__constraint_check_anchor(pv_error *e, const pv_world *world, const char *field,
                                 const char *point_field, const pv_anchor *a);
/// Returns what is wrong with the ends of a joint of a type, or null.
/// @param bad gets the field at fault
const char *pv__constraint_wrong_ends(pv_joint_type type, const pv__anchor *a, const pv__anchor *b,
                                      const char **bad);
/// Tells whether an anchor's weights are in range; on a polygon, their sum must be about 1.
bool pv__constraint_weights_in_range(const pv__anchor *anchor);
/// Checks that two limits are finite and in order; otherwise blames the larger magnitude.
bool pv__constraint_check_limits(pv_error *e, const char *low_field, double low,
                                 const char *high_field, double high);
/// Creates a joint for a maker that has checked its parameters, unless *e has a failure. Its own
/// refusals name the parameters a, b, length and axis. Any refusal goes to the world's hook.
/// @param world null or busy only if *e says so
pv_joint_id pv__constraint_create(pv_world *world, const pv_joint_def *def, pv_error *e);
/// Returns the sum of both anchors' motions along their line for a unit of impulse along it
/// [1/mass]. Sleeping bodies count as awake.
double pv__constraint_yield(const pv_world *world, const pv_anchor *a, const pv_anchor *b);
/// Adds to the joint counts of the particles and the body at an anchor.
void pv__constraint_count_anchor(pv_world *world, const pv__anchor *grip, int by);
/// Removes a joint without waking its ends.
void pv__constraint_drop(pv_world *world, pv__constraint *c);
/// Reserves memory for more joints that lose their pixels. Returns false without memory.
bool pv__constraint_reserve_let_go(pv_world *world, int more);
/// Removes a joint whose anchor has lost its pixels, and notes it for the next step's events.
/// Memory must be reserved.
void pv__constraint_let_go(pv_world *world, int slot);
/// Removes all joints of a particle, with body -1, or of a body, with particle 0.
void pv__constraint_drop_all_of(pv_world *world, int particle, int body);
/// Wakes the bodies that joints connect to a particle or a body.
void pv__constraint_wake_all_of(pv_world *world, int particle, int body);
/// Eases the joints of a displaced particle or body into place, and wakes their ends.
void pv__constraint_ease_all_of(pv_world *world, int particle, int body);
/// Returns a particle's id in excluded pairs: minus its slot, or minus that of its polygon's first
/// corner.
int pv__constraint_name_bar(const pv_world *world, int particle);
/// Rebuilds the list of excluded pairs. Returns false without memory.
bool pv__constraint_list_bars(pv_world *world);
/// Sets the force that a joint exerts, at most PV__BOUNDLESS. Removes a joint whose force exceeded
/// its break force, and adds an event.
void pv__constraint_tell_force(pv_world *world, int slot, double force);

#endif
