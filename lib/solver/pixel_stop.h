/* pixel_stop.h - the interface of pixel_stop.c: stops at pixels for bodies that are too fast for
 * contours.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_PIXEL_STOP_H
#define PV_SOLVER_PIXEL_STOP_H

#include "core/world.h"

/// Sets the budget of pixel sweeps in a step.
void pv__pixel_stop_allow_sweeps(pv_world *world);
/// Stops bodies, after a move, whose motion was too large for their contours.
void pv__pixel_stop_moved(pv_world *world, double h);
/// Stops bodies at walls once more when the substep ends, because stops, matter or contacts may
/// have moved them through.
void pv__pixel_stop_astray(pv_world *world, double h);

#endif
