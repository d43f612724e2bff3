/* stage_timer.c - where the time of a step goes.
 *
 * Invariant: no world heeds it, but for the rounds of relaxing that a game buys with what is left
 * of its frame.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "core/stage_timer.h"

#include <time.h>

double pv__timer_now(void) {
    struct timespec t;
    return timespec_get(&t, TIME_UTC) ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

void pv__timer_lap(pv_world *world, double *stage) {
    double now = pv__timer_now();
    *stage += now - world->lap;
    world->lap = now;
}
