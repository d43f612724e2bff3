/* pixverlet/sdl_game.h - a window, sprites, keys, fixed steps and drawing: what a small game needs
 * first. For SDL 2.0.18 and later and for SDL 3, like pixverlet/sdl.h, which it includes.
 *
 * Invariant: all functions are static inline and use the public interface alone. A null game is
 * allowed everywhere and ends the loop.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_SDL_GAME_H
#define PIXVERLET_SDL_GAME_H

#include "pixverlet/sdl.h"

#include <stdarg.h>

/* ---- SDL 2 and SDL 3 under the same names ---- */

#if SDL_MAJOR_VERSION >= 3

typedef SDL_Gamepad pv_sdl__pad;

enum {
    PV_SDL__SCANCODES = SDL_SCANCODE_COUNT,
    PV_SDL__QUIT = SDL_EVENT_QUIT,
    PV_SDL__KEY_DOWN = SDL_EVENT_KEY_DOWN,
    PV_SDL__KEY_UP = SDL_EVENT_KEY_UP,
    PV_SDL__MOUSE_DOWN = SDL_EVENT_MOUSE_BUTTON_DOWN,
    PV_SDL__MOUSE_UP = SDL_EVENT_MOUSE_BUTTON_UP,
    PV_SDL__MOUSE_MOTION = SDL_EVENT_MOUSE_MOTION,
    PV_SDL__PAD_ADDED = SDL_EVENT_GAMEPAD_ADDED,
    PV_SDL__PAD_DOWN = SDL_EVENT_GAMEPAD_BUTTON_DOWN,
    PV_SDL__PAD_UP = SDL_EVENT_GAMEPAD_BUTTON_UP,
    PV_SDL__PAD_AXIS = SDL_EVENT_GAMEPAD_AXIS_MOTION,
    PV_SDL__PAD_BUTTONS = SDL_GAMEPAD_BUTTON_COUNT,
    PV_SDL__PAD_LEFT = SDL_GAMEPAD_BUTTON_DPAD_LEFT,
    PV_SDL__PAD_RIGHT = SDL_GAMEPAD_BUTTON_DPAD_RIGHT,
    PV_SDL__PAD_UPWARD = SDL_GAMEPAD_BUTTON_DPAD_UP,
    PV_SDL__PAD_DOWNWARD = SDL_GAMEPAD_BUTTON_DPAD_DOWN
};

static inline SDL_Window *pv_sdl__open_window(const char *title, int w, int h) {
    SDL_InitSubSystem(SDL_INIT_GAMEPAD); /* may fail: a game pad is optional */
    return SDL_Init(SDL_INIT_VIDEO) ? SDL_CreateWindow(title, w, h, SDL_WINDOW_RESIZABLE) : NULL;
}

static inline SDL_Renderer *pv_sdl__open_renderer(SDL_Window *window, int w, int h, bool wait) {
    SDL_Renderer *renderer = SDL_CreateRenderer(window, NULL);
    if (!renderer) return NULL;
    if (wait) SDL_SetRenderVSync(renderer, 1);
    SDL_SetRenderLogicalPresentation(renderer, w, h, SDL_LOGICAL_PRESENTATION_LETTERBOX);
    return renderer;
}

static inline int pv_sdl__get_scancode(const SDL_Event *event) { return (int)event->key.scancode; }

static inline void pv_sdl__to_logical(SDL_Renderer *renderer, SDL_Event *event) {
    SDL_ConvertEventToRenderCoordinates(renderer, event);
}

static inline pv_sdl__pad *pv_sdl__open_pad(const SDL_Event *event) {
    return SDL_OpenGamepad(event->gdevice.which);
}

static inline void pv_sdl__close_pad(pv_sdl__pad *pad) { SDL_CloseGamepad(pad); }

static inline int pv_sdl__get_pad_button(const SDL_Event *event) { return event->gbutton.button; }

/// Returns the axis of an event and its value, -1...1.
static inline int pv_sdl__get_pad_axis(const SDL_Event *event, double *value) {
    *value = event->gaxis.value / 32767.0;
    return event->gaxis.axis;
}

/// Copies the path of the program's directory, with a separator at its end.
static inline void pv_sdl__get_base(char *path, size_t size) {
    const char *base = SDL_GetBasePath();
    SDL_strlcpy(path, base ? base : "", size);
}

