/* query.h - candidate bodies of a query.
 *
 * Invariant: a query's box has a margin for all that pixels of bodies can share with its shape.
 * Bodies in the box are then tested by pixels, polygons after all sprites. The world is only read.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_QUERY_QUERY_H
#define PV_QUERY_QUERY_H

#include "collide/query_index.h"
#include "core/handle.h"
#include "core/world_lock.h"

/// Margin of query boxes [px]. Pixels of a bitmap extend beyond their picture's box by less than
/// half of it.
#define PV__SEEK_ROOM 2

/// Tells whether a body is present and in a category of the query.
static inline bool pv__query_asks_about(const pv__body *b, const pv_query_filter *filter) {
    bool wanted = !b->sensor || (filter && filter->include_sensors);
    return pv__body_is_present(b) && wanted &&
           (!filter || filter->mask_bits & b->filter.category_bits);
}

/// Tells whether a polygon lives and is in a category of the query.
static inline bool pv__query_asks_about_polygon(const pv__polygon *q,
                                                const pv_query_filter *filter) {
    return pv__slot_lives(&q->slot) && (!filter || filter->mask_bits & q->filter.category_bits);
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

/// Returns a body as a placed sprite.
static inline pv_placed pv__query_placed_of(const pv__body *b) {
    return (pv_placed){b->pixels->mask, pv__body_transform(b, b->pose)};
}

#endif
