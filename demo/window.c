/* window.c - events of SDL become commands of the game, and its canvas becomes a texture.
 *
 * Invariant: the canvas has the size of what the renderer draws on.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "window.h"

#include "complain.h"
#include "hud.h"
#include "png_write.h"
#include "stopwatch.h"

#include <stdlib.h>

static const double zoom_notch = 1.2;       // zoom per notch of the wheel
static const double status_period = .25;    // [s]
static const double frame_least = 1.0 / 60; // when the display does not set the pace [s]

struct window {
    struct game *game;
    SDL_Window *window;
    SDL_Renderer *renderer;
    SDL_Texture *texture;
    struct hud *hud;
    pv_canvas canvas;
    bool paced;        ///< the display waits for its refresh itself
    double next_frame; ///< when it is due, on the stopwatch [s]
    bool running, help;
    int frames;        ///< since status was written
    double status_age; ///< [s]
    char status[160];
};

/// What the keys do, as the help shows it.
static const char *const help[][2] = {
    {"left mouse", "grab and throw what is there"},
    {"wheel, right mouse", "zoom, move the view"},
    {"right mouse", "digs, where there is something to carve; the middle one moves the view"},
    {"drop a PNG here", "it becomes a sprite that falls"},
    {"Space", "a new thing at the cursor"},
    {"arrows", "steer, or push what you held last, or everything"},
    {"Tab  [  ]", "next and other scenes"},
    {"R", "start the scene again"},
    {"P  .", "pause, single step"},
    {"left Shift", "slow motion while held"},
    {"D", "debug view: masks, contacts, constraints"},
    {"Home", "show the whole scene"},
    {"F2", "screenshot"},
    {"F  F11", "full screen"},
    {"H", "this help"},
    {"Q  Esc", "quit"},
};

#define HELP_LINES ((int)(sizeof help / sizeof help[0]))

/* Commands of the keyboard */

static void toggle_pause(struct window *window) { window->game->paused = !window->game->paused; }

static void single_step(struct window *window) { game_single_step(window->game); }

static void spawn(struct window *window) { game_spawn(window->game); }

static void toggle_debug(struct window *window) { window->game->debug = !window->game->debug; }

static void print_help(void) {
    for (int i = 0; i < HELP_LINES; i++) printf("%-20s %s\n", help[i][0], help[i][1]);
    fflush(stdout);
}

static void toggle_help(struct window *window) {
    window->help = !window->help;
    if (!window->hud) print_help();
}

static void write_title(struct window *window) {
    char title[120];
    snprintf(title, sizeof title, "pixverlet: %s (H: help)", window->game->scene->name);
    SDL_SetWindowTitle(window->window, title);
}

static void change_scene(struct window *window, int places) {
    game_change_scene(window->game, places);
    game_say(window->game, "%s", window->game->scene->description);
    write_title(window);
}

static void next_scene(struct window *window) { change_scene(window, 1); }

static void previous_scene(struct window *window) { change_scene(window, -1); }

static void restart(struct window *window) { game_restart(window->game); }

static void fit(struct window *window) { game_fit(window->game); }

