/* placed_query.h - the interface of placed_query.c: queries of a placed sprite with a point, ray,
 * disc or rectangle.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PLACED_PLACED_QUERY_H
#define PV_PLACED_PLACED_QUERY_H

#include "pixel/bits.h"

/// Queries a sprite that passed pv__placed_check(), at placeable points. The first two otherwise
/// equal pv_placed_test_point() and pv_placed_cast_segment(). The last two tell whether a circle or
/// an upright box and a solid pixel share more than an edge.
bool pv__placed_point(const pv_placed *placed, pv_vec2 point);
bool pv__placed_segment(const pv_placed *placed, pv_vec2 from, pv_vec2 to, pv_ray_hit *hit);
bool pv__placed_circle(const pv_placed *placed, pv_vec2 center, double radius);
bool pv__placed_rectangle(const pv_placed *placed, pv_box box);

#endif
