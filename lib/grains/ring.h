/* ring.h - the interface of ring.c: the slots of grains, from their birth to their end.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_GRAINS_RING_H
#define PV_GRAINS_RING_H

#include "core/world.h"

/// Reserves memory for a number of further grains; returns false without memory.
bool pv__ring_reserve(const pv_world *world, pv__grains *g, int more);
void pv__ring_free(const pv_world *world, pv__grains *g);
/// Adds a moving grain, for which memory is reserved. The oldest grain ends if the ring is full.
void pv__ring_add(const pv_world *world, pv__grains *g, pv_vec2 position, pv_vec2 velocity,
                  uint32_t color);
/// Ends the grain of a slot, and frees its pixel.
void pv__ring_end(pv__grains *g, uint32_t slot);
/// Ends the grains that have lived long enough.
void pv__ring_expire(const pv_world *world, pv__grains *g);
/// Wakes all resting grains, or marks all their slopes for a test.
void pv__ring_unsettle(pv__grains *g, bool wakes);

static inline bool pv__ring_lives(const pv__grains *g, uint32_t slot) {
    return g->y[slot] != PV_GRAIN_NONE;
}
static inline bool pv__ring_moves(const pv__grains *g, uint32_t slot) {
    return g->moving[slot >> 6] >> (slot & 63) & 1;
}

#endif
