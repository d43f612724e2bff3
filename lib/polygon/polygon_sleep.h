/* polygon_sleep.h - the interface of polygon_sleep.c: polygons that rest fall asleep with all that
 * they touch, and wake with it.
 *
 * Invariant: as in polygon_sleep.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_SLEEP_H
#define PV_POLYGON_POLYGON_SLEEP_H

#include "core/matter.h"
/// Wakes those of the step's list that are hit hard; whether there were any.
bool pv__polygon_wake_hit(pv_world *world, double dt);
/// Watches how long polygons have rested when a step is over, and makes islands of them.
void pv__polygon_watch_all(pv_world *world, double dt);
/// Bodies on polygons of one island are of one island, and as restless as these.
void pv__polygon_join_bodies(pv_world *world, void (*join)(pv_world *world, int a, int b));
/// Puts islands that have rested to sleep, once bodies are.
void pv__polygon_rest_all(pv_world *world);

#endif
