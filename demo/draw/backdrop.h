/* backdrop.h - the background behind the sprites.
 *
 * Invariant: every pixel of the canvas is painted opaque.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef BACKDROP_H
#define BACKDROP_H

#include "stage/stage.h"

/// Fills a canvas. Scroll is the displacement of the camera, which far objects follow in part
/// [canvas px].
void backdrop_draw(const pv_canvas *canvas, enum stage_backdrop kind, pv_vec2 scroll);

#endif
