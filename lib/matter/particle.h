/* particle.h - the interface of particle.c: creates, destroys, reads and writes particles, and
 * integrates them with position Verlet.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_PARTICLE_H
#define PV_MATTER_PARTICLE_H

#include "core/matter.h"
/// Adds slots until there are count of them, including slot 0; returns false without memory.
bool pv__particle_add_slots(pv_world *world, int count);
/// Reserves memory for more particles; returns false without memory.
bool pv__particle_reserve(pv_world *world, int more);
void pv__particle_free_all(pv_world *world);
/// Scales the last displacements so that velocities stay the same with a substep of length h [s].
void pv__particle_retime_all(pv_world *world, double h);
/// Scales the pushes of constraints so that they stand for the same forces.
void pv__particle_retime_joints(pv_world *world, double h);

/// Integrates every particle over a substep with position Verlet. Particles that nothing touches
/// take all substeps in the first one.
void pv__particle_integrate_all(pv_world *world, double h, int substep);
/// Stops particles that the pushes of the last substep moved out of range.
void pv__particle_settle_all(pv_world *world);
/// Destroys a particle that is no corner, with its joints.
void pv__particle_drop(pv_world *world, int i);

#endif
