/* force.h - the interface of force.c: wind, attractors, buoyancy and explosions.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "base/error.h"
#include "core/matter.h"

extern const pv__field_row pv__force_fields[16];
/// Checks a definition; also that of a field that was read.
bool pv__force_check_def(pv_error *e, const pv_force_field_def *def);
/// Adds the forces of all force fields in a step to particles and awake bodies.
void pv__force_apply_all(pv_world *world, double dt);
void pv__force_free_all(pv_world *world);
