/* hud.c - text by SDL2_ttf in DejaVu Sans.
 *
 * Invariant: a slot's texture shows the slot's text.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "hud.h"

#include <SDL_ttf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FONT_PATH
#define FONT_PATH "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
#endif

#define FONT_SIZE 15
#define PADDING 6

struct label {
    char text[1024];
    SDL_Texture *texture;
    int width, height;
};

struct hud {
    SDL_Renderer *renderer;
    TTF_Font *font;
    struct label labels[HUD_SLOTS];
};

struct hud *hud_open(SDL_Renderer *renderer) {
    struct hud *hud = calloc(1, sizeof *hud);
    if (hud && TTF_Init() == 0) {
        hud->renderer = renderer;
        hud->font = TTF_OpenFont(FONT_PATH, FONT_SIZE);
        if (hud->font) return hud;
        TTF_Quit();
    }
    fprintf(stderr, "pixverlet-demo: %s: no font, so no words on the screen\n", FONT_PATH);
    free(hud);
    return NULL;
}

void hud_close(struct hud *hud) {
    if (!hud) return;
    for (int i = 0; i < HUD_SLOTS; i++)
        if (hud->labels[i].texture) SDL_DestroyTexture(hud->labels[i].texture);
    TTF_CloseFont(hud->font);
    TTF_Quit();
    free(hud);
}

/// Draws the text anew when it changed.
static void write_label(struct hud *hud, struct label *label, const char *text) {
    const SDL_Color white = {255, 255, 255, 255};
    if (label->texture && strcmp(label->text, text) == 0) return;
    if (label->texture) SDL_DestroyTexture(label->texture);
    label->texture = NULL;
    snprintf(label->text, sizeof label->text, "%s", text);
    SDL_Surface *surface = TTF_RenderUTF8_Blended_Wrapped(hud->font, label->text, white, 0);
    if (!surface) return;
    label->texture = SDL_CreateTextureFromSurface(hud->renderer, surface);
    label->width = surface->w;
    label->height = surface->h;
    SDL_FreeSurface(surface);
}

SDL_Rect hud_draw(struct hud *hud, int slot, const char *text, SDL_Point at, double align_x, double align_y) {
    SDL_Rect box = {at.x, at.y, 0, 0};
    if (!hud || !text[0]) return box;
    struct label *label = &hud->labels[slot];
    write_label(hud, label, text);
    if (!label->texture) return box;
    box.w = label->width + 2 * PADDING;
    box.h = label->height + 2 * PADDING;
    box.x -= (int)(box.w * align_x);
    box.y -= (int)(box.h * align_y);
    SDL_SetRenderDrawColor(hud->renderer, 12, 16, 28, 150);
    SDL_RenderFillRect(hud->renderer, &box);
    SDL_Rect inner = {box.x + PADDING, box.y + PADDING, label->width, label->height};
    SDL_RenderCopy(hud->renderer, label->texture, NULL, &inner);
    return box;
}
