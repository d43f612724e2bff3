/* pv_sdl.h - masks from SDL2's surfaces and textures, worlds drawn with an SDL_Renderer, and a game
 * loop. It is for programs that use SDL >= 2.0.18; the library itself does not. Include it beside
 * <pixverlet.h> and link SDL2 yourself. C11 and C++17.
 *
 * Invariant: all functions are static inline and use the public interface alone; all state belongs
 * to the caller. The functions that draw leave the renderer's draw color and blend mode changed.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SDL_H
#define PV_SDL_H

#include "pixverlet.h"

#include <SDL.h>

/** @defgroup sdl SDL2
 *  A header of its own, not linked into the library. @{ */

/// Camera: point p of the world is at (p - top_left) * zoom of the render target's viewport
typedef struct pv_sdl_camera {
    /// Renderer, borrowed
    SDL_Renderer *renderer;
    /// Point of the world at the viewport's upper left corner [px]
    pv_vec2 top_left;
    /// Number of target pixels for a pixel of the world, 1/1024...1024
    double zoom;
} pv_sdl_camera;

/// Returns a camera with zoom 1, and the world's (0, 0) at the upper left corner.
static inline pv_sdl_camera pv_sdl_camera_default(SDL_Renderer *renderer) {
    pv_sdl_camera view;
    view.renderer = renderer;
    view.top_left.x = view.top_left.y = 0;
    view.zoom = 1;
    return view;
}

/// Returns the point of the viewport for a point of the world.
static inline pv_vec2 pv_sdl_camera_to_screen(const pv_sdl_camera *view, pv_vec2 point) {
    pv_vec2 at;
    at.x = (point.x - view->top_left.x) * view->zoom;
    at.y = (point.y - view->top_left.y) * view->zoom;
    return at;
}

/// Returns the point of the world for a point of the viewport, for example the mouse.
static inline pv_vec2 pv_sdl_camera_to_world(const pv_sdl_camera *view, pv_vec2 point) {
    pv_vec2 at;
    at.x = point.x / view->zoom + view->top_left.x;
    at.y = point.y / view->zoom + view->top_left.y;
    return at;
}

/** @} */
/** @defgroup sdl_masks Masks
 *  @{ */

/// Fills *error, if there is one, with a failure of a function, and returns null.
static inline pv_mask *pv_sdl__fail(pv_error *error, const char *function, pv_status status,
                                    const char *sentence) {
    if (!error) return NULL;
    SDL_memset(error, 0, sizeof *error);
    error->status = status;
    error->function = function;
    SDL_snprintf(error->message, sizeof error->message, "%s: %s", function, sentence);
    return NULL;
}

/// Returns the mask of a surface with alpha in its pixels, for pv_sdl_mask_from_surface().
static inline pv_mask *pv_sdl__mask_from_direct(SDL_Surface *surface,
                                                const pv_mask_options *options, pv_error *error) {
    pv_pixels pixels;
    if (SDL_MUSTLOCK(surface) && SDL_LockSurface(surface) != 0)
        return pv_sdl__fail(error, __func__, PV_ERROR_UNSUPPORTED, SDL_GetError());
    pixels.data = surface->pixels;
    pixels.width = surface->w;
    pixels.height = surface->h;
    pixels.pitch = surface->pitch;
    pixels.bytes_per_pixel = surface->format->BytesPerPixel;
    pixels.alpha_mask = surface->format->Amask;
    pv_mask *mask = pv_mask_from_pixels(&pixels, options, error);
    if (SDL_MUSTLOCK(surface)) SDL_UnlockSurface(surface);
    return mask;
}

