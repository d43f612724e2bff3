/* pv_seek.h - which bodies a query is about.
 *
 * Invariant: a box held against bodies is wide enough for all that their pixels can share with what is in it; who passes
 * it is judged by pixels. The world is only read.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SEEK_H
#define PV_SEEK_H

#include "pv_world.h"

/// Pixels of a bitmap stand out of the box of their picture by less than half of this [px].
#define PV__SEEK_ROOM 2

/// The box widened on all sides.
static inline pv_box pv__box_widened(pv_box box, double by) {
    return (pv_box){{box.min.x - by, box.min.y - by}, {box.max.x + by, box.max.y + by}};
}

/// Whether a body lives and is of a category that is asked about.
static inline bool pv__asked_about(const pv__body *b, const pv_query_filter *filter) {
    bool wanted = !b->sensor || (filter && filter->sensors);
    return pv__present(b) && wanted && (!filter || filter->mask & b->filter.category);
}

/// Whether a body misses a box whatever its angle; most do, and that is sooner known than its box.
static inline bool pv__is_far(const pv__body *b, const pv_box *box) {
    const pv__bits *bits = &b->mask->bits; /* their sum is more than any corner's, with the box's spare */
    double reach = pv__abs(b->scale.x) * bits->w + pv__abs(b->scale.y) * bits->h;
    pv_vec2 c = b->pose.centre;
    return c.x + reach < box->min.x || c.x - reach > box->max.x || c.y + reach < box->min.y ||
           c.y - reach > box->max.y;
}

/// Whether the caller accepts a body.
static inline bool pv__accepted(const pv_world *world, int index, const pv_query_filter *filter) {
    if (!filter || !filter->accept) return true;
    pv__busy busy;
    pv__busy_begin(&busy, world);
    bool accepted = filter->accept(filter->user, pv__name_of(world, index));
    pv__busy_end(&busy);
    return accepted;
}

/// A body as a placed sprite.
static inline pv_placed pv__placed_of(const pv__body *b) {
    return (pv_placed){b->mask, pv__transform_of(b, b->pose)};
}

/// PV_OK for a point that a query may be about.
static inline pv_status pv__point_check(pv_vec2 point) {
    if (!pv__finite2(point)) return PV_ERROR_NOT_FINITE;
    return pv__placeable(point) ? PV_OK : PV_ERROR_ARGUMENT;
}

#endif
