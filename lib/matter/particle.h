/* particle.h - the interface of particle.c: particles: made, destroyed, read, written, and stepped
 * by position Verlet.
 *
 * Invariant: as in particle.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_PARTICLE_H
#define PV_MATTER_PARTICLE_H

#include "core/matter.h"
/// Makes so many slots, slot 0 among them, in a world that has none; false without memory.
bool pv__particle_add_slots(pv_world *world, int count);
/// Makes room for so many more; false without memory.
bool pv__particle_reserve(pv_world *world, int more);
void pv__particle_free_all(pv_world *world);
/// Makes previous positions mean the same velocities for a substep of another length.
void pv__particle_retime_all(pv_world *world, double h);
/// Makes what constraints gave mean the same forces.
void pv__particle_retime_joints(pv_world *world, double h);

/// Moves every particle by a substep of position Verlet; those that nothing touches by all substeps
/// in the first.
void pv__particle_integrate_all(pv_world *world, double h, int substep);
/// Stops what the last substep's pushes would have out of the numbers.
void pv__particle_settle_all(pv_world *world);
/// Takes out a particle, which is no corner, with what holds it.
void pv__particle_drop(pv_world *world, int i);

#endif
