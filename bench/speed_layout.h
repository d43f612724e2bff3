/* speed_layout.h - positions of bodies in heaps, independent of any engine.
 *
 * Invariant: a heap's positions depend on its members alone.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SPEED_LAYOUT_H
#define SPEED_LAYOUT_H

#include "speed.h"

/// Kinds of bodies in a heap
enum { MOST_KINDS = 5 };

/// Bodies of alternating kinds, in rows of square cells, in a closed box with its floor at y = 0
typedef struct heap {
    const char *name;
    /// Outlines; null after the last
    const outline *kinds[MOST_KINDS];
    int count, columns, cell;
    /// Height of the box in heights of the heap; 0: 1.5
    double lid;
    /// Seed of the shifts of all bodies; 0: none is shifted
    int seed;
} heap;

/// Position of a picture's middle, and its angle
typedef struct place {
    pv_vec2 at;
    double angle;
} place;

/// Returns a number in -1...1 that depends on a seed and an index; 0 for seed 0.
double layout_random(int seed, int index);

/// Returns the shift of a body in a run: less than a quarter of a pixel on each axis.
pv_vec2 layout_shift(int seed, int index);

/// Returns a vector of a length for a body; their directions are spread evenly.
pv_vec2 layout_heading(int index, double length);

/// Returns a point of the box for an index; the points are spread evenly.
pv_vec2 layout_spread(int width, int height, int index);

int heap_width(const heap *h);
int heap_height(const heap *h);
const outline *heap_outline(const heap *h, int index);
place heap_place(const heap *h, int index);

#endif
