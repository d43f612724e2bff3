/* pv_lap.c - where the time of a step goes.
 *
 * Invariant: no world heeds it, but for the rounds of relaxing that a game buys with what is left of its frame.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

#include <time.h>

double pv__clock(void) {
    struct timespec t;
    return timespec_get(&t, TIME_UTC) ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

void pv__lap(pv_world *world, double *stage) {
    double now = pv__clock();
    *stage += now - world->lap;
    world->lap = now;
}
