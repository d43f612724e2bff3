/* pixverlet/tasks.h - threads that share the work of steps, for programs without a job system.
 *
 * Invariant: the results of a step are the same with any number of threads.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_TASKS_H
#define PIXVERLET_TASKS_H

#include "pixverlet/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup tasks Tasks
 *  Threads that share the work of steps. A program with a job system passes its own functions in
 *  pv_world_def instead. pv_world_set_workers() changes the threads of a world. @{ */

/// Threads that wait for tasks. Worlds may share a pool, even while several threads step them.
typedef struct pv_task_pool pv_task_pool;

/// Creates a pool and starts its threads.
/// @param workers threads including the caller's, 0...PV_MAX_WORKERS; 0: one per processor
/// @param error null, or gets PV_OK, PV_ERROR_ARGUMENT or PV_ERROR_MEMORY, also if a thread cannot
/// be started
/// @return a pool for pv_task_pool_destroy(), or null with an error; a library built without
/// threads gives a pool of the caller's thread alone
PV_API pv_task_pool *pv_task_pool_create(int workers, pv_error *error);

/// Ends the threads of a pool and frees it; null is allowed. Destroy the worlds that use it first.
PV_API void pv_task_pool_destroy(pv_task_pool *pool);

/// Sets worker_count, enqueue_task, finish_task and task_user_data of a definition; a null pool
/// clears them. The pool must live until the world is destroyed.
/// @return PV_ERROR_ARGUMENT for a null definition
PV_API pv_status pv_task_pool_attach(pv_task_pool *pool, pv_world_def *def);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
