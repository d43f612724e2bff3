/* stage_timer.h - the interface of stage_timer.c: where the time of a step goes.
 *
 * Invariant: as in stage_timer.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_STAGE_TIMER_H
#define PV_CORE_STAGE_TIMER_H

#include "core/world.h"

/// Time by the system's clock [s].
double pv__timer_now(void);
/// Adds the time since the last lap to a stage of the profile: what each stage does last.
void pv__timer_lap(pv_world *world, double *stage);

#endif
