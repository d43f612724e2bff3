/* distance_field.h - the interface of distance_field.c: signed distances to a contour, sampled on a
 * grid.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SHAPE_DISTANCE_FIELD_H
#define PV_SHAPE_DISTANCE_FIELD_H

#include "shape/shape.h"

/// Fills the field from the blocks and their box. Returns false without memory.
bool pv__field_make(pv__shape *shape, const pv__runner *runner);

/// Fills a field of known origin and size from the blocks. Returns false without memory.
bool pv__field_fill(pv__shape *shape, const pv__runner *runner);

/// Window of nodes
typedef struct pv__field_window {
    /// First and last column and row, inclusive
    int left, right, top, bottom;
} pv__field_window;

/// Effect of a change on a place: none; a possible swap of inside and outside, with no edge within
/// reach; or new distances, as an edge within reach appears or vanishes
typedef enum pv__mending { PV__UNTOUCHED, PV__EXCHANGED, PV__REACHED } pv__mending;

/// Places of the field that a change touches
typedef struct pv__mend {
    pv__shape *shape;
    /// Nodes within reach of the change, and their places as columns and rows
    pv__field_window box, places;
    /// pv__mending of each place, row by row
    unsigned char *touched;
} pv__mend;

/// Tells whether the field extends beyond a box with its full margin [px].
bool pv__field_reaches(const pv__shape *shape, pv_box box);
/// Begins a change within a box [px]. Returns false without memory, with nothing to free.
bool pv__field_mend_begin(pv__shape *shape, pv_box changed, pv__mend *mend);
/// Marks the places within reach of a part of the change [px]. PV__REACHED overrides PV__EXCHANGED.
void pv__field_mend_mark(const pv__mend *mend, pv_box part, pv__mending touch);
/// Allocates tiles for the reached places. The field's values stay the same. Returns false without
/// memory.
bool pv__field_reserve(const pv__mend *mend);
/// Recomputes the field of the touched places from the current blocks.
/// @param runner runs parts of the work; null: this thread does all
void pv__field_patch(pv__mend *mend, const pv__runner *runner);
void pv__field_mend_free(pv__mend *mend);
/// Gives a copied field tiles of its own. Returns false without memory, with nothing to free.
bool pv__field_copy(pv__field *copy, const pv_allocator *allocator);
void pv__field_free(pv__field *field, const pv_allocator *allocator);

/// Returns a lower bound of the distance at all points whose nearest node has this value [px].
static inline double pv__field_bound(int node) { return node / PV__FIELD_SCALE - 0.375; }

/// Returns a lower bound of the distance at a point, at most 3/4 px too low [px]. A point outside
/// the field takes the value at the nearest point of its border.
static inline double pv__field_near(const pv__field *f, pv_vec2 point) {
    int i = (int)pv__clamp((point.x - f->origin.x) * PV__FIELD_NODES + 0.5, 0, f->w - 1),
        j = (int)pv__clamp((point.y - f->origin.y) * PV__FIELD_NODES + 0.5, 0, f->h - 1);
    const int16_t *n = f->tiles[(j >> PV__TILE_BITS) * f->across + (i >> PV__TILE_BITS)];
    return pv__field_bound(n[(j & (PV__TILE - 1)) * PV__TILE_ROW + (i & (PV__TILE - 1))]);
}

/// Returns the distance at a point [px], and stores its gradient if the pointer is not null.
/// Outside the field it adds the distance to the field's box. It is inline because traces call it
/// so often.
__attribute__((always_inline)) static inline double pv__field_at(const pv__shape *shape,
                                                                 pv_vec2 point, pv_vec2 *gradient) {
    const pv__field *f = &shape->field;
    double x = (point.x - f->origin.x) * PV__FIELD_NODES,
           y = (point.y - f->origin.y) * PV__FIELD_NODES;
    double cx = pv__clamp(x, 0, f->w - 1.001), cy = pv__clamp(y, 0, f->h - 1.001);
    int i = (int)cx, j = (int)cy;
    double u = cx - i, v = cy - j;
    const int16_t *n = f->tiles[(j >> PV__TILE_BITS) * f->across + (i >> PV__TILE_BITS)];
    n += (j & (PV__TILE - 1)) * PV__TILE_ROW + (i & (PV__TILE - 1));
    double a = n[0], b = n[1], c = n[PV__TILE_ROW], d = n[PV__TILE_ROW + 1];
    double top = a + (b - a) * u, bottom = c + (d - c) * u;
    if (gradient) {
        double k = PV__FIELD_NODES / PV__FIELD_SCALE;
        *gradient = pv__vec(k * ((b - a) * (1 - v) + (d - c) * v), k * (bottom - top));
    }
    double inside = (top + (bottom - top) * v) / PV__FIELD_SCALE;
    pv_vec2 beyond = {(x - cx) / PV__FIELD_NODES, (y - cy) / PV__FIELD_NODES};
    return inside + pv__length(beyond);
}

#endif
