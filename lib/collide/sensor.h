/* sensor.h - the interface of sensor.c: who shares a pixel with a sensor.
 *
 * Invariant: as in sensor.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_SENSOR_H
#define PV_COLLIDE_SENSOR_H

#include "core/world.h"

/// Marks where the step began.
void pv__sensor_mark_beginnings(pv_world *world);
void pv__sensor_tell_visits(pv_world *world);

#endif
