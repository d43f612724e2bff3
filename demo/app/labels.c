/* labels.c - the short texts of a scene beside its objects.
 *
 * Invariant: a label is centered at its point, at any size of the canvas.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/labels.h"

void labels_draw(const struct stage *stage, const struct camera *camera, SDL_Point canvas,
                 struct hud *hud, SDL_Rect shown) {
    for (int i = 0; i < stage->label_count; i++) {
        const struct stage_label *label = &stage->labels[i];
        pv_vec2 at = camera_to_screen(camera, canvas.x, canvas.y, label->point);
        SDL_Point place = {shown.x + (int)(at.x * shown.w / canvas.x),
                           shown.y + (int)(at.y * shown.h / canvas.y)};
        hud_box(hud, label->text, place, .5, .5);
    }
}

static void draw_with(SDL_Renderer *renderer, const struct stage *stage,
                      const struct camera *camera, const pv_canvas *canvas) {
    struct hud *hud = hud_open(renderer);
    SDL_Rect all = {0, 0, canvas->width, canvas->height};
    SDL_SetRenderDrawBlendMode(renderer, SDL_BLENDMODE_BLEND);
    labels_draw(stage, camera, (SDL_Point){all.w, all.h}, hud, all);
    SDL_RenderPresent(renderer);
    hud_close(hud);
}

void labels_draw_on(const struct stage *stage, const struct camera *camera,
                    const pv_canvas *canvas) {
    if (stage->label_count == 0) return;
    SDL_Surface *surface =
        SDL_CreateRGBSurfaceWithFormatFrom(canvas->pixels, canvas->width, canvas->height, 32,
                                           (int)canvas->pitch, SDL_PIXELFORMAT_RGBA32);
    SDL_Renderer *renderer = surface ? SDL_CreateSoftwareRenderer(surface) : NULL;
    if (renderer) draw_with(renderer, stage, camera, canvas);
    if (renderer) SDL_DestroyRenderer(renderer);
    SDL_FreeSurface(surface);
}
