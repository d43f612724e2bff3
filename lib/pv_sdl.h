/* pv_sdl.h - masks from SDL2's surfaces and textures, and worlds drawn by an SDL_Renderer. For programs that use SDL
 * >= 2.0.18; the library itself does not: include this beside <pixverlet.h> and link SDL2 yourself. C11 and C++17.
 *
 * Invariant: all is static inline, over the public interface; no state but what the caller holds. The functions that
 * draw leave the renderer's draw colour and blend mode changed.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SDL_H
#define PV_SDL_H

#include "pixverlet.h"

#include <SDL.h>

/** @defgroup sdl SDL2
 *  A header of its own, not linked into the library. @{ */

/// A camera. Point p of the world is at (p - origin) * zoom of the render target's viewport.
typedef struct pv_sdl_view {
    SDL_Renderer *renderer; ///< borrowed
    pv_vec2 origin;         ///< what of the world is at the viewport's left upper corner [px]
    double zoom;            ///< pixels of the target for one of the world, 1/1024...1024
} pv_sdl_view;

/// The world as it is, its (0, 0) at the left upper corner.
static inline pv_sdl_view pv_sdl_view_default(SDL_Renderer *renderer) {
    pv_sdl_view view;
    view.renderer = renderer;
    view.origin.x = view.origin.y = 0;
    view.zoom = 1;
    return view;
}

/// A point of the world in the viewport.
static inline pv_vec2 pv_sdl_to_view(const pv_sdl_view *view, pv_vec2 point) {
    pv_vec2 at;
    at.x = (point.x - view->origin.x) * view->zoom;
    at.y = (point.y - view->origin.y) * view->zoom;
    return at;
}

/// A point of the viewport in the world: what is under the mouse.
static inline pv_vec2 pv_sdl_to_world(const pv_sdl_view *view, pv_vec2 point) {
    pv_vec2 at;
    at.x = point.x / view->zoom + view->origin.x;
    at.y = point.y / view->zoom + view->origin.y;
    return at;
}

/** @} */
/** @defgroup sdl_masks Masks
 *  @{ */

/// For the functions below: notes a status and gives no mask.
static inline pv_mask *pv_sdl__fail(pv_status *status, pv_status why) {
    if (status) *status = why;
    return NULL;
}

/// For pv_sdl_mask_from_surface(): a surface of pixels that hold their alpha themselves.
static inline pv_mask *pv_sdl__mask_from_direct(SDL_Surface *surface, const pv_mask_options *options,
                                                pv_status *status) {
    pv_pixels pixels;
    if (SDL_MUSTLOCK(surface) && SDL_LockSurface(surface) != 0)
        return pv_sdl__fail(status, PV_ERROR_UNSUPPORTED);
    pixels.data = surface->pixels;
    pixels.width = surface->w;
    pixels.height = surface->h;
    pixels.pitch = surface->pitch;
    pixels.bytes_per_pixel = surface->format->BytesPerPixel;
    pixels.alpha_mask = surface->format->Amask;
    pv_mask *mask = pv_mask_from_pixels(&pixels, options, status);
    if (SDL_MUSTLOCK(surface)) SDL_UnlockSurface(surface);
    return mask;
}

/// The mask of a surface of any format. Without an alpha channel all pixels are solid, but those of the colour key.
/// @param surface not changed; locked for the call where it has to be
/// @param options null for the defaults
/// @param status null, or where the outcome goes: PV_ERROR_UNSUPPORTED when SDL cannot lock or convert the surface; else as
/// pv_mask_from_pixels()
/// @return a mask to give to pv_mask_release(), or null
static inline pv_mask *pv_sdl_mask_from_surface(SDL_Surface *surface, const pv_mask_options *options,
                                                pv_status *status) {
    if (!surface) return pv_sdl__fail(status, PV_ERROR_ARGUMENT);
    if (!SDL_ISPIXELFORMAT_INDEXED(surface->format->format) && !SDL_HasColorKey(surface))
        return pv_sdl__mask_from_direct(surface, options, status);
    SDL_Surface *direct = SDL_ConvertSurfaceFormat(surface, SDL_PIXELFORMAT_RGBA32, 0);
    if (!direct) return pv_sdl__fail(status, PV_ERROR_UNSUPPORTED);
    pv_mask *mask = pv_sdl__mask_from_direct(direct, options, status);
    SDL_FreeSurface(direct);
    return mask;
}

