/* viewer_screen.c - turns SDL events into commands of the viewer, and shows its messages.
 *
 * Invariant: each key has one action, and the help names it.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/viewer_screen.h"

#include "app/labels.h"
#include "app/window.h"
#include "platform/free_name.h"

#include <stdio.h>

/// Zoom per notch of the wheel
static const double zoom_notch = 1.2;
/// Time in which a second press of Q quits [s]
static const double ask_length = 3;
/// Time between updates of the status text [s]
static const double status_period = .25;

static struct viewer_screen *viewer_of(struct screen *screen) {
    return (struct viewer_screen *)screen;
}

/* Commands of the keyboard */

static void toggle_pause(struct viewer_screen *view) {
    view->viewer->paused = !view->viewer->paused;
}

static void single_step(struct viewer_screen *view) { viewer_single_step(view->viewer); }

static void spawn(struct viewer_screen *view) { viewer_spawn(view->viewer); }

static void toggle_overlays(struct viewer_screen *view) { viewer_toggle_overlays(view->viewer); }

static void toggle_panel(struct viewer_screen *view) {
    if (window_has_words(view->screen.window)) panel_toggle(&view->panel);
}

static void search(struct viewer_screen *view) {
    if (window_has_words(view->screen.window)) panel_search(&view->panel);
}

/// Writes the last seconds as a GIF.
static void save_clip(struct viewer_screen *view) {
    bool begun = recorder_save(&view->recorder, &view->recorder.clip);
    viewer_say(view->viewer, begun ? "writing %s" : "no GIF can be written now",
               view->recorder.path);
}

static void print_help(void);

static void toggle_help(struct viewer_screen *view) {
    view->help = !view->help;
    if (!window_has_words(view->screen.window)) print_help();
}

static void write_title(struct viewer_screen *view) {
    char title[120];
    view->titled = view->viewer->scene;
    snprintf(title, sizeof title, "pixverlet: %s (H: help)", view->titled->name);
    window_set_title(view->screen.window, title);
}

static void next_scene(struct viewer_screen *view) { viewer_change_scene(view->viewer, 1); }

static void previous_scene(struct viewer_screen *view) { viewer_change_scene(view->viewer, -1); }

static void restart(struct viewer_screen *view) { viewer_restart(view->viewer); }

static void change_workers(struct viewer_screen *view) { viewer_change_workers(view->viewer); }

static void change_contacts(struct viewer_screen *view) {
    viewer_set_contacts(view->viewer, !view->viewer->by_pixels);
}

static void fit(struct viewer_screen *view) { viewer_fill(view->viewer); }

static void toggle_fullscreen(struct viewer_screen *view) {
    window_toggle_fullscreen(view->screen.window);
}

static void screenshot(struct viewer_screen *view) {
    char name[32];
    bool written = free_name(name, sizeof name, "screenshot", "png") &&
                   window_write_picture(view->screen.window, name);
    viewer_say(view->viewer, written ? "saved %s" : "%s: cannot be written", name);
}

/// Closes the help if it is open, or else goes to the game.
static void leave_level(struct viewer_screen *view) {
    if (view->help)
        toggle_help(view);
    else
        window_turn(view->screen.window);
}

/// Asks first, and quits at the second press.
static void quit(struct viewer_screen *view) {
    if (view->asked > 0 || !window_has_words(view->screen.window)) window_quit(view->screen.window);
    view->asked = ask_length;
    viewer_say(view->viewer, "Q again quits");
}

