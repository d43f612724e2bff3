/* body_set.h - the interface of body_set.c: changes bodies between two steps.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_BODY_SET_H
#define PV_WORLD_BODY_SET_H

#include "core/world.h"

/// All bits of PV_LOCK_
#define PV__LOCKS 7u
/// Tells whether material, velocity or damping of a def or setter is in range.
bool pv__body_material_in_range(const pv__material *material);
bool pv__body_velocity_in_range(pv_vec2 velocity, double spin);
bool pv__body_damping_in_range(double linear, double angular);
/// Sets inverse mass and inertia of a body from its mass, inertia, type and locks.
void pv__body_set_inverses(pv__body *b);
/// Wakes a body for a change of data that contacts depend on, and ends its requested motion.
void pv__body_disturb(pv_world *world, pv__body *b);

#endif