/// Creates the mask of a surface of any format. Without an alpha channel all pixels except the
/// color key's are solid.
/// @param surface not changed; locked during the call if SDL requires it
/// @param options null for the defaults
/// @param error null, or receives the outcome: PV_ERROR_UNSUPPORTED if SDL cannot lock or convert
/// the surface; otherwise as pv_mask_from_pixels()
/// @return a mask to give to pv_mask_release(), or null
static inline pv_mask *pv_sdl_mask_from_surface(SDL_Surface *surface,
                                                const pv_mask_options *options, pv_error *error) {
    if (!surface) return pv_sdl__fail(error, __func__, PV_ERROR_ARGUMENT, "surface is null");
    if (!SDL_ISPIXELFORMAT_INDEXED(surface->format->format) && !SDL_HasColorKey(surface))
        return pv_sdl__mask_from_direct(surface, options, error);
    SDL_Surface *direct = SDL_ConvertSurfaceFormat(surface, SDL_PIXELFORMAT_RGBA32, 0);
    if (!direct) return pv_sdl__fail(error, __func__, PV_ERROR_UNSUPPORTED, SDL_GetError());
    pv_mask *mask = pv_sdl__mask_from_direct(direct, options, error);
    SDL_FreeSurface(direct);
    return mask;
}

/// Copies a texture unchanged to the whole render target and reads it back, for
/// pv_sdl_mask_from_texture().
static inline bool pv_sdl__read_texture(SDL_Renderer *renderer, SDL_Texture *texture, void *rgba,
                                        int pitch) {
    SDL_BlendMode blend = SDL_BLENDMODE_NONE;
    Uint8 alpha = 255;
    SDL_GetTextureBlendMode(texture, &blend);
    SDL_GetTextureAlphaMod(texture, &alpha);
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE);
    SDL_SetTextureAlphaMod(texture, 255);
    bool good = SDL_RenderCopy(renderer, texture, NULL, NULL) == 0 &&
                SDL_RenderReadPixels(renderer, NULL, SDL_PIXELFORMAT_RGBA32, rgba, pitch) == 0;
    SDL_SetTextureBlendMode(texture, blend);
    SDL_SetTextureAlphaMod(texture, alpha);
    return good;
}

/// Creates the mask of a texture. SDL cannot read a texture, so it is drawn to another one, which
/// is read back. This is slow: use it for loading, not in every frame. Use
/// pv_sdl_mask_from_surface() if there is a surface.
/// @param renderer of the texture; it has the same target afterwards. SDL forgets viewport, clip
/// rectangle and scale of a target that is a texture, but keeps the window's
/// @param texture not changed; of any access, and of a format that can be drawn
/// @param options null for the defaults
/// @param error null, or receives the outcome: PV_ERROR_UNSUPPORTED if the renderer has no render
/// targets or cannot read them; otherwise as pv_mask_from_rgba()
/// @return a mask to give to pv_mask_release(), or null
static inline pv_mask *pv_sdl_mask_from_texture(SDL_Renderer *renderer, SDL_Texture *texture,
                                                const pv_mask_options *options, pv_error *error) {
    int w = 0, h = 0;
    if (!renderer || !texture || SDL_QueryTexture(texture, NULL, NULL, &w, &h) != 0)
        return pv_sdl__fail(error, __func__, PV_ERROR_ARGUMENT, "no renderer or no texture");
    if (w > 32768 || h > 32768)
        return pv_sdl__fail(error, __func__, PV_ERROR_TOO_LARGE, "a side beyond 32768 px");
    void *rgba = SDL_malloc((size_t)w * (size_t)h * 4);
    if (!rgba) return pv_sdl__fail(error, __func__, PV_ERROR_MEMORY, "out of memory");
    SDL_Texture *before = SDL_GetRenderTarget(renderer);
    SDL_Texture *target =
        SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_TARGET, w, h);
    bool good = target && SDL_SetRenderTarget(renderer, target) == 0;
    if (good) {
        good = pv_sdl__read_texture(renderer, texture, rgba, w * 4);
        SDL_SetRenderTarget(renderer, before);
    }
    if (target) SDL_DestroyTexture(target);
    pv_mask *mask = good ? pv_mask_from_rgba(rgba, w, h, (ptrdiff_t)w * 4, options, error)
                         : pv_sdl__fail(error, __func__, PV_ERROR_UNSUPPORTED, SDL_GetError());
    SDL_free(rgba);
    return mask;
}

