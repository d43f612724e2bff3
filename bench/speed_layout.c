/* speed_layout.c - positions of bodies in heaps, independent of any engine.
 *
 * Invariant: every other row is shifted by half a cell, and a shifted body stays in its cell.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_layout.h"

#include <math.h>

static const double GOLDEN_ANGLE = 2.39996322972865332, USUAL_LID = 1.5, MOST_SHIFT = 0.25;

/// Steps of the R2 sequence, whose fractions spread evenly over a square
static const double SPREAD_X = 0.75487766624669276, SPREAD_Y = 0.56984029099805327;

double layout_random(int seed, int index) {
    uint64_t x = (uint64_t)seed * 0x9e3779b97f4a7c15u + (uint64_t)index * 0xbf58476d1ce4e5b9u;
    if (seed == 0) return 0;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return (double)(x >> 11) * 0x1p-52 - 1;
}

pv_vec2 layout_shift(int seed, int index) {
    return (pv_vec2){MOST_SHIFT * layout_random(seed, 2 * index),
                     MOST_SHIFT * layout_random(seed, 2 * index + 1)};
}

pv_vec2 layout_heading(int index, double length) {
    return (pv_vec2){length * cos(GOLDEN_ANGLE * index), length * sin(GOLDEN_ANGLE * index)};
}

pv_vec2 layout_spread(int width, int height, int index) {
    return (pv_vec2){width * fmod(SPREAD_X * index + 0.5, 1),
                     -height * fmod(SPREAD_Y * index + 0.5, 1)};
}

int heap_width(const heap *h) { return h->cell * h->columns + (h->cell + 1) / 2; }

int heap_height(const heap *h) {
    int lines = (h->count + h->columns - 1) / h->columns;
    return (int)(h->cell * lines * (h->lid > 0 ? h->lid : USUAL_LID));
}

const outline *heap_outline(const heap *h, int index) {
    int kinds = 1;
    while (kinds < MOST_KINDS && h->kinds[kinds]) kinds++;
    return h->kinds[index % kinds];
}

place heap_place(const heap *h, int index) {
    int line = index / h->columns, column = index % h->columns;
    pv_vec2 shift = layout_shift(h->seed, index);
    return (place){
        {h->cell * (column + (line % 2 ? 1.0 : 0.5)) + shift.x, -h->cell * (line + 0.5) + shift.y},
        GOLDEN_ANGLE * index};
}
