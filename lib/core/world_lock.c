/* world_lock.c - lock of worlds during callbacks.
 *
 * Invariant: a thread's chain holds the worlds that it is querying or stepping, the innermost
 * first. Each lock is on the stack of its function and does not outlive it. The lock writes nothing
 * into a world, so many threads may query one.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/world_lock.h"
#include "base/thread.h"

/* Every setter reads this variable. With glibc's reserved space for such variables this takes one
 * load, otherwise a call. */
#if defined(__GLIBC__) && defined(__GNUC__) && !defined(PIXVERLET_NO_THREADS)
#define AT_HAND __attribute__((tls_model("initial-exec")))
#else
#define AT_HAND
#endif
static PV__THREAD_LOCAL const pv__world_lock *innermost AT_HAND;

void pv__world_lock_begin(pv__world_lock *frame, const pv_world *world) {
    *frame = (pv__world_lock){world, false, innermost};
    innermost = frame;
}

bool pv__world_lock_begin_report(pv__world_lock *frame, const pv_world *world) {
    for (const pv__world_lock *outer = innermost; outer; outer = outer->outer)
        if (outer->world == world && outer->reports) return false;
    *frame = (pv__world_lock){world, true, innermost};
    innermost = frame;
    return true;
}

void pv__world_lock_end(const pv__world_lock *frame) { innermost = frame->outer; }

pv_status pv__world_lock_check(const pv_world *world) {
    if (!world) return PV_ERROR_ARGUMENT;
    for (const pv__world_lock *frame = innermost; frame; frame = frame->outer)
        if (frame->world == world) return PV_ERROR_BUSY;
    return PV_OK;
}