/** @} */
/** @defgroup sdl_draw Drawing
 *  @{ */

/// Draws a part of a texture, as a picture of w x h px, at a transform, for the functions below.
static inline int pv_sdl__draw(const pv_sdl_camera *view, SDL_Texture *texture,
                               const SDL_Rect *part, int w, int h, const pv_transform *at) {
    pv_vec2 pivot = pv_sdl_camera_to_screen(view, at->position);
    SDL_FPoint center;
    SDL_FRect box;
    bool left_right = at->scale.x < 0, top_bottom = at->scale.y < 0;
    double across = SDL_fabs(at->scale.x) * view->zoom, down = SDL_fabs(at->scale.y) * view->zoom;
    center.x = (float)((left_right ? w - at->pivot.x : at->pivot.x) * across);
    center.y = (float)((top_bottom ? h - at->pivot.y : at->pivot.y) * down);
    box.x = (float)(pivot.x - center.x);
    box.y = (float)(pivot.y - center.y);
    box.w = (float)(w * across);
    box.h = (float)(h * down);
    double degrees = pv_rotation_get_angle(at->rotation) * 57.29577951308232;
    int flip = (left_right ? SDL_FLIP_HORIZONTAL : SDL_FLIP_NONE) |
               (top_bottom ? SDL_FLIP_VERTICAL : SDL_FLIP_NONE);
    return SDL_RenderCopyExF(view->renderer, texture, part, &box, degrees, &center,
                             (SDL_RendererFlip)flip);
}

/// Draws a body's picture at its colliding pixels, with SDL_RenderCopyExF. SDL's OpenGL renderer
/// draws exactly the pixels that collide, except where a center is within 1/128 px of a texel's
/// edge. Other renderers with a GPU should do the same. SDL's software renderer puts pictures on
/// whole pixels. Its rims are off by up to 3/4 px if upright and 2 px if turned.
/// pv_canvas_draw_image() is exact, and so is the mask that pv_sdl_get_debug_draw() draws.
/// @param view camera; null is refused
/// @param texture as large as the body's mask; set SDL_ScaleModeNearest, otherwise its rim is
/// blurred
/// @param world,body body to draw; an invalid handle is refused
/// @return 0, or -1 as SDL's functions, with a message in SDL_GetError()
static inline int pv_sdl_draw_body(const pv_sdl_camera *view, SDL_Texture *texture,
                                   const pv_world *world, pv_body_id body) {
    if (!view || !pv_body_is_valid(world, body))
        return SDL_SetError("pv_sdl_draw_body: no such body");
    const pv_mask *mask = pv_body_get_mask(world, body);
    pv_transform at = pv_body_get_transform(world, body);
    return pv_sdl__draw(view, texture, NULL, pv_mask_get_width(mask), pv_mask_get_height(mask),
                        &at);
}

/// Draws a picture, or a part of one, at a transform, for movers and cells of a sheet.
/// @param texture as in pv_sdl_draw_body()
/// @param part part to draw, which has the transform's pivot; null for the whole picture
/// @param at as from pv_body_get_transform() and pv_mover_get_transform()
/// @return as pv_sdl_draw_body()
static inline int pv_sdl_draw_texture(const pv_sdl_camera *view, SDL_Texture *texture,
                                      const SDL_Rect *part, const pv_transform *at) {
    SDL_Rect all = {0, 0, 0, 0};
    if (!view || !at || SDL_QueryTexture(texture, NULL, NULL, &all.w, &all.h) != 0)
        return SDL_SetError("pv_sdl_draw_texture: no such picture");
    if (part) all = *part;
    return pv_sdl__draw(view, texture, &all, all.w, all.h, at);
}

/* The callbacks of pv_sdl_get_debug_draw(); user is a pv_sdl_camera. */

