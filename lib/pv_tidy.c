/* pv_tidy.c - a contour that was changed again and again is put in order.
 *
 * Invariant: no vertex, side or edge changes; only where they stand in their arrays does. What is near each other in the picture
 * stands near each other there, so that the trees over them have small boxes.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_geom.h"

/* ---- all anew ---- */

/// Vertices without gaps, loop by loop; place tells where each comes.
static void gather_vertices(const pv__shape *from, pv__shape *to, int *place) {
    pv__vertex *all = to->vertices;
    to->count = 0;
    for (int i = 0; i < from->count; i++) place[i] = -1;
    for (int i = 0; i < from->count; i++)
        for (int k = i; from->vertices[k].next >= 0 && place[k] < 0; k = from->vertices[k].next) {
            all[to->count] = from->vertices[k];
            place[k] = to->count++;
        }
    for (int i = 0; i < to->count; i++) {
        all[i].next = place[all[i].next];
        all[i].previous = place[all[i].previous];
    }
}

static void gather_sides(const pv__shape *from, pv__shape *to, const int *place) {
    to->side_count = 0;
    for (int i = 0; i < from->side_count; i++) {
        pv__side k = from->sides[i];
        if (k.length < 0) continue;
        k.from = place[k.from];
        k.to = place[k.to];
        for (int v = k.from; v != k.to; v = to->vertices[v].next) to->vertices[v].side = to->side_count;
        to->sides[to->side_count++] = k;
    }
}

/// All anew without what has gone; false without memory, with nothing changed.
static bool compact(pv__shape *shape, int *place) {
    pv__shape fresh = *shape;
    fresh.vertices = pv__alloc(&shape->allocator, (size_t)shape->alive, sizeof(pv__vertex));
    fresh.sides = pv__alloc(&shape->allocator, (size_t)shape->side_count + 1, sizeof(pv__side));
    fresh.capacity = shape->alive;
    fresh.side_capacity = shape->side_count + 1;
    fresh.blocks = NULL;
    fresh.block_capacity = 0;
    fresh.near_blocks = fresh.near_sides = (pv__tree){NULL, 0, 0};
    bool made = fresh.vertices && fresh.sides;
    if (made) {
        gather_vertices(shape, &fresh, place);
        gather_sides(shape, &fresh, place);
        made = pv__shape_make_blocks(&fresh) && pv__shape_make_trees(&fresh);
    }
    pv__shape_free_arrays(made ? shape : &fresh);
    if (made) *shape = fresh;
    return made;
}

/* ---- the same vertices, where few have gone ---- */

/// A place in a row along which neighbours in the plane are near each other (Morton 1966), and what is there.
typedef struct spot {
    uint64_t key;
    int index;
} spot;

static uint64_t spread(uint64_t x) {
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x = (x | x << 2) & UINT64_C(0x3333333333333333);
    return (x | x << 1) & UINT64_C(0x5555555555555555);
}

static spot spot_of(const pv__shape *shape, int index, pv_vec2 at) {
    double x = pv__max(at.x - shape->box.min.x, 0), y = pv__max(at.y - shape->box.min.y, 0);
    return (spot){spread((uint64_t)x) | spread((uint64_t)y) << 1, index};
}

static int later_spot(const void *a, const void *b) {
    const spot *p = a, *q = b;
    return p->key != q->key ? (p->key > q->key) - (p->key < q->key) : p->index - q->index;
}

/// Blocks that are not empty, neighbours together.
static void arrange_blocks(const pv__shape *from, pv__shape *to, spot *spots) {
    int count = 0;
    for (int i = 0; i < from->block_count; i++) {
        const pv__block *b = &from->blocks[i];
        if (b->end > b->first) spots[count++] = spot_of(from, i, from->vertices[b->first].at);
    }
    pv__sort(spots, count, sizeof *spots, later_spot);
    for (int i = 0; i < count; i++) to->blocks[i] = from->blocks[spots[i].index];
    to->block_count = count;
}

static void arrange_sides(const pv__shape *from, pv__shape *to, spot *spots) {
    int count = 0;
    for (int i = 0; i < from->side_count; i++)
        if (from->sides[i].length >= 0)
            spots[count++] = spot_of(from, i, from->vertices[from->sides[i].from].at);
    pv__sort(spots, count, sizeof *spots, later_spot);
    for (int i = 0; i < count; i++) to->sides[i] = from->sides[spots[i].index];
    to->side_count = count;
}

static void tell_vertices(pv__shape *shape) {
    for (int i = 0; i < shape->side_count; i++)
        for (int v = shape->sides[i].from; v != shape->sides[i].to; v = shape->vertices[v].next)
            shape->vertices[v].side = i;
}

/// The same vertices, with blocks, sides and trees in order; false without memory, with nothing changed.
static bool plant(pv__shape *shape) {
    const pv_allocator *a = &shape->allocator;
    pv__shape fresh = *shape;
    int most = shape->block_count > shape->side_count ? shape->block_count : shape->side_count;
    spot *spots = pv__alloc(a, (size_t)most + 1, sizeof *spots);
    fresh.blocks = pv__alloc(a, (size_t)shape->block_count + 1, sizeof *fresh.blocks);
    fresh.sides = pv__alloc(a, (size_t)shape->side_count + 1, sizeof *fresh.sides);
    fresh.block_capacity = shape->block_count + 1;
    fresh.side_capacity = shape->side_count + 1;
    fresh.near_blocks = fresh.near_sides = (pv__tree){NULL, 0, 0};
    bool made = spots && fresh.blocks && fresh.sides;
    if (made) {
        arrange_blocks(shape, &fresh, spots);
        arrange_sides(shape, &fresh, spots);
        made = pv__shape_make_trees(&fresh);
    }
    pv__free(a, spots, (size_t)most + 1, sizeof *spots);
    pv__shape *gone = made ? shape : &fresh;
    gone->vertices = NULL; /* both have the same ones */
    pv__shape_free_arrays(gone);
    if (made) *shape = fresh;
    if (made) tell_vertices(shape);
    return made;
}

bool pv__shape_tidy(pv__shape *shape) {
    enum { LOOSE = 96, GONE = 1024, TORN = 16 };
    int loose = shape->near_blocks.count - shape->tidy_blocks + shape->near_sides.count - shape->tidy_sides;
    if (loose < LOOSE + (shape->tidy_blocks + shape->tidy_sides) / 4) return true;
    bool torn = shape->count > 2 * shape->alive + GONE ||
                2 * shape->block_count > 3 * pv__shape_blocks_of(shape->alive) + TORN;
    if (!torn || shape->alive == 0) return plant(shape);
    pv_allocator allocator = shape->allocator;
    size_t count = (size_t)shape->count;
    int *place = pv__alloc(&allocator, count, sizeof *place);
    bool made = place && compact(shape, place);
    pv__free(&allocator, place, count, sizeof *place);
    return made;
}
