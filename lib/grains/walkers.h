/* walkers.h - the interface of walkers.c: the grains whose way may meet something.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/world.h"

/// Moves the listed grains that may touch something, in the order of their slots.
void pv__walkers_step(pv_world *world, pv__grains *g);
void pv__walkers_free(const pv_world *world, pv__grains *g);
