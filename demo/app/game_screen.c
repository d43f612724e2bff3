/* game_screen.c - drives the game with keys, the game pad and the clock, and plays its sounds.
 *
 * Invariant: every mode can be left with the keys that it names.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/game_screen.h"

#include "app/window.h"
#include "draw/view.h"
#include "game/game.h"
#include "platform/complain.h"
#include "stage/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_STEPS = 4, STICK = 12000 };
/// Time after a play in which keys are ignored, as they were meant for the ship [s]
static const double patience = .8;

static struct game_screen *game_screen_of(struct screen *screen) {
    return (struct game_screen *)screen;
}

/* Plays */

/// Returns the number of the current day, which is the seed of its rocks.
static uint64_t today(void) { return (uint64_t)time(NULL) / 86400; }

/// Reads the best plays: those of today's rocks, or of all others.
static void find_scores(struct game_screen *screen) {
    char *directory = SDL_GetPrefPath("pixverlet", "rubble"), file[32] = "scores";
    size_t size = sizeof screen->path;
    if (screen->daily) snprintf(file, sizeof file, "day-%lu", (unsigned long)today());
    if (!directory || (size_t)snprintf(screen->path, size, "%s%s", directory, file) >= size)
        screen->path[0] = '\0';
    SDL_free(directory);
    screen->scores = (struct scores){0};
    if (screen->path[0] && !scores_read(&screen->scores, screen->path))
        complain(screen->path, "cannot be read");
}

/// Writes the state of the game into the window's title, also for players who do not see the
/// picture.
static void write_title(struct game_screen *screen) {
    static const char *const titles[] = {"Rubble", "Rubble: wave", "Rubble: paused",
                                         "Rubble: your name", "Rubble: game over"};
    char title[32];
    snprintf(title, sizeof title, "%s", titles[screen->mode]);
    if (screen->mode == MODE_PLAY)
        snprintf(title, sizeof title, "Rubble: wave %d", game_of(screen->stage)->wave);
    if (screen->screen.window) window_set_title(screen->screen.window, title);
}

/// Keeps input methods out of the way, except while a name is typed.
static void listen(const struct game_screen *screen) {
    if (screen->mode == MODE_NAME)
        SDL_StartTextInput();
    else
        SDL_StopTextInput();
}

static void go_to(struct game_screen *screen, enum game_mode mode) {
    screen->mode = mode;
    SDL_ShowCursor(mode == MODE_PLAY ? SDL_DISABLE : SDL_ENABLE);
    listen(screen);
    screen->mode_age = 0;
    write_title(screen);
    sounds_pause(screen->sounds, mode == MODE_PAUSE);
    sounds_play(screen->sounds, SOUND_PICK, .6, 0);
}

/// Starts a new stage, so that nothing is left of the last play.
static bool set_up(struct game_screen *screen) {
    if (!screen->fixed) screen->seed = screen->seed * 6364136223846793005u + (uint64_t)time(NULL);
    struct stage *stage = scene_start(scene_find("game"), screen->daily ? today() : screen->seed);
    pv_status status = stage ? stage_set_workers(stage, screen->workers) : PV_OK;
    if (status != PV_OK) stage_fail(stage, "workers", status);
    if (stage_error(stage)) {
        fprintf(stderr, "pixverlet-demo: %s\n", stage_error(stage));
        stage_destroy(stage);
        return false;
    }
    stage_destroy(screen->stage);
    motion_free(&screen->motion);
    screen->stage = stage;
    screen->clock = (pv_clock){SCENE_STEP, MOST_STEPS, 0};
    screen->hold = screen->slow = 0;
    for (int i = 0; i < POPUPS; i++) screen->popups[i].age = 1e9;
    return true;
}

static void begin(struct game_screen *screen) {
    if (!set_up(screen)) return;
    game_begin(screen->stage, GAME_PLAY);
    highlight_begin(&screen->highlight);
    screen->place = -1;
    go_to(screen, MODE_PLAY);
}

static void begin_day(struct game_screen *screen) {
    screen->daily = true;
    find_scores(screen);
    begin(screen);
}

static void go_home(struct game_screen *screen) {
    screen->daily = false;
    find_scores(screen);
    if (set_up(screen)) go_to(screen, MODE_TITLE);
}

static void end(struct game_screen *screen) {
    const struct game *game = game_of(screen->stage);
    screen->place = scores_place(&screen->scores, game->score);
    screen->untouched = true;
    go_to(screen, screen->place >= 0 ? MODE_NAME : MODE_OVER);
    sounds_play(screen->sounds, SOUND_OVER, 1, 0);
}

