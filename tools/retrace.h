/* retrace.h - between what trace.awk makes, what reads a trace, and what does its calls again.
 *
 * Invariant: a reader never leaves its record; what does not fit in there ends the program with
 * status 2.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef RETRACE_H
#define RETRACE_H

#include "trace.h"

#include <stdio.h>

/// What is done with a value in the trace.
typedef enum way {
    /// It is taken
    WAY_READ,
    /// It is compared with what is there
    WAY_CHECK,
    /// It is taken and printed; objects are numbers only
    WAY_SHOW
} way;

struct coder {
    const unsigned char *at, *end;
    way way;
    /// Objects come out of the library: they are bound
    bool makes;
    /// Nothing was printed since a bracket opened
    bool first;
    /// Names of structs that it is in
    int open;
    const char *names[8];
};

/// A record in the file.
typedef struct trace_part {
    int kind, id;
    const unsigned char *body;
    /// Of the body after kind and id
    size_t size;
} trace_part;

/* Out of trace.awk. */

typedef struct retrace_function {
    const char *name;
    /// Of its args
    size_t size;
    code_call_fn *in, *out;
    void (*call)(void *args);
    /// Not called: what came out of it is in the trace
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
/// Ends the program with status 1 and one line, which says where: in the call that is being done.
_Noreturn void differs(const char *what, ...) __attribute__((format(printf, 1, 2)));
void retrace_callback(int id, void *args);

/* retrace_read.c */

coder reader(const trace_part *part, way chosen);
/// Refuses a record that goes on after its last value.
void reader_ends(const coder *c);
uint64_t read_number(coder *c, int size);
/// Memory that lives until the call is done; refuses what cannot be had.
void *scratch(size_t count, size_t size);
/// Frees all scratch that is newer.
void *scratch_mark(void);
void scratch_free(void *mark);
void read_mask(coder *c);
/// Takes the place of pv_frames_destroy(): in a replay frames are their masks alone.
void retrace_frames_free(pv_frames *frames);

#endif
