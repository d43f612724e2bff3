/* pv_grip.h - bodies and particles as what a constraint or a hit holds on to.
 *
 * Invariant: a push [mass px], which is an impulse times the substep, changes velocities at once and places by the part of its
 * way that it carries: 1 is a correction of position Verlet, 0 a change of velocity alone. Where levers are those of the moment
 * at which the carried way began, two opposite pushes along one line change no momentum, linear or angular.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_GRIP_H
#define PV_GRIP_H

#include "pv_world.h"

/// What is in a one-way body by no more when a substep begins may still be held [px].
#define PV__DEEP 0.25

static inline bool pv__is_one_way(const pv__body *b) { return b->one_way.x != 0 || b->one_way.y != 0; }

/// Whether a body that has turned so holds what meets it where its outward normal is such: within 60 degrees of its way.
static inline bool pv__holds_at(const pv__body *b, pv_rotation turn, pv_vec2 normal) {
    return !pv__is_one_way(b) || pv__dot(pv__rotate(turn, b->one_way), normal) > 0.5;
}

/* pv_grip.c */
/// Where a body is, and where it was when the substep began.
pv__pose pv__pose_now(const pv_world *world, int body);
pv__pose pv__pose_then(const pv_world *world, int body);
/// Its velocity and spin in the substep: chords [px/s], [rad/s].
pv_vec2 pv__velocity_now(const pv_world *world, int body);
double pv__spin_now(const pv_world *world, int body);
/// Whether pushes move it: dynamic and awake.
bool pv__gives(const pv_world *world, int body);
/// Pushes a body at a lever from its centre; nothing happens to one that does not give.
void pv__push_body(pv_world *world, int body, pv_vec2 lever, pv_vec2 push, double carry);
/// Moves and turns a body, with its velocity.
void pv__nudge_body(pv_world *world, int body, pv_vec2 way, double turn);
/// Takes so much of the ways that a body goes and turns in a substep from its velocity.
void pv__slow_body(pv_world *world, int body, pv_vec2 way, double turn);
/// Puts a body elsewhere, now and before, with its velocity kept.
void pv__shift_body(pv_world *world, int body, pv_vec2 by);
/// Turns a body by a push of torque [mass px^2].
void pv__twist_body(pv_world *world, int body, double twist, double carry);
/// How far along n a unit of push along n moves the material at a lever: 1/m + (r x n)^2/I, or 0.
double pv__body_yield(const pv_world *world, int body, pv_vec2 lever, pv_vec2 n);

/// Where a grip is, and where it was when the substep began.
pv_vec2 pv__grip_now(const pv_world *world, const pv__grip *grip);
pv_vec2 pv__grip_then(const pv_world *world, const pv__grip *grip);
double pv__grip_yield(const pv_world *world, const pv__grip *grip, pv_vec2 n);
/// The same of a grip on particles, which is alike in all directions; 0 for others.
double pv__grain_yield(const pv_world *world, const pv__grip *grip);
/// Pushes at the grip's lever.
void pv__grip_push(pv_world *world, const pv__grip *grip, pv_vec2 push);

#endif
