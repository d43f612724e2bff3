/* tasks.h - the interface of tasks.c: stages of a step in chunks, which several threads may run.
 *
 * Invariant: as in tasks.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_TASKS_H
#define PV_CORE_TASKS_H

#include "core/world.h"

/// Handles the items first ... end - 1 of a stage. Chunks of a stage write to different places.
typedef void pv__stage_fn(pv_world *world, void *stage, int first, int end);

/// Returns the size of chunks: a multiple of a least size, so that each worker has a few.
int pv__tasks_chunk_of(const pv_world *world, int count, int grain);

/// Runs a stage in chunks of a multiple of grain items, and returns when all are done.
void pv__tasks_run(pv_world *world, int count, int grain, pv__stage_fn *run, void *stage);

/// Runs a stage whose chunks have to wait for those of lower levels; back: for those of higher ones.
/// Returns false, with nothing done, without workers or memory.
bool pv__tasks_run_levels(pv_world *world, const pv__chunk *chunks, int count, bool back,
                          pv__stage_fn *run, void *stage);

/// Tells whether a world has several workers.
static inline bool pv__tasks_are_shared(const pv_world *world) {
    return world->def.worker_count > 1;
}

/// Returns the scratch memory of the running chunk, which no other chunk uses meanwhile.
pv__worker *pv__tasks_worker(const pv_world *world);

/// Allocates the scratch memory of that number of workers; false without memory.
bool pv__tasks_resize(pv_world *world, int worker_count);
void pv__tasks_free(pv_world *world);

#endif
