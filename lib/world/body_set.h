/* body_set.h - the interface of body_set.c: changes bodies between two steps.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/world.h"

/// All bits of PV_LOCK_
#define PV__LOCKS 7u
/// Sets inverse mass and inertia of a body from its mass, inertia, type and locks.
void pv__body_set_inverses(pv__body *b);
/// Wakes a body for a change of data that contacts depend on, and ends its requested motion.
void pv__body_disturb(pv_world *world, pv__body *b);
