/* particle_collide.h - the interface of particle_collide.c: particles against sprites: candidate
 * pairs of a step, and contacts.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_PARTICLE_COLLIDE_H
#define PV_MATTER_PARTICLE_COLLIDE_H

#include "core/matter.h"
#include "core/world.h"
#include "matter/particle_stride.h"

/// Returns the greatest expected displacement of a particle in a step, with a margin [px].
double pv__particle_swept_way(const pv_world *world, int particle, double dt);
/// Returns the box that a particle is expected to sweep in a step.
pv_box pv__particle_swept_box(const pv_world *world, int particle, double dt);
/// Returns the box that an awake body is expected to sweep in a step, with a margin.
pv_box pv__particle_swept_body(const pv_world *world, const pv__body *b, double dt);
/// Finds the candidate pairs of particles and bodies in a step, and wakes bodies that are hit.
/// Returns false without memory.
bool pv__particle_find_near(pv_world *world, double dt);
/// Tells whether filters and joints let a particle and a body collide.
bool pv__particle_may_meet(const pv_world *world, int particle, int body);
/// Tells whether filters let two particles collide.
bool pv__particle_agrees(const pv_world *world, int a, int b);

/// Contact of a particle with a body
typedef struct pv__strike {
    int particle;
    /// False for a particle that does not touch
    bool struck;
    /// Normal out of the body
    pv_vec2 normal;
    /// Depth to resolve; < 0 for a particle outside [px]
    double depth;
} pv__strike;
/// Finds the contacts of particles with a body in the substep; returns false without a shape.
bool pv__particle_find_strikes(const pv_world *world, int body, const int *particles, int count,
                               pv__strike *strikes);
/// Moves particles and bodies apart, with restitution and friction. Corners of polygons are left to
/// the polygons.
void pv__particle_strike_all(pv_world *world, int substep);
/// Does the same at the end of a stride, for particles that take strides.
void pv__particle_strike_in_stride(pv_world *world, const pv__stride *stride);
/// Ends the rounds of a substep: forgets which particles were deflected.
void pv__particle_land(pv_world *world);

#endif
