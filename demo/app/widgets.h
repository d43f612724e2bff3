/* widgets.h - buttons, toggles, sliders, lists, bars and graphs, drawn and queried in one call each
 * frame.
 *
 * Invariant: only the widget on which the mouse went down responds, until the release. No other
 * state of a widget is kept.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef WIDGETS_H
#define WIDGETS_H

#include "app/hud.h"

#include <stdint.h>

/// Common state of all widgets; zero except hud and renderer
struct widgets {
    struct hud *hud;
    SDL_Renderer *renderer;
    /// Rectangle outside which widgets are neither drawn nor clicked [px]
    SDL_Rect seen;
    /// Place of the mouse [px]
    SDL_Point mouse;
    /// Place of the last press of the left button [px]
    SDL_Point down;
    /// True if the left button was pressed, and released, since the last frame
    bool pressed, released;
    /// Notches that the wheel turned since the last frame; positive: up
    int wheel;
    /// Widget on which the mouse went down, or null
    const void *active;
};

/// Action of the player on a slider
enum widgets_grip { WIDGETS_NOTHING, WIDGETS_MOVES, WIDGETS_LETS_GO };

/// Notes an event of the mouse.
void widgets_hear(struct widgets *widgets, const SDL_Event *event);

/// Begins the widgets of a frame; widgets_end() ends them.
void widgets_begin(struct widgets *widgets, SDL_Rect seen);
void widgets_end(struct widgets *widgets);

/// Draws a filled rectangle, 0xRRGGBBAA.
void widgets_fill(struct widgets *widgets, SDL_Rect rect, uint32_t color);

/// Draws small text in a rectangle, centered vertically.
/// @param align 0: left, 1: right
void widgets_words(struct widgets *widgets, SDL_Rect rect, const char *text, double align,
                   uint32_t color);

/* Widgets. Each is identified with the address of its label, or of its list. */

/// Draws a button.
/// @return true if it was clicked
bool widgets_button(struct widgets *widgets, SDL_Rect rect, const char *label, bool lit);

/// Draws a box with a tick if it is on.
/// @return true if it was clicked
bool widgets_toggle(struct widgets *widgets, SDL_Rect rect, const char *label, bool on);

/// Draws a slider: a label, a groove with a knob, and text for the value.
/// @param value changed with the mouse
/// @param shown text for the value
/// @param set false for a value that the player has not set; the knob is then dim
enum widgets_grip widgets_slider(struct widgets *widgets, SDL_Rect rect, const char *label,
                                 double *value, double least, double most, const char *shown,
                                 bool set);

/// Height of a row of a list [px]
#define WIDGETS_ROW 17

/// State of a list
struct widgets_list {
    /// First visible row
    int scroll;
};

/// Texts of a list, and which of them are titles
struct widgets_names {
    const char *(*name)(const void *user_data, int row);
    bool (*is_title)(const void *user_data, int row);
    const void *user_data;
};

/// Draws rows of text that the wheel scrolls.
/// @param current row with a highlight
/// @return row that was clicked, or -1
int widgets_rows(struct widgets *widgets, SDL_Rect rect, struct widgets_list *list, int count,
                 const struct widgets_names *names, int current);

/// Draws a bar between a label and text, filled to a share of its length, 0...1.
void widgets_bar(struct widgets *widgets, SDL_Rect rect, const char *label, double share,
                 const char *words);

/// Draws columns side by side, the last at the right.
/// @param value height of a column, 0...1
void widgets_graph(struct widgets *widgets, SDL_Rect rect, int count,
                   double (*value)(const void *user_data, int i), const void *user_data);

#endif
