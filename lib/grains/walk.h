/* walk.h - the interface of walk.c: the way of one grain through pixels.
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
    /// Pixels that its way may have tested for grains, if it touched something; otherwise those are
    /// between the way's ends
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
/// Returns the bits of what a grain's straight way may meet. A way of more than four cells may meet
/// all.
int pv__walk_meets(const pv__grains *g, const pv__walker *w);
/// Moves a grain by its motion, with its bounces off solid pixels, if its way may meet any.
/// Adds to what its way has tested.
void pv__walk_grain(const pv__grains *g, pv__walker *w);
/// Moves a grain by (x, y), up to the first pixel of the ground. Returns true if it got there.
bool pv__walk_push(const pv__grains *g, pv__walker *w, int32_t x, int32_t y);

#endif
