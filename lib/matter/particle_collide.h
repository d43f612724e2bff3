/* particle_collide.h - the interface of particle_collide.c: particles against sprites: which may
 * meet in a step, and what they do to each other.
 *
 * Invariant: as in particle_collide.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_PARTICLE_COLLIDE_H
#define PV_MATTER_PARTICLE_COLLIDE_H

#include "core/matter.h"
#include "core/world.h"

/// Which particles may meet which bodies in a step; wakes those that are hit. False without memory.
bool pv__particle_find_near(pv_world *world, double dt);

/// Returns what particles meet of a body: its contour and field, also in a world of pixel contacts;
/// null without memory.
const pv__shape *pv__particle_shape_of(const struct pv__body *b);
/// Where a particle is in a body.
typedef struct pv__dent {
    bool struck;
    /// Out of the body
    pv_vec2 normal;
    /// To be moved out by; of one that is not in it < 0 [px]
    double depth;
} pv__dent;
/// Tells whether and how some particles struck a body in the substep; false without a shape.
bool pv__particle_find_dents(const pv_world *world, int body, const int *particles, int count,
                             pv__dent *dents);
/// Moves particles out of bodies, both ways, with restitution and friction; corners of polygons are
/// left to those.
void pv__particle_strike_all(pv_world *world, int substep);

#endif
