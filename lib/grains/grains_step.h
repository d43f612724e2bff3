/* grains_step.h - the interface of grains_step.c: the step of all populations.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/world.h"

/// Moves all grains by a step of the world, in which the bodies have moved already.
void pv__grains_step(pv_world *world, double dt);
