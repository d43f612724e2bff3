/* particle_inside.h - the interface of particle_inside.c: particles inside a body that they are
 * tied to do not collide with it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_PARTICLE_INSIDE_H
#define PV_MATTER_PARTICLE_INSIDE_H

#include "core/matter.h"

/// Ties a particle to a static body if it is pinned in it. Returns false without memory.
bool pv__inside_pin(pv_world *world, int particle, int body);
/// Updates the list before a step: drops pairs that are apart, and adds those tied by joints.
/// Returns false without memory.
bool pv__inside_update(pv_world *world);
/// Tells whether a particle is inside a body that it is tied to.
bool pv__inside_has(const pv__matter *m, int particle, int body);
/// Removes pairs tied by pins from the candidate pairs of the step. Returns false without memory.
bool pv__inside_leave_out(pv_world *world);
/// Frees the list of pairs.
void pv__inside_free(pv_world *world);

#endif
