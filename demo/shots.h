/* shots.h - iron balls that are thrown, and go on after they broke what they struck.
 *
 * Invariant: there are never more than SHOTS; a new one takes the place of the oldest.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SHOTS_H
#define SHOTS_H

#include "stage.h"

enum { SHOTS = 6 };

struct shots {
    /// Null after a failure
    struct sprite *sprite;
    /// Of a ball
    double density;
    /// Slower ones break nothing [px/s]
    double hard;
    /// Share of its velocity that a ball goes on with
    double keeps;
    /// How often one breaks something
    int most;
    int next;
    struct shot {
        pv_body_id body;
        /// Before the last step
        pv_vec2 velocity;
        int strikes;
    } shots[SHOTS];
};

/// Paints a ball.
/// @param radius of it [px]
struct sprite *shots_paint(struct stage *stage, int radius);

void shots_throw(struct stage *stage, struct shots *shots, pv_vec2 from, pv_vec2 velocity);

/// Tells whether a hit of the last step is one that breaks a body of some categories; the ball goes
/// on then.
/// @param velocity at which it came
/// @param strikes how often it broke something before
bool shots_strike(struct stage *stage, struct shots *shots, const pv_hit_event *hit, uint32_t kinds,
                  pv_vec2 *velocity, int *strikes);

/// To be called before each step, after the others.
void shots_note(struct stage *stage, struct shots *shots);

#endif
