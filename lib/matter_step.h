/* matter_step.h - the interface of matter_step.c: substeps of joints, particles, polygons and
 * liquids, solved in rounds.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_STEP_H
#define PV_MATTER_STEP_H

#include "core/matter.h"

/// Starts a step of matter.
void pv__matter_begin_step(pv_world *world, double dt);
/// Moves matter by a substep.
void pv__matter_step(pv_world *world, double h, int substep);
/// Ends a step of matter.
void pv__matter_end_step(pv_world *world);

#endif
