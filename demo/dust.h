/* dust.h - particles that fly where something breaks, and go after a while.
 *
 * Invariant: the user_data of each particle of the stage is the frame in which it goes.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef DUST_H
#define DUST_H

#include "stage.h"

/// Throws particles about from a disc.
/// @param velocity of all of them [px/s]
/// @param speed of each besides, at most [px/s]
void dust_burst(struct stage *stage, pv_vec2 at, double radius, int count, pv_vec2 velocity,
                double speed);

/// Takes out what is old; to be called before each step, frame by frame from 1 on.
/// @param life of crumbs of the world's, about [frames]
void dust_settle(struct stage *stage, int frame, int life);

#endif
