/* mover_hit.h - the interface of mover_hit.c: grains that movers hit, carry and push out.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "grains/walk.h"

/// Kinds of meetings of a grain with movers on its way
typedef enum pv__mover_hit {
    /// No mover is at the way, nor at its end
    PV__MOVER_FREE,
    /// The grain is in a mover from the start
    PV__MOVER_INSIDE,
    /// A mover hit it, and moved it
    PV__MOVER_PUSHED
} pv__mover_hit;

/// Looks for the first mover at the way of a grain, and moves a grain that is hit.
pv__mover_hit pv__movers_push(const pv__grains *g, pv__walker *w);
/// Tells whether a point is in a mover's pixel.
bool pv__movers_bar(const pv__grains *g, int32_t x, int32_t y);
/// Moves a grain out of the movers and the ground that it is in. Returns false if there is no free
/// pixel near it. A grain outside of the ground does not pass through it.
/// @param from_x, from_y where it was before the step, and outside
bool pv__movers_part(const pv__grains *g, pv__walker *w, int32_t from_x, int32_t from_y);
/// Returns the first sink on a grain's straight way through the step [px], or -1.
int pv__movers_sink_on(const pv__grains *g, pv_vec2 from, pv_vec2 to);
