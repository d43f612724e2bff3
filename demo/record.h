/* record.h - what is seen as numbered PNG files, or as a strip: a few pictures side by side in one.
 *
 * Invariant: pictures are equally far apart in the scene's time, however long it takes to write
 * them.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef RECORD_H
#define RECORD_H

#include <pixverlet.h>

/// From a frame to the next one of a recording, and of a strip [s].
#define RECORD_PERIOD (1.0 / 30)
#define RECORD_STRIP_PERIOD .25
/// Pictures of a strip, and how wide each is at most [px].
#define RECORD_STRIP_FRAMES 8
#define RECORD_STRIP_WIDTH 320

enum record_kind { RECORD_NOTHING = 0, RECORD_FRAMES, RECORD_STRIP };

/// All zero records nothing.
struct record {
    enum record_kind kind;
    /// "record-000" or "strip-000.png"
    char place[32];
    /// Pictures
    int taken;
    /// Of the scene's time since the last picture [s]
    double elapsed;
    /// As far as it is, owned
    pv_canvas strip;
    /// How many pixels became one, along each side
    int shrunk;
};

/// Begins to write numbered pictures into a new directory, or to put a strip together, here in the
/// working directory.
/// @return false when there is no place for it
bool record_begin(struct record *record, enum record_kind kind);

/// A moment of the scene's time has gone by and is seen; takes it when it is due.
/// @param elapsed since the last call [s]
/// @return false when it could not be written: then it has ended
bool record_see(struct record *record, const pv_canvas *canvas, double elapsed);

/// Ends it; what there is of a strip is written.
/// @return false when that could not be done
bool record_end(struct record *record);

#endif
