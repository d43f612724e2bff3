/* world.h - the interface of world.c: creates, destroys, configures and retimes worlds.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/world.h"

extern const pv__field_row pv__world_fields[15];

/// Returns the default number of substeps in a step of 1/60 s.
static inline int pv__world_usual_substeps(pv_contact_mode mode) {
    return mode == PV_CONTACT_MODE_PIXELS ? 4 : 16;
}

/// Scales now - before so that velocities stay the same with a substep of length h [s].
void pv__world_retime(pv_world *world, double h);
