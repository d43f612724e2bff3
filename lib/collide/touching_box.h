/* touching_box.h - the box of the part of a body that can touch.
 *
 * Invariant: the box holds the whole contour.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_TOUCHING_BOX_H
#define PV_COLLIDE_TOUCHING_BOX_H

#include "base/duo.h"
#include "core/pose.h"

/// Box as two pairs of numbers, from its least to its greatest coordinates
typedef struct pv__bounds {
    pv__duo low, high;
} pv__bounds;

static inline pv__duo pv__duo_of(pv_vec2 v) { return (pv__duo){v.x, v.y}; }

static inline pv__bounds pv__bounds_of(pv_box box) {
    return (pv__bounds){pv__duo_of(box.min), pv__duo_of(box.max)};
}

static inline void pv__bounds_put(pv_box *box, pv__bounds s) {
    pv__duo_put(&box->min.x, s.low);
    pv__duo_put(&box->max.x, s.high);
}

/// Returns the box of the part of a body that can touch: its contour, or without one its picture.
PV__INLINE pv__bounds pv__touching_bounds(const pv__body *b, pv__pose pose) {
    if (!b->pixels->shape || (!b->awake && b->pixels->stand_in))
        return pv__bounds_of(pv__pose_outer_box(b, pose)); /* sensors test pixels */
    const pv_box *box = &b->pixels->shape->box;
    pv__duo low = pv__duo_at(&box->min.x), high = pv__duo_at(&box->max.x);
    pv__duo middle = low + 0.5 * (high - low) - pv__duo_of(b->pixels->pivot),
            half = 0.5 * (high - low);
    pv__duo turn = {pose.turn.c, pose.turn.s}, across = {-pose.turn.s, pose.turn.c};
    pv__duo c_s = pv__duo_abs(turn), s_c = {c_s[1], c_s[0]};
    pv__duo at = pv__duo_of(pose.center) + (turn * middle[0] + across * middle[1]);
    pv__duo extent = c_s * half[0] + s_c * half[1];
    return (pv__bounds){at - extent, at + extent};
}

static inline pv_box pv__touching_box(const pv__body *b, pv__pose pose) {
    pv_box box;
    pv__bounds_put(&box, pv__touching_bounds(b, pose));
    return box;
}

#endif
