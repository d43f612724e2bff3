/* camera.c - maps points from the world to the canvas and back.
 *
 * Invariant: each direction is the inverse of the other.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/camera.h"

struct camera camera_fit(pv_box box, int width, int height) {
    double x = width / (box.max.x - box.min.x), y = height / (box.max.y - box.min.y);
    return (struct camera){{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2},
                           x < y ? x : y};
}

pv_vec2 camera_to_world(const struct camera *camera, int width, int height, pv_vec2 screen) {
    return (pv_vec2){camera->center.x + (screen.x - width / 2) / camera->zoom,
                     camera->center.y + (screen.y - height / 2) / camera->zoom};
}

pv_vec2 camera_to_screen(const struct camera *camera, int width, int height, pv_vec2 world) {
    return (pv_vec2){(world.x - camera->center.x) * camera->zoom + width / 2,
                     (world.y - camera->center.y) * camera->zoom + height / 2};
}
