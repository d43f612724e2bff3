/* fields.h - the interface of fields.c: transfers, checks and hashes fields as tables list them.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SNAPSHOT_FIELDS_H
#define PV_SNAPSHOT_FIELDS_H

#include "base/error.h"
#include "core/filter.h"
#include "pixel/kernel.h"
#include "snapshot/stream.h"

/// Mark of a field that is in the hash, and mark of a field that is part of a hash word at a shift.
/// The word ends with the next field that is not a part, at shift 0
enum { PV__HASH = 64 };
#define PV__PART(shift) (PV__HASH | (shift))

/// Entries of a table, with or without a range. A member may be an array, unless it is a flag. Its
/// units are doubles or words of eight bytes, numbers of four bytes, or bytes
#define PV__ROW(type, unit, row, member, hash, ...)                                                \
    { offsetof(row, member), hash, type, sizeof(((row *)0)->member) / (unit), {NULL}, __VA_ARGS__ }
#define PV__DOUBLES(row, member, hash, ...)                                                        \
    PV__ROW(PV__FIELD_DOUBLE, 8, row, member, hash, __VA_ARGS__)
#define PV__INTS(row, member, hash, ...) PV__ROW(PV__FIELD_INT, 4, row, member, hash, __VA_ARGS__)
#define PV__INDEX(of, row, member, hash, least)                                                    \
    PV__ROW(PV__FIELD_##of, 4, row, member, hash, least, 0)
#define PV__FOURS(row, member, hash) PV__ROW(PV__FIELD_UNSIGNED, 4, row, member, hash, 0, 0)
#define PV__WORD(row, member, hash, most) PV__ROW(PV__FIELD_WORD, 8, row, member, hash, 0, most)
#define PV__FLAG(row, member, hash) PV__ROW(PV__FIELD_FLAG, 1, row, member, hash, 0, 1)
#define PV__TURN(row, member, hash) PV__ROW(PV__FIELD_TURN, 8, row, member, hash, 0, 0)
#define PV__POINTER(row, member) PV__ROW(PV__FIELD_POINTER, sizeof(void *), row, member, 0, 0, 0)
#define PV__ID(row, member, hash)                                                                  \
    PV__FOURS(row, member.index, (hash) ? PV__PART(32) : 0), PV__FOURS(row, member.generation, hash)
#define PV__WHEN(row, member, least) PV__ROW(PV__FIELD_WHEN, 4, row, member, 0, least, 0)
/// Entry of a field that is only hashed, because it is transferred elsewhere
#define PV__HASHED(row, member, type, hash)                                                        \
    { offsetof(row, member), hash, PV__FIELD_##type, 0, {NULL}, 0, 0 }

/// Fields of the rows of a growing array, whose capacity and count are members of its owner; or
/// fields of a definition, with its cookie
typedef struct pv__field_list {
    const pv__field_row *fields;
    int field_count;
    uint16_t size, count, capacity, cookie;
} pv__field_list;

#define PV__LIST_ROW(owner, member, type, hash, ...)                                               \
    { offsetof(owner, member), hash, type, 0, {.list = &(const pv__field_list){__VA_ARGS__}}, 0, 0 }
#define PV__LIST(owner, items, capacity, count, row, fields, hash)                                 \
    PV__LIST_ROW(owner, items, PV__FIELD_LIST, hash, PV__TABLE(fields), sizeof(row),               \
                 offsetof(owner, count), offsetof(owner, capacity), 0)
/// Entry of a definition with all or some of the fields that its maker checks
#define PV__DEF(owner, def, ...)                                                                   \
    PV__LIST_ROW(owner, def, PV__FIELD_DEF, PV__HASH, __VA_ARGS__,                                 \
                 .cookie = offsetof(owner, def.cookie))

/// Kind of objects in slots: its pool and items among a world's members, and fields of living rows.
/// Functions are null if the fields are enough
typedef struct pv__field_pool {
    size_t pool, items, size;
    const pv__field_row *fields;
    int field_count;
    /// Transfers what a row has after its fields
    void (*tape)(pv__stream *t, pv_world *world, void *row);
    bool (*is_good)(const pv_world *world, const void *row);
    void (*hash)(uint64_t *h, const pv_world *world, const void *row);
} pv__field_pool;

#define PV__POOL(pool, items, row, ...)                                                            \
    { offsetof(pv_world, pool), offsetof(pv_world, items), sizeof(row), __VA_ARGS__ }

#define PV__COUNT_OF(table) ((int)(sizeof(table) / sizeof *(table)))
/// Calls a function with a table and its length.
#define PV__TABLE(table) table, PV__COUNT_OF(table)

/// Unrolls the loop over a table that is transferred often, so that the table gets its own code.
/// Does nothing in a build for size.
#ifdef __OPTIMIZE_SIZE__
#define PV__UNROLL
#else
#define PV__UNROLL _Pragma("GCC unroll 64")
#endif

/// Returns the greatest index of a body, particle or polygon.
PV__INLINE int pv__fields_most(const pv_world *world, const pv__field_row *f) {
    int particles = world->matter.particles.count;
    switch (f->type) {
    case PV__FIELD_BODY: return world->bodies.count - 1;
    case PV__FIELD_PARTICLE: return particles - (particles > 0);
    default: return world->matter.polygon_pool.count - 1;
    }
}

PV__INLINE void pv__fields_tape_doubles(pv__stream *t, double *numbers, const pv__field_row *f) {
    for (int i = 0; i < f->count; i++) {
        pv__stream_words(t, &numbers[i], 1);
        t->broken |= t->reads && !pv__within(numbers[i], f->min, f->max);
    }
}

PV__INLINE void pv__fields_tape_ints(pv__stream *t, const pv_world *world, int *numbers,
                                     const pv__field_row *f) {
    int most = f->type < PV__FIELD_BODY ? (int)f->max : pv__fields_most(world, f);
    for (int i = 0; i < f->count; i++) pv__stream_int(t, &numbers[i], (int)f->min, most);
}

PV__INLINE void pv__fields_tape_word(pv__stream *t, uint64_t *word, double most) {
    pv__stream_u64(t, word);
    t->broken |= t->reads && (double)*word > most;
}

/// Transfers a list, or a definition.
void pv__fields_tape_list(pv__stream *t, const pv_world *world, void *owner,
                          const pv__field_row *f);

/// Returns flags as the lowest bits of a word.
PV__INLINE uint64_t pv__fields_flags_of(const void *row, const pv__field_row *flags, int count) {
    uint64_t word = 0;
    PV__UNROLL
    for (int i = 0; i < count; i++) word |= (uint64_t) * ((const bool *)row + flags[i].offset) << i;
    return word;
}

PV__INLINE void pv__fields_set_flags(void *row, const pv__field_row *flags, int count,
                                     uint64_t word) {
    PV__UNROLL
    for (int i = 0; i < count; i++) *((bool *)row + flags[i].offset) = word >> i & 1;
}

/// Tells whether the fields after a condition are present.
PV__INLINE bool pv__fields_are_there(const void *at, const pv__field_row *condition) {
    int number;
    memcpy(&number, at, sizeof number);
    return number >= (int)condition->min;
}

/// Transfers a field. For a condition, sets *there to whether the fields after it are present.
PV__INLINE void pv__fields_tape_one(pv__stream *t, const pv_world *world, void *row,
                                    const pv__field_row *f, bool *there) {
    void *at = (char *)row + f->offset;
    if (f->type == PV__FIELD_WHEN) *there = pv__fields_are_there(at, f);
    if (f->type == PV__FIELD_WHEN || !*there) return;
    switch (f->type) {
    case PV__FIELD_DOUBLE: pv__fields_tape_doubles(t, at, f); break;
    case PV__FIELD_TURN: pv__stream_turn(t, at); break;
    case PV__FIELD_WORD: pv__fields_tape_word(t, at, f->max); break;
    case PV__FIELD_POINTER: pv__stream_pointer(t, at); break;
    case PV__FIELD_FLAG: pv__stream_flag(t, at); break;
    case PV__FIELD_UNSIGNED: pv__stream_halves(t, at, f->count); break;
    case PV__FIELD_LIST:
    case PV__FIELD_DEF: pv__fields_tape_list(t, world, row, f); break;
    default: pv__fields_tape_ints(t, world, at, f);
    }
}

/// Transfers fields, see pv__fields_tape().
PV__INLINE void pv__fields_tape_often(pv__stream *t, const pv_world *world, void *row,
                                      const pv__field_row *fields, int count) {
    /* A local copy lets the compiler keep the stream in registers. */
    pv__stream own = *t;
    bool there = true;
    PV__UNROLL
    for (int i = 0; i < count; i++) pv__fields_tape_one(&own, world, row, &fields[i], &there);
    *t = own;
}

