/* backdrop.h - the background behind the sprites.
 *
 * Invariant: every pixel of the canvas is painted opaque.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef BACKDROP_H
#define BACKDROP_H

#include "stage/stage.h"

/// Place of the lower left corner of the scene's view on the canvas [px], and its zoom
struct backdrop_ground {
    double left, top, zoom;
};

/// Fills a canvas, with earth below the ground if the backdrop is a landscape. Scroll is the
/// displacement of the camera, which far objects follow in part [canvas px].
void backdrop_draw(const pv_canvas *canvas, enum stage_backdrop kind, pv_vec2 scroll,
                   const struct backdrop_ground *ground);

#endif