static inline void pv_sdl__color(SDL_Renderer *renderer, uint32_t color) {
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(renderer, (Uint8)(color >> 24), (Uint8)(color >> 16 & 255),
                           (Uint8)(color >> 8 & 255), (Uint8)(color & 255));
}

static inline void pv_sdl__line(void *user_data, pv_vec2 from, pv_vec2 to, uint32_t color) {
    const pv_sdl_camera *view = (const pv_sdl_camera *)user_data;
    pv_vec2 a = pv_sdl_camera_to_screen(view, from), b = pv_sdl_camera_to_screen(view, to);
    pv_sdl__color(view->renderer, color);
    SDL_RenderDrawLineF(view->renderer, (float)a.x, (float)a.y, (float)b.x, (float)b.y);
}

/// Fills a disc row by row within the viewport, a pixel at least.
static inline void pv_sdl__disc(void *user_data, pv_vec2 center, double radius, uint32_t color) {
    const pv_sdl_camera *view = (const pv_sdl_camera *)user_data;
    pv_vec2 c = pv_sdl_camera_to_screen(view, center);
    double r = radius * view->zoom;
    SDL_Rect port;
    SDL_FRect row;
    SDL_RenderGetViewport(view->renderer, &port);
    pv_sdl__color(view->renderer, color);
    if (r < 0.75) r = 0.75;
    double top = SDL_floor(c.y - r + 0.5), bottom = c.y + r - 0.5;
    for (double y = top > 0 ? top : 0; y <= bottom && y < port.h; y++) {
        double up = y + 0.5 - c.y, half = SDL_sqrt(r * r > up * up ? r * r - up * up : 0);
        row.x = (float)SDL_floor(c.x - half + 0.5);
        row.y = (float)y;
        row.w = (float)SDL_floor(c.x + half + 0.5) - row.x;
        row.h = 1;
        if (row.w > 0) SDL_RenderFillRectF(view->renderer, &row);
    }
}

/// Draws the solid pixels of a row within the viewport, run by run.
static inline void pv_sdl__row(SDL_Renderer *renderer, const pv_mask *turned, pv_rect at, int y,
                               int width) {
    int end = pv_mask_get_width(turned) < width - at.x ? pv_mask_get_width(turned) : width - at.x;
    SDL_Rect run;
    run.y = at.y + y;
    run.h = 1;
    for (int x = at.x < 0 ? -at.x : 0; x < end; x++) {
        if (!pv_mask_get_pixel(turned, x, y)) continue;
        run.x = at.x + x;
        while (x < end && pv_mask_get_pixel(turned, x, y)) x++;
        run.w = at.x + x - run.x;
        SDL_RenderFillRect(renderer, &run);
    }
}

/// Draws the collision bitmap itself, at the target's resolution.
static inline void pv_sdl__mask(void *user_data, const pv_mask *mask, const pv_transform *transform,
                                uint32_t color) {
    const pv_sdl_camera *view = (const pv_sdl_camera *)user_data;
    pv_transform t = *transform;
    pv_rect at;
    SDL_Rect port;
    t.position = pv_sdl_camera_to_screen(view, t.position);
    t.scale.x *= view->zoom;
    t.scale.y *= view->zoom;
    SDL_RenderGetViewport(view->renderer, &port);
    pv_box box = pv_transform_compute_bounds(&t, pv_mask_get_width(mask), pv_mask_get_height(mask));
    if (box.max.x < 0 || box.max.y < 0 || box.min.x > port.w || box.min.y > port.h) return;
    pv_mask *turned = pv_mask_transform(mask, &t, &at, NULL, NULL);
    if (!turned) return;
    pv_sdl__color(view->renderer, color);
    for (int y = at.y < 0 ? -at.y : 0; y < pv_mask_get_height(turned) && at.y + y < port.h; y++)
        pv_sdl__row(view->renderer, turned, at, y, port.w);
    pv_mask_release(turned);
}

