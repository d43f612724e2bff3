/* speed_measure.c - the clock, and medians of rounds taken in turns.
 *
 * Invariant: a round has the number of calls that took a millisecond in a trial. The clock's own
 * cost is negligible.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed.h"

#include <pixverlet.h>
#include <stdlib.h>
#include <time.h>

static const double ROUND = 1e-3;

volatile int64_t sink;

double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_of(const subject *s, long calls) {
    if (s->kernel) pv_kernel_select(s->kernel);
    /* Warms up after the others' turn. */
    s->run(s->state, calls / 8 + 1);
    double start = now();
    s->run(s->state, calls);
    return now() - start;
}

static long calls_per_round(const subject *s) {
    long calls = 1;
    for (double time = time_of(s, 1); time < ROUND; time = time_of(s, calls))
        calls = time > ROUND / 100 ? (long)((double)calls * ROUND * 1.1 / time) + 1 : calls * 8;
    return calls;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(double *values, int count, double part) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return values[(int)(part * count)];
}

double median(double *values, int count) { return quantile(values, count, 0.5); }

void measure(const subject *subjects, int count, double nanoseconds[]) {
    double times[MOST_SUBJECTS][REPEATS];
    long calls[MOST_SUBJECTS];
    for (int i = 0; i < count; i++) calls[i] = calls_per_round(&subjects[i]);
    for (int k = 0; k < REPEATS; k++)
        for (int i = 0; i < count; i++)
            times[i][k] = time_of(&subjects[i], calls[i]) / (double)calls[i];
    for (int i = 0; i < count; i++) nanoseconds[i] = 1e9 * median(times[i], REPEATS);
    pv_kernel_select(chosen_kernel);
}
