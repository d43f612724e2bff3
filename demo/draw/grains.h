/* grains.h - grains as pixels of the world.
 *
 * Invariant: drawing only reads the stage.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef DRAW_GRAINS_H
#define DRAW_GRAINS_H

#include "draw/lens.h"

/// Draws the grains of a stage in their current state.
void grains_draw(const struct lens *lens);

#endif