/// Returns the callbacks with which pv_world_debug_draw() draws into a view. Lines along normals
/// and marks of points have the same size on the screen at any zoom. Masks are turned anew in every
/// call, with the C library's memory. A mask without memory is left out.
/// @param view borrowed; must outlive the result. Call the function again after a change of its
/// zoom
static inline pv_debug_draw pv_sdl_get_debug_draw(pv_sdl_camera *view) {
    pv_debug_draw draw = pv_debug_draw_default();
    draw.user_data = view;
    draw.line = pv_sdl__line;
    draw.circle = pv_sdl__disc;
    draw.mask = pv_sdl__mask;
    draw.normal_length /= view->zoom;
    draw.point_radius /= view->zoom;
    return draw;
}

/** @} */
/** @defgroup sdl_game A game's loop
 *  A window, sprites, keys and equal steps, which a small game needs first. Leave it out if the
 *  game has its own; nothing above needs it. @{ */

/// Picture of a body: the mask that collides, and the texture that is drawn
typedef struct pv_sdl_sprite {
    /// Mask, or null
    pv_mask *mask;
    /// Texture, or null
    SDL_Texture *texture;
} pv_sdl_sprite;

/// Loads the sprite of a PNG, its texture with SDL_ScaleModeNearest.
/// @param renderer null for a sprite without a texture
/// @param error null, or receives the outcome: as pv_mask_load(), or PV_ERROR_UNSUPPORTED if SDL
/// makes no texture of it
/// @return a sprite to give to pv_sdl_sprite_destroy(), or one of null pointers
static inline pv_sdl_sprite pv_sdl_sprite_load(SDL_Renderer *renderer, const char *path,
                                               pv_error *error) {
    pv_sdl_sprite sprite = {NULL, NULL};
    pv_image *image = pv_image_load(path, NULL, error);
    if (!image) return sprite;
    sprite.mask = pv_mask_from_image(image, NULL, error);
    if (sprite.mask && renderer) {
        SDL_Surface *surface =
            SDL_CreateRGBSurfaceWithFormatFrom(image->pixels, image->width, image->height, 32,
                                               image->width * 4, SDL_PIXELFORMAT_RGBA32);
        sprite.texture = surface ? SDL_CreateTextureFromSurface(renderer, surface) : NULL;
        SDL_FreeSurface(surface);
        if (sprite.texture) {
            SDL_SetTextureScaleMode(sprite.texture, SDL_ScaleModeNearest);
        } else {
            pv_mask_release(sprite.mask);
            sprite.mask = pv_sdl__fail(error, __func__, PV_ERROR_UNSUPPORTED, SDL_GetError());
        }
    }
    pv_image_destroy(image);
    return sprite;
}

/// Destroys a sprite of pv_sdl_sprite_load(), which has to happen before its renderer is destroyed.
/// Bodies keep the mask as long as they need it.
static inline void pv_sdl_sprite_destroy(pv_sdl_sprite *sprite) {
    pv_mask_release(sprite->mask);
    if (sprite->texture) SDL_DestroyTexture(sprite->texture);
    sprite->mask = NULL;
    sprite->texture = NULL;
}

/// Returns a def of a body with the sprite's mask. The sprite is its user_data and must outlive the
/// body.
static inline pv_body_def pv_sdl_sprite_get_body_def(pv_sdl_sprite *sprite, pv_body_type type,
                                                     double x, double y) {
    pv_body_def def = pv_body_def_default();
    def.type = type;
    def.mask = sprite->mask;
    def.position.x = x;
    def.position.y = y;
    def.user_data = sprite;
    return def;
}

/// Logs a refused call. Set it as pv_world_def.report_callback to see why a call has no effect.
static inline void pv_sdl_log_error(void *user_data, const pv_error *error) {
    (void)user_data;
    SDL_Log("%s", error->message);
}

/// Keys that are buttons of the mouse; all others are an SDL_Scancode
enum {
    PV_SDL_MOUSE_LEFT = SDL_NUM_SCANCODES,
    PV_SDL_MOUSE_RIGHT,
    /// Number of keys, and no key itself
    PV_SDL_KEYS,
    /// Greatest number of sprites that a game may load
    PV_SDL_SPRITES = 64
};

