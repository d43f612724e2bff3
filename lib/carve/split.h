/* split.h - the interface of split.c: what falls off a body becomes bodies of its own, or crumbs.
 *
 * Invariant: as in split.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CARVE_SPLIT_H
#define PV_CARVE_SPLIT_H

#include "carve/detach.h"
#include "core/world.h"

/// A part of a cut that becomes a body.
typedef struct pv__fragment {
    pv__body_pixels *guise;
    /// Of its pixel (0, 0) in the parent's picture [px]
    int x, y;
    /// Pixels
    int64_t area;
    /// Once it is one
    int body;
} pv__fragment;
/// One that is too small, and flies.
typedef struct pv__debris {
    /// Of mass, in the parent's picture [px]
    pv_vec2 center;
    /// Pixels
    double area;
    /// As a body's
    double weight;
} pv__debris;
/// Purpose of a cut.
typedef enum pv__cut_use { PV__CUT_TAKES, PV__CUT_ADDS, PV__CUT_CHIPS } pv__cut_use;
/// Parts that a cut detaches, before and after it is made.
typedef struct pv__split {
    pv__falls falls;
    pv__fragment *shards;
    pv__debris *crumbs;
    int shard_count, shard_capacity, crumb_count, crumb_capacity;
    /// Of all crumbs, if they fly or not
    int64_t crumb_pixels;
    /// Of the parent's picture
    pv_rect changed;
    /// What the parent loses, with all that falls off; null where it gains
    const pv_mask *gone;
    /// Of its pixel (0, 0) in the parent's picture [px]
    pv_point gone_at;
} pv__split;
/// Finds what falls off a body by a cut that takes pixels, which then takes that as well, and makes
/// all that is needed for it to become bodies, so that nothing fails later. Bodies may lie
/// elsewhere in memory afterwards.
pv_status pv__split_make(pv_world *world, int index, pv__cut_use use, pv_mask **gone,
                         pv__cut_out *out, pv__split *split);
/// Returns what the cut leaves of a body that has no pixel at its scale any more is a crumb. Fails
/// with nothing changed.
pv_status pv__split_rest(pv_world *world, int index, const pv_mask *gone, const pv__cut_out *out,
                         pv__split *split);
/// The parts become bodies and particles; was: the body before the cut, of which something is left
/// or not.
void pv__split_commit(pv_world *world, int index, const pv__body *was, bool is_left,
                      pv__split *split, pv_carve_result *carved);
/// Tells the caller's callback.
void pv__split_tell(pv_world *world, pv_body_id parent, const pv__split *split);
void pv__split_free(pv_world *world, pv__split *split);

#endif
