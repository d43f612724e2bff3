/* crafted.c - plays changed copies of a trace: no bytes, order or objects make the player leave its
 * memory.
 *
 * Invariant: each copy depends on the seed alone. If the player dies of one, its number is printed.
 *
 * Usage: crafted TRACE COUNT SEED PLAYER
 *
 * SPDX-License-Identifier: Zlib
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 12, RECORD_HEAD = 8, BODY_HEAD = 3, CALL = 1, RETURN = 2, MOST_OBJECTS = 64 };

/// Part of the trace: a call with its return and all records in between, or another single record
typedef struct unit {
    size_t at, size;
} unit;

static unsigned char *trace, *copy;
static size_t trace_size, copy_size;
static unit *units;
static size_t unit_count;
static uint32_t state;

static uint32_t draw(size_t below) {
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

static _Noreturn void fail(const char *why) {
    fprintf(stderr, "crafted: %s\n", why);
    exit(2);
}

static void load(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) fail("no trace");
    trace_size = (size_t)ftell(file);
    rewind(file);
    trace = malloc(trace_size);
    copy = malloc(trace_size * 4);
    units = malloc(trace_size / RECORD_HEAD * sizeof *units);
    if (!trace || !copy || !units || fread(trace, 1, trace_size, file) != trace_size)
        fail("the trace cannot be read");
    fclose(file);
}

static size_t record_size(const unsigned char *r) {
    return RECORD_HEAD + (r[0] | (size_t)r[1] << 8 | (size_t)r[2] << 16 | (size_t)r[3] << 24);
}

static void list_units(void) {
    int depth = 0;
    for (size_t at = HEAD; at < trace_size; at += record_size(trace + at)) {
        int kind = trace[at + RECORD_HEAD];
        if (depth == 0) units[unit_count++] = (unit){at, 0};
        units[unit_count - 1].size += record_size(trace + at);
        depth += (kind == CALL) - (kind == RETURN);
    }
}

static void append(const unit *u) {
    memcpy(copy + copy_size, trace + u->at, u->size);
    copy_size += u->size;
}

/// Copies the trace, but leaves out, doubles or replaces some of its units.
static void reorder(int changes) {
    size_t changed[4];
    for (int i = 0; i < changes; i++) changed[i] = 1 + draw(unit_count - 1);
    memcpy(copy, trace, HEAD);
    copy_size = HEAD;
    for (size_t i = 0; i < unit_count; i++) {
        bool is = false;
        for (int k = 0; k < changes; k++) is |= changed[k] == i;
        uint32_t how = is ? 1 + draw(3) : 0;
        if (how == 1) continue;
        append(how == 2 ? &units[1 + draw(unit_count - 1)] : &units[i]);
        if (how == 3) append(&units[i]);
        if (copy_size > trace_size * 2) break; /* Two more units still fit. */
    }
}

/// Changes a value of some record to the number of an object, an extreme, or a random number.
static void change_value(void) {
    size_t at = HEAD, most = copy_size;
    for (uint32_t skip = draw(unit_count); skip > 0 && at + record_size(copy + at) < most; skip--)
        at += record_size(copy + at);
    size_t body = record_size(copy + at) - RECORD_HEAD;
    if (body <= BODY_HEAD) return;
    unsigned char *value = copy + at + RECORD_HEAD + BODY_HEAD + draw(body - BODY_HEAD);
    size_t room = (size_t)(copy + at + RECORD_HEAD + body - value);
    uint32_t number[] = {1 + draw(MOST_OBJECTS), 0xffffffffu, 0x7fffffffu, draw(1 << 20)};
    uint32_t chosen = number[draw(4)];
    if (room < 4 || draw(4) == 0)
        *value = (unsigned char)draw(256);
    else
        for (int i = 0; i < 4; i++) value[i] = (unsigned char)(chosen >> 8 * i);
}

static void save(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(copy, 1, copy_size, file) != copy_size || fclose(file) != 0)
        fail("the copy cannot be written");
}

int main(int count, char **words) {
    char command[4096];
    int bad = 0, ends[3] = {0};
    if (count != 5) fail("use: crafted TRACE COUNT SEED PLAYER");
    load(words[1]);
    list_units();
    if (unit_count < 3) fail("a trace without calls");
    for (int i = 0; i < atoi(words[2]); i++) {
        state = (uint32_t)(atoi(words[3]) * 1000003 + i) * 2654435761u;
        reorder((int)draw(4));
        for (uint32_t k = draw(3); k > 0; k--) change_value();
        save("crafted.trace");
        snprintf(command, sizeof command,
                 "timeout 60 %s crafted.trace --ignore-digests >crafted.out 2>&1", words[4]);
        int status = system(command), code = status % 256 == 0 ? status / 256 : 255;
        if (code <= 2) ends[code]++;
        if (code <= 2) continue;
        printf("copy %d of seed %s ends with status %d\n", i, words[3], code);
        bad = 1;
        break;
    }
    printf("%d play the same, %d differ, %d are refused\n", ends[0], ends[1], ends[2]);
    return bad;
}