/// Window with keys, a clock and sprites. Open it with pv_sdl_game_create(), and do not move it,
/// because bodies point into it.
typedef struct pv_sdl_game {
    /* settings, which the game may change at any time */
    /// Camera
    pv_sdl_camera camera;
    /// Clock; its step is 1/60 by default [s]
    pv_clock clock;
    /// Background color, 0xRRGGBBAA
    uint32_t background;
    /// True if pv_sdl_game_draw() draws collision data, too; F1 toggles it
    bool show_debug;
    /// True to end the game before the next frame; Escape and the window's close button set it
    bool quit;

    /* data to read */
    /// Window, or null
    SDL_Window *window;
    /// Number of steps that are due in this frame
    int step_count;
    /// Number of this frame, from 0
    int frame_index;
    /// Number of frames after which the game ends; 0: no limit
    int frame_limit;
    /// Place of the mouse in the world [px]
    pv_vec2 mouse;
    /// True after a failure to open a window or load a picture, which the log names; the game then
    /// ends
    bool failed;

    /// Place of the mouse in the window [px]
    pv_vec2 mouse_screen;
    /// Script that plays, or null
    const char *script;
    /// Performance counter at the start of the last frame
    Uint64 before;
    /// States of the keys; use pv_sdl_game_is_down() and pv_sdl_game_was_pressed()
    Uint8 keys[PV_SDL_KEYS];
    /// Sprites; the last one stays empty
    pv_sdl_sprite sprites[PV_SDL_SPRITES + 1];
    /// Number of loaded sprites
    int sprite_count;
} pv_sdl_game;

/// Logs a failure, and ends the game before its next frame.
static inline void pv_sdl__game_fail(pv_sdl_game *game, const char *what, const char *why) {
    SDL_LogError(SDL_LOG_CATEGORY_APPLICATION, "%s: %s", what, why);
    game->failed = game->quit = true;
}

/// Opens a window that may be resized and stretches the picture. It takes these arguments:
/// --frames N ends after N frames of one step each, as fast as possible, the same in every run; for
/// tests
/// --play SCRIPT plays keys and mouse from words between blanks. 10+Space presses a key in frame
/// 10, and 12-Space releases it. Keys are names of SDL_GetScancodeFromName() without blanks.
/// 5@320,200 moves the mouse in the window, and 6+Mouse presses its left button. Other arguments
/// are ignored; argv must outlive the game.
/// @return a game to give to pv_sdl_game_destroy(), also after a failure
static inline pv_sdl_game pv_sdl_game_create(const char *title, int width, int height, int argc,
                                             char **argv) {
    pv_sdl_game game;
    SDL_memset(&game, 0, sizeof game);
    for (int i = 1; i + 1 < argc; i++) {
        if (!SDL_strcmp(argv[i], "--frames")) game.frame_limit = SDL_atoi(argv[i + 1]);
        if (!SDL_strcmp(argv[i], "--play")) game.script = argv[i + 1];
    }
    game.clock.step = 1.0 / 60;
    game.clock.max_steps = 4;
    game.background = 0x20283cff;
    if (SDL_Init(SDL_INIT_VIDEO) == 0)
        game.window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width,
                                       height, SDL_WINDOW_RESIZABLE);
    Uint32 flags = game.frame_limit > 0 ? 0 : SDL_RENDERER_PRESENTVSYNC;
    game.camera =
        pv_sdl_camera_default(game.window ? SDL_CreateRenderer(game.window, -1, flags) : NULL);
    if (game.camera.renderer)
        SDL_RenderSetLogicalSize(game.camera.renderer, width, height);
    else
        pv_sdl__game_fail(&game, title, SDL_GetError());
    game.before = SDL_GetPerformanceCounter();
    return game;
}