static void enter_name(struct game_screen *screen) {
    const struct game *game = game_of(screen->stage);
    scores_add(&screen->scores, screen->name, game->score, game->wave);
    if (screen->path[0] && !scores_write(&screen->scores, screen->path))
        feel_say(screen, "the score could not be kept");
    go_to(screen, MODE_OVER);
}

/* Keys */

static void type(struct game_screen *screen, const char *text) {
    size_t length = screen->untouched ? 0 : strlen(screen->name);
    screen->untouched = false;
    for (; *text && length < SCORES_NAME; text++) {
        char c = *text;
        if (scores_allow(&c)) screen->name[length++] = c;
    }
    screen->name[length] = '\0';
}

static void press_name(struct game_screen *screen, SDL_Keycode key) {
    size_t length = strlen(screen->name);
    if (screen->mode_age < patience) return;
    if (key == SDLK_RETURN || key == SDLK_KP_ENTER || key == SDLK_ESCAPE) enter_name(screen);
    if (key != SDLK_BACKSPACE || length == 0) return;
    screen->name[length - 1] = '\0';
    screen->untouched = false;
}

static void press_title(struct game_screen *screen, SDL_Keycode key) {
    switch (key) {
    case SDLK_RETURN:
    case SDLK_KP_ENTER:
    case SDLK_SPACE: begin(screen); break;
    case SDLK_d: begin_day(screen); break;
    case SDLK_v: window_turn(screen->screen.window); break;
    case SDLK_q:
    case SDLK_ESCAPE: window_quit(screen->screen.window); break;
    default: break;
    }
}

/// Writes a clip as a GIF.
static void save_clip(struct game_screen *screen, const struct clip *clip) {
    bool begun = recorder_save(&screen->highlight.recorder, clip);
    feel_say(screen, begun ? "writing a GIF" : "no GIF can be written now");
}

static void press_over(struct game_screen *screen, SDL_Keycode key) {
    if (screen->mode_age < patience) return;
    if (key == SDLK_g) save_clip(screen, &screen->highlight.best);
    if (key == SDLK_RETURN || key == SDLK_KP_ENTER || key == SDLK_SPACE || key == SDLK_r)
        begin(screen);
    if (key == SDLK_ESCAPE) go_home(screen);
}

static void press_play(struct game_screen *screen, SDL_Keycode key) {
    if (key == SDLK_p || key == SDLK_ESCAPE) go_to(screen, MODE_PAUSE);
    if (key == SDLK_r) begin(screen);
}

static void press_pause(struct game_screen *screen, SDL_Keycode key) {
    if (key == SDLK_p || key == SDLK_RETURN || key == SDLK_KP_ENTER || key == SDLK_ESCAPE)
        go_to(screen, MODE_PLAY);
    if (key == SDLK_r) begin(screen);
    if (key == SDLK_q) end(screen);
}

static void toggle_mute(struct game_screen *screen) {
    screen->mute = !screen->mute;
    sounds_mute(screen->sounds, screen->mute);
    feel_say(screen, screen->mute ? "sound off" : "sound on");
}

static void press(struct game_screen *screen, SDL_Keycode key) {
    static void (*const presses[])(struct game_screen *, SDL_Keycode) = {
        press_title, press_play, press_pause, press_name, press_over};
    if (key == SDLK_F11 || (key == SDLK_f && screen->mode != MODE_NAME))
        window_toggle_fullscreen(screen->screen.window);
    else if (key == SDLK_m && screen->mode != MODE_NAME)
        toggle_mute(screen);
    else if (key == SDLK_F3)
        save_clip(screen, &screen->highlight.recorder.clip);
    else
        presses[screen->mode](screen, key);
}

/// Returns the key that a button stands for. A game pad cannot edit the name, only accept it.
static SDL_Keycode key_of(Uint8 button) {
    switch (button) {
    case SDL_CONTROLLER_BUTTON_A:
    case SDL_CONTROLLER_BUTTON_START: return SDLK_RETURN;
    case SDL_CONTROLLER_BUTTON_B:
    case SDL_CONTROLLER_BUTTON_BACK: return SDLK_ESCAPE;
    case SDL_CONTROLLER_BUTTON_Y: return SDLK_v;
    default: return SDLK_UNKNOWN;
    }
}

static void press_button(struct game_screen *screen, Uint8 button) {
    if (screen->mode != MODE_PLAY)
        press(screen, key_of(button));
    else if (button == SDL_CONTROLLER_BUTTON_START || button == SDL_CONTROLLER_BUTTON_BACK)
        go_to(screen, MODE_PAUSE);
}

