/* sweep.h - the interface of sweep.c: operations on all batches of contacts, shared among workers.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_SWEEP_H
#define PV_SOLVER_SWEEP_H

#include "core/tasks.h"
#include "solver/contact_batch.h"

/// Returns a batch of the running operation.
static inline pv__batch *pv__sweep_batch(const pv_world *world, int i) {
    return &world->solver.batches[world->solver.listed[i]];
}

/// Runs an operation on all batches. One that reads and writes bodies needs an order: the result is
/// that of the batches one by one. Backward, it takes each range from its end. An operation that
/// writes only batches runs in any order.
void pv__sweep_run(pv_world *world, pv__order order, pv__stage_fn *run, void *stage);

#endif
