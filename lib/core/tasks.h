/* tasks.h - the interface of tasks.c: stages of a step in chunks, which several threads may run.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_TASKS_H
#define PV_CORE_TASKS_H

#include "base/runner.h"
#include "base/thread.h"
#include "core/world.h"

/// Handles the items first ... end - 1 of a stage. Chunks of a stage write to different places.
typedef void pv__stage_fn(pv_world *world, void *stage, int first, int end);

/// Begins and ends a step, in which helpers stay for later stages.
void pv__tasks_begin(pv_world *world);
void pv__tasks_end(pv_world *world);

/// Numbers of items in a chunk: of items that take some nanoseconds each, of ones that take tens of
/// nanoseconds, such as bodies, and of ones that take microseconds, such as sweeps and pixel tests
enum { PV__CHUNK_LIGHT = 256, PV__CHUNK_BODIES = 64, PV__CHUNK_HEAVY = 8 };

/// Runs a stage in chunks of a multiple of grain items, and returns when all are done.
void pv__tasks_run(pv_world *world, int count, int grain, pv__stage_fn *run, void *stage);

/// Returns a runner that uses the workers of a world between its steps.
pv__runner pv__tasks_runner(pv_world *world);

/// Order of levels: each waits for the one before it, or after it, or none waits
typedef enum pv__order { PV__FORWARD, PV__BACKWARD, PV__ANY_ORDER } pv__order;

/// Runs a stage in chunks by level; each worker gets the same chunks in all orders. Levels have at
/// most 255 chunks per worker. Without several workers it does nothing and returns false.
bool pv__tasks_run_levels(pv_world *world, const pv__chunk *chunks, int count, pv__order order,
                          pv__stage_fn *run, void *stage);

/// Tells whether a world has several workers.
static inline bool pv__tasks_are_shared(const pv_world *world) {
    return PV__HAS_THREADS && world->def.worker_count > 1;
}

/// Returns the scratch memory of the running chunk, which no other chunk uses meanwhile.
pv__worker *pv__tasks_worker(const pv_world *world);

/// Allocates the scratch memory of that number of workers; returns false without memory.
bool pv__tasks_resize(pv_world *world, int worker_count);
void pv__tasks_free(pv_world *world);

#endif
