/* liquid.h - the interface of liquid.c: liquids: particles that strive for a density (Clavet,
 * Beaudoin and Poulin 2005).
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_LIQUID_H
#define PV_MATTER_LIQUID_H

#include "base/error.h"
#include "core/matter.h"

extern const pv__field_row pv__liquid_fields[5];
/// Moves the particles of liquids apart and together, once a substep.
void pv__liquid_relax_all(pv_world *world, double h);
/// Allocates the scratch of liquids once; returns false without memory.
bool pv__liquid_open_all(pv_world *world);
/// Removes a particle from its liquid.
void pv__liquid_leave(pv_world *world, int particle);
void pv__liquid_free_all(pv_world *world);

#endif
