/* shape_blocks.c - blocks of vertices, and trees of boxes over blocks and sides.
 *
 * Invariant: a block's box holds its vertices.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/base.h"
#include "shape/shape.h"

static const pv_box nothing = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};

void pv__shape_free_arrays(const pv__shape *shape) {
    const pv_allocator *a = &shape->allocator;
    PV__FREE(a, shape->vertices, shape->capacity);
    PV__FREE(a, shape->sides, shape->side_capacity);
    PV__FREE(a, shape->blocks, shape->block_capacity);
    PV__FREE(a, shape->near_blocks.nodes, shape->near_blocks.capacity);
    PV__FREE(a, shape->near_sides.nodes, shape->near_sides.capacity);
}

pv_box pv__shape_block_box(const pv__shape *shape, const pv__block *block) {
    pv_box box = nothing;
    for (int i = block->first; i < block->end; i++) pv__enclose(&box, shape->vertices[i].at);
    return box;
}

void pv__shape_add_block(pv__shape *shape, int first, int end) {
    pv__block *b = &shape->blocks[shape->block_count++];
    *b = (pv__block){.first = first, .end = end};
    b->box = pv__shape_block_box(shape, b);
}

static void add_blocks(pv__shape *shape, int first) {
    for (int i = first; i < shape->count; i += PV__BLOCK)
        pv__shape_add_block(shape, i, pv__sooner(i + PV__BLOCK, shape->count));
}

/// Returns the box around a block's vertices and the ends of their edges.
static pv_box box_of_block(const pv__shape *shape, int block) {
    const pv__block *b = &shape->blocks[block];
    pv_box box = b->box;
    for (int i = b->first; i < b->end; i++)
        pv__enclose(&box, shape->vertices[shape->vertices[i].next].at);
    return box;
}

/// Returns the box around a side, or an empty box for a removed side.
static pv_box box_of_side(const pv__shape *shape, int side) {
    const pv__side *s = &shape->sides[side];
    if (s->length < 0) return nothing;
    return pv__box_around(shape->vertices[s->from].at, shape->vertices[s->to].at);
}

/* ---- a tree of boxes over an array, so that queries skip distant elements ----
 *
 * Invariant: nodes are in the order of the array, with children right after their parent. A search
 * thus finds leaves in array order. A node's box contains its children's boxes.
 */

/// Returns the box of an element
typedef pv_box box_fn(const pv__shape *shape, int index);

/// Adds the nodes of first...end - 1. The depth grows with the logarithm of their number.
static bool tree_grow(pv__tree *tree, const pv__shape *shape, box_fn *box_of, int first, int end) {
    int own = tree->count, middle = first + (end - first) / 2;
    if (!PV__RESERVE(&shape->allocator, tree->nodes, tree->capacity, own + 1)) return false;
    tree->count++;
    pv_box box;
    if (end - first <= 8) {
        box = box_of(shape, first);
        for (int i = first + 1; i < end; i++) box = pv__box_join(box, box_of(shape, i));
    } else {
        if (!tree_grow(tree, shape, box_of, first, middle) ||
            !tree_grow(tree, shape, box_of, middle, end))
            return false;
        box = pv__box_join(tree->nodes[own + 1].box, tree->nodes[tree->nodes[own + 1].after].box);
    }
    tree->nodes[own] = (pv__node){box, first, end, tree->count};
    return true;
}

/// Adds a node over the elements first...end - 1, with a leaf for each, in reserved memory.
static void tree_add(pv__tree *tree, const pv__shape *shape, box_fn *box_of, int first, int end) {
    int own = tree->count++;
    pv_box all = nothing;
    for (int i = first; i < end; i++) {
        pv_box box = box_of(shape, i);
        if (box.min.x > box.max.x) continue;
        all = pv__box_join(all, box);
        tree->nodes[tree->count] = (pv__node){box, i, i + 1, tree->count + 1};
        tree->count++;
    }
    tree->nodes[own] = (pv__node){all, 0, 0, tree->count};
    if (tree->count == own + 1) tree->count = own;
}

void pv__shape_add_blocks(pv__shape *shape, int vertex, int block, int side) {
    add_blocks(shape, vertex);
    tree_add(&shape->near_blocks, shape, box_of_block, block, shape->block_count);
    tree_add(&shape->near_sides, shape, box_of_side, side, shape->side_count);
}

bool pv__shape_make_blocks(pv__shape *shape) {
    int count = (shape->count + PV__BLOCK - 1) / PV__BLOCK;
    if (!pv__reserve_exactly(&shape->allocator, &shape->blocks, &shape->block_capacity, count,
                             sizeof *shape->blocks))
        return false;
    shape->block_count = 0;
    add_blocks(shape, 0);
    if ((shape->block_count > 0 &&
         !tree_grow(&shape->near_blocks, shape, box_of_block, 0, shape->block_count)) ||
        (shape->side_count > 0 &&
         !tree_grow(&shape->near_sides, shape, box_of_side, 0, shape->side_count)))
        return false;
    shape->tidy_blocks = shape->near_blocks.count;
    shape->tidy_sides = shape->near_sides.count;
    return true;
}