static void toggle_fullscreen(struct window *window) {
    bool full = (SDL_GetWindowFlags(window->window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
    SDL_SetWindowFullscreen(window->window, full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
}

static bool exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static void screenshot(struct window *window) {
    char name[32];
    int number = 0;
    do snprintf(name, sizeof name, "screenshot-%03d.png", number++);
    while (number < 1000 && exists(name));
    bool written = png_write(name, &window->canvas);
    game_say(window->game, written ? "saved %s" : "%s: cannot be written", name);
}

static void quit(struct window *window) { window->running = false; }

struct key {
    SDL_Keycode code;
    void (*press)(struct window *window);
    bool repeats; ///< holding the key down presses it again and again
};

static const struct key keys[] = {
    {SDLK_p, toggle_pause, false},
    {SDLK_PERIOD, single_step, true},
    {SDLK_SPACE, spawn, true},
    {SDLK_d, toggle_debug, false},
    {SDLK_h, toggle_help, false},
    {SDLK_F1, toggle_help, false},
    {SDLK_TAB, next_scene, false},
    {SDLK_RIGHTBRACKET, next_scene, false},
    {SDLK_LEFTBRACKET, previous_scene, false},
    {SDLK_r, restart, false},
    {SDLK_HOME, fit, false},
    {SDLK_F2, screenshot, false},
    {SDLK_f, toggle_fullscreen, false},
    {SDLK_F11, toggle_fullscreen, false},
    {SDLK_q, quit, false},
    {SDLK_ESCAPE, quit, false},
};

/* Events */

/// Whether the scene takes a key.
static bool is_taken(const struct window *window, SDL_Keycode code) {
    struct stage *stage = window->game->stage;
    return code >= ' ' && code <= '~' && stage->hooks.type && stage->hooks.type(stage, (char)code);
}

static void on_key(struct window *window, const SDL_KeyboardEvent *event) {
    if (is_taken(window, event->keysym.sym)) return;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].code == event->keysym.sym && (keys[i].repeats || !event->repeat)) keys[i].press(window);
}

static void on_button(struct window *window, const SDL_MouseButtonEvent *event) {
    bool pressed = event->state == SDL_PRESSED;
    window->game->cursor = (pv_vec2){event->x, event->y};
    if (event->button == SDL_BUTTON_LEFT)
        (pressed ? game_seize : game_release)(window->game);
    else if (event->button == SDL_BUTTON_RIGHT)
        (pressed ? game_dig : game_stop_digging)(window->game);
}

static void on_motion(struct window *window, const SDL_MouseMotionEvent *event) {
    window->game->cursor = (pv_vec2){event->x, event->y};
    Uint32 movers = window->game->digging ? SDL_BUTTON_MMASK : SDL_BUTTON_MMASK | SDL_BUTTON_RMASK;
    if (event->state & movers) game_pan(window->game, (pv_vec2){event->xrel, event->yrel});
}

static void on_wheel(struct window *window, const SDL_MouseWheelEvent *event) {
    for (int i = 0; i < event->y; i++) game_zoom(window->game, zoom_notch);
    for (int i = 0; i > event->y; i--) game_zoom(window->game, 1 / zoom_notch);
}

/// While something is dragged over the window no mouse events come, so the cursor is asked for.
static void on_drop(struct window *window, const SDL_DropEvent *event) {
    int x, y, left, top;
    SDL_GetGlobalMouseState(&x, &y);
    SDL_GetWindowPosition(window->window, &left, &top);
    game_add_file(window->game, event->file, (pv_vec2){x - left, y - top});
    SDL_free(event->file);
}

static void on_event(struct window *window, const SDL_Event *event) {
    switch (event->type) {
    case SDL_QUIT: quit(window); break;
    case SDL_KEYDOWN: on_key(window, &event->key); break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP: on_button(window, &event->button); break;
    case SDL_MOUSEMOTION: on_motion(window, &event->motion); break;
    case SDL_MOUSEWHEEL: on_wheel(window, &event->wheel); break;
    case SDL_DROPFILE: on_drop(window, &event->drop); break;
    default: break;
    }
}

static void read_input(struct window *window) {
    SDL_Event event;
    while (SDL_PollEvent(&event)) on_event(window, &event);
    const Uint8 *held = SDL_GetKeyboardState(NULL);
    window->game->slow = held[SDL_SCANCODE_LSHIFT];
    window->game->arrows =
        (held[SDL_SCANCODE_LEFT] ? STAGE_LEFT : 0u) | (held[SDL_SCANCODE_RIGHT] ? STAGE_RIGHT : 0u) |
        (held[SDL_SCANCODE_UP] ? STAGE_UP : 0u) | (held[SDL_SCANCODE_DOWN] ? STAGE_DOWN : 0u);
}

/* Drawing */

/// Makes canvas and texture as large as what is drawn on.
static bool fit_canvas(struct window *window) {
    int width = 0, height = 0;
    SDL_GetRendererOutputSize(window->renderer, &width, &height);
    if (width == window->canvas.width && height == window->canvas.height) return true;
    if (window->texture) SDL_DestroyTexture(window->texture);
    free(window->canvas.pixels);
    window->texture =
        SDL_CreateTexture(window->renderer, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STREAMING, width, height);
    window->canvas = (pv_canvas){NULL, width, height, (ptrdiff_t)width * 4};
    window->canvas.pixels = malloc((size_t)width * (size_t)height * 4);
    game_resize(window->game, width, height);
    return window->texture && window->canvas.pixels;
}

static void write_status(struct window *window, double elapsed) {
    const struct game *game = window->game;
    window->frames++;
    window->status_age += elapsed;
    if (window->status_age < status_period) return;
    pv_world_stats stats = pv_world_get_stats(game->stage->world);
    snprintf(window->status, sizeof window->status,
             "%s   %d bodies   %d particles   %d constraints   %d contacts   %.2f ms/step   %.0f fps",
             game->scene->name, stats.bodies, stats.particles, stats.constraints, stats.contacts,
             game->step_seconds * 1000, window->frames / window->status_age);
    window->status_age = 0;
    window->frames = 0;
}

/// One column of the help, line by line.
static void join_help(char *text, size_t size, int column) {
    size_t used = 0;
    for (int i = 0; i < HELP_LINES && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, i ? "\n%s" : "%s", help[i][column]);
}

static void draw_help(struct window *window) {
    char keys_text[1024], meanings[1024];
    SDL_Point middle = {window->canvas.width * 2 / 5, window->canvas.height / 2};
    join_help(keys_text, sizeof keys_text, 0);
    join_help(meanings, sizeof meanings, 1);
    hud_draw(window->hud, HUD_KEYS, keys_text, middle, 1, .5);
    hud_draw(window->hud, HUD_MEANINGS, meanings, middle, 0, .5);
}

static void draw_labels(struct window *window) {
    const struct game *game = window->game;
    for (int i = 0; i < game->stage->label_count; i++) {
        const struct stage_label *label = &game->stage->labels[i];
        pv_vec2 at = camera_to_screen(&game->camera, game->width, game->height, label->point);
        hud_draw(window->hud, HUD_LABELS + i, label->text, (SDL_Point){(int)at.x, (int)at.y}, .5, .5);
    }
}

static void draw_hud(struct window *window) {
    const struct game *game = window->game;
    int width = window->canvas.width;
    const char *hint = game->slow ? "slow motion   H help" : "H help";
    if (game->paused) hint = "PAUSED   P go on   . step   H help";
    draw_labels(window);
    hud_draw(window->hud, HUD_STATUS, window->status, (SDL_Point){8, 8}, 0, 0);
    hud_draw(window->hud, HUD_HINT, hint, (SDL_Point){width - 8, 8}, 1, 0);
    if (game->message_left > 0)
        hud_draw(window->hud, HUD_MESSAGE, game->message, (SDL_Point){width / 2, 48}, .5, 0);
    if (window->help) draw_help(window);
}

static void present(struct window *window) {
    game_draw(window->game, &window->canvas);
    SDL_UpdateTexture(window->texture, NULL, window->canvas.pixels, (int)window->canvas.pitch);
    SDL_RenderCopy(window->renderer, window->texture, NULL, NULL);
    draw_hud(window);
    SDL_RenderPresent(window->renderer);
}

/// Waits where the display does not, so that no more frames are drawn than can be seen.
static void wait_for_frame(struct window *window) {
    double left = window->next_frame - stopwatch_seconds();
    if (window->paced) return;
    if (left > 0) SDL_Delay((Uint32)(left * 1000 + 1));
    window->next_frame += left > -frame_least ? frame_least : frame_least - left;
}

static int loop(struct window *window) {
    double last = stopwatch_seconds();
    window->next_frame = last + frame_least;
    while (window->running) {
        double now = stopwatch_seconds(), elapsed = now - last;
        last = now;
        read_input(window);
        if (!fit_canvas(window)) return complain("window", SDL_GetError());
        game_advance(window->game, elapsed);
        write_status(window, elapsed);
        present(window);
        wait_for_frame(window);
    }
    return EXIT_SUCCESS;
}

/* Opening and closing */

static void set_icon(SDL_Window *window) {
    char path[1024];
    snprintf(path, sizeof path, "%s/icon.png", sprite_directory());
    pv_image *image = pv_image_load(path, NULL, NULL);
    if (!image) return;
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormatFrom(image->pixels, image->width, image->height, 32,
                                                              image->width * 4, SDL_PIXELFORMAT_RGBA32);
    if (surface) SDL_SetWindowIcon(window, surface);
    SDL_FreeSurface(surface);
    pv_image_free(image);
}

static bool open_renderer(struct window *window) {
    SDL_RendererInfo info = {0};
    window->renderer = SDL_CreateRenderer(window->window, -1, SDL_RENDERER_PRESENTVSYNC);
    if (!window->renderer) window->renderer = SDL_CreateRenderer(window->window, -1, SDL_RENDERER_SOFTWARE);
    if (!window->renderer || SDL_GetRendererInfo(window->renderer, &info) != 0) return false;
    window->paced = (info.flags & SDL_RENDERER_PRESENTVSYNC) != 0;
    return SDL_SetRenderDrawBlendMode(window->renderer, SDL_BLENDMODE_BLEND) == 0;
}

static bool open_window(struct window *window) {
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "nearest");
    SDL_SetHint(SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1");
    window->window = SDL_CreateWindow("pixverlet", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, 1280, 720,
                                      SDL_WINDOW_RESIZABLE);
    if (!window->window || !open_renderer(window)) return false;
    SDL_SetWindowMinimumSize(window->window, 320, 180);
    set_icon(window->window);
    write_title(window);
    window->hud = hud_open(window->renderer);
    if (!window->hud) print_help();
    game_say(window->game, "drag the sprites with the mouse; Tab: next scene; H: all keys");
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

/// Where no display answers SDL would go on to draw off the screen, and nobody would see a thing.
static void demand_display(void) {
#ifdef SDL_VIDEO_DRIVER_X11
    SDL_SetHint(SDL_HINT_VIDEODRIVER, getenv("WAYLAND_DISPLAY") ? "x11,wayland" : "x11");
#endif
}

static int no_display(void) {
    fprintf(stderr, "pixverlet-demo: no display (%s); try --headless\n", SDL_GetError());
    return EXIT_COMPLAINT;
}

int window_run(struct game *game) {
    struct window window = {.game = game, .running = true};
    demand_display();
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return no_display();
    int status = open_window(&window) ? loop(&window) : no_display();
    close_window(&window);
    return status;
}
