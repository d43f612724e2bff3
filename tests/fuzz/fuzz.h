/* fuzz.h - what the fuzz targets share: a check that stops, counted memory, bytes as numbers.
 *
 * Invariant: what a target does depends on its bytes alone. Past their end it reads zeros.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "pixverlet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Runs the target on bytes, which libFuzzer makes up or tests/fuzz/replay.c reads from a file.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Aborts the program if a condition is false, even where NDEBUG disables assert().
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);          \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* ---- memory ---- */

/// Allocator that counts its live bytes and can fail at one call
typedef struct fuzz_purse {
    /// Allocated bytes
    size_t live;
    long calls;
    /// Number of the call that fails, counted from 1; 0: none
    long fail_at;
} fuzz_purse;

static inline void *fuzz_alloc(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    fuzz_purse *p = user_data;
    CHECK(ptr ? old_size <= p->live : old_size == 0 || new_size == 0);
    if (new_size == 0) {
        p->live -= ptr ? old_size : 0;
        free(ptr);
        return NULL;
    }
    if (++p->calls == p->fail_at) return NULL;
    void *grown = realloc(ptr, new_size);
    if (grown) p->live += new_size - (ptr ? old_size : 0);
    return grown;
}

static inline pv_allocator fuzz_allocator(fuzz_purse *purse) {
    return (pv_allocator){fuzz_alloc, purse};
}

/* ---- bytes ---- */

typedef struct fuzz_input {
    const uint8_t *next;
    size_t left;
} fuzz_input;

static inline unsigned fuzz_byte(fuzz_input *in) {
    if (in->left == 0) return 0;
    in->left--;
    return *in->next++;
}

/// Returns a number in 0...n - 1 for n > 0, from one byte if that is enough.
static inline int fuzz_below(fuzz_input *in, int n) {
    unsigned value = fuzz_byte(in);
    if (n > 256) value = value << 8 | fuzz_byte(in);
    return (int)(value % (unsigned)n);
}

static inline int fuzz_between(fuzz_input *in, int low, int high) {
    return low + fuzz_below(in, high - low + 1);
}

/// Returns a number in [0, 1), in steps of 1/65536.
static inline double fuzz_unit(fuzz_input *in) {
    unsigned high = fuzz_byte(in);
    return (high << 8 | fuzz_byte(in)) / 65536.0;
}

#endif
