/* widgets.h - buttons, toggles, sliders, lists, bars and graphs that are drawn and asked in one go,
 * frame by frame.
 *
 * Invariant: only the one that the mouse went down on answers until it is released. Nothing of a
 * widget is kept but that.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef WIDGETS_H
#define WIDGETS_H

#include "hud.h"

#include <stdint.h>

/// What all of them share. Zero but for where they are drawn.
struct widgets {
    struct hud *hud;
    SDL_Renderer *renderer;
    /// What is beside it is neither drawn nor hit [px]
    SDL_Rect seen;
    /// [px]
    SDL_Point mouse;
    /// Where the left button went down last [px]
    SDL_Point down;
    /// Since the last frame
    bool pressed, released;
    /// Notches since then, up is > 0
    int wheel;
    /// The widget that the mouse went down on, or null
    const void *active;
};

/// What the player does to a slider.
enum widgets_grip { WIDGETS_NOTHING, WIDGETS_MOVES, WIDGETS_LETS_GO };

/// Takes note of what the mouse does.
void widgets_hear(struct widgets *widgets, const SDL_Event *event);

/// To be called around a frame's widgets.
void widgets_begin(struct widgets *widgets, SDL_Rect seen);
void widgets_end(struct widgets *widgets);

/// A filled rectangle, 0xRRGGBBAA.
void widgets_fill(struct widgets *widgets, SDL_Rect rect, uint32_t color);

/// Small words in a rectangle, in the middle of its height.
/// @param align 0: at its left, 1: at its right
void widgets_words(struct widgets *widgets, SDL_Rect rect, const char *text, double align,
                   uint32_t color);

/* A widget is known by the address of its label, or of its list. */

/// @return whether it was clicked
bool widgets_button(struct widgets *widgets, SDL_Rect rect, const char *label, bool lit);

/// A box that is ticked when on.
/// @return whether it was clicked
bool widgets_toggle(struct widgets *widgets, SDL_Rect rect, const char *label, bool on);

/// A label, a groove with a knob, and words for the value.
/// @param value changed by the mouse
/// @param shown what the value is in words
/// @param set false: it is not the player's, so the knob is dim
enum widgets_grip widgets_slider(struct widgets *widgets, SDL_Rect rect, const char *label,
                                 double *value, double least, double most, const char *shown,
                                 bool set);

/// Height of a row of a list [px].
#define WIDGETS_ROW 17

/// What a list shows.
struct widgets_list {
    /// Its first row that is seen
    int scroll;
};

/// Rows of words that the wheel moves.
/// @param current the one that is lit
/// @return the row that was clicked, or -1
int widgets_rows(struct widgets *widgets, SDL_Rect rect, struct widgets_list *list, int count,
                 const char *(*name)(int row), int current);

/// A bar of a share of its length, 0...1, between a label and words.
void widgets_bar(struct widgets *widgets, SDL_Rect rect, const char *label, double share,
                 const char *words);

/// Columns side by side, the last at the right.
/// @param value of each, 0...1
void widgets_graph(struct widgets *widgets, SDL_Rect rect, int count,
                   double (*value)(const void *user_data, int i), const void *user_data);

#endif
