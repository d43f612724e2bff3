/* body.h - the interface of body.c: bodies: made, destroyed and read.
 *
 * Invariant: as in body.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_BODY_H
#define PV_WORLD_BODY_H

#include "core/world.h"
/// A body ceases to be what it was to others.
void pv__body_drop_contacts(pv_world *world, int index);
/// Makes room for so many more bodies, and as many sensors; false without memory.
bool pv__body_reserve(pv_world *world, int more);
/// Makes room in bodies, and in what they point to, for so many in all; false without memory.
bool pv__body_reserve_slots(pv_world *world, int count);
/// Makes a slot another body, or none; that goes on with nothing of what it was.
void pv__body_fill_slot(pv_world *world, int index, const pv__body *body);
/// A free slot, or a new one; -1 without memory.
int pv__body_take_slot(pv_world *world);
/// A body that was put into a slot enters the world.
void pv__body_enter(pv_world *world, int index);

#endif
