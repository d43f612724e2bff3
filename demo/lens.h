/* lens.h - from the world, at a moment between two steps, to the canvas.
 *
 * Invariant: all that is drawn is placed by this, so parts of one thing stay together.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef LENS_H
#define LENS_H

#include "view.h"

/// What a picture is made of, borrowed while it is made.
struct lens {
    const pv_canvas *canvas;
    const struct stage *stage;
    const struct view *view;
};

/// A point of the world on the canvas [px].
pv_vec2 lens_point(const struct lens *lens, pv_vec2 point);

/// A particle on the canvas [px].
pv_vec2 lens_particle(const struct lens *lens, pv_particle particle);

/// A constraint's end on the canvas [px].
pv_vec2 lens_anchor(const struct lens *lens, const pv_anchor *anchor);

/// Where a body's picture goes on the canvas.
pv_transform lens_body(const struct lens *lens, pv_body body);

/// Whether a box of the canvas shows.
bool lens_sees(const struct lens *lens, pv_box box);

#endif
