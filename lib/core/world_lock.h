/* world_lock.h - the interface of world_lock.c: worlds that are busy calling the caller back, and
 * cannot be changed meanwhile.
 *
 * Invariant: as in world_lock.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_WORLD_LOCK_H
#define PV_CORE_WORLD_LOCK_H

#include "base/base.h"

/// A world that this thread is stepping or asking; lies on the stack of who does so.
typedef struct pv__world_lock {
    const pv_world *world;
    const struct pv__world_lock *outer;
} pv__world_lock;
/// Between these two the caller's callbacks are called, and this thread may not change the world.
void pv__world_lock_begin(pv__world_lock *frame, const pv_world *world);
void pv__world_lock_end(const pv__world_lock *frame);
/// PV_OK when this thread may change a world, PV_ERROR_BUSY, or PV_ERROR_ARGUMENT for null. Asked
/// before anything else.
pv_status pv__world_lock_check(const pv_world *world);

#endif
