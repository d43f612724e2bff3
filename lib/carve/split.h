/* split.h - the interface of split.c: turns detached parts of a body into bodies of their own, or
 * debris.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CARVE_SPLIT_H
#define PV_CARVE_SPLIT_H

#include "carve/detach.h"
#include "core/world.h"

/// Fragment: a detached part that becomes a body.
typedef struct pv__fragment {
    pv__body_pixels *pixels;
    /// Place of its pixel (0, 0) in the parent's picture [px]
    int x, y;
    /// Slot of its body, once it has one
    int body;
} pv__fragment;
/// Debris: a detached part that becomes a particle.
typedef struct pv__debris {
    /// Center of mass in the parent's picture [px]
    pv_vec2 center;
    /// Number of pixels
    double area;
    /// Weight, in the same unit as a body's
    double weight;
} pv__debris;
/// Purpose of a cut.
typedef enum pv__cut_use { PV__CUT_TAKES, PV__CUT_ADDS, PV__CUT_CHIPS } pv__cut_use;
/// Detached parts of a cut, before and after it is applied.
typedef struct pv__split {
    /// Index of the body
    int index;
    /// True if nothing is left of the body
    bool is_spent;
    pv__cut_use use;
    pv__falls falls;
    pv__fragment *shards;
    pv__debris *crumbs;
    int shard_count, shard_capacity, crumb_count, crumb_capacity;
    /// Number of pixels of all debris, with or without particles
    int64_t crumb_pixels;
    /// Changed rectangle of the parent's picture
    pv_rect changed;
    /// Mask of all pixels that the parent loses, detached parts included; null for added pixels
    const pv_mask *gone;
    /// Place of its pixel (0, 0) in the parent's picture [px]
    pv_point gone_at;
} pv__split;
/// Finds the parts that a cut detaches from a body, and adds them to the cut. Prepares everything
/// their bodies need, so that nothing can fail later. Bodies may move in memory.
pv_status pv__split_make(pv_world *world, int index, pv__cut_use use, pv_mask **gone,
                         pv__cut_out *out, pv__split *split);
/// Turns the rest of a body that has no pixels at its scale into debris. A failure changes nothing.
pv_status pv__split_rest(pv_world *world, const pv_mask *gone, const pv__cut_out *out,
                         pv__split *split);
/// Turns the parts into bodies and particles.
/// @param was the body before the cut
void pv__split_commit(pv_world *world, const pv__body *was, pv__split *split,
                      pv_carve_result *carved);
/// Gives the pixels that became neither bodies nor particles to the populations of grains.
void pv__split_feed_grains(pv_world *world, pv_body_id body, const pv__body *was,
                           const pv__split *split);
/// Runs the caller's split callback.
void pv__split_tell(pv_world *world, pv_body_id parent, const pv__split *split);
void pv__split_free(pv_world *world, pv__split *split);

#endif
