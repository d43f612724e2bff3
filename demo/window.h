/* window.h - a game in an SDL window.
 *
 * Invariant: window.c and hud.c are the only files that know SDL.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef WINDOW_H
#define WINDOW_H

#include "game.h"

/// Plays until the player has enough.
/// @return exit status, after a complaint when there is no display
int window_run(struct game *game);

#endif
