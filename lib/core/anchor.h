/* anchor.h - bodies and particles as the anchors of constraints and impacts.
 *
 * Invariant: a push is an impulse times the substep [mass px]. It changes velocities at once, and
 * poses in proportion to carry: 1 for a correction of position Verlet, 0 for velocity alone. Two
 * opposite pushes along one line conserve all momentum if their levers are those at the start of
 * the carried motion.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_ANCHOR_H
#define PV_CORE_ANCHOR_H

#include "core/world.h"

/// Greatest depth at the start of a substep at which a one-way body still holds [px]
#define PV__DEEP 0.25

static inline bool pv__body_is_one_way(const pv__body *b) {
    return b->one_way.x != 0 || b->one_way.y != 0;
}

/// Tells whether a body with that rotation holds a contact with that outward normal. The limit is
/// 60 degrees from its one-way direction.
static inline bool pv__one_way_holds_at(const pv__body *b, pv_rotation turn, pv_vec2 normal) {
    return !pv__body_is_one_way(b) || pv__dot(pv__rotate(turn, b->one_way), normal) > 0.5;
}

/// Returns the current pose of a body.
pv__pose pv__body_pose_now(const pv_world *world, int body);
/// Returns the pose of a body at the start of the substep.
pv__pose pv__body_pose_then(const pv_world *world, int body);
/// Returns the velocity of a body in the substep, along the chord [px/s].
pv_vec2 pv__body_velocity_now(const pv_world *world, int body);
/// Returns the angular velocity of a body in the substep, along the chord [rad/s].
double pv__body_spin_now(const pv_world *world, int body);
/// Tells whether pushes move a body: it is dynamic and awake.
bool pv__body_gives(const pv_world *world, int body);
/// Pushes a body at a lever from its center. A body that pushes do not move stays as it is.
void pv__body_push(pv_world *world, int body, pv_vec2 lever, pv_vec2 push, double carry);
/// Moves and turns a body, and adds the motion to its velocity.
void pv__body_nudge(pv_world *world, int body, pv_vec2 way, double turn);
/// Subtracts a displacement and a turn per substep from the velocity of a body.
void pv__body_slow(pv_world *world, int body, pv_vec2 way, double turn);
/// Moves the current and the previous pose of a body, so that its velocity stays.
void pv__body_shift(pv_world *world, int body, pv_vec2 by);
/// Turns a body with a push of torque [mass px^2].
void pv__body_twist(pv_world *world, int body, double twist, double carry);
/// Returns 1/m + (r x n)^2/I, the displacement along n at a lever for a unit of push along n. The
/// result is 0 for a body that pushes do not move.
double pv__anchor_body_yield(const pv_world *world, int body, pv_vec2 lever, pv_vec2 n);

/// Returns the current place of an anchor [px].
pv_vec2 pv__anchor_now(const pv_world *world, const pv__anchor *grip);
/// Returns the place of an anchor at the start of the substep [px].
pv_vec2 pv__anchor_then(const pv_world *world, const pv__anchor *grip);
/// Returns the displacement of an anchor along n for a unit of push along n.
double pv__anchor_yield(const pv_world *world, const pv__anchor *grip, pv_vec2 n);
/// Returns the turn of an anchor's body for a unit of twist. The result is 0 for other anchors.
double pv__anchor_turn_yield(const pv_world *world, const pv__anchor *grip);
/// Returns the displacement of an anchor on particles for a unit of push in any direction. The
/// result is 0 for other anchors.
double pv__anchor_particle_yield(const pv_world *world, const pv__anchor *grip);
/// Pushes an anchor; a body is pushed at the anchor's lever.
void pv__anchor_push(pv_world *world, const pv__anchor *grip, pv_vec2 push);

#endif
