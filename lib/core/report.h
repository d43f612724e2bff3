/* report.h - the interface of report.c: refusals, passed to the caller's report hook.
 *
 * Invariant: as in report.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_REPORT_H
#define PV_CORE_REPORT_H

#include "base/base.h"

/// Passes a refusal to the world's report hook, and returns status.
pv_status pv__report_refusal(const pv_world *world, const char *function, pv_status status);

#endif
