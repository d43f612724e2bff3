/* polygon.h - the interface of polygon.c and polygon_motion.c: creates, destroys, reads and moves
 * polygons of corners and beams.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_H
#define PV_POLYGON_POLYGON_H

#include "core/matter.h"
/// Returns the polygon with an id, or null.
const pv__polygon *pv__polygon_find(const pv_world *world, pv_polygon_id id);
/// Returns the index of a polygon that is to change, or -1 with a filled error.
int pv__polygon_begin(pv_error *e, const pv_world *world, pv_polygon_id id);
/// Returns the position of a polygon's center of mass [px].
pv_vec2 pv__polygon_center(const pv_world *world, const pv__polygon *polygon);
/// Tells whether a polygon contains a point.
bool pv__polygon_holds(const pv_world *world, const pv__polygon *polygon, pv_vec2 point);
/// Removes a polygon with its beams. Its corners stay.
void pv__polygon_drop(pv_world *world, int index);
void pv__polygon_free_all(pv_world *world);

#endif
