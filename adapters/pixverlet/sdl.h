/* pixverlet/sdl.h - masks from SDL's surfaces and textures, and worlds drawn with an SDL_Renderer.
 * One header for SDL 2.0.18 and later and for SDL 3; the library itself uses neither. Include
 * <SDL3/SDL.h> before it for SDL 3; otherwise it includes <SDL.h>. Link SDL yourself. C11 and
 * C++17.
 *
 * Invariant: all functions are static inline and use the public interface alone. All state belongs
 * to the caller. Memory comes from SDL_malloc(). Functions that draw change the renderer's draw
 * color and blend mode.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_SDL_H
#define PIXVERLET_SDL_H

#include "pixverlet.h"

#ifndef SDL_MAJOR_VERSION
#include <SDL.h>
#endif

/* ---- SDL 2 and SDL 3 under the same names ---- */

#if SDL_MAJOR_VERSION >= 3

/// Tells whether a call of SDL succeeded.
static inline bool pv_sdl__ok(bool result) { return result; }

static inline bool pv_sdl__get_size(SDL_Texture *texture, int *w, int *h) {
    float width = 0, height = 0;
    if (!texture || !SDL_GetTextureSize(texture, &width, &height)) return false;
    *w = (int)width;
    *h = (int)height;
    return true;
}

static inline bool pv_sdl__render(SDL_Renderer *renderer, SDL_Texture *texture,
                                  const SDL_Rect *part, const SDL_FRect *to) {
    SDL_FRect from;
    if (part) SDL_RectToFRect(part, &from);
    return SDL_RenderTexture(renderer, texture, part ? &from : NULL, to);
}

static inline bool pv_sdl__render_turned(SDL_Renderer *renderer, SDL_Texture *texture,
                                         const SDL_Rect *part, const SDL_FRect *to, double degrees,
                                         SDL_FPoint center, int flip) {
    SDL_FRect from;
    if (part) SDL_RectToFRect(part, &from);
    return SDL_RenderTextureRotated(renderer, texture, part ? &from : NULL, to, degrees, &center,
                                    (SDL_FlipMode)flip);
}

static inline bool pv_sdl__fill(SDL_Renderer *renderer, const SDL_FRect *rects, int count) {
    return SDL_RenderFillRects(renderer, rects, count);
}

static inline bool pv_sdl__line(SDL_Renderer *renderer, pv_vec2 a, pv_vec2 b) {
    return SDL_RenderLine(renderer, (float)a.x, (float)a.y, (float)b.x, (float)b.y);
}

static inline SDL_Rect pv_sdl__get_viewport(SDL_Renderer *renderer) {
    SDL_Rect port = {0, 0, 0, 0};
    SDL_GetRenderViewport(renderer, &port);
    return port;
}

static inline void pv_sdl__set_nearest(SDL_Texture *texture) {
    SDL_SetTextureScaleMode(texture, SDL_SCALEMODE_NEAREST);
}

static inline bool pv_sdl__is_software(SDL_Renderer *renderer) {
    const char *name = SDL_GetRendererName(renderer);
    return name && SDL_strcmp(name, "software") == 0;
}

static inline SDL_Surface *pv_sdl__surface(void *rgba, int w, int h) {
    return SDL_CreateSurfaceFrom(w, h, SDL_PIXELFORMAT_RGBA32, rgba, w * 4);
}

static inline SDL_Surface *pv_sdl__convert(SDL_Surface *surface) {
    return SDL_ConvertSurface(surface, SDL_PIXELFORMAT_RGBA32);
}

static inline void pv_sdl__free_surface(SDL_Surface *surface) { SDL_DestroySurface(surface); }

/// Tells whether a surface has to be converted before its alpha can be read.
static inline bool pv_sdl__is_indirect(SDL_Surface *surface) {
    return SDL_ISPIXELFORMAT_INDEXED(surface->format) || SDL_SurfaceHasColorKey(surface);
}

static inline void pv_sdl__get_alpha(SDL_Surface *surface, pv_pixels *pixels) {
    const SDL_PixelFormatDetails *format = SDL_GetPixelFormatDetails(surface->format);
    pixels->bytes_per_pixel = format->bytes_per_pixel;
    pixels->alpha_mask = format->Amask;
}

/// Reads the upper left w x h px of the viewport.
static inline bool pv_sdl__read(SDL_Renderer *renderer, int w, int h, void *rgba) {
    SDL_Rect part = {0, 0, w, h};
    SDL_Surface *read = SDL_RenderReadPixels(renderer, &part);
    SDL_Surface *direct = read ? pv_sdl__convert(read) : NULL;
    bool good = direct && direct->w == w && direct->h == h;
    for (int y = 0; good && y < h; y++)
        SDL_memcpy((char *)rgba + (size_t)y * (size_t)w * 4,
                   (char *)direct->pixels + (ptrdiff_t)y * direct->pitch, (size_t)w * 4);
    SDL_DestroySurface(direct);
    SDL_DestroySurface(read);
    return good;
}

/// Returns the size of the viewport in pixels of the target.
static inline void pv_sdl__get_pixel_size(SDL_Renderer *renderer, int *w, int *h) {
    SDL_Rect port = pv_sdl__get_viewport(renderer);
    SDL_Surface *read = SDL_RenderReadPixels(renderer, NULL);
    *w = read ? read->w : port.w;
    *h = read ? read->h : port.h;
    SDL_DestroySurface(read);
}

static inline void pv_sdl__set_vertex(SDL_Vertex *v, pv_vec2 at, float u, float w, pv_color color) {
    v->position.x = (float)at.x;
    v->position.y = (float)at.y;
    v->tex_coord.x = u;
    v->tex_coord.y = w;
    v->color.r = (float)(color >> 24) / 255;
    v->color.g = (float)(color >> 16 & 255) / 255;
    v->color.b = (float)(color >> 8 & 255) / 255;
    v->color.a = (float)(color & 255) / 255;
}

#else

/// Tells whether a call of SDL succeeded.
static inline bool pv_sdl__ok(int result) { return result == 0; }

static inline bool pv_sdl__get_size(SDL_Texture *texture, int *w, int *h) {
    return texture && SDL_QueryTexture(texture, NULL, NULL, w, h) == 0;
}

static inline bool pv_sdl__render(SDL_Renderer *renderer, SDL_Texture *texture,
                                  const SDL_Rect *part, const SDL_FRect *to) {
    return SDL_RenderCopyF(renderer, texture, part, to) == 0;
}

static inline bool pv_sdl__render_turned(SDL_Renderer *renderer, SDL_Texture *texture,
                                         const SDL_Rect *part, const SDL_FRect *to, double degrees,
                                         SDL_FPoint center, int flip) {
    return SDL_RenderCopyExF(renderer, texture, part, to, degrees, &center,
                             (SDL_RendererFlip)flip) == 0;
}

static inline bool pv_sdl__fill(SDL_Renderer *renderer, const SDL_FRect *rects, int count) {
    return SDL_RenderFillRectsF(renderer, rects, count) == 0;
}

static inline bool pv_sdl__line(SDL_Renderer *renderer, pv_vec2 a, pv_vec2 b) {
    return SDL_RenderDrawLineF(renderer, (float)a.x, (float)a.y, (float)b.x, (float)b.y) == 0;
}

static inline SDL_Rect pv_sdl__get_viewport(SDL_Renderer *renderer) {
    SDL_Rect port = {0, 0, 0, 0};
    SDL_RenderGetViewport(renderer, &port);
    return port;
}

static inline void pv_sdl__set_nearest(SDL_Texture *texture) {
    SDL_SetTextureScaleMode(texture, SDL_ScaleModeNearest);
}

static inline bool pv_sdl__is_software(SDL_Renderer *renderer) {
    SDL_RendererInfo info;
    return SDL_GetRendererInfo(renderer, &info) == 0 && (info.flags & SDL_RENDERER_SOFTWARE);
}

static inline SDL_Surface *pv_sdl__surface(void *rgba, int w, int h) {
    return SDL_CreateRGBSurfaceWithFormatFrom(rgba, w, h, 32, w * 4, SDL_PIXELFORMAT_RGBA32);
}

static inline SDL_Surface *pv_sdl__convert(SDL_Surface *surface) {
    return SDL_ConvertSurfaceFormat(surface, SDL_PIXELFORMAT_RGBA32, 0);
}

static inline void pv_sdl__free_surface(SDL_Surface *surface) { SDL_FreeSurface(surface); }

/// Tells whether a surface has to be converted before its alpha can be read.
static inline bool pv_sdl__is_indirect(SDL_Surface *surface) {
    return SDL_ISPIXELFORMAT_INDEXED(surface->format->format) || SDL_HasColorKey(surface);
}

static inline void pv_sdl__get_alpha(SDL_Surface *surface, pv_pixels *pixels) {
    pixels->bytes_per_pixel = surface->format->BytesPerPixel;
    pixels->alpha_mask = surface->format->Amask;
}

/// Reads the upper left w x h px of the viewport.
static inline bool pv_sdl__read(SDL_Renderer *renderer, int w, int h, void *rgba) {
    SDL_Rect part = {0, 0, w, h};
    return SDL_RenderReadPixels(renderer, &part, SDL_PIXELFORMAT_RGBA32, rgba, w * 4) == 0;
}

/// Returns the size of the viewport in pixels of the target.
static inline void pv_sdl__get_pixel_size(SDL_Renderer *renderer, int *w, int *h) {
    SDL_Rect port = pv_sdl__get_viewport(renderer);
    float across = 1, down = 1;
    SDL_RenderGetScale(renderer, &across, &down);
    *w = (int)((float)port.w * across);
    *h = (int)((float)port.h * down);
}

static inline void pv_sdl__set_vertex(SDL_Vertex *v, pv_vec2 at, float u, float w, pv_color color) {
    v->position.x = (float)at.x;
    v->position.y = (float)at.y;
    v->tex_coord.x = u;
    v->tex_coord.y = w;
    v->color.r = (Uint8)(color >> 24);
    v->color.g = (Uint8)(color >> 16 & 255);
    v->color.b = (Uint8)(color >> 8 & 255);
    v->color.a = (Uint8)(color & 255);
}

#endif

/** @defgroup sdl SDL
 *  A separate header for SDL 2 and SDL 3, not linked into the library. @{ */

/// Camera: point p of the world is at (p - top_left) * zoom of the render target's viewport
typedef struct pv_sdl_camera {
    /// Renderer, borrowed
    SDL_Renderer *renderer;
    /// Point of the world at the viewport's upper left corner [px]
    pv_vec2 top_left;
    /// Number of target pixels per pixel of the world, 1/64...64
    double zoom;
} pv_sdl_camera;

/// Returns a camera with zoom 1, and the world's (0, 0) at the upper left corner.
static inline pv_sdl_camera pv_sdl_camera_default(SDL_Renderer *renderer) {
    pv_sdl_camera camera;
    camera.renderer = renderer;
    camera.top_left.x = camera.top_left.y = 0;
    camera.zoom = 1;
    return camera;
}

/// Converts a point of the world to the viewport.
static inline pv_vec2 pv_sdl_camera_to_screen(const pv_sdl_camera *camera, pv_vec2 point) {
    return pv_vec2_scale(camera->zoom, pv_vec2_sub(point, camera->top_left));
}

/// Converts a point of the viewport to the world, for example the mouse.
static inline pv_vec2 pv_sdl_camera_to_world(const pv_sdl_camera *camera, pv_vec2 point) {
    pv_vec2 at;
    at.x = point.x / camera->zoom + camera->top_left.x;
    at.y = point.y / camera->zoom + camera->top_left.y;
    return at;
}

/// Clamps one coordinate of a camera to bounds, or centers bounds that are smaller than the view.
static inline double pv_sdl__clamp(double at, double view, double low, double high) {
    if (high < low) return at;
    if (high - low < view) return (low + high - view) / 2;
    return at < low ? low : at > high - view ? high - view : at;
}

