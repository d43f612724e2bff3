/* window.c - an SDL window, its picture and its frame rate.
 *
 * Invariant: no more frames are drawn than the display shows.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/window.h"

#include "platform/complain.h"
#include "platform/png_write.h"
#include "platform/stopwatch.h"
#include "stage/sprite.h"

#include <stdlib.h>
#include <string.h>

/// Least time of a frame if the display does not set the pace [s]
static const double frame_least = 1.0 / 60;

struct window {
    struct screen *screen;
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *texture;
    struct hud *hud;
    pv_canvas canvas;
    /// Place of the canvas in the window [px]
    SDL_Rect shown;
    /// Number of window pixels per unit of text
    double scale;
    /// True if the renderer waits for the display's refresh
    bool paced;
    /// Time at which the next frame is due, on the stopwatch [s]
    double next_frame;
    bool running, turning;
};

/* For screens */

void window_turn(struct window *window) { window->turning = true; }

void window_quit(struct window *window) { window->running = false; }

void window_set_title(struct window *window, const char *title) {
    SDL_SetWindowTitle(window->window, title);
}

void window_toggle_fullscreen(struct window *window) {
    bool full = (SDL_GetWindowFlags(window->window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
    SDL_SetWindowFullscreen(window->window, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
}

bool window_has_words(const struct window *window) { return window->hud != NULL; }

pv_vec2 window_to_canvas(const struct window *window, int x, int y) {
    const SDL_Rect *shown = &window->shown;
    if (shown->w <= 0 || shown->h <= 0) return (pv_vec2){x, y};
    return (pv_vec2){(double)(x - shown->x) * window->canvas.width / shown->w,
                     (double)(y - shown->y) * window->canvas.height / shown->h};
}

SDL_Point window_place(const struct window *window) {
    SDL_Point place = {0, 0};
    SDL_GetWindowPosition(window->window, &place.x, &place.y);
    return place;
}

double window_scale(const struct window *window) { return window->scale; }

SDL_Renderer *window_renderer(const struct window *window) { return window->renderer; }

/* Drawing */

static bool resize(struct window *window, SDL_Point size) {
    pv_canvas *canvas = &window->canvas;
    if (size.x == canvas->width && size.y == canvas->height) return true;
    if (window->texture) SDL_DestroyTexture(window->texture);
    free(canvas->pixels);
    window->texture = SDL_CreateTexture(window->renderer, SDL_PIXELFORMAT_RGBA32,
                                        SDL_TEXTUREACCESS_STREAMING, size.x, size.y);
    *canvas = (pv_canvas){NULL, size.x, size.y, (ptrdiff_t)size.x * 4};
    canvas->pixels = malloc((size_t)size.x * (size_t)size.y * 4);
    return window->texture && canvas->pixels;
}

/// Returns the place of the canvas in the middle of the window. It is enlarged by a whole factor,
/// or shrunk if it does not fit.
static SDL_Rect place(const pv_canvas *canvas, SDL_Point window) {
    double x = (double)window.x / canvas->width, y = (double)window.y / canvas->height,
           factor = x < y ? x : y;
    if (factor >= 1) factor = (int)factor;
    int width = (int)(canvas->width * factor), height = (int)(canvas->height * factor);
    return (SDL_Rect){(window.x - width) / 2, (window.y - height) / 2, width, height};
}

/// Returns the scale of text for a window, in half steps, as text in between is no sharper.
static double scale_for(SDL_Point window) {
    double x = window.x / 1280.0, y = window.y / 720.0, least = x < y ? x : y;
    return least < 1 ? 1 : (int)(least * 2) / 2.0;
}

/// Creates canvas and texture of the size that the screen wants.
static bool fit_canvas(struct window *window) {
    SDL_Point size = {1, 1};
    struct screen *screen = window->screen;
    SDL_GetRendererOutputSize(window->renderer, &size.x, &size.y);
    window->scale = scale_for(size);
    hud_set_scale(window->hud, window->scale);
    if (!resize(window, screen->kind->fit(screen, size))) return false;
    size.x -= screen->left;
    window->shown = place(&window->canvas, size);
    window->shown.x += screen->left;
    return true;
}

/// Lets the screen draw its text, in units.
static void write_words(struct window *window) {
    struct screen *screen = window->screen;
    const SDL_Rect *shown = &window->shown;
    float scale = (float)window->scale;
    SDL_Rect units = {(int)((float)shown->x / scale), (int)((float)shown->y / scale),
                      (int)((float)shown->w / scale), (int)((float)shown->h / scale)};
    SDL_RenderSetScale(window->renderer, scale, scale);
    screen->kind->write(screen, window->hud, units);
    SDL_RenderSetScale(window->renderer, 1, 1);
}

static void paint(struct window *window) {
    struct screen *screen = window->screen;
    screen->kind->draw(screen, &window->canvas);
    SDL_UpdateTexture(window->texture, NULL, window->canvas.pixels, (int)window->canvas.pitch);
    SDL_SetRenderDrawColor(window->renderer, 0, 0, 0, 255);
    SDL_RenderClear(window->renderer);
    SDL_RenderCopy(window->renderer, window->texture, NULL, &window->shown);
    write_words(window);
}

bool window_write_picture(struct window *window, const char *path) {
    pv_canvas picture = {0};
    paint(window);
    if (SDL_GetRendererOutputSize(window->renderer, &picture.width, &picture.height) != 0)
        return false;
    picture.pitch = (ptrdiff_t)picture.width * 4;
    picture.pixels = malloc((size_t)picture.pitch * (size_t)picture.height);
    bool written = picture.pixels &&
                   SDL_RenderReadPixels(window->renderer, NULL, SDL_PIXELFORMAT_RGBA32,
                                        picture.pixels, (int)picture.pitch) == 0 &&
                   png_write(path, &picture);
    free(picture.pixels);
    return written;
}

/// Waits for the next frame, unless the renderer does.
static void wait_for_frame(struct window *window) {
    double left = window->next_frame - stopwatch_seconds();
    if (window->paced) return;
    if (left > 0) SDL_Delay((Uint32)(left * 1000 + 1));
    window->next_frame += left > -frame_least ? frame_least : frame_least - left;
}

/* Playing */

static void show(struct window *window, struct screen *screen) {
    window->screen = screen;
    screen->window = window;
    screen->kind->enter(screen);
    if (!window->hud) screen->kind->help(screen);
}

static void hear(struct window *window) {
    SDL_Event event;
    while (SDL_PollEvent(&event)) {
        if (event.type == SDL_QUIT) window_quit(window);
        window->screen->kind->hear(window->screen, &event);
    }
    if (!window->turning) return;
    window->turning = false;
    window->screen->kind->leave(window->screen);
    show(window, window->screen->other);
}

static int loop(struct window *window) {
    double last = stopwatch_seconds();
    window->next_frame = last + frame_least;
    while (window->running) {
        double now = stopwatch_seconds(), elapsed = now - last;
        last = now;
        hear(window);
        if (!fit_canvas(window)) return complain("window", SDL_GetError());
        window->screen->kind->advance(window->screen, elapsed);
        paint(window);
        SDL_RenderPresent(window->renderer);
        wait_for_frame(window);
    }
    window->screen->kind->leave(window->screen);
    return EXIT_SUCCESS;
}

/* Opening and closing */

static void set_icon(SDL_Window *window) {
    char path[1024];
    snprintf(path, sizeof path, "%s/icon.png", sprite_directory());
    pv_image *image = pv_image_load(path, NULL, NULL);
    if (!image) return;
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormatFrom(
        image->pixels, image->width, image->height, 32, image->width * 4, SDL_PIXELFORMAT_RGBA32);
    if (surface) SDL_SetWindowIcon(window, surface);
    SDL_FreeSurface(surface);
    pv_image_destroy(image);
}

/// Tells whether a renderer's OpenGL runs on the CPU, which is slower than SDL's software renderer.
static bool is_emulated(SDL_Renderer *renderer) {
    typedef const unsigned char *get_string(unsigned name);
    enum { GL_RENDERER_NAME = 0x1f01 };
    SDL_RendererInfo info = {0};
    if (!renderer || SDL_GetRendererInfo(renderer, &info) != 0 || strncmp(info.name, "opengl", 6))
        return false;
    get_string *get = (get_string *)SDL_GL_GetProcAddress("glGetString");
    const char *name = get ? (const char *)get(GL_RENDERER_NAME) : NULL;
    return name && (strstr(name, "llvmpipe") || strstr(name, "softpipe") || strstr(name, "SWR"));
}

static bool open_renderer(struct window *window) {
    SDL_RendererInfo info = {0};
    window->renderer = SDL_CreateRenderer(window->window, -1, SDL_RENDERER_PRESENTVSYNC);
    if (is_emulated(window->renderer)) {
        SDL_DestroyRenderer(window->renderer);
        window->renderer = NULL;
    }
    if (!window->renderer)
        window->renderer = SDL_CreateRenderer(window->window, -1,
                                              SDL_RENDERER_SOFTWARE | SDL_RENDERER_PRESENTVSYNC);
    if (!window->renderer || SDL_GetRendererInfo(window->renderer, &info) != 0) return false;
    window->paced =
        (info.flags & SDL_RENDERER_PRESENTVSYNC) && !(info.flags & SDL_RENDERER_SOFTWARE);
    return SDL_SetRenderDrawBlendMode(window->renderer, SDL_BLENDMODE_BLEND) == 0;
}

static bool open_window(struct window *window) {
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "nearest");
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"); /* CPU pictures bypass the GPU */
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    window->window = SDL_CreateWindow("pixverlet", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                      1280, 720, SDL_WINDOW_RESIZABLE);
    if (!window->window || !open_renderer(window)) return false;
    SDL_SetWindowMinimumSize(window->window, 320, 180);
    set_icon(window->window);
    window->hud = hud_open(window->renderer);
    return true;
}

static void close_window(struct window *window) {
    hud_close(window->hud);
    free(window->canvas.pixels);
    if (window->texture) SDL_DestroyTexture(window->texture);
    if (window->renderer) SDL_DestroyRenderer(window->renderer);
    if (window->window) SDL_DestroyWindow(window->window);
    SDL_Quit();
}

/// Makes SDL use a real display. Otherwise it would draw offscreen where there is none.
static void demand_display(void) {
#ifdef SDL_VIDEO_DRIVER_X11
    SDL_SetHint(SDL_HINT_VIDEODRIVER, getenv("WAYLAND_DISPLAY") ? "x11,wayland" : "x11");
#endif
}

static int no_display(void) {
    fprintf(stderr, "pixverlet-demo: no display (%s); try --headless\n", SDL_GetError());
    return EXIT_COMPLAINT;
}

int window_run(struct screen *screen) {
    struct window window = {.running = true};
    int status;
    demand_display();
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return no_display();
    if (open_window(&window)) {
        show(&window, screen);
        status = loop(&window);
    } else {
        status = no_display();
    }
    close_window(&window);
    return status;
}
