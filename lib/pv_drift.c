/* pv_drift.c - position Verlet of all particles.
 *
 * Invariant: x' = x + (1 - d)(x - x*) + a h^2 with d = min(1, drag h) for what has mass; what has none stays. A particle that
 * is beyond the finite numbers or the world's bounds goes back to where it was, at rest, and the step is flagged.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_stick.h"

#include <string.h>

/// Stops those that are not at a place, as no NaN is, where they last were.
static void freeze_lost(pv_world *world, int first, int end) {
    pv__particles *p = &world->matter.particles;
    for (int i = first; i < end; i++) {
        if (pv__placeable(p->now[i]) && pv__placeable(p->was[i])) continue;
        pv_vec2 last = pv__placeable(p->was[i])   ? p->was[i]
                       : pv__placeable(p->now[i]) ? p->now[i]
                                                  : pv__vec(0, 0);
        p->now[i] = p->was[i] = last;
        world->flags |= PV_STEP_FROZEN;
    }
}

/// What is to be known of any of a flock.
static unsigned char bound_of(const pv__particles *p, int first) {
    uint64_t all = 0, words[PV__FLOCK / sizeof(uint64_t)];
    memcpy(words, p->bound + first, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) all |= words[i];
    all |= all >> 32;
    all |= all >> 16;
    return (unsigned char)(all | all >> 8);
}

void pv__settle_particles(pv_world *world) {
    const pv__particles *p = &world->matter.particles;
    for (int first = 0; first < p->count; first += PV__FLOCK)
        if (bound_of(p, first) & PV__MEETS) freeze_lost(world, first, first + PV__FLOCK);
}

void pv__drift(pv_world *world, double h, int substep) {
    pv__particles *p = &world->matter.particles;
    pv__flight flight = {h, pv__mul(h * h, world->def.gravity), p->forced, 1};
    for (int first = 0; first < p->count; first += PV__FLOCK) { /* columns have room for whole flocks */
        unsigned char bound = bound_of(p, first);
        bool at_once = !(bound & PV__MEETS);
        if (at_once && substep > 0) continue;
        flight.substeps = at_once ? world->substeps : 1;
        if (!world->stick_kernel->drift(p, first, &flight, !(bound & PV__STAYS)))
            freeze_lost(world, first, first + PV__FLOCK);
    }
}
