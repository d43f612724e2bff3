/* body_query.c - questions about one body or two: their pixels, their overlap, points on them.
 *
 * Invariant: each question is answered by the exact pixels in the present pose, whatever the
 * filters, and changes nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/pose.h"
#include "polygon/polygon.h"
#include "query/query.h"

pv_placed pv_body_get_placed(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    const pv__polygon *q = pv__polygon_find(world, body);
    return b   ? pv__query_placed_of(b)
           : q ? pv__polygon_placed(world, q)
               : (pv_placed){NULL, pv_transform_identity()};
}

bool pv_body_test_overlap(const pv_world *world, pv_body_id a, pv_body_id b) {
    pv_placed first = pv_body_get_placed(world, a), second = pv_body_get_placed(world, b);
    return pv_placed_test_overlap(&first, &second);
}

bool pv_body_test_point(const pv_world *world, pv_body_id body, pv_vec2 point) {
    const pv__polygon *q = pv__polygon_find(world, body);
    if (q) return pv__finite2(point) && pv__polygon_holds(world, q, point);
    pv_placed placed = pv_body_get_placed(world, body);
    return pv_placed_test_point(&placed, point);
}

pv_vec2 pv_body_to_world(const pv_world *world, pv_body_id body, pv_vec2 picture_point) {
    pv_transform t = pv_body_get_transform(world, body);
    return pv_transform_to_world(&t, picture_point);
}

pv_vec2 pv_body_to_local(const pv_world *world, pv_body_id body, pv_vec2 point) {
    pv_transform t = pv_body_get_transform(world, body);
    return pv_transform_to_local(&t, point);
}
