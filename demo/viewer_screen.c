/* viewer_screen.c - events of SDL become commands of the viewer, and what it has to say becomes words.
 *
 * Invariant: a key does one thing, and the help names it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "viewer_screen.h"

#include "png_write.h"
#include "window.h"

#include <stdio.h>

static const double zoom_notch = 1.2;    // zoom per notch of the wheel
static const double status_period = .25; // [s]

static struct viewer_screen *viewer_of(struct screen *screen) { return (struct viewer_screen *)screen; }

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
    {"Esc", "to the game"},
    {"Q", "quit"},
};

#define HELP_LINES ((int)(sizeof help / sizeof help[0]))

/* Commands of the keyboard */

static void toggle_pause(struct viewer_screen *view) { view->viewer->paused = !view->viewer->paused; }

static void single_step(struct viewer_screen *view) { viewer_single_step(view->viewer); }

static void spawn(struct viewer_screen *view) { viewer_spawn(view->viewer); }

static void toggle_debug(struct viewer_screen *view) { view->viewer->debug = !view->viewer->debug; }

static void print_help(void) {
    for (int i = 0; i < HELP_LINES; i++) printf("%-20s %s\n", help[i][0], help[i][1]);
    fflush(stdout);
}

static void toggle_help(struct viewer_screen *view) {
    view->help = !view->help;
    if (!window_has_words(view->screen.window)) print_help();
}

static void write_title(struct viewer_screen *view) {
    char title[120];
    snprintf(title, sizeof title, "pixverlet: %s (H: help)", view->viewer->scene->name);
    window_set_title(view->screen.window, title);
}

static void change_scene(struct viewer_screen *view, int places) {
    viewer_change_scene(view->viewer, places);
    viewer_say(view->viewer, "%s", view->viewer->scene->description);
    write_title(view);
}

static void next_scene(struct viewer_screen *view) { change_scene(view, 1); }

static void previous_scene(struct viewer_screen *view) { change_scene(view, -1); }

static void restart(struct viewer_screen *view) { viewer_restart(view->viewer); }

static void fit(struct viewer_screen *view) { viewer_fit(view->viewer); }

static void toggle_fullscreen(struct viewer_screen *view) { window_toggle_fullscreen(view->screen.window); }

static bool exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static void screenshot(struct viewer_screen *view) {
    char name[32];
    int number = 0;
    do snprintf(name, sizeof name, "screenshot-%03d.png", number++);
    while (number < 1000 && exists(name));
    bool written = png_write(name, window_canvas(view->screen.window));
    viewer_say(view->viewer, written ? "saved %s" : "%s: cannot be written", name);
}

static void play(struct viewer_screen *view) { window_turn(view->screen.window); }

static void quit(struct viewer_screen *view) { window_quit(view->screen.window); }

struct key {
    SDL_Keycode code;
    void (*press)(struct viewer_screen *view);
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
    {SDLK_ESCAPE, play, false},
};

/* Events */

/// Whether the scene takes a key.
static bool is_taken(const struct viewer_screen *view, SDL_Keycode code) {
    struct stage *stage = view->viewer->stage;
    return code >= ' ' && code <= '~' && stage->hooks.type && stage->hooks.type(stage, (char)code);
}

static void on_key(struct viewer_screen *view, const SDL_KeyboardEvent *event) {
    if (is_taken(view, event->keysym.sym)) return;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i].code == event->keysym.sym && (keys[i].repeats || !event->repeat)) keys[i].press(view);
}

static void on_button(struct viewer_screen *view, const SDL_MouseButtonEvent *event) {
    bool pressed = event->state == SDL_PRESSED;
    view->viewer->cursor = (pv_vec2){event->x, event->y};
    if (event->button == SDL_BUTTON_LEFT)
        (pressed ? viewer_seize : viewer_release)(view->viewer);
    else if (event->button == SDL_BUTTON_RIGHT)
        (pressed ? viewer_dig : viewer_stop_digging)(view->viewer);
}

static void on_motion(struct viewer_screen *view, const SDL_MouseMotionEvent *event) {
    view->viewer->cursor = (pv_vec2){event->x, event->y};
    Uint32 movers = view->viewer->digging ? SDL_BUTTON_MMASK : SDL_BUTTON_MMASK | SDL_BUTTON_RMASK;
    if (event->state & movers) viewer_pan(view->viewer, (pv_vec2){event->xrel, event->yrel});
}

static void on_wheel(struct viewer_screen *view, const SDL_MouseWheelEvent *event) {
    for (int i = 0; i < event->y; i++) viewer_zoom(view->viewer, zoom_notch);
    for (int i = 0; i > event->y; i--) viewer_zoom(view->viewer, 1 / zoom_notch);
}

/// While something is dragged over the window no mouse events come, so the cursor is asked for.
static void on_drop(struct viewer_screen *view, const SDL_DropEvent *event) {
    int x, y;
    SDL_Point window = window_place(view->screen.window);
    SDL_GetGlobalMouseState(&x, &y);
    viewer_add_file(view->viewer, event->file, (pv_vec2){x - window.x, y - window.y});
    SDL_free(event->file);
}

