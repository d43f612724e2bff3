/* stage_timer.h - the interface of stage_timer.c: times of the stages of a step.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/world.h"

/// Returns the time of a clock that never goes back, where there is one [s].
double pv__timer_now(void);
/// Adds the time since the last call to a stage of the profile; each stage calls it last.
void pv__timer_lap(pv_world *world, double *stage);
