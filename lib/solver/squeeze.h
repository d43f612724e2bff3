/* squeeze.h - the interface of squeeze.c: bodies that kinematic ones press against what does not
 * give way: held, and told as crushed.
 *
 * Invariant: as in squeeze.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_SQUEEZE_H
#define PV_SOLVER_SQUEEZE_H

#include "core/world.h"

/// Finds what something kinematic presses towards something that does not give way, when a push is
/// swept.
void pv__squeeze_find_jams(pv_world *world);
/// Finds what of it is squeezed, when all is solved, and slows it.
void pv__squeeze_hold(pv_world *world, double h);
/// Bounds them when the substep is over; what was borne in vain does not start the next one.
void pv__squeeze_release(pv_world *world, double h);

/// Tells who is crushed, when the step is over.
void pv__squeeze_tell_crushes(pv_world *world);
/// Counts who was crushed in the last step, in a world that is read.
void pv__squeeze_count_crushes(pv_world *world);

#endif
