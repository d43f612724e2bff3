/* window.h - screens in an SDL window.
 *
 * Invariant: the canvas has the size that the screen wants.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "screen.h"

/// Plays until the player has enough.
/// @param screen the first that is shown
/// @return exit status, after a complaint when there is no display
int window_run(struct screen *screen);

/* For screens */

/// Shows the other screen, from the next frame on.
void window_turn(struct window *window);
void window_quit(struct window *window);
void window_set_title(struct window *window, const char *title);
void window_toggle_fullscreen(struct window *window);

/// The picture without words, as it was drawn last.
const pv_canvas *window_canvas(const struct window *window);

/// Tells whether words can be shown.
bool window_has_words(const struct window *window);

/// A point of the window on the canvas [px].
pv_vec2 window_to_canvas(const struct window *window, int x, int y);

/// Returns where the window is on the display [px].
SDL_Point window_place(const struct window *window);

/// For those who draw besides the canvas, in `write` alone.
SDL_Renderer *window_renderer(const struct window *window);

#endif
