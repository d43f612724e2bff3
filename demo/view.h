/* view.h - draws a stage through a camera.
 *
 * Invariant: sprites are drawn by the library's own map, so what is seen is what collides. No window here.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef VIEW_H
#define VIEW_H

#include "motion.h"
#include "stage.h"

struct camera {
    pv_vec2 centre; ///< the point of the world in the middle of the canvas [px]
    double zoom;    ///< pixels of the canvas per pixel of the world
};

/// How a stage is to be drawn. All zero but the camera: sprites as they are now.
struct view {
    struct camera camera;
    const struct motion *motion; ///< null, or where all was one step before
    double fraction;             ///< how much of the last step to show, with motion
    bool debug;                  ///< masks, boxes, contacts, constraints and particles over all as it is now
};

/// The camera that shows a whole box in the middle of a canvas.
struct camera camera_fit(pv_box box, int width, int height);

/// From the canvas to the world.
pv_vec2 camera_to_world(const struct camera *camera, int width, int height, pv_vec2 screen);

/// From the world to the canvas.
pv_vec2 camera_to_screen(const struct camera *camera, int width, int height, pv_vec2 world);

/// Paints the whole canvas.
void view_draw(const pv_canvas *canvas, const struct stage *stage, const struct view *view);

#endif
