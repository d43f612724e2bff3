/* walk.h - the way of one grain: the interface of walk.c, mover_hit.c, settle.c and walkers.c.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_GRAINS_WALK_H
#define PV_GRAINS_WALK_H

#include "grains/area.h"

/// Grain on its way, in 1/65536 px
typedef struct pv__walker {
    int32_t x, y, dx, dy;
    /// True if it hit something in this step, and true if that was a mover
    bool touched, carried;
    /// Bits of pv__walk_meets() for its way
    int meets;
    /// Pixels that its way may have tested for grains, if it touched something; otherwise these are
    /// the pixels between the ends of the way
    pv__grain_box tested;
} pv__walker;

/// Normal in 1/16384
typedef struct pv__grain_normal {
    int32_t x, y;
} pv__grain_normal;

/// Bounces a motion off a normal, with restitution and friction. The motion is relative to the
/// surface.
void pv__walk_bounce(const pv__grain_numbers *now, pv__grain_normal normal, int32_t *dx,
                     int32_t *dy);
/// Bits of things that may be in the cells around a way
enum { PV__WALK_PIXELS = 1, PV__WALK_MOVERS = 2 };
/// Returns the bits of what a grain's straight way may meet. For a way of more than four cells it
/// returns all bits.
int pv__walk_meets(const pv__grains *g, const pv__walker *w);
/// Moves a grain by its motion. It bounces off solid pixels, if its way may meet any. Extends the
/// pixels that its way has tested.
void pv__walk_grain(const pv__grains *g, pv__walker *w);
/// Moves a grain by (x, y), up to the first pixel of the ground. Returns true if it got there.
bool pv__walk_push(const pv__grains *g, pv__walker *w, int32_t x, int32_t y);

/* mover_hit.c */
/// Moves a grain with the first mover that hits it on its way. Returns false if none does.
/// @param inside set to true if the grain is in a mover from the start
bool pv__movers_push(const pv__grains *g, pv__walker *w, bool *inside);
/// Tells whether a point is in the area, and in no pixel of the ground or of a mover.
bool pv__movers_leave_open(const pv__grains *g, int32_t x, int32_t y);
/// Moves a grain out of the movers and the ground that it is in. Returns false if there is no free
/// pixel near it. A grain outside of the ground does not pass through it.
/// @param from_x, from_y its place before the step, which was outside
bool pv__movers_part(const pv__grains *g, pv__walker *w, int32_t from_x, int32_t from_y);
/// Returns the first sink on the straight way of the grain of a slot through the step, or -1.
int pv__movers_sink_on(const pv__grains *g, uint32_t slot, const pv__walker *w);

/* settle.c */
/// Lays a grain that touched something to rest if it is slow. One that a mover carries takes its
/// pixel, so that others can lie on it. Returns true if the grain took a pixel.
bool pv__settle(pv_world *world, pv__grains *g, uint32_t slot, pv__walker *w);

/* walkers.c */
/// Moves the listed grains that may touch something, in the order of their slots.
void pv__walkers_step(pv_world *world, pv__grains *g);
void pv__walkers_free(const pv_world *world, pv__grains *g);

#endif
