/* stream.h - transfers state as bytes, with the same code for writing and reading.
 *
 * Invariant: the byte order is little-endian on every machine. A value that is read out of range or
 * not finite breaks the stream. A broken or truncated stream reads only zeros.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SNAPSHOT_STREAM_H
#define PV_SNAPSHOT_STREAM_H

#include "core/world.h"

#include <stddef.h>
#include <string.h>

/// 1 if the machine's memory has the stream's byte order
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define PV__TAPE_NATIVE 1
#else
#define PV__TAPE_NATIVE 0
#endif

/// Greatest number of elements of a list
enum { PV__STREAM_MOST = 1 << 27 };

typedef struct pv__stream {
    /// Position, or null to count bytes only
    unsigned char *at;
    size_t left, used;
    bool reads, broken;
    /// True if the stream is broken because memory was missing
    bool starved;
    /// True if an earlier pass has validated the data
    bool checked;
} pv__stream;

/// Returns a stream that reads bytes.
static inline pv__stream pv__stream_reader(const void *bytes, size_t size) {
    return (pv__stream){.at = (unsigned char *)(uintptr_t)bytes, .left = size, .reads = true};
}

/// Takes size bytes of the stream. Returns null if none can be accessed.
static inline unsigned char *pv__stream_take(pv__stream *t, size_t size) {
    unsigned char *at = t->at;
    t->used += size;
    if (!at) return NULL;
    if (t->left < size) {
        t->broken = true;
        t->left = 0;
        return NULL;
    }
    t->at += size;
    t->left -= size;
    return at;
}

/// Prefetches bytes that are needed soon. The address may be invalid.
static inline void pv__stream_fetch(uintptr_t bytes, size_t size) {
    for (size_t i = 0; i < size; i += 64) __builtin_prefetch((const void *)(bytes + i));
}

/// Transfers the lowest byte of a word.
static inline void pv__stream_u8(pv__stream *t, uint64_t *word) {
    unsigned char *at = pv__stream_take(t, 1);
    if (t->reads)
        *word = at ? *at : 0;
    else if (at)
        *at = (unsigned char)*word;
}

/// Returns the address of a member and those after it, which are moved as one array.
#define PV__FROM(type, object, member) ((unsigned char *)(object) + offsetof(type, member))

/// Copies values of unit bytes each between a stream and memory, regardless of their type.
static inline void pv__stream_move(bool reads, unsigned char *at, void *values, size_t unit,
                                   int count) {
    size_t size = (size_t)count * unit;
    if (PV__TAPE_NATIVE) memcpy(reads ? values : at, reads ? at : values, size);
    for (size_t i = 0; !PV__TAPE_NATIVE && i < size; i++) {
        unsigned char *native = (unsigned char *)values + (i ^ (unit - 1));
        if (reads)
            *native = at[i];
        else
            at[i] = *native;
    }
}

/// Transfers consecutive values of unit bytes each.
static inline void pv__stream_values(pv__stream *t, void *values, size_t unit, int count) {
    size_t size = (size_t)count * unit;
    unsigned char *at = pv__stream_take(t, size);
    if (!at && t->reads) memset(values, 0, size);
    if (at) pv__stream_move(t->reads, at, values, unit, count);
}

static inline void pv__stream_words(pv__stream *t, void *words, int count) {
    pv__stream_values(t, words, 8, count);
}

static inline void pv__stream_halves(pv__stream *t, void *words, int count) {
    pv__stream_values(t, words, 4, count);
}

static inline void pv__stream_u32(pv__stream *t, uint32_t *x) { pv__stream_halves(t, x, 1); }

static inline void pv__stream_u64(pv__stream *t, uint64_t *x) { pv__stream_words(t, x, 1); }

/// Transfers an integer in low...high.
static inline void pv__stream_int(pv__stream *t, int *x, int low, int high) {
    pv__stream_halves(t, x, 1);
    if (!t->reads || (*x >= low && *x <= high)) return;
    t->broken = true;
    *x = low;
}

/// Transfers finite numbers. The check adds 1 to exponents, so that one of all ones sets the sign.
static inline void pv__stream_numbers(pv__stream *t, void *numbers, int count) {
    const uint64_t exponent = UINT64_C(0x7ff0000000000000), least = UINT64_C(0x0010000000000000);
    uint64_t word, seen = 0;
    pv__stream_words(t, numbers, count);
    if (!t->reads || t->checked) return;
    for (int i = 0; i < count; i++) {
        memcpy(&word, (const char *)numbers + 8 * i, sizeof word);
        seen |= (word & exponent) + least;
    }
    t->broken |= seen >> 63;
}

static inline void pv__stream_double(pv__stream *t, double *x) { pv__stream_numbers(t, x, 1); }

/// Tells whether any bit of consecutive words differs, as it does for 0 and -0.
PV__INLINE bool pv__stream_differ(const void *a, const void *b, size_t size) {
    uint64_t x, y, all = 0;
#pragma GCC unroll 16
    for (size_t i = 0; i < size; i += 8) {
        memcpy(&x, (const char *)a + i, 8);
        memcpy(&y, (const char *)b + i, 8);
        all |= x ^ y;
    }
    return all != 0;
}

static inline void pv__stream_vec(pv__stream *t, pv_vec2 *v) { pv__stream_numbers(t, v, 2); }

/// Checks that a rotation that was read has a length of about 1.
static inline void pv__stream_check_turn(pv__stream *t, pv_rotation *r) {
    double length = r->c * r->c + r->s * r->s;
    t->broken |= t->reads && !t->checked && !(length > 0.99 && length < 1.01);
}

static inline void pv__stream_turn(pv__stream *t, pv_rotation *r) {
    pv__stream_numbers(t, r, 2);
    pv__stream_check_turn(t, r);
}

static inline void pv__stream_flag(pv__stream *t, bool *flag) {
    uint64_t word = t->reads ? 0 : *flag;
    pv__stream_u8(t, &word);
    t->broken |= word > 1;
    *flag = word & 1;
}

/// Transfers a caller's pointer unchanged.
static inline void pv__stream_pointer(pv__stream *t, void **pointer) {
    uint64_t word = (uint64_t)(uintptr_t)*pointer;
    pv__stream_u64(t, &word);
    *pointer = (void *)(uintptr_t)word;
}

static inline void pv__stream_filter(pv__stream *t, pv_filter *f) { pv__stream_halves(t, f, 3); }

/// Tells whether the rest of the stream can hold count items of at least bytes each. A count that
/// is too large breaks the stream.
static inline bool pv__stream_holds(pv__stream *t, int count, size_t bytes) {
    t->broken |= (size_t)count > t->left / bytes;
    return !t->broken;
}

/// Breaks a stream if there was no memory for its contents. Returns the argument memory.
static inline bool pv__stream_got(pv__stream *t, bool memory) {
    t->broken |= !memory;
    t->starved |= !memory;
    return memory;
}

/* stream_bodies.c */
void pv__stream_bodies(pv__stream *t, pv_world *world);
void pv__hash_bodies(uint64_t *h, const pv_world *world);
/* stream_events.c */
/// Transfers the events, and the state that the events of the next step need.
void pv__stream_events(pv__stream *t, pv_world *world);
/* stream_pairs.c */
/// Transfers contacts of pixels, and passing pairs.
void pv__stream_contacts(pv__stream *t, pv_world *world);
void pv__hash_pairs(uint64_t *h, const pv_world *world);
void pv__stream_write_manifolds(pv__stream *t, pv_world *world);
/// Numbers of slots, of active pairs and of manifolds with more points than fit in their slot, and
/// the first free slot
typedef struct pv__manifold_counts {
    int slots, free, active, wide;
} pv__manifold_counts;

/// Skips manifolds that are valid for the world's bodies, and counts them.
void pv__stream_check_manifolds(pv__stream *t, const pv_world *world, pv__manifold_counts *counts);
/// Reads checked manifolds into a world with reserved memory. They replace all of its slots.
void pv__stream_read_manifolds(pv__stream *t, pv_world *world);
/* stream_shape.c */
/// Marks the masks and maps that bodies use, and if asked to numbers new ones. Returns false
/// without memory.
bool pv__stream_mark_used(pv_world *world, bool number);
/// Transfers the used masks and maps: index and digest, or with their pixels. If they are read
/// without pixels, the world must already have them.
void pv__stream_masks(pv__stream *t, pv_world *world, bool pixels);
/* stream_matter.c */
void pv__stream_matter(pv__stream *t, pv_world *world);
void pv__hash_matter(uint64_t *h, const pv_world *world);
/* stream_grains.c */
void pv__stream_grains(pv__stream *t, pv_world *world);
/// Gives the populations of a world that was read the callbacks and the scratch memory of those
/// that they replace.
void pv__stream_grains_keep(pv_world *world, pv_world *replaced);
void pv__hash_grains(uint64_t *h, const pv_world *world);

#endif
