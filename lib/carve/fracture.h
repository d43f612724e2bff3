/* fracture.h - the interface of fracture.c: sets and reads the fracture of bodies, and breaks them
 * at impacts.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/world.h"

/// Breaks the bodies with strong impacts in the finished step.
void pv__fracture_crack_struck(pv_world *world);

static inline bool pv__fracture_is_default(const pv_fracture_def *f) {
    const pv_fracture_def usual = PV__FRACTURE_DEFAULT;
    return f->connectivity == usual.connectivity && f->min_part_pixels == usual.min_part_pixels &&
           !f->spawn_debris && f->keep_static && f->toughness == 0 && f->mode == usual.mode;
}
