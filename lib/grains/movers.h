/* movers.h - the interface of movers.c: bodies that move, as grains meet them.
 *
 * Invariant: holds as in movers.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_GRAINS_MOVERS_H
#define PV_GRAINS_MOVERS_H

#include "grains/walk.h"

/// Adds a body that moves from one pose to another in the step, or a sensor with a sink. Returns
/// false without memory.
/// @param sink index of the sink, or -1
bool pv__movers_add(pv_world *world, pv__grains *g, const pv__body *b, pv__pose from, int sink);
/// Adds a sink without a sensor.
bool pv__movers_add_box(pv_world *world, pv__grains *g, int sink);
/// Sorts the movers into cells, and marks these. Returns false without memory.
bool pv__movers_begin(pv_world *world, pv__grains *g);
/// Wakes the resting grains in the way of movers, and in sinks.
void pv__movers_wake(pv__grains *g);
/// Ends the step: unmarks the cells, and forgets the movers.
void pv__movers_end(pv__grains *g);
void pv__movers_free(const pv_world *world, pv__grains *g);

/// Moves a grain that a mover hits on its way, and returns true; otherwise returns false.
bool pv__movers_push(const pv__grains *g, pv__walker *w);
/// Tells whether a point is in a mover's pixel.
bool pv__movers_bar(const pv__grains *g, int32_t x, int32_t y);
/// Moves a grain out of the movers and the ground that it is in. Returns false if there is no free
/// pixel near it. A grain outside of the ground does not pass through it.
/// @param from_x, from_y where it was before the step, and outside
bool pv__movers_part(const pv__grains *g, pv__walker *w, int32_t from_x, int32_t from_y);
/// Returns the first sink on a grain's straight way through the step [px], or -1.
int pv__movers_sink_on(const pv__grains *g, pv_vec2 from, pv_vec2 to);

#endif