/// Actions of the keys. Lines without a code are only text for the help. Lines without names are
/// other keys for the line above.
static const struct key {
    SDL_Keycode code;
    void (*press)(struct viewer_screen *view);
    /// True if holding the key down repeats its action
    bool repeats;
    /// Words in the help
    const char *names, *action;
} key_actions[] = {
    {0, NULL, false, "left mouse", "grab and throw what is there; move the view where nothing is"},
    {0, NULL, false, "right mouse", "bite pixels out of what is there"},
    {0, NULL, false, "wheel, middle mouse", "zoom, move the view"},
    {0, NULL, false, "drop a PNG here", "it becomes a sprite that falls, and follows its file"},
    {SDLK_SPACE, spawn, true, "Space", "a new thing at the cursor"},
    {0, NULL, false, "arrows", "steer, or push what you held last, or everything"},
    {SDLK_TAB, next_scene, false, "Tab  [  ]", "next and other scenes"},
    {SDLK_RIGHTBRACKET, next_scene, false, NULL, NULL},
    {SDLK_LEFTBRACKET, previous_scene, false, NULL, NULL},
    {SDLK_r, restart, false, "R", "start the scene again"},
    {SDLK_p, toggle_pause, false, "P  .", "pause, single step"},
    {SDLK_PERIOD, single_step, true, NULL, NULL},
    {0, NULL, false, "left Shift", "slow motion while held"},
    {SDLK_t, toggle_panel, false, "T  F4",
     "tools: scenes, tuning, overlays, timings, what you clicked on"},
    {SDLK_F4, toggle_panel, false, NULL, NULL},
    {0, NULL, false, "bar below", "go back, up to twenty seconds; P goes on from there"},
    {SDLK_SLASH, search, false, "/", "search a scene by its name"},
    {SDLK_d, toggle_overlays, false, "D", "overlays: masks, contacts, constraints"},
    {SDLK_w, change_workers, false, "W", "threads that share a step: 1, 2, 4, 8, 16"},
    {SDLK_c, change_contacts, false, "C", "contacts by contours, or by pixels as in the paper"},
    {SDLK_HOME, fit, false, "Home", "show the whole scene; again: as large as it goes"},
    {SDLK_F2, screenshot, false, "F2", "screenshot"},
    {SDLK_F3, save_clip, false, "F3", "the last five seconds as a GIF"},
    {SDLK_f, toggle_fullscreen, false, "F  F11", "full screen"},
    {SDLK_F11, toggle_fullscreen, false, NULL, NULL},
    {SDLK_h, toggle_help, false, "H  F1", "this help"},
    {SDLK_F1, toggle_help, false, NULL, NULL},
    {SDLK_ESCAPE, leave_level, false, "Esc", "close the help; to the game"},
    {SDLK_q, quit, false, "Q  Q", "quit"},
};

#define KEYS (sizeof key_actions / sizeof key_actions[0])

static void print_help(void) {
    for (size_t i = 0; i < KEYS; i++)
        if (key_actions[i].names) printf("%-20s %s\n", key_actions[i].names, key_actions[i].action);
    fflush(stdout);
}

/* The bar of the last seconds */

enum { BAR_HIGH = 8, BAR_REACH = 24 };

/// Notes whether the mouse is near the bar. While it drags, goes to that moment.
static void point_at_bar(struct viewer_screen *view, int x, int y) {
    double scale = window_scale(view->screen.window);
    SDL_Point at = {(int)(x / scale), (int)(y / scale)};
    SDL_Rect near = {view->bar.x - BAR_REACH, view->bar.y - BAR_REACH, view->bar.w + 2 * BAR_REACH,
                     view->bar.h + 2 * BAR_REACH};
    view->over_bar = SDL_PointInRect(&at, &near);
    if (view->scrubs) viewer_scrub(view->viewer, (double)(at.x - view->bar.x) / view->bar.w);
}

/// Handles an event of the mouse on the bar; false if it is for the scene.
static bool bar_hears(struct viewer_screen *view, const SDL_Event *event) {
    if (event->type == SDL_MOUSEMOTION) {
        point_at_bar(view, event->motion.x, event->motion.y);
        return view->scrubs;
    }
    if (event->type == SDL_MOUSEBUTTONUP && view->scrubs) {
        view->scrubs = false;
        return true;
    }
    if (event->type != SDL_MOUSEBUTTONDOWN || event->button.button != SDL_BUTTON_LEFT) return false;
    point_at_bar(view, event->button.x, event->button.y);
    view->scrubs = view->over_bar && view->viewer->rewind.count > 1;
    point_at_bar(view, event->button.x, event->button.y);
    return view->scrubs;
}

