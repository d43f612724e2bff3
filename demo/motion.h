/* motion.h - where bodies and particles are between two steps: smooth at any frame rate, and in
 * slow motion.
 *
 * Invariant: only reads the world.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef MOTION_H
#define MOTION_H

#include <pixverlet.h>

/// The placements before the last step. All zero is an empty one.
struct motion {
    /// By the index of the body
    struct motion_past *past;
    uint32_t capacity;
    /// By the index of the particle
    struct motion_grain *grains;
    uint32_t grain_capacity;
};

/// Remembers where all bodies and particles are; to be called before a step. Without memory new
/// ones just jump.
void motion_record(struct motion *motion, const pv_world *world);

/// Returns where a body is at a fraction of the way from the recorded placement to the current one.
/// @param fraction 0...1
pv_transform motion_at(const struct motion *motion, const pv_world *world, pv_body_id body,
                       double fraction);

/// The same of a particle.
pv_vec2 motion_particle_at(const struct motion *motion, const pv_world *world,
                           pv_particle_id particle, double fraction);

/// Forgets all.
void motion_free(struct motion *motion);

#endif
