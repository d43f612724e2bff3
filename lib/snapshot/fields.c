/* fields.c - tables of fields as bytes, with their checks, and in hashes.
 *
 * Invariant: a table has the order of the bytes. The hash has an order of its own, so that a table
 * that is arranged anew gives the hashes that it gave before.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "snapshot/fields.h"

/* ---- bytes ---- */

bool pv__stream_count(pv__stream *t, const pv_allocator *allocator, void *items, int *capacity,
                      int *count, size_t size, size_t bytes) {
    pv__stream_int(t, count, 0, PV__STREAM_MOST);
    if (!t->reads) return true;
    if (!pv__stream_holds(t, *count, bytes)) *count = 0;
    return !t->broken && pv__reserve(allocator, items, capacity, *count, size);
}

void pv__fields_tape(pv__stream *t, const pv_world *world, void *row, const pv__field_row *fields,
                     int count) {
    pv__fields_tape_inline(t, world, row, fields, count);
}

static bool tape_list(pv__stream *t, const pv_world *world, char *owner, const pv__field_list *l) {
    char *rows;
    int *count = (int *)(void *)(owner + l->count);
    if (!pv__stream_count(t, &world->def.allocator, owner + l->items,
                          (int *)(void *)(owner + l->capacity), count, l->size,
                          pv__fields_bytes(l->fields, l->field_count)))
        return false;
    memcpy(&rows, owner + l->items, sizeof rows);
    for (int i = 0; i < *count && !t->broken; i++)
        pv__fields_tape(t, world, rows + (size_t)i * l->size, l->fields, l->field_count);
    return !t->broken;
}

bool pv__fields_tape_lists(pv__stream *t, const pv_world *world, void *owner,
                           const pv__field_list *lists, int count) {
    bool good = true;
    for (int i = 0; good && i < count; i++) good = tape_list(t, world, owner, &lists[i]);
    return good;
}

/* ---- pools ---- */

static pv__pool *pool_of(const pv_world *world, const pv__field_pool *k) {
    return (pv__pool *)(void *)((char *)(uintptr_t)world + k->pool);
}

/// Returns the rows of a pool, null while there were none.
static char *rows_of(const pv_world *world, const pv__field_pool *k) {
    char *rows;
    memcpy(&rows, (const char *)world + k->items, sizeof rows);
    return rows;
}

static pv__slot *slot_of(const pv_world *world, const pv__field_pool *k, int i) {
    return pv__pool_slot(rows_of(world, k), i, k->size);
}

/// Transfers the size of a pool, with empty slots when reading.
static bool tape_size(pv__stream *t, pv_world *world, const pv__field_pool *k) {
    pv__pool *pool = pool_of(world, k);
    int count = pool->count;
    if (!pv__stream_count(t, &world->def.allocator, (char *)world + k->items, &pool->capacity,
                          &count, k->size, 8))
        return false;
    if (t->reads && count > 0) memset(slot_of(world, k, 0), 0, (size_t)count * k->size);
    pool->count = count;
    pv__stream_int(t, &pool->free, -1, count - 1);
    return true;
}

bool pv__fields_tape_pool(pv__stream *t, pv_world *world, const pv__field_pool *k) {
    pv__pool *pool = pool_of(world, k);
    if (!tape_size(t, world, k)) return false;
    for (int i = 0; i < pool->count && !t->broken; i++) {
        pv__slot *row = slot_of(world, k, i);
        pv__stream_u32(t, &row->generation);
        pv__stream_int(t, &row->next_free, -1, pool->count - 1);
        if (!pv__slot_lives(row)) continue;
        pool->living += t->reads;
        if (!k->tape(t, world, row)) return false;
    }
    return !t->broken;
}

bool pv__fields_are_pool(const pv_world *world, const pv__field_pool *k) {
    const pv__pool *pool = pool_of(world, k);
    bool good = pv__pool_is_good(pool, rows_of(world, k), k->size);
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
        if (pv__slot_lives(row)) k->hash(h, world, row);
    }
}

/* ---- hashes ---- */

void pv__fields_hash(uint64_t *h, const void *row, const pv__field_row *fields, int count) {
    pv__fields_hash_inline(h, row, fields, count);
}

void pv__fields_hash_lists(uint64_t *h, const void *owner, const pv__field_list *lists, int count) {
    for (int i = 0; i < count; i++) {
        const char *rows;
        int row_count;
        memcpy(&rows, (const char *)owner + lists[i].items, sizeof rows);
        memcpy(&row_count, (const char *)owner + lists[i].count, sizeof row_count);
        for (int k = 0; k < row_count; k++)
            pv__fields_hash(h, rows + (size_t)k * lists[i].size, lists[i].fields,
                            lists[i].field_count);
    }
}

void pv__fields_hash_def(uint64_t *h, const void *def, const pv__field_row *fields, int count) {
    for (int i = 0; i < count; i++) {
        const char *at = (const char *)def + fields[i].offset;
        if (fields[i].type == PV__FIELD_DOUBLE)
            pv__fields_hash_numbers(h, at, fields[i].count);
        else
            pv__hash_word(h, pv__fields_value_of(at, &fields[i]));
    }
}
