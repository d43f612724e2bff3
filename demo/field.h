/* field.h - shows distances as colors.
 *
 * Invariant: only reads the world.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef FIELD_H
#define FIELD_H

#include "lens.h"

/// Paints, around the contour of every body and inside it, how far away it is: cold outside, warm
/// inside, a step of brightness for each pixel.
void field_draw(const struct lens *lens);

#endif
