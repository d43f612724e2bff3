/* pv_shape.c - the geometry of a mask, made once.
 *
 * Invariant: a mask has no shape or one that fits its pixels; edits take it away.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_geom.h"

enum { BLOCK = 16 };

static int blocks_of(int vertices) { return (vertices + BLOCK - 1) / BLOCK; }

static void free_shape(pv__derived *derived) {
    pv__shape *shape = (pv__shape *)derived;
    pv_allocator allocator = shape->allocator;
    size_t nodes = (size_t)shape->field.w * (size_t)shape->field.h;
    pv__free(&allocator, shape->vertices, (size_t)shape->capacity, sizeof(pv__vertex));
    pv__free(&allocator, shape->sides, (size_t)shape->side_capacity, sizeof(pv__side));
    pv__free(&allocator, shape->blocks, (size_t)blocks_of(shape->count), sizeof(pv__block));
    pv__free(&allocator, shape->field.nodes, nodes, sizeof(int16_t));
    pv__free(&allocator, shape, 1, sizeof *shape);
}

static void enclose(pv_box *box, pv_vec2 at) {
    box->min = pv__vec(pv__min(box->min.x, at.x), pv__min(box->min.y, at.y));
    box->max = pv__vec(pv__max(box->max.x, at.x), pv__max(box->max.y, at.y));
}

static bool make_blocks(pv__shape *shape) {
    int count = blocks_of(shape->count);
    shape->blocks = count > 0 ? pv__alloc(&shape->allocator, (size_t)count, sizeof(pv__block)) : NULL;
    if (count > 0 && !shape->blocks) return false;
    shape->block_count = count;
    for (int i = 0; i < count; i++) {
        int first = i * BLOCK, end = first + BLOCK < shape->count ? first + BLOCK : shape->count;
        pv_vec2 at = shape->vertices[first].at;
        pv__block *b = &shape->blocks[i];
        *b = (pv__block){{at, at}, first, end};
        for (int k = first; k < end; k++) enclose(&b->box, shape->vertices[k].at);
    }
    return true;
}

static pv__shape *make_shape(const pv_mask *mask) {
    pv__shape *shape = pv__alloc(&mask->allocator, 1, sizeof *shape);
    if (!shape) return NULL;
    shape->derived.free = free_shape;
    shape->allocator = mask->allocator;
    if (pv__contour_make(shape, mask) && pv__field_make(shape, mask->bits.w, mask->bits.h) &&
        make_blocks(shape))
        return shape;
    free_shape(&shape->derived);
    return NULL;
}

const pv__shape *pv__mask_shape(pv_mask *mask) {
    pv__derived *derived = atomic_load(&mask->derived), *none = NULL;
    if (derived) return (pv__shape *)derived;
    pv__shape *shape = make_shape(mask);
    if (!shape || atomic_compare_exchange_strong(&mask->derived, &none, &shape->derived)) return shape;
    free_shape(&shape->derived); /* another thread was faster */
    return (pv__shape *)none;
}
