/* surface.h - the surfaces of solid things, and which particles may touch them in a step.
 *
 * Invariant: all of it is scratch, made of things, particles and constraints alone: a world that is
 * restored makes the same. Sides stand in order of their things, and grazes in order of particles
 * and, for each, of sides.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_SURFACE_H
#define PV_MATTER_SURFACE_H

#include "core/world.h"

/// A piece of a thing's surface: a side of one triangle alone, the outside on its left, or a stick,
/// which has no inside.
typedef struct pv__surface_side {
    /// Particles
    int from, to;
    /// That it is of
    int hide;
    /// A stick
    bool open;
    /// Of a step: where it may be
    pv_box box;
} pv__surface_side;

/// Two that may touch in a step.
typedef struct pv__graze {
    int particle, side;
    /// Of the first of a particle and a thing: the substep before which none of them touches
    int due;
} pv__graze;

/// What a solid thing has, and where it may be in a step.
typedef struct pv__hide {
    /// Sides
    int thing, first, end;
    /// Of its particles, and of its sides; empty where it has none
    pv_box box, surface;
} pv__hide;

typedef struct pv__surfaces {
    pv__surface_side *sides;
    int side_count, side_capacity;
    /// Of solid things, by slot
    pv__hide *hides;
    int hide_count, hide_capacity;
    /// By particle: the solid thing that it is part of, or -1
    int *owners;
    int owner_count, owner_capacity;
    /// Things that a constraint joins, the lower slot first; sorted
    pv__bar *apart;
    int apart_count, apart_capacity;
    pv__graze *grazes;
    int graze_count, graze_capacity;
} pv__surfaces;

/* surface.c */
/// Makes surfaces anew if anything of them changed; false without memory.
bool pv__surface_stretch(pv_world *world);
/// Tells whether two things may touch: no constraint joins them.
bool pv__surface_are_apart(const pv__surfaces *skin, int a, int b);

void pv__surface_free(pv_world *world);

/// Which particles may touch which solid things in a step; false without memory.
bool pv__surface_find_pairs(pv_world *world, double dt);
/// One round over all that touches.
void pv__surface_relax_all(pv_world *world, int substep);

#endif