/// Pauses a play when the window loses the focus.
static void on_window(struct game_screen *screen, Uint8 what) {
    if (what == SDL_WINDOWEVENT_FOCUS_LOST && screen->mode == MODE_PLAY) go_to(screen, MODE_PAUSE);
}

static void hear(struct screen *base, const SDL_Event *event) {
    struct game_screen *screen = game_screen_of(base);
    switch (event->type) {
    case SDL_KEYDOWN:
        if (!event->key.repeat || screen->mode == MODE_NAME) press(screen, event->key.keysym.sym);
        break;
    case SDL_TEXTINPUT:
        if (screen->mode == MODE_NAME && screen->mode_age >= patience)
            type(screen, event->text.text);
        break;
    case SDL_WINDOWEVENT: on_window(screen, event->window.event); break;
    case SDL_CONTROLLERBUTTONDOWN: press_button(screen, event->cbutton.button); break;
    case SDL_CONTROLLERDEVICEADDED:
        if (!screen->pad) screen->pad = SDL_GameControllerOpen(event->cdevice.which);
        break;
    case SDL_CONTROLLERDEVICEREMOVED:
        if (screen->pad && !SDL_GameControllerGetAttached(screen->pad)) {
            SDL_GameControllerClose(screen->pad);
            screen->pad = NULL;
        }
        break;
    default: break;
    }
}

static unsigned held_keys(void) {
    const Uint8 *held = SDL_GetKeyboardState(NULL);
    unsigned keys = 0;
    if (held[SDL_SCANCODE_LEFT] || held[SDL_SCANCODE_A]) keys |= GAME_LEFT;
    if (held[SDL_SCANCODE_RIGHT] || held[SDL_SCANCODE_D]) keys |= GAME_RIGHT;
    if (held[SDL_SCANCODE_UP] || held[SDL_SCANCODE_W]) keys |= GAME_THRUST;
    if (held[SDL_SCANCODE_LSHIFT] || held[SDL_SCANCODE_RSHIFT] || held[SDL_SCANCODE_DOWN] ||
        held[SDL_SCANCODE_S])
        keys |= GAME_TOOL;
    if (held[SDL_SCANCODE_SPACE] || held[SDL_SCANCODE_RCTRL]) keys |= GAME_FIRE;
    return keys;
}

static unsigned held_buttons(SDL_GameController *pad) {
    unsigned keys = 0;
    if (!pad) return 0;
    Sint16 x = SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_LEFTX);
    if (x < -STICK || SDL_GameControllerGetButton(pad, SDL_CONTROLLER_BUTTON_DPAD_LEFT))
        keys |= GAME_LEFT;
    if (x > STICK || SDL_GameControllerGetButton(pad, SDL_CONTROLLER_BUTTON_DPAD_RIGHT))
        keys |= GAME_RIGHT;
    if (SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERRIGHT) > STICK ||
        SDL_GameControllerGetButton(pad, SDL_CONTROLLER_BUTTON_DPAD_UP) ||
        SDL_GameControllerGetButton(pad, SDL_CONTROLLER_BUTTON_B))
        keys |= GAME_THRUST;
    if (SDL_GameControllerGetButton(pad, SDL_CONTROLLER_BUTTON_A)) keys |= GAME_FIRE;
    if (SDL_GameControllerGetButton(pad, SDL_CONTROLLER_BUTTON_X)) keys |= GAME_TOOL;
    return keys;
}

/* Time */

/// Notes in the highlight which parts came off.
static void note_splits(struct game_screen *screen) {
    const pv_world *world = screen->stage->world;
    pv_events events = pv_world_get_events(world);
    for (int i = 0; i < events.split_count; i++)
        if (pv_body_is_valid(world, events.splits[i].child))
            highlight_split(&screen->highlight,
                            pv_mask_count_pixels(pv_body_get_mask(world, events.splits[i].child)));
}

/// Says that a GIF was written, or could not be.
static void say_written(struct game_screen *screen) {
    char text[64];
    bool written = false;
    const char *path = recorder_finished(&screen->highlight.recorder, &written);
    if (!path) return;
    snprintf(text, sizeof text, written ? "saved %s" : "%s: cannot be written", path);
    feel_say(screen, text);
}

static void step(struct game_screen *screen) {
    struct game *game = game_of(screen->stage);
    game->keys = screen->mode == MODE_PLAY ? held_keys() | held_buttons(screen->pad) : 0;
    motion_record(&screen->motion, screen->stage->world);
    scene_update(scene_find("game"), screen->stage);
    pv_world_step(screen->stage->world, SCENE_STEP);
    stage_follow(screen->stage);
    if (screen->mode != MODE_PLAY) return;
    note_splits(screen);
    feel_answer(screen);
    if (game->events & GAME_WAVE) write_title(screen);
    if (game->phase == GAME_OVER) end(screen);
}

