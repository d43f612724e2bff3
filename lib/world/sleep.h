/* sleep.h - the interface of sleep.c: islands that rest fall asleep together and wake together.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/world.h"
/// Puts islands that have rested long enough to sleep.
void pv__sleep_fall_asleep(pv_world *world, double dt);
