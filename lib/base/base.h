/* base.h - memory and status for every file of the library.
 *
 * Invariant: no memory is had but through pv__resize, and no size is computed without a check for
 * overflow.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_BASE_BASE_H
#define PV_BASE_BASE_H

#include "pixverlet.h"

/// The allocator to use when the caller gave allocator, which may be null.
pv_allocator pv__allocator(const pv_allocator *allocator);

/// Lua's reallocation through an allocator; null on failure or for new_size 0.
void *pv__resize(const pv_allocator *allocator, void *ptr, size_t old_size, size_t new_size);

/// Zeroed memory for count things of size bytes; null on failure or overflow. count * size must not
/// be 0.
void *pv__alloc(const pv_allocator *allocator, size_t count, size_t size);

/// Gives back what pv__alloc(allocator, count, size) gave; null is allowed.
void pv__free(const pv_allocator *allocator, void *ptr, size_t count, size_t size);

/// A length of a table: its present one, or the first, doubled until it holds as many; 0 above
/// 2^29.
static inline int pv__table_length(int now, int first, int64_t need) {
    int64_t length = now ? now : first;
    while (length < need) length *= 2;
    return length <= 1 << 29 ? (int)length : 0;
}

/// Makes room for at least need things in a growing array; on failure all stays as it was.
/// @param items pointer to the array's pointer
/// @param capacity how many there is room for; changed
bool pv__reserve(const pv_allocator *allocator, void *items, int *capacity, int need, size_t size);

/// The same for just so many, where that is known to be all for some time.
bool pv__reserve_exactly(const pv_allocator *allocator, void *items, int *capacity, int need,
                         size_t size);

/// Exchanges two growing arrays, given the pointers to theirs.
void pv__swap(void *items, int *capacity, void *others, int *other_capacity);

/// Sorts an array in place, by an order in which no two different things are equal. Unlike qsort(),
/// which may call malloc().
void pv__sort(void *items, int count, size_t size, int (*compare)(const void *, const void *));

/// Sets *status where there is one, and returns value.
static inline pv_status pv__say(pv_status *status, pv_status value) {
    if (status) *status = value;
    return value;
}

/// Marks structs made by a _default() function, so that one that was not is noticed.
#define PV__COOKIE 0x70766c74u

/// Mixes a word into a digest.
static inline void pv__hash_word(uint64_t *h, uint64_t word) {
    *h = (*h ^ word) * UINT64_C(0x100000001b3);
    *h ^= *h >> 29;
}

#endif
