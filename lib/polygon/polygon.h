/* polygon.h - the interface of polygon.c: polygons: made of corners and beams, destroyed and read.
 *
 * Invariant: as in polygon.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_H
#define PV_POLYGON_POLYGON_H

#include "core/matter.h"
/// Returns where its center of mass is.
pv_vec2 pv__polygon_center(const pv_world *world, const pv__polygon *polygon);
/// Takes a polygon out with its beams; its corners stay.
void pv__polygon_drop(pv_world *world, int index);
void pv__polygon_free_all(pv_world *world);

#endif
