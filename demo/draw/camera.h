/* camera.h - the part of the world on the canvas, and its zoom.
 *
 * Invariant: the center is in the middle of the canvas, whatever its size.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef CAMERA_H
#define CAMERA_H

#include <pixverlet.h>

struct camera {
    /// Point of the world in the middle of the canvas [px]
    pv_vec2 center;
    /// Number of canvas pixels per pixel of the world
    double zoom;
};

/// Returns the camera that shows a whole box in the middle of a canvas.
struct camera camera_fit(pv_box box, int width, int height);

/// Converts a point of the canvas to the world.
pv_vec2 camera_to_world(const struct camera *camera, int width, int height, pv_vec2 screen);

/// Converts a point of the world to the canvas.
pv_vec2 camera_to_screen(const struct camera *camera, int width, int height, pv_vec2 world);

#endif
