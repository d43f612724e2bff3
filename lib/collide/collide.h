/* collide.h - the ways to find a manifold of contours, and what helps to find contacts of pixels.
 *
 * Invariant: each way fills count, points and clearance from the poses and velocities of the bodies
 * and nothing else.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_COLLIDE_H
#define PV_COLLIDE_COLLIDE_H

#include "core/world.h"

/* collide_convex.c */
/// The manifold of two bodies that are discs or convex polygons; false when they are not. ahead:
/// for how long it is to hold [s]; reach: how far apart surfaces are that belong to it [px].
bool pv__collide_convex(const pv_world *world, pv__manifold *m, double ahead, double reach);

/// Two bodies in poses whose bitmaps are known, b's moved by (x, y) more.
typedef struct pv__meeting {
    pv__pair pair;
    /// Null without memory
    const pv__bitmap *a, *b;
    int64_t x, y;
} pv__meeting;

/// Of larger pictures no bitmap is made to see whether they touch [px^2].
static inline bool pv__collide_is_large(const pv__body *b) {
    return (int64_t)b->guise->mask->bits.w * b->guise->mask->bits.h > 1 << 20;
}

/* collide_bitmap.c */
/// Lists for each body what does not move and may touch it, among world->pairs.
void pv__collide_find_grounds(pv_world *world);
/// The normal of a body on all that does not move there; shared: in a's pixels. False when it is
/// none of that, or too wide.
bool pv__collide_ground_normal(pv_world *world, const pv__meeting *m, pv_rect shared,
                               pv_vec2 *normal);

#endif
