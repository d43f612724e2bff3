/* skin.h - surfaces of composites and polygons.
 *
 * Invariant: drawing only reads the stage.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SKIN_H
#define SKIN_H

#include "draw/lens.h"

/// Draws the triangles of all composites.
void skin_draw(const struct lens *lens);

/// Fills a polygon.
void skin_fill(const struct lens *lens, pv_polygon_id polygon, uint32_t color);

#endif
