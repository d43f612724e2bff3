/* pool.c - taking, freeing and finding the slots of a pool.
 *
 * Invariant: the slot freed last is taken first, so equal calls give equal slots.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/pool.h"

#include <string.h>

int pv__pool_take(const pv_allocator *allocator, pv__pool *pool, void *items, size_t size) {
    int slot = pool->free;
    void *array;
    if (slot < 0 && !pv__reserve(allocator, items, &pool->capacity, pool->count + 1, size))
        return -1;
    memcpy(&array, items, sizeof array);
    if (slot < 0) {
        memset(pv__pool_slot(array, pool->count, size), 0, size);
        return pool->count++;
    }
    pool->free = pv__pool_slot(array, slot, size)->next_free;
    return slot;
}

void pv__pool_open(pv__pool *pool, pv__slot *slot) {
    slot->generation++;
    pool->living++;
}

void pv__pool_leave(pv__pool *pool, void *items, int slot, size_t size) {
    pv__slot *s = pv__pool_slot(items, slot, size), left = {s->generation, pool->free};
    if (pv__slot_lives(s)) {
        left.generation++;
        pool->living--;
    }
    memset(s, 0, size);
    *s = left;
    pool->free = slot;
}

int pv__pool_find(const pv__pool *pool, const void *items, size_t size, uint32_t index,
                  uint32_t generation) {
    if (index == 0 || index > (uint32_t)pool->count) return -1;
    const pv__slot *s = pv__pool_slot(items, (int)index - 1, size);
    return pv__slot_lives(s) && s->generation == generation ? (int)index - 1 : -1;
}

int pv__pool_next(const pv__pool *pool, const void *items, size_t size, int from) {
    for (int i = from; i < pool->count; i++)
        if (pv__slot_lives(pv__pool_slot(items, i, size))) return i;
    return -1;
}

bool pv__pool_is_good(const pv__pool *pool, const void *items, size_t size) {
    int living = 0, at = pool->free;
    for (int i = 0; i < pool->count; i++) living += pv__slot_lives(pv__pool_slot(items, i, size));
    for (int i = 0; i <= pool->count && at >= 0; i++) {
        if (at >= pool->count || pv__slot_lives(pv__pool_slot(items, at, size))) return false;
        at = pv__pool_slot(items, at, size)->next_free;
    }
    return at < 0 && living == pool->living;
}
