/* pair_limit.h - the interface of pair_limit.c: bodies of which more are at a place than there is
 * room for.
 *
 * Invariant: as in pair_limit.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_PAIR_LIMIT_H
#define PV_COLLIDE_PAIR_LIMIT_H

#include "core/world.h"

/// Finds who is crowded, and takes pairs of such out of world->pairs but for the deepest.
void pv__pair_limit_thin(pv_world *world);
/// Finds how fast what is crowded may get in the step, when movers have been gathered.
void pv__pair_limit_apply(pv_world *world);
/// Slows what is crowded and got faster: many that press from all sides leave errors in what is
/// light between them.
void pv__pair_limit_calm(pv_world *world);

#endif