static void advance(struct screen *base, double elapsed) {
    struct game_screen *screen = game_screen_of(base);
    screen->mode_age += elapsed;
    screen->message_age += elapsed;
    say_written(screen);
    if (screen->mode == MODE_PAUSE) return;
    screen->seen_for += elapsed;
    elapsed = feel_pass(screen, elapsed);
    for (int due = pv_clock_advance(&screen->clock, elapsed); due > 0 && screen->hold <= 0; due--)
        step(screen);
    bool burns = screen->mode == MODE_PLAY && game_of(screen->stage)->burns;
    sounds_loop(screen->sounds, SOUND_THRUST, burns ? .9 : 0);
}

/* Drawing */

/// Excess over a whole scale that is ignored, and least zoom of a canvas with enlarged pixels
static const double whole_enough = .04, fine = 1.5;

/// Returns the canvas size that fills the window as far as its shape allows. At a whole scale it is
/// the view's own size. At other scales its pixels are finer, so that all edges stay sharp.
static SDL_Point fit(struct screen *base, SDL_Point window) {
    (void)base;
    double x = (double)window.x / GAME_WIDTH, y = (double)window.y / GAME_HEIGHT,
           scale = x < y ? x : y;
    if (scale - (int)scale < whole_enough && scale >= 1)
        return (SDL_Point){GAME_WIDTH, GAME_HEIGHT};
    int factor = scale >= 2 * fine ? (int)(scale / fine) : 1;
    return (SDL_Point){(int)(GAME_WIDTH * scale / factor), (int)(GAME_HEIGHT * scale / factor)};
}

static struct view shaken_view(const struct game_screen *screen, const pv_canvas *canvas) {
    const struct effects *effects = &game_of(screen->stage)->effects;
    struct view view = {.camera = {{GAME_WIDTH / 2.0, GAME_HEIGHT / 2.0}, 1},
                        .motion = &screen->motion};
    view.camera.zoom = (double)canvas->width / GAME_WIDTH;
    view.camera.center.x += effects->offset.x;
    view.camera.center.y += effects->offset.y;
    view.fraction = screen->clock.accumulator / screen->clock.step;
    return view;
}

static void draw(struct screen *base, const pv_canvas *canvas) {
    struct game_screen *screen = game_screen_of(base);
    struct view view = shaken_view(screen, canvas);
    view_draw(canvas, screen->stage, &view);
    struct lens lens = {canvas, screen->stage, &view};
    game_paint(screen, &lens);
    highlight_see(&screen->highlight, canvas, screen->seen_for);
    screen->seen_for = 0;
}

static void write_words(struct screen *base, struct hud *hud, SDL_Rect shown) {
    game_write(game_screen_of(base), hud, shown);
}

/* Opening and closing */

static void enter(struct screen *base) {
    struct game_screen *screen = game_screen_of(base);
    write_title(screen);
    /* Without this SDL reports no game pad. */
    SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER);
    listen(screen);
    if (!screen->sounds) screen->sounds = sounds_open();
    sounds_mute(screen->sounds, screen->mute);
}

static void leave(struct screen *base) {
    struct game_screen *screen = game_screen_of(base);
    SDL_StopTextInput();
    SDL_ShowCursor(SDL_ENABLE);
    if (screen->mode == MODE_PLAY) go_to(screen, MODE_PAUSE);
    sounds_loop(screen->sounds, SOUND_THRUST, 0);
    sounds_mute(screen->sounds, true);
}

static void help(struct screen *base) {
    (void)base;
    game_print_help();
}

int game_screen_open(struct game_screen *screen, const uint64_t *seed, int workers) {
    static const struct screen_kind kind = {enter, leave, hear,        advance,
                                            fit,   draw,  write_words, help};
    *screen = (struct game_screen){
        .screen = {.kind = &kind}, .fixed = seed != NULL, .message_age = 1e9, .place = -1};
    screen->seed = seed ? *seed : 1;
    screen->workers = workers;
    strcpy(screen->name, "PLAYER");
    find_scores(screen);
    return set_up(screen) ? EXIT_SUCCESS : EXIT_COMPLAINT;
}

/// Closes the game. The game pad is closed with SDL.
void game_screen_close(struct game_screen *screen) {
    sounds_close(screen->sounds);
    stage_destroy(screen->stage);
    motion_free(&screen->motion);
    highlight_close(&screen->highlight);
}
