/* props.h - objects that scenes paint themselves: running belts, counting boards, tinted and
 * enlarged sprites.
 *
 * Invariant: later painting changes only pictures; masks stay the same.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PROPS_H
#define PROPS_H

#include "stage/stage.h"

/// Conveyor belt over rollers: a stadium with a running surface
struct belt {
    pv_body_id body;
    /// Null after a failure
    struct sprite *sprite;
    /// Speed, clockwise along its outline [px/s]
    double speed;
    /// Displacement of the surface [px]
    double way;
};

/// Creates a static belt.
/// @param middle middle of the belt [px]
/// @param length,thick outer size; thick is even [px]
/// @param def angle, speed, material and filter
struct belt props_belt(struct stage *stage, pv_vec2 middle, int length, int thick, pv_body_def def);

/// Moves the surface by a step, and repaints the belt. Its speed may have changed.
void props_run(struct belt *belt);

/// Board that shows a number
struct board {
    /// Null after a failure
    struct sprite *sprite;
    int digits, shown;
    uint32_t color;
};

/// Creates a board that shows 0, in front of all else.
/// @param color color of its digits, 0xRRGGBBAA
struct board props_board(struct stage *stage, double left, double top, int digits, uint32_t color);

/// Shows the last digits of a number.
void props_count(struct board *board, int number);

/// Creates a picture that nothing touches.
/// @param image taken over
/// @param behind true for a place behind moving bodies that are created later; otherwise in front
void props_decor(struct stage *stage, const char *name, pv_image *image, double left, double top,
                 bool behind);

/// Creates a picture that nothing touches and that the scene moves. It is behind moving bodies that
/// are created later.
/// @param image taken over
/// @param at place of its center of mass [px]
pv_body_id props_part(struct stage *stage, const char *name, pv_image *image, pv_vec2 at);

/// Returns a tinted sprite of the demo.
/// @param color tint, blended by its alpha, 0xRRGGBBAA
struct sprite *props_tinted(struct stage *stage, const char *sprite, uint32_t color);

/// Returns a sprite of the demo in shades of one color, each pixel enlarged to a square of factor x
/// factor.
/// @param color color of the glass, 0xRRGGBBAA; its alpha may make the picture transparent, but the
/// mask stays solid
struct sprite *props_glass(struct stage *stage, const char *sprite, int factor, uint32_t color);

/// Creates an empty picture; a failure is kept in the stage's error.
pv_image *props_picture(struct stage *stage, int width, int height);

/// Paints a pixel, unless it is outside the picture.
void props_dot(pv_image *image, int x, int y, uint32_t color);

/// Clears all pixels outside the largest connected part.
void props_keep_largest(pv_image *image);

/// Paints a disc.
/// @param x,y its center [px]
void props_disc(pv_image *image, double x, double y, double radius, uint32_t color);

/// Paints a number >= 0 in digits of 3 x 5 pixels, centered at a pixel.
void props_number(pv_image *image, int x, int y, int number, uint32_t color);

/// Paints a rectangle.
void props_bar(pv_image *image, pv_rect bar, uint32_t color);

#endif
