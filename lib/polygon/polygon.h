/* polygon.h - the interface of polygon.c: creates and destroys polygons of corners and beams.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_H
#define PV_POLYGON_POLYGON_H

#include "core/matter.h"
/// Returns the polygon with an id, or null.
const pv__polygon *pv__polygon_find(const pv_world *world, pv_body_id id);
/// Tells whether a polygon contains a point.
bool pv__polygon_holds(const pv_world *world, const pv__polygon *polygon, pv_vec2 point);
/// Casts a ray at a polygon like pv_placed_cast_segment() at a mask. Returns false without a hit.
bool pv__polygon_cast(const pv_world *world, const pv__polygon *polygon, pv_vec2 from, pv_vec2 to,
                      pv_ray_hit *hit);
/// Draws the pixels of a polygon from its corners at creation. Returns false without memory.
bool pv__polygon_draw_mask(pv_world *world, pv__polygon *polygon);
/// Removes a polygon with its beams and corners.
void pv__polygon_destroy(pv_world *world, int index);
/// Removes a polygon with its beams. Its corners stay.
void pv__polygon_drop(pv_world *world, int index);
void pv__polygon_free_all(pv_world *world);

#endif