#else

typedef SDL_GameController pv_sdl__pad;

enum {
    PV_SDL__SCANCODES = SDL_NUM_SCANCODES,
    PV_SDL__QUIT = SDL_QUIT,
    PV_SDL__KEY_DOWN = SDL_KEYDOWN,
    PV_SDL__KEY_UP = SDL_KEYUP,
    PV_SDL__MOUSE_DOWN = SDL_MOUSEBUTTONDOWN,
    PV_SDL__MOUSE_UP = SDL_MOUSEBUTTONUP,
    PV_SDL__MOUSE_MOTION = SDL_MOUSEMOTION,
    PV_SDL__PAD_ADDED = SDL_CONTROLLERDEVICEADDED,
    PV_SDL__PAD_DOWN = SDL_CONTROLLERBUTTONDOWN,
    PV_SDL__PAD_UP = SDL_CONTROLLERBUTTONUP,
    PV_SDL__PAD_AXIS = SDL_CONTROLLERAXISMOTION,
    PV_SDL__PAD_BUTTONS = SDL_CONTROLLER_BUTTON_MAX,
    PV_SDL__PAD_LEFT = SDL_CONTROLLER_BUTTON_DPAD_LEFT,
    PV_SDL__PAD_RIGHT = SDL_CONTROLLER_BUTTON_DPAD_RIGHT,
    PV_SDL__PAD_UPWARD = SDL_CONTROLLER_BUTTON_DPAD_UP,
    PV_SDL__PAD_DOWNWARD = SDL_CONTROLLER_BUTTON_DPAD_DOWN
};

static inline SDL_Window *pv_sdl__open_window(const char *title, int w, int h) {
    SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER); /* may fail: a game pad is optional */
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return NULL;
    return SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, w, h,
                            SDL_WINDOW_RESIZABLE);
}

static inline SDL_Renderer *pv_sdl__open_renderer(SDL_Window *window, int w, int h, bool wait) {
    SDL_Renderer *renderer =
        SDL_CreateRenderer(window, -1, wait ? (Uint32)SDL_RENDERER_PRESENTVSYNC : 0);
    if (renderer) SDL_RenderSetLogicalSize(renderer, w, h);
    return renderer;
}

static inline int pv_sdl__get_scancode(const SDL_Event *event) {
    return (int)event->key.keysym.scancode;
}

/// Does nothing: SDL 2 has already converted the event.
static inline void pv_sdl__to_logical(SDL_Renderer *renderer, SDL_Event *event) {
    (void)renderer;
    (void)event;
}

static inline pv_sdl__pad *pv_sdl__open_pad(const SDL_Event *event) {
    return SDL_GameControllerOpen(event->cdevice.which);
}

static inline void pv_sdl__close_pad(pv_sdl__pad *pad) { SDL_GameControllerClose(pad); }

static inline int pv_sdl__get_pad_button(const SDL_Event *event) { return event->cbutton.button; }

/// Returns the axis of an event and its value, -1...1.
static inline int pv_sdl__get_pad_axis(const SDL_Event *event, double *value) {
    *value = event->caxis.value / 32767.0;
    return event->caxis.axis;
}

/// Copies the path of the program's directory, with a separator at its end.
static inline void pv_sdl__get_base(char *path, size_t size) {
    char *base = SDL_GetBasePath();
    SDL_strlcpy(path, base ? base : "", size);
    SDL_free(base);
}

#endif

/** @defgroup sdl_game Game
 *  A window, sprites, keys and fixed steps. Leave it out if the game has its own; nothing in
 *  pixverlet/sdl.h needs it. @{ */

/// Keys for buttons of the mouse and of a game pad; all other keys are an SDL_Scancode
enum {
    PV_SDL_MOUSE_LEFT = PV_SDL__SCANCODES,
    PV_SDL_MOUSE_RIGHT,
    PV_SDL_MOUSE_MIDDLE,
    /// Buttons of the game pad at the bottom, right, left and top of its right side
    PV_SDL_PAD_A,
    PV_SDL_PAD_B,
    PV_SDL_PAD_X,
    PV_SDL_PAD_Y,
    /// Number of keys, not a key itself
    PV_SDL_KEYS = PV_SDL_PAD_A + PV_SDL__PAD_BUTTONS
};

