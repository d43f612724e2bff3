/* inspect.h - data of a body, in numbers and in words.
 *
 * Invariant: inspection only reads the world.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef INSPECT_H
#define INSPECT_H

#include "stage/stage.h"

/// Data of a body's pixels
struct inspect_shape {
    /// Number of solid pixels of its mask
    int64_t pixels;
    /// Number of parts that do not touch, not even at corners
    int parts;
    /// Number of points of its contour
    int contour_points;
    /// Memory of the mask with its contour and field, once for all bodies that share it [bytes]
    size_t bytes;
};

/// Computes the data of a body's pixels, from a copy of them in a world of its own.
/// @return false if memory runs out, and for an invalid id
bool inspect_measure(const pv_world *world, pv_body_id body, struct inspect_shape *shape);

/// Line of a description
struct inspect_line {
    const char *name;
    char text[48];
};

#define INSPECT_LINES 14

/// Describes a body, its sprite first.
/// @param shape result of inspect_measure()
/// @return number of lines; 0 for an invalid id
int inspect_describe(const struct stage *stage, pv_body_id body, const struct inspect_shape *shape,
                     struct inspect_line lines[INSPECT_LINES]);

#endif
