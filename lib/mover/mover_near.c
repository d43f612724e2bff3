/* mover_near.c - the bodies around a mover by one index: sprites by slot, then polygons.
 *
 * Invariant: the world is only read. An index is valid during one call.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/handle.h"
#include "mover/mover.h"

void pv__mover_near_begin(pv__mover_near *near, const pv_world *world, const pv_box *box,
                          int first) {
    pv__swath swath = {.reach = *box};
    near->polygon = pv__later(first - world->bodies.count, 0);
    pv__index_candidates_begin(&near->sprites, world, &swath, first);
}

int pv__mover_near_next(pv__mover_near *near) {
    const pv_world *world = near->sprites.world;
    int sprite = pv__index_candidates_next(&near->sprites);
    if (sprite >= 0) return sprite;
    return near->polygon < world->matter.polygon_pool.count ? world->bodies.count + near->polygon++
                                                            : -1;
}

pv_body_id pv__mover_id_of(const pv_world *world, int index) {
    return index < world->bodies.count ? pv__handle_of_body(world, index)
                                       : pv__handle_of_polygon(world, index - world->bodies.count);
}

int pv__mover_index_of(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    int polygon = pv__handle_polygon(world, body);
    if (polygon >= 0) return world->bodies.count + polygon;
    return b && pv__body_is_solid(b) ? (int)(b - world->bodies.items) : -1;
}

double pv__mover_tangent_speed(const pv_world *world, int index) {
    return index < world->bodies.count ? world->bodies.items[index].tangent_speed : 0;
}

pv_vec2 pv__mover_local_point(const pv_world *world, int index, pv_vec2 point) {
    pv_body_id body = pv__mover_id_of(world, index);
    return pv__unrotate(pv_body_get_transform(world, body).rotation,
                        pv__sub(point, pv_body_get_position(world, body)));
}