/// A sprite of a game
typedef struct pv_sdl__asset {
    pv_sdl_sprite *sprite;
    char *missing; /* path of a file that is not there, or null */
} pv_sdl__asset;

/// Window with keys, a clock and sprites; pv_sdl_game_create() opens one
typedef struct pv_sdl_game {
    /* settings, which the game may change at any time */
    /// Camera
    pv_sdl_camera camera;
    /// Clock; its step is 1/60 by default [s]
    pv_clock clock;
    /// Background color
    pv_color background;
    /// Color of text
    pv_color text_color;
    /// Size of a pixel of the font; default 2 [px]
    int text_scale;
    /// True if pv_sdl_game_draw() draws collision data, too; F1 toggles it
    bool show_debug;
    /// True to end the game before the next frame; Escape and the window's close button set it
    bool quit;

    /* read-only data */
    /// Window, or null
    SDL_Window *window;
    /// Scene, which draws the world, or null; its colors may be changed
    pv_sdl_scene *scene;
    /// Number of steps due in this frame
    int step_count;
    /// Number of this frame, from 0
    int frame_index;
    /// Number of frames after which the game ends; 0: no limit
    int frame_limit;
    /// Position of the mouse in the world [px]
    pv_vec2 mouse;
    /// Position of the game pad's left stick, -1...1 along each axis
    pv_vec2 stick;
    /// True if a window could not be opened or a picture not be loaded. The log says why, and the
    /// game ends
    bool failed;

    /// Position of the mouse in the window [px]
    pv_vec2 mouse_screen;
    /// Script to play, or null
    const char *script;
    /// Performance counter at the start of the last frame
    Uint64 before;
    /// States of the keys; use pv_sdl_game_is_down() and pv_sdl_game_was_pressed()
    Uint8 keys[PV_SDL_KEYS];
    /// Sprites of the game
    pv_sdl__asset *assets;
    /// Number of these
    int asset_count;
    /// True from the press of F2 until the screenshot is saved
    bool wants_screenshot;
    /// Game pad, or null
    pv_sdl__pad *pad;
} pv_sdl_game;

/// Logs a failure, and ends the game before its next frame.
static inline void pv_sdl__game_fail(pv_sdl_game *game, const char *sentence, const char *what) {
    SDL_LogError(SDL_LOG_CATEGORY_APPLICATION, "%s %s", sentence, what);
    game->failed = game->quit = true;
}

/* ---- scripts: words that press keys and move the mouse ---- */

/// Returns the key that a script calls by a name; 0 if there is none.
static inline int pv_sdl__get_key(const char *name) {
    if (!SDL_strcmp(name, "Mouse")) return PV_SDL_MOUSE_LEFT;
    if (!SDL_strcmp(name, "MouseRight")) return PV_SDL_MOUSE_RIGHT;
    return (int)SDL_GetScancodeFromName(name);
}

/// Presses or releases a key: bit 0 is set while it is down, bit 1 from its press to the next
/// query.
static inline void pv_sdl__set_key(pv_sdl_game *game, int key, bool down) {
    if (key <= 0 || key >= PV_SDL_KEYS) return;
    game->keys[key] = (Uint8)(down ? 3 : game->keys[key] & 2);
    if (!down) return;
    if (key == SDL_SCANCODE_F1) game->show_debug = !game->show_debug;
    if (key == SDL_SCANCODE_F2) game->wants_screenshot = true;
    if (key == SDL_SCANCODE_ESCAPE) game->quit = true;
}

/// Reads a word of a script, and carries it out if it is for this frame.
/// @param game null to check the word only
/// @return its end, or null for an unknown word
static inline const char *pv_sdl__read_word(pv_sdl_game *game, const char *word) {
    char name[32], *sign = NULL, *end = NULL;
    long frame = SDL_strtol(word, &sign, 10);
    size_t length = 0;
    if (sign == word || frame < 0 || !*sign || !SDL_strchr("+-@", *sign)) return NULL;
    while (sign[1 + length] && sign[1 + length] != ' ') length++;
    if (length == 0 || length >= sizeof name) return NULL;
    SDL_strlcpy(name, sign + 1, length + 1);
    bool now = game && frame == game->frame_index;
    if (*sign == '@') {
        pv_vec2 at;
        at.x = SDL_strtod(name, &end);
        if (end == name || *end != ',') return NULL;
        at.y = SDL_strtod(end + 1, &end);
        if (*end) return NULL;
        if (now) game->mouse_screen = at;
    } else {
        int key = pv_sdl__get_key(name);
        if (key == 0) return NULL;
        if (now) pv_sdl__set_key(game, key, *sign == '+');
    }
    return sign + 1 + length;
}