/// Draws the bar while the mouse is near or the scene is paused.
static void draw_bar(struct viewer_screen *view, SDL_Rect shown) {
    const struct viewer *viewer = view->viewer;
    struct widgets widgets = {.renderer = window_renderer(view->screen.window)};
    SDL_Rect *bar = &view->bar;
    *bar = (SDL_Rect){shown.x + shown.w / 8, shown.y + shown.h - 3 * BAR_HIGH, shown.w * 3 / 4,
                      BAR_HIGH};
    if (viewer->rewind.count < 2 || !(view->over_bar || viewer->paused)) return;
    int to = (int)(viewer_scrubbed(viewer) * bar->w);
    widgets_fill(&widgets, *bar, 0x0c101c96u);
    widgets_fill(&widgets, (SDL_Rect){bar->x, bar->y, to, bar->h}, 0x3f7fd0ffu);
    widgets_fill(&widgets, (SDL_Rect){bar->x + to - 3, bar->y - 4, 6, bar->h + 8}, 0xe8ecf4ffu);
}

/* Events */

/// Offers a key to the scene, and tells whether the scene takes it.
static bool is_taken(const struct viewer_screen *view, SDL_Keycode code) {
    struct stage *stage = view->viewer->stage;
    return code >= ' ' && code <= '~' && stage->hooks.type && stage->hooks.type(stage, (char)code);
}

static void on_key(struct viewer_screen *view, const SDL_KeyboardEvent *event) {
    if (is_taken(view, event->keysym.sym)) return;
    for (size_t i = 0; i < KEYS; i++)
        if (key_actions[i].press && key_actions[i].code == event->keysym.sym &&
            (key_actions[i].repeats || !event->repeat))
            key_actions[i].press(view);
}

static void on_button(struct viewer_screen *view, const SDL_MouseButtonEvent *event) {
    bool pressed = event->state == SDL_PRESSED;
    view->viewer->cursor = window_to_canvas(view->screen.window, event->x, event->y);
    if (event->button == SDL_BUTTON_LEFT)
        (pressed ? viewer_seize : viewer_release)(view->viewer);
    else if (event->button == SDL_BUTTON_RIGHT)
        (pressed ? viewer_bite : viewer_stop_biting)(view->viewer);
}

static void on_motion(struct viewer_screen *view, const SDL_MouseMotionEvent *event) {
    pv_vec2 cursor = window_to_canvas(view->screen.window, event->x, event->y);
    viewer_hover(view->viewer, &cursor);
    Uint32 movers = SDL_BUTTON_MMASK | (view->viewer->panning ? SDL_BUTTON_LMASK : 0u);
    pv_vec2 from = window_to_canvas(view->screen.window, event->x - event->xrel,
                                    event->y - event->yrel),
            to = view->viewer->cursor;
    if (event->state & movers) viewer_pan(view->viewer, (pv_vec2){to.x - from.x, to.y - from.y});
}

static void on_wheel(struct viewer_screen *view, const SDL_MouseWheelEvent *event) {
    for (int i = 0; i < event->y; i++) viewer_zoom(view->viewer, zoom_notch);
    for (int i = 0; i > event->y; i--) viewer_zoom(view->viewer, 1 / zoom_notch);
}

/// Adds a dropped file at the cursor. SDL sends no mouse events during a drag, so the cursor is
/// queried.
static void on_drop(struct viewer_screen *view, const SDL_DropEvent *event) {
    int x, y;
    SDL_Point window = window_place(view->screen.window);
    SDL_GetGlobalMouseState(&x, &y);
    pv_vec2 point = window_to_canvas(view->screen.window, x - window.x, y - window.y);
    viewer_add_file(view->viewer, event->file, (pv_vec2){point.x > 0 ? point.x : 0, point.y});
    SDL_free(event->file);
}

