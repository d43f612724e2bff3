/* pv_build_arm.c - robotic arms.
 *
 * Invariant: an arm is made with its hand at the target, or as near as its limbs allow: never under stress.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_build.h"

enum { MOST_LIMBS = 32 };

/// So that it moves like a machine and not like a rope [1/s].
static const double DRAG = 8;
/// The drag, for all that hangs on it: a damped spring of a rate at which gravity takes the hand off by a twentieth of a pixel.
static const double RATE = 60; /* [1/s] */

pv_arm_def pv_arm_def_default(void) { return (pv_arm_def){.mass = 1, .strength = 20000, .cookie = PV__COOKIE}; }

static pv_status check_lengths(const double *lengths, int count) {
    for (int i = 0; i < count; i++) {
        if (!pv__finite(lengths[i])) return PV_ERROR_NOT_FINITE;
        if (!pv__in_range(lengths[i], 1e-3, 1e5)) return PV_ERROR_ARGUMENT;
    }
    return PV_OK;
}

static pv_status check_def(const pv_arm_def *def) {
    if (!def || def->cookie != PV__COOKIE) return PV_ERROR_ARGUMENT;
    const double numbers[] = {def->base.x, def->base.y, def->target.x, def->target.y, def->mass, def->strength};
    if (!PV__ALL_FINITE(numbers)) return PV_ERROR_NOT_FINITE;
    bool in_range = pv__placeable(def->base) && pv__placeable(def->target) && def->lengths && def->count >= 1 &&
                    def->count <= MOST_LIMBS && pv__in_range(def->mass, PV__LEAST_MASS, PV__MOST_MASS) &&
                    pv__in_range(def->strength, 1e-9, PV__MOST_FORCE);
    return in_range ? check_lengths(def->lengths, def->count) : PV_ERROR_ARGUMENT;
}

static void make_arm(pv__build *b, const pv_arm_def *def) {
    pv__arc arc = pv__arc_make(def->base, def->target, def->count, def->lengths, 0, pv__vec(0, -1));
    pv_particle_def joint = pv_particle_def_default();
    joint.drag = DRAG;
    joint.mass = 0;
    joint.passes = true;
    joint.position = def->base;
    pv_particle last = pv__build_particle(b, &joint);
    joint.mass = def->mass;
    for (int i = 0; i < def->count; i++) {
        joint.position = pv__arc_next(&arc, def->lengths[i]);
        pv_particle next = pv__build_particle(b, &joint);
        pv__build_stick(b, last, next, 0, 0);
        last = next;
    }
    pv_constraint_def drag = pv_constraint_def_default();
    drag.type = PV_CONSTRAINT_DRAG;
    drag.a = pv_anchor_particle(last);
    drag.b = pv_anchor_world(def->target);
    drag.stiffness = def->count * def->mass * RATE * RATE;
    drag.damping = 2 * def->count * def->mass * RATE;
    drag.max_force = def->strength;
    pv__build_constraint(b, &drag);
}

pv_matter pv_arm_build(pv_world *world, const pv_arm_def *def, pv_status *status) {
    pv__build b = pv__build_begin(world, world ? check_def(def) : PV_ERROR_ARGUMENT);
    if (b.status == PV_OK) make_arm(&b, def);
    return pv__build_end(&b, __func__, status);
}
