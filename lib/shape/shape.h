/* shape.h - the sub-pixel geometry of a mask: its contour and its distance field.
 *
 * Invariant: the mask's pixels determine a shape; after edits, so does the order of the edits. All
 * bodies with the mask share it, and only pv__shape_mask_alter() changes it. Coordinates are those
 * of the mask [px]. A shape knows no world.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SHAPE_SHAPE_H
#define PV_SHAPE_SHAPE_H

#include "base/math.h"
#include "base/runner.h"
#include "pixel/bits.h"

/// Point of the contour. The solid side is on the right on the way to the next vertex.
typedef struct pv__vertex {
    /// Position [px]
    pv_vec2 at;
    /// Outward normal of length 1
    pv_vec2 normal;
    /// Outward normals of the edges before and after; contact normals lie between them
    pv_vec2 first, last;
    /// 1 / radius, positive where the contour bulges [1/px]
    double curvature;
    /// True if the contour turns by more than 37 degrees here
    bool sharp;
    /// True if straight sides meet here, at a corner of the drawing and not just of a pixel
    bool corner;
    /// Neighbors in the loop; next < 0 marks a removed vertex
    int next, previous;
    /// Side that contains the edge to the next vertex, or -1
    int side;
    /// Scratch: whether the pixel edges from here to the next vertex have changed
    bool broken;
    /// First pixel edge from this vertex on, stored as twice its midpoint
    pv_point edge;
} pv__vertex;

/// Straight side between two vertices: a few pixels long, or of any length between corners.
typedef struct pv__side {
    int from, to;
    /// Outward normal of length 1
    pv_vec2 normal;
    /// Length, negative for a removed side [px]
    double length;
} pv__side;

/// Signed distances to the contour, on a grid of PV__FIELD_NODES nodes per pixel. They are negative
/// inside and clamped to PV__FIELD_REACH. Nodes are stored in tiles that overlap by a row and a
/// column. Places out of reach share two tiles: the first one outside, the second inside. Slabs
/// hold the tiles, so that none moves as the field grows.
typedef struct pv__field {
    /// Position of node (0, 0) [px]
    pv_vec2 origin;
    /// Width and height in nodes
    int w, h;
    /// Width and height in places
    int across, down;
    /// Tile of each place, row by row; its nodes are in [px / PV__FIELD_SCALE]
    int16_t **tiles;
    struct pv__slab *slabs;
    int slab_count, slab_capacity;
} pv__field;

/// Memory block with space for room tiles, of which count are in use.
typedef struct pv__slab {
    int16_t *nodes;
    int count, room;
} pv__slab;

#define PV__FIELD_NODES 2
/// Margin of the field around the contour [px].
#define PV__FIELD_MARGIN 4
#define PV__FIELD_REACH 8
#define PV__FIELD_SCALE 2048.0
#define PV__TILE_BITS 5
/// Number of nodes from a tile to the next one.
#define PV__TILE (1 << PV__TILE_BITS)
#define PV__TILE_ROW (PV__TILE + 1)
#define PV__TILE_NODES (PV__TILE_ROW * PV__TILE_ROW)

/// Consecutive vertices and their bounding box, so that distant ones are skipped together.
typedef struct pv__block {
    pv_box box;
    int first, end;
} pv__block;

/// Tree node: elements first...end - 1 of an array and their bounding box.
typedef struct pv__node {
    pv_box box;
    int first, end;
    /// Index of the first node after this node's subtree; for a leaf, the next node
    int after;
} pv__node;

typedef struct pv__tree {
    pv__node *nodes;
    int count, capacity;
} pv__tree;

/// Greatest distance between neighboring vertices [px]. A small feature of another sprite then
/// cannot slip between two vertices.
#define PV__SPAN 4
/// Greatest number of vertices of a block.
#define PV__BLOCK 16
/// Greatest number of corners of a convex polygon.
#define PV__CORNERS 16

/// Points of a polygon as x and y arrays. The last point pads them to a multiple of four.
typedef struct pv__columns {
    double x[PV__CORNERS], y[PV__CORNERS];
} pv__columns;

static inline pv_vec2 pv__columns_at(const pv__columns *c, int i) {
    return pv__vec(c->x[i], c->y[i]);
}

typedef struct pv__shape {
    pv__vertex *vertices;
    int count, capacity;
    pv__side *sides;
    int side_count, side_capacity;
    pv__block *blocks;
    int block_count, block_capacity;
    /// Trees over the blocks and over the sides
    pv__tree near_blocks, near_sides;
    /// Node counts when the trees were last built; later additions form subtrees of their own
    int tidy_blocks, tidy_sides;
    /// Number of vertices that are not removed
    int alive;
    pv__field field;
    /// Bounding box of the vertices
    pv_box box;
    /// Greatest distance of a vertex from the mask's centroid [px]
    double reach;
    /// Point of greatest depth
    pv_vec2 core;
    /// Depth of the core below the contour, up to PV__FIELD_REACH [px]
    double core_depth;
    /// Radius if the shape is a single solid disc, otherwise 0 [px]
    double circle_radius;
    /// Center of the disc
    pv_vec2 circle_center;
    /// True if the contour was updated; the pixels alone then no longer determine it
    bool grafted;
    /// Number of corners if the shape is a single convex polygon, otherwise 0
    int corner_count;
    /// Corners of the polygon in order, and the normal of the side that starts at each
    pv__columns corners, normals;
    pv_allocator allocator;
} pv__shape;

/// Finds the contour point nearest to p, at any distance. Returns false for an empty contour.
bool pv__shape_find_nearest(const pv__shape *shape, pv_vec2 p, pv_vec2 *nearest);

/// Returns the next leaf that overlaps a box, from node *at on, and advances *at. Returns null at
/// the end.
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

/// Tells whether the contour has all pixels, as those of discs and convex polygons have.
static inline bool pv__shape_is_exact(const pv__shape *s) {
    return s->circle_radius > 0 || s->corner_count > 0;
}

/// Returns the box around a block's vertices.
pv_box pv__shape_block_box(const pv__shape *shape, const pv__block *block);
/// Adds a block; its memory must be reserved.
void pv__shape_add_block(pv__shape *shape, int first, int end);
/// Adds blocks for the vertices from an index on, and subtrees over the new blocks and the new
/// sides. Reserved memory must have room for a node per element and one more. Distant queries skip
/// both subtrees.
void pv__shape_add_blocks(pv__shape *shape, int vertex, int block, int side);
/// Makes the blocks of consecutive vertices, and the trees over blocks and sides. Returns false
/// without memory.
bool pv__shape_make_blocks(pv__shape *shape);
/// Frees all arrays except the field.
void pv__shape_free_arrays(const pv__shape *shape);
/// Returns the shape of a mask's pixels, made by the first call and owned by the mask. Returns null
/// without memory. Several threads may call it at once.
const pv__shape *pv__shape_of_mask(pv_mask *mask);
/// Returns the shape of a mask's collision shape, or of its pixels for PV_COLLIDER_PIXELS.
/// Ownership and thread safety are as above.
/// @param runner runs parts of the work; null: this thread does all
const pv__shape *pv__shape_of_mask_as(pv_mask *mask, pv_collider how, const pv__runner *runner);
/// Returns a shape of the pixels without a field. A change to the pixels discards it, and the next
/// call makes a new one.
const pv__shape *pv__shape_mask_outline(pv_mask *mask);

/// Mask at a scale: its picture resampled on axis-parallel pixels, with the first pixel at its
/// corner. A mirror image is exact.
typedef struct pv__scaled_mask {
    pv_vec2 scale;
    /// Pixels; the mask itself at scale (1, 1)
    pv_mask *mask;
    /// Mass data of the scaled pixels, in scaled coordinates
    pv_mass_data mass;
    /// Center of mass in the mask's own picture [px]
    pv_vec2 center;
} pv__scaled_mask;

/// Creates the scaled mask of a mask. The caller gets a reference to form->mask. The mask caches
/// its first few scales. Several threads may call it at once.
/// @return PV_ERROR_EMPTY if no pixel is left, PV_ERROR_MEMORY, PV_ERROR_TOO_LARGE
pv_status pv__shape_mask_form(pv_mask *mask, pv_vec2 scale, pv__scaled_mask *form);

/// Returns the same as pv_mask_compute_mass(), from cached sums if there are any.
pv_mass_data pv__shape_mask_mass(const pv_mask *mask);
/// Copies a mask together with the shape of its pixels. Returns null without memory.
pv_mask *pv__shape_mask_twin(const pv_mask *mask, pv_error *error);
/// Adds or removes pixels at a place of a mask that has no other users. Added pixels must be empty
/// before, and removed ones solid. Updates the mass and the shape of the pixels. Nothing changes if
/// it returns PV_ERROR_MEMORY.
pv_status pv__shape_mask_alter(pv_mask *mask, const pv_mask *pixels, pv_point at, bool adds);

/// Returns the mask's shape if edits have updated it, so that the pixels alone do not determine it.
/// Returns null otherwise.
pv__shape *pv__shape_mask_altered(const pv_mask *mask);
/// Gives a mask without a shape its former updated shape back. If good is false or memory runs out,
/// frees the shape and returns false.
bool pv__shape_mask_adopt(pv_mask *mask, pv__shape *shape, bool good);

#endif