static void hear(struct screen *screen, const SDL_Event *event) {
    struct viewer_screen *view = viewer_of(screen);
    double scale = window_scale(screen->window);
    if (panel_type(&view->panel, event) || panel_hear(&view->panel, event, screen->left, scale) ||
        bar_hears(view, event))
        return;
    switch (event->type) {
    case SDL_KEYDOWN: on_key(view, &event->key); break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP: on_button(view, &event->button); break;
    case SDL_MOUSEMOTION: on_motion(view, &event->motion); break;
    case SDL_MOUSEWHEEL: on_wheel(view, &event->wheel); break;
    case SDL_DROPFILE: on_drop(view, &event->drop); break;
    case SDL_WINDOWEVENT:
        if (event->window.event == SDL_WINDOWEVENT_LEAVE) viewer_hover(view->viewer, NULL);
        break;
    default: break;
    }
}

static void read_held(struct viewer *viewer, bool slow) {
    const Uint8 *held = SDL_GetKeyboardState(NULL);
    viewer->slow = slow || held[SDL_SCANCODE_LSHIFT];
    viewer->arrows = (held[SDL_SCANCODE_LEFT] ? STAGE_LEFT : 0u) |
                     (held[SDL_SCANCODE_RIGHT] ? STAGE_RIGHT : 0u) |
                     (held[SDL_SCANCODE_UP] ? STAGE_UP : 0u) |
                     (held[SDL_SCANCODE_DOWN] ? STAGE_DOWN : 0u);
}

/* Words */

static void write_status(struct viewer_screen *view, double elapsed) {
    const struct viewer *viewer = view->viewer;
    view->frames++;
    view->status_age += elapsed;
    if (view->status_age < status_period) return;
    pv_world_stats stats = pv_world_get_stats(viewer->stage->world);
    double step = viewer->meter.mean.total * 1000, rate = view->frames / view->status_age;
    int used = snprintf(view->status, sizeof view->status, "%s   %.2f ms/step   %.0f fps",
                        viewer->scene->name, step, rate);
    if (view->screen.left == 0)
        snprintf(view->status + used, sizeof view->status - (size_t)used,
                 "   %d bodies   %d particles   %d constraints   %d contacts", stats.bodies,
                 stats.particles, stats.joints, stats.contacts);
    view->status_age = 0;
    view->frames = 0;
}

static void say_written(struct viewer_screen *view) {
    bool written = false;
    const char *path = recorder_finished(&view->recorder, &written);
    if (path) viewer_say(view->viewer, written ? "saved %s" : "%s: cannot be written", path);
}

static void advance(struct screen *screen, double elapsed) {
    struct viewer_screen *view = viewer_of(screen);
    view->seen_for += view->viewer->paused ? 0 : elapsed;
    say_written(view);
    view->asked -= elapsed;
    read_held(view->viewer, view->panel.slow);
    viewer_advance(view->viewer, elapsed);
    panel_advance(&view->panel, elapsed);
    write_status(view, elapsed);
    if (view->titled != view->viewer->scene) write_title(view);
}

/// Joins the lines of a column of the help.
static void join_help(char *text, size_t size, bool names) {
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < KEYS && used < size; i++)
        if (key_actions[i].names)
            used += (size_t)snprintf(text + used, size - used, i ? "\n%s" : "%s",
                                     names ? key_actions[i].names : key_actions[i].action);
}

/// Draws the help as two columns in the middle.
static void draw_help(struct hud *hud, SDL_Rect shown) {
    char names[1024], actions[1024];
    join_help(names, sizeof names, true);
    join_help(actions, sizeof actions, false);
    int left = hud_measure(hud, HUD_NORMAL, names).x,
        right = hud_measure(hud, HUD_NORMAL, actions).x;
    SDL_Point middle = {shown.x + (shown.w + left - right) / 2, shown.y + shown.h / 2};
    hud_box(hud, names, middle, 1, .5);
    hud_box(hud, actions, middle, 0, .5);
}

