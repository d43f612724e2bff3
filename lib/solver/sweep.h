/* sweep.h - the interface of sweep.c: operations on all blocks of contacts, shared among workers.
 *
 * Invariant: as in sweep.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_SWEEP_H
#define PV_SOLVER_SWEEP_H

#include "core/tasks.h"
#include "solver/contact_batch.h"

/// Returns a block of the running operation.
static inline pv__batch *pv__sweep_block(const pv_world *world, int i) {
    return &world->solver.batches[world->solver.blocks[i]];
}

/// Runs an operation whose blocks read and write their bodies. The result is the one of all blocks
/// in order; back: in reverse order, so that the operation takes each range from its end.
void pv__sweep_in_order(pv_world *world, bool back, pv__stage_fn *run, void *stage);
/// Runs an operation that writes the blocks alone.
void pv__sweep_each(pv_world *world, pv__stage_fn *run, void *stage);

#endif
