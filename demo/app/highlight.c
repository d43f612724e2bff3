/* highlight.c - the biggest split of a play, kept as a clip to be written as a GIF.
 *
 * Invariant: while a split waits for its clip, a smaller one does not take its place.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/highlight.h"

/// Time after a split at which its clip ends, and length of the clip [s]
static const double after = 1.8, length = 3;

void highlight_begin(struct highlight *highlight) {
    clip_close(&highlight->best);
    highlight->size = 0;
    highlight->wait = 0;
}

void highlight_split(struct highlight *highlight, int64_t pixels) {
    if (pixels <= highlight->size) return;
    highlight->size = pixels;
    highlight->wait = after;
}

void highlight_see(struct highlight *highlight, const pv_canvas *canvas, double elapsed) {
    recorder_see(&highlight->recorder, canvas, elapsed);
    if (highlight->wait <= 0) return;
    highlight->wait -= elapsed;
    if (highlight->wait > 0) return;
    clip_close(&highlight->best);
    clip_copy(&highlight->best, &highlight->recorder.clip, (int)(length * CLIP_RATE));
}

void highlight_close(struct highlight *highlight) {
    clip_close(&highlight->best);
    recorder_close(&highlight->recorder);
}
