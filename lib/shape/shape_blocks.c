/* shape_blocks.c - blocks of vertices, and trees of boxes over blocks and sides.
 *
 * Invariant: a block's box holds its vertices.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/base.h"
#include "shape/shape.h"

void pv__shape_free_arrays(const pv__shape *shape) {
    const pv_allocator *a = &shape->allocator;
    PV__FREE(a, shape->vertices, shape->capacity);
    PV__FREE(a, shape->sides, shape->side_capacity);
    PV__FREE(a, shape->blocks, shape->block_capacity);
    PV__FREE(a, shape->near_blocks.nodes, shape->near_blocks.capacity);
    PV__FREE(a, shape->near_sides.nodes, shape->near_sides.capacity);
}

pv_box pv__shape_block_box(const pv__shape *shape, const pv__block *block) {
    pv_box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = block->first; i < block->end; i++) pv__enclose(&box, shape->vertices[i].at);
    return box;
}

bool pv__shape_make_blocks(pv__shape *shape) {
    int count = (shape->count + PV__BLOCK - 1) / PV__BLOCK;
    shape->blocks =
        count > 0 ? pv__alloc(&shape->allocator, (size_t)count, sizeof(pv__block)) : NULL;
    if (count > 0 && !shape->blocks) return false;
    shape->block_count = shape->block_capacity = count;
    for (int i = 0; i < count; i++) {
        pv__block *b = &shape->blocks[i];
        b->first = i * PV__BLOCK;
        b->end = pv__sooner(b->first + PV__BLOCK, shape->count);
        b->box = pv__shape_block_box(shape, b);
    }
    return true;
}

/// Returns the box around a block's vertices and the ends of their edges.
static pv_box box_of_block(const pv__shape *shape, int block) {
    const pv__block *b = &shape->blocks[block];
    pv_box box = b->box;
    for (int i = b->first; i < b->end; i++)
        pv__enclose(&box, shape->vertices[shape->vertices[i].next].at);
    return box;
}

static pv_box box_of_side(const pv__shape *shape, int side) {
    const pv__side *s = &shape->sides[side];
    pv_vec2 from = shape->vertices[s->from].at;
    pv_box box = {from, from};
    pv__enclose(&box, pv__mad(from, s->length, pv__perp(s->normal)));
    return box;
}

/* ---- a tree of boxes over an array, so that a query of near elements skips the rest ----
 *
 * Invariant: nodes stand in the order of the array, with children right after their parent. A
 * search finds leaves in the order of a loop over the array. A node's box contains its children's
 * boxes.
 */

/// Adds the nodes of first...end - 1. The depth grows with the logarithm of their number.
static bool tree_grow(pv__tree *tree, const pv_box *boxes, int first, int end,
                      const pv_allocator *from) {
    int own = tree->count, middle = first + (end - first) / 2;
    if (!PV__RESERVE(from, tree->nodes, tree->capacity, own + 1)) return false;
    tree->count++;
    pv_box box = boxes[first];
    if (end - first <= 8)
        for (int i = first + 1; i < end; i++) box = pv__box_join(box, boxes[i]);
    else {
        if (!tree_grow(tree, boxes, first, middle, from) ||
            !tree_grow(tree, boxes, middle, end, from))
            return false;
        box = pv__box_join(tree->nodes[own + 1].box, tree->nodes[tree->nodes[own + 1].after].box);
    }
    tree->nodes[own] = (pv__node){box, first, end, tree->count};
    return true;
}

static bool make_tree(pv__tree *tree, const pv__shape *shape, int count,
                      pv_box (*box_of)(const pv__shape *shape, int index)) {
    pv_box *boxes = count > 0 ? pv__alloc(&shape->allocator, (size_t)count, sizeof *boxes) : NULL;
    if (count > 0 && !boxes) return false;
    for (int i = 0; i < count; i++) boxes[i] = box_of(shape, i);
    bool made = count == 0 || tree_grow(tree, boxes, 0, count, &shape->allocator);
    pv__free(&shape->allocator, boxes, (size_t)count, sizeof *boxes);
    return made;
}

bool pv__shape_make_trees(pv__shape *shape) {
    bool made = make_tree(&shape->near_blocks, shape, shape->block_count, box_of_block) &&
                make_tree(&shape->near_sides, shape, shape->side_count, box_of_side);
    shape->tidy_blocks = shape->near_blocks.count;
    shape->tidy_sides = shape->near_sides.count;
    return made;
}
