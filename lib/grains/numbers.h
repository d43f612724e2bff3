/* numbers.h - the interface of numbers.c: the integers that a step of grains computes with.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_GRAINS_NUMBERS_H
#define PV_GRAINS_NUMBERS_H

#include "core/world.h"

/// 1 as a number in 1/16384
#define PV__GRAIN_ONE 16384

/// Returns a * b / 16384, rounded.
static inline int32_t pv__grain_times(int32_t a, int32_t b) {
    return (int32_t)(((int64_t)a * b + PV__GRAIN_ONE / 2) >> 14);
}

/// Directions of gravity, as in pv__grain_numbers
static const pv_point pv__grain_ways[4] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};

static inline int32_t pv__grain_abs(int32_t a) { return a < 0 ? -a : a; }

/// Returns a motion clamped to the bound of all motions.
static inline int32_t pv__grain_bounded(int64_t a) {
    return (int32_t)(a < -PV__GRAIN_FASTEST  ? -PV__GRAIN_FASTEST
                     : a > PV__GRAIN_FASTEST ? PV__GRAIN_FASTEST
                                             : a);
}

/// Returns a speed [px/s] as a bounded motion per step in 1/65536 px.
static inline int32_t pv__grain_motion(double speed, double dt) {
    return pv__grain_bounded(pv__floor(speed * dt * 65536 + 0.5));
}

/// Sets the numbers of a step from the population's definition. Rescales motions to the length of
/// the step. Returns true if the slopes of piles changed.
bool pv__numbers_set(const pv_world *world, pv__grains *g, double dt);

#endif
