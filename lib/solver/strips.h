/* strips.h - the interface of strips.c: strips of the world, by which batches of contacts are laid.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_STRIPS_H
#define PV_SOLVER_STRIPS_H

#include "core/world.h"

/// Greatest number of strips
enum { PV__STRIPS = 64 };

/// Number of zones, which are groups of strips; of kinds of pairs by the zones of their movable
/// bodies; and of phases of kinds
enum { PV__ZONES = 4, PV__ZONE_KINDS = 2 * PV__ZONES, PV__ZONE_PHASES = 4 };

/// First kind of each phase, and the number of kinds. Pairs of two kinds in one phase share no
/// movable body.
extern const int pv__strips_phases[PV__ZONE_PHASES + 1];

/// Returns the kind of a pair. Kinds are each zone, each border behind an even zone, each border
/// behind an odd zone, and all other pairs.
int pv__strips_kind(const pv_world *world, int body_a, int body_b);

/// Sets the strips of all bodies that go through the step; returns whether any has changed.
bool pv__strips_update(pv_world *world);

#endif
