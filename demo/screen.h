/* screen.h - what fills the window: the game or the viewer. It hears events, lets time pass and is
 * drawn.
 *
 * Invariant: exactly one screen is shown; the others hear nothing and no time passes in them.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SCREEN_H
#define SCREEN_H

#include "hud.h"

#include <pixverlet.h>

struct window;
struct screen;

/// How a screen does it; none is null.
struct screen_kind {
    /// It is shown from now on
    void (*enter)(struct screen *screen);
    /// Another one is
    void (*leave)(struct screen *screen);
    void (*hear)(struct screen *screen, const SDL_Event *event);
    /// By real time [s]
    void (*advance)(struct screen *screen, double elapsed);
    /// The size of its canvas in a window of a size [px]. A smaller canvas is shown in the middle,
    /// each pixel of it as large a square as fits.
    SDL_Point (*fit)(struct screen *screen, SDL_Point window);
    /// All of it
    void (*draw)(struct screen *screen, const pv_canvas *canvas);
    /// Words, over where the canvas is shown
    void (*write)(struct screen *screen, struct hud *hud, SDL_Rect shown);
    /// Prints its keys
    void (*help)(struct screen *screen);
};

struct screen {
    const struct screen_kind *kind;
    /// Set by the window
    struct window *window;
    /// The one that window_turn() shows
    struct screen *other;
    /// Of the window, that the canvas leaves free: set in `fit` [px]
    int left;
};

#endif
