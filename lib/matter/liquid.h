/* liquid.h - the interface of liquid.c: liquids: particles that strive for a density (Clavet,
 * Beaudoin and Poulin 2005).
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_LIQUID_H
#define PV_MATTER_LIQUID_H

#include "core/matter.h"

/// Checks a definition; also that of a liquid that was read.
bool pv__liquid_check_def(pv_error *e, const pv_liquid_def *def);
/// Moves the particles of liquids apart and together, once a substep.
void pv__liquid_relax_all(pv_world *world, double h);
/// Allocates the scratch of liquids once; returns false without memory.
bool pv__liquid_open_all(pv_world *world);
/// Removes a particle from its liquid.
void pv__liquid_leave(pv_world *world, int particle);
void pv__liquid_free_all(pv_world *world);

#endif