/// For pv_sdl_mask_from_texture(): copies a texture as it is to the whole render target and reads that.
static inline bool pv_sdl__read_texture(SDL_Renderer *renderer, SDL_Texture *texture, void *rgba, int pitch) {
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

/// The mask of a texture, which SDL cannot read itself: it is drawn to another one, and that is read back. Slow; for loading,
/// not for every frame. Where there is a surface, take pv_sdl_mask_from_surface().
/// @param renderer of the texture; afterwards its target is what it was. Of a target that is a texture SDL forgets viewport,
/// clip rectangle and scale; those of the window stay
/// @param texture not changed; of any access, and of a format that can be drawn
/// @param options null for the defaults
/// @param status null, or where the outcome goes: PV_ERROR_UNSUPPORTED when the renderer has no render targets or cannot read
/// them; else as pv_mask_from_rgba()
/// @return a mask to give to pv_mask_release(), or null
static inline pv_mask *pv_sdl_mask_from_texture(SDL_Renderer *renderer, SDL_Texture *texture,
                                                const pv_mask_options *options, pv_status *status) {
    int w = 0, h = 0;
    if (!renderer || !texture || SDL_QueryTexture(texture, NULL, NULL, &w, &h) != 0)
        return pv_sdl__fail(status, PV_ERROR_ARGUMENT);
    if (w > 32768 || h > 32768) return pv_sdl__fail(status, PV_ERROR_TOO_LARGE);
    void *rgba = SDL_malloc((size_t)w * (size_t)h * 4);
    if (!rgba) return pv_sdl__fail(status, PV_ERROR_MEMORY);
    SDL_Texture *before = SDL_GetRenderTarget(renderer);
    SDL_Texture *target = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_TARGET, w, h);
    bool good = target && SDL_SetRenderTarget(renderer, target) == 0;
    if (good) {
        good = pv_sdl__read_texture(renderer, texture, rgba, w * 4);
        SDL_SetRenderTarget(renderer, before);
    }
    if (target) SDL_DestroyTexture(target);
    pv_mask *mask = good ? pv_mask_from_rgba(rgba, w, h, (ptrdiff_t)w * 4, options, status)
                         : pv_sdl__fail(status, PV_ERROR_UNSUPPORTED);
    SDL_free(rgba);
    return mask;
}

/** @} */
/** @defgroup sdl_draw Drawing
 *  @{ */

/// Draws a body's picture where its pixels collide, by SDL_RenderCopyExF.
/// SDL's OpenGL renderer draws the pixels that collide, but where a centre lies within 1/128 px of a texel's edge; so should
/// the others that have a GPU. SDL's software renderer puts pictures on whole pixels: a rim is off by up to 3/4 px when
/// upright and 2 px when turned. pv_canvas_image() is exact, and so is the mask that pv_sdl_debug() draws.
/// @param view where; null is refused
/// @param texture as large as the body's mask; set SDL_ScaleModeNearest, else its rim is blurred
/// @param world,body what; a stale name is refused
/// @return 0, or -1 as SDL's functions, with words in SDL_GetError()
static inline int pv_sdl_draw_body(const pv_sdl_view *view, SDL_Texture *texture, const pv_world *world,
                                   pv_body body) {
    if (!view || !pv_body_is_valid(world, body)) return SDL_SetError("pv_sdl_draw_body: no such body");
    const pv_mask *mask = pv_body_mask(world, body);
    pv_transform at = pv_body_transform(world, body);
    pv_vec2 pivot = pv_sdl_to_view(view, at.position);
    SDL_FPoint centre;
    SDL_FRect box;
    bool left_right = at.scale.x < 0, top_bottom = at.scale.y < 0;
    double across = SDL_fabs(at.scale.x) * view->zoom, down = SDL_fabs(at.scale.y) * view->zoom;
    centre.x = (float)((left_right ? pv_mask_width(mask) - at.pivot.x : at.pivot.x) * across);
    centre.y = (float)((top_bottom ? pv_mask_height(mask) - at.pivot.y : at.pivot.y) * down);
    box.x = (float)(pivot.x - centre.x);
    box.y = (float)(pivot.y - centre.y);
    box.w = (float)(pv_mask_width(mask) * across);
    box.h = (float)(pv_mask_height(mask) * down);
    double degrees = pv_rotation_angle(at.rotation) * 57.29577951308232;
    int flip =
        (left_right ? SDL_FLIP_HORIZONTAL : SDL_FLIP_NONE) | (top_bottom ? SDL_FLIP_VERTICAL : SDL_FLIP_NONE);
    return SDL_RenderCopyExF(view->renderer, texture, NULL, &box, degrees, &centre, (SDL_RendererFlip)flip);
}

