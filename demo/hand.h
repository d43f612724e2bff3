/* hand.h - the player's hand: it holds a sprite where it was seized and pulls it after a point.
 *
 * Invariant: it acts by forces only, and lets go with the velocity that the sprite has: that is a throw.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef HAND_H
#define HAND_H

#include <pixverlet.h>

struct hand {
    pv_body body; ///< what is held, or was held last
    pv_vec2 grip; ///< where, in the picture's coordinates [px]
    bool holding;
};

/// Seizes the dynamic body under a point; without one the hand is empty and forgets what it held.
bool hand_seize(struct hand *hand, const pv_world *world, pv_vec2 point);

/// Lets go.
void hand_release(struct hand *hand);

/// Pulls for the next step of length dt [s].
void hand_pull(const struct hand *hand, pv_world *world, pv_vec2 target, double dt);

/// Where the grip is in the world [px].
pv_vec2 hand_grip(const struct hand *hand, const pv_world *world);

#endif
