/* panel.h - the viewer's tools beside the scene: scenes, time, tuning, overlays, timings, and what
 * was clicked on.
 *
 * Invariant: what it does to the viewer is in the viewer; here is only where it is clicked.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PANEL_H
#define PANEL_H

#include "viewer.h"
#include "widgets.h"

#define PANEL_WIDTH 280

/// All zero but the viewer: shown where there is room.
struct panel {
    struct viewer *viewer;
    /// The player has said so, and what
    bool decided, wanted;
    struct widgets widgets;
    struct widgets_list scenes;
    /// That the list has been scrolled to
    const struct scene *listed;
    /// A button went down on it and is not up yet
    bool holds;
    /// Its button is on
    bool slow;
    /// Of all there is: how far it is scrolled, and how long it is [px]
    int top, bottom;
    /// Where the next row goes [px]
    int y;
    /// Where their slider is, while it is held; 0: it is not
    double substeps;

    /* words that change no oftener than they can be read */
    /// [s]
    double age;
    struct meter_stage stages[METER_STAGES];
    char times[METER_STAGES][16];
    char count[48], longest[32];
    struct inspect_line lines[INSPECT_LINES];
    int line_count;
};

/// Returns how wide it is in a window of a width; 0: it is not shown [px].
int panel_width(const struct panel *panel, int window);

/// Shows it, or hides it, whatever the window's width.
void panel_toggle(struct panel *panel, int window);

/// Takes an event of the mouse that is its own.
/// @param width its own, as panel_width() tells
/// @return false: it is the scene's
bool panel_hear(struct panel *panel, const SDL_Event *event, int width);

/// Lets time pass [s].
void panel_advance(struct panel *panel, double elapsed);

/// Draws it at the left of a window of a height, and does what was clicked.
void panel_draw(struct panel *panel, struct hud *hud, SDL_Renderer *renderer, int height);

#endif
