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
    struct screen screen; ///< must be first
    struct viewer *viewer;
    struct panel panel;
    const struct scene *titled; ///< what the window's title says
    int width;                  ///< of the window [px]
    bool help;
    int frames;        ///< since status was written
    double status_age; ///< [s]
    char status[160];
};

/// @param viewer that it shows, borrowed
struct viewer_screen viewer_screen_make(struct viewer *viewer);

#endif
