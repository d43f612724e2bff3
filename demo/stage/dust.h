/* dust.h - particles that fly off where something breaks, and vanish after a while.
 *
 * Invariant: the user_data of each particle of the stage is the frame in which it vanishes.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef DUST_H
#define DUST_H

#include "stage/stage.h"

/// Throws particles from a disc.
/// @param velocity common velocity [px/s]
/// @param speed greatest additional speed of each [px/s]
void dust_burst(struct stage *stage, pv_vec2 at, double radius, int count, pv_vec2 velocity,
                double speed);

/// Raises a cloud of large soft particles, which touch nothing and rise slowly.
/// @param cloud composite of all clouds of the scene, painted with a transparent dot
void dust_cloud(struct stage *stage, pv_composite_id cloud, pv_vec2 at, double radius, int count);

/// Lets clouds float; called before each step.
void dust_float(struct stage *stage, pv_composite_id cloud);

/// Destroys old particles; called before each step, with frames counted from 1.
/// @param life mean life of particles whose end is not set yet [frames]
void dust_settle(struct stage *stage, int frame, int life);

#endif
