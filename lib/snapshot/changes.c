/* changes.c - differences of two snapshots, written and applied.
 *
 * Invariant: changes are operations on the bytes of a base, in order. No operation leaves the base,
 * or the bytes that the changes make. A wrong guess of a record's length in the base costs bytes
 * only.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "snapshot/changes.h"

/// Operations: take bytes of the base, pass over some, take bytes of the changes, or take words of
/// the base with others in some places.
enum { COPY = 0, PASS = 1, INSERT = 2, PATCH = 3 };

/// Number of low bits of an operation that hold its number of bytes, or of words of a patch.
enum { COUNT_BITS = 30, MOST_COUNT = (1 << COUNT_BITS) - 1, PATCH_WORDS = 64 };

/* ---- writing ---- */

static void write_operation(pv__changes *c, uint32_t kind, size_t count) {
    uint32_t word = kind << COUNT_BITS | (uint32_t)count;
    pv__stream_u32(&c->out, &word);
}

/// Writes the pending operation.
static void changes_flush(pv__changes *c) {
    for (size_t count; c->pending > 0; c->pending -= count) {
        count = c->pending < MOST_COUNT ? c->pending : MOST_COUNT;
        write_operation(c, c->kind, count);
    }
}

/// Copies or passes over bytes of the base.
static inline void changes_advance(pv__changes *c, uint32_t kind, size_t count) {
    if (c->kind != kind) changes_flush(c);
    c->kind = kind;
    c->pending += count;
    c->base += count;
    c->left -= count;
    c->total += kind == COPY ? count : 0;
}

static void changes_insert(pv__changes *c, const unsigned char *bytes, size_t size) {
    for (size_t count; size > 0; size -= count, bytes += count) {
        count = size < MOST_COUNT ? size : MOST_COUNT;
        changes_flush(c);
        write_operation(c, INSERT, count);
        unsigned char *at = pv__stream_take(&c->out, count);
        if (at) memcpy(at, bytes, count);
        c->total += count;
    }
}

static inline uint64_t differs_at(const unsigned char *a, const unsigned char *b, int word) {
    uint64_t x, y;
    memcpy(&x, a + 8 * word, sizeof x);
    memcpy(&y, b + 8 * word, sizeof y);
    return x != y;
}

/// Returns a bit for each of count words that differ.
static inline uint64_t changed_words(const unsigned char *a, const unsigned char *b, int count) {
    uint64_t mask = 0;
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        uint64_t four = differs_at(a, b, i) | differs_at(a, b, i + 1) << 1 |
                        differs_at(a, b, i + 2) << 2 | differs_at(a, b, i + 3) << 3;
        mask |= four << i;
    }
    for (; i < count; i++) mask |= differs_at(a, b, i) << i;
    return mask;
}

/// Adds as many words as the base has there, of which some differ.
static void add_words(pv__changes *c, const unsigned char *record, int count) {
    uint64_t mask = changed_words(record, c->base, count);
    if (!mask) {
        changes_advance(c, COPY, (size_t)count * 8);
        return;
    }
    changes_flush(c);
    write_operation(c, PATCH, (size_t)count);
    pv__stream_u64(&c->out, &mask);
    unsigned char *at = pv__stream_take(&c->out, 8 * (size_t)__builtin_popcountll(mask));
    for (uint64_t rest = mask; at && rest; rest &= rest - 1, at += 8)
        memcpy(at, record + 8 * __builtin_ctzll(rest), 8);
    c->base += 8 * count;
    c->left -= 8 * (size_t)count;
    c->total += 8 * (size_t)count;
}

/// Adds a record of the same size as in the base. Odd bytes come first, as numbers come last.
static void add_same_size(pv__changes *c, const unsigned char *record, size_t size) {
    size_t odd = size % 8;
    if (memcmp(record, c->base, odd) == 0) {
        changes_advance(c, COPY, odd);
    } else {
        changes_insert(c, record, odd);
        changes_advance(c, PASS, odd);
    }
    for (size_t at = odd; at < size; at += PATCH_WORDS * 8) {
        size_t words = (size - at) / 8;
        add_words(c, record + at, words < PATCH_WORDS ? (int)words : PATCH_WORDS);
    }
}

/// Adds a record of another size than in the base: all between the equal beginnings and ends.
static void add_other_size(pv__changes *c, const unsigned char *record, size_t size,
                           size_t base_size) {
    size_t least = size < base_size ? size : base_size, first = 0, last = 0;
    while (first < least && record[first] == c->base[first]) first++;
    while (last < least - first && record[size - 1 - last] == c->base[base_size - 1 - last]) last++;
    changes_advance(c, COPY, first);
    changes_insert(c, record + first, size - first - last);
    changes_advance(c, PASS, base_size - first - last);
    changes_advance(c, COPY, last);
}

void pv__changes_open(pv__changes *c, const unsigned char *base, size_t size) {
    changes_advance(c, PASS, c->left);
    c->base = base;
    c->left = size;
}

void pv__changes_add(pv__changes *c, const unsigned char *record, size_t size, size_t base_size) {
    if (base_size > c->left) base_size = c->left;
    if (size == base_size)
        add_same_size(c, record, size);
    else
        add_other_size(c, record, size, base_size);
}

void pv__changes_end(pv__changes *c) { changes_flush(c); }

/* ---- applying ---- */

/// Takes words of the base, and those of the changes in the places of a mask.
static void apply_patch(pv__stream *t, unsigned char *at, const unsigned char *base, int count) {
    uint64_t mask = 0;
    pv__stream_u64(t, &mask);
    t->broken |= count < PATCH_WORDS && mask >> count;
    const unsigned char *words = pv__stream_take(t, 8 * (size_t)__builtin_popcountll(mask));
    if (t->broken || !words) {
        t->broken = true;
        return;
    }
    memcpy(at, base, 8 * (size_t)count);
    for (; mask; mask &= mask - 1, words += 8) memcpy(at + 8 * __builtin_ctzll(mask), words, 8);
}

/// Applies one operation. Sets the numbers of bytes that it used of the base, and made.
static void apply_one(pv__stream *t, const unsigned char *base, size_t *base_left,
                      unsigned char *at, size_t *left) {
    uint32_t word = 0;
    pv__stream_u32(t, &word);
    uint32_t kind = word >> COUNT_BITS;
    size_t count = word & MOST_COUNT, size = kind == PATCH ? 8 * count : count;
    size_t used = kind == INSERT ? 0 : size, made = kind == PASS ? 0 : size;
    t->broken |= used > *base_left || made > *left || (kind == PATCH && count > PATCH_WORDS);
    const unsigned char *inserted = NULL;
    if (!t->broken && kind == INSERT) inserted = pv__stream_take(t, size);
    t->broken |= kind == INSERT && !inserted;
    if (t->broken) return;
    if (kind == COPY) memcpy(at, base, size);
    if (kind == INSERT) memcpy(at, inserted, size);
    if (kind == PATCH) apply_patch(t, at, base, (int)count);
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
