/* report.c - refusals, passed to the caller's report hook.
 *
 * Invariant: every refusal of a function with a world passes through here. No other code calls the
 * hook.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/report.h"
#include "core/world.h"
#include "core/world_lock.h"

bool pv__check_world(pv_error *e, const pv_world *world) {
    if (!pv__check_pointer(e, "world", world)) return false;
    return pv__world_lock_check(world) == PV_OK ||
           pv__error_say(e, PV_ERROR_BUSY, "world",
                         "world is in a step or a query; a callback cannot change it") == PV_OK;
}

bool pv__world_begin(pv_error *e, const char *function, const pv_world *world) {
    return pv__check_world(pv__error_begin(function, e, NULL), world);
}

pv_status pv__refuse(const pv_world *world, const pv_error *error) {
    pv_status status = error->status;
    pv__world_lock lock;
    if (status != PV_OK && world && world->def.report_callback &&
        pv__world_lock_begin_report(&lock, world)) {
        world->def.report_callback(world->def.report_user_data, error);
        pv__world_lock_end(&lock);
    }
    return status;
}

pv_status pv__refuse_memory(const pv_world *world, pv_error *error) {
    pv__error_set(error, PV_ERROR_MEMORY);
    return pv__refuse(world, error);
}
