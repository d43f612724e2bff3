/* contact_points.c - room for the points of manifolds, taken and given back.
 *
 * Invariant: points of a manifold stay in place while other manifolds get room, except in
 * pv__contact_points_reserve(). Nothing depends on which block a manifold has.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/contact_points.h"

/// Room for all points that a manifold may have
struct pv__point_block {
    pv__contact_point points[PV__MANIFOLD_POINTS];
    /// Next free block
    struct pv__point_block *next;
};

/// Free blocks of a world
struct pv__point_blocks {
    pv__lock lock;
    struct pv__point_block *free;
    int free_count;
};

bool pv__contact_points_open(pv_world *world) {
    struct pv__point_blocks *blocks = pv__alloc(&world->def.allocator, 1, sizeof *blocks);
    if (!blocks) return false;
    world->manifolds.blocks = blocks;
    if (pv__lock_init(&blocks->lock)) return true;
    pv__free(&world->def.allocator, blocks, 1, sizeof *blocks);
    return false;
}

static void give_block(struct pv__point_blocks *blocks, struct pv__point_block *block) {
    pv__lock_take(&blocks->lock);
    block->next = blocks->free;
    blocks->free = block;
    blocks->free_count++;
    pv__lock_give(&blocks->lock);
}

/// Returns a free block, or a new one; null without memory.
static struct pv__point_block *take_block(const pv_world *world) {
    struct pv__point_blocks *blocks = world->manifolds.blocks;
    pv__lock_take(&blocks->lock);
    struct pv__point_block *block = blocks->free;
    if (block) {
        blocks->free = block->next;
        blocks->free_count--;
    }
    pv__lock_give(&blocks->lock);
    return block ? block : pv__alloc(&world->def.allocator, 1, sizeof *block);
}

void pv__contact_points_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    struct pv__point_blocks *blocks = world->manifolds.blocks;
    for (int i = 0; i < world->manifolds.count; i++)
        pv__contact_points_end(world, &world->manifolds.items[i]);
    for (struct pv__point_block *block; (block = blocks->free);) {
        blocks->free = block->next;
        pv__free(allocator, block, 1, sizeof *block);
    }
    pv__lock_free(&blocks->lock);
    pv__free(allocator, blocks, 1, sizeof *blocks);
    PV__FREE(allocator, world->manifolds.points, world->manifolds.point_capacity);
}

bool pv__contact_points_reserve(pv_world *world, int slots, int blocks) {
    const pv__contact_point *before = world->manifolds.points;
    if (!PV__RESERVE(&world->def.allocator, world->manifolds.points,
                     world->manifolds.point_capacity, slots * PV__MANIFOLD_NEAR))
        return false;
    for (int i = 0; world->manifolds.points != before && i < world->manifolds.count; i++)
        if (!world->manifolds.items[i].wide) pv__contact_points_begin(world, i);
    while (world->manifolds.blocks->free_count < blocks) {
        struct pv__point_block *block =
            pv__alloc(&world->def.allocator, 1, sizeof(struct pv__point_block));
        if (!block) return false;
        give_block(world->manifolds.blocks, block);
    }
    return true;
}

void pv__contact_points_begin(pv_world *world, int slot) {
    world->manifolds.items[slot].points =
        &world->manifolds.points[(size_t)slot * PV__MANIFOLD_NEAR];
}

void pv__contact_points_end(pv_world *world, pv__manifold *m) {
    if (m->wide) give_block(world->manifolds.blocks, (struct pv__point_block *)m->points);
    m->wide = false;
}

bool pv__contact_points_fit(const pv_world *world, pv__manifold *m, int count) {
    if (count <= PV__MANIFOLD_NEAR || m->wide) return true;
    struct pv__point_block *block = take_block(world);
    if (!block) return false;
    m->points = block->points;
    m->wide = true;
    return true;
}
