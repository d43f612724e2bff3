/* bitmap_normal.h - the interface of bitmap_normal.c: contact normals from bitmaps, on grounds and
 * of discs.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PAPER_BITMAP_NORMAL_H
#define PV_PAPER_BITMAP_NORMAL_H

#include "collide/pixel_touch.h"

/// Lists for each body the immovable bodies in the world's pairs that may touch it.
void pv__bitmap_normal_find_grounds(pv_world *world);
/// Measures the overlap of a pair, and finds its contact points; returns false if there is none.
bool pv__bitmap_normal_measure(pv_world *world, const pv__meeting *m, pv__contact *c);
/// Moves the contact of discs to their rims. Their normals go through the centers, which gradients
/// miss by a few degrees. The bodies are at a fraction of the substep's motion.
void pv__bitmap_normal_round_off(pv_world *world, const pv__meeting *m, pv__contact *c,
                                 double fraction);
/// Finds the contact of two bodies in their current poses; returns false if they share no pixel.
bool pv__bitmap_normal_now(pv_world *world, pv__pair pair, pv__contact *c);

#endif
