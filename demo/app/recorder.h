/* recorder.h - keeps the last seconds of a screen, and writes them as a GIF while the play goes on.
 *
 * Invariant: a separate thread writes a file from a copy, one at a time.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef RECORDER_H
#define RECORDER_H

#include "app/clip.h"

#include <SDL.h>

/// Length of a recording [s]
enum { RECORDER_SECONDS = 5 };

/// Recorder; all zero has no pictures
struct recorder {
    struct clip clip;
    /// Time until the next picture [s]
    double due;
    /// Copy that is written, and its file
    struct clip written;
    char path[32];
    SDL_Thread *thread;
    SDL_atomic_t done;
};

/// Keeps the canvas if a picture is due.
/// @param elapsed time since the last call, without pauses [s]
void recorder_see(struct recorder *recorder, const pv_canvas *canvas, double elapsed);

/// Begins to write a clip to a file with a free name. Its own clip has the last seconds.
/// @return false if there is no picture, free name or memory, or a file is still being written
bool recorder_save(struct recorder *recorder, const struct clip *clip);

/// Returns the name of a file that was finished since the last call, or null.
/// @param written false if the file could not be written
const char *recorder_finished(struct recorder *recorder, bool *written);

/// Waits for the file that is being written, and frees all pictures.
void recorder_close(struct recorder *recorder);

#endif
