/* field.c - draws distances from the library, point by point on the canvas.
 *
 * Invariant: outside, nothing is painted beyond the range in which the field is reliable. Deep
 * inside all pixels have one color.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/field.h"

#include <math.h>

/// Distance outside a contour up to which a field is reliable [px]
#define OUTSIDE 4.0
/// Side of a square of the canvas that is painted with one query, to save three quarters [px]
#define GRAIN 2
#define OPACITY 170

/// Returns the point of the world in the middle of a grain.
static pv_vec2 world_point(const struct lens *lens, int x, int y) {
    pv_vec2 middle = {x + GRAIN * .5, y + GRAIN * .5};
    return camera_to_world(&lens->view->camera, lens->canvas->width, lens->canvas->height, middle);
}

/// Color and its opacity, 0...255
struct hue {
    int rgb[3], opacity;
};

/// Returns the color of a distance: bright at the contour, and a step darker with each pixel.
static struct hue hue_of(double distance) {
    bool inside = distance < 0;
    int steps = (int)fabs(distance), light = 255 - steps * (inside ? 24 : 40);
    if (inside) return (struct hue){{light, light / 2, light / 8}, OPACITY};
    return (struct hue){{light / 6, light / 2, light},
                        (int)(OPACITY * (1 - .7 * distance / OUTSIDE))};
}

static void paint(const struct lens *lens, int left, int top, struct hue hue) {
    const pv_canvas *canvas = lens->canvas;
    for (int y = top; y < top + GRAIN && y < canvas->height; y++)
        for (int x = left; x < left + GRAIN && x < canvas->width; x++) {
            unsigned char *pixel = canvas->pixels + y * canvas->pitch + x * 4;
            for (int i = 0; i < 3; i++)
                pixel[i] = (unsigned char)(pixel[i] + (hue.rgb[i] - pixel[i]) * hue.opacity / 255);
        }
}

/// Returns the part of the canvas that a body's field covers, aligned to whole grains.
static pv_rect covered(const struct lens *lens, pv_body_id body) {
    pv_box box = pv_body_get_bounds(lens->stage->world, body);
    pv_vec2 a = lens_point(lens, (pv_vec2){box.min.x - OUTSIDE, box.min.y - OUTSIDE}),
            b = lens_point(lens, (pv_vec2){box.max.x + OUTSIDE, box.max.y + OUTSIDE});
    int width = lens->canvas->width, height = lens->canvas->height;
    int left = a.x > 0 ? (int)fmin(a.x, width) / GRAIN * GRAIN : 0,
        top = a.y > 0 ? (int)fmin(a.y, height) / GRAIN * GRAIN : 0,
        right = b.x < width ? (int)b.x : width, bottom = b.y < height ? (int)b.y : height;
    return (pv_rect){left, top, right - left, bottom - top};
}

static void draw_around(const struct lens *lens, pv_body_id body) {
    pv_rect rect = covered(lens, body);
    for (int y = rect.y; y < rect.y + rect.h; y += GRAIN)
        for (int x = rect.x; x < rect.x + rect.w; x += GRAIN) {
            double distance;
            if (pv_body_compute_distance(lens->stage->world, body, world_point(lens, x, y),
                                         &distance, NULL) != PV_OK)
                return;
            if (distance < OUTSIDE) paint(lens, x, y, hue_of(distance));
        }
}

void field_draw(const struct lens *lens) {
    const pv_world *world = lens->stage->world;
    pv_body_id body = pv_world_get_next_body(world, (pv_body_id){0});
    for (; stage_is_body(body); body = pv_world_get_next_body(world, body))
        if (pv_body_is_enabled(world, body)) draw_around(lens, body);
}
