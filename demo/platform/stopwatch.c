/* stopwatch.c - the system's monotonic clock.
 *
 * Invariant: keeps no state.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "platform/stopwatch.h"

#include <time.h>

double stopwatch_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
