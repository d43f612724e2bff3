/* rounds.h - what happens by itself in a scene that rests, while nobody touches it.
 *
 * Invariant: a touch of the player begins the rest anew.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "stage/stage.h"

/// Round of a scene, in steps: a rest, acts, and a new beginning
struct rounds {
    /// Steps before the first act, from one act to the next, and number of acts
    int rest, pace, acts;
    /// Steps from the last act to the new beginning
    int ends;
    /// Plays an act, the first is 0
    void (*act)(struct stage *stage, int which);
    /// Creates the moving bodies of the beginning; the scene has none then
    void (*build)(struct stage *stage);
};

/// Plays what is due after so many steps without a touch.
void rounds_play(struct stage *stage, const struct rounds *rounds);

#endif
