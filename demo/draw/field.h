/* field.h - shows distances as colors.
 *
 * Invariant: drawing only reads the world.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef FIELD_H
#define FIELD_H

#include "draw/lens.h"

/// Paints the distance from the contour around and inside every body. Colors are cold outside and
/// warm inside, and a step darker with each pixel of distance.
void field_draw(const struct lens *lens);

#endif
