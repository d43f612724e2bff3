/* rounds.h - what a scene at rest does by itself while nobody touches it.
 *
 * Invariant: a touch of the player restarts the rest.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "stage/stage.h"

/// Round of a scene, in steps: a rest, acts, and a restart
struct rounds {
    /// Steps before the first act, from one act to the next, and number of acts
    int rest, pace, acts;
    /// Steps from the last act to the restart
    int ends;
    /// Plays an act; the first is 0
    void (*act)(struct stage *stage, int which);
    /// Creates the moving bodies for a restart; the old ones are gone by then
    void (*build)(struct stage *stage);
};

/// Plays what is due after stage->idle steps without a touch.
void rounds_play(struct stage *stage, const struct rounds *rounds);

#endif
