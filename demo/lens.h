/* lens.h - from the world, at a moment between two steps, to the canvas.
 *
 * Invariant: all that is drawn is placed by this, so parts of one thing stay together.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef LENS_H
#define LENS_H

#include "camera.h"
#include "motion.h"
#include "stage.h"

/// How a stage is to be drawn. All zero but the camera: sprites as they are now.
struct view {
    struct camera camera;
    /// Null, or where all was one step before
    const struct motion *motion;
    /// How much of the last step to show, with motion
    double fraction;
    /// Some of PV_DEBUG_ and VIEW_, over all as it is now; 0: as between steps
    unsigned overlays;
    /// The body that is framed, or the null name
    pv_body_id picked;
};

/// Colors for how far from contours each place is.
#define VIEW_FIELD 0x10000u
/// What is shown when nothing in particular is asked for.
#define VIEW_USUAL_OVERLAYS                                                                        \
    ((unsigned)PV_DEBUG_ALL & ~(unsigned)(PV_DEBUG_CONTOURS | PV_DEBUG_POLYGONS))

/// What a picture is made of, borrowed while it is made.
struct lens {
    const pv_canvas *canvas;
    const struct stage *stage;
    const struct view *view;
};

/// A point of the world on the canvas [px].
pv_vec2 lens_point(const struct lens *lens, pv_vec2 point);

/// A particle on the canvas [px].
pv_vec2 lens_particle(const struct lens *lens, pv_particle_id particle);

/// A constraint's end on the canvas [px].
pv_vec2 lens_anchor(const struct lens *lens, const pv_anchor *anchor);

/// Returns where a body's picture goes on the canvas.
pv_transform lens_body(const struct lens *lens, pv_body_id body);

/// Tells whether a box of the canvas shows.
bool lens_sees(const struct lens *lens, pv_box box);

#endif
