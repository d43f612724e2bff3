/* viewer_screen.h - the scene viewer as a screen.
 *
 * Invariant: the viewer performs the actions of keys; the screen only assigns keys to them.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef VIEWER_SCREEN_H
#define VIEWER_SCREEN_H

#include "app/panel.h"
#include "app/recorder.h"
#include "app/screen.h"
#include "viewer/viewer.h"

struct viewer_screen {
    /// Screen, which must be first
    struct screen screen;
    struct viewer *viewer;
    struct panel panel;
    struct recorder recorder;
    /// Time of play since the last picture [s]
    double seen_for;
    /// Scene in the window's title
    const struct scene *titled;
    /// Width of the window, in units
    int width;
    bool help;
    /// Bar of the last seconds, in units; true while the mouse is near it, and while it drags it
    SDL_Rect bar;
    bool over_bar, scrubs;
    /// Remaining time in which Q quits [s]
    double asked;
    /// Number of frames since the last status text
    int frames;
    /// Age of the status text [s]
    double status_age;
    char status[160];
};

/// Creates the screen of a viewer.
/// @param viewer borrowed
struct viewer_screen viewer_screen_make(struct viewer *viewer);

/// Waits for a file that is being written, and frees the memory of a screen, but not the viewer.
void viewer_screen_close(struct viewer_screen *view);

#endif