/* The callbacks of pv_sdl_debug(); user is a pv_sdl_view. */

static inline void pv_sdl__colour(SDL_Renderer *renderer, uint32_t colour) {
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(renderer, (Uint8)(colour >> 24), (Uint8)(colour >> 16 & 255),
                           (Uint8)(colour >> 8 & 255), (Uint8)(colour & 255));
}

static inline void pv_sdl__line(void *user, pv_vec2 from, pv_vec2 to, uint32_t colour) {
    const pv_sdl_view *view = (const pv_sdl_view *)user;
    pv_vec2 a = pv_sdl_to_view(view, from), b = pv_sdl_to_view(view, to);
    pv_sdl__colour(view->renderer, colour);
    SDL_RenderDrawLineF(view->renderer, (float)a.x, (float)a.y, (float)b.x, (float)b.y);
}

/// Row by row, those in the viewport only; a pixel at least.
static inline void pv_sdl__disc(void *user, pv_vec2 centre, double radius, uint32_t colour) {
    const pv_sdl_view *view = (const pv_sdl_view *)user;
    pv_vec2 c = pv_sdl_to_view(view, centre);
    double r = radius * view->zoom;
    SDL_Rect port;
    SDL_FRect row;
    SDL_RenderGetViewport(view->renderer, &port);
    pv_sdl__colour(view->renderer, colour);
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

/// The solid pixels of a row, run by run, those in the viewport only.
static inline void pv_sdl__row(SDL_Renderer *renderer, const pv_mask *turned, pv_rect at, int y, int width) {
    int end = pv_mask_width(turned) < width - at.x ? pv_mask_width(turned) : width - at.x;
    SDL_Rect run;
    run.y = at.y + y;
    run.h = 1;
    for (int x = at.x < 0 ? -at.x : 0; x < end; x++) {
        if (!pv_mask_get(turned, x, y)) continue;
        run.x = at.x + x;
        while (x < end && pv_mask_get(turned, x, y)) x++;
        run.w = at.x + x - run.x;
        SDL_RenderFillRect(renderer, &run);
    }
}

/// The collision bitmap itself, at the target's resolution.
static inline void pv_sdl__mask(void *user, const pv_mask *mask, const pv_transform *transform,
                                uint32_t colour) {
    const pv_sdl_view *view = (const pv_sdl_view *)user;
    pv_transform t = *transform;
    pv_rect at;
    SDL_Rect port;
    t.position = pv_sdl_to_view(view, t.position);
    t.scale.x *= view->zoom;
    t.scale.y *= view->zoom;
    SDL_RenderGetViewport(view->renderer, &port);
    pv_box box = pv_transform_box(&t, pv_mask_width(mask), pv_mask_height(mask));
    if (box.max.x < 0 || box.max.y < 0 || box.min.x > port.w || box.min.y > port.h) return;
    pv_mask *turned = pv_mask_transformed(mask, &t, &at, NULL, NULL);
    if (!turned) return;
    pv_sdl__colour(view->renderer, colour);
    for (int y = at.y < 0 ? -at.y : 0; y < pv_mask_height(turned) && at.y + y < port.h; y++)
        pv_sdl__row(view->renderer, turned, at, y, port.w);
    pv_mask_release(turned);
}

/// What pv_world_debug_draw() needs to draw into a view. Lines along normals and marks of points are as large on the screen
/// at any zoom. Masks are turned anew in every call, with the C library's memory; one without it is left out.
/// @param view borrowed; must outlive the result. After its zoom has changed, ask anew
static inline pv_debug_draw pv_sdl_debug(pv_sdl_view *view) {
    pv_debug_draw draw = pv_debug_draw_default();
    draw.user = view;
    draw.line = pv_sdl__line;
    draw.disc = pv_sdl__disc;
    draw.mask = pv_sdl__mask;
    draw.normal_length /= view->zoom;
    draw.point_radius /= view->zoom;
    return draw;
}

/** @} */

#endif
