/* motion.h - poses between two steps, smooth at any frame rate and in slow motion.
 *
 * Invariant: recording only reads the world.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef MOTION_H
#define MOTION_H

#include <pixverlet.h>

/// Poses before the last step; all zero is an empty record
struct motion {
    /// Poses by the index of the body
    struct motion_past *past;
    uint32_t capacity;
    /// Positions by the index of the particle
    struct motion_grain *grains;
    uint32_t grain_capacity;
};

/// Records all bodies and particles; called before a step. If memory runs out, new ones just jump.
void motion_record(struct motion *motion, const pv_world *world);

/// Returns the transform of a body between its recorded pose and the current one.
/// @param fraction 0...1
pv_transform motion_at(const struct motion *motion, const pv_world *world, pv_body_id body,
                       double fraction);

/// Returns the position of a particle between its recorded position and the current one [px].
pv_vec2 motion_particle_at(const struct motion *motion, const pv_world *world,
                           pv_particle_id particle, double fraction);

/// Frees the record.
void motion_free(struct motion *motion);

#endif
