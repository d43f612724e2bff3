/* rewind.h - the last seconds of a stage, to go back to.
 *
 * Invariant: moments are equally far apart in the scene's time, the oldest first. While there are
 * any, no picture of a body is freed.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef REWIND_H
#define REWIND_H

#include "stage/stage.h"

/// Steps between two moments, and greatest number of moments: 20 s
enum { REWIND_STEPS = 6, REWIND_MOST = 200 };

/// State of a stage
struct moment {
    void *world;
    size_t size;
    void *memory;
    uint64_t dice;
    bool outlined;
    int idle;
    struct stage_label labels[STAGE_MAX_LABELS];
    int label_count;
};

/// History; all zero is empty
struct rewind {
    struct moment moments[REWIND_MOST];
    int first, count;
    /// Steps until the next moment
    int left;
    /// Bytes of all moments
    size_t total;
    /// Moments since the masks of old ones were last released
    int held;
};

/// Notes a stage after a step, if a moment is due. If memory runs out, it forgets all moments.
void rewind_note(struct rewind *rewind, struct stage *stage);

/// Takes a stage back to a moment. Later moments are kept, to go forward again.
/// @param which 0...count - 1
void rewind_go(struct rewind *rewind, struct stage *stage, int which);

/// Forgets all moments after one, from which the stage goes on.
void rewind_resume(struct rewind *rewind, int which);

/// Forgets all moments.
void rewind_clear(struct rewind *rewind, struct stage *stage);

#endif
