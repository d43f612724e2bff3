/* collide.h - the functions that find a manifold of contours, and helpers for contacts of pixels.
 *
 * Invariant: each function fills count, points and clearance from the poses and velocities of the
 * bodies and nothing else.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_COLLIDE_H
#define PV_COLLIDE_COLLIDE_H

#include "core/world.h"
#include "pixel/kernel.h"

/* convex_kernel.h */
/// Formulas for discs and convex polygons in an instruction set, with the same results on every CPU
typedef struct pv__convex_kernel {
    /// Returns a lower bound of the gap between two convex polygons [px], in front of a's side that
    /// faces b's center; -INFINITY for other shapes. The vector apart leads from a's center to b's.
    double (*gap)(const pv__body *a, const pv__body *b, pv_vec2 apart, pv_rotation turn_a,
                  pv_rotation turn_b);
    /// Finds the manifold of two bodies that are discs or convex polygons; returns false for other
    /// shapes. The manifold holds for the time ahead [s]. It contains surfaces up to the distance
    /// reach [px]. Bodies farther apart than near [px] get no points.
    bool (*meet)(const pv_world *world, pv__manifold *m, double ahead, double reach, double near);
} pv__convex_kernel;

extern const pv__convex_kernel pv__convex_generic;
#ifdef PV__X86_KERNELS
extern const pv__convex_kernel pv__convex_avx2;
#endif

/// Returns the kernel for convex shapes that matches the pixel kernel in use.
static inline const pv__convex_kernel *pv__collide_convex(void) {
    return PV__KERNEL_OF(pv__convex);
}

/// Tells whether a picture is too large for a bitmap in overlap tests: more than 2^20 px^2.
static inline bool pv__collide_is_large(const pv__body *b) {
    return (int64_t)b->pixels->hull->bits.w * b->pixels->hull->bits.h > 1 << 20;
}

/// Bitmaps of two bodies in their poses, with b's bitmap moved by a further (x, y)
typedef struct pv__meeting {
    pv__pair pair;
    /// Bitmaps; null without memory
    const pv__bitmap *a, *b;
    int64_t x, y;
} pv__meeting;

#endif
