/* highlight.h - the biggest split of a play, kept as a clip to be written as a GIF.
 *
 * Invariant: the clip ends a moment after the split, so that its parts are seen.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef HIGHLIGHT_H
#define HIGHLIGHT_H

#include "app/recorder.h"

/// Highlight; all zero has nothing
struct highlight {
    struct recorder recorder;
    /// Clip of the biggest split so far
    struct clip best;
    /// Number of pixels of the part that came off
    int64_t size;
    /// Time until the clip is kept [s]; <= 0: none waits
    double wait;
};

/// Forgets the last play.
void highlight_begin(struct highlight *highlight);

/// Notes a split.
/// @param pixels size of the part that came off
void highlight_split(struct highlight *highlight, int64_t pixels);

/// Keeps a picture of the play.
/// @param elapsed time since the last call [s]
void highlight_see(struct highlight *highlight, const pv_canvas *canvas, double elapsed);

void highlight_close(struct highlight *highlight);

#endif