/// Plays the words of a script for this frame.
/// @return null, or the first unknown word
static inline const char *pv_sdl__play(pv_sdl_game *game, const char *script) {
    for (const char *word = script; word && *word;) {
        while (*word == ' ') word++;
        const char *end = *word ? pv_sdl__read_word(game, word) : word;
        if (!end) return word;
        word = end;
    }
    return NULL;
}

/* ---- life ---- */

/// Reads the arguments; false after a failure.
static inline bool pv_sdl__game_read(pv_sdl_game *game, int argc, char **argv) {
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        char *end = NULL;
        if (!SDL_strcmp(argv[i], "--frames")) {
            game->frame_limit = (int)SDL_strtol(value, &end, 10);
            if (!*value || *end || game->frame_limit < 1) {
                pv_sdl__game_fail(game, "--frames takes a number from 1 on, not", value);
                return false;
            }
        } else if (!SDL_strcmp(argv[i], "--play")) {
            game->script = value;
            const char *bad = pv_sdl__play(NULL, value);
            if (bad) pv_sdl__game_fail(game, "--play does not know the word", bad);
            if (bad) return false;
        } else {
            pv_sdl__game_fail(game, "options are --frames N and --play SCRIPT, not", argv[i]);
            return false;
        }
    }
    return true;
}

/// Warns of a game that nobody can see or end: without a display SDL draws offscreen.
static inline void pv_sdl__game_warn_unseen(const pv_sdl_game *game) {
    const char *driver = SDL_GetCurrentVideoDriver();
    if (game->frame_limit > 0 || !driver || SDL_strcmp(driver, "offscreen") != 0) return;
    SDL_LogWarn(SDL_LOG_CATEGORY_APPLICATION,
                "pv_sdl_game_create: no display, the window is not visible; --frames N ends it");
}

/// Opens a resizable window that scales the picture. It accepts these arguments, and fails at any
/// other:
/// --frames N ends after N frames of one step each, as fast as possible, the same in every run; for
/// tests
/// --play SCRIPT plays keys and mouse from words separated by blanks. 10+Space presses a key in
/// frame 10, and 12-Space releases it. Keys are names of SDL_GetScancodeFromName() without blanks.
/// 5@320,200 moves the mouse in the window, and 6+Mouse presses its left button. argv must outlive
/// the game.
/// @return a game for pv_sdl_game_destroy(). After a failure, which is logged, it has failed set
/// and ends at once. Null if memory runs out
static inline pv_sdl_game *pv_sdl_game_create(const char *title, int width, int height, int argc,
                                              char **argv) {
    pv_sdl_game *game = (pv_sdl_game *)SDL_calloc(1, sizeof *game);
    if (!game) return NULL;
    game->clock.step = 1.0 / 60;
    game->clock.max_steps = 4;
    game->background = 0x20283cff;
    game->text_color = 0xffffffff;
    game->text_scale = 2;
    game->camera = pv_sdl_camera_default(NULL);
    if (!pv_sdl__game_read(game, argc, argv)) return game;
    game->window = pv_sdl__open_window(title, width, height);
    if (game->window)
        game->camera.renderer =
            pv_sdl__open_renderer(game->window, width, height, game->frame_limit == 0);
    if (game->camera.renderer) game->scene = pv_sdl_scene_create(game->camera.renderer, NULL);
    if (!game->scene) pv_sdl__game_fail(game, "pv_sdl_game_create: no window:", SDL_GetError());
    if (game->scene) pv_sdl__game_warn_unseen(game);
    game->before = SDL_GetPerformanceCounter();
    return game;
}

