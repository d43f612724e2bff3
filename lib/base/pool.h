/* pool.h - objects by slot: a growing array whose free slots form a list.
 *
 * Invariant: the generation of a slot is odd while its object is alive, and never decreases. A free
 * slot holds zeros, its generation and the next free slot.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_BASE_POOL_H
#define PV_BASE_POOL_H

#include "base/base.h"

/// First member of each object of a pool
typedef struct pv__slot {
    uint32_t generation;
    /// Next free slot of a free slot, or -1
    int next_free;
} pv__slot;

typedef struct pv__pool {
    /// Number of slots, slots with memory, first free slot or -1, and number of living objects
    int count, capacity, free, living;
} pv__pool;

static inline bool pv__slot_lives(const pv__slot *s) { return s->generation & 1; }

/// Returns the slot of an item of a pool.
static inline pv__slot *pv__pool_slot(const void *items, int i, size_t size) {
    return (pv__slot *)((char *)items + (size_t)i * size);
}

/// Takes a slot for an object that is not yet alive. Returns -1 without memory.
/// @param items pointer to the array's pointer
int pv__pool_take(const pv_allocator *allocator, pv__pool *pool, void *items, size_t size);

/// Makes the object of a taken slot alive.
void pv__pool_open(pv__pool *pool, pv__slot *slot);

/// Clears and frees a slot, whether its object came to life or not.
void pv__pool_leave(pv__pool *pool, void *items, int slot, size_t size);

/// Returns the slot of a living object by the two numbers of its id, or -1. The index of an id is
/// the slot + 1.
int pv__pool_find(const pv__pool *pool, const void *items, size_t size, uint32_t index,
                  uint32_t generation);

/// Returns the slot of the first living object at or after a slot, or -1.
int pv__pool_next(const pv__pool *pool, const void *items, size_t size, int from);

/// Tells whether the free list ends and has only free slots, and the living count is right.
bool pv__pool_is_good(const pv__pool *pool, const void *items, size_t size);

#endif
