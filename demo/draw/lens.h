/* lens.h - maps the world at a moment between two steps to the canvas.
 *
 * Invariant: all drawing uses these functions, so parts of one object stay together.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef LENS_H
#define LENS_H

#include "draw/camera.h"
#include "draw/motion.h"
#include "stage/stage.h"

/// Settings for drawing a stage. If all is zero except the camera, sprites show in their current
/// state.
struct view {
    struct camera camera;
    /// Motion since the step before, or null
    const struct motion *motion;
    /// Fraction of the last step to show, if there is motion
    double fraction;
    /// Bits of PV_DEBUG_ and VIEW_. With any of them all is shown in its current state
    unsigned overlays;
    /// Framed body, or the null id
    pv_body_id picked;
};

/// Overlay that colors each place by its distance from contours
#define VIEW_FIELD 0x10000u
/// Overlays that are shown by default
#define VIEW_USUAL_OVERLAYS                                                                        \
    ((unsigned)PV_DEBUG_CONTOURS | (unsigned)PV_DEBUG_NORMALS | (unsigned)PV_DEBUG_JOINTS)

/// Data of a picture, borrowed while it is drawn
struct lens {
    const pv_canvas *canvas;
    const struct stage *stage;
    const struct view *view;
};

/// Converts a point of the world to the canvas [px].
pv_vec2 lens_point(const struct lens *lens, pv_vec2 point);

/// Returns the position of a particle on the canvas [px].
pv_vec2 lens_particle(const struct lens *lens, pv_particle_id particle);

/// Returns the position of a joint's end on the canvas [px].
pv_vec2 lens_anchor(const struct lens *lens, const pv_anchor *anchor);

/// Returns the transform of a body's picture on the canvas.
pv_transform lens_body(const struct lens *lens, pv_body_id body);

/// Greatest number of places at which a body is drawn
#define LENS_PLACES 4

/// Returns the number of places at which a body is drawn, and their offsets on the canvas. It is 1,
/// except at an edge of a space that wraps around.
int lens_places(const struct lens *lens, pv_body_id body, pv_vec2 offsets[LENS_PLACES]);

/// Tells whether a box is visible on the canvas.
bool lens_sees(const struct lens *lens, pv_box box);

#endif
