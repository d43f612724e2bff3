/* trace_write.h - between what trace.awk makes and what writes the trace.
 *
 * Invariant: between trace_enter() and trace_leave() one thread alone is at work, but while it is
 * in a callback.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef TRACE_WRITE_H
#define TRACE_WRITE_H

#include "trace.h"

/// Kinds at most
enum { TRACE_CALLBACKS = 16 };

/// What the library is handed in place of the program's own pointer: never freed, and one for all
/// that are alike.
typedef struct trace_box {
    struct trace_box *next;
    /// The program's own
    void *user_data;
    /// The program's own, by kind
    void (*functions[TRACE_CALLBACKS])(void);
} trace_box;

/* Out of trace.awk. */

extern const char *const function_names[];
extern const int function_count;
extern void (*const callback_traces[])(void);

/// A function of the library that is in use; ends the program when there is none.
void (*trace_find(const char *name))(void);
/// The same, and kept for the next time.
void (*trace_real(int function))(void);
/// Begins a call that is to be recorded; false when it is not, for it is one of the library's own
/// or nothing is recorded.
bool trace_enter(void);
void trace_leave(void);
/// Tells whether this thread is in a call that is recorded and not in a callback of it.
bool trace_is_inside(void);
/// To the program's callback, and back, when what began there has ended.
int trace_outside(void);
void trace_inside(int depth);
void trace_record(int kind, int id, code_call_fn *code, void *args);
/// Tells whether the replay knows which object this is; null counts as known.
bool trace_knows(const void *object, int type);
/// From now on objects that the library hands out count as unknown.
void trace_forget(void);

#endif
