/* screen.h - the content of the window: the game or the viewer, with events, time and drawing.
 *
 * Invariant: exactly one screen is shown; the others get no events, and no time passes in them.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SCREEN_H
#define SCREEN_H

#include "app/hud.h"

#include <pixverlet.h>

struct window;
struct screen;

/// Functions of a screen; any may be null
struct screen_kind {
    /// Called when the screen is shown
    void (*enter)(struct screen *screen);
    /// Called when another screen is shown
    void (*leave)(struct screen *screen);
    void (*hear)(struct screen *screen, const SDL_Event *event);
    /// Lets real time pass [s].
    void (*advance)(struct screen *screen, double elapsed);
    /// Returns the size of its canvas in a window of a given size [px]. A smaller canvas is shown
    /// in the middle, each of its pixels as the largest square that fits.
    SDL_Point (*fit)(struct screen *screen, SDL_Point window);
    /// Paints the whole canvas.
    void (*draw)(struct screen *screen, const pv_canvas *canvas);
    /// Draws text over the canvas. Positions are in units of window_scale() pixels.
    void (*write)(struct screen *screen, struct hud *hud, SDL_Rect shown);
    /// Prints its keys.
    void (*help)(struct screen *screen);
};

struct screen {
    const struct screen_kind *kind;
    /// Window that shows the screen, and that sets this
    struct window *window;
    /// Screen that window_turn() shows
    struct screen *other;
    /// Width that the canvas leaves free at the left of the window; set in `fit` [window px]
    int left;
};

#endif
