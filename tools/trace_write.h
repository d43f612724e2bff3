/* trace_write.h - the interface of trace.awk's code and the writer of the trace.
 *
 * Invariant: between trace_enter() and trace_leave() only one thread works, except during a
 * callback.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef TRACE_WRITE_H
#define TRACE_WRITE_H

#include "trace.h"

/// Greatest number of kinds of callbacks
enum { TRACE_CALLBACKS = 16 };

/// User data that the library gets in place of the program's. Boxes are never freed, and equal ones
/// are shared.
typedef struct trace_box {
    struct trace_box *next;
    /// User data of the program
    void *user_data;
    /// Callbacks of the program by kind
    void (*functions[TRACE_CALLBACKS])(void);
} trace_box;

/* Code from trace.awk */

extern const char *const function_names[];
extern const int function_count;
extern void (*const callback_traces[])(void);

/// Finds a function of the library in use; aborts if there is none.
void (*trace_find(const char *name))(void);
/// Finds a function of the library, and remembers it.
void (*trace_real(int function))(void);
/// World that is locked because this thread looks at it
typedef struct trace_look {
    const pv_world *world;
    const struct trace_look *outer;
} trace_look;
void trace_look_begin(trace_look *look, const pv_world *world);
void trace_look_end(const trace_look *look);
/// Tells whether this thread looks at a world, so that calls cannot change it.
bool trace_is_looking(const pv_world *world);
/// Begins a recorded call. Returns false if the call is the library's own, or if nothing is
/// recorded.
bool trace_enter(void);
void trace_leave(void);
/// Tells whether this thread is in a recorded call and not in a callback of it.
bool trace_is_inside(void);
/// Enters a callback of the program, and leaves it after all calls that began there.
int trace_outside(void);
void trace_inside(int depth);
void trace_record(int kind, int id, code_call_fn *code, void *args);
/// Tells whether the replay knows an object; null counts as known.
bool trace_knows(const void *object, int type);
/// Makes objects from the library count as unknown from now on.
void trace_forget(void);

#endif
