/* window.h - shows screens in an SDL window.
 *
 * Invariant: the canvas has the size that the screen wants.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "app/screen.h"

/// Shows screens until the player quits.
/// @param screen first screen
/// @return exit status, after a complaint if there is no display
int window_run(struct screen *screen);

/* For screens */

/// Shows the other screen from the next frame on.
void window_turn(struct window *window);
void window_quit(struct window *window);
void window_set_title(struct window *window, const char *title);
void window_toggle_fullscreen(struct window *window);

/// Draws the window's picture with its text, and writes it as a PNG file.
/// @return false if that fails
bool window_write_picture(struct window *window, const char *path);

/// Tells whether text can be shown.
bool window_has_words(const struct window *window);

/// Converts a point of the window to the canvas [px].
pv_vec2 window_to_canvas(const struct window *window, int x, int y);

/// Returns the number of window pixels per unit of `write`: 1, 1.5, 2 and so on, by the window's
/// size.
double window_scale(const struct window *window);

/// Returns the position of the window on the display [px].
SDL_Point window_place(const struct window *window);

/// Returns the renderer, for drawing outside the canvas; only for use in `write`.
SDL_Renderer *window_renderer(const struct window *window);

#endif
