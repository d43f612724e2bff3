/* squeeze.h - the interface of squeeze.c: bodies that kinematic ones squeeze against immovable
 * ones: bounds and crush events.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_SQUEEZE_H
#define PV_SOLVER_SQUEEZE_H

#include "core/world.h"

/// Finds bodies that a kinematic one pushes towards an immovable one; called after the sweep with a
/// push.
void pv__squeeze_find_jams(pv_world *world);
/// Finds the squeezed bodies after the solve, and slows them.
void pv__squeeze_hold(pv_world *world);
/// Bounds squeezed bodies at the end of the substep, and the impulses that start the next one.
void pv__squeeze_release(pv_world *world, double h);

/// Publishes the crush events at the end of the step.
void pv__squeeze_tell_crushes(pv_world *world);
/// Counts the bodies that were crushed in the last step, after a world was restored.
void pv__squeeze_count_crushes(pv_world *world);

#endif
