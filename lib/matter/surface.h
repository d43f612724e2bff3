/* surface.h - the surfaces of solid composites, and their candidate pairs with particles.
 *
 * Invariant: all data are scratch, derived from composites, particles and joints alone, so a
 * restored world derives the same. Sides are in order of their composites. Grazes are in order of
 * particles and, for each, of sides.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_SURFACE_H
#define PV_MATTER_SURFACE_H

#include "core/world.h"

/// Side of a composite's surface. It belongs to only one triangle, with the outside on its left, or
/// is a stick without an inside.
typedef struct pv__surface_side {
    /// Particles at its ends
    int from, to;
    /// Index of its hide
    int hide;
    /// True for a stick
    bool open;
    /// Swept box in the step
    pv_box box;
} pv__surface_side;

/// Candidate pair of a particle and a side in a step
typedef struct pv__graze {
    int particle, side;
    /// First substep in which a contact is possible; used only in the first pair of a particle and
    /// a composite
    int due;
} pv__graze;

/// Surface of a solid composite, and its swept boxes in a step
typedef struct pv__hide {
    /// Slot of the composite, and range of its sides
    int thing, first, end;
    /// Swept boxes of its particles and of its sides; empty without any
    pv_box box, surface;
} pv__hide;

typedef struct pv__surfaces {
    pv__surface_side *sides;
    int side_count, side_capacity;
    /// Surfaces of solid composites, by slot
    pv__hide *hides;
    int hide_count, hide_capacity;
    /// Solid composite of each particle, or -1
    int *owners;
    int owner_capacity;
    /// Pairs of composites that a joint connects, the lower slot first; sorted
    pv__bar *apart;
    int apart_count, apart_capacity;
    pv__graze *grazes;
    int graze_count, graze_capacity;
} pv__surfaces;

/* surface.c */

void pv__surface_free(pv_world *world);

/// Finds the candidate pairs of particles and solid composites in a step; returns false without
/// memory.
bool pv__surface_find_pairs(pv_world *world, double dt);
/// Resolves all contacts of particles with solid composites, in one round.
void pv__surface_relax_all(pv_world *world, int substep);

#endif
