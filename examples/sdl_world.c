/* sdl_world.c - sprites fall into an SDL2 window; D shows what the library sees, Escape quits.
 * sdl_world [--frames N] [FLOOR SPRITE...]: N frames, half of them with D.
 * SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <pixverlet/sdl.h>
#include <stdio.h>

enum { WIDTH = 640, HEIGHT = 480, KINDS = 8, BODIES = 24 };

typedef struct sprite {
    pv_mask *mask;
    SDL_Texture *texture;
} sprite;

static void die(const char *what, const char *why) {
    fprintf(stderr, "sdl_world: %s: %s\n", what, why);
    exit(2);
}

/// Loads a picture as a surface, and makes a mask and a texture from it. Games with SDL_image begin
/// with the surface.
static sprite load(SDL_Renderer *renderer, const char *path) {
    pv_error error;
    pv_image *image = pv_image_load(path, NULL, &error);
    if (!image) die("no picture", error.message);
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormatFrom(
        image->pixels, image->width, image->height, 32, image->width * 4, SDL_PIXELFORMAT_RGBA32);
    sprite s = {pv_sdl_mask_from_surface(surface, NULL, &error),
                SDL_CreateTextureFromSurface(renderer, surface)};
    if (!s.mask) die("no mask", error.message);
    if (!s.texture) die(path, SDL_GetError());
    SDL_SetTextureScaleMode(s.texture, SDL_ScaleModeNearest);
    SDL_FreeSurface(surface);
    pv_image_destroy(image);
    return s;
}

static void fill(pv_world *world, sprite *sprites, int kinds) {
    pv_body_def def = pv_body_def_default();
    for (int i = 0; i <= BODIES; i++) { /* the floor first */
        sprite *s = &sprites[i > 0 ? 1 + i % (kinds - 1) : 0];
        def.type = i > 0 ? PV_BODY_DYNAMIC : PV_BODY_STATIC;
        def.mask = s->mask;
        def.user_data = s;
        def.angle = i;
        def.position =
            i > 0 ? PV_VEC2(80 + i % 6 * 96, 300 - i / 6 * 110) : PV_VEC2(WIDTH / 2, HEIGHT - 8);
        pv_body_create(world, &def, NULL);
    }
}

static void draw(pv_sdl_camera *view, const pv_world *world, bool debug) {
    SDL_SetRenderDrawColor(view->renderer, 32, 40, 60, 255);
    SDL_RenderClear(view->renderer);
    pv_body_id body = pv_world_get_next_body(world, pv_null_body);
    for (; pv_body_is_valid(world, body); body = pv_world_get_next_body(world, body))
        pv_sdl_draw_body(view, ((sprite *)pv_body_get_user_data(world, body))->texture, world,
                         body);
    pv_debug_draw insides = pv_sdl_get_debug_draw(view);
    if (debug) pv_world_debug_draw(world, &insides, PV_DEBUG_ALL);
    SDL_RenderPresent(view->renderer);
}

int main(int argc, char **argv) {
    char *own[] = {"", "sprites/floor.png", "sprites/star.png", "sprites/gear.png",
                   "sprites/letter_c.png"};
    int frames = argc > 2 && !strcmp(argv[1], "--frames") ? atoi(argv[2]) : 0, kinds = 0;
    if (frames) {
        argc -= 2;
        argv += 2;
    }
    if (argc < 3) {
        argc = 5;
        argv = own;
    }
    SDL_Init(SDL_INIT_VIDEO);
    SDL_Window *window = SDL_CreateWindow("sdl_world", 0, 0, WIDTH, HEIGHT, 0);
    SDL_Renderer *renderer = SDL_CreateRenderer(window, -1, frames ? 0 : SDL_RENDERER_PRESENTVSYNC);
    if (!renderer) die("renderer", SDL_GetError());
    sprite sprites[KINDS];
    while (kinds < KINDS && kinds < argc - 1) {
        sprites[kinds] = load(renderer, argv[kinds + 1]);
        kinds++;
    }
    pv_world *world = pv_world_create(NULL, NULL);
    fill(world, sprites, kinds);
    pv_sdl_camera view = pv_sdl_camera_default(renderer);
    bool debug = false, over = false;
    for (int frame = 0; !over && (!frames || frame < frames); frame++) {
        for (SDL_Event event; SDL_PollEvent(&event);) {
            SDL_Keycode key = event.type == SDL_KEYDOWN ? event.key.keysym.sym : 0;
            debug ^= key == SDLK_d;
            over |= event.type == SDL_QUIT || key == SDLK_ESCAPE;
        }
        pv_world_step(world, 1.0 / 60);
        draw(&view, world, debug ^ (frames && frame >= frames / 2));
    }
    if (frames)
        printf("%d contacts after %d frames\n", pv_world_get_contacts(world, NULL, 0), frames);
    for (int i = 0; i < kinds; i++) {
        pv_mask_release(sprites[i].mask);
        SDL_DestroyTexture(sprites[i].texture);
    }
    pv_world_destroy(world);
    SDL_DestroyRenderer(renderer);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return 0;
}
