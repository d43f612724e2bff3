/* distance_field.h - the interface of distance_field.c: signed distances to a contour, sampled on
 * a grid.
 *
 * Invariant: as in distance_field.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SHAPE_DISTANCE_FIELD_H
#define PV_SHAPE_DISTANCE_FIELD_H

#include "shape/shape.h"

/// Fills the field from the vertices and their box; false without memory.
bool pv__field_make(pv__shape *shape);

/// The same where the field's origin and size are known.
bool pv__field_fill(pv__shape *shape);

/// Nodes that are to be made anew, and where the rows among them are crossed.
typedef struct pv__mend {
    /// From ... to
    int left, right, top, bottom;
    unsigned char *flips;
} pv__mend;

/// Tells whether the field has its margin around a box [px].
bool pv__field_reaches(const pv__shape *shape, pv_box box);
/// Makes room for a patch around what will be changed within a box [px]; the field says what it
/// did. False without memory.
bool pv__field_reserve(pv__shape *shape, pv_box changed, pv__mend *patch);
/// Makes the field of a patch anew from the vertices as they are.
void pv__field_patch(pv__shape *shape, const pv__mend *patch);
void pv__field_mend_free(const pv__shape *shape, pv__mend *patch);
/// Gives a copy of a field tiles of its own; without memory false, with nothing to free.
bool pv__field_copy(pv__field *copy, const pv_allocator *allocator);
void pv__field_free(pv__field *field, const pv_allocator *allocator);

/// Returns a lower bound of the distance at all points to which a node is the nearest.
static inline double pv__field_bound(int node) { return node / PV__FIELD_SCALE - 0.375; }

/// Less than the distance at a point, by no more than 3/4 px; beside the field that of the nearest
/// place of its edge.
static inline double pv__field_near(const pv__field *f, pv_vec2 point) {
    int i = (int)pv__clamp((point.x - f->origin.x) * PV__FIELD_NODES + 0.5, 0, f->w - 1),
        j = (int)pv__clamp((point.y - f->origin.y) * PV__FIELD_NODES + 0.5, 0, f->h - 1);
    const int16_t *n = f->tiles[(j >> PV__TILE_BITS) * f->across + (i >> PV__TILE_BITS)];
    return pv__field_bound(n[(j & (PV__TILE - 1)) * PV__TILE_ROW + (i & (PV__TILE - 1))]);
}

/// Distance at a point and, where wanted, its gradient; outside the field the distance to the
/// field's box is added.
static inline double pv__field_at(const pv__shape *shape, pv_vec2 point, pv_vec2 *gradient) {
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
