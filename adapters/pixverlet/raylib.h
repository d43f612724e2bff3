/* pixverlet/raylib.h - masks from raylib's images, and bodies and debug drawing by raylib. The
 * library itself does not use raylib; link it yourself. C11 and C++17.
 *
 * Invariant: all functions are static inline and use the public interfaces alone. Coordinates are
 * the world's; for a camera, use BeginMode2D().
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_RAYLIB_H
#define PIXVERLET_RAYLIB_H

#include "pixverlet.h"

#include <raylib.h>

/** @defgroup raylib raylib
 *  A separate header for raylib, not linked into the library. @{ */

/// Creates the mask of an image of any format.
/// @param image not changed
/// @param options null for the defaults
/// @param error null, or receives the outcome, as pv_mask_from_rgba()
/// @return a mask for pv_mask_release(), or null
static inline pv_mask *pv_raylib_mask_from_image(Image image, const pv_mask_options *options,
                                                 pv_error *error) {
    Image copy = ImageCopy(image);
    ImageFormat(&copy, PIXELFORMAT_UNCOMPRESSED_R8G8B8A8);
    pv_mask *mask =
        pv_mask_from_rgba(copy.data, copy.width, copy.height, 4 * copy.width, options, error);
    UnloadImage(copy);
    return mask;
}

/// Draws a picture, or a part of one, at a transform, for movers and cells of a sheet.
/// @param texture with TEXTURE_FILTER_POINT, otherwise its rim is blurred
/// @param part part to draw, in which the pivot is measured
/// @param at transform, as from pv_body_get_transform() or pv_mover_get_transform()
static inline void pv_raylib_draw_texture(Texture2D texture, Rectangle part,
                                          const pv_transform *at) {
    double across = at->scale.x < 0 ? -at->scale.x : at->scale.x;
    double down = at->scale.y < 0 ? -at->scale.y : at->scale.y;
    double x = at->scale.x < 0 ? part.width - at->pivot.x : at->pivot.x;
    double y = at->scale.y < 0 ? part.height - at->pivot.y : at->pivot.y;
    Rectangle place;
    Vector2 origin;
    place.x = (float)at->position.x;
    place.y = (float)at->position.y;
    place.width = (float)(part.width * across);
    place.height = (float)(part.height * down);
    origin.x = (float)(x * across);
    origin.y = (float)(y * down);
    if (at->scale.x < 0) part.width = -part.width;
    if (at->scale.y < 0) part.height = -part.height;
    DrawTexturePro(texture, part, place, origin,
                   (float)(pv_rotation_get_angle(at->rotation) * 57.29577951308232),
                   GetColor(0xffffffffu));
}

/// Draws a body's picture at its colliding pixels. Carved holes do not show.
/// @param texture as large as the body's mask, with TEXTURE_FILTER_POINT
static inline void pv_raylib_draw_body(Texture2D texture, const pv_world *world, pv_body_id body) {
    pv_transform at = pv_body_get_transform(world, body);
    Rectangle all;
    all.x = all.y = 0;
    all.width = (float)texture.width;
    all.height = (float)texture.height;
    pv_raylib_draw_texture(texture, all, &at);
}

static inline Vector2 pv_raylib__point(pv_vec2 point) {
    Vector2 at;
    at.x = (float)point.x;
    at.y = (float)point.y;
    return at;
}

static inline void pv_raylib__line(void *user_data, pv_vec2 from, pv_vec2 to, pv_color color) {
    (void)user_data;
    DrawLineV(pv_raylib__point(from), pv_raylib__point(to), GetColor(color));
}

static inline void pv_raylib__circle(void *user_data, pv_vec2 center, double radius,
                                     pv_color color) {
    (void)user_data;
    DrawCircleV(pv_raylib__point(center), (float)radius, GetColor(color));
}

/// Draws the collision bitmap run by run.
static inline void pv_raylib__mask(void *user_data, const pv_mask *mask,
                                   const pv_transform *transform, pv_color color) {
    (void)user_data;
    pv_rect at;
    pv_mask *turned = pv_mask_transform(mask, transform, &at, NULL, NULL);
    for (int y = 0; y < pv_mask_get_height(turned); y++)
        for (int x = 0; x < pv_mask_get_width(turned); x++) {
            int from = x;
            while (pv_mask_get_pixel(turned, x, y)) x++;
            if (x > from) DrawRectangle(at.x + from, at.y + y, x - from, 1, GetColor(color));
        }
    pv_mask_release(turned);
}

/// Returns callbacks for pv_world_debug_draw() that draw with raylib.
static inline pv_debug_draw pv_raylib_get_debug_draw(void) {
    pv_debug_draw draw = pv_debug_draw_default();
    draw.line = pv_raylib__line;
    draw.circle = pv_raylib__circle;
    draw.mask = pv_raylib__mask;
    return draw;
}

/** @} */

#endif
