/* viewer_screen.h - the scene viewer as a screen.
 *
 * Invariant: the viewer performs the actions of keys; the screen only assigns keys to them.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef VIEWER_SCREEN_H
#define VIEWER_SCREEN_H

#include "app/panel.h"
#include "app/screen.h"
#include "viewer/viewer.h"

struct viewer_screen {
    /// Screen, which must be first
    struct screen screen;
    struct viewer *viewer;
    struct panel panel;
    /// Scene in the window's title
    const struct scene *titled;
    /// Width of the window, in units
    int width;
    bool help;
    /// Number of frames since the last status text
    int frames;
    /// Age of the status text [s]
    double status_age;
    char status[160];
};

/// Creates the screen of a viewer.
/// @param viewer borrowed
struct viewer_screen viewer_screen_make(struct viewer *viewer);

#endif
