/* fields.c - tables of fields as bytes, with their checks, and in hashes.
 *
 * Invariant: a table has the order of the bytes. The hash has an order of its own, so that a table
 * that is arranged anew gives the hashes that it gave before.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "snapshot/fields.h"

/* ---- bytes ---- */

void pv__fields_tape(pv__stream *t, const pv_world *world, void *row, const pv__field_row *fields,
                     int count) {
    pv__fields_tape_inline(t, world, row, fields, count);
}

/// Returns the bytes of a row, without its flags.
static size_t least_bytes(const pv__field_row *fields, int count) {
    static const unsigned char bytes[] = {8, 4, 4, 8, 0, 8, 8, 4, 4, 4, 4};
    size_t sum = 0;
    for (int i = 0; i < count; i++) sum += (size_t)fields[i].count * bytes[fields[i].type];
    return sum;
}

static bool tape_list(pv__stream *t, const pv_world *world, char *owner, const pv__field_list *l) {
    char *rows;
    int *count = (int *)(void *)(owner + l->count);
    if (!pv__stream_count(t, &world->def.allocator, owner + l->items,
                          (int *)(void *)(owner + l->capacity), count, l->size,
                          least_bytes(l->fields, l->field_count)))
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
