/* shots.h - thrown iron balls, which fly on after they break something.
 *
 * Invariant: there are never more than SHOTS balls; a new one replaces the oldest.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SHOTS_H
#define SHOTS_H

#include "stage/stage.h"

enum { SHOTS = 6 };

struct shots {
    /// Null after a failure
    struct sprite *sprite;
    /// Density of a ball
    double density;
    /// Least speed of a ball that breaks something [px/s]
    double hard;
    /// Fraction of its velocity that a ball keeps when it breaks a body
    double keeps;
    /// Greatest number of bodies that a ball breaks
    int most;
    int next;
    struct shot {
        pv_body_id body;
        /// Velocity before the last step
        pv_vec2 velocity;
        int strikes;
    } shots[SHOTS];
};

/// Paints a ball.
/// @param radius radius of the ball [px]
struct sprite *shots_paint(struct stage *stage, int radius);

void shots_throw(struct stage *stage, struct shots *shots, pv_vec2 from, pv_vec2 velocity);

/// Tells whether a hit of the last step breaks a body of some categories. If so, the ball flies on,
/// slower.
/// @param velocity gets the ball's velocity before the hit
/// @param strikes gets the number of bodies that it broke before
bool shots_strike(struct stage *stage, struct shots *shots, const pv_hit_event *hit, uint32_t kinds,
                  pv_vec2 *velocity, int *strikes);

/// Notes the velocities of all balls; called before each step, after the functions above.
void shots_note(struct stage *stage, struct shots *shots);

#endif
