/* particle_stride.h - the interface of particle_stride.c: strides of particles that nothing holds.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_PARTICLE_STRIDE_H
#define PV_MATTER_PARTICLE_STRIDE_H

#include "core/matter.h"

/// Stride of a substep
typedef struct pv__stride {
    /// Number of the stride in its step, from 0
    int index;
    /// First substep, and the one after the last
    int first, end;
} pv__stride;

/// Sets the number of strides in a step of length dt [s], and forgets the last step's strides.
void pv__stride_plan(pv_world *world, double dt);
/// Returns the stride of a substep.
pv__stride pv__stride_at(const pv_world *world, int substep);
/// Tells whether a particle takes strides in this step.
bool pv__stride_takes(const pv_world *world, int particle);
/// Stores places and poses at the start of a stride.
void pv__stride_begin(pv_world *world);
void pv__stride_free(pv_world *world);

#endif
