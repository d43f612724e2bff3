/* water.h - liquids as bodies of water.
 *
 * Invariant: drawing only reads the stage.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef WATER_H
#define WATER_H

#include "draw/lens.h"

/// Draws all painted liquids.
void water_draw(const struct lens *lens);

#endif
