/* world_lock.h - the interface of world_lock.c: lock of worlds during callbacks.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_WORLD_LOCK_H
#define PV_CORE_WORLD_LOCK_H

#include "base/base.h"

/// Lock of a world that this thread is stepping, querying or reporting about; it is on the stack of
/// the locking function
typedef struct pv__world_lock {
    const pv_world *world;
    /// True for the lock of the report hook
    bool reports;
    const struct pv__world_lock *outer;
} pv__world_lock;
/// Locks a world against changes from this thread, until pv__world_lock_end().
void pv__world_lock_begin(pv__world_lock *frame, const pv_world *world);
/// Locks a world against changes by its report hook. Returns false without a lock if the hook is
/// already running in this thread.
bool pv__world_lock_begin_report(pv__world_lock *frame, const pv_world *world);
/// Unlocks the world of the innermost lock.
void pv__world_lock_end(const pv__world_lock *frame);
/// Returns PV_OK if this thread may change a world, PV_ERROR_BUSY if not, or PV_ERROR_ARGUMENT for
/// null. Called before any other check.
pv_status pv__world_lock_check(const pv_world *world);

#endif
