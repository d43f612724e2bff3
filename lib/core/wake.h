/* wake.h - the interface of wake.c: bodies and polygons wake, each with its island.
 *
 * Invariant: as in wake.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_WAKE_H
#define PV_CORE_WAKE_H

#include "core/world.h"

/// Interval after which a body is looked at [s].
#define PV__LOOK 0.24

/// Begins to watch anew whether a body rests, where it is.
void pv__wake_forget_rest(pv__body *b);
/// Tells whether what is known of its rest is what steps leave; a shorter interval would divide to
/// more than a number.
bool pv__wake_rest_in_range(const pv__body *b);
/// Wakes a body with its whole island.
void pv__wake_body(pv_world *world, pv__body *b);
/// Makes world->awake anew if it is stale.
void pv__wake_list_awake(pv_world *world);
static inline bool pv__polygon_is_alive(const pv__polygon *q) { return q->generation & 1; }
/// Returns one of three corners that tell how a polygon lies.
pv_vec2 pv__polygon_mark(const pv_world *world, const pv__polygon *q, int i);
/// Notes where these corners are; how long they have rested begins anew.
void pv__polygon_mark_all(const pv_world *world, pv__polygon *q);
/// Wakes what was called.
void pv__wake_called_polygons(pv_world *world);
/// Wakes a polygon with its island; in the midst of a step when that is over.
void pv__wake_polygon(pv_world *world, int index);
/// The same of all that sleep with an island of bodies, that meet a box, or that there are.
void pv__wake_polygons_with(pv_world *world, int bodies);
void pv__wake_polygons_all(pv_world *world);
/// The same of the one that a particle is a corner of, if it is.
void pv__wake_corner(pv_world *world, int particle);

#endif