/// Loads a sprite for the game, which fails if there is none.
/// @return sprite that belongs to the game; never null, but empty after a failure
static inline pv_sdl_sprite *pv_sdl_game_load_sprite(pv_sdl_game *game, const char *path) {
    pv_error error;
    pv_sdl__fail(&error, __func__, PV_ERROR_TOO_LARGE, "too many sprites");
    pv_sdl_sprite *sprite = &game->sprites[game->sprite_count];
    if (game->sprite_count < PV_SDL_SPRITES)
        *sprite = pv_sdl_sprite_load(game->camera.renderer, path, &error);
    if (sprite->mask)
        game->sprite_count++;
    else
        /* The name of the inner function would tell nothing. */
        pv_sdl__game_fail(game, __func__,
                          error.message + SDL_strlen(error.function) + SDL_strlen(": "));
    return sprite;
}

/* Bits of each key: bit 0 is set while it is down, bit 1 from its press to the next query. */

static inline void pv_sdl__key(pv_sdl_game *game, int key, bool down) {
    if (key <= 0 || key >= PV_SDL_KEYS) return;
    game->keys[key] = (Uint8)(down ? 3 : game->keys[key] & 2);
    if (down && key == SDL_SCANCODE_F1) game->show_debug = !game->show_debug;
    if (down && key == SDL_SCANCODE_ESCAPE) game->quit = true;
}

static inline int pv_sdl__button(int button) {
    return button == SDL_BUTTON_LEFT    ? PV_SDL_MOUSE_LEFT
           : button == SDL_BUTTON_RIGHT ? PV_SDL_MOUSE_RIGHT
                                        : 0;
}

static inline void pv_sdl__event(pv_sdl_game *game, const SDL_Event *event) {
    switch (event->type) {
    case SDL_QUIT: game->quit = true; break;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        if (!event->key.repeat)
            pv_sdl__key(game, (int)event->key.keysym.scancode, event->type == SDL_KEYDOWN);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        game->mouse_screen.x = event->button.x;
        game->mouse_screen.y = event->button.y;
        pv_sdl__key(game, pv_sdl__button(event->button.button), event->type == SDL_MOUSEBUTTONDOWN);
        break;
    case SDL_MOUSEMOTION:
        game->mouse_screen.x = event->motion.x;
        game->mouse_screen.y = event->motion.y;
        break;
    default: break;
    }
}

/// Performs a word of the script, without its number: +Space.
static inline void pv_sdl__word(pv_sdl_game *game, const char *word, size_t length) {
    char name[32], *comma = name;
    SDL_strlcpy(name, word + 1, SDL_min(length, sizeof name));
    if (*word == '@') {
        game->mouse_screen.x = SDL_strtod(name, &comma);
        game->mouse_screen.y = *comma ? SDL_strtod(comma + 1, NULL) : 0;
    } else {
        bool mouse = !SDL_strcmp(name, "Mouse");
        pv_sdl__key(game, mouse ? PV_SDL_MOUSE_LEFT : (int)SDL_GetScancodeFromName(name),
                    *word == '+');
    }
}

/// Plays the words of the script for this frame.
static inline void pv_sdl__play(pv_sdl_game *game) {
    const char *at = game->script;
    while (at && *at) {
        char *word = NULL;
        long frame = SDL_strtol(at, &word, 10);
        const char *end = word;
        while (*end && *end != ' ') end++;
        if (end > word && frame == game->frame_index)
            pv_sdl__word(game, word, (size_t)(end - word));
        at = end;
        while (*at == ' ') at++;
    }
}

/// Returns the number of steps for the time since the last frame. A screen with about the rate of
/// the steps gets one a frame.
static inline int pv_sdl__due(pv_sdl_game *game) {
    Uint64 now = SDL_GetPerformanceCounter();
    double elapsed = (double)(now - game->before) / (double)SDL_GetPerformanceFrequency();
    game->before = now;
    if (game->frame_limit > 0) return 1;
    if (elapsed > 0.9 * game->clock.step && elapsed < 1.1 * game->clock.step)
        elapsed = game->clock.step;
    int due = pv_clock_advance(&game->clock, elapsed);
    if (due == 0) SDL_Delay(1);
    return due;
}

