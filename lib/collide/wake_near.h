/* wake_near.h - the interface of wake_near.c: waking of bodies near a place.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_WAKE_NEAR_H
#define PV_COLLIDE_WAKE_NEAR_H

#include "core/world.h"

/// Wakes all bodies and polygons whose boxes overlap a box.
void pv__wake_within(pv_world *world, const pv_box *near);
/// Wakes all bodies and polygons whose boxes are near the box of a body.
void pv__wake_near(pv_world *world, int index);
/// Wakes the bodies and polygons whose boxes are near a box, because their support may be gone.
void pv__wake_around(pv_world *world, pv_box box);

#endif
