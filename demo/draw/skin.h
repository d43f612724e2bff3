/* skin.h - surfaces of composites and polygons.
 *
 * Invariant: drawing only reads the stage.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SKIN_H
#define SKIN_H

#include "draw/lens.h"

/// Draws the triangles of all composites, and their ropes with pictures.
void skin_draw(const struct lens *lens);

/// Fills a polygon.
/// @param scale size about the mean of its corners; 1: the whole polygon
void skin_fill(const struct lens *lens, pv_body_id polygon, double scale, uint32_t color);

#endif