/// Closes the window, all sprites and SDL; bodies keep their masks.
/// @return value for main(): 0, or 2 after a failure and for null
static inline int pv_sdl_game_destroy(pv_sdl_game *game) {
    if (!game) return 2;
    int result = game->failed ? 2 : 0;
    for (int i = 0; i < game->asset_count; i++) {
        pv_sdl_sprite_destroy(game->assets[i].sprite);
        SDL_free(game->assets[i].missing);
    }
    SDL_free(game->assets);
    pv_sdl_scene_destroy(game->scene);
    if (game->pad) pv_sdl__close_pad(game->pad);
    if (game->camera.renderer) SDL_DestroyRenderer(game->camera.renderer);
    if (game->window) SDL_DestroyWindow(game->window);
    SDL_free(game);
    SDL_Quit();
    return result;
}

/* ---- sprites and bodies ---- */

/// Returns a small sprite in place of a missing one; the game ends before it is drawn.
static inline pv_sdl_sprite *pv_sdl__make_placeholder(SDL_Renderer *renderer) {
    pv_image *image = pv_image_create(8, 8, NULL, NULL);
    if (!image) return NULL;
    SDL_memset(image->pixels, 255, 8 * 8 * 4);
    return pv_sdl__sprite_of(__func__, renderer, image, NULL);
}

/// Adds a sprite to those of the game. If memory runs out, it destroys the sprite.
static inline pv_sdl_sprite *pv_sdl__game_keep(pv_sdl_game *game, pv_sdl_sprite *sprite,
                                               const char *missing) {
    size_t count = (size_t)game->asset_count;
    if ((count & (count - 1)) == 0) {
        size_t more = count > 0 ? 2 * count : 1;
        void *assets = SDL_realloc(game->assets, more * sizeof *game->assets);
        if (!assets) pv_sdl_sprite_destroy(sprite);
        if (!assets) return NULL;
        game->assets = (pv_sdl__asset *)assets;
    }
    game->assets[count].sprite = sprite;
    game->assets[count].missing = missing ? SDL_strdup(missing) : NULL;
    game->asset_count++;
    return sprite;
}

/// Loads a sprite for the game, from the working directory or beside the program. If it cannot load
/// the file, the game fails, and the log says so once.
/// @return sprite that belongs to the game, a placeholder after a failure; null for a null game and
/// if memory runs out
static inline pv_sdl_sprite *pv_sdl_game_load_sprite(pv_sdl_game *game, const char *path) {
    char beside[1024], sentence[1400];
    pv_error error;
    if (!game) return NULL;
    for (int i = 0; i < game->asset_count; i++)
        if (game->assets[i].missing && !SDL_strcmp(game->assets[i].missing, path))
            return game->assets[i].sprite;
    pv_sdl_sprite *sprite = pv_sdl_sprite_load(game->camera.renderer, path, &error);
    bool absent = !sprite && error.status == PV_ERROR_FILE_OPEN;
    if (absent) {
        pv_sdl__get_base(beside, sizeof beside);
        SDL_strlcat(beside, path, sizeof beside);
        sprite = pv_sdl_sprite_load(game->camera.renderer, beside, &error);
        absent = !sprite && error.status == PV_ERROR_FILE_OPEN;
    }
    if (sprite) return pv_sdl__game_keep(game, sprite, NULL);
    if (absent)
        SDL_snprintf(sentence, sizeof sentence, "cannot open %s, nor %s", path, beside);
    else
        SDL_strlcpy(sentence, error.message, sizeof sentence);
    pv_sdl__game_fail(game, "pv_sdl_game_load_sprite:", sentence);
    return pv_sdl__game_keep(game, pv_sdl__make_placeholder(game->camera.renderer), path);
}

/// Creates a sprite for the game from a copy of an image, for example one that the program has
/// drawn. If that fails, the game fails, and the log says so.
/// @return sprite that belongs to the game; null after a failure and for a null game
static inline pv_sdl_sprite *pv_sdl_game_add_image(pv_sdl_game *game, const pv_image *image) {
    pv_error error;
    if (!game) return NULL;
    pv_sdl_sprite *sprite = pv_sdl_sprite_from_image(game->camera.renderer, image, &error);
    if (sprite) return pv_sdl__game_keep(game, sprite, NULL);
    pv_sdl__game_fail(game, "pv_sdl_game_add_image:", error.message);
    return NULL;
}

