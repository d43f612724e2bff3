/* grains.c - grains as pixels of the world.
 *
 * Invariant: a grain covers the pixels of the canvas that a sprite's pixel would cover there.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/grains.h"

void grains_draw(const struct lens *lens) {
    const pv_canvas *canvas = lens->canvas;
    const struct camera *camera = &lens->view->camera;
    pv_grains_view view = pv_grains_get_view(lens->stage->world, lens->stage->grains);
    pv_vec2 corner = camera_to_world(camera, canvas->width, canvas->height, (pv_vec2){0, 0});
    pv_canvas_draw_grains(canvas, &view, corner, camera->zoom);
}
