/* body.h - the interface of body.c and body_change.c: creates, reads and changes bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_BODY_H
#define PV_WORLD_BODY_H

#include "core/world.h"

/// Removes all contacts of a body, so that its later touches are new contacts.
void pv__body_drop_contacts(pv_world *world, int index);
/// Reserves memory for that many additional bodies; returns false without memory.
bool pv__body_reserve(pv_world *world, int more);
/// Reserves the arrays of bodies, sensors and pixel motions for count slots in total; returns false
/// without memory.
bool pv__body_reserve_slots(pv_world *world, int count);
/// Copies a body into a slot, or empties the slot. The pixel motion of the slot restarts from zero.
void pv__body_fill_slot(pv_world *world, int index, const pv__body *body);
/// Returns the index of a free or new slot, or -1 without memory.
int pv__body_take_slot(pv_world *world);
/// Returns the material of a sprite or a polygon, or null.
const pv__material *pv__body_material(const pv_world *world, pv_body_id body);
/// Adds the body in a slot to the sensors, the broad phase and the query index of the world.
void pv__body_enter(pv_world *world, int index);

/* body_change.c */
/// All PV_LOCK_ bits together
#define PV__LOCKS 7u

/// Sets inverse mass and inertia of a body from its mass, inertia, type and locks.
void pv__body_set_inverses(pv__body *b);
/// Wakes a body for a change, and ends its requested motion.
void pv__body_wake_for_change(pv_world *world, pv__body *b);
/// Wakes a body for a change of data that contacts depend on, and ends its requested motion.
void pv__body_disturb(pv_world *world, pv__body *b);

#endif