/// Moves a camera gradually until a target is in the middle of the viewport. It covers nine tenths
/// of the way in 0.45 s.
/// @param target point of the world [px]
/// @param bounds part of the world to show; max < min: no bounds
/// @param dt time since the last call [s]; infinity jumps there
static inline void pv_sdl_camera_follow(pv_sdl_camera *camera, pv_vec2 target, pv_box bounds,
                                        double dt) {
    SDL_Rect port = pv_sdl__get_viewport(camera->renderer);
    double w = port.w / camera->zoom, h = port.h / camera->zoom, part = 1 - SDL_exp(-5 * dt);
    pv_vec2 goal;
    goal.x = target.x - w / 2;
    goal.y = target.y - h / 2;
    camera->top_left = pv_vec2_lerp(camera->top_left, goal, part);
    camera->top_left.x = pv_sdl__clamp(camera->top_left.x, w, bounds.min.x, bounds.max.x);
    camera->top_left.y = pv_sdl__clamp(camera->top_left.y, h, bounds.min.y, bounds.max.y);
}

/// Logs a refused call. Set it as pv_world_def.report_callback to see why a call has no effect.
static inline void pv_sdl_log_error(void *user_data, const pv_error *error) {
    (void)user_data;
    SDL_Log("%s", error->message);
}

/** @} */
/** @defgroup sdl_masks Masks
 *  @{ */

/// Stores a function's failure in *error, if there is one.
static inline void pv_sdl__fail(pv_error *error, const char *function, pv_status status,
                                const char *sentence) {
    if (!error) return;
    SDL_memset(error, 0, sizeof *error);
    error->status = status;
    error->function = function;
    SDL_snprintf(error->message, sizeof error->message, "%s: %s", function, sentence);
}

/// Returns the mask of a surface that needs no conversion, for pv_sdl_mask_from_surface().
static inline pv_mask *pv_sdl__mask_from_direct(SDL_Surface *surface,
                                                const pv_mask_options *options, pv_error *error) {
    pv_pixels pixels;
    if (SDL_MUSTLOCK(surface) && !pv_sdl__ok(SDL_LockSurface(surface))) {
        pv_sdl__fail(error, "pv_sdl_mask_from_surface", PV_ERROR_UNSUPPORTED, SDL_GetError());
        return NULL;
    }
    pixels.data = surface->pixels;
    pixels.width = surface->w;
    pixels.height = surface->h;
    pixels.pitch = surface->pitch;
    pv_sdl__get_alpha(surface, &pixels);
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
/// @return a mask for pv_mask_release(), or null
static inline pv_mask *pv_sdl_mask_from_surface(SDL_Surface *surface,
                                                const pv_mask_options *options, pv_error *error) {
    if (!surface) {
        pv_sdl__fail(error, __func__, PV_ERROR_ARGUMENT, "surface is null");
        return NULL;
    }
    if (!pv_sdl__is_indirect(surface)) return pv_sdl__mask_from_direct(surface, options, error);
    SDL_Surface *direct = pv_sdl__convert(surface);
    if (!direct) {
        pv_sdl__fail(error, __func__, PV_ERROR_UNSUPPORTED, SDL_GetError());
        return NULL;
    }
    pv_mask *mask = pv_sdl__mask_from_direct(direct, options, error);
    pv_sdl__free_surface(direct);
    return mask;
}

/// Copies a texture unchanged to the render target and reads it back, for
/// pv_sdl_mask_from_texture().
static inline bool pv_sdl__read_texture(SDL_Renderer *renderer, SDL_Texture *texture, int w, int h,
                                        void *rgba) {
    SDL_BlendMode blend = SDL_BLENDMODE_NONE;
    Uint8 alpha = 255;
    SDL_GetTextureBlendMode(texture, &blend);
    SDL_GetTextureAlphaMod(texture, &alpha);
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_NONE);
    SDL_SetTextureAlphaMod(texture, 255);
    bool good = pv_sdl__render(renderer, texture, NULL, NULL) && pv_sdl__read(renderer, w, h, rgba);
    SDL_SetTextureBlendMode(texture, blend);
    SDL_SetTextureAlphaMod(texture, alpha);
    return good;
}

/// Creates the mask of a texture. SDL cannot read a texture, so it is drawn to another one, which
/// is read back. This is slow: use it for loading, not in every frame. Use
/// pv_sdl_mask_from_surface() if there is a surface.
/// @param renderer the texture's; its target is restored. If that is a texture, SDL 2 forgets its
/// viewport, clip rectangle and scale; the window's are kept
/// @param texture not changed; any access, and any format that SDL can draw
/// @param options null for the defaults
/// @param error null, or receives the outcome: PV_ERROR_UNSUPPORTED if the renderer has no render
/// targets or cannot read them; otherwise as pv_mask_from_rgba()
/// @return a mask for pv_mask_release(), or null
static inline pv_mask *pv_sdl_mask_from_texture(SDL_Renderer *renderer, SDL_Texture *texture,
                                                const pv_mask_options *options, pv_error *error) {
    int w = 0, h = 0;
    pv_status status = PV_OK;
    if (!renderer || !pv_sdl__get_size(texture, &w, &h))
        status = PV_ERROR_ARGUMENT;
    else if (w > 32768 || h > 32768)
        status = PV_ERROR_TOO_LARGE;
    void *rgba = status == PV_OK ? SDL_malloc((size_t)w * (size_t)h * 4) : NULL;
    if (!rgba) {
        if (status == PV_OK) status = PV_ERROR_MEMORY;
        pv_sdl__fail(error, __func__, status, pv_status_to_string(status));
        return NULL;
    }
    SDL_Texture *before = SDL_GetRenderTarget(renderer);
    SDL_Texture *target =
        SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_TARGET, w, h);
    bool good = target && pv_sdl__ok(SDL_SetRenderTarget(renderer, target));
    if (good) {
        good = pv_sdl__read_texture(renderer, texture, w, h, rgba);
        SDL_SetRenderTarget(renderer, before);
    }
    if (target) SDL_DestroyTexture(target);
    pv_mask *mask = good ? pv_mask_from_rgba(rgba, w, h, (ptrdiff_t)w * 4, options, error) : NULL;
    if (!good) pv_sdl__fail(error, __func__, PV_ERROR_UNSUPPORTED, SDL_GetError());
    SDL_free(rgba);
    return mask;
}

/** @} */
/** @defgroup sdl_sprites Sprites
 *  @{ */

/// Picture of a body: the mask that collides, the texture that is drawn, and the pixels of both. An
/// empty sprite of null pointers is not drawn.
typedef struct pv_sdl_sprite {
    /// Mask, or null
    pv_mask *mask;
    /// Texture, or null
    SDL_Texture *texture;
    /// Pixels, from which carved bodies are drawn, or null
    pv_image *image;
    /// Color of pixels that a cut adds where the picture is empty; the mean of its solid pixels
    pv_color fill;
} pv_sdl_sprite;

/// Destroys a sprite; null is allowed. Call it before you destroy the renderer. Bodies keep the
/// mask as long as they need it.
static inline void pv_sdl_sprite_destroy(pv_sdl_sprite *sprite) {
    if (!sprite) return;
    pv_mask_release(sprite->mask);
    pv_image_destroy(sprite->image);
    if (sprite->texture) SDL_DestroyTexture(sprite->texture);
    SDL_free(sprite);
}

/// Returns the mean color of the solid pixels of a picture.
static inline pv_color pv_sdl__mean_color(const pv_image *image, const pv_mask *mask) {
    Uint64 sum[3] = {0, 0, 0}, count = 0;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            const unsigned char *at = image->pixels + ((size_t)y * (size_t)image->width + x) * 4;
            if (!pv_mask_get_pixel(mask, x, y)) continue;
            for (int i = 0; i < 3; i++) sum[i] += at[i];
            count++;
        }
    if (count == 0) count = 1;
    return PV_RGBA(sum[0] / count, sum[1] / count, sum[2] / count, 255);
}

/// Creates a texture from pixels, with the nearest filter.
static inline SDL_Texture *pv_sdl__make_texture(SDL_Renderer *renderer, int w, int h,
                                                const void *rgba) {
    SDL_Texture *texture =
        SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, w, h);
    if (!texture) return NULL;
    pv_sdl__set_nearest(texture);
    SDL_SetTextureBlendMode(texture, SDL_BLENDMODE_BLEND);
    if (pv_sdl__ok(SDL_UpdateTexture(texture, NULL, rgba, w * 4))) return texture;
    SDL_DestroyTexture(texture);
    return NULL;
}

