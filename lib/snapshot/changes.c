/* changes.c - writes and applies the differences of two snapshots.
 *
 * Invariant: changes are operations on the bytes of a base, in order. No operation reaches outside
 * the base or the result. A wrong guess of a record's length in the base only makes the changes
 * larger.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "snapshot/changes.h"
#include "pixel/kernel.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/// Operations: copy bytes of the base, skip bytes of the base, insert bytes of the changes, or copy
/// words of eight bytes of the base and replace some of them
enum { CHANGES_COPY = 0, CHANGES_PASS = 1, CHANGES_INSERT = 2, CHANGES_PATCH = 3 };

/// Number of low bits of an operation that hold its number of bytes, or of words of a patch.
enum { COUNT_BITS = 30, MOST_COUNT = (1 << COUNT_BITS) - 1 };

/// Bytes of a word; words and bytes of a patch. Records share patches, because the start and end of
/// a patch cost more than unchanged words
enum { PATCH_WORD = 8, PATCH_WORDS = 64, PATCH_BYTES = PATCH_WORD * PATCH_WORDS };

/* ---- writing ---- */

static void write_operation(pv__changes *c, uint32_t kind, size_t count) {
    uint32_t word = kind << COUNT_BITS | (uint32_t)count;
    pv__stream_u32(&c->out, &word);
}

/// Writes the pending operation.
static void flush(pv__changes *c) {
    for (size_t count; c->pending > 0; c->pending -= count) {
        count = c->pending < MOST_COUNT ? c->pending : MOST_COUNT;
        write_operation(c, c->kind, count);
    }
}

/// Copies or skips bytes of the base.
static inline void changes_advance(pv__changes *c, uint32_t kind, size_t count) {
    if (count == 0) return;
    if (c->kind != kind) flush(c);
    c->kind = kind;
    c->pending += count;
    c->base += count;
    c->left -= count;
    c->total += kind == CHANGES_COPY ? count : 0;
}

static void insert(pv__changes *c, const unsigned char *bytes, size_t size) {
    for (size_t count; size > 0; size -= count, bytes += count) {
        count = size < MOST_COUNT ? size : MOST_COUNT;
        flush(c);
        write_operation(c, CHANGES_INSERT, count);
        unsigned char *at = pv__stream_take(&c->out, count);
        if (at) memcpy(at, bytes, count);
        c->total += count;
    }
}

#ifdef __SSE2__
/// Returns all ones for each of four half words that is equal.
static inline __m128i same_4(const unsigned char *a, const unsigned char *b) {
    return _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)(const void *)a),
                           _mm_loadu_si128((const __m128i *)(const void *)b));
}

/// Returns all ones for each of eight words that is equal.
static inline __m128i same_8(const unsigned char *a, const unsigned char *b) {
    __m128i low = _mm_packs_epi32(same_4(a, b), same_4(a + 16, b + 16)),
            high = _mm_packs_epi32(same_4(a + 32, b + 32), same_4(a + 48, b + 48));
    return _mm_cmpeq_epi16(_mm_packs_epi16(low, high), _mm_set1_epi16(-1));
}

/// Returns 16 bits, which are 1 for words that differ.
static inline uint64_t changed_16(const unsigned char *a, const unsigned char *b) {
    __m128i same = _mm_packs_epi16(same_8(a, b), same_8(a + 64, b + 64));
    return 0xffffu ^ (unsigned)_mm_movemask_epi8(same);
}
#endif

/// Returns count bits, which are 1 for words that differ.
PV__INLINE uint64_t changed_words(const unsigned char *a, const unsigned char *b, int count) {
    uint64_t mask = 0;
    int i = 0;
#ifdef __SSE2__
#pragma GCC unroll 4
    for (; i + 16 <= count; i += 16)
        mask |= changed_16(a + PATCH_WORD * i, b + PATCH_WORD * i) << i;
#endif
    for (; i < count; i++)
        mask |= (uint64_t)(memcmp(a + PATCH_WORD * i, b + PATCH_WORD * i, PATCH_WORD) != 0) << i;
    return mask;
}

/// Adds count words in place of as many words of the base.
PV__INLINE void add_words(pv__changes *c, const unsigned char *bytes, int count) {
    uint64_t mask = changed_words(bytes, c->base, count);
    size_t size = (size_t)count * PATCH_WORD;
    if (!mask) {
        changes_advance(c, CHANGES_COPY, size);
        return;
    }
    flush(c);
    write_operation(c, CHANGES_PATCH, (size_t)count);
    pv__stream_u64(&c->out, &mask);
    unsigned char *at = pv__stream_take(&c->out, PATCH_WORD * (size_t)__builtin_popcountll(mask));
    for (uint64_t rest = mask; at && rest; rest &= rest - 1, at += PATCH_WORD)
        memcpy(at, bytes + PATCH_WORD * (size_t)__builtin_ctzll(rest), PATCH_WORD);
    c->base += size;
    c->left -= size;
    c->total += size;
}

