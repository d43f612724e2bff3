/* aim.h - throws by mouse: an arrow from where the button goes down to where it comes up.
 *
 * Invariant: a throw begins only in empty space, so the hand can take bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef AIM_H
#define AIM_H

#include "stage/stage.h"

/// Speed of a throw for each pixel of the arrow [1/s]
#define AIM_PACE 5.0

/// Lets the player aim. The scene's toss is called on release.
/// @param toss function that throws from a point; null: aim_toss_ball
void aim_arm(struct stage *stage,
             void (*toss)(struct stage *stage, pv_vec2 from, pv_vec2 velocity));

/// Throws a heavy ball from a point so that it passes through another one after a time [s].
void aim_toss_at(struct stage *stage, pv_vec2 from, pv_vec2 at, double time);

/// Throws a heavy ball, if there is room.
void aim_toss_ball(struct stage *stage, pv_vec2 from, pv_vec2 velocity);

#endif