/// Begins a frame: reads keys and mouse, and sets game->step_count to the number of steps due.
/// @return true if there is a frame; false ends the game
static inline bool pv_sdl_game_frame(pv_sdl_game *game) {
    SDL_Event event;
    if (game->step_count > 0)
        for (int i = 0; i < PV_SDL_KEYS; i++) game->keys[i] &= 1;
    while (SDL_PollEvent(&event)) pv_sdl__event(game, &event);
    pv_sdl__play(game);
    game->mouse = pv_sdl_camera_to_world(&game->camera, game->mouse_screen);
    game->step_count = pv_sdl__due(game);
    return !game->quit && !(game->frame_limit > 0 && game->frame_index >= game->frame_limit);
}

/// Tells whether a key, or a button of the mouse, is down.
/// @param key an SDL_Scancode or PV_SDL_MOUSE_LEFT, _RIGHT
static inline bool pv_sdl_game_is_down(const pv_sdl_game *game, int key) {
    return key > 0 && key < PV_SDL_KEYS && (game->keys[key] & 1);
}

/// Returns -1, 0 or 1 according to two keys: less, none or both, more.
static inline int pv_sdl_game_get_axis(const pv_sdl_game *game, int less, int more) {
    return (pv_sdl_game_is_down(game, more) ? 1 : 0) - (pv_sdl_game_is_down(game, less) ? 1 : 0);
}

/// Tells whether a key went down; only one call tells so for each press. A press that no step of
/// its frame asks for is forgotten.
static inline bool pv_sdl_game_was_pressed(pv_sdl_game *game, int key) {
    bool pressed = key > 0 && key < PV_SDL_KEYS && (game->keys[key] & 2);
    if (pressed) game->keys[key] &= 1;
    return pressed;
}

/// Clears the window and draws each enabled body with its user_data. It is null, a pv_sdl_sprite,
/// or a struct that begins with one. With game->show_debug it also draws masks, contours, contacts,
/// constraints and particles.
static inline void pv_sdl_game_draw(pv_sdl_game *game, const pv_world *world) {
    pv_body_id none, body;
    none.index = none.generation = 0;
    pv_sdl__color(game->camera.renderer, game->background);
    SDL_RenderClear(game->camera.renderer);
    for (body = pv_world_get_next_body(world, none); pv_body_is_valid(world, body);
         body = pv_world_get_next_body(world, body)) {
        const pv_sdl_sprite *sprite = (const pv_sdl_sprite *)pv_body_get_user_data(world, body);
        if (sprite && pv_body_get_def(world, body).enabled)
            pv_sdl_draw_body(&game->camera, sprite->texture, world, body);
    }
    if (!game->show_debug) return;
    pv_debug_draw insides = pv_sdl_get_debug_draw(&game->camera);
    pv_world_debug_draw(world, &insides, PV_DEBUG_ALL & ~(PV_DEBUG_ISLANDS | PV_DEBUG_BOUNDS));
}

/// Ends a frame and shows its picture.
static inline void pv_sdl_game_present(pv_sdl_game *game) {
    SDL_RenderPresent(game->camera.renderer);
    game->frame_index++;
}

/// Closes the window, with all its sprites, and SDL; bodies keep their masks.
/// @return value for main(): 0, or 2 after a failure
static inline int pv_sdl_game_destroy(pv_sdl_game *game) {
    while (game->sprite_count > 0) pv_sdl_sprite_destroy(&game->sprites[--game->sprite_count]);
    if (game->camera.renderer) SDL_DestroyRenderer(game->camera.renderer);
    if (game->window) SDL_DestroyWindow(game->window);
    game->camera.renderer = NULL;
    game->window = NULL;
    SDL_Quit();
    return game->failed ? 2 : 0;
}

/** @} */

#endif
