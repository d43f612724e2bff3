/* pv_geom.h - the sub-pixel geometry of a mask: its contour and its distance field.
 *
 * Invariant: derived from the mask's pixels alone, never changed once made, shared by all bodies of the mask. Coordinates
 * are the mask's [px]. Knows no world.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_GEOM_H
#define PV_GEOM_H

#include "pv_math.h"
#include "pv_pixels.h"

/// A point of the contour. Walking from each to its next one, the solid side is at the right.
typedef struct pv__vertex {
    pv_vec2 at;       ///< [px]
    pv_vec2 normal;   ///< outward, of length 1
    double curvature; ///< 1 / radius, positive where it bulges [1/px]
    bool sharp;       ///< a corner of the drawing, not of the pixels
    int next, previous;
} pv__vertex;

/// A straight side between two vertices, at least a few pixels long.
typedef struct pv__side {
    int from, to;
    pv_vec2 normal; ///< outward
    double length;  ///< [px]
} pv__side;

/// Distances to the contour on a grid of PV__FIELD_NODES nodes a pixel, negative inside, up to PV__FIELD_REACH.
typedef struct pv__field {
    int w, h;       ///< nodes
    int16_t *nodes; ///< [px / PV__FIELD_SCALE]
} pv__field;

#define PV__FIELD_NODES 2
#define PV__FIELD_MARGIN 4 /* px of field around the picture */
#define PV__FIELD_REACH 8
#define PV__FIELD_SCALE 2048.0

/// Some vertices in a row and the box around them, so that far ones are passed over together.
typedef struct pv__block {
    pv_box box;
    int first, end;
} pv__block;

typedef struct pv__shape {
    pv__derived derived; ///< first, so that the mask can free it
    pv__vertex *vertices;
    int count, capacity;
    pv__side *sides;
    int side_count, side_capacity;
    pv__block *blocks;
    int block_count;
    pv__field field;
    pv_allocator allocator;
} pv__shape;

/* pv_contour.c */
/// Fills vertices and sides from the mask; false without memory.
bool pv__contour_make(pv__shape *shape, const pv_mask *mask);

/* pv_field.c */
/// Fills the field from the vertices; false without memory.
bool pv__field_make(pv__shape *shape, int w, int h);
/// Distance at a point and, where wanted, its gradient; outside the field the distance to the field's box is added.
double pv__field_at(const pv__shape *shape, pv_vec2 point, pv_vec2 *gradient);

/* pv_shape.c */
/// The shape of a mask, made at the first call and kept by it; null without memory. Safe in several threads.
const pv__shape *pv__mask_shape(pv_mask *mask);

#endif
