/* base.c - memory, status words, version, clock, and the public trigonometry.
 *
 * Invariant: the file keeps no state.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "base/base.h"
#include "base/math.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void *default_alloc(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    (void)user_data;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

pv_allocator pv__allocator(const pv_allocator *allocator) {
    if (allocator && allocator->fn) return *allocator;
    return (pv_allocator){default_alloc, NULL};
}

/* ---- aligned memory ----
 *
 * Invariant: a block of LINES_FROM bytes or more begins on a cache line. The byte before it holds
 * its distance from the start of the allocator's memory.
 */

/// Size of a cache line, and size from which blocks begin on one [bytes]
enum { LINE = 64, LINES_FROM = 4096 };

static bool is_aligned(size_t size) { return size >= LINES_FROM; }

/// Returns the size to request from the allocator for a block; 0 on overflow.
static size_t outer_size(size_t size) {
    if (!is_aligned(size)) return size;
    return size <= SIZE_MAX - LINE ? size + LINE : 0;
}

/// Returns the distance of a block from the start of the allocator's memory.
static size_t distance_of(const void *ptr, size_t size) {
    return ptr && is_aligned(size) ? ((const unsigned char *)ptr)[-1] : 0;
}

/// Moves a block to unaligned memory, and frees the old one.
static void *unaligned(const pv_allocator *allocator, void *ptr, size_t old_size, size_t new_size) {
    void *moved = allocator->fn(allocator->user_data, NULL, 0, new_size);
    if (!moved) return NULL;
    memcpy(moved, ptr, new_size);
    pv__resize(allocator, ptr, old_size, 0);
    return moved;
}

void *pv__resize(const pv_allocator *allocator, void *ptr, size_t old_size, size_t new_size) {
    size_t before = distance_of(ptr, old_size), outer = outer_size(new_size), after = 0;
    if (new_size > 0 && outer == 0) return NULL;
    if (before > 0 && new_size > 0 && !is_aligned(new_size))
        return unaligned(allocator, ptr, old_size, new_size);
    unsigned char *memory = allocator->fn(allocator->user_data, ptr ? (char *)ptr - before : NULL,
                                          ptr ? outer_size(old_size) : 0, outer);
    if (!memory) return NULL;
    if (is_aligned(new_size)) after = LINE - (uintptr_t)memory % LINE;
    if (ptr && before != after)
        memmove(memory + after, memory + before, old_size < new_size ? old_size : new_size);
    if (after > 0) memory[after - 1] = (unsigned char)after;
    return memory + after;
}

void *pv__alloc(const pv_allocator *allocator, size_t count, size_t size) {
    if (count > SIZE_MAX / size) return NULL;
    void *ptr = pv__resize(allocator, NULL, 0, count * size);
    return ptr ? memset(ptr, 0, count * size) : NULL;
}

void pv__free(const pv_allocator *allocator, void *ptr, size_t count, size_t size) {
    if (ptr) pv__resize(allocator, ptr, count * size, 0);
}

bool pv__reserve_exactly(const pv_allocator *allocator, void *items, int *capacity, int need,
                         size_t size) {
    if (need <= *capacity) return true;
    if ((size_t)need > SIZE_MAX / size) return false;
    void *old;
    memcpy(&old, items, sizeof old);
    void *grown = pv__resize(allocator, old, (size_t)*capacity * size, (size_t)need * size);
    if (!grown) return false;
    memcpy(items, &grown, sizeof grown);
    *capacity = need;
    return true;
}

/// Capacity up to which an array doubles. A larger one grows by an eighth, to waste less memory.
enum { DOUBLES_UP_TO = 4096 };

static int grown(int room) {
    if (room > INT_MAX / 2) return INT_MAX;
    return room < DOUBLES_UP_TO ? 2 * room : room + room / 8;
}

bool pv__reserve(const pv_allocator *allocator, void *items, int *capacity, int need, size_t size) {
    if (need <= *capacity) return true;
    if (need > INT_MAX / 2) return false;
    int room = *capacity < 8 ? 8 : *capacity;
    while (room < need) room = grown(room);
    return pv__reserve_exactly(allocator, items, capacity, room, size);
}

static void *start_of(const pv__array *c) {
    void *start;
    memcpy(&start, c->pointer, sizeof start);
    return start;
}

bool pv__arrays_reserve(const pv_allocator *allocator, const pv__array *arrays, int *lengths,
                        int count, int length) {
    bool whole = length > 0;
    for (int i = 0; i < count && whole; i++) {
        int had = lengths[i];
        size_t size = arrays[i].size;
        whole = pv__reserve_exactly(allocator, arrays[i].pointer, &lengths[i], length, size);
        if (lengths[i] > had)
            memset((char *)start_of(&arrays[i]) + (size_t)had * size, 0,
                   (size_t)(lengths[i] - had) * size);
    }
    return whole;
}

void pv__arrays_free(const pv_allocator *allocator, const pv__array *arrays, const int *lengths,
                     int count) {
    for (int i = 0; i < count; i++)
        pv__free(allocator, start_of(&arrays[i]), (size_t)lengths[i], arrays[i].size);
}

void pv__exchange(void *a, void *b, size_t size) {
    unsigned char *p = a, *q = b;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = p[i];
        p[i] = q[i];
        q[i] = byte;
    }
}

