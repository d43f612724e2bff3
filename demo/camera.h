/* camera.h - what of the world is on the canvas, and how large.
 *
 * Invariant: the center is in the middle of the canvas, whatever its size.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef CAMERA_H
#define CAMERA_H

#include <pixverlet.h>

struct camera {
    /// The point of the world in the middle of the canvas [px]
    pv_vec2 center;
    /// Pixels of the canvas per pixel of the world
    double zoom;
};

/// The camera that shows a whole box in the middle of a canvas.
struct camera camera_fit(pv_box box, int width, int height);

/// From the canvas to the world.
pv_vec2 camera_to_world(const struct camera *camera, int width, int height, pv_vec2 screen);

/// From the world to the canvas.
pv_vec2 camera_to_screen(const struct camera *camera, int width, int height, pv_vec2 world);

#endif
