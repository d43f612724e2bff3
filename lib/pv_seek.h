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

/* pv_index.c */

/// A straight way of what is around a point.
typedef struct pv__swath {
    pv_vec2 from, to;
    pv_box reach; ///< from the point [px]
} pv__swath;

/// Takes a body whose box a swath meets, and says beyond which fraction of the way no more are wanted.
typedef double (*pv__visit)(void *user, int index);
/// Shows all bodies whose boxes a swath meets and that are wanted. They come in no order, maybe more than once, but
/// those at the beginning of a long way before the others.
void pv__index_search(const pv_world *world, const pv__swath *swath, pv__visit visit, void *user);
/// The box of a body that is present, as pv__box_in() has it.
pv_box pv__current_box(const pv_world *world, int index);

/// Slots that are looked for at once.
#define PV__WINDOW (1 << 15)

/// Bodies whose boxes a swath meets, in order of slots, each once.
typedef struct pv__candidates {
    const pv_world *world;
    pv__swath swath;
    int first, words, word; ///< slot of the first bit, and which word comes next
    uint64_t bits[PV__WINDOW / 64];
} pv__candidates;
/// Begins at a slot.
void pv__candidates_begin(pv__candidates *candidates, const pv_world *world, const pv__swath *swath, int first);
/// The next slot, or -1.
int pv__candidates_next(pv__candidates *candidates);

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

/// Whether the caller accepts a body.
static inline bool pv__accepted(const pv_world *world, int index, const pv_query_filter *filter) {
    if (!filter || !filter->accept) return true;
    pv__busy busy;
    pv__busy_begin(&busy, world);
    bool accepted = filter->accept(filter->user, pv__name_of(world, index));
    pv__busy_end(&busy);
    return accepted;
}

/// The swath of a box that stays.
static inline pv__swath pv__swath_of(pv_box box) { return (pv__swath){.reach = box}; }

/// A body as a placed sprite.
static inline pv_placed pv__placed_of(const pv__body *b) {
    return (pv_placed){b->guise->mask, pv__transform_of(b, b->pose)};
}

/// PV_OK for a point that a query may be about.
static inline pv_status pv__point_check(pv_vec2 point) {
    if (!pv__finite2(point)) return PV_ERROR_NOT_FINITE;
    return pv__placeable(point) ? PV_OK : PV_ERROR_ARGUMENT;
}

#endif
