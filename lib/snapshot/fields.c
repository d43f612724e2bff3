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

bool pv__fields_tape_list(pv__stream *t, const pv_world *world, void *items, int *capacity,
                          int *count, size_t size, const pv__field_row *fields, int field_count) {
    char *rows;
    if (!pv__stream_count(t, &world->def.allocator, items, capacity, count, size,
                          least_bytes(fields, field_count)))
        return false;
    memcpy(&rows, items, sizeof rows);
    for (int i = 0; i < *count && !t->broken; i++)
        pv__fields_tape(t, world, rows + (size_t)i * size, fields, field_count);
    return !t->broken;
}

/* ---- hashes ---- */

pv__hash_order pv__fields_hash_order(const pv__field_row *fields, int count) {
    pv__hash_order order = {.count = 0};
    unsigned char ends[64] = {0};
    for (int i = 0; i < count; i++) ends[fields[i].hash >> 6]++;
    ends[0] = 0;
    for (int place = 1; place < 64; place++) ends[place] += ends[place - 1];
    order.count = ends[63];
    for (int i = count - 1; i >= 0; i--)
        if (fields[i].hash) order.fields[--ends[fields[i].hash >> 6]] = &fields[i];
    return order;
}

/// Returns the value of a field that is no double.
static uint64_t value_of(const void *at, const pv__field_row *f) {
    uint64_t word = 0;
    uint32_t halves[2] = {0};
    int number = 0;
    switch (f->type) {
    case PV__FIELD_FLAG: return *(const bool *)at;
    case PV__FIELD_WORD: memcpy(&word, at, sizeof word); return word;
    case PV__FIELD_ID:
        memcpy(halves, at, sizeof halves);
        return (uint64_t)halves[0] << 32 | halves[1];
    case PV__FIELD_INT: memcpy(&number, at, sizeof number); return (uint64_t)(int64_t)number;
    default: memcpy(halves, at, sizeof *halves); return halves[0];
    }
}

static void hash_numbers(uint64_t *h, const char *at, int count) {
    for (int i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, at + 8 * i, sizeof word);
        pv__hash_word(h, word);
    }
}

void pv__fields_hash(uint64_t *h, const void *row, const pv__hash_order *order) {
    uint64_t word = 0;
    for (int i = 0; i < order->count; i++) {
        const pv__field_row *f = order->fields[i];
        const char *at = (const char *)row + f->offset;
        if (f->type == PV__FIELD_DOUBLE || f->type == PV__FIELD_TURN) {
            hash_numbers(h, at, f->count);
            continue;
        }
        word |= value_of(at, f) << (f->hash & 63);
        if (i + 1 < order->count && order->fields[i + 1]->hash >> 6 == f->hash >> 6) continue;
        pv__hash_word(h, word);
        word = 0;
    }
}

void pv__fields_hash_list(uint64_t *h, const void *rows, int count, size_t size,
                          const pv__field_row *fields, int field_count) {
    pv__hash_order order = pv__fields_hash_order(fields, field_count);
    for (int i = 0; i < count; i++)
        pv__fields_hash(h, (const char *)rows + (size_t)i * size, &order);
}

void pv__fields_hash_def(uint64_t *h, const void *def, const pv__field_row *fields, int count) {
    for (int i = 0; i < count; i++) {
        pv__hash_order one = {.fields = {&fields[i]}, .count = 1};
        pv__fields_hash(h, def, &one);
    }
}
