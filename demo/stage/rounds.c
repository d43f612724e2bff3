/* rounds.c - plays acts at equal intervals, and then starts over.
 *
 * Invariant: only the number of steps without a touch decides what is due.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/rounds.h"

void rounds_play(struct stage *stage, const struct rounds *rounds) {
    int since = stage->idle - rounds->rest, which = since / rounds->pace;
    if (since < 0) return;
    if (since == rounds->pace * (rounds->acts - 1) + rounds->ends) {
        stage_clear_moving(stage);
        rounds->build(stage);
        stage->idle = 0;
    } else if (since % rounds->pace == 0 && which < rounds->acts)
        rounds->act(stage, which);
}
