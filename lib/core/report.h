/* report.h - the interface of report.c: refusals, passed to the caller's report hook.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_REPORT_H
#define PV_CORE_REPORT_H

#include "base/error.h"

/// Checks that a world is not null, and that this thread may change it. It is the first check of a
/// call.
bool pv__check_world(pv_error *e, const pv_world *world);
/// Begins a call that changes a world, and makes that check.
bool pv__world_begin(pv_error *e, const char *function, const pv_world *world);
/// Begins a public function that changes its world. The function returns here, with error e, if
/// that or a further check fails.
#define PV__BEGIN(...)                                                                             \
    pv_error e;                                                                                    \
    if (!pv__world_begin(&e, __func__, world) || !(__VA_ARGS__)) return pv__refuse(world, &e)
/// Does the same for a function that changes an object of its world, which a check finds.
#define PV__BEGIN_WITH(type, one, find, ...)                                                       \
    pv_error e;                                                                                    \
    type one = pv__world_begin(&e, __func__, world) ? find : 0;                                    \
    if (!one || !(__VA_ARGS__)) return pv__refuse(world, &e)
/// Ends a call: passes its error, if any, to the hook of its world. Returns the status.
pv_status pv__refuse(const pv_world *world, const pv_error *error);
/// Does the same for a call that ran out of memory.
pv_status pv__refuse_memory(const pv_world *world, pv_error *error);

#endif
