/* recorder.c - keeps the last seconds of a screen, and writes them as a GIF while the play goes on.
 *
 * Invariant: while a thread runs, it alone uses the copy.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/recorder.h"

#include "platform/free_name.h"

/// States of a file
enum { RECORDER_WRITES = 0, RECORDER_WROTE, RECORDER_FAILED };

void recorder_see(struct recorder *recorder, const pv_canvas *canvas, double elapsed) {
    const double period = 1.0 / CLIP_RATE;
    recorder->due -= elapsed;
    if (recorder->due > 0) return;
    recorder->due = recorder->due > -period ? recorder->due + period : period;
    clip_see(&recorder->clip, canvas, RECORDER_SECONDS * CLIP_RATE);
}

static int write_copy(void *user_data) {
    struct recorder *recorder = user_data;
    bool written = clip_write(&recorder->written, recorder->path);
    SDL_AtomicSet(&recorder->done, written ? RECORDER_WROTE : RECORDER_FAILED);
    return 0;
}

bool recorder_save(struct recorder *recorder, const struct clip *clip) {
    if (recorder->thread || clip->count == 0 ||
        !free_name(recorder->path, sizeof recorder->path, "clip", "gif") ||
        !clip_copy(&recorder->written, clip, clip->count))
        return false;
    SDL_AtomicSet(&recorder->done, RECORDER_WRITES);
    recorder->thread = SDL_CreateThread(write_copy, "recorder", recorder);
    if (!recorder->thread) clip_close(&recorder->written);
    return recorder->thread != NULL;
}

static void join(struct recorder *recorder) {
    SDL_WaitThread(recorder->thread, NULL);
    recorder->thread = NULL;
    clip_close(&recorder->written);
}

const char *recorder_finished(struct recorder *recorder, bool *written) {
    int state = SDL_AtomicGet(&recorder->done);
    if (!recorder->thread || state == RECORDER_WRITES) return NULL;
    join(recorder);
    *written = state == RECORDER_WROTE;
    return recorder->path;
}

void recorder_close(struct recorder *recorder) {
    if (recorder->thread) join(recorder);
    clip_close(&recorder->clip);
}
