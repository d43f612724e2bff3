/* retrace.h - the interface of trace.awk's code, the reader of a trace, and the repetition of its
 * calls.
 *
 * Invariant: a reader never leaves its record. A value that does not fit there ends the program
 * with status 2.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef RETRACE_H
#define RETRACE_H

#include "trace.h"

#include <stdio.h>

/// Use of a value in the trace
typedef enum way {
    /// Takes the value
    WAY_READ,
    /// Compares the value with the current one
    WAY_CHECK,
    /// Takes the value and prints it; objects are numbers only
    WAY_SHOW
} way;

struct coder {
    const unsigned char *at, *end;
    way way;
    /// True if objects come out of the library, so they are bound
    bool makes;
    /// True if nothing was printed since a bracket opened
    bool first;
    /// Names of the structs around the value
    int open;
    const char *names[8];
};

/// Record in the file
typedef struct trace_part {
    int kind, id;
    const unsigned char *body;
    /// Size of the body after kind and id
    size_t size;
} trace_part;

/* Code from trace.awk */

typedef struct retrace_function {
    const char *name;
    /// Size of its args
    size_t size;
    code_call_fn *in, *out;
    void (*call)(void *args);
    /// True if its result comes from the trace instead of a call
    bool content;
} retrace_function;
typedef struct retrace_asked {
    const char *name;
    size_t size;
    code_call_fn *in, *out;
    void (*asks)(void);
} retrace_asked;
extern const retrace_function retrace_functions[];
extern const int retrace_function_count;
extern const retrace_asked retrace_callbacks[];
extern const int retrace_callback_count;

/* retrace.c */

/// Ends the program with status 2 and one line.
_Noreturn void refuse(const char *why, ...) __attribute__((format(printf, 1, 2)));
/// Ends the program with status 1 and one line, which names the current call.
_Noreturn void differs(const char *what, ...) __attribute__((format(printf, 1, 2)));
void retrace_callback(int id, void *args);
/// Notes that the current call uses an object.
void retrace_use(const void *object);
/// Tells whether a call around the current one uses an object.
bool retrace_is_in_use(const void *object);

/* retrace_read.c */

coder reader(const trace_part *part, way chosen);
/// Refuses a record that is longer than its values.
void reader_ends(const coder *c);
uint64_t read_number(coder *c, int size);
/// Allocates memory until the end of the call; refuses a size that is not available.
void *scratch(size_t count, size_t size);
/// Marks the scratch memory; scratch_free() frees all that is newer.
void *scratch_mark(void);
void scratch_free(void *mark);
void read_mask(coder *c);
/// Replaces pv_frames_destroy(): in a replay, frames consist only of their masks.
void retrace_frames_free(pv_frames *frames);

#endif
