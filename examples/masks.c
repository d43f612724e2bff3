/* masks.c - masks without physics: a ship follows the mouse and turns; red while its pixels touch a
 * gear. masks [SPRITE SPRITE] [--frames N]: with N it flies by itself and counts.
 * SPDX-License-Identifier: Zlib */
#include <SDL.h>
#include <pixverlet.h>

int main(int argc, char **argv) {
    int frames = argc > 2 && !strcmp(argv[argc - 2], "--frames") ? atoi(argv[argc - 1]) : 0,
        hits = 0, x, y;
    char *own[] = {"sprites/gear.png", "sprites/ship.png"},
         **paths = argc - 2 * !!frames > 2 ? argv + 1 : own;
    pv_image *art[2];
    pv_mask *mask[2];
    pv_placed at[2];
    for (int k = 0; k < 2; k++) {
        art[k] = pv_image_load(paths[k], NULL, NULL);
        mask[k] = pv_mask_from_image(art[k], NULL, NULL);
        if (!mask[k]) exit((fprintf(stderr, "masks: cannot load %s\n", paths[k]), 2));
        at[k] = (pv_placed){mask[k], pv_transform_identity()};
        at[k].transform.position = (pv_vec2){120, 80};
        at[k].transform.pivot = (pv_vec2){art[k]->width / 2.0, art[k]->height / 2.0};
    }
    SDL_Init(SDL_INIT_VIDEO);
    SDL_Window *window = SDL_CreateWindow("masks", 0, 0, 960, 640, 0);
    SDL_Surface *view = SDL_CreateRGBSurfaceWithFormat(0, 240, 160, 32, SDL_PIXELFORMAT_RGBA32);
    if (!window || !view) {
        fprintf(stderr, "masks: %s\n", SDL_GetError());
        return 2;
    }
    pv_canvas canvas = {view->pixels, 240, 160, view->pitch};
    for (int frame = 0; !SDL_QuitRequested() && (!frames || frame < frames); frame++) {
        pv_rotation path = pv_rotation_from_angle(frame / 25.0);
        SDL_GetMouseState(&x, &y);
        pv_transform *ship = &at[1].transform;
        ship->position =
            frames ? (pv_vec2){120 + 80 * path.c, 80 + 20 * path.s} : (pv_vec2){x / 4.0, y / 4.0};
        ship->rotation = pv_rotation_from_angle(frame / 40.0);
        bool touch = pv_placed_test_overlap(&at[0], &at[1]);
        hits += touch;
        pv_canvas_clear(&canvas, touch ? 0xb03028ff : 0x20283cff);
        for (int k = 0; k < 2; k++)
            pv_canvas_draw_image(&canvas, art[k], &at[k].transform, 0xffffffff);
        SDL_BlitScaled(view, NULL, SDL_GetWindowSurface(window), NULL);
        SDL_UpdateWindowSurface(window);
        SDL_Delay(frames ? 0 : 16);
    }
    if (frames) printf("%d of %d frames hit\n", hits, frames);
    for (int k = 0; k < 2; k++) {
        pv_image_destroy(art[k]);
        pv_mask_release(mask[k]);
    }
    SDL_FreeSurface(view);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}
