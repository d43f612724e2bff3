/* hud.h - words on the screen.
 *
 * Invariant: without the font every call does nothing, and every size is 0.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef HUD_H
#define HUD_H

#include <SDL.h>
#include <stdbool.h>

/// How large words are.
enum hud_size { HUD_SMALL, HUD_NORMAL, HUD_LARGE, HUD_HUGE, HUD_SIZES };

struct hud;

/// @return null, after a line on stderr, when there is no font
struct hud *hud_open(SDL_Renderer *renderer);

/// Null is allowed.
void hud_close(struct hud *hud);

/// Returns how much room a text takes [px].
SDL_Point hud_measure(struct hud *hud, enum hud_size size, const char *text);

/// Draws a text. What was drawn lately is kept, so the same words cost little again.
/// @param color 0xRRGGBBAA
/// @param at the point that the text is aligned to [px]
/// @param align_x,align_y 0: its left or top is there, .5: its middle, 1: its right or bottom
/// @return where it was drawn
SDL_Rect hud_write(struct hud *hud, enum hud_size size, uint32_t color, const char *text,
                   SDL_Point at, double align_x, double align_y);

/// Draws a text in white on a dark box; else as hud_write().
SDL_Rect hud_box(struct hud *hud, const char *text, SDL_Point at, double align_x, double align_y);

#endif
