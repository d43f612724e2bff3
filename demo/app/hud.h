/* hud.h - text on the screen, as large as the window allows.
 *
 * Invariant: without the font every call does nothing, and every size is 0.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef HUD_H
#define HUD_H

#include <SDL.h>
#include <stdbool.h>

/// Size of text
enum hud_size { HUD_SMALL, HUD_NORMAL, HUD_LARGE, HUD_HUGE, HUD_SIZES };

struct hud;

/// Opens the font.
/// @return null, after a line on stderr, if there is no font
struct hud *hud_open(SDL_Renderer *renderer);

/// Closes the font; null is allowed.
void hud_close(struct hud *hud);

/// Sets the number of window pixels per unit, 1 at first, and opens the fonts for it. All positions
/// and sizes below are in units.
void hud_set_scale(struct hud *hud, double scale);

/// Returns the size of a text.
SDL_Point hud_measure(struct hud *hud, enum hud_size size, const char *text);

/// Draws a text. Recent texts are cached, so drawing one again costs little.
/// @param color 0xRRGGBBAA
/// @param at point to which the text is aligned
/// @param align_x,align_y 0: left or top edge, .5: middle, 1: right or bottom edge
/// @return rectangle of the text
SDL_Rect hud_write(struct hud *hud, enum hud_size size, uint32_t color, const char *text,
                   SDL_Point at, double align_x, double align_y);

/// Draws a text from the upper left of a rectangle, wrapped to its width.
void hud_wrap(struct hud *hud, enum hud_size size, uint32_t color, const char *text, SDL_Rect rect);

/// Draws a text in white on a dark box; otherwise as hud_write().
SDL_Rect hud_box(struct hud *hud, const char *text, SDL_Point at, double align_x, double align_y);

#endif