/// Adds bytes in place of as many bytes of the base.
static void add_same_size(pv__changes *c, const unsigned char *bytes, size_t size) {
    for (; size >= PATCH_BYTES; size -= PATCH_BYTES, bytes += PATCH_BYTES)
        add_words(c, bytes, PATCH_WORDS);
    if (size == 0) return;
    add_words(c, bytes, (int)(size / PATCH_WORD));
    size_t odd = size % PATCH_WORD;
    bytes += size - odd;
    if (memcmp(bytes, c->base, odd) == 0) {
        changes_advance(c, CHANGES_COPY, odd);
    } else {
        insert(c, bytes, odd);
        changes_advance(c, CHANGES_PASS, odd);
    }
}

void pv__changes_compare(pv__changes *c, bool all) {
    size_t rest = all ? 0 : c->run % PATCH_BYTES, size = c->run - rest;
    add_same_size(c, c->bytes, size);
    memmove(c->bytes, c->bytes + size, rest);
    c->run = rest;
}

/// Keeps equal bytes at both ends and replaces everything between them, if the sizes differ.
void pv__changes_replace(pv__changes *c, const unsigned char *bytes, size_t size,
                         size_t base_size) {
    size_t least = size < base_size ? size : base_size, first = 0, last = 0;
    if (size == base_size) {
        add_same_size(c, bytes, size);
        return;
    }
    while (first < least && bytes[first] == c->base[first]) first++;
    while (last < least - first && bytes[size - 1 - last] == c->base[base_size - 1 - last]) last++;
    changes_advance(c, CHANGES_COPY, first);
    insert(c, bytes + first, size - first - last);
    changes_advance(c, CHANGES_PASS, base_size - first - last);
    changes_advance(c, CHANGES_COPY, last);
}

void pv__changes_open(pv__changes *c, const unsigned char *base, size_t size) {
    pv__changes_compare(c, true);
    changes_advance(c, CHANGES_PASS, c->left);
    c->base = base;
    c->left = size;
}

void pv__changes_end(pv__changes *c) {
    pv__changes_compare(c, true);
    flush(c);
}

/* ---- applying ---- */

/// Copies words of the base, and replaces those in a mask by words of the changes.
static void apply_patch(pv__stream *t, unsigned char *at, const unsigned char *base, int count) {
    uint64_t mask = 0;
    pv__stream_u64(t, &mask);
    t->broken |= count < PATCH_WORDS && mask >> count;
    const unsigned char *words =
        pv__stream_take(t, PATCH_WORD * (size_t)__builtin_popcountll(mask));
    t->broken |= !words;
    if (t->broken) return;
    memcpy(at, base, PATCH_WORD * (size_t)count);
    for (; mask; mask &= mask - 1, words += PATCH_WORD)
        memcpy(at + PATCH_WORD * __builtin_ctzll(mask), words, PATCH_WORD);
}

/// Applies one operation. Subtracts the bytes that it used and made from *base_left and *left.
static void apply_one(pv__stream *t, const unsigned char *base, size_t *base_left,
                      unsigned char *at, size_t *left) {
    uint32_t word = 0;
    pv__stream_u32(t, &word);
    uint32_t kind = word >> COUNT_BITS;
    size_t count = word & MOST_COUNT, size = kind == CHANGES_PATCH ? PATCH_WORD * count : count;
    size_t used = kind == CHANGES_INSERT ? 0 : size, made = kind == CHANGES_PASS ? 0 : size;
    t->broken |=
        used > *base_left || made > *left || (kind == CHANGES_PATCH && count > PATCH_WORDS);
    const unsigned char *inserted = NULL;
    if (!t->broken && kind == CHANGES_INSERT) inserted = pv__stream_take(t, size);
    t->broken |= kind == CHANGES_INSERT && !inserted;
    if (t->broken) return;
    if (kind == CHANGES_COPY) memcpy(at, base, size);
    if (kind == CHANGES_INSERT) memcpy(at, inserted, size);
    if (kind == CHANGES_PATCH) apply_patch(t, at, base, (int)count);
    *base_left -= used;
    *left -= made;
}

bool pv__changes_apply(pv__stream *t, const unsigned char *base, size_t base_size,
                       unsigned char *at, size_t size) {
    size_t base_left = base_size, left = size;
    while (t->left > 0 && !t->broken)
        apply_one(t, base + (base_size - base_left), &base_left, at + (size - left), &left);
    return !t->broken && left == 0;
}
