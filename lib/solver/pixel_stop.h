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
/// Stores the poses of bodies before matter moves them.
void pv__pixel_stop_mark_pulled(pv_world *world);
/// Stops bodies that matter has moved through others.
void pv__pixel_stop_pulled(pv_world *world);
/// Stops bodies at thin immovable ones, and thin ones at immovable ones, however slowly the substep has
/// moved them.
void pv__pixel_stop_slight(pv_world *world, double h);

#endif
