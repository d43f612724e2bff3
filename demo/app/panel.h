/* panel.h - the viewer's tools beside the scene: scenes, time, tuning, overlays, timings, and the
 * picked body.
 *
 * Invariant: the viewer performs all actions; the panel only has the places to click.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PANEL_H
#define PANEL_H

#include "app/widgets.h"
#include "viewer/viewer.h"

#define PANEL_WIDTH 280

/// Greatest number of rows in the list of scenes
enum { PANEL_ROWS = 80 };

/// Scenes in their groups, or those whose names contain what was typed
struct panel_list {
    struct widgets_list rows;
    /// Index of each row's scene; < 0: the name of the group of scene -1 - value
    int scenes[PANEL_ROWS];
    int count;
    /// Scene to which the list has been scrolled
    const struct scene *shown;
    /// True while letters go to the search
    bool searches;
    char typed[24];
};

/// Panel; hidden if all is zero except the viewer
struct panel {
    struct viewer *viewer;
    /// True if the player wants to see it
    bool wanted;
    struct widgets widgets;
    /// True for the page of tools, false for that of scenes
    bool tools;
    struct panel_list list;
    /// True from the press of a button on the panel to its release
    bool holds;
    /// True if the button for slow motion is on
    bool slow;
    /// Scroll position, and length of the whole panel, in units
    int top, bottom;
    /// Position of the next row, in units
    int y;
    /// Position of the slider for substeps while it is held; 0: not held
    double substeps;

    /* Text that changes slowly enough to be read */
    /// Time until the next change of the text [s]
    double age;
    struct meter_stage stages[METER_STAGES];
    char times[METER_STAGES][16], shared[16];
    char count[48], longest[32], source[64];
    struct inspect_line lines[INSPECT_LINES];
    int line_count;
};

/// Returns the width of the panel in units; 0: hidden.
int panel_width(const struct panel *panel);

/// Shows or hides the panel.
void panel_toggle(struct panel *panel);

/// Handles an event of the mouse on the panel.
/// @param width width of the panel in the window [px]
/// @param scale number of window pixels per unit
/// @return false if the event is for the scene
bool panel_hear(struct panel *panel, const SDL_Event *event, int width, double scale);

/// Opens the panel, and begins a search for a scene.
void panel_search(struct panel *panel);

/// Handles a key or a text while the search is open; Return starts the first match.
/// @return false if the event is for the scene
bool panel_type(struct panel *panel, const SDL_Event *event);

/// Lets time pass [s].
void panel_advance(struct panel *panel, double elapsed);

/// Draws the panel at the left of a window of a given height in units, and performs the clicked
/// actions.
void panel_draw(struct panel *panel, struct hud *hud, SDL_Renderer *renderer, int height);

#endif
