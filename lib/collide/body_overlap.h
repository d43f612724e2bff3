/* body_overlap.h - the interface of body_overlap.c: whether two bodies share a pixel, now or on
 * their way.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_BODY_OVERLAP_H
#define PV_COLLIDE_BODY_OVERLAP_H

#include "collide/collide.h"

/// Returns the bitmaps of two bodies at a fraction of the substep's motion; at 1, those of their
/// current poses.
pv__meeting pv__meeting_at(pv_world *world, const pv__body *a, const pv__body *b, double fraction);
/// Tells whether there was memory for both bitmaps.
bool pv__meeting_is_known(pv_world *world, pv__meeting p);
/// Tells whether both bitmaps share a pixel.
bool pv__meeting_shares(pv__meeting p);
/// Returns the pixels that a bitmap covers in the world.
pv_rect pv__bitmap_rect(const pv__bitmap *p);
/// Returns the pose of a body at a fraction of the substep's motion.
pv__pose pv__overlap_pose(const pv__body *b, double fraction);
/// Tells whether two bodies share a pixel at a fraction of the substep's motion; *known is false
/// without memory.
bool pv__overlap_at(pv_world *world, pv__body *a, pv__body *b, double fraction, bool *known);
/// Tells whether two bodies share a pixel in their current poses.
bool pv__collide_bodies_overlap(pv_world *world, pv__pair pair);
/// Does the same for poses that are only tried, without drawing whole bitmaps.
bool pv__collide_poses_overlap(pv_world *world, pv__pair pair);

#endif
