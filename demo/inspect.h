/* inspect.h - what there is to know about a body, in figures and in words.
 *
 * Invariant: only reads the world.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef INSPECT_H
#define INSPECT_H

#include "stage.h"

/// What a body's pixels come to.
struct inspect_shape {
    /// Solid ones of its mask
    int64_t pixels;
    /// That do not touch, not even at corners
    int parts;
    /// Of what it presses with
    int contour_points;
    /// Of the mask with its contour and field, once for all bodies that share it
    size_t bytes;
};

/// Counts anew what a body's pixels come to, with a copy of them in a world of its own.
/// @return false without memory, and for a stale name
bool inspect_measure(const pv_world *world, pv_body_id body, struct inspect_shape *shape);

/// One thing to know.
struct inspect_line {
    const char *name;
    char text[48];
};

#define INSPECT_LINES 14

/// Says all about a body, its sprite first.
/// @param shape as it was measured
/// @return how many lines; 0 for a stale name
int inspect_describe(const struct stage *stage, pv_body_id body, const struct inspect_shape *shape,
                     struct inspect_line lines[INSPECT_LINES]);

#endif
