/* pair_limit.h - the interface of pair_limit.c: limit of pairs where more bodies overlap than
 * there is room for.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_PAIR_LIMIT_H
#define PV_COLLIDE_PAIR_LIMIT_H

#include "core/world.h"

/// Finds the bodies over the pair limit. Removes all pairs of two of them except the deepest from
/// world->pairs.
void pv__pair_limit_thin(pv_world *world);
/// Finds the speed limit of each body over the pair limit for the step. Called after the solver
/// bodies are gathered.
void pv__pair_limit_apply(pv_world *world);
/// Slows bodies over the pair limit to their speed limit. Many contacts from all sides leave errors
/// in the motion of light bodies between them.
void pv__pair_limit_calm(pv_world *world);

#endif
