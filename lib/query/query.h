/* query.h - candidate bodies of a query.
 *
 * Invariant: a query's box has a margin, so that it misses no body whose pixels can meet its shape.
 * Bodies in the box are then tested by pixels, sprites before polygons. The world is only read.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_QUERY_QUERY_H
#define PV_QUERY_QUERY_H

#include "collide/query_index.h"
#include "core/handle.h"
#include "core/pose.h"
#include "core/world_lock.h"

/// Tells whether a candidate of the index is in a category of the query.
static inline bool pv__query_asks_about(const pv_world *world, int body,
                                        const pv_query_filter *filter) {
    bool polygon = pv__index_is_polygon(body);
    const pv__body *b = polygon ? NULL : &world->bodies.items[body];
    uint32_t bits = b ? b->filter.category_bits
                      : world->matter.polygons[pv__index_polygon(body)].filter.category_bits;
    if (b && b->sensor && !(filter && filter->include_sensors)) return false;
    return !filter || filter->mask_bits & bits;
}

/// Tells whether the caller accepts a body.
static inline bool pv__query_accepts(const pv_world *world, pv_body_id body,
                                     const pv_query_filter *filter) {
    if (!filter || !filter->accept) return true;
    pv__world_lock busy;
    pv__world_lock_begin(&busy, world);
    bool accepted = filter->accept(filter->user_data, body);
    pv__world_lock_end(&busy);
    return accepted;
}

/// Returns the swept box of a box at rest.
static inline pv__swath pv__query_swath_of(pv_box box) { return (pv__swath){.reach = box}; }

/// Returns the pixels of a sprite.
static inline pv_placed pv__query_placed_of(const pv__body *b) {
    return (pv_placed){b->pixels->mask, pv__body_transform(b, b->pose)};
}

/// Returns the pixels of a candidate of the index; the mask of a polygon may be null.
static inline pv_placed pv__query_placed(const pv_world *world, int body) {
    return pv__index_is_polygon(body)
               ? pv__polygon_placed(world, &world->matter.polygons[pv__index_polygon(body)])
               : pv__query_placed_of(&world->bodies.items[body]);
}

#endif
