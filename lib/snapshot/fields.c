/* fields.c - transfers, checks and hashes fields as tables list them.
 *
 * Invariant: a table lists fields in the order of their bytes, and of their words in the hash.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "snapshot/fields.h"

/// Returns the rows of an array, or null if it never had any.
static char *rows_at(const void *items) {
    char *rows;
    memcpy(&rows, items, sizeof rows);
    return rows;
}

/// Returns a count, a capacity or a cookie.
static int *member_of(const void *owner, size_t offset) {
    return (int *)(void *)((char *)(uintptr_t)owner + offset);
}

/* ---- bytes ---- */

/// Transfers the number of items of an array, and when reading reserves zeroed memory for them.
/// Each item takes at least bytes in the stream, so a wrong count cannot reserve too much.
static void tape_count(pv__stream *t, const pv_allocator *allocator, void *items, int *capacity,
                       int *count, size_t size, size_t bytes) {
    pv__stream_int(t, count, 0, PV__STREAM_MOST);
    if (!t->reads) return;
    if (!pv__stream_holds(t, *count, bytes) ||
        !pv__stream_got(t, pv__reserve(allocator, items, capacity, *count, size)))
        *count = 0;
    if (*count > 0) memset(rows_at(items), 0, (size_t)*count * size);
}

void pv__fields_tape_list(pv__stream *t, const pv_world *world, void *owner,
                          const pv__field_row *f) {
    const pv__field_list *l = f->list;
    char *at = (char *)owner + f->offset;
    if (f->type == PV__FIELD_DEF) {
        if (t->reads) *member_of(owner, l->cookie) = PV__COOKIE;
        pv__fields_tape(t, world, at, l->fields, l->field_count);
        return;
    }
    int *count = member_of(owner, l->count);
    tape_count(t, &world->def.allocator, at, member_of(owner, l->capacity), count, l->size,
               pv__fields_bytes(l->fields, l->field_count));
    char *rows = rows_at(at);
    for (int i = 0; i < *count && !t->broken; i++)
        pv__fields_tape(t, world, rows + (size_t)i * l->size, l->fields, l->field_count);
}

void pv__fields_tape(pv__stream *t, const pv_world *world, void *row, const pv__field_row *fields,
                     int count) {
    bool there = true;
    for (int i = 0; i < count; i++) pv__fields_tape_one(t, world, row, &fields[i], &there);
}

/* ---- pools ---- */

static pv__pool *pool_of(const pv_world *world, const pv__field_pool *k) {
    return (pv__pool *)(void *)((char *)(uintptr_t)world + k->pool);
}

static pv__slot *slot_of(const pv_world *world, const pv__field_pool *k, int i) {
    return pv__pool_slot(rows_at((const char *)world + k->items), i, k->size);
}

void pv__fields_tape_pool(pv__stream *t, pv_world *world, const pv__field_pool *k) {
    pv__pool *pool = pool_of(world, k);
    tape_count(t, &world->def.allocator, (char *)world + k->items, &pool->capacity, &pool->count,
               k->size, 8);
    pv__stream_int(t, &pool->free, -1, pool->count - 1);
    for (int i = 0; i < pool->count && !t->broken; i++) {
        pv__slot *row = slot_of(world, k, i);
        pv__stream_u32(t, &row->generation);
        pv__stream_int(t, &row->next_free, -1, pool->count - 1);
        if (!pv__slot_lives(row)) continue;
        pool->living += t->reads;
        pv__fields_tape(t, world, row, k->fields, k->field_count);
        if (k->tape) k->tape(t, world, row);
    }
}

bool pv__fields_are_pool(const pv_world *world, const pv__field_pool *k) {
    const pv__pool *pool = pool_of(world, k);
    bool good = pv__pool_is_good(pool, rows_at((const char *)world + k->items), k->size);
    for (int i = 0; good && k->is_good && i < pool->count; i++) {
        const pv__slot *row = slot_of(world, k, i);
        good = !pv__slot_lives(row) || k->is_good(world, row);
    }
    return good;
}

void pv__fields_hash_pool(uint64_t *h, const pv_world *world, const pv__field_pool *k) {
    for (int i = 0; i < pool_of(world, k)->count; i++) {
        const pv__slot *row = slot_of(world, k, i);
        pv__hash_word(h, row->generation);
        if (!pv__slot_lives(row)) continue;
        if (k->hash)
            k->hash(h, world, row);
        else
            pv__fields_hash(h, row, k->fields, k->field_count);
    }
}

/* ---- hashes ---- */

void pv__fields_hash(uint64_t *h, const void *row, const pv__field_row *fields, int count) {
    pv__fields_hash_often(h, row, fields, count);
}

void pv__fields_hash_list(uint64_t *h, const void *owner, const pv__field_row *f) {
    const pv__field_list *l = f->list;
    const char *at = (const char *)owner + f->offset;
    const char *rows = f->type == PV__FIELD_LIST ? rows_at(at) : at;
    int count = f->type == PV__FIELD_LIST ? *member_of(owner, l->count) : 1;
    for (int i = 0; i < count; i++)
        pv__fields_hash(h, rows + (size_t)i * l->size, l->fields, l->field_count);
}
