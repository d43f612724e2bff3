/* anchor.h - bodies and particles as what a constraint or a hit holds on to.
 *
 * Invariant: a push [mass px], which is an impulse times the substep, changes velocities at once
 * and places by the part of its way that it carries: 1 is a correction of position Verlet, 0 a
 * change of velocity alone. Where levers are those of the moment at which the carried way began,
 * two opposite pushes along one line change no momentum, linear or angular.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_ANCHOR_H
#define PV_CORE_ANCHOR_H

#include "core/world.h"

/// Depth at the start of a substep up to which a one-way body still holds [px].
#define PV__DEEP 0.25

static inline bool pv__body_is_one_way(const pv__body *b) {
    return b->one_way.x != 0 || b->one_way.y != 0;
}

/// Tells whether a body that has turned so holds what meets it where its outward normal is such:
/// within 60 degrees of its way.
static inline bool pv__one_way_holds_at(const pv__body *b, pv_rotation turn, pv_vec2 normal) {
    return !pv__body_is_one_way(b) || pv__dot(pv__rotate(turn, b->one_way), normal) > 0.5;
}

/// Returns where a body is, and where it was when the substep began.
pv__pose pv__body_pose_now(const pv_world *world, int body);
pv__pose pv__body_pose_then(const pv_world *world, int body);
/// Its velocity and spin in the substep: chords [px/s], [rad/s].
pv_vec2 pv__body_velocity_now(const pv_world *world, int body);
double pv__body_spin_now(const pv_world *world, int body);
/// Tells whether pushes move it: dynamic and awake.
bool pv__body_gives(const pv_world *world, int body);
/// Pushes a body at a lever from its center; nothing happens to one that does not give.
void pv__body_push(pv_world *world, int body, pv_vec2 lever, pv_vec2 push, double carry);
/// Moves and turns a body, with its velocity.
void pv__body_nudge(pv_world *world, int body, pv_vec2 way, double turn);
/// Takes so much of the ways that a body goes and turns in a substep from its velocity.
void pv__body_slow(pv_world *world, int body, pv_vec2 way, double turn);
/// Puts a body elsewhere, now and before, with its velocity kept.
void pv__body_shift(pv_world *world, int body, pv_vec2 by);
/// Turns a body by a push of torque [mass px^2].
void pv__body_twist(pv_world *world, int body, double twist, double carry);
/// Returns how far along n a unit of push along n moves the material at a lever: 1/m + (r x n)^2/I,
/// or 0.
double pv__anchor_body_yield(const pv_world *world, int body, pv_vec2 lever, pv_vec2 n);

/// Returns where a grip is, and where it was when the substep began.
pv_vec2 pv__anchor_now(const pv_world *world, const pv__anchor *grip);
pv_vec2 pv__anchor_then(const pv_world *world, const pv__anchor *grip);
double pv__anchor_yield(const pv_world *world, const pv__anchor *grip, pv_vec2 n);
/// The same of a grip on particles, which is alike in all directions; 0 for others.
double pv__anchor_particle_yield(const pv_world *world, const pv__anchor *grip);
/// Pushes at the grip's lever.
void pv__anchor_push(pv_world *world, const pv__anchor *grip, pv_vec2 push);

#endif
