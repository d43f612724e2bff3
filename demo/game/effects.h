/* effects.h - effects that are only seen: glowing cuts, sparks, rings, trails, shake and flash.
 *
 * Invariant: the rules read nothing here, and effects have random numbers of their own. A play is
 * the same without them.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef EFFECTS_H
#define EFFECTS_H

#include "stage/stage.h"

enum { EFFECTS_GLOWS = 96, EFFECTS_SPARKS = 512, EFFECTS_RINGS = 16, EFFECTS_TRAIL = 26 };

struct effects {
    /// State of the random numbers
    uint32_t dice;
    /// Fresh cuts, in pixels of a body's picture
    struct glow {
        pv_body_id body;
        pv_vec2 from, to;
        double radius;
        /// Age [frames]
        int age;
    } glows[EFFECTS_GLOWS];
    struct spark {
        pv_vec2 at, velocity;
        uint32_t color;
        /// Age and life [frames]; life 0: unused
        int age, life;
        /// Initial size [px]
        double size;
    } sparks[EFFECTS_SPARKS];
    /// Shock waves
    struct ring {
        pv_vec2 at;
        uint32_t color;
        /// Final radius [px]
        double reach;
        int age, life;
    } rings[EFFECTS_RINGS];
    /// Counts of entries so far; modulo the array sizes, the next slots
    unsigned next_glow, next_spark, next_ring;
    /// Recent places of the ship, newest first
    pv_vec2 trail[EFFECTS_TRAIL];
    int trail_length;
    /// Amplitude of the view's shake [px]
    double shake;
    /// Displacement of the view [px]
    pv_vec2 offset;
    /// Brightness of a flash over the whole view, 0...1
    double flash;
};

/// Advances all effects by a frame.
void effects_step(struct effects *effects);

/// Throws sparks in all directions.
/// @param velocity common velocity [px/s]
/// @param speed greatest additional speed [px/s]
/// @param life longest life [frames]
void effects_burst(struct effects *effects, pv_vec2 at, pv_vec2 velocity, double speed, int count,
                   uint32_t color, int life);

/// Adds a single spark.
void effects_spark(struct effects *effects, struct spark spark);

/// Adds a shock wave.
void effects_ring(struct effects *effects, pv_vec2 at, double reach, int life, uint32_t color);

/// Makes the rim of a cut glow on all bodies of some categories.
/// @param from,to ends of the cut; equal for a disc [px]
void effects_glow(struct effects *effects, const struct stage *stage, uint32_t kinds, pv_vec2 from,
                  pv_vec2 to, double radius);

/// Returns the distance of a point from a segment [px].
double effects_distance(pv_vec2 at, pv_vec2 from, pv_vec2 to);

/// Shakes the view with at least this amplitude [px].
void effects_shake(struct effects *effects, double amplitude);

/// Adds a place to the ship's trail.
void effects_trail(struct effects *effects, pv_vec2 at);

/// Returns a random number in [low, high).
double effects_uniform(struct effects *effects, double low, double high);

#endif
