/* shape.h - the sub-pixel geometry of a mask: its contour and its distance field.
 *
 * Invariant: derived from the mask's pixels alone, never changed once made, shared by all bodies of
 * the mask. Coordinates are the mask's [px]. Knows no world.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SHAPE_SHAPE_H
#define PV_SHAPE_SHAPE_H

#include "base/math.h"
#include "pixel/bits.h"

/// A point of the contour. Walking from each to its next one, the solid side is at the right.
typedef struct pv__vertex {
    /// [px]
    pv_vec2 at;
    /// Outward, of length 1
    pv_vec2 normal;
    /// Outward normals of the edges before and after: between them it can press
    pv_vec2 first, last;
    /// 1 / radius, positive where it bulges [1/px]
    double curvature;
    /// It turns by more than 37 degrees
    bool sharp;
    /// A corner of the drawing, not of the pixels: an end of straight sides
    bool corner;
    /// Next < 0: it is none any more
    int next, previous;
    /// That the edge to the next vertex is part of, or -1
    int side;
    /// Scratch: the pixel edges from here to the next one are others now
    bool broken;
    /// Of the pixels from which on the contour is its: twice that edge's middle
    pv_point edge;
} pv__vertex;

/// A straight side between two vertices: a few pixels long, or as short as may be between corners.
typedef struct pv__side {
    int from, to;
    /// Outward
    pv_vec2 normal;
    /// [px]
    double length;
} pv__side;

/// Distances to the contour on a grid of PV__FIELD_NODES nodes a pixel, negative inside, up to
/// PV__FIELD_REACH. Nodes are held in tiles that overlap by a row and a column; all places out of
/// reach share the first tile outside and the second inside. Tiles lie in slabs, so that none moves
/// when there are more.
typedef struct pv__field {
    /// Of node (0, 0) [px]
    pv_vec2 origin;
    /// Nodes
    int w, h;
    /// Places
    int across, down;
    /// The nodes of each place, row by row [px / PV__FIELD_SCALE]
    int16_t **tiles;
    struct pv__slab *slabs;
    int slab_count, slab_capacity;
} pv__field;

/// Tiles, and how many of them are in use.
typedef struct pv__slab {
    int16_t *nodes;
    int count, room;
} pv__slab;

#define PV__FIELD_NODES 2
#define PV__FIELD_MARGIN 4 /* px of field around the contour */
#define PV__FIELD_REACH 8
#define PV__FIELD_SCALE 2048.0
#define PV__TILE_BITS 5
#define PV__TILE (1 << PV__TILE_BITS) /* nodes from a tile to the next one */
#define PV__TILE_ROW (PV__TILE + 1)
#define PV__TILE_NODES (PV__TILE_ROW * PV__TILE_ROW)

/// Some vertices in a row and the box around them, so that far ones are passed over together.
typedef struct pv__block {
    pv_box box;
    int first, end;
} pv__block;

/// Things first...end - 1 of a row and the box around them.
typedef struct pv__node {
    pv_box box;
    int first, end;
    /// The node after all that is below this one; for a leaf the next
    int after;
} pv__node;

typedef struct pv__tree {
    pv__node *nodes;
    int count, capacity;
} pv__tree;

/// The longest way between two vertices, so that none skips a small feature of another sprite [px].
#define PV__SPAN 4
/// A block has no more vertices than this.
#define PV__BLOCK 16
/// A convex polygon has no more corners than this.
#define PV__CORNERS 16

typedef struct pv__shape {
    pv__vertex *vertices;
    int count, capacity;
    pv__side *sides;
    int side_count, side_capacity;
    pv__block *blocks;
    int block_count, block_capacity;
    /// Over the blocks, over the sides
    pv__tree near_blocks, near_sides;
    /// How many nodes these had when they were made; what follows stands alone
    int tidy_blocks, tidy_sides;
    /// Vertices that are some still
    int alive;
    pv__field field;
    /// Of the vertices
    pv_box box;
    /// Of the farthest vertex from the mask's centroid [px]
    double reach;
    /// A point where it is thickest
    pv_vec2 core;
    /// Of that below the contour, up to PV__FIELD_REACH [px]
    double core_depth;
    /// > 0: all is one solid disc [px]
    double circle_radius;
    /// Of that disc
    pv_vec2 circle_center;
    /// Changed since it was made from the pixels: they alone do not say how it is any more
    bool grafted;
    /// All is one convex polygon of corner_count corners
    bool convex;
    int corner_count;
    /// In order
    pv_vec2 corners[PV__CORNERS];
    pv_allocator allocator;
} pv__shape;

