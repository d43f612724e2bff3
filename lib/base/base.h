/* base.h - memory, status, and arrays for every file of the library.
 *
 * Invariant: all memory comes from pv__resize, and every computation of a size checks for overflow.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_BASE_BASE_H
#define PV_BASE_BASE_H

#include "pixverlet.h"

#include <string.h>

#if !defined(__GNUC__) && !defined(__clang__)
#error "libpixverlet needs gcc or clang: its loops use their vectors and builtins"
#endif

/// Function that is always inlined, because a hot loop calls it. In a build for size, the compiler
/// decides.
#ifdef __OPTIMIZE_SIZE__
#define PV__INLINE static inline
#else
#define PV__INLINE static inline __attribute__((always_inline))
#endif

/// Returns the given allocator, or the default one if it is null or empty.
pv_allocator pv__allocator(const pv_allocator *allocator);

/// Calls an allocator's Lua-style reallocation; returns null on failure or for new_size 0.
void *pv__resize(const pv_allocator *allocator, void *ptr, size_t old_size, size_t new_size);

/// Returns zeroed memory for count items of size bytes; null on failure or overflow. The product
/// count * size must not be 0.
void *pv__alloc(const pv_allocator *allocator, size_t count, size_t size);

/// Frees memory of pv__alloc(allocator, count, size); null is allowed.
void pv__free(const pv_allocator *allocator, void *ptr, size_t count, size_t size);

/// Index that stands for none, and ends a chain of indices
enum { PV__NONE = -1 };

/// Array that grows
typedef struct pv__list {
    void *items;
    int count, capacity;
    /// Size of an item, set by the first reservation [bytes]
    size_t size;
} pv__list;

/// Returns a table length of at least need: the current one, or 64, doubled as often as necessary.
/// Returns 0 above 2^29.
static inline int pv__table_length(int now, int64_t need) {
    int64_t length = now ? now : 64;
    while (length < need) length *= 2;
    return length <= 1 << 29 ? (int)length : 0;
}

/// Reserves memory for at least need items in a growing array; on failure nothing changes.
/// @param items pointer to the array's pointer
/// @param capacity number of items with memory; changed
bool pv__reserve(const pv_allocator *allocator, void *items, int *capacity, int need, size_t size);

/// Does the same as pv__reserve(), but for exactly need items: use it if no more are expected soon.
bool pv__reserve_exactly(const pv_allocator *allocator, void *items, int *capacity, int need,
                         size_t size);

/// Reserves memory for at least need items in a list.
static inline bool pv__list_reserve(const pv_allocator *allocator, pv__list *list, int need,
                                    size_t size) {
    list->size = size;
    return pv__reserve(allocator, &list->items, &list->capacity, need, size);
}
/// Frees the items of consecutive lists.
static inline void pv__lists_free(const pv_allocator *allocator, const pv__list *lists,
                                  size_t count) {
    for (size_t i = 0; i < count; i++)
        pv__free(allocator, lists[i].items, (size_t)lists[i].capacity, lists[i].size);
}

/// Reserves or frees a growing array; the size of an item follows from the pointer's type.
#define PV__RESERVE(allocator, items, capacity, need)                                              \
    pv__reserve(allocator, &(items), &(capacity), need, sizeof *(items))
/// Appends an item to a growing array. Returns false without memory.
#define PV__APPEND(allocator, items, capacity, count, ...)                                         \
    (PV__RESERVE(allocator, items, capacity, (count) + 1) &&                                       \
     ((items)[(count)++] = __VA_ARGS__, true))
#define PV__FREE(allocator, items, capacity)                                                       \
    pv__free(allocator, items, (size_t)(capacity), sizeof *(items))

/// Growing array whose new items are zero; several of them form a table
typedef struct pv__array {
    /// Address of the pointer to its items, and size of an item [bytes]
    void *pointer;
    size_t size;
} pv__array;

/// Enlarges arrays to a length; new items are zero. Returns false without memory; the contents
/// stay.
/// @param lengths length of each; changed
bool pv__arrays_reserve(const pv_allocator *allocator, const pv__array *arrays, int *lengths,
                        int count, int length);

void pv__arrays_free(const pv_allocator *allocator, const pv__array *arrays, const int *lengths,
                     int count);

void pv__exchange(void *a, void *b, size_t size);
/// Exchanges two growing arrays, given pointers to their pointers.
void pv__swap(void *items, int *capacity, void *others, int *other_capacity);

/// Sorts an array in place. The order must not treat different items as equal. Unlike qsort(), it
/// never calls malloc().
void pv__sort(void *items, int count, size_t size, int (*compare)(const void *, const void *));

/// The first few of many items, up to a capacity, in an order as for pv__sort()
typedef struct pv__firsts {
    void *items;
    /// Greatest number of items kept, and number of items taken so far
    int capacity, count;
    size_t size;
    int (*compare)(const void *, const void *);
} pv__firsts;

/// Takes an item, and keeps it if it is among the first so far.
void pv__firsts_take(pv__firsts *firsts, const void *item);
/// Sorts the kept items. Returns the number of items taken.
int pv__firsts_end(const pv__firsts *firsts);

/// Returns the index of the first item of a sorted array that does not come before the wanted one.
PV__INLINE int pv__sorted_place(const void *items, int count, size_t size, const void *wanted,
                                int (*compare)(const void *, const void *)) {
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare((const char *)items + (size_t)middle * size, wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Tells whether a sorted array has the wanted item.
static inline bool pv__sorted_has(const void *items, int count, size_t size, const void *wanted,
                                  int (*compare)(const void *, const void *)) {
    int i = pv__sorted_place(items, count, size, wanted, compare);
    return i < count && compare((const char *)items + (size_t)i * size, wanted) == 0;
}

/// Compares items that begin with two ints, by the first one, then by the second one.
static inline int pv__compare_pairs(const void *p, const void *q) {
    int a[2], b[2];
    memcpy(a, p, sizeof a);
    memcpy(b, q, sizeof b);
    return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : (a[1] > b[1]) - (a[1] < b[1]);
}

/// Returns the root of item i. The member of an item is its parent's index; a root is its own
/// parent. Halves the path on the way.
#define PV__ROOT(items, member, i) pv__root(&(items)->member, sizeof *(items), i)
static inline int pv__root(int *parents, size_t size, int i) {
    for (int *at;; i = *at) {
        at = (int *)(void *)((char *)parents + (size_t)i * size);
        if (*at == i) return i;
        *at = *(int *)(void *)((char *)parents + (size_t)*at * size);
    }
}

/// Mark that a _default() function leaves in a struct, to detect uninitialized ones
#define PV__COOKIE 0x70766c75u

/// Mixes a word into a digest.
static inline void pv__hash_word(uint64_t *h, uint64_t word) {
    *h = (*h ^ word) * UINT64_C(0x100000001b3);
    *h ^= *h >> 29;
}

#endif
