/* pixel_touch.h - the interface of pixel_touch.c: the contact of two bodies from the pixels
 * they share.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_PIXEL_TOUCH_H
#define PV_COLLIDE_PIXEL_TOUCH_H

#include "collide/body_overlap.h"

/// Depth of contact patches [px]
#define PV__PATCH_DEPTH 3

/// Measures the overlap of a pair: its place, depth and normal, and the box of the shared pixels in
/// a's bitmap. Returns false if there is none.
bool pv__touch_measure(const pv__meeting *m, pv__contact *c, pv_rect *shared);
/// Finds the contact points of a touch from the overlap that the pair would have a little deeper. A
/// strip of even thickness belongs to two faces, with contact points at its ends. A strip that is
/// thicker to one side belongs to a tilted face, with a contact point at that end. A strip that is
/// thicker in the middle is round, with a contact point there. The moments over the length 2 l tell
/// the thickness. The mean is off the middle by l/3 at most; the variance is l^2/3 if even, l^2/5
/// if round. The normal of a strip is better than the gradient, which the strip's ends distort. A
/// grounded contact keeps its normal, which these ends do not distort.
void pv__touch_spread(const pv__meeting *p, bool grounded, pv__contact *c);
/// Replaces a normal of length 0. All gradients vanish if one body is inside the other, or if both
/// are alike. A body leaves a much larger one by the nearest side, and any other in the direction
/// of the centers.
void pv__touch_mend_normal(pv__contact *c, const pv__body *a, const pv__body *b);
/// Finds the contact of two bodies in their current poses; returns false if they share no pixel.
bool pv__touch_now(pv_world *world, pv__pair pair, pv__contact *c);
/// Tells whether a is so much larger that the direction of the centers does not tell b's way out.
bool pv__touch_is_much_larger(const pv__body *a, const pv__body *b);

#endif