/// Makes a tree of zeros one over count boxes; false without memory.
bool pv__shape_tree_make(pv__tree *tree, const pv_box *boxes, int count, const pv_allocator *from);

/// The next leaf whose box meets another, from node *at on, which moves on; null when there is
/// none.
static inline const pv__node *pv__shape_tree_next(const pv__tree *tree, const pv_box *near,
                                                  int *at) {
    while (*at < tree->count) {
        const pv__node *n = &tree->nodes[*at];
        bool meets = pv__boxes_touch(&n->box, near);
        bool leaf = n->after == *at + 1;
        *at = meets ? *at + 1 : n->after;
        if (meets && leaf) return n;
    }
    return NULL;
}

/// Around a block's vertices.
pv_box pv__shape_block_box(const pv__shape *shape, const pv__block *block);
/// Box, reach and thickest place, after a change.
void pv__shape_measure(pv__shape *shape, pv_vec2 centroid);
static inline int pv__shape_blocks_of(int vertices) {
    return (vertices + PV__BLOCK - 1) / PV__BLOCK;
}
/// Blocks of vertices in a row, and the trees over blocks and sides; false without memory.
bool pv__shape_make_blocks(pv__shape *shape);
bool pv__shape_make_trees(pv__shape *shape);
/// Frees all but the field.
void pv__shape_free_arrays(const pv__shape *shape);
/// The shape of a mask's pixels, made at the first call and kept by it; null without memory. Safe
/// in several threads.
const pv__shape *pv__shape_of_mask(pv_mask *mask);
/// The same of what stands in for the pixels, or of them for PV_COLLIDER_PIXELS.
const pv__shape *pv__shape_of_mask_as(pv_mask *mask, pv_collider how);
/// Shape of the pixels, without a field. It does not follow changes of pixels, but goes by them,
/// and is made again.
const pv__shape *pv__shape_mask_outline(pv_mask *mask);

/// A mask at a scale: its picture on upright pixels, of which the first one begins at its corner. A
/// mirror image is exact.
typedef struct pv__scaled_mask {
    pv_vec2 scale;
    /// The mask itself at scale (1, 1)
    pv_mask *mask;
    /// Of the form's pixels, in the form
    pv_mass_data mass;
    /// Of mass in the mask's own picture [px]
    pv_vec2 center;
} pv__scaled_mask;

/// The form of a mask, with a reference to form->mask for the caller. The mask keeps those of the
/// first few scales that it is asked for, so that they are there at once the next time. Safe in
/// several threads.
/// @return PV_ERROR_EMPTY where no pixel is left, PV_ERROR_MEMORY, PV_ERROR_TOO_LARGE
pv_status pv__shape_mask_form(pv_mask *mask, pv_vec2 scale, pv__scaled_mask *form);

/// pv_mask_compute_mass(), at once where it is known.
pv_mass_data pv__shape_mask_mass(const pv_mask *mask);
/// A copy with a shape of its own like that of the mask's pixels; null without memory.
pv_mask *pv__shape_mask_twin(const pv_mask *mask, pv_status *status);
/// Puts pixels at a place, or takes them away, that are not there, or are, in a mask that is in
/// nobody else's use. Its mass and the shape of its pixels follow. PV_ERROR_MEMORY with nothing
/// changed.
pv_status pv__shape_mask_alter(pv_mask *mask, const pv_mask *pixels, pv_point at, bool adds);

/// The shape of a mask that cannot be made from its pixels again, for it followed when they were
/// altered; or null.
pv__shape *pv__shape_mask_altered(const pv_mask *mask);
/// Gives a mask that has none the shape that it had when it was altered. A bad one is freed, and
/// false; also without memory.
bool pv__shape_mask_adopt(pv_mask *mask, pv__shape *shape, bool good);

#endif
