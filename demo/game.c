/* game.c - commands of the player, equal steps, and the camera's movement.
 *
 * Invariant: the world only moves on in step(), by SCENE_STEP.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "game.h"

#include "complain.h"
#include "stopwatch.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 4 /* a frame */
#define GRIP_COLOUR 0xffffffc0u

static const double patience = .012; // with the steps of a frame: better a slow game than a stiff one [s]
static const double slow_motion = .15;
static const double push_acceleration = 900; // [px/s^2]
static const double hand_reach = 24;         // of the hand for particles, on the canvas [px]
static const double zoom_speed = 16;         // [1/s]
static const double zoom_least = .2, zoom_most = 24;
static const double message_length = 3; // [s]
static const double smoothing = .05;    // share of a new measurement

void game_say(struct game *game, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(game->message, sizeof game->message, format, arguments);
    va_end(arguments);
    game->message_left = message_length;
}

/// Puts a file's sprite, or tells the player what is wrong with it.
static pv_status put_file(struct game *game, const char *path, pv_vec2 point) {
    pv_status status = PV_OK;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    pv_body body = stage_add_file(game->stage, path, point, &status);
    if (status != PV_OK)
        game_say(game, "%s: %s", name, pv_status_string(status));
    else if (!stage_is_body(body))
        game_say(game, "no room for %s", name);
    return status;
}

static pv_vec2 entrance(const struct game *game, int number) {
    const pv_box *view = &game->stage->view;
    double width = view->max.x - view->min.x, height = view->max.y - view->min.y;
    return (pv_vec2){view->min.x + width * (.5 + .15 * (number % 5 - 2)), view->min.y + height * .25};
}

/// Tells the scene what the window shows when it shows the whole view.
static void tell_size(struct game *game) {
    struct camera camera = camera_fit(game->stage->view, game->width, game->height);
    pv_vec2 end = {game->width, game->height};
    pv_box seen = {camera_to_world(&camera, game->width, game->height, (pv_vec2){0, 0}),
                   camera_to_world(&camera, game->width, game->height, end)};
    if (game->shown && game->stage->hooks.resize) game->stage->hooks.resize(game->stage, seen);
}

/// Makes stage the one that is played.
static void enter(struct game *game, const struct scene *scene, struct stage *stage) {
    bool same = game->scene == scene;
    stage_destroy(game->stage);
    motion_free(&game->motion);
    game->scene = scene;
    game->stage = stage;
    game->hand = (struct hand){0};
    game->taken = game->digging = false;
    game->clock = (pv_clock){SCENE_STEP, MAX_STEPS, 0};
    game->step_seconds = 0;
    for (int i = 0; i < game->file_count; i++) put_file(game, game->files[i], entrance(game, i));
    if (!same) game_fit(game);
    tell_size(game);
}

static void start(struct game *game, const struct scene *scene) {
    struct stage *stage = scene_start(scene, game->seed);
    if (!stage_error(stage)) {
        enter(game, scene, stage);
        return;
    }
    game_say(game, "%s", stage_error(stage));
    stage_destroy(stage);
}

static bool keep_file(struct game *game, const char *path) {
    if (game->file_count == GAME_MAX_FILES) return false;
    char *copy = strdup(path);
    if (!copy) return false;
    game->files[game->file_count++] = copy;
    return true;
}

int game_open(struct game *game, const struct scene *scene, uint64_t seed, char *const *files, int file_count) {
    *game = (struct game){.seed = seed, .width = 1, .height = 1};
    struct stage *stage = scene_start(scene, seed);
    if (stage_error(stage)) {
        fprintf(stderr, "pixverlet-demo: %s\n", stage_error(stage));
        stage_destroy(stage);
        return EXIT_COMPLAINT;
    }
    enter(game, scene, stage);
    for (int i = 0; i < file_count; i++) {
        pv_status status = put_file(game, files[i], entrance(game, i));
        if (status != PV_OK) return complain(files[i], pv_status_string(status));
        keep_file(game, files[i]);
    }
    return EXIT_SUCCESS;
}

void game_close(struct game *game) {
    stage_destroy(game->stage);
    motion_free(&game->motion);
    for (int i = 0; i < game->file_count; i++) free(game->files[i]);
    *game = (struct game){0};
}

void game_resize(struct game *game, int width, int height) {
    game->shown = true;
    game->width = width;
    game->height = height;
    if (game->fitted) game_fit(game);
    tell_size(game);
}

static void push_bodies(pv_world *world, pv_vec2 a) {
    pv_body body = pv_world_next_body(world, (pv_body){0});
    for (; stage_is_body(body); body = pv_world_next_body(world, body)) {
        double mass = pv_body_mass(world, body);
        if (pv_body_get_type(world, body) != PV_BODY_DYNAMIC) continue;
        pv_body_apply_force(world, body, (pv_vec2){mass * a.x, mass * a.y});
    }
}

static void push_particles(pv_world *world, pv_vec2 a) {
    pv_particle particle = pv_world_next_particle(world, (pv_particle){0});
    for (; stage_is_particle(particle); particle = pv_world_next_particle(world, particle)) {
        double mass = pv_particle_mass(world, particle);
        if (mass > 0) pv_particle_apply_force(world, particle, (pv_vec2){mass * a.x, mass * a.y});
    }
}

static int held(const struct game *game, unsigned arrow) { return (game->arrows & arrow) != 0; }

