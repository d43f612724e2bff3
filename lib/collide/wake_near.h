/* wake_near.h - the interface of wake_near.c: what sleeps near a place wakes.
 *
 * Invariant: as in wake_near.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_WAKE_NEAR_H
#define PV_COLLIDE_WAKE_NEAR_H

#include "core/world.h"

/// Wakes whose boxes meet one.
void pv__wake_within(pv_world *world, const pv_box *near);
/// Wakes what may touch a body, by boxes.
void pv__wake_near(pv_world *world, int index);
/// Wakes bodies whose boxes meet one: what rests on what was there will fall.
void pv__wake_around(pv_world *world, pv_box box);
void pv__wake_polygons_within(pv_world *world, const pv_box *box);

#endif
