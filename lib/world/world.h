/* world.h - the interface of world.c, and of what acts on whole worlds: force.c, composite.c and
 * sleep.c.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_WORLD_H
#define PV_WORLD_WORLD_H

#include "base/error.h"
#include "core/world.h"

extern const pv__field_row pv__world_fields[15];

/// Returns the default number of substeps in a step of 1/60 s.
static inline int pv__world_usual_substeps(pv_contact_mode mode) {
    return mode == PV_CONTACT_MODE_PIXELS ? 4 : 16;
}

extern const pv__field_row pv__force_fields[16];
/// Checks the definition of a force field, including one read from a snapshot.
bool pv__force_check_def(pv_error *e, const pv_force_field_def *def);
/// Adds the forces of all force fields in a step to particles and awake bodies.
void pv__force_apply_all(pv_world *world, double dt);

void pv__composite_free_all(pv_world *world);

/// Puts islands that have rested long enough to sleep.
void pv__sleep_fall_asleep(pv_world *world, double dt);

/// Sets the length of a substep to h [s]. Scales displacements so that velocities stay the same.
void pv__world_retime(pv_world *world, double h);

#endif
