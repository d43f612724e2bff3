/* body_change.c - wakes changed bodies, and updates their inverse mass and inertia.
 *
 * Invariant: a changed body is awake, and its inverses fit its mass, inertia, type and locks.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/wake.h"
#include "joint/constraint.h"
#include "world/body.h"

void pv__body_set_inverses(pv__body *b) {
    bool dynamic = b->type == PV_BODY_DYNAMIC;
    b->inverse_mass = dynamic ? 1.0 / b->mass : 0;
    b->inverse_inertia = dynamic && !(b->locks & PV_LOCK_ROTATION) ? 1.0 / b->inertia : 0;
}

void pv__body_wake_for_change(pv_world *world, pv__body *b) {
    b->drive.step = 0;
    pv__wake_body(world, b);
    if (b->joint_count > 0 && b->type != PV_BODY_DYNAMIC)
        pv__constraint_wake_all_of(world, 0, (int)(b - world->bodies.items));
}

void pv__body_disturb(pv_world *world, pv__body *b) {
    pv__body_wake_for_change(world, b);
    world->solver.ordered = world->manifolds.mixed = false;
}
