/* screen.h - what fills the window: the game or the viewer. It hears events, lets time pass and is drawn.
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
    void (*enter)(struct screen *screen); ///< it is shown from now on
    void (*leave)(struct screen *screen); ///< another one is
    void (*hear)(struct screen *screen, const SDL_Event *event);
    void (*advance)(struct screen *screen, double elapsed); ///< by real time [s]
    /// The size of its canvas in a window of a size [px]. A smaller canvas is shown in the middle, each pixel of it as
    /// large a square as fits.
    SDL_Point (*fit)(struct screen *screen, SDL_Point window);
    void (*draw)(struct screen *screen, const pv_canvas *canvas); ///< all of it
    void (*write)(struct screen *screen, struct hud *hud,
                  SDL_Rect shown);       ///< words, over where the canvas is shown
    void (*help)(struct screen *screen); ///< prints its keys
};

struct screen {
    const struct screen_kind *kind;
    struct window *window; ///< set by the window
    struct screen *other;  ///< the one that window_turn() shows
    int left;              ///< of the window, that the canvas leaves free: set in `fit` [px]
};

#endif
