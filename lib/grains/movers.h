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
/// Sorts the movers into cells, marks these, and wakes resting grains in their way. Returns false
/// without memory.
bool pv__movers_begin(pv_world *world, pv__grains *g);
/// Ends the step: unmarks the cells, and forgets the movers.
void pv__movers_end(pv__grains *g);
void pv__movers_free(const pv_world *world, pv__grains *g);

/// Moves a grain that a mover hits on its way, and returns true; otherwise returns false.
bool pv__movers_push(const pv__grains *g, pv__walker *w);
/// Moves a grain out of the movers and the ground that it is in. Returns false if there is no free
/// pixel near it.
bool pv__movers_part(const pv__grains *g, pv__walker *w);
/// Tells whether the ground or a mover is at a place, or the place is outside the area.
bool pv__movers_has(const pv__grains *g, int32_t x, int32_t y);
/// Returns the sink that a grain is in, or -1.
int pv__movers_sink_at(const pv__grains *g, int32_t x, int32_t y);

#endif