/// Transfers fields in the order of their table. When reading, a number outside its range breaks
/// the stream.
void pv__fields_tape(pv__stream *t, const pv_world *world, void *row, const pv__field_row *fields,
                     int count);

/// Returns the number of bytes of fields up to a condition.
PV__INLINE size_t pv__fields_bytes(const pv__field_row *fields, int count) {
    static const unsigned char bytes[] = {8, 4, 4, 8, 1, 8, 8, 4, 4, 4, 0, 0};
    size_t sum = 0;
    for (int i = 0; i < count && fields[i].type != PV__FIELD_WHEN; i++)
        sum += (size_t)fields[i].count * bytes[fields[i].type];
    return sum;
}

/// Transfers the slots of a pool, and its living rows.
void pv__fields_tape_pool(pv__stream *t, pv_world *world, const pv__field_pool *k);
/// Tells whether a pool and all of its living rows are good.
bool pv__fields_are_pool(const pv_world *world, const pv__field_pool *k);

/// Tells whether a rotation has length 1. Products of rotations are not normalized again.
PV__INLINE bool pv__fields_are_turn(const double *turn) {
    return pv__within(turn[0] * turn[0] + turn[1] * turn[1], 1 - 1e-6, 1 + 1e-6);
}

/// Tells whether the fields of a table of doubles and rotations are in range.
PV__INLINE bool pv__fields_in_range(const void *row, const pv__field_row *fields, int count) {
    bool good = true;
    PV__UNROLL
    for (int k = 0; k < count; k++) {
        const pv__field_row *f = &fields[k];
        const double *at = (const double *)(const void *)((const char *)row + f->offset);
        if (f->type == PV__FIELD_TURN) good &= pv__fields_are_turn(at);
        for (int i = 0; f->type == PV__FIELD_DOUBLE && i < f->count; i++)
            good &= pv__within(at[i], f->min, f->max);
    }
    return good;
}

