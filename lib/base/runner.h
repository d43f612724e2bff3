/* runner.h - work in parts that several threads may run, for layers that do not know the world.
 *
 * Invariant: parts write to different places, so it does not matter which thread runs which part.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_BASE_RUNNER_H
#define PV_BASE_RUNNER_H

#include <stddef.h>

/// Handles the items first ... end - 1 of some work.
typedef void pv__part_fn(void *work, int first, int end);

/// Runs count items of work, in parts of a multiple of grain items; returns when all are done.
typedef struct pv__runner {
    void (*run)(void *context, int count, int grain, pv__part_fn *part, void *work);
    void *context;
} pv__runner;

/// Runs work with a runner, or in this thread if runner is null.
static inline void pv__run_parts(const pv__runner *runner, int count, int grain, pv__part_fn *part,
                                 void *work) {
    if (runner)
        runner->run(runner->context, count, grain, part, work);
    else
        part(work, 0, count);
}

#endif
