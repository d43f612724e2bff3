/* handle.h - the interface of handle.c: names of what a world holds, to its places and back.
 *
 * Invariant: as in handle.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_HANDLE_H
#define PV_CORE_HANDLE_H

#include "core/world.h"

/// The body of a name, or null.
pv__body *pv__handle_body(const pv_world *world, pv_body_id name);
/// Slot of a living particle of that name, or 0.
int pv__handle_particle(const pv_world *world, pv_particle_id name);
pv_particle_id pv__handle_of_particle(const pv_world *world, int slot);
/// Index of a living polygon of that name, or -1.
int pv__handle_polygon(const pv_world *world, pv_polygon_id name);
/// Returns the name of a polygon at a place.
pv_polygon_id pv__handle_of_polygon(const pv_world *world, int index);
/// Name of the polygon that a particle is a corner of; the null name for none.
pv_polygon_id pv__handle_of_polygon_with(const pv_world *world, int particle);
/// A living constraint of that name, or null.
pv__constraint *pv__handle_constraint(const pv_world *world, pv_joint_id name);
pv_joint_id pv__handle_of_constraint(const pv_world *world, int slot);
/// A living thing of that name, or null.
pv__composite *pv__handle_composite(const pv_world *world, pv_composite_id name);

#endif