static void hear(struct screen *screen, const SDL_Event *event) {
    struct viewer_screen *view = viewer_of(screen);
    switch (event->type) {
    case SDL_KEYDOWN: on_key(view, &event->key); break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP: on_button(view, &event->button); break;
    case SDL_MOUSEMOTION: on_motion(view, &event->motion); break;
    case SDL_MOUSEWHEEL: on_wheel(view, &event->wheel); break;
    case SDL_DROPFILE: on_drop(view, &event->drop); break;
    default: break;
    }
}

static void read_held(struct viewer *viewer) {
    const Uint8 *held = SDL_GetKeyboardState(NULL);
    viewer->slow = held[SDL_SCANCODE_LSHIFT];
    viewer->arrows = (held[SDL_SCANCODE_LEFT] ? STAGE_LEFT : 0u) |
                     (held[SDL_SCANCODE_RIGHT] ? STAGE_RIGHT : 0u) | (held[SDL_SCANCODE_UP] ? STAGE_UP : 0u) |
                     (held[SDL_SCANCODE_DOWN] ? STAGE_DOWN : 0u);
}

/* Words */

static void write_status(struct viewer_screen *view, double elapsed) {
    const struct viewer *viewer = view->viewer;
    view->frames++;
    view->status_age += elapsed;
    if (view->status_age < status_period) return;
    pv_world_stats stats = pv_world_get_stats(viewer->stage->world);
    snprintf(view->status, sizeof view->status,
             "%s   %d bodies   %d particles   %d constraints   %d contacts   %.2f ms/step   %.0f fps",
             viewer->scene->name, stats.bodies, stats.particles, stats.constraints, stats.contacts,
             viewer->step_seconds * 1000, view->frames / view->status_age);
    view->status_age = 0;
    view->frames = 0;
}

static void advance(struct screen *screen, double elapsed) {
    struct viewer_screen *view = viewer_of(screen);
    read_held(view->viewer);
    viewer_advance(view->viewer, elapsed);
    write_status(view, elapsed);
}

/// One column of the help, line by line.
static void join_help(char *text, size_t size, int column) {
    size_t used = 0;
    for (int i = 0; i < HELP_LINES && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, i ? "\n%s" : "%s", help[i][column]);
}

static void draw_help(struct hud *hud, SDL_Rect shown) {
    char keys_text[1024], meanings[1024];
    SDL_Point middle = {shown.w * 2 / 5, shown.h / 2};
    join_help(keys_text, sizeof keys_text, 0);
    join_help(meanings, sizeof meanings, 1);
    hud_box(hud, keys_text, middle, 1, .5);
    hud_box(hud, meanings, middle, 0, .5);
}

static void draw_labels(const struct viewer *viewer, struct hud *hud) {
    for (int i = 0; i < viewer->stage->label_count; i++) {
        const struct stage_label *label = &viewer->stage->labels[i];
        pv_vec2 at = camera_to_screen(&viewer->camera, viewer->width, viewer->height, label->point);
        hud_box(hud, label->text, (SDL_Point){(int)at.x, (int)at.y}, .5, .5);
    }
}

static void write_words(struct screen *screen, struct hud *hud, SDL_Rect shown) {
    const struct viewer_screen *view = viewer_of(screen);
    const struct viewer *viewer = view->viewer;
    const char *hint = viewer->slow ? "slow motion   H help" : "H help";
    if (viewer->paused) hint = "PAUSED   P go on   . step   H help";
    draw_labels(viewer, hud);
    hud_box(hud, view->status, (SDL_Point){8, 8}, 0, 0);
    hud_box(hud, hint, (SDL_Point){shown.w - 8, 8}, 1, 0);
    if (viewer->message_left > 0) hud_box(hud, viewer->message, (SDL_Point){shown.w / 2, 48}, .5, 0);
    if (view->help) draw_help(hud, shown);
}

static SDL_Point fit_canvas(struct screen *screen, SDL_Point size) {
    struct viewer *viewer = viewer_of(screen)->viewer;
    if (size.x != viewer->width || size.y != viewer->height) viewer_resize(viewer, size.x, size.y);
    return size;
}

static void draw(struct screen *screen, const pv_canvas *canvas) {
    viewer_draw(viewer_of(screen)->viewer, canvas);
}

static void enter(struct screen *screen) {
    struct viewer_screen *view = viewer_of(screen);
    write_title(view);
    viewer_say(view->viewer, "drag the sprites with the mouse; Tab: next scene; H: all keys");
}

/// Nothing stays pressed.
static void leave(struct screen *screen) {
    struct viewer *viewer = viewer_of(screen)->viewer;
    viewer_release(viewer);
    viewer_stop_digging(viewer);
    viewer->arrows = 0;
}

static void print_keys(struct screen *screen) {
    (void)screen;
    print_help();
}

struct viewer_screen viewer_screen_make(struct viewer *viewer) {
    static const struct screen_kind kind = {enter,      leave, hear,        advance,
                                            fit_canvas, draw,  write_words, print_keys};
    return (struct viewer_screen){.screen = {.kind = &kind}, .viewer = viewer};
}