/* ---- hashes ---- */

static inline void pv__hash_double(uint64_t *h, double value) {
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    pv__hash_word(h, word);
}

static inline void pv__hash_vec(uint64_t *h, pv_vec2 v) {
    pv__hash_double(h, v.x);
    pv__hash_double(h, v.y);
}

/// Hashes a filter, unless it is the default.
static inline void pv__hash_filter(uint64_t *h, pv_filter f) {
    if (!pv__filter_is_set(f)) return;
    pv__hash_word(h, (uint64_t)f.category_bits << 32 | f.mask_bits);
    pv__hash_word(h, (uint64_t)(int64_t)f.group_index);
}

/// Returns the value of a field that is not a double.
PV__INLINE uint64_t pv__fields_value_of(const void *at, const pv__field_row *f) {
    uint64_t word = 0;
    uint32_t half = 0;
    int number = 0;
    switch (f->type) {
    case PV__FIELD_FLAG: return *(const bool *)at;
    case PV__FIELD_WORD: memcpy(&word, at, sizeof word); return word;
    case PV__FIELD_INT: memcpy(&number, at, sizeof number); return (uint64_t)(int64_t)number;
    default: memcpy(&half, at, sizeof half); return half;
    }
}

PV__INLINE void pv__fields_hash_numbers(uint64_t *h, const char *at, int count) {
    for (int i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, at + 8 * i, sizeof word);
        pv__hash_word(h, word);
    }
}

/// Hashes the rows of a list, or a definition.
void pv__fields_hash_list(uint64_t *h, const void *owner, const pv__field_row *f);

/// Hashes fields, see pv__fields_hash(). Those with names, of a definition, are all in the hash.
PV__INLINE void pv__fields_hash_often(uint64_t *h, const void *row, const pv__field_row *fields,
                                      int count) {
    uint64_t word = 0;
    bool there = true;
    PV__UNROLL
    for (int i = 0; i < count; i++) {
        const pv__field_row *f = &fields[i];
        const char *at = (const char *)row + f->offset;
        if (f->type == PV__FIELD_WHEN) there = pv__fields_are_there(at, f);
        if (!there || !(f->hash || (f->type != PV__FIELD_LIST && f->name))) continue;
        switch (f->type) {
        case PV__FIELD_LIST:
        case PV__FIELD_DEF: pv__fields_hash_list(h, row, f); break;
        case PV__FIELD_DOUBLE:
        case PV__FIELD_TURN: pv__fields_hash_numbers(h, at, f->count); break;
        default:
            word |= pv__fields_value_of(at, f) << (f->hash & 63);
            if (f->hash > PV__HASH) break;
            pv__hash_word(h, word);
            word = 0;
        }
    }
}

/// Hashes the fields of a table in its order.
void pv__fields_hash(uint64_t *h, const void *row, const pv__field_row *fields, int count);
/// Hashes the generations of a pool's slots, and its living rows.
void pv__fields_hash_pool(uint64_t *h, const pv_world *world, const pv__field_pool *k);

#endif