/// Creates a body with a sprite's mask and the defaults of pv_body_def_default().
/// @return its id, or the null id; the world's report hook gets the reason
static inline pv_body_id pv_sdl_game_add_body(pv_sdl_game *game, pv_world *world,
                                              pv_sdl_sprite *sprite, pv_body_type type, double x,
                                              double y) {
    if (!game || !sprite) return pv_null_body;
    pv_body_def def = pv_sdl_sprite_get_body_def(sprite, type, x, y);
    return pv_body_create(world, &def, NULL);
}

/* ---- a frame ---- */

static inline int pv_sdl__get_mouse_key(int button) {
    return button == SDL_BUTTON_LEFT     ? PV_SDL_MOUSE_LEFT
           : button == SDL_BUTTON_RIGHT  ? PV_SDL_MOUSE_RIGHT
           : button == SDL_BUTTON_MIDDLE ? PV_SDL_MOUSE_MIDDLE
                                         : 0;
}

static inline void pv_sdl__take_pad_event(pv_sdl_game *game, const SDL_Event *event) {
    double value = 0;
    int type = (int)event->type;
    if (type == PV_SDL__PAD_ADDED && !game->pad) game->pad = pv_sdl__open_pad(event);
    if (type == PV_SDL__PAD_DOWN || type == PV_SDL__PAD_UP)
        pv_sdl__set_key(game, PV_SDL_PAD_A + pv_sdl__get_pad_button(event),
                        type == PV_SDL__PAD_DOWN);
    if (type != PV_SDL__PAD_AXIS) return;
    int axis = pv_sdl__get_pad_axis(event, &value);
    if (SDL_fabs(value) < 0.2) value = 0; /* a stick at rest is not quite in the middle */
    if (axis == 0) game->stick.x = value;
    if (axis == 1) game->stick.y = value;
}

static inline void pv_sdl__take_event(pv_sdl_game *game, SDL_Event *event) {
    pv_sdl__to_logical(game->camera.renderer, event);
    switch ((int)event->type) {
    case PV_SDL__QUIT: game->quit = true; break;
    case PV_SDL__KEY_DOWN:
    case PV_SDL__KEY_UP:
        if (!event->key.repeat)
            pv_sdl__set_key(game, pv_sdl__get_scancode(event),
                            (int)event->type == PV_SDL__KEY_DOWN);
        break;
    case PV_SDL__MOUSE_DOWN:
    case PV_SDL__MOUSE_UP:
        game->mouse_screen.x = event->button.x;
        game->mouse_screen.y = event->button.y;
        pv_sdl__set_key(game, pv_sdl__get_mouse_key(event->button.button),
                        (int)event->type == PV_SDL__MOUSE_DOWN);
        break;
    case PV_SDL__MOUSE_MOTION:
        game->mouse_screen.x = event->motion.x;
        game->mouse_screen.y = event->motion.y;
        break;
    default: pv_sdl__take_pad_event(game, event);
    }
}