static void write_hint(struct viewer_screen *view, char *text, size_t size) {
    const struct viewer *viewer = view->viewer;
    const char *hint = viewer->stage->hint;
    const char *state = viewer->paused ? "PAUSED   P go on   . step   "
                        : viewer->slow ? "slow motion   "
                                       : "";
    snprintf(text, size, "%s%s%sH help", state, hint ? hint : "", hint ? "   " : "");
}

static void write_words(struct screen *screen, struct hud *hud, SDL_Rect shown) {
    struct viewer_screen *view = viewer_of(screen);
    const struct viewer *viewer = view->viewer;
    int left = shown.x + 8, right = shown.x + shown.w - 8, middle = shown.x + shown.w / 2;
    labels_draw(viewer->stage, &viewer->camera, (SDL_Point){viewer->width, viewer->height}, hud,
                shown);
    hud_box(hud, view->status, (SDL_Point){left, 8}, 0, 0);
    char hint[96];
    write_hint(view, hint, sizeof hint);
    hud_box(hud, hint, (SDL_Point){right, 8}, 1, 0);
    draw_bar(view, shown);
    if (viewer->message_left > 0) hud_box(hud, viewer->message, (SDL_Point){middle, 48}, .5, 0);
    if (screen->left > 0)
        panel_draw(&view->panel, hud, window_renderer(screen->window), shown.y + shown.h);
    if (view->help) draw_help(hud, shown);
}

/// Returns the width of the panel in units; 0 while it is hidden or the help is shown.
static int panel_room(const struct viewer_screen *view) {
    int width = panel_width(&view->panel);
    bool shown = window_has_words(view->screen.window) && !view->help && width <= view->width / 2;
    return shown ? width : 0;
}

/// Returns the canvas size: the window without the panel, divided by the whole part of its scale.
/// So each canvas pixel covers a whole number of window pixels.
static SDL_Point fit_canvas(struct screen *screen, SDL_Point size) {
    struct viewer_screen *view = viewer_of(screen);
    struct viewer *viewer = view->viewer;
    double scale = window_scale(screen->window);
    view->width = (int)(size.x / scale);
    screen->left = (int)(panel_room(view) * scale);
    size = (SDL_Point){(size.x - screen->left) / (int)scale, size.y / (int)scale};
    if (size.x != viewer->width || size.y != viewer->height) viewer_resize(viewer, size.x, size.y);
    return size;
}

static void draw(struct screen *screen, const pv_canvas *canvas) {
    struct viewer_screen *view = viewer_of(screen);
    viewer_draw(view->viewer, canvas);
    recorder_see(&view->recorder, canvas, view->seen_for);
    view->seen_for = 0;
}

static void enter(struct screen *screen) {
    struct viewer_screen *view = viewer_of(screen);
    write_title(view);
    viewer_say(view->viewer, "drag the sprites with the mouse; Tab: next scene; H: all keys");
}

/// Leaves the viewer with all keys and buttons released.
static void leave(struct screen *screen) {
    struct viewer *viewer = viewer_of(screen)->viewer;
    viewer_release(viewer);
    viewer_stop_biting(viewer);
    viewer->arrows = 0;
}

static void print_keys(struct screen *screen) {
    (void)screen;
    print_help();
}

void viewer_screen_close(struct viewer_screen *view) { recorder_close(&view->recorder); }

struct viewer_screen viewer_screen_make(struct viewer *viewer) {
    static const struct screen_kind kind = {enter,      leave, hear,        advance,
                                            fit_canvas, draw,  write_words, print_keys};
    return (struct viewer_screen){
        .screen = {.kind = &kind}, .viewer = viewer, .panel = {.viewer = viewer}};
}
