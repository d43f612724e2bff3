/* viewer_screen.h - the scene viewer as a screen.
 *
 * Invariant: what a key does is in the viewer; here is only which key.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef VIEWER_SCREEN_H
#define VIEWER_SCREEN_H

#include "panel.h"
#include "screen.h"
#include "viewer.h"

struct viewer_screen {
    /// Must be first
    struct screen screen;
    struct viewer *viewer;
    struct panel panel;
    /// What the window's title says
    const struct scene *titled;
    /// Of the window [px]
    int width;
    bool help;
    /// Since status was written
    int frames;
    /// [s]
    double status_age;
    char status[160];
};

/// @param viewer that it shows, borrowed
struct viewer_screen viewer_screen_make(struct viewer *viewer);

#endif
