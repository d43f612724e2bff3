/* fracture.h - the interface of fracture.c: how bodies fall apart: set, read, and done where they
 * are hit.
 *
 * Invariant: as in fracture.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CARVE_FRACTURE_H
#define PV_CARVE_FRACTURE_H

#include "core/world.h"

/// Breaks what was hit too hard in the step that is over.
void pv__fracture_crack_struck(pv_world *world);

bool pv__fracture_is_default(const pv_fracture_def *fracture);
/// PV_OK, or what is wrong with it.
pv_status pv__fracture_check(const pv_fracture_def *fracture);

#endif
