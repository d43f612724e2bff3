/* pile.h - the interface of pile.c: grains that rest, and slopes that give way.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/world.h"

/// Lays a moving grain to rest at its biased pixel, which is free. Returns false without memory.
bool pv__pile_rest(pv_world *world, pv__grains *g, uint32_t slot, unsigned u, unsigned v);
/// Wakes the resting grain at a biased pixel, and returns its slot.
uint32_t pv__pile_wake(pv__grains *g, unsigned u, unsigned v);
/// Wakes the grains whose support or slope has given way.
void pv__pile_slide(pv_world *world, pv__grains *g);
/// Marks all tiles for a test of their slopes.
void pv__pile_unsettle_all(pv__grains *g);
