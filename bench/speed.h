/* speed.h - how the benchmarks measure and what a row of their table is.
 *
 * Invariant: figures that are compared come from one run, taken in turns, each the median of REPEATS.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SPEED_H
#define SPEED_H

#include <stdbool.h>
#include <stdint.h>

enum { REPEATS = 31, MOST_SUBJECTS = 8 };

/// One figure. What is 0 or null is absent.
typedef struct row {
    const char *name, *unit;
    double value;
    double goal;
    double peer; ///< the same of somebody else's library, in the same unit
    const char *peer_name;
} row;

/// Prints a row as a line of the table or as an object of JSON.
void report(const row *r);

/// Calls what is measured repeats times.
typedef void (*run_fn)(void *state, long repeats);

/// What is measured: prepare, when not null, is called before each round, untimed.
typedef struct subject {
    run_fn run;
    void *state;
    const char *kernel; ///< forced for its rounds; null: any
} subject;

/// Nanoseconds per call of each subject: medians of rounds taken in turns, each of about a millisecond.
void measure(const subject *subjects, int count, double nanoseconds[]);

/// Seconds on a clock that never goes back.
double now(void);

/// The kernel that was in use at the start.
extern const char *chosen_kernel;

/// Whatever results have to be used is added here.
extern volatile int64_t sink;

/* One section each. */
void speed_masks(void);

/// The part of the masks' section that is about run lengths.
void speed_runs(void);

/* Peers: nanoseconds, or 0 where they are not there. */

/// SDL2_gfx turns a picture of size x size by 30 degrees.
double gfx_rotate(int size);

/// What pygame's masks take for an operation of the table.
double pygame_time(const char *operation, int size);

#endif
