/* pixel_stop.h - the interface of pixel_stop.c: stops what would fly past another's pixels or into
 * them within a substep.
 *
 * Invariant: as in pixel_stop.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_PIXEL_STOP_H
#define PV_SOLVER_PIXEL_STOP_H

#include "core/world.h"

/// Sets how much bodies may be swept in a step.
void pv__pixel_stop_allow_sweeps(pv_world *world);
/// Stops, after a move, what went too far in it for its contours to hold.
void pv__pixel_stop_moved(pv_world *world, double h);
/// Marks where bodies are before matter moves them, and stops them, after that, where they would go
/// through others.
void pv__pixel_stop_mark_poses(pv_world *world);
void pv__pixel_stop_pulled(pv_world *world, double h);

#endif