/// Returns the number of steps for the time since the last frame: exactly one if the screen's rate
/// is close to that of the steps.
static inline int pv_sdl__get_due(pv_sdl_game *game) {
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

/// Begins a frame: reads keys, mouse and game pad, and sets game->step_count to the number of steps
/// due.
/// @return false if the game ends
static inline bool pv_sdl_game_frame(pv_sdl_game *game) {
    SDL_Event event;
    if (!game || game->failed) return false;
    if (game->step_count > 0)
        for (int i = 0; i < PV_SDL_KEYS; i++) game->keys[i] &= 1;
    while (SDL_PollEvent(&event)) pv_sdl__take_event(game, &event);
    pv_sdl__play(game, game->script);
    game->mouse = pv_sdl_camera_to_world(&game->camera, game->mouse_screen);
    game->step_count = pv_sdl__get_due(game);
    return !game->quit && !(game->frame_limit > 0 && game->frame_index >= game->frame_limit);
}

/// Tells whether a key, or a button of the mouse or game pad, is down.
/// @param key an SDL_Scancode, PV_SDL_MOUSE_ or PV_SDL_PAD_
static inline bool pv_sdl_game_is_down(const pv_sdl_game *game, int key) {
    return game && key > 0 && key < PV_SDL_KEYS && (game->keys[key] & 1);
}

/// Tells whether a key was pressed; only the first call after each press returns true. A press that
/// no step of its frame asks for is forgotten.
static inline bool pv_sdl_game_was_pressed(pv_sdl_game *game, int key) {
    bool pressed = game && key > 0 && key < PV_SDL_KEYS && (game->keys[key] & 2);
    if (pressed) game->keys[key] &= 1;
    return pressed;
}

/// Returns -1 if only the key `less` is down, 1 if only `more` is, and otherwise 0. Left with right
/// and up with down also read the game pad's cross and left stick, which gives all of -1...1.
static inline double pv_sdl_game_get_axis(const pv_sdl_game *game, int less, int more) {
    if (!game) return 0;
    bool across = less == SDL_SCANCODE_LEFT && more == SDL_SCANCODE_RIGHT;
    bool down = less == SDL_SCANCODE_UP && more == SDL_SCANCODE_DOWN;
    int low = (int)PV_SDL_PAD_A + (int)(across ? PV_SDL__PAD_LEFT : PV_SDL__PAD_UPWARD);
    int high = (int)PV_SDL_PAD_A + (int)(across ? PV_SDL__PAD_RIGHT : PV_SDL__PAD_DOWNWARD);
    bool pad = across || down;
    int keys = (pv_sdl_game_is_down(game, more) || (pad && pv_sdl_game_is_down(game, high))) -
               (pv_sdl_game_is_down(game, less) || (pad && pv_sdl_game_is_down(game, low)));
    double stick = across ? game->stick.x : down ? game->stick.y : 0;
    return keys != 0 ? keys : stick;
}

/// Advances a world by one step of the clock, and tells the scene what was carved.
/// @return as pv_world_step(); PV_ERROR_ARGUMENT for a null game
static inline pv_status pv_sdl_game_step(pv_sdl_game *game, pv_world *world) {
    if (!game) return PV_ERROR_ARGUMENT;
    pv_status status = pv_world_step(world, game->clock.step);
    if (game->scene) pv_sdl_scene_update(game->scene, world);
    return status;
}

/// Clears the window and draws the whole world, as pv_sdl_scene_draw() does. With game->show_debug
/// it also draws masks, contours, contacts, joints and particles.
static inline void pv_sdl_game_draw(pv_sdl_game *game, const pv_world *world) {
    if (!game || !game->scene) return;
    pv_sdl__set_color(game->camera.renderer, game->background);
    SDL_RenderClear(game->camera.renderer);
    pv_sdl_scene_draw(game->scene, &game->camera, world);
    if (game->show_debug)
        pv_sdl_draw_debug(&game->camera, world,
                          PV_DEBUG_ALL & ~(PV_DEBUG_ISLANDS | PV_DEBUG_BOUNDS));
}

#if defined(__GNUC__) || defined(__clang__)
static inline void pv_sdl_game_draw_text(pv_sdl_game *game, double x, double y, const char *format,
                                         ...) __attribute__((format(printf, 4, 5)));
#endif

/// Draws text with the game's text_color and text_scale; the format is printf's.
/// @param x,y upper left corner in the window [px]
static inline void pv_sdl_game_draw_text(pv_sdl_game *game, double x, double y, const char *format,
                                         ...) {
    char text[512];
    va_list values;
    if (!game || !game->scene) return;
    va_start(values, format);
    SDL_vsnprintf(text, sizeof text, format, values);
    va_end(values);
    pv_sdl_draw_text(game->camera.renderer, x, y, game->text_scale, game->text_color, text);
}

/// Ends a frame and shows its picture. After F2 it saves the picture as screenshot_FRAME.png in the
/// working directory.
static inline void pv_sdl_game_present(pv_sdl_game *game) {
    char path[64];
    if (!game || !game->scene) return;
    if (game->wants_screenshot) {
        SDL_snprintf(path, sizeof path, "screenshot_%d.png", game->frame_index);
        pv_status status = pv_sdl_save_screenshot(game->camera.renderer, path);
        SDL_Log("%s: %s", path, status == PV_OK ? "saved" : pv_status_to_string(status));
        game->wants_screenshot = false;
    }
    SDL_RenderPresent(game->camera.renderer);
    game->frame_index++;
}

/** @} */

#endif
