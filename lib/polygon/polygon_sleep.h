/* polygon_sleep.h - the interface of polygon_sleep.c: puts resting polygons to sleep with all that
 * they touch, and wakes them.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_SLEEP_H
#define PV_POLYGON_POLYGON_SLEEP_H

#include "core/matter.h"
/// Tells whether a polygon is awake and has a movable corner.
bool pv__polygon_is_drowsy(const pv_world *world, const pv__polygon *polygon);
/// Wakes sleeping polygons of the step's list that receive a strong impact. Tells whether there are
/// any.
bool pv__polygon_wake_hit(pv_world *world, double dt);
/// Marks the movable bodies of the step's list as loaded. Wakes those that polygons hit, but only
/// after the listing, so that no woken body is left out.
void pv__polygon_load_bodies(pv_world *world, double dt);
/// Updates the rest time of polygons after a step, and builds islands of polygons.
void pv__polygon_watch_all(pv_world *world, double dt);
/// Joins the bodies on one island of polygons into one island of bodies. Their rest time becomes at
/// most the polygons' rest time.
void pv__polygon_join_bodies(pv_world *world, void (*join)(pv_world *world, int a, int b));
/// Puts islands at rest to sleep, after the bodies.
void pv__polygon_rest_all(pv_world *world);

#endif
