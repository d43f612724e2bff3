/* hand.h - the player's hand: it holds what was seized where it was seized and pulls it after a
 * point.
 *
 * Invariant: it acts by a drag constraint only, and lets go with the velocity that the thing has:
 * that is a throw.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef HAND_H
#define HAND_H

#include <pixverlet.h>

struct hand {
    /* what is held, or was held last: a body, or a particle, of a thing or a polygon or of none */
    pv_body_id body;
    pv_particle_id particle;
    pv_composite_id matter;
    pv_polygon_id polygon;
    /// The null name when nothing is held
    pv_joint_id drag;
};

/// Seizes what is under a point: a dynamic body, a polygon by its nearest corner, or else a
/// particle that is near. Without any the hand is empty and forgets what it held.
/// @param reach how near a particle must be [px]
bool hand_seize(struct hand *hand, pv_world *world, pv_vec2 point, double reach);

/// Lets go.
void hand_release(struct hand *hand, pv_world *world);

/// Tells whether something is held that is still there.
bool hand_holds(const struct hand *hand, const pv_world *world);

/// Pulls for the next step.
void hand_pull(const struct hand *hand, pv_world *world, pv_vec2 target);

/// Accelerates what is held, or was held last, for the next step [px/s^2].
/// @return false when that is not there any more
bool hand_push(const struct hand *hand, pv_world *world, pv_vec2 acceleration);

/// Returns where the grip is in the world [px].
pv_vec2 hand_grip(const struct hand *hand, const pv_world *world);

#endif