void pv__swap(void *items, int *capacity, void *others, int *other_capacity) {
    pv__exchange(items, others, sizeof(void *));
    pv__exchange(capacity, other_capacity, sizeof *capacity);
}

/// Array during a sort
typedef struct heap {
    char *items;
    size_t size;
    int (*compare)(const void *, const void *);
} heap;

static char *base_item(const heap *h, int i) { return h->items + (size_t)i * h->size; }

/// Exchanges two items, whose size is a multiple of an int's.
static void exchange(const heap *h, int i, int j) {
    char *p = base_item(h, i), *q = base_item(h, j);
    for (size_t k = 0, n = sizeof(int); k < h->size; k += n) {
        int part;
        memcpy(&part, p + k, n);
        memcpy(p + k, q + k, n);
        memcpy(q + k, &part, n);
    }
}

/// Lets item i sink in the heap of count items, until no child comes after it.
static void base_sink(const heap *h, int i, int count) {
    for (int child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && h->compare(base_item(h, child), base_item(h, child + 1)) < 0)
            child++;
        if (h->compare(base_item(h, i), base_item(h, child)) >= 0) return;
        exchange(h, i, child);
    }
}

static void base_heap(const heap *h, int count) {
    for (int i = count / 2 - 1; i >= 0; i--) base_sink(h, i, count);
}

/* Heapsort, after a test for sorted input: most arrays are sorted already. */
void pv__sort(void *items, int count, size_t size, int (*compare)(const void *, const void *)) {
    heap h = {items, size, compare};
    int sorted = 1;
    while (sorted < count && compare(base_item(&h, sorted - 1), base_item(&h, sorted)) <= 0)
        sorted++;
    if (sorted >= count) return;
    base_heap(&h, count);
    for (int i = count - 1; i > 0; i--) {
        exchange(&h, 0, i);
        base_sink(&h, 0, i);
    }
}

/* Once full, the items form a heap with the last one at its root. */
void pv__firsts_take(pv__firsts *o, const void *item) {
    heap h = {o->items, o->size, o->compare};
    int i = o->count++;
    if (i < o->capacity) memcpy(base_item(&h, i), item, o->size);
    if (i + 1 == o->capacity) base_heap(&h, o->capacity);
    if (i < o->capacity || o->capacity <= 0 || o->compare(item, o->items) >= 0) return;
    memcpy(o->items, item, o->size);
    base_sink(&h, 0, o->capacity);
}

int pv__firsts_end(const pv__firsts *o) {
    pv__sort(o->items, pv__sooner(o->count, o->capacity), o->size, o->compare);
    return o->count;
}

const char *pv_status_to_string(pv_status status) {
    static const char *const words[PV_STATUS_COUNT] = {
        [PV_OK] = "done",
        [PV_ERROR_ARGUMENT] = "a null pointer or a value out of range",
        [PV_ERROR_NOT_FINITE] = "a number is not finite",
        [PV_ERROR_MEMORY] = "out of memory",
        [PV_ERROR_FILE_OPEN] = "the file cannot be opened",
        [PV_ERROR_FILE_READ] = "the file cannot be read to its end",
        [PV_ERROR_FORMAT] = "damaged, or of another format",
        [PV_ERROR_TOO_LARGE] = "larger than the limits allow",
        [PV_ERROR_EMPTY] = "no solid pixel",
        [PV_ERROR_STALE_ID] = "the handle names nothing that lives in this world",
        [PV_ERROR_SHARED] = "the mask is shared; change a copy",
        [PV_ERROR_UNSUPPORTED] = "this build of the library cannot do that",
        [PV_ERROR_BUSY] = "the world cannot be changed while it is being stepped or asked",
        [PV_ERROR_FILE_WRITE] = "the file cannot be written",
    };
    return (unsigned)status < PV_STATUS_COUNT ? words[status] : "unknown status";
}

const char *pv_version(void) { return PACKAGE_VERSION; }

pv_rotation pv_rotation_from_angle(double angle) {
    return pv__abs(angle) <= 1e6 ? pv__rotation(angle) : (pv_rotation){1, 0};
}

double pv_rotation_get_angle(pv_rotation rotation) {
    return pv__finite(rotation.c) && pv__finite(rotation.s) ? pv__atan2(rotation.s, rotation.c) : 0;
}

pv_vec2 pv_transform_to_local(const pv_transform *t, pv_vec2 point) {
    if (!t || t->scale.x == 0 || t->scale.y == 0) return point;
    pv_vec2 arm = pv__unrotate(t->rotation, pv__sub(point, t->position));
    return pv__vec(t->pivot.x + arm.x / t->scale.x, t->pivot.y + arm.y / t->scale.y);
}

double pv_vec2_length(pv_vec2 a) { return pv__length(a); }

pv_vec2 pv_vec2_normalize(pv_vec2 a) { return pv__finite2(a) ? pv__direction(a) : pv__vec(0, 0); }

int pv_clock_advance(pv_clock *clock, double elapsed) {
    if (!clock || !(clock->step > 0)) return 0;
    if (elapsed > 0 && pv__finite(elapsed)) clock->accumulator += elapsed;
    int steps = 0;
    while (clock->accumulator >= clock->step && steps < clock->max_steps) {
        clock->accumulator -= clock->step;
        steps++;
    }
    if (clock->accumulator >= clock->step) clock->accumulator = 0;
    return steps;
}
