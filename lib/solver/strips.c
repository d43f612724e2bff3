/* strips.c - strips of the world, by which batches of contacts are laid.
 *
 * Invariant: strips depend only on the poses of the bodies, so a restored world has the same ones.
 * Their width is a power of two, so that resting bodies keep their order.
 *
 * Parts of one batch level may have any order. Ordered by strip, they give a worker the same bodies
 * in all levels, and these stay in its cache.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/strips.h"

/// Number of bodies sampled for the extent, and least number of bodies for more than one strip
enum { STRIP_SAMPLES = 256, STRIP_BODIES = 256 };
/// Strips across the world, along the longer side of the box of the bodies
typedef struct strip_scale {
    int axis;
    /// Left or upper end of the first strip, in strips; inverse of the width [1/px]
    double begin, per_px;
} strip_scale;

const int pv__strips_phases[] = {0, PV__ZONES, PV__ZONES * 3 / 2, PV__ZONE_KINDS - 1,
                                 PV__ZONE_KINDS};

static double strip_at(const pv_world *world, int member, int axis) {
    return world->solver.bodies[world->solver.members[member] + 1].pose[axis];
}

static strip_scale find_scale(const pv_world *world) {
    int count = world->solver.member_count;
    double low[2], high[2];
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = high[axis] = strip_at(world, 0, axis);
        for (int i = 0; i < count; i += count / STRIP_SAMPLES + 1) {
            low[axis] = pv__min(low[axis], strip_at(world, i, axis));
            high[axis] = pv__max(high[axis], strip_at(world, i, axis));
        }
    }
    strip_scale s = {.axis = high[1] - low[1] > high[0] - low[0], .per_px = 1};
    while ((high[s.axis] - low[s.axis]) * s.per_px > PV__STRIPS - 2) s.per_px /= 2;
    s.begin = (double)pv__floor(low[s.axis] * s.per_px);
    return s;
}

bool pv__strips_update(pv_world *world) {
    bool several = world->solver.member_count >= STRIP_BODIES, changed = false;
    strip_scale s = several ? find_scale(world) : (strip_scale){0};
    world->solver.strip_count = several ? PV__STRIPS : 1;
    for (int i = 0; i < world->solver.member_count; i++) {
        double at = several ? strip_at(world, i, s.axis) * s.per_px - s.begin : 0;
        uint8_t *own = &world->solver.states[world->solver.members[i] + 1].strip,
                strip = (uint8_t)pv__clamp(at, 0, PV__STRIPS - 1);
        changed |= *own != strip;
        *own = strip;
    }
    return changed;
}

static int zone_of(const pv_world *world, int body) {
    return world->solver.states[body + 1].strip / (PV__STRIPS / PV__ZONES);
}

int pv__strips_kind(const pv_world *world, int body_a, int body_b) {
    int a = zone_of(world, body_a), b = zone_of(world, body_b), least = a < b ? a : b;
    if (a == b) return a;
    if (a + b != 2 * least + 1) return PV__ZONE_KINDS - 1;
    return pv__strips_phases[1 + least % 2] + least / 2;
}
