/* backdrop.h - what is painted behind the sprites.
 *
 * Invariant: every pixel of the canvas is painted opaque.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef BACKDROP_H
#define BACKDROP_H

#include "stage.h"

/// Fills a canvas; scroll is how far the camera went, of which far things follow a part [px of the
/// canvas].
void backdrop_draw(const pv_canvas *canvas, enum stage_backdrop kind, pv_vec2 scroll);

#endif