/// The arrows push what was held last, or everything.
static void push(struct game *game) {
    pv_world *world = game->stage->world;
    pv_vec2 a = {push_acceleration * (held(game, STAGE_RIGHT) - held(game, STAGE_LEFT)),
                 push_acceleration * (held(game, STAGE_DOWN) - held(game, STAGE_UP))};
    if ((a.x == 0 && a.y == 0) || hand_push(&game->hand, world, a)) return;
    push_bodies(world, a);
    push_particles(world, a);
}

static pv_vec2 under_cursor(const struct game *game) {
    return camera_to_world(&game->camera, game->width, game->height, game->cursor);
}

/// From where it dug last to the cursor.
static void dig(struct game *game) {
    pv_vec2 to = under_cursor(game);
    if (!game->digging) return;
    stage_slit(game->stage, STAGE_SOFT, game->dug, to, 2 * game->stage->spade);
    game->dug = to;
}

/// What the player does in a step, where the scene does not do it in its own way.
static void hear(struct game *game) {
    const struct stage_hooks *hooks = &game->stage->hooks;
    if (game->taken && hooks->drag) hooks->drag(game->stage, under_cursor(game));
    hand_pull(&game->hand, game->stage->world, under_cursor(game));
    dig(game);
    if (hooks->keys)
        hooks->keys(game->stage, game->arrows);
    else
        push(game);
}

static void step(struct game *game) {
    motion_record(&game->motion, game->stage->world);
    scene_update(game->scene, game->stage);
    hear(game);
    double before = stopwatch_seconds();
    pv_world_step(game->stage->world, SCENE_STEP);
    game->step_seconds += (stopwatch_seconds() - before - game->step_seconds) * smoothing;
    stage_follow(game->stage);
    stage_tidy(game->stage);
}

/// Moves the zoom a part of the way to where it is wanted.
static void ease_zoom(struct game *game, double elapsed) {
    if (game->camera.zoom == game->zoom_wanted) return;
    pv_vec2 before = camera_to_world(&game->camera, game->width, game->height, game->zoom_about);
    double part = zoom_speed * elapsed / (1 + zoom_speed * elapsed);
    game->camera.zoom += (game->zoom_wanted - game->camera.zoom) * part;
    double ratio = game->camera.zoom / game->zoom_wanted;
    if (ratio > .999 && ratio < 1.001) game->camera.zoom = game->zoom_wanted;
    pv_vec2 after = camera_to_world(&game->camera, game->width, game->height, game->zoom_about);
    game->camera.centre.x += before.x - after.x;
    game->camera.centre.y += before.y - after.y;
}

void game_advance(struct game *game, double elapsed) {
    ease_zoom(game, elapsed);
    game->message_left -= elapsed;
    if (game->paused) return;
    int due = pv_clock_advance(&game->clock, game->slow ? elapsed * slow_motion : elapsed);
    double begun = stopwatch_seconds();
    for (; due > 0 && stopwatch_seconds() - begun < patience; due--) step(game);
}

static void draw_grip(const struct game *game, const pv_canvas *canvas) {
    if (!hand_holds(&game->hand, game->stage->world)) return;
    pv_vec2 grip = hand_grip(&game->hand, game->stage->world);
    grip = camera_to_screen(&game->camera, game->width, game->height, grip);
    pv_canvas_line(canvas, grip, game->cursor, GRIP_COLOUR);
}

void game_draw(const struct game *game, const pv_canvas *canvas) {
    struct view view = {game->camera, &game->motion, 1, game->debug};
    if (!game->paused) view.fraction = game->clock.rest / game->clock.step;
    view_draw(canvas, game->stage, &view);
    draw_grip(game, canvas);
}

void game_restart(struct game *game) { start(game, game->scene); }

void game_change_scene(struct game *game, int places) {
    int count = 0, here = 0;
    for (; scene_at(count); count++)
        if (scene_at(count) == game->scene) here = count;
    start(game, scene_at((here + places + count) % count));
}

void game_single_step(struct game *game) {
    game->paused = true;
    step(game);
}

void game_spawn(struct game *game) {
    if (!stage_is_body(stage_add_thing(game->stage, under_cursor(game)))) game_say(game, "no room here");
}

void game_add_file(struct game *game, const char *path, pv_vec2 point) {
    game->cursor = point;
    if (put_file(game, path, under_cursor(game)) == PV_OK) keep_file(game, path);
}

void game_seize(struct game *game) {
    struct stage *stage = game->stage;
    pv_vec2 point = under_cursor(game);
    game->taken = stage->hooks.press && stage->hooks.press(stage, point);
    if (!game->taken) hand_seize(&game->hand, stage->world, point, hand_reach / game->camera.zoom);
}

void game_release(struct game *game) {
    struct stage *stage = game->stage;
    if (game->taken && stage->hooks.release) stage->hooks.release(stage, under_cursor(game));
    game->taken = false;
    hand_release(&game->hand, stage->world);
}

void game_dig(struct game *game) {
    game->digging = game->stage->spade > 0;
    game->dug = under_cursor(game);
}

void game_stop_digging(struct game *game) { game->digging = false; }

void game_zoom(struct game *game, double factor) {
    double wanted = game->zoom_wanted * factor;
    game->zoom_wanted = wanted < zoom_least ? zoom_least : wanted > zoom_most ? zoom_most : wanted;
    game->zoom_about = game->cursor;
    game->fitted = false;
}

void game_pan(struct game *game, pv_vec2 by) {
    game->camera.centre.x -= by.x / game->camera.zoom;
    game->camera.centre.y -= by.y / game->camera.zoom;
    game->fitted = false;
}

void game_fit(struct game *game) {
    game->camera = camera_fit(game->stage->view, game->width, game->height);
    game->zoom_wanted = game->camera.zoom;
    game->fitted = true;
}
