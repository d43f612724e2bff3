/* hud.h - words on the screen.
 *
 * Invariant: without the font every call does nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef HUD_H
#define HUD_H

#include <SDL.h>
#include <stdbool.h>

/// One text each, kept drawn until it changes.
enum hud_slot {
    HUD_STATUS,
    HUD_HINT,
    HUD_MESSAGE,
    HUD_KEYS,
    HUD_MEANINGS,
    HUD_LABELS, ///< the first of 16
    HUD_SLOTS = HUD_LABELS + 16
};

struct hud;

/// @return null, after a line on stderr, when there is no font
struct hud *hud_open(SDL_Renderer *renderer);

/// Null is allowed.
void hud_close(struct hud *hud);

/// Draws a text on a dark box.
/// @param x,y the point that the box is aligned to [px]
/// @param align_x,align_y 0: the box's left or top is there, .5: its middle, 1: its right or bottom
/// @return where it was drawn
SDL_Rect hud_draw(struct hud *hud, int slot, const char *text, SDL_Point at, double align_x, double align_y);

#endif
