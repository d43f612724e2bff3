/* sensor.h - the interface of sensor.c: overlaps of bodies with sensors.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_SENSOR_H
#define PV_COLLIDE_SENSOR_H

#include "core/world.h"

/// Stores the poses at the start of the step.
void pv__sensor_mark_beginnings(pv_world *world);
/// Finds the begin and end events of sensors at the end of the step.
void pv__sensor_tell_visits(pv_world *world);

#endif
