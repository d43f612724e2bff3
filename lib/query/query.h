/* query.h - which bodies a query is about.
 *
 * Invariant: a box held against bodies is wide enough for all that their pixels can share with what
 * is in it; who passes it is judged by pixels. The world is only read.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_QUERY_QUERY_H
#define PV_QUERY_QUERY_H

#include "collide/query_index.h"
#include "core/world_lock.h"

/// Pixels of a bitmap stand out of the box of their picture by less than half of this [px].
#define PV__SEEK_ROOM 2

/// Tells whether a body lives and is of a category that is asked about.
static inline bool pv__query_asks_about(const pv__body *b, const pv_query_filter *filter) {
    bool wanted = !b->sensor || (filter && filter->include_sensors);
    return pv__body_is_present(b) && wanted &&
           (!filter || filter->mask_bits & b->filter.category_bits);
}

/// Tells whether the caller accepts a body.
static inline bool pv__query_accepts(const pv_world *world, int index,
                                     const pv_query_filter *filter) {
    if (!filter || !filter->accept) return true;
    pv__world_lock busy;
    pv__world_lock_begin(&busy, world);
    bool accepted = filter->accept(filter->user_data, pv__handle_of_body(world, index));
    pv__world_lock_end(&busy);
    return accepted;
}

/// The swath of a box that stays.
static inline pv__swath pv__query_swath_of(pv_box box) { return (pv__swath){.reach = box}; }

/// A body as a placed sprite.
static inline pv_placed pv__query_placed_of(const pv__body *b) {
    return (pv_placed){b->guise->mask, pv__body_transform(b, b->pose)};
}

/// PV_OK for a point that a query may be about.
static inline pv_status pv__query_check_point(pv_vec2 point) {
    if (!pv__finite2(point)) return PV_ERROR_NOT_FINITE;
    return pv__placeable(point) ? PV_OK : PV_ERROR_ARGUMENT;
}

#endif
