/* report.c - refusals, passed to the caller's report hook.
 *
 * Invariant: every refusal of a function with a world passes through here. No other code calls the
 * hook.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/report.h"
#include "core/world.h"

pv_status pv__report_refusal(const pv_world *world, const char *function, pv_status status) {
    if (!world) return PV_ERROR_ARGUMENT;
    if (world->def.report_callback)
        world->def.report_callback(world->def.report_user_data, function, status);
    return status;
}
