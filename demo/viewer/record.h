/* record.h - records the view as numbered PNG files, or as a strip of a few pictures side by side.
 *
 * Invariant: pictures are equally far apart in the scene's time, even if writing them takes long.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef RECORD_H
#define RECORD_H

#include <pixverlet.h>

/// Time between two pictures of a recording, and of a strip [s]
#define RECORD_PERIOD (1.0 / 30)
#define RECORD_STRIP_PERIOD .25
/// Number of pictures in a strip, and greatest width of each [px]
#define RECORD_STRIP_FRAMES 8
#define RECORD_STRIP_WIDTH 320

enum record_kind { RECORD_NOTHING = 0, RECORD_FRAMES, RECORD_STRIP };

/// Recording; all zero records nothing
struct record {
    enum record_kind kind;
    /// Name, "record-000" or "strip-000.png"
    char place[32];
    /// Number of pictures so far
    int taken;
    /// Time of the scene since the last picture [s]
    double elapsed;
    /// Strip so far, owned
    pv_canvas strip;
    /// Number of pixels that became one, along each axis
    int shrunk;
};

/// Begins to write numbered pictures into a new directory, or a strip, in the working directory.
/// @return false if there is no free name
bool record_begin(struct record *record, enum record_kind kind);

/// Records the canvas if a picture is due.
/// @param elapsed time of the scene since the last call [s]
/// @return false if the picture could not be written, which ends the recording
bool record_see(struct record *record, const pv_canvas *canvas, double elapsed);

/// Ends a recording, and writes the strip so far.
/// @return false if that fails
bool record_end(struct record *record);

#endif
