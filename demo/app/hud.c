/* hud.c - draws text with SDL2_ttf in DejaVu Sans.
 *
 * Invariant: the cached text that was not drawn for the longest time is replaced first.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/hud.h"

#include <SDL_ttf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef FONT_PATH
#define FONT_PATH "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
#endif

enum { PADDING = 6, KEPT = 128 };

static const int heights[HUD_SIZES] = {12, 15, 24, 56};

/// Cached text, drawn in white
struct words {
    char text[1024];
    enum hud_size size;
    SDL_Texture *texture;
    int width, height;
    /// Number of the last drawing
    unsigned used;
};

struct hud {
    SDL_Renderer *renderer;
    TTF_Font *fonts[HUD_SIZES];
    struct words kept[KEPT];
    unsigned now;
    /// Number of window pixels per unit
    double scale;
};

static const char *font_path(void) {
    const char *path = getenv("PIXVERLET_FONT");
    return path ? path : FONT_PATH;
}

static bool open_fonts(struct hud *hud) {
    for (int i = 0; i < HUD_SIZES; i++) {
        hud->fonts[i] = TTF_OpenFont(font_path(), (int)(heights[i] * hud->scale + .5));
        if (!hud->fonts[i]) return false;
    }
    return true;
}

static void close_fonts(struct hud *hud) {
    for (int i = 0; i < KEPT; i++) {
        if (hud->kept[i].texture) SDL_DestroyTexture(hud->kept[i].texture);
        hud->kept[i] = (struct words){0};
    }
    for (int i = 0; i < HUD_SIZES; i++) {
        if (hud->fonts[i]) TTF_CloseFont(hud->fonts[i]);
        hud->fonts[i] = NULL;
    }
}

struct hud *hud_open(SDL_Renderer *renderer) {
    struct hud *hud = calloc(1, sizeof *hud);
    if (hud && TTF_Init() == 0) {
        hud->renderer = renderer;
        hud->scale = 1;
        if (open_fonts(hud)) return hud;
        hud_close(hud);
    } else {
        free(hud);
    }
    fprintf(stderr, "pixverlet-demo: %s: no font, so no words on the screen\n", font_path());
    return NULL;
}

void hud_close(struct hud *hud) {
    if (!hud) return;
    close_fonts(hud);
    TTF_Quit();
    free(hud);
}

void hud_set_scale(struct hud *hud, double scale) {
    if (!hud || hud->scale == scale) return;
    close_fonts(hud);
    hud->scale = scale;
    if (!open_fonts(hud)) close_fonts(hud);
}

static bool render(struct hud *hud, struct words *words) {
    const SDL_Color white = {255, 255, 255, 255};
    TTF_Font *font = hud->fonts[words->size];
    SDL_Surface *surface =
        font ? TTF_RenderUTF8_Blended_Wrapped(font, words->text, white, 0) : NULL;
    if (!surface) return false;
    words->texture = SDL_CreateTextureFromSurface(hud->renderer, surface);
    words->width = surface->w;
    words->height = surface->h;
    SDL_FreeSurface(surface);
    return words->texture != NULL;
}

/// Returns the cached text, or renders it in place of the stalest one; null if that fails.
static struct words *find(struct hud *hud, enum hud_size size, const char *text) {
    struct words *stalest = hud->kept;
    if (!text[0]) return NULL;
    for (struct words *words = hud->kept; words < hud->kept + KEPT; words++) {
        if (words->texture && words->size == size && strcmp(words->text, text) == 0) return words;
        if (words->used < stalest->used) stalest = words;
    }
    if (stalest->texture) SDL_DestroyTexture(stalest->texture);
    stalest->texture = NULL;
    stalest->used = 0;
    stalest->size = size;
    snprintf(stalest->text, sizeof stalest->text, "%s", text);
    return render(hud, stalest) ? stalest : NULL;
}

SDL_Point hud_measure(struct hud *hud, enum hud_size size, const char *text) {
    struct words *words = hud ? find(hud, size, text) : NULL;
    if (!words) return (SDL_Point){0, 0};
    return (SDL_Point){(int)(words->width / hud->scale + .99),
                       (int)(words->height / hud->scale + .99)};
}

/// Returns a position in units, rounded to a whole pixel of the window.
static float snapped(const struct hud *hud, double at) {
    return (float)(SDL_floor(at * hud->scale + .5) / hud->scale);
}

SDL_Rect hud_write(struct hud *hud, enum hud_size size, uint32_t color, const char *text,
                   SDL_Point at, double align_x, double align_y) {
    struct words *words = hud ? find(hud, size, text) : NULL;
    if (!words) return (SDL_Rect){at.x, at.y, 0, 0};
    words->used = ++hud->now;
    SDL_Point room = hud_measure(hud, size, text);
    SDL_Rect rect = {at.x - (int)(room.x * align_x), at.y - (int)(room.y * align_y), room.x,
                     room.y};
    SDL_FRect exact = {snapped(hud, rect.x), snapped(hud, rect.y),
                       (float)(words->width / hud->scale), (float)(words->height / hud->scale)};
    SDL_SetTextureColorMod(words->texture, (Uint8)(color >> 24), (Uint8)(color >> 16),
                           (Uint8)(color >> 8));
    SDL_SetTextureAlphaMod(words->texture, (Uint8)color);
    SDL_RenderCopyF(hud->renderer, words->texture, NULL, &exact);
    return rect;
}

/// Returns the length of the first line of a text, broken at a space to fit a width.
static size_t line_length(const struct hud *hud, enum hud_size size, const char *text, int width) {
    int fits = 0;
    char line[256];
    snprintf(line, sizeof line, "%s", text);
    size_t length = strlen(line);
    while (TTF_SizeUTF8(hud->fonts[size], line, &fits, NULL) == 0 && fits > width * hud->scale) {
        char *space = strrchr(line, ' ');
        if (!space) break;
        *space = 0;
        length = strlen(line);
    }
    return length;
}

void hud_wrap(struct hud *hud, enum hud_size size, uint32_t color, const char *text,
              SDL_Rect rect) {
    int high = heights[size] + 4;
    for (int y = rect.y; hud && hud->fonts[size] && *text && y + high <= rect.y + rect.h;
         y += high) {
        size_t length = line_length(hud, size, text, rect.w);
        char line[256];
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        hud_write(hud, size, color, line, (SDL_Point){rect.x, y}, 0, 0);
        text += length;
        while (*text == ' ') text++;
    }
}

SDL_Rect hud_box(struct hud *hud, const char *text, SDL_Point at, double align_x, double align_y) {
    SDL_Point size = hud_measure(hud, HUD_NORMAL, text);
    if (size.x == 0) return (SDL_Rect){at.x, at.y, 0, 0};
    SDL_Rect box = {at.x, at.y, size.x + 2 * PADDING, size.y + 2 * PADDING};
    box.x -= (int)(box.w * align_x);
    box.y -= (int)(box.h * align_y);
    SDL_SetRenderDrawColor(hud->renderer, 12, 16, 28, 150);
    SDL_RenderFillRect(hud->renderer, &box);
    hud_write(hud, HUD_NORMAL, 0xffffffffu, text, (SDL_Point){box.x + PADDING, box.y + PADDING}, 0,
              0);
    return box;
}
