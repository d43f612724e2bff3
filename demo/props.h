/* props.h - things that scenes paint themselves: belts that run, boards that count, tinted and
 * enlarged sprites.
 *
 * Invariant: what is painted later changes pictures only; masks stay as they were made.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PROPS_H
#define PROPS_H

#include "stage.h"

/// A conveyor belt over rollers: a stadium whose surface runs.
struct belt {
    pv_body_id body;
    /// Null after a failure
    struct sprite *sprite;
    /// Clockwise along its outline [px/s]
    double speed;
    /// How far it has run [px]
    double way;
};

/// Puts a static belt.
/// @param middle of it [px]
/// @param length,thick of all of it; thick is even [px]
/// @param def its angle, speed, material and filter
struct belt props_belt(struct stage *stage, pv_vec2 middle, int length, int thick, pv_body_def def);

/// Paints a belt as it is a step later; speed may have been changed.
void props_run(struct belt *belt);

/// A board that shows a number.
struct board {
    /// Null after a failure
    struct sprite *sprite;
    int digits, shown;
    uint32_t color;
};

/// Puts a board that shows 0 in front of all.
/// @param color of its digits, 0xRRGGBBAA
struct board props_board(struct stage *stage, double left, double top, int digits, uint32_t color);

/// Shows the last digits of a number.
void props_count(struct board *board, int number);

/// Puts a picture that nothing touches.
/// @param image taken over
/// @param behind of what moves, if it was put before that; else in front
void props_decor(struct stage *stage, const char *name, pv_image *image, double left, double top,
                 bool behind);

/// Puts a picture that nothing touches and that the scene moves, behind of what moves if it was put
/// before that.
/// @param image taken over
/// @param at its center of mass [px]
pv_body_id props_part(struct stage *stage, const char *name, pv_image *image, pv_vec2 at);

/// A sprite of the demo in another light.
/// @param color what it is blended with, by its alpha, 0xRRGGBBAA
struct sprite *props_tinted(struct stage *stage, const char *sprite, uint32_t color);

/// A sprite of the demo, each pixel a square of factor by factor, in one color but for its shades.
/// @param color of glass, 0xRRGGBBAA: its picture may be as transparent as it likes, its mask is
/// solid
struct sprite *props_glass(struct stage *stage, const char *sprite, int factor, uint32_t color);

/// An empty picture; a failure is kept in the stage.
pv_image *props_picture(struct stage *stage, int width, int height);

/// Paints a pixel, or nothing beside the picture.
void props_dot(pv_image *image, int x, int y, uint32_t color);

/// Clears all pixels that do not hang on the largest part.
void props_keep_largest(pv_image *image);

/// Paints a rectangle.
void props_bar(pv_image *image, pv_rect bar, uint32_t color);

#endif
