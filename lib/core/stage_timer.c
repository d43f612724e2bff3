/* stage_timer.c - times of the stages of a step.
 *
 * Invariant: no result of a step depends on the times. The only exception is solver rounds that a
 * game grants from the rest of its frame time.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/stage_timer.h"

#include <time.h>

double pv__timer_now(void) {
    struct timespec t;
#ifdef CLOCK_MONOTONIC
    bool known = clock_gettime(CLOCK_MONOTONIC, &t) == 0;
#else
    bool known = timespec_get(&t, TIME_UTC) != 0;
#endif
    return known ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

void pv__timer_lap(pv_world *world, double *stage) {
    double now = pv__timer_now();
    *stage += now - world->stage_begin;
    world->stage_begin = now;
}