/// Creates a sprite that takes over an image, even if it fails.
/// @param function name of the caller, for errors
static inline pv_sdl_sprite *pv_sdl__sprite_of(const char *function, SDL_Renderer *renderer,
                                               pv_image *image, pv_error *error) {
    pv_sdl_sprite *sprite = (pv_sdl_sprite *)SDL_calloc(1, sizeof *sprite);
    if (!sprite) {
        pv_image_destroy(image);
        pv_sdl__fail(error, function, PV_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    sprite->image = image;
    sprite->mask = pv_mask_from_image(image, NULL, error);
    if (sprite->mask && renderer)
        sprite->texture =
            pv_sdl__make_texture(renderer, image->width, image->height, image->pixels);
    if (sprite->mask && renderer && !sprite->texture)
        pv_sdl__fail(error, function, PV_ERROR_UNSUPPORTED, SDL_GetError());
    if (!sprite->mask || (renderer && !sprite->texture)) {
        pv_sdl_sprite_destroy(sprite);
        return NULL;
    }
    sprite->fill = pv_sdl__mean_color(image, sprite->mask);
    return sprite;
}

/// Loads a PNG as a sprite. Its texture has the nearest filter.
/// @param renderer null for a sprite without a texture
/// @param error null, or receives the outcome: as pv_mask_load(), or PV_ERROR_UNSUPPORTED if SDL
/// cannot make a texture of it
/// @return a sprite for pv_sdl_sprite_destroy(), or null
static inline pv_sdl_sprite *pv_sdl_sprite_load(SDL_Renderer *renderer, const char *path,
                                                pv_error *error) {
    pv_image *image = pv_image_load(path, NULL, error);
    return image ? pv_sdl__sprite_of(__func__, renderer, image, error) : NULL;
}

/// Creates a sprite from a copy of an image; otherwise as pv_sdl_sprite_load().
static inline pv_sdl_sprite *pv_sdl_sprite_from_image(SDL_Renderer *renderer, const pv_image *image,
                                                      pv_error *error) {
    if (!image) {
        pv_sdl__fail(error, __func__, PV_ERROR_ARGUMENT, "image is null");
        return NULL;
    }
    pv_image *copy = pv_image_create(image->width, image->height, NULL, error);
    if (!copy) return NULL;
    SDL_memcpy(copy->pixels, image->pixels, (size_t)image->width * (size_t)image->height * 4);
    return pv_sdl__sprite_of(__func__, renderer, copy, error);
}

/// Returns a def for a body with the sprite's mask. The sprite is its user_data and must outlive
/// the body. A null sprite gives a def without a mask, which pv_body_create() refuses.
static inline pv_body_def pv_sdl_sprite_get_body_def(pv_sdl_sprite *sprite, pv_body_type type,
                                                     double x, double y) {
    pv_body_def def = pv_body_def_default();
    def.type = type;
    def.mask = sprite ? sprite->mask : NULL;
    def.position.x = x;
    def.position.y = y;
    def.user_data = sprite;
    return def;
}

/** @} */
/** @defgroup sdl_draw Drawing
 *  Functions that return bool return false on failure, with a message in SDL_GetError(). @{ */

static inline void pv_sdl__set_color(SDL_Renderer *renderer, pv_color color) {
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(renderer, (Uint8)(color >> 24), (Uint8)(color >> 16 & 255),
                           (Uint8)(color >> 8 & 255), (Uint8)(color & 255));
}

/// Rectangles of one color, collected to be filled together
typedef struct pv_sdl__rects {
    SDL_Renderer *renderer;
    SDL_Rect port;
    int count;
    SDL_FRect items[256];
} pv_sdl__rects;

static inline void pv_sdl__rects_begin(pv_sdl__rects *r, SDL_Renderer *renderer, pv_color color) {
    r->renderer = renderer;
    r->port = pv_sdl__get_viewport(renderer);
    r->count = 0;
    pv_sdl__set_color(renderer, color);
}

static inline void pv_sdl__rects_flush(pv_sdl__rects *r) {
    if (r->count > 0) pv_sdl__fill(r->renderer, r->items, r->count);
    r->count = 0;
}

/// Adds the pixels of row y whose centers are between left and right.
static inline void pv_sdl__rects_add(pv_sdl__rects *r, double left, double right, double y) {
    double from = SDL_ceil(left - 0.5), to = SDL_ceil(right - 0.5);
    if (from < 0) from = 0;
    if (to > r->port.w) to = r->port.w;
    if (from >= to) return;
    if (r->count == 256) pv_sdl__rects_flush(r);
    SDL_FRect *row = &r->items[r->count++];
    row->x = (float)from;
    row->y = (float)y;
    row->w = (float)(to - from);
    row->h = 1;
}

/// Adds a disc of at least one pixel.
static inline void pv_sdl__rects_add_disc(pv_sdl__rects *r, pv_vec2 c, double radius) {
    if (radius < 0.75) radius = 0.75;
    double top = SDL_floor(c.y - radius + 0.5), bottom = c.y + radius - 0.5;
    if (c.x + radius < 0 || c.x - radius > r->port.w) return;
    for (double y = top > 0 ? top : 0; y <= bottom && y < r->port.h; y++) {
        double up = y + 0.5 - c.y, half = radius * radius - up * up;
        half = SDL_sqrt(half > 0 ? half : 0);
        pv_sdl__rects_add(r, c.x - half, c.x + half, y);
    }
}

enum {
    /* corners of the largest polygon of the library */
    PV_SDL__MAX_CORNERS = 64
};

/// Finds the places, in order, where row y crosses the edges of a polygon.
static inline int pv_sdl__find_crossings(const pv_vec2 *points, int count, double y,
                                         double *crossings) {
    int found = 0;
    for (int i = 0, before = count - 1; i < count; before = i++) {
        pv_vec2 a = points[before], b = points[i];
        if ((a.y <= y) == (b.y <= y)) continue;
        double x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
        int at = found++;
        for (; at > 0 && crossings[at - 1] > x; at--) crossings[at] = crossings[at - 1];
        crossings[at] = x;
    }
    return found;
}

/// Adds the pixels whose centers are in a polygon, with the even-odd rule.
static inline void pv_sdl__rects_add_polygon(pv_sdl__rects *r, const pv_vec2 *points, int count) {
    double top = points[0].y, bottom = top, crossings[PV_SDL__MAX_CORNERS];
    for (int i = 1; i < count; i++) {
        if (points[i].y < top) top = points[i].y;
        if (points[i].y > bottom) bottom = points[i].y;
    }
    double y = SDL_ceil(top - 0.5);
    for (y = y > 0 ? y : 0; y + 0.5 < bottom && y < r->port.h; y++) {
        int found = pv_sdl__find_crossings(points, count, y + 0.5, crossings);
        for (int i = 0; i + 1 < found; i += 2)
            pv_sdl__rects_add(r, crossings[i], crossings[i + 1], y);
    }
}

/// Adds a stroke with round ends.
static inline void pv_sdl__rects_add_stroke(pv_sdl__rects *r, pv_vec2 a, pv_vec2 b, double radius) {
    if (radius < 0.75) radius = 0.75;
    pv_vec2 across =
        pv_vec2_perp(pv_vec2_scale(radius, pv_vec2_normalize(pv_vec2_sub(b, a)))); // to a side
    pv_vec2 corners[4];
    corners[0] = pv_vec2_add(a, across);
    corners[1] = pv_vec2_add(b, across);
    corners[2] = pv_vec2_sub(b, across);
    corners[3] = pv_vec2_sub(a, across);
    pv_sdl__rects_add_polygon(r, corners, 4);
    pv_sdl__rects_add_disc(r, a, radius);
    pv_sdl__rects_add_disc(r, b, radius);
}

/* ---- pictures ---- */

/// Returns the first pixel whose center is in a picture that begins at x.
static inline double pv_sdl__first_pixel(double x, bool mirrored) {
    return mirrored ? SDL_floor(x - 0.5) + 1 : SDL_ceil(x - 0.5);
}

static inline bool pv_sdl__is_whole(double x) {
    return x > 0.5 && SDL_fabs(x - SDL_floor(x + 0.5)) < 1e-9;
}

/// Draws a picture at a quarter turn and a whole scale, on exactly the pixels whose centers it
/// covers.
/// @param c,s cosine and sine; one is 0, the other 1 or -1
static inline bool pv_sdl__draw_upright(const pv_sdl_camera *camera, SDL_Texture *texture,
                                        const SDL_Rect *part, pv_vec2 size, pv_vec2 center,
                                        const pv_transform *at, int c, int s, int flip) {
    pv_vec2 pivot = pv_sdl_camera_to_screen(camera, at->position), corner;
    double fx = at->scale.x < 0 ? -1 : 1, fy = at->scale.y < 0 ? -1 : 1;
    corner.x = pivot.x + (c > 0   ? -center.x
                          : c < 0 ? center.x - size.x
                          : s > 0 ? center.y - size.y
                                  : -center.y);
    corner.y = pivot.y + (c > 0   ? -center.y
                          : c < 0 ? center.y - size.y
                          : s > 0 ? -center.x
                                  : center.x - size.x);
    corner.x = pv_sdl__first_pixel(corner.x, (c != 0 ? c * fx : -s * fy) < 0);
    corner.y = pv_sdl__first_pixel(corner.y, (c != 0 ? c * fy : s * fx) < 0);
    /* the box turns about its own corner, which is on a whole pixel */
    SDL_FRect box;
    SDL_FPoint own = {0, 0};
    box.x = (float)(corner.x + (c < 0 ? size.x : s > 0 ? size.y : 0));
    box.y = (float)(corner.y + (c < 0 ? size.y : s < 0 ? size.x : 0));
    box.w = (float)size.x;
    box.h = (float)size.y;
    if (c > 0 && flip == SDL_FLIP_NONE)
        return pv_sdl__render(camera->renderer, texture, part, &box);
    double degrees = c > 0 ? 0 : c < 0 ? 180 : s > 0 ? 90 : 270;
    return pv_sdl__render_turned(camera->renderer, texture, part, &box, degrees, own, flip);
}

/// Draws a part of a texture, as a picture of w x h px, at a transform.
static inline bool pv_sdl__draw(const pv_sdl_camera *camera, SDL_Texture *texture,
                                const SDL_Rect *part, int w, int h, const pv_transform *at) {
    bool left_right = at->scale.x < 0, top_bottom = at->scale.y < 0;
    pv_vec2 scale, center, size, pivot = pv_sdl_camera_to_screen(camera, at->position);
    scale.x = SDL_fabs(at->scale.x) * camera->zoom;
    scale.y = SDL_fabs(at->scale.y) * camera->zoom;
    center.x = (left_right ? w - at->pivot.x : at->pivot.x) * scale.x;
    center.y = (top_bottom ? h - at->pivot.y : at->pivot.y) * scale.y;
    size.x = w * scale.x;
    size.y = h * scale.y;
    int flip = (left_right ? SDL_FLIP_HORIZONTAL : SDL_FLIP_NONE) |
               (top_bottom ? SDL_FLIP_VERTICAL : SDL_FLIP_NONE);
    double c = at->rotation.c, s = at->rotation.s;
    bool quarter = SDL_fabs(c) < 1e-9 || SDL_fabs(s) < 1e-9;
    if (quarter && pv_sdl__is_whole(scale.x) && pv_sdl__is_whole(scale.y))
        return pv_sdl__draw_upright(camera, texture, part, size, center, at, (int)(c * 1.5),
                                    (int)(s * 1.5), flip);
    SDL_FPoint about;
    SDL_FRect box;
    about.x = (float)center.x;
    about.y = (float)center.y;
    box.x = (float)(pivot.x - center.x);
    box.y = (float)(pivot.y - center.y);
    box.w = (float)size.x;
    box.h = (float)size.y;
    double degrees = pv_rotation_get_angle(at->rotation) * 57.29577951308232;
    return pv_sdl__render_turned(camera->renderer, texture, part, &box, degrees, about, flip);
}

/// Draws a picture, or a part of one, at a transform, for movers and cells of a sheet. At quarter
/// turns and whole scales every renderer draws exactly the pixels that collide. At other angles and
/// scales SDL's OpenGL renderer errs only where a center is within 1/128 px of a texel's edge.
/// SDL's software renderer is then off by up to 2 px. pv_sdl_scene_draw() is exact there.
/// @param texture with the nearest filter, otherwise its rim is blurred
/// @param part part to draw, in which the pivot is measured; null for the whole picture
/// @param at transform, as from pv_body_get_transform() or pv_mover_get_transform()
static inline bool pv_sdl_draw_texture(const pv_sdl_camera *camera, SDL_Texture *texture,
                                       const SDL_Rect *part, const pv_transform *at) {
    SDL_Rect all = {0, 0, 0, 0};
    if (!camera || !at || !pv_sdl__get_size(texture, &all.w, &all.h)) {
        SDL_SetError("pv_sdl_draw_texture: no such picture");
        return false;
    }
    if (part) all = *part;
    return pv_sdl__draw(camera, texture, &all, all.w, all.h, at);
}

/// Draws a body's picture at its colliding pixels, as pv_sdl_draw_texture() does. Carved holes do
/// not show; only pv_sdl_scene_draw() draws them.
/// @param texture as large as the body's mask, with the nearest filter
/// @param world,body body to draw; an invalid id is refused
static inline bool pv_sdl_draw_body(const pv_sdl_camera *camera, SDL_Texture *texture,
                                    const pv_world *world, pv_body_id body) {
    if (!camera || !texture || !pv_body_is_valid(world, body)) {
        SDL_SetError("pv_sdl_draw_body: no such body");
        return false;
    }
    const pv_mask *mask = pv_body_get_mask(world, body);
    pv_transform at = pv_body_get_transform(world, body);
    return pv_sdl__draw(camera, texture, NULL, pv_mask_get_width(mask), pv_mask_get_height(mask),
                        &at);
}

/// Converts a transform to the screen.
static inline pv_transform pv_sdl__to_screen(const pv_sdl_camera *camera, pv_transform at) {
    at.position = pv_sdl_camera_to_screen(camera, at.position);
    at.scale = pv_vec2_scale(camera->zoom, at.scale);
    return at;
}

/* ---- debug drawing: the callbacks, whose user_data is a pv_sdl_camera ---- */

static inline void pv_sdl__debug_line(void *user_data, pv_vec2 from, pv_vec2 to, pv_color color) {
    const pv_sdl_camera *camera = (const pv_sdl_camera *)user_data;
    pv_sdl__set_color(camera->renderer, color);
    pv_sdl__line(camera->renderer, pv_sdl_camera_to_screen(camera, from),
                 pv_sdl_camera_to_screen(camera, to));
}

static inline void pv_sdl__debug_circle(void *user_data, pv_vec2 center, double radius,
                                        pv_color color) {
    const pv_sdl_camera *camera = (const pv_sdl_camera *)user_data;
    pv_sdl__rects rects;
    pv_sdl__rects_begin(&rects, camera->renderer, color);
    pv_sdl__rects_add_disc(&rects, pv_sdl_camera_to_screen(camera, center), radius * camera->zoom);
    pv_sdl__rects_flush(&rects);
}

/// Adds the solid pixels of a row, run by run.
static inline void pv_sdl__rects_add_row(pv_sdl__rects *r, const pv_mask *turned, pv_rect at,
                                         int y) {
    int w = pv_mask_get_width(turned), end = w < r->port.w - at.x ? w : r->port.w - at.x;
    for (int x = at.x < 0 ? -at.x : 0; x < end; x++) {
        int from = x;
        while (x < end && pv_mask_get_pixel(turned, x, y)) x++;
        if (x > from) pv_sdl__rects_add(r, at.x + from, at.x + x, at.y + y);
    }
}

/// Draws the collision bitmap itself, at the target's resolution.
static inline void pv_sdl__debug_mask(void *user_data, const pv_mask *mask,
                                      const pv_transform *transform, pv_color color) {
    const pv_sdl_camera *camera = (const pv_sdl_camera *)user_data;
    pv_transform t = pv_sdl__to_screen(camera, *transform);
    pv_sdl__rects rects;
    pv_rect at;
    pv_sdl__rects_begin(&rects, camera->renderer, color);
    pv_box box = pv_transform_compute_bounds(&t, pv_mask_get_width(mask), pv_mask_get_height(mask));
    if (box.max.x < 0 || box.max.y < 0 || box.min.x > rects.port.w || box.min.y > rects.port.h)
        return;
    pv_mask *turned = pv_mask_transform(mask, &t, &at, NULL, NULL);
    int h = pv_mask_get_height(turned);
    for (int y = at.y < 0 ? -at.y : 0; turned && y < h && at.y + y < rects.port.h; y++)
        pv_sdl__rects_add_row(&rects, turned, at, y);
    pv_sdl__rects_flush(&rects);
    pv_mask_release(turned);
}

/// Returns callbacks for pv_world_debug_draw() that draw through a camera. Normals and points have
/// the same size on the screen at any zoom. Each call transforms the masks again, with memory from
/// the C library. It leaves out a mask if memory runs out.
/// @param camera borrowed; must outlive the result. Call the function again after a change of its
/// zoom
static inline pv_debug_draw pv_sdl_get_debug_draw(pv_sdl_camera *camera) {
    pv_debug_draw draw = pv_debug_draw_default();
    draw.user_data = camera;
    draw.line = pv_sdl__debug_line;
    draw.circle = pv_sdl__debug_circle;
    draw.mask = pv_sdl__debug_mask;
    draw.normal_length /= camera->zoom;
    draw.point_radius /= camera->zoom;
    return draw;
}

/// Draws what the library sees of a world, chosen by flags of PV_DEBUG_.
/// @return as pv_world_debug_draw()
static inline pv_status pv_sdl_draw_debug(const pv_sdl_camera *camera, const pv_world *world,
                                          unsigned flags) {
    pv_sdl_camera own = *camera;
    pv_debug_draw draw = pv_sdl_get_debug_draw(&own);
    return pv_world_debug_draw(world, &draw, flags);
}

/* ---- lists ---- */

/// Growing array of items of one size
typedef struct pv_sdl__list {
    void *items;
    size_t capacity;
} pv_sdl__list;

/// Makes room for a number of items in a list. New items are zero.
static inline void *pv_sdl__list_reserve(pv_sdl__list *list, size_t count, size_t size) {
    if (count <= list->capacity) return list->items;
    size_t capacity = count + count / 2 + 64;
    void *items = SDL_realloc(list->items, capacity * size);
    if (!items) return NULL;
    SDL_memset((char *)items + list->capacity * size, 0, (capacity - list->capacity) * size);
    list->items = items;
    list->capacity = capacity;
    return items;
}

static inline void pv_sdl__list_mark(pv_sdl__list *list, uint32_t index) {
    Uint8 *marks = (Uint8 *)pv_sdl__list_reserve(list, (size_t)index + 1, 1);
    if (marks) marks[index] = 1;
}

static inline bool pv_sdl__list_has(const pv_sdl__list *list, uint32_t index) {
    return index < list->capacity && ((const Uint8 *)list->items)[index];
}

static inline void pv_sdl__list_clear(pv_sdl__list *list) {
    if (list->items) SDL_memset(list->items, 0, list->capacity);
}

/* ---- particles, ropes, composites ---- */

static inline void pv_sdl__rects_add_particle(pv_sdl__rects *r, const pv_sdl_camera *camera,
                                              const pv_world *world, pv_particle_id particle) {
    pv_vec2 at = pv_sdl_camera_to_screen(camera, pv_particle_get_position(world, particle));
    pv_sdl__rects_add_disc(r, at, pv_particle_get_radius(world, particle) * camera->zoom);
}

/// Draws the particles of a liquid as discs of one color.
/// @param liquid null id: all particles of the world
static inline bool pv_sdl_draw_particles(const pv_sdl_camera *camera, const pv_world *world,
                                         pv_liquid_id liquid, pv_color color) {
    pv_sdl__rects rects;
    pv_sdl__rects_begin(&rects, camera->renderer, color);
    pv_particle_id next = pv_world_get_next_particle(world, pv_null_particle);
    for (; PV_ID_IS_NULL(liquid) && !PV_ID_IS_NULL(next);
         next = pv_world_get_next_particle(world, next))
        pv_sdl__rects_add_particle(&rects, camera, world, next);
    int count = pv_liquid_get_particles(world, liquid, NULL, 0);
    pv_particle_id *all =
        count > 0 ? (pv_particle_id *)SDL_malloc((size_t)count * sizeof *all) : NULL;
    if (all) pv_liquid_get_particles(world, liquid, all, count);
    for (int i = 0; all && i < count; i++)
        pv_sdl__rects_add_particle(&rects, camera, world, all[i]);
    SDL_free(all);
    pv_sdl__rects_flush(&rects);
    return count <= 0 || all;
}

/* ---- grains ---- */

/// Map from a pixel of the world to its first target pixel, in 32.32 fixed point
typedef struct pv_sdl__grain_map {
    Sint64 zoom, x, y;
} pv_sdl__grain_map;

/// Pixels and texture of a population's grains, kept from frame to frame. Use one for each
/// population.
typedef struct pv_sdl_grain_layer {
    /// Size of the viewport; private, like all members below
    int width, height;
    /// Texture of the pixels
    SDL_Texture *texture;
    /// Pixels, 0xAARRGGBB; transparent where the last frame had no grain
    Uint32 *pixels;
    /// Rows with grains in the last frame: top to bottom - 1
    int top, bottom;
} pv_sdl_grain_layer;

/// Creates an empty layer of grains.
/// @return a layer for pv_sdl_grain_layer_destroy(), before its renderer is destroyed; null if
/// memory runs out
static inline pv_sdl_grain_layer *pv_sdl_grain_layer_create(void) {
    return (pv_sdl_grain_layer *)SDL_calloc(1, sizeof(pv_sdl_grain_layer));
}

static inline void pv_sdl__grain_layer_clear(pv_sdl_grain_layer *layer) {
    if (layer->texture) SDL_DestroyTexture(layer->texture);
    SDL_free(layer->pixels);
    SDL_memset(layer, 0, sizeof *layer);
}

/// Destroys a layer of grains; null is allowed.
static inline void pv_sdl_grain_layer_destroy(pv_sdl_grain_layer *layer) {
    if (layer) pv_sdl__grain_layer_clear(layer);
    SDL_free(layer);
}

/// Gives a layer pixels of the viewport's size, all of them transparent.
static inline bool pv_sdl__grain_layer_open(pv_sdl_grain_layer *layer, SDL_Renderer *renderer) {
    SDL_Rect port = pv_sdl__get_viewport(renderer);
    if (layer->texture && layer->width == port.w && layer->height == port.h) {
        if (layer->top < layer->bottom)
            SDL_memset(layer->pixels + (size_t)layer->top * (size_t)port.w, 0,
                       (size_t)(layer->bottom - layer->top) * (size_t)port.w * sizeof(Uint32));
        return true;
    }
    pv_sdl__grain_layer_clear(layer);
    layer->texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_ARGB8888,
                                       SDL_TEXTUREACCESS_STREAMING, port.w, port.h);
    layer->pixels = (Uint32 *)SDL_calloc((size_t)port.w * (size_t)port.h + 1, sizeof(Uint32));
    if (!layer->texture || !layer->pixels) return false;
    layer->width = port.w;
    layer->height = port.h;
    pv_sdl__set_nearest(layer->texture);
    SDL_SetTextureBlendMode(layer->texture, SDL_BLENDMODE_BLEND);
    return true;
}

/// Returns the map of a camera, offset so that rounding down finds the first pixel center.
static inline pv_sdl__grain_map pv_sdl__grain_map_of(const pv_sdl_camera *camera) {
    const double one = 4294967296.0;
    pv_sdl__grain_map map;
    map.zoom = (Sint64)(camera->zoom * one);
    map.x = 0x7fffffff - (Sint64)SDL_floor(camera->top_left.x * camera->zoom * one + 0.5);
    map.y = 0x7fffffff - (Sint64)SDL_floor(camera->top_left.y * camera->zoom * one + 0.5);
    return map;
}

/// Sets the pixels of a rectangle.
static inline void pv_sdl__grain_fill(pv_sdl_grain_layer *layer, Sint64 left, Sint64 top,
                                      Sint64 right, Sint64 bottom, Uint32 argb) {
    if (left < 0) left = 0;
    if (top < 0) top = 0;
    if (right > layer->width) right = layer->width;
    if (bottom > layer->height) bottom = layer->height;
    if (left >= right || top >= bottom) return;
    if (top < layer->top) layer->top = (int)top;
    if (bottom > layer->bottom) layer->bottom = (int)bottom;
    for (Sint64 v = top; v < bottom; v++)
        for (Sint64 u = left; u < right; u++) layer->pixels[v * layer->width + u] = argb;
}

/// Sets the target pixels of a world pixel, at least one.
static inline void pv_sdl__grain_plot(pv_sdl_grain_layer *layer, pv_sdl__grain_map map, int x,
                                      int y, Uint32 argb) {
    Sint64 u = x * map.zoom + map.x, v = y * map.zoom + map.y;
    Sint64 right = (u + map.zoom) >> 32, bottom = (v + map.zoom) >> 32;
    u >>= 32;
    v >>= 32;
    if (right <= u + 1 && bottom <= v + 1) { /* one pixel, the usual case */
        if ((Uint64)u >= (Uint64)layer->width || (Uint64)v >= (Uint64)layer->height) return;
        layer->pixels[v * layer->width + u] = argb;
        if (v < layer->top) layer->top = (int)v;
        if (v >= layer->bottom) layer->bottom = (int)v + 1;
        return;
    }
    pv_sdl__grain_fill(layer, u, v, right > u ? right : u + 1, bottom > v ? bottom : v + 1, argb);
}

/// Plots the grains of a view at zoom 1, the usual case, in which a grain is one pixel.
static inline void pv_sdl__grain_plot_pixels(pv_sdl_grain_layer *layer, pv_sdl__grain_map map,
                                             const pv_grains_view *view) {
    const int left = (int)(map.x >> 32), above = (int)(map.y >> 32);
    const Uint32 width = (Uint32)layer->width, height = (Uint32)layer->height;
    Uint32 *pixels = layer->pixels, top = height, last = 0;
    for (int i = 0; i < view->count; i++) {
        Uint32 u = (Uint32)((view->x[i] >> 16) + left), v = (Uint32)((view->y[i] >> 16) + above);
        if (!((v < height) & (u < width) & (view->y[i] != PV_GRAIN_NONE))) continue;
        top = v < top ? v : top;
        last = v > last ? v : last;
        pixels[v * width + u] = view->color[i] >> 8 | view->color[i] << 24;
    }
    layer->top = (int)top;
    layer->bottom = top < height ? (int)last + 1 : 0;
}

/// Plots the grains of a view on empty pixels. With a local copy of the layer, the compiler knows
/// that writing pixels does not change the layer's members.
static inline void pv_sdl__grain_layer_plot(pv_sdl_grain_layer *layer, const pv_sdl_camera *camera,
                                            const pv_grains_view *view) {
    pv_sdl_grain_layer own = *layer;
    pv_sdl__grain_map map = pv_sdl__grain_map_of(camera);
    own.top = own.height;
    own.bottom = 0;
    if (camera->zoom == 1)
        pv_sdl__grain_plot_pixels(&own, map, view);
    else
        for (int i = 0; i < view->count; i++)
            if (view->y[i] != PV_GRAIN_NONE)
                pv_sdl__grain_plot(&own, map, view->x[i] >> 16, view->y[i] >> 16,
                                   view->color[i] >> 8 | view->color[i] << 24);
    *layer = own;
}

/// Draws a population's grains, blended over the target. A grain covers the target pixels whose
/// centers are in its world pixel, at least one. Its color is 0xRRGGBBAA. Where grains share a
/// pixel, the one in the last slot shows.
/// @param camera top_left within 2^20 px
/// @param layer of this population and renderer
static inline bool pv_sdl_draw_grains(const pv_sdl_camera *camera, pv_sdl_grain_layer *layer,
                                      const pv_world *world, pv_grains_id grains) {
    if (!camera || !layer) {
        SDL_SetError("pv_sdl_draw_grains: a null pointer");
        return false;
    }
    pv_grains_view view = pv_grains_get_view(world, grains);
    if (!pv_sdl__grain_layer_open(layer, camera->renderer)) return false;
    pv_sdl__grain_layer_plot(layer, camera, &view);
    if (layer->top >= layer->bottom) return true;
    SDL_Rect part = {0, layer->top, layer->width, layer->bottom - layer->top};
    SDL_FRect to = {0, (float)part.y, (float)part.w, (float)part.h};
    return pv_sdl__ok(SDL_UpdateTexture(layer->texture, &part,
                                        layer->pixels + (size_t)part.y * (size_t)layer->width,
                                        layer->width * 4)) &&
           pv_sdl__render(camera->renderer, layer->texture, &part, &to);
}

/// Adds a rope or distance joint as a stroke, as thick as the particles at its ends.
/// @param hidden null, or marks of particles, to which these ends are added
static inline void pv_sdl__rects_add_joint(pv_sdl__rects *r, const pv_sdl_camera *camera,
                                           const pv_world *world, pv_joint_id joint,
                                           pv_sdl__list *hidden) {
    pv_joint_type type = pv_joint_get_type(world, joint);
    pv_anchor ends[2];
    double radius = 0;
    if (type != PV_JOINT_DISTANCE && type != PV_JOINT_ROPE) return;
    if (pv_joint_get_anchors(world, joint, ends) != PV_OK) return;
    for (int i = 0; i < 2; i++) {
        double own = pv_particle_get_radius(world, ends[i].particle);
        if (own > radius) radius = own;
        if (hidden && !PV_ID_IS_NULL(ends[i].particle))
            pv_sdl__list_mark(hidden, ends[i].particle.index);
    }
    pv_sdl__rects_add_stroke(r, pv_sdl_camera_to_screen(camera, ends[0].point),
                             pv_sdl_camera_to_screen(camera, ends[1].point), radius * camera->zoom);
}

/// Draws the triangles of a composite, for pv_sdl_draw_composite().
static inline bool pv_sdl__draw_mesh(const pv_sdl_camera *camera, SDL_Texture *texture,
                                     const pv_world *world, pv_composite_id composite, int count,
                                     pv_color color) {
    pv_vertex *mesh = (pv_vertex *)SDL_malloc((size_t)count * sizeof *mesh);
    SDL_Vertex *corners = (SDL_Vertex *)SDL_calloc((size_t)count, sizeof *corners);
    bool good = mesh && corners;
    if (good) pv_composite_get_mesh(world, composite, mesh, count);
    for (int i = 0; good && i < count; i++) {
        pv_vec2 at;
        at.x = mesh[i].x;
        at.y = mesh[i].y;
        pv_sdl__set_vertex(&corners[i], pv_sdl_camera_to_screen(camera, at), mesh[i].u, mesh[i].v,
                           color);
    }
    good =
        good && pv_sdl__ok(SDL_RenderGeometry(camera->renderer, texture, corners, count, NULL, 0));
    SDL_free(corners);
    SDL_free(mesh);
    return good;
}

/// Draws a composite: cloth, jelly and soft bodies as triangles, others as strokes along their
/// ropes and distance joints.
/// @param texture picture on the triangles, tinted with color; null: color alone
static inline bool pv_sdl_draw_composite(const pv_sdl_camera *camera, SDL_Texture *texture,
                                         const pv_world *world, pv_composite_id composite,
                                         pv_color color) {
    int corners = pv_composite_get_mesh(world, composite, NULL, 0);
    if (corners > 0) return pv_sdl__draw_mesh(camera, texture, world, composite, corners, color);
    int count = pv_composite_get_joints(world, composite, NULL, 0);
    pv_joint_id *joints = (pv_joint_id *)SDL_malloc((size_t)count * sizeof *joints + 1);
    pv_sdl__rects rects;
    if (!joints) return false;
    pv_composite_get_joints(world, composite, joints, count);
    pv_sdl__rects_begin(&rects, camera->renderer, color);
    for (int i = 0; i < count; i++) pv_sdl__rects_add_joint(&rects, camera, world, joints[i], NULL);
    pv_sdl__rects_flush(&rects);
    SDL_free(joints);
    return true;
}

/* ---- text and screenshots ---- */

/// Returns the eight rows of an ASCII character; bit 7 is the left pixel.
static inline const Uint8 *pv_sdl__get_glyph(char character) {
    static const Uint8 rows[95 * 8] = {
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x10, 0x10, 0x10, 0x00, 0x00, 0x10,
        0x00, 0x28, 0x28, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x28, 0x7c, 0x28, 0x28, 0x28, 0x7c,
        0x28, 0x00, 0x10, 0x3c, 0x50, 0x38, 0x14, 0x78, 0x10, 0x00, 0x64, 0x68, 0x10, 0x10, 0x2c,
        0x4c, 0x00, 0x00, 0x30, 0x48, 0x50, 0x20, 0x54, 0x48, 0x34, 0x00, 0x10, 0x10, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x08, 0x10, 0x20, 0x20, 0x20, 0x10, 0x08, 0x00, 0x20, 0x10, 0x08,
        0x08, 0x08, 0x10, 0x20, 0x00, 0x00, 0x54, 0x38, 0x7c, 0x38, 0x54, 0x00, 0x00, 0x00, 0x10,
        0x10, 0x7c, 0x10, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x18, 0x18, 0x30, 0x00,
        0x00, 0x00, 0x38, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x30, 0x30, 0x00,
        0x04, 0x04, 0x08, 0x10, 0x20, 0x40, 0x40, 0x00, 0x38, 0x44, 0x4c, 0x54, 0x64, 0x44, 0x38,
        0x00, 0x10, 0x30, 0x50, 0x10, 0x10, 0x10, 0x7c, 0x00, 0x38, 0x44, 0x04, 0x18, 0x20, 0x40,
        0x7c, 0x00, 0x78, 0x04, 0x04, 0x38, 0x04, 0x04, 0x78, 0x00, 0x44, 0x44, 0x44, 0x7c, 0x04,
        0x04, 0x04, 0x00, 0x7c, 0x40, 0x78, 0x04, 0x04, 0x44, 0x38, 0x00, 0x38, 0x40, 0x40, 0x78,
        0x44, 0x44, 0x38, 0x00, 0x7c, 0x04, 0x08, 0x08, 0x10, 0x10, 0x10, 0x00, 0x38, 0x44, 0x44,
        0x38, 0x44, 0x44, 0x38, 0x00, 0x38, 0x44, 0x44, 0x3c, 0x04, 0x04, 0x38, 0x00, 0x00, 0x30,
        0x30, 0x00, 0x30, 0x30, 0x00, 0x00, 0x00, 0x18, 0x18, 0x00, 0x18, 0x18, 0x30, 0x00, 0x04,
        0x18, 0x20, 0x40, 0x20, 0x18, 0x04, 0x00, 0x00, 0x00, 0x7c, 0x00, 0x7c, 0x00, 0x00, 0x00,
        0x40, 0x30, 0x08, 0x04, 0x08, 0x30, 0x40, 0x00, 0x38, 0x44, 0x04, 0x18, 0x10, 0x00, 0x10,
        0x00, 0x38, 0x44, 0x5c, 0x54, 0x5c, 0x40, 0x3c, 0x00, 0x10, 0x28, 0x28, 0x44, 0x7c, 0x44,
        0x44, 0x00, 0x78, 0x44, 0x44, 0x78, 0x44, 0x44, 0x78, 0x00, 0x3c, 0x40, 0x40, 0x40, 0x40,
        0x40, 0x3c, 0x00, 0x70, 0x48, 0x44, 0x44, 0x44, 0x48, 0x70, 0x00, 0x7c, 0x40, 0x40, 0x70,
        0x40, 0x40, 0x7c, 0x00, 0x7c, 0x40, 0x40, 0x70, 0x40, 0x40, 0x40, 0x00, 0x3c, 0x40, 0x40,
        0x5c, 0x44, 0x44, 0x3c, 0x00, 0x44, 0x44, 0x44, 0x7c, 0x44, 0x44, 0x44, 0x00, 0x7c, 0x10,
        0x10, 0x10, 0x10, 0x10, 0x7c, 0x00, 0x1c, 0x04, 0x04, 0x04, 0x04, 0x44, 0x38, 0x00, 0x44,
        0x48, 0x50, 0x60, 0x50, 0x48, 0x44, 0x00, 0x40, 0x40, 0x40, 0x40, 0x40, 0x40, 0x7c, 0x00,
        0x44, 0x6c, 0x54, 0x54, 0x44, 0x44, 0x44, 0x00, 0x44, 0x64, 0x64, 0x54, 0x4c, 0x4c, 0x44,
        0x00, 0x38, 0x44, 0x44, 0x44, 0x44, 0x44, 0x38, 0x00, 0x78, 0x44, 0x44, 0x78, 0x40, 0x40,
        0x40, 0x00, 0x38, 0x44, 0x44, 0x44, 0x54, 0x48, 0x34, 0x00, 0x78, 0x44, 0x44, 0x78, 0x50,
        0x48, 0x44, 0x00, 0x3c, 0x40, 0x40, 0x38, 0x04, 0x04, 0x78, 0x00, 0x7c, 0x10, 0x10, 0x10,
        0x10, 0x10, 0x10, 0x00, 0x44, 0x44, 0x44, 0x44, 0x44, 0x44, 0x38, 0x00, 0x44, 0x44, 0x44,
        0x44, 0x28, 0x28, 0x10, 0x00, 0x44, 0x44, 0x44, 0x54, 0x54, 0x6c, 0x44, 0x00, 0x44, 0x44,
        0x28, 0x10, 0x28, 0x44, 0x44, 0x00, 0x44, 0x44, 0x28, 0x28, 0x10, 0x10, 0x10, 0x00, 0x7c,
        0x04, 0x08, 0x10, 0x20, 0x40, 0x7c, 0x00, 0x38, 0x20, 0x20, 0x20, 0x20, 0x20, 0x38, 0x00,
        0x40, 0x40, 0x20, 0x10, 0x08, 0x04, 0x04, 0x00, 0x38, 0x08, 0x08, 0x08, 0x08, 0x08, 0x38,
        0x00, 0x10, 0x28, 0x44, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x7c, 0x20, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x38, 0x04, 0x3c,
        0x44, 0x3c, 0x00, 0x40, 0x40, 0x78, 0x44, 0x44, 0x44, 0x78, 0x00, 0x00, 0x00, 0x3c, 0x40,
        0x40, 0x40, 0x3c, 0x00, 0x04, 0x04, 0x3c, 0x44, 0x44, 0x44, 0x3c, 0x00, 0x00, 0x00, 0x38,
        0x44, 0x7c, 0x40, 0x38, 0x00, 0x1c, 0x20, 0x78, 0x20, 0x20, 0x20, 0x20, 0x00, 0x00, 0x00,
        0x3c, 0x44, 0x44, 0x3c, 0x04, 0x38, 0x40, 0x40, 0x78, 0x44, 0x44, 0x44, 0x44, 0x00, 0x10,
        0x00, 0x30, 0x10, 0x10, 0x10, 0x38, 0x00, 0x08, 0x00, 0x18, 0x08, 0x08, 0x08, 0x48, 0x30,
        0x40, 0x40, 0x48, 0x50, 0x60, 0x50, 0x48, 0x00, 0x30, 0x10, 0x10, 0x10, 0x10, 0x10, 0x0c,
        0x00, 0x00, 0x00, 0x68, 0x54, 0x54, 0x54, 0x54, 0x00, 0x00, 0x00, 0x78, 0x44, 0x44, 0x44,
        0x44, 0x00, 0x00, 0x00, 0x38, 0x44, 0x44, 0x44, 0x38, 0x00, 0x00, 0x00, 0x78, 0x44, 0x44,
        0x78, 0x40, 0x40, 0x00, 0x00, 0x3c, 0x44, 0x44, 0x3c, 0x04, 0x04, 0x00, 0x00, 0x58, 0x60,
        0x40, 0x40, 0x40, 0x00, 0x00, 0x00, 0x3c, 0x40, 0x38, 0x04, 0x78, 0x00, 0x20, 0x20, 0x78,
        0x20, 0x20, 0x20, 0x18, 0x00, 0x00, 0x00, 0x44, 0x44, 0x44, 0x4c, 0x34, 0x00, 0x00, 0x00,
        0x44, 0x44, 0x28, 0x28, 0x10, 0x00, 0x00, 0x00, 0x54, 0x54, 0x54, 0x54, 0x28, 0x00, 0x00,
        0x00, 0x44, 0x28, 0x10, 0x28, 0x44, 0x00, 0x00, 0x00, 0x44, 0x44, 0x44, 0x3c, 0x04, 0x38,
        0x00, 0x00, 0x7c, 0x08, 0x10, 0x20, 0x7c, 0x00, 0x0c, 0x10, 0x10, 0x20, 0x10, 0x10, 0x0c,
        0x00, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x60, 0x10, 0x10, 0x08, 0x10, 0x10,
        0x60, 0x00, 0x00, 0x00, 0x34, 0x48, 0x00, 0x00, 0x00, 0x00};
    int index = (unsigned char)character - 32;
    return &rows[8 * (index >= 0 && index < 95 ? index : '?' - 32)];
}

/// Draws ASCII text in a font of 8 x 8 px, in pixels of the viewport. A newline begins a new line.
/// @param x,y upper left corner [px]
/// @param scale size of a font pixel, 1 or more [px]
static inline void pv_sdl_draw_text(SDL_Renderer *renderer, double x, double y, int scale,
                                    pv_color color, const char *text) {
    pv_sdl__rects rects;
    pv_sdl__rects_begin(&rects, renderer, color);
    for (double left = x; *text; text++, left += 8 * scale) {
        const Uint8 *rows = pv_sdl__get_glyph(*text);
        if (*text == '\n') {
            left = x - 8 * scale;
            y += 8 * scale;
            continue;
        }
        for (int i = 0; i < 8 * scale; i++)
            for (int k = 0; k < 8; k++)
                if (rows[i / scale] >> (7 - k) & 1)
                    pv_sdl__rects_add(&rects, left + k * scale, left + (k + 1) * scale,
                                      SDL_floor(y) + i);
    }
    pv_sdl__rects_flush(&rects);
}

/// Saves the viewport as a PNG file with pv_image_save(). Call it before SDL_RenderPresent().
/// @return as pv_image_save(), or PV_ERROR_UNSUPPORTED if SDL cannot read the renderer
static inline pv_status pv_sdl_save_screenshot(SDL_Renderer *renderer, const char *path) {
    int w = 0, h = 0;
    pv_error error;
    pv_sdl__get_pixel_size(renderer, &w, &h);
    pv_image *image = pv_image_create(w, h, NULL, &error);
    if (!image) return error.status;
    pv_status status = PV_ERROR_UNSUPPORTED;
    if (pv_sdl__read(renderer, w, h, image->pixels)) {
        for (int i = 0; i < w * h; i++) image->pixels[4 * i + 3] = 255; /* the window is opaque */
        status = pv_image_save(image, path);
    }
    pv_image_destroy(image);
    return status;
}

/** @} */
/** @defgroup sdl_scene Scene
 *  Draws a whole world so that what collides is what is drawn: bodies with their holes and parts,
 *  polygons, cloth, jelly, ropes, liquids and debris. @{ */

/// Pixels of a body that differ from those of its sprite
typedef struct pv_sdl__look {
    pv_body_id body; /* null: an empty slot */
    const pv_sdl_sprite *sprite;
    const pv_mask *mask; /* shown by the pixels; null: none yet */
    int64_t count;       /* of its solid pixels when they were drawn */
    int width, height;   /* of the mask */
    int x, y;            /* place of the pixels in the sprite's picture */
    bool placed;         /* the body is a part, and x and y are known */
    bool told;           /* they come from a split event of this body's life */
    bool alive, plain, whole, changed;
    pv_image pixels;
    Uint8 *bits; /* a bit for each solid pixel, in rows of whole bytes */
    SDL_Texture *texture;
} pv_sdl__look;

typedef struct pv_sdl__skin {
    pv_composite_id composite;
    pv_liquid_id liquid;
    SDL_Texture *texture;
    pv_color color;
} pv_sdl__skin;

/// Pictures of a world. A body's user_data is null, a pv_sdl_sprite or a struct that begins with
/// one, unless get_sprite is set. Bodies without a sprite show their masks in one color. An empty
/// sprite is not drawn. A scene remembers the place of each part that came off, about 300 bytes
/// each, because a snapshot may bring the part back.
typedef struct pv_sdl_scene {
    /// Renderer, borrowed
    SDL_Renderer *renderer;
    /// True to draw bodies on the CPU with the library's own mapping, exact on every renderer.
    /// Default: true for SDL's software renderer, whose rotated pictures are off by up to 2 px
    bool exact;
    /// Color of bodies without a sprite
    pv_color body_color;
    /// Color of polygons
    pv_color polygon_color;
    /// Color of cloth, jelly and soft bodies without a texture
    pv_color composite_color;
    /// Color of ropes and distance joints
    pv_color rope_color;
    /// Color of particles
    pv_color particle_color;
    /// Function that returns a body's sprite; null: the body's user_data is the sprite
    const pv_sdl_sprite *(*get_sprite)(const pv_world *world, pv_body_id body);
    /// Number of textures that the scene made for carved bodies and their parts
    int texture_count;
    /// Number of pixels uploaded to these textures so far [px]
    int64_t upload_count;

    /// World of the last call; private, like all members below
    const pv_world *world;
    /// Hash table of bodies with pixels of their own
    pv_sdl__look *looks;
    /// Number of its slots, a power of two
    size_t look_capacity;
    /// Number of its bodies
    size_t look_count;
    /// Textures of composites and colors of liquids
    pv_sdl__skin *skins;
    /// Number of these
    int skin_count;
    /// Marks of particles that are drawn as parts of other objects
    pv_sdl__list hidden_particles;
    /// Marks of joints that are drawn as parts of other objects
    pv_sdl__list hidden_joints;
    /// Scratch memory for the bits of a mask
    pv_sdl__list scratch;
    /// Pixels of all bodies, if exact
    pv_canvas canvas;
    /// Texture of these pixels
    SDL_Texture *canvas_texture;
} pv_sdl_scene;

/// Creates a scene without pictures of its own.
/// @return a scene for pv_sdl_scene_destroy(), before its renderer is destroyed, or null
static inline pv_sdl_scene *pv_sdl_scene_create(SDL_Renderer *renderer, pv_error *error) {
    pv_sdl_scene *scene = (pv_sdl_scene *)SDL_calloc(1, sizeof *scene);
    if (!scene || !renderer) {
        SDL_free(scene);
        pv_sdl__fail(error, __func__, renderer ? PV_ERROR_MEMORY : PV_ERROR_ARGUMENT,
                     renderer ? "out of memory" : "renderer is null");
        return NULL;
    }
    if (error) SDL_memset(error, 0, sizeof *error);
    scene->renderer = renderer;
    scene->exact = pv_sdl__is_software(renderer);
    scene->body_color = 0xa0a8b4ff;
    scene->polygon_color = 0xc89858ff;
    scene->composite_color = 0xd05868ff;
    scene->rope_color = 0xd8c090ff;
    scene->particle_color = 0x58a0e0ff;
    return scene;
}

/* ---- pixels of carved bodies ---- */

static inline void pv_sdl__look_drop_texture(pv_sdl_scene *scene, pv_sdl__look *look) {
    if (!look->texture) return;
    SDL_DestroyTexture(look->texture);
    look->texture = NULL;
    scene->texture_count--;
}

/// Frees the pixels; the place in the sprite's picture stays.
static inline void pv_sdl__look_clear(pv_sdl_scene *scene, pv_sdl__look *look) {
    pv_sdl__look_drop_texture(scene, look);
    SDL_free(look->pixels.pixels);
    SDL_free(look->bits);
    look->pixels.pixels = NULL;
    look->bits = NULL;
    look->mask = NULL;
    look->alive = look->whole = look->plain = look->told = false;
}

/// Returns the slot of a body in a table, or the empty slot for it.
static inline pv_sdl__look *pv_sdl__look_slot(pv_sdl__look *looks, size_t capacity,
                                              pv_body_id body) {
    size_t at = (body.index * 2654435761u + body.generation * 40503u) & (capacity - 1);
    while (!PV_ID_IS_NULL(looks[at].body) && !PV_ID_EQUALS(looks[at].body, body))
        at = (at + 1) & (capacity - 1);
    return &looks[at];
}

static inline pv_sdl__look *pv_sdl__look_find(const pv_sdl_scene *scene, pv_body_id body) {
    if (scene->look_capacity == 0) return NULL;
    pv_sdl__look *look = pv_sdl__look_slot(scene->looks, scene->look_capacity, body);
    return PV_ID_IS_NULL(look->body) ? NULL : look;
}

/// Makes room for one more body. Dead bodies are dropped, unless their place is known: a snapshot
/// may bring those back.
static inline bool pv_sdl__look_reserve(pv_sdl_scene *scene) {
    if (2 * (scene->look_count + 1) <= scene->look_capacity) return true;
    size_t capacity = 64, kept = 1;
    for (size_t i = 0; i < scene->look_capacity; i++)
        kept += scene->looks[i].alive || scene->looks[i].placed;
    while (capacity < 4 * kept) capacity *= 2;
    pv_sdl__look *looks = (pv_sdl__look *)SDL_calloc(capacity, sizeof *looks);
    if (!looks) return false;
    scene->look_count = 0;
    for (size_t i = 0; i < scene->look_capacity; i++) {
        pv_sdl__look *look = &scene->looks[i];
        if (!look->alive && !look->placed) continue;
        *pv_sdl__look_slot(looks, capacity, look->body) = *look;
        scene->look_count++;
    }
    SDL_free(scene->looks);
    scene->looks = looks;
    scene->look_capacity = capacity;
    return true;
}

static inline pv_sdl__look *pv_sdl__look_add(pv_sdl_scene *scene, pv_body_id body) {
    pv_sdl__look *look = pv_sdl__look_find(scene, body);
    if (look) return look;
    if (!pv_sdl__look_reserve(scene)) return NULL;
    look = pv_sdl__look_slot(scene->looks, scene->look_capacity, body);
    look->body = body;
    scene->look_count++;
    return look;
}

static inline const pv_sdl_sprite *pv_sdl__scene_sprite(const pv_sdl_scene *scene,
                                                        const pv_world *world, pv_body_id body) {
    if (scene->get_sprite) return scene->get_sprite(world, body);
    return (const pv_sdl_sprite *)pv_body_get_user_data(world, body);
}

static inline bool pv_sdl__has_bit(const Uint8 *bits, int w, int h, int x, int y) {
    size_t pitch = ((size_t)w + 7) / 8;
    if (x < 0 || y < 0 || x >= w || y >= h) return false;
    return bits[(size_t)y * pitch + (size_t)x / 8] >> (7 - x % 8) & 1;
}

/// Tells whether one of the eight pixels around a pixel is solid.
static inline bool pv_sdl__has_neighbor(const Uint8 *bits, int w, int h, int x, int y) {
    for (int i = 0; i < 9; i++)
        if (pv_sdl__has_bit(bits, w, h, x + i % 3 - 1, y + i / 3 - 1)) return true;
    return false;
}

/// Computes a pixel of a carved body. Solid pixels are the picture's, and added ones are opaque.
/// All others are clear, except the picture's soft rim next to solid pixels.
static inline void pv_sdl__look_set_pixel(pv_sdl__look *look, const Uint8 *bits, int x, int y) {
    const pv_sdl_sprite *sprite = look->sprite;
    int w = look->pixels.width, h = look->pixels.height, u = x + look->x, v = y + look->y;
    const unsigned char *from =
        sprite->image->pixels + ((size_t)v * (size_t)sprite->image->width + (size_t)u) * 4;
    unsigned char *to = look->pixels.pixels + ((size_t)y * (size_t)w + (size_t)x) * 4;
    bool solid = pv_sdl__has_bit(bits, w, h, x, y), was = pv_mask_get_pixel(sprite->mask, u, v);
    bool rim = !solid && !was && from[3] > 0 && pv_sdl__has_neighbor(bits, w, h, x, y);
    if ((solid && was) || rim) {
        SDL_memcpy(to, from, 4);
    } else if (solid) {
        for (int i = 0; i < 3; i++)
            to[i] = from[3] > 0 ? from[i] : (Uint8)(sprite->fill >> (24 - 8 * i) & 255);
        to[3] = 255;
    } else {
        SDL_memset(to, 0, 4);
    }
}

/// Finds the rectangle of pixels whose bits differ; false if there are none.
static inline bool pv_sdl__look_find_changes(const pv_sdl__look *look, const Uint8 *bits,
                                             SDL_Rect *rect) {
    int pitch = (look->pixels.width + 7) / 8, left = pitch, right = -1, top = -1, bottom = -1;
    for (int y = 0; y < look->pixels.height; y++) {
        const Uint8 *a = bits + (size_t)y * (size_t)pitch, *b = look->bits + (a - bits);
        if (SDL_memcmp(a, b, (size_t)pitch) == 0) continue;
        if (top < 0) top = y;
        bottom = y;
        for (int i = 0; i < pitch; i++) {
            if (a[i] == b[i]) continue;
            if (i < left) left = i;
            if (i > right) right = i;
        }
    }
    rect->x = 8 * left;
    rect->y = top;
    rect->w = 8 * (right + 1 - left);
    rect->h = bottom + 1 - top;
    return top >= 0;
}

/// Redraws a rectangle of pixels, with a margin of 1 px for the rim, and uploads it.
static inline void pv_sdl__look_refresh(pv_sdl_scene *scene, pv_sdl__look *look, const Uint8 *bits,
                                        SDL_Rect rect) {
    const pv_image *image = &look->pixels;
    int right = rect.x + rect.w + 1, bottom = rect.y + rect.h + 1;
    rect.x = rect.x > 0 ? rect.x - 1 : 0;
    rect.y = rect.y > 0 ? rect.y - 1 : 0;
    rect.w = (right < image->width ? right : image->width) - rect.x;
    rect.h = (bottom < image->height ? bottom : image->height) - rect.y;
    for (int y = rect.y; y < rect.y + rect.h; y++)
        for (int x = rect.x; x < rect.x + rect.w; x++) pv_sdl__look_set_pixel(look, bits, x, y);
    if (!look->texture) return;
    size_t first = ((size_t)rect.y * (size_t)image->width + (size_t)rect.x) * 4;
    SDL_UpdateTexture(look->texture, &rect, image->pixels + first, image->width * 4);
    scene->upload_count += (int64_t)rect.w * rect.h;
}

/// Gives a body pixels of its own, all clear, unless it has some of that size.
static inline bool pv_sdl__look_allocate(pv_sdl_scene *scene, pv_sdl__look *look, int w, int h) {
    if (look->pixels.pixels && look->pixels.width == w && look->pixels.height == h) return true;
    pv_sdl__look_drop_texture(scene, look);
    SDL_free(look->pixels.pixels);
    SDL_free(look->bits);
    look->pixels.width = w;
    look->pixels.height = h;
    look->pixels.pixels = (unsigned char *)SDL_calloc((size_t)w * (size_t)h, 4);
    look->bits = (Uint8 *)SDL_calloc(((size_t)w + 7) / 8, (size_t)h);
    return look->pixels.pixels && look->bits;
}

/// Brings the pixels of a body up to date with its mask. Only what changed is redrawn.
static inline bool pv_sdl__look_sync(pv_sdl_scene *scene, pv_sdl__look *look, const pv_mask *mask,
                                     int64_t count) {
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
    size_t pitch = ((size_t)w + 7) / 8, size = pitch * (size_t)h;
    Uint8 *bits = (Uint8 *)pv_sdl__list_reserve(&scene->scratch, size, 1);
    bool fresh = !look->mask || !look->pixels.pixels;
    SDL_Rect rect = {0, 0, w, h};
    if (!bits || !pv_sdl__look_allocate(scene, look, w, h)) return false;
    pv_mask_to_bits(mask, bits, (ptrdiff_t)pitch, PV_BITS_MSB_FIRST);
    if (fresh || pv_sdl__look_find_changes(look, bits, &rect))
        pv_sdl__look_refresh(scene, look, bits, rect);
    SDL_memcpy(look->bits, bits, size);
    look->mask = mask;
    look->count = count;
    look->changed = false;
    return true;
}

/* ---- places of parts in the picture ---- */

/// Tells whether a mask has the size of a sprite's picture, and so begins where it does.
static inline bool pv_sdl__is_full_size(const pv_sdl_sprite *sprite, const pv_mask *mask) {
    return sprite && sprite->image && pv_mask_get_width(mask) == sprite->image->width &&
           pv_mask_get_height(mask) == sprite->image->height;
}

/// Finds where the mask of a body lies in the picture of its sprite; false if that is unknown.
static inline bool pv_sdl__scene_find_origin(const pv_sdl_scene *scene, const pv_world *world,
                                             pv_body_id body, int *x, int *y) {
    const pv_sdl__look *look = pv_sdl__look_find(scene, body);
    bool full = pv_body_is_valid(world, body) &&
                pv_sdl__is_full_size(pv_sdl__scene_sprite(scene, world, body),
                                     pv_body_get_mask(world, body));
    bool placed = !full && look && look->placed;
    *x = placed ? look->x : 0;
    *y = placed ? look->y : 0;
    return full || placed;
}

/// Tells whether a part lies in the picture of another body as if it had just come off it.
static inline bool pv_sdl__look_fits(const pv_sdl_scene *scene, const pv_world *world,
                                     pv_sdl__look *look, pv_body_id other) {
    int left, top;
    if (pv_sdl__scene_sprite(scene, world, other) != look->sprite) return false;
    if (!pv_sdl__scene_find_origin(scene, world, other, &left, &top)) return false;
    const pv_mask *mask = pv_body_get_mask(world, look->body);
    const pv_mask *parent = pv_body_get_mask(world, other);
    pv_rotation a = pv_body_get_transform(world, look->body).rotation,
                b = pv_body_get_transform(world, other).rotation;
    if (PV_ID_EQUALS(other, look->body)) return false;
    if (SDL_fabs(a.c - b.c) + SDL_fabs(a.s - b.s) > 1e-9) return false;
    pv_vec2 corner = {0, 0};
    corner = pv_body_to_local(world, other, pv_body_to_world(world, look->body, corner));
    int x = (int)SDL_floor(corner.x + 0.5), y = (int)SDL_floor(corner.y + 0.5);
    if (SDL_fabs(corner.x - x) + SDL_fabs(corner.y - y) > 1e-6 || x < 0 || y < 0) return false;
    if (x + pv_mask_get_width(mask) > pv_mask_get_width(parent) ||
        y + pv_mask_get_height(mask) > pv_mask_get_height(parent) ||
        pv_mask_test_overlap(parent, mask, x, y))
        return false;
    look->x = x + left;
    look->y = y + top;
    return true;
}

/// Finds the place of a body's mask in the picture of its sprite.
static inline bool pv_sdl__look_place(const pv_sdl_scene *scene, const pv_world *world,
                                      pv_sdl__look *look, const pv_mask *mask) {
    const pv_image *image = look->sprite->image;
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
    if (pv_sdl__is_full_size(look->sprite, mask)) {
        look->x = look->y = 0;
        look->placed = false;
        return true;
    }
    pv_body_id other = pv_world_get_next_body(world, pv_null_body);
    for (; !look->told && !PV_ID_IS_NULL(other); other = pv_world_get_next_body(world, other))
        if (pv_sdl__look_fits(scene, world, look, other)) break;
    if (PV_ID_IS_NULL(other) && !look->placed) return false;
    look->placed = true;
    return look->x + w <= image->width && look->y + h <= image->height;
}

/// Notes where in its parent's picture a part came off.
static inline void pv_sdl__scene_note_split(pv_sdl_scene *scene, const pv_world *world,
                                            const pv_split_event *split) {
    int x = 0, y = 0;
    pv_sdl__scene_find_origin(scene, world, split->parent, &x, &y);
    x += split->x;
    y += split->y;
    pv_sdl__look *look = pv_sdl__look_add(scene, split->child);
    if (!look || (look->placed && look->x == x && look->y == y)) return;
    pv_sdl__look_clear(scene, look);
    look->x = x;
    look->y = y;
    look->placed = look->told = true;
}

static inline void pv_sdl__scene_forget(pv_sdl_scene *scene) {
    for (size_t i = 0; i < scene->look_capacity; i++) pv_sdl__look_clear(scene, &scene->looks[i]);
    SDL_free(scene->looks);
    SDL_free(scene->skins);
    scene->looks = NULL;
    scene->skins = NULL;
    scene->look_capacity = scene->look_count = 0;
    scene->skin_count = 0;
}

/// Destroys a scene with its textures; null is allowed. Sprites stay.
static inline void pv_sdl_scene_destroy(pv_sdl_scene *scene) {
    if (!scene) return;
    pv_sdl__scene_forget(scene);
    if (scene->canvas_texture) SDL_DestroyTexture(scene->canvas_texture);
    SDL_free(scene->canvas.pixels);
    SDL_free(scene->hidden_particles.items);
    SDL_free(scene->hidden_joints.items);
    SDL_free(scene->scratch.items);
    SDL_free(scene);
}

/// Applies the splits and dirty rects of the last step, and frees the pixels of dead bodies. Call
/// it after each pv_world_step(). pv_sdl_scene_draw() calls it again, so that a cut after the step
/// shows at once. A scene follows one world; with another one it forgets the first.
static inline void pv_sdl_scene_update(pv_sdl_scene *scene, const pv_world *world) {
    pv_events events = pv_world_get_events(world);
    if (scene->world && scene->world != world) pv_sdl__scene_forget(scene);
    scene->world = world;
    for (int i = 0; i < events.split_count; i++)
        pv_sdl__scene_note_split(scene, world, &events.splits[i]);
    for (int i = 0; i < events.dirty_rect_count; i++) {
        pv_sdl__look *look = pv_sdl__look_find(scene, events.dirty_rects[i].body);
        if (look) look->changed = true;
    }
    for (size_t i = 0; i < scene->look_capacity; i++) {
        pv_sdl__look *look = &scene->looks[i];
        if (look->alive && !pv_body_is_valid(world, look->body)) pv_sdl__look_clear(scene, look);
    }
}

/* ---- drawing of bodies ---- */

/// Tells whether a mask has exactly the pixels of a sprite.
static inline bool pv_sdl__is_whole_mask(const pv_sdl_sprite *sprite, const pv_mask *mask,
                                         int64_t count) {
    return pv_sdl__is_full_size(sprite, mask) && count == pv_mask_count_pixels(sprite->mask) &&
           count == pv_mask_compute_overlap_area(sprite->mask, mask, 0, 0);
}

/// Updates and returns the pixels of a body whose mask is not its sprite's. Returns null for a body
/// that is not part of the sprite's picture.
static inline pv_sdl__look *pv_sdl__scene_look(pv_sdl_scene *scene, const pv_world *world,
                                               pv_body_id body, const pv_sdl_sprite *sprite) {
    const pv_mask *mask = pv_body_get_mask(world, body);
    int64_t count = pv_mask_count_pixels(mask);
    pv_sdl__look *look = pv_sdl__look_add(scene, body);
    if (!look) return NULL;
    if (look->sprite != sprite) pv_sdl__look_clear(scene, look);
    bool same = look->mask == mask && look->count == count && !look->changed;
    if (same) return look->plain ? NULL : look;
    int w = pv_mask_get_width(mask), h = pv_mask_get_height(mask);
    if (look->alive && (look->width != w || look->height != h)) pv_sdl__look_clear(scene, look);
    look->width = w;
    look->height = h;
    look->sprite = sprite;
    if (!look->alive) look->plain = !pv_sdl__look_place(scene, world, look, mask);
    look->alive = true;
    look->whole = !look->plain && pv_sdl__is_whole_mask(sprite, mask, count);
    if (!look->plain && !look->whole)
        return pv_sdl__look_sync(scene, look, mask, count) ? look : NULL;
    look->mask = mask;
    look->count = count;
    look->changed = false;
    return look->plain ? NULL : look;
}

/// Finds the pixels of a body, and their texture if the scene is not exact; false if there are
/// none.
static inline bool pv_sdl__scene_get_picture(pv_sdl_scene *scene, const pv_world *world,
                                             pv_body_id body, const pv_sdl_sprite *sprite,
                                             const pv_image **image, SDL_Texture **texture) {
    *image = sprite->image;
    *texture = sprite->texture;
    if (pv_body_get_mask(world, body) == sprite->mask) return scene->exact || sprite->texture;
    pv_sdl__look *look = pv_sdl__scene_look(scene, world, body, sprite);
    if (!look) return false;
    if (look->whole) return scene->exact || sprite->texture;
    *image = &look->pixels;
    if (!scene->exact && !look->texture) {
        int w = look->pixels.width, h = look->pixels.height;
        look->texture = pv_sdl__make_texture(scene->renderer, w, h, look->pixels.pixels);
        if (!look->texture) return false;
        scene->texture_count++;
        scene->upload_count += (int64_t)w * h;
    }
    *texture = look->texture;
    return true;
}

static inline void pv_sdl__scene_draw_body(pv_sdl_scene *scene, const pv_sdl_camera *camera,
                                           const pv_world *world, pv_body_id body) {
    const pv_sdl_sprite *sprite = pv_sdl__scene_sprite(scene, world, body);
    const pv_mask *mask = pv_body_get_mask(world, body);
    pv_transform at = pv_body_get_transform(world, body), there = pv_sdl__to_screen(camera, at);
    const pv_image *image = NULL;
    SDL_Texture *texture = NULL;
    if (sprite && !sprite->image) return;
    if (sprite && pv_sdl__scene_get_picture(scene, world, body, sprite, &image, &texture)) {
        if (scene->exact)
            pv_canvas_draw_image(&scene->canvas, image, &there, 0xffffffff);
        else
            pv_sdl__draw(camera, texture, NULL, image->width, image->height, &at);
        return;
    }
    pv_color color = sprite ? sprite->fill : scene->body_color;
    if (scene->exact) {
        pv_canvas_draw_mask(&scene->canvas, mask, &there, color);
    } else {
        pv_sdl_camera own = *camera;
        pv_sdl__debug_mask(&own, mask, &at, color);
    }
}

/// Clears the canvas of a scene, and makes it as large as the viewport.
static inline bool pv_sdl__scene_open_canvas(pv_sdl_scene *scene) {
    SDL_Rect port = pv_sdl__get_viewport(scene->renderer);
    pv_canvas *canvas = &scene->canvas;
    if (canvas->width != port.w || canvas->height != port.h || !scene->canvas_texture) {
        SDL_free(canvas->pixels);
        if (scene->canvas_texture) SDL_DestroyTexture(scene->canvas_texture);
        canvas->width = port.w;
        canvas->height = port.h;
        canvas->pitch = (ptrdiff_t)port.w * 4;
        canvas->pixels = (unsigned char *)SDL_malloc((size_t)port.w * (size_t)port.h * 4);
        scene->canvas_texture = SDL_CreateTexture(scene->renderer, SDL_PIXELFORMAT_RGBA32,
                                                  SDL_TEXTUREACCESS_STREAMING, port.w, port.h);
        if (!canvas->pixels || !scene->canvas_texture) return false;
        SDL_SetTextureBlendMode(scene->canvas_texture, SDL_BLENDMODE_BLEND);
        pv_sdl__set_nearest(scene->canvas_texture);
    }
    return pv_canvas_clear(canvas, 0) == PV_OK;
}

static inline bool pv_sdl__scene_show_canvas(pv_sdl_scene *scene) {
    const pv_canvas *canvas = &scene->canvas;
    SDL_FRect all = {0, 0, (float)canvas->width, (float)canvas->height};
    return pv_sdl__ok(SDL_UpdateTexture(scene->canvas_texture, NULL, canvas->pixels,
                                        (int)canvas->pitch)) &&
           pv_sdl__render(scene->renderer, scene->canvas_texture, NULL, &all);
}

/* ---- drawing of matter ---- */

/// Keeps the texture of a composite, or the color of a liquid.
static inline bool pv_sdl__scene_add_skin(pv_sdl_scene *scene, const pv_sdl__skin *skin) {
    int at = 0;
    while (at < scene->skin_count && !(PV_ID_EQUALS(scene->skins[at].composite, skin->composite) &&
                                       PV_ID_EQUALS(scene->skins[at].liquid, skin->liquid)))
        at++;
    if (at == scene->skin_count) {
        void *more = SDL_realloc(scene->skins, ((size_t)at + 1) * sizeof *skin);
        if (!more) return false;
        scene->skins = (pv_sdl__skin *)more;
        scene->skin_count++;
    }
    scene->skins[at] = *skin;
    return true;
}

/// Sets the texture on the triangles of a composite.
/// @param texture borrowed while the scene or the composite lives; null: a plain color
/// @return false if memory runs out
static inline bool pv_sdl_scene_set_composite_texture(pv_sdl_scene *scene,
                                                      pv_composite_id composite,
                                                      SDL_Texture *texture) {
    pv_sdl__skin skin;
    SDL_memset(&skin, 0, sizeof skin);
    skin.composite = composite;
    skin.texture = texture;
    return pv_sdl__scene_add_skin(scene, &skin);
}

/// Sets the color of a liquid's particles.
/// @return false if memory runs out
static inline bool pv_sdl_scene_set_liquid_color(pv_sdl_scene *scene, pv_liquid_id liquid,
                                                 pv_color color) {
    pv_sdl__skin skin;
    SDL_memset(&skin, 0, sizeof skin);
    skin.liquid = liquid;
    skin.color = color;
    return pv_sdl__scene_add_skin(scene, &skin);
}

/// Draws a composite that has triangles, and marks its particles and joints.
static inline bool pv_sdl__scene_draw_skin(pv_sdl_scene *scene, const pv_sdl_camera *camera,
                                           const pv_world *world, pv_composite_id composite) {
    SDL_Texture *texture = NULL;
    if (pv_composite_get_mesh(world, composite, NULL, 0) == 0) return true;
    for (int i = 0; i < scene->skin_count; i++)
        if (PV_ID_EQUALS(scene->skins[i].composite, composite)) texture = scene->skins[i].texture;
    int joints = pv_composite_get_joints(world, composite, NULL, 0),
        particles = pv_composite_get_particles(world, composite, NULL, 0),
        most = joints > particles ? joints : particles;
    void *ids = SDL_malloc((size_t)most * sizeof(pv_joint_id) + 1);
    if (!ids) return false;
    pv_joint_id *joint = (pv_joint_id *)ids;
    pv_composite_get_joints(world, composite, joint, joints);
    for (int i = 0; i < joints; i++) pv_sdl__list_mark(&scene->hidden_joints, joint[i].index);
    pv_particle_id *particle = (pv_particle_id *)ids;
    pv_composite_get_particles(world, composite, particle, particles);
    for (int i = 0; i < particles; i++)
        pv_sdl__list_mark(&scene->hidden_particles, particle[i].index);
    SDL_free(ids);
    return pv_sdl_draw_composite(camera, texture, world, composite,
                                 texture ? 0xffffffff : scene->composite_color);
}

/// Fills a polygon, and marks its corners and joints.
static inline void pv_sdl__scene_draw_polygon(pv_sdl_scene *scene, const pv_sdl_camera *camera,
                                              const pv_world *world, pv_body_id polygon,
                                              pv_sdl__rects *rects) {
    pv_particle_id corners[PV_SDL__MAX_CORNERS];
    pv_vec2 points[PV_SDL__MAX_CORNERS];
    pv_joint_id joints[4 * PV_SDL__MAX_CORNERS];
    int count = pv_body_get_corners(world, polygon, corners, PV_SDL__MAX_CORNERS);
    for (int i = 0; i < count; i++) {
        pv_sdl__list_mark(&scene->hidden_particles, corners[i].index);
        points[i] = pv_sdl_camera_to_screen(camera, pv_particle_get_position(world, corners[i]));
    }
    if (count > 2) pv_sdl__rects_add_polygon(rects, points, count);
    count = pv_body_get_joints(world, polygon, joints, 4 * PV_SDL__MAX_CORNERS);
    for (int i = 0; i < count && i < 4 * PV_SDL__MAX_CORNERS; i++)
        pv_sdl__list_mark(&scene->hidden_joints, joints[i].index);
}

/// Draws the liquids that have colors of their own, and marks their particles.
static inline bool pv_sdl__scene_draw_liquids(pv_sdl_scene *scene, const pv_sdl_camera *camera,
                                              const pv_world *world) {
    bool good = true;
    for (int i = 0; i < scene->skin_count; i++) {
        const pv_sdl__skin *skin = &scene->skins[i];
        int count = pv_liquid_get_particles(world, skin->liquid, NULL, 0);
        if (count == 0) continue;
        pv_particle_id *all = (pv_particle_id *)SDL_malloc((size_t)count * sizeof *all);
        if (all) pv_liquid_get_particles(world, skin->liquid, all, count);
        for (int k = 0; all && k < count; k++)
            pv_sdl__list_mark(&scene->hidden_particles, all[k].index);
        good = all && pv_sdl_draw_particles(camera, world, skin->liquid, skin->color) && good;
        SDL_free(all);
    }
    return good;
}

/// Draws polygons, composites, ropes, liquids and loose particles, in this order.
static inline bool pv_sdl__scene_draw_matter(pv_sdl_scene *scene, const pv_sdl_camera *camera,
                                             const pv_world *world) {
    pv_sdl__rects rects;
    bool good = true;
    pv_sdl__list_clear(&scene->hidden_particles);
    pv_sdl__list_clear(&scene->hidden_joints);
    pv_sdl__rects_begin(&rects, camera->renderer, scene->polygon_color);
    pv_body_id polygon = pv_world_get_next_polygon(world, pv_null_body);
    for (; !PV_ID_IS_NULL(polygon); polygon = pv_world_get_next_polygon(world, polygon))
        pv_sdl__scene_draw_polygon(scene, camera, world, polygon, &rects);
    pv_sdl__rects_flush(&rects);
    pv_composite_id composite = pv_world_get_next_composite(world, pv_null_composite);
    for (; !PV_ID_IS_NULL(composite); composite = pv_world_get_next_composite(world, composite))
        good = pv_sdl__scene_draw_skin(scene, camera, world, composite) && good;
    pv_sdl__rects_begin(&rects, camera->renderer, scene->rope_color);
    pv_joint_id joint = pv_world_get_next_joint(world, pv_null_joint);
    for (; !PV_ID_IS_NULL(joint); joint = pv_world_get_next_joint(world, joint))
        if (!pv_sdl__list_has(&scene->hidden_joints, joint.index))
            pv_sdl__rects_add_joint(&rects, camera, world, joint, &scene->hidden_particles);
    pv_sdl__rects_flush(&rects);
    good = pv_sdl__scene_draw_liquids(scene, camera, world) && good;
    pv_sdl__rects_begin(&rects, camera->renderer, scene->particle_color);
    pv_particle_id particle = pv_world_get_next_particle(world, pv_null_particle);
    for (; !PV_ID_IS_NULL(particle); particle = pv_world_get_next_particle(world, particle))
        if (!pv_sdl__list_has(&scene->hidden_particles, particle.index))
            pv_sdl__rects_add_particle(&rects, camera, world, particle);
    pv_sdl__rects_flush(&rects);
    return good;
}

/// Draws a world: enabled bodies in slot order with the pixels that collide now, and above them
/// polygons, composites, ropes, liquids and particles. A part that came off a body keeps its piece
/// of the picture, even after pv_world_restore(). Around a carved body, pixels below the mask's
/// threshold stay only next to solid ones.
/// @param camera with the scene's renderer
static inline bool pv_sdl_scene_draw(pv_sdl_scene *scene, const pv_sdl_camera *camera,
                                     const pv_world *world) {
    if (!scene || !camera || !world) {
        SDL_SetError("pv_sdl_scene_draw: a null pointer");
        return false;
    }
    pv_sdl_scene_update(scene, world);
    bool good = !scene->exact || pv_sdl__scene_open_canvas(scene);
    pv_body_id body = pv_world_get_next_body(world, pv_null_body);
    for (; good && !PV_ID_IS_NULL(body); body = pv_world_get_next_body(world, body))
        if (pv_body_is_enabled(world, body)) pv_sdl__scene_draw_body(scene, camera, world, body);
    if (good && scene->exact) good = pv_sdl__scene_show_canvas(scene);
    return pv_sdl__scene_draw_matter(scene, camera, world) && good;
}

/** @} */

#endif
