/* hand.h - the player's hand, which holds an object at a point and pulls it to another point.
 *
 * Invariant: the pull comes from a mouse joint. The object keeps its velocity when it is released,
 * which makes a throw.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef HAND_H
#define HAND_H

#include <pixverlet.h>

struct hand {
    /* Held object, or the last one: a body, or a particle, alone or of a composite */
    pv_body_id body;
    pv_particle_id particle;
    pv_composite_id matter;
    /// Mouse joint; the null id if nothing is held
    pv_joint_id drag;
};

/// Grabs the dynamic body at a point, or else a particle near it. If there is none, it forgets the
/// last object.
/// @param reach greatest distance of a particle [px]
bool hand_seize(struct hand *hand, pv_world *world, pv_vec2 point, double reach);

/// Releases the held object.
void hand_release(struct hand *hand, pv_world *world);

/// Destroys all mouse joints, which the world may have after it was restored, and empties the hand.
void hand_forget(struct hand *hand, pv_world *world);

/// Tells whether the hand holds an object that still exists.
bool hand_holds(const struct hand *hand, const pv_world *world);

/// Pulls the held object to a target in the next step.
void hand_pull(const struct hand *hand, pv_world *world, pv_vec2 target);

/// Accelerates the held object, or the last one, in the next step [px/s^2].
/// @return false if the object no longer exists
bool hand_push(const struct hand *hand, pv_world *world, pv_vec2 acceleration);

/// Returns the place of the grip in the world [px].
pv_vec2 hand_grip(const struct hand *hand, const pv_world *world);

#endif
