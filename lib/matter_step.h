/* matter_step.h - the interface of matter_step.c: a substep of matter: what is constrained,
 * touches or flows, relaxed in rounds.
 *
 * Invariant: as in matter_step.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_STEP_H
#define PV_MATTER_STEP_H

#include "core/matter.h"

/// What a step of matter does first, the substeps, and last.
void pv__matter_begin_step(pv_world *world, double dt);
void pv__matter_step(pv_world *world, double h, int substep);
void pv__matter_end_step(pv_world *world);

#endif
