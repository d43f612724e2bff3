/* body_change.h - the interface of body_change.c: what a change of a body entails.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_BODY_CHANGE_H
#define PV_WORLD_BODY_CHANGE_H

#include "core/world.h"

/// All bits of PV_LOCK_
#define PV__LOCKS 7u

/// Sets inverse mass and inertia of a body from its mass, inertia, type and locks.
void pv__body_set_inverses(pv__body *b);
/// Wakes a body for a change, and ends its requested motion.
void pv__body_wake_for_change(pv_world *world, pv__body *b);
/// Wakes a body for a change of data that contacts depend on, and ends its requested motion.
void pv__body_disturb(pv_world *world, pv__body *b);

#endif
