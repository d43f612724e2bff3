/* viewer.c - commands of the player, fixed steps, and the camera's movement.
 *
 * Invariant: only step() advances the world, by SCENE_STEP.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "viewer/viewer.h"

#include "platform/complain.h"
#include "platform/stopwatch.h"
#include "stage/grains.h"
#include "stage/reload.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/// Greatest number of steps in a frame
#define MAX_STEPS 4
#define GRIP_COLOR 0xffffffc0u

/// Greatest time for the steps of a frame; a slow game is better than a jerky one [s]
static const double patience = .012;
static const double slow_motion = .15;
/// Acceleration of the arrows [px/s^2]
static const double push_acceleration = 900;
/// Reach of the hand for particles, on the canvas [px]
static const double hand_reach = 24;
/// Speed of the zoom [1/s]
static const double zoom_speed = 16;
static const double zoom_least = .2, zoom_most = 24;
/// Time for which a message is shown [s]
static const double message_length = 3;
/// Time between checks of files [s]
static const double reload_period = .25;
/// Time between measurements [s]
static const double measure_period = .5;

void viewer_say(struct viewer *viewer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(viewer->message, sizeof viewer->message, format, arguments);
    va_end(arguments);
    viewer->message_left = message_length;
}

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/// Creates a body of a file's sprite, or shows its error to the player.
static pv_status put_file(struct viewer *viewer, const char *path, pv_vec2 point) {
    pv_status status = PV_OK;
    const char *name = name_of(path);
    pv_body_id body = stage_add_file(viewer->stage, path, point, &status);
    if (status != PV_OK)
        viewer_say(viewer, "%s: %s", name, pv_status_to_string(status));
    else if (!stage_is_body(body))
        viewer_say(viewer, "no room for %s", name);
    return status;
}

static pv_vec2 entrance(const struct viewer *viewer, int number) {
    const pv_box *view = &viewer->stage->view;
    double width = view->max.x - view->min.x, height = view->max.y - view->min.y;
    return (pv_vec2){view->min.x + width * (.5 + .15 * (number % 5 - 2)),
                     view->min.y + height * .25};
}

/// Returns the camera for the whole view, at a whole zoom if it is enlarged and not filled.
static struct camera whole_view(const struct viewer *viewer) {
    struct camera camera = camera_fit(viewer->stage->view, viewer->width, viewer->height);
    if (camera.zoom > 1 && !viewer->filled) camera.zoom = (int)camera.zoom;
    return camera;
}

/// Tells the scene the part of the world that the window shows with the whole view.
static void tell_size(struct viewer *viewer) {
    struct camera camera = whole_view(viewer);
    pv_vec2 end = {viewer->width, viewer->height};
    pv_box seen = {camera_to_world(&camera, viewer->width, viewer->height, (pv_vec2){0, 0}),
                   camera_to_world(&camera, viewer->width, viewer->height, end)};
    if (viewer->shown && viewer->stage->hooks.resize)
        viewer->stage->hooks.resize(viewer->stage, seen);
}

/// Replaces the played stage.
static void enter(struct viewer *viewer, const struct scene *scene, struct stage *stage) {
    bool same = viewer->scene == scene;
    rewind_clear(&viewer->rewind, NULL);
    viewer->moment = -1;
    stage_destroy(viewer->stage);
    motion_free(&viewer->motion);
    viewer->scene = scene;
    viewer->stage = stage;
    viewer->hand = (struct hand){0};
    viewer->taken = viewer->panning = viewer->biting = false;
    viewer->clock = (pv_clock){SCENE_STEP, MAX_STEPS, 0};
    viewer->meter = (struct meter){0};
    viewer->left_count = 0;
    viewer->picked = (pv_body_id){0};
    for (int i = 0; i < viewer->file_count; i++)
        put_file(viewer, viewer->files[i], entrance(viewer, i));
    if (!same) viewer_fit(viewer);
    tell_size(viewer);
}

/// Starts a scene. Shows the reason to the player if that fails.
static bool start(struct viewer *viewer, const struct scene *scene) {
    const struct stage *last = viewer->scene == scene ? viewer->stage : NULL;
    struct stage_rules rules = {tuning_substeps(&viewer->tuning), viewer->by_pixels};
    struct stage *stage = scene_start_with(scene, viewer->seed, rules, last);
    if (!stage_error(stage)) {
        pv_status status = stage_set_workers(stage, viewer->workers);
        if (status != PV_OK) stage_fail(stage, "workers", status);
    }
    if (!stage_error(stage)) {
        enter(viewer, scene, stage);
        return true;
    }
    viewer_say(viewer, "%s", stage_error(stage));
    stage_destroy(stage);
    return false;
}

static bool keep_file(struct viewer *viewer, const char *path) {
    if (viewer->file_count == VIEWER_MAX_FILES) return false;
    char *copy = strdup(path);
    if (!copy) return false;
    viewer->files[viewer->file_count++] = copy;
    return true;
}

int viewer_open(struct viewer *viewer, const struct scene *scene, uint64_t seed, char *const *files,
                int file_count) {
    *viewer = (struct viewer){.seed = seed, .width = 1, .height = 1, .moment = -1, .workers = 1};
    struct stage *stage = scene_start(scene, seed);
    if (stage_error(stage)) {
        fprintf(stderr, "pixverlet-demo: %s\n", stage_error(stage));
        stage_destroy(stage);
        return EXIT_COMPLAINT;
    }
    enter(viewer, scene, stage);
    for (int i = 0; i < file_count; i++) {
        pv_status status = put_file(viewer, files[i], entrance(viewer, i));
        if (status != PV_OK) return complain(files[i], pv_status_to_string(status));
        keep_file(viewer, files[i]);
    }
    return EXIT_SUCCESS;
}

void viewer_close(struct viewer *viewer) {
    stage_destroy(viewer->stage);
    motion_free(&viewer->motion);
    rewind_clear(&viewer->rewind, NULL);
    for (int i = 0; i < viewer->file_count; i++) free(viewer->files[i]);
    *viewer = (struct viewer){0};
}

void viewer_resize(struct viewer *viewer, int width, int height) {
    viewer->shown = true;
    viewer->width = width;
    viewer->height = height;
    if (viewer->fitted) viewer_fit(viewer);
    tell_size(viewer);
}

static void push_bodies(pv_world *world, pv_vec2 a) {
    pv_body_id body = pv_world_get_next_body(world, (pv_body_id){0});
    for (; stage_is_body(body); body = pv_world_get_next_body(world, body)) {
        double mass = pv_body_get_mass(world, body);
        if (pv_body_get_type(world, body) != PV_BODY_DYNAMIC) continue;
        pv_body_apply_force(world, body, (pv_vec2){mass * a.x, mass * a.y});
    }
}

static void push_particles(pv_world *world, pv_vec2 a) {
    pv_particle_id particle = pv_world_get_next_particle(world, (pv_particle_id){0});
    for (; stage_is_particle(particle); particle = pv_world_get_next_particle(world, particle)) {
        double mass = pv_particle_get_mass(world, particle);
        if (mass > 0) pv_particle_apply_force(world, particle, (pv_vec2){mass * a.x, mass * a.y});
    }
}

static int held(const struct viewer *viewer, unsigned arrow) {
    return (viewer->arrows & arrow) != 0;
}

/// Pushes the last held object with the arrows, or all objects.
static void push(struct viewer *viewer) {
    pv_world *world = viewer->stage->world;
    pv_vec2 a = {push_acceleration * (held(viewer, STAGE_RIGHT) - held(viewer, STAGE_LEFT)),
                 push_acceleration * (held(viewer, STAGE_DOWN) - held(viewer, STAGE_UP))};
    if ((a.x == 0 && a.y == 0) || hand_push(&viewer->hand, world, a)) return;
    push_bodies(world, a);
    push_particles(world, a);
}

static pv_vec2 under_cursor(const struct viewer *viewer) {
    return camera_to_world(&viewer->camera, viewer->width, viewer->height, viewer->cursor);
}

/// Returns the radius of the brush in the world [px].
static double brush_radius(const struct viewer *viewer) {
    const pv_box *view = &viewer->stage->view;
    return viewer->stage->spade > 0 ? viewer->stage->spade : (view->max.x - view->min.x) / 100;
}

/// Gives a stage without grains a population, for the pixels that its bodies lose.
static void need_grains(struct stage *stage) {
    pv_grains_def def = pv_grains_def_default();
    def.capacity = GRAINS_USUAL;
    def.follow = true;
    if (!pv_grains_is_valid(stage->world, stage->grains)) grains_add(stage, def);
}

/// Bites from the last place to the cursor: soft bodies in scenes with a spade, or else all bodies.
static void bite(struct viewer *viewer) {
    struct stage *stage = viewer->stage;
    pv_vec2 to = under_cursor(viewer);
    if (!viewer->biting) return;
    need_grains(stage);
    stage_slit(stage, stage->spade > 0 ? STAGE_SOFT : ~0u, viewer->bitten, to,
               2 * brush_radius(viewer));
    viewer->bitten = to;
}

/// Tells whether the player holds, bites or pushes something.
static bool is_touched(const struct viewer *viewer) {
    return viewer->taken || viewer->biting || viewer->arrows != 0 ||
           hand_holds(&viewer->hand, viewer->stage->world);
}

/// Applies the player's input in a step, unless the scene handles it.
static void hear(struct viewer *viewer) {
    const struct stage_hooks *hooks = &viewer->stage->hooks;
    if (is_touched(viewer)) viewer->stage->idle = 0;
    if (viewer->taken && hooks->drag) hooks->drag(viewer->stage, under_cursor(viewer));
    hand_pull(&viewer->hand, viewer->stage->world, under_cursor(viewer));
    bite(viewer);
    if (hooks->keys)
        hooks->keys(viewer->stage, viewer->arrows);
    else
        push(viewer);
}

static void step(struct viewer *viewer) {
    if (viewer->moment >= 0) rewind_resume(&viewer->rewind, viewer->moment);
    viewer->moment = -1;
    motion_record(&viewer->motion, viewer->stage->world);
    scene_update(viewer->scene, viewer->stage);
    hear(viewer);
    tuning_apply(&viewer->tuning, viewer->stage->world);
    pv_world_step(viewer->stage->world, SCENE_STEP);
    pv_world_profile profile = pv_world_get_profile(viewer->stage->world);
    meter_add(&viewer->meter, &profile);
    stage_follow(viewer->stage);
    rewind_note(&viewer->rewind, viewer->stage);
    viewer->left_count += stage_tidy(viewer->stage);
}

/// Reports bodies that left the scene, when no other message is shown.
static void say_left(struct viewer *viewer) {
    if (viewer->left_count == 0 || viewer->message_left > 0) return;
    viewer_say(viewer,
               viewer->left_count == 1 ? "a body left the scene" : "%d bodies left the scene",
               viewer->left_count);
    viewer->left_count = 0;
}

/// Moves the zoom a part of the way to its target.
static void ease_zoom(struct viewer *viewer, double elapsed) {
    if (viewer->camera.zoom == viewer->zoom_wanted) return;
    pv_vec2 before =
        camera_to_world(&viewer->camera, viewer->width, viewer->height, viewer->zoom_about);
    double part = zoom_speed * elapsed / (1 + zoom_speed * elapsed);
    viewer->camera.zoom += (viewer->zoom_wanted - viewer->camera.zoom) * part;
    double ratio = viewer->camera.zoom / viewer->zoom_wanted;
    if (ratio > .999 && ratio < 1.001) viewer->camera.zoom = viewer->zoom_wanted;
    pv_vec2 after =
        camera_to_world(&viewer->camera, viewer->width, viewer->height, viewer->zoom_about);
    viewer->camera.center.x += before.x - after.x;
    viewer->camera.center.y += before.y - after.y;
}

/// Checks the files now and then.
static void reload(struct viewer *viewer, double elapsed) {
    pv_status status = PV_OK;
    const struct sprite *sprite;
    viewer->reload_left -= elapsed;
    if (viewer->reload_left > 0) return;
    viewer->reload_left = reload_period;
    while ((sprite = stage_reload(viewer->stage, &status))) {
        if (status == PV_OK)
            viewer_say(viewer, "%s: as it is now", name_of(sprite->path));
        else
            viewer_say(viewer, "%s: %s; it stays as it was", name_of(sprite->path),
                       pv_status_to_string(status));
        viewer->measure_left = 0;
    }
}

/// Measures the picked body now and then, as its pixels may be carved and its file changed.
static void measure(struct viewer *viewer, double elapsed) {
    viewer->measure_left -= elapsed;
    if (viewer->measure_left > 0 || !pv_body_is_valid(viewer->stage->world, viewer->picked)) return;
    viewer->measure_left = measure_period;
    int64_t pixels = pv_mask_count_pixels(pv_body_get_mask(viewer->stage->world, viewer->picked));
    if (pixels != viewer->shape.pixels)
        inspect_measure(viewer->stage->world, viewer->picked, &viewer->shape);
}

/// Lets time pass in the scene.
static void play(struct viewer *viewer, double elapsed) {
    int due = pv_clock_advance(&viewer->clock, viewer->slow ? elapsed * slow_motion : elapsed);
    double begun = stopwatch_seconds();
    for (; due > 0 && stopwatch_seconds() - begun < patience; due--) step(viewer);
}

void viewer_advance(struct viewer *viewer, double elapsed) {
    ease_zoom(viewer, elapsed);
    viewer->message_left -= elapsed;
    reload(viewer, elapsed);
    if (!viewer->paused) play(viewer, elapsed);
    measure(viewer, elapsed);
    say_left(viewer);
}

static void draw_grip(const struct viewer *viewer, const pv_canvas *canvas) {
    if (!hand_holds(&viewer->hand, viewer->stage->world)) return;
    pv_vec2 grip = hand_grip(&viewer->hand, viewer->stage->world);
    grip = camera_to_screen(&viewer->camera, viewer->width, viewer->height, grip);
    pv_canvas_draw_line(canvas, grip, viewer->cursor, GRIP_COLOR);
}

static void draw_ring(const pv_canvas *canvas, pv_vec2 middle, double radius, uint32_t color) {
    enum { SIDES = 40 };
    pv_vec2 from = {middle.x + radius, middle.y};
    for (int i = 1; i <= SIDES; i++) {
        pv_rotation turn = pv_rotation_from_angle(i * 6.28318530717958648 / SIDES);
        pv_vec2 to = {middle.x + radius * turn.c, middle.y + radius * turn.s};
        pv_canvas_draw_line(canvas, from, to, color);
        from = to;
    }
}

/// Draws a ring around what the brush would bite, dark and light, to show on any background.
static void draw_brush(const struct viewer *viewer, const pv_canvas *canvas) {
    double radius = brush_radius(viewer) * viewer->camera.zoom;
    if (!viewer->biting && (!viewer->hovered || viewer->stage->spade == 0)) return;
    draw_ring(canvas, viewer->cursor, radius + 1, 0x000000a0u);
    draw_ring(canvas, viewer->cursor, radius, 0xffffffffu);
}

void viewer_draw(const struct viewer *viewer, const pv_canvas *canvas) {
    struct view view = {viewer->camera, &viewer->motion, 1, viewer->overlays, viewer->picked};
    if (!viewer->paused) view.fraction = viewer->clock.accumulator / viewer->clock.step;
    view_draw(canvas, viewer->stage, &view);
    draw_grip(viewer, canvas);
    draw_brush(viewer, canvas);
}

/* Scenes and their numbers */

void viewer_restart(struct viewer *viewer) { start(viewer, viewer->scene); }

void viewer_start(struct viewer *viewer, const struct scene *scene) {
    viewer->tuning = (struct tuning){0};
    if (start(viewer, scene)) viewer_say(viewer, "%s", scene->description);
}

void viewer_change_scene(struct viewer *viewer, int places) {
    int count = 0, here = 0;
    for (; scene_at(count); count++)
        if (scene_at(count) == viewer->scene) here = count;
    viewer_start(viewer, scene_at((here + places + count) % count));
}

void viewer_tune(struct viewer *viewer, enum tuning_knob knob, double value) {
    int before = tuning_substeps(&viewer->tuning);
    tuning_set(&viewer->tuning, knob, value);
    if (tuning_substeps(&viewer->tuning) != before)
        viewer_restart(viewer);
    else
        tuning_apply(&viewer->tuning, viewer->stage->world);
}

void viewer_untune(struct viewer *viewer) {
    viewer->tuning = (struct tuning){0};
    viewer_restart(viewer);
}

void viewer_set_contacts(struct viewer *viewer, bool by_pixels) {
    viewer->by_pixels = by_pixels;
    viewer_restart(viewer);
    viewer_say(viewer, by_pixels ? "contacts by pixels (Cheng 2003)" : "contacts by contours");
}

bool viewer_set_workers(struct viewer *viewer, int workers) {
    pv_status status = stage_set_workers(viewer->stage, workers);
    if (status != PV_OK) {
        viewer_say(viewer, "workers: %s", pv_status_to_string(status));
        return false;
    }
    pv_world_def def = pv_world_def_default();
    pv_task_pool_attach(viewer->stage->pool, &def);
    viewer->workers = def.worker_count;
    viewer->meter = (struct meter){0};
    return true;
}

void viewer_change_workers(struct viewer *viewer) {
    int next = viewer->workers < VIEWER_MAX_WORKERS ? viewer->workers * 2 : 1;
    if (viewer_set_workers(viewer, next))
        viewer_say(viewer, viewer->workers == 1 ? "%d worker" : "%d workers", viewer->workers);
}

void viewer_toggle_overlays(struct viewer *viewer) {
    viewer->overlays = viewer->overlays ? 0 : VIEW_USUAL_OVERLAYS;
}

/* Going back */

void viewer_scrub(struct viewer *viewer, double part) {
    int last = viewer->rewind.count - 1, which = (int)(part * last + .5);
    if (last < 0) return;
    which = which < 0 ? 0 : which > last ? last : which;
    viewer->paused = true;
    if (which == viewer->moment) return;
    viewer_release(viewer);
    rewind_go(&viewer->rewind, viewer->stage, which);
    hand_forget(&viewer->hand, viewer->stage->world);
    viewer->moment = which;
    motion_free(&viewer->motion);
}

double viewer_scrubbed(const struct viewer *viewer) {
    int last = viewer->rewind.count - 1;
    return viewer->moment < 0 || last <= 0 ? 1 : (double)viewer->moment / last;
}

/* Mouse, and other effects of keys */

void viewer_single_step(struct viewer *viewer) {
    viewer->paused = true;
    step(viewer);
}

void viewer_spawn(struct viewer *viewer) {
    viewer->stage->idle = 0;
    if (!stage_is_body(stage_add_thing(viewer->stage, under_cursor(viewer))))
        viewer_say(viewer, "no room here");
}

void viewer_add_file(struct viewer *viewer, const char *path, pv_vec2 point) {
    viewer->cursor = point;
    if (put_file(viewer, path, under_cursor(viewer)) == PV_OK) keep_file(viewer, path);
}

static void pick(struct viewer *viewer, pv_vec2 point) {
    const pv_world *world = viewer->stage->world;
    viewer->picked = pv_world_pick_body(world, point);
    viewer->shape = (struct inspect_shape){0};
    viewer->measure_left = 0;
}

void viewer_hover(struct viewer *viewer, const pv_vec2 *cursor) {
    struct stage *stage = viewer->stage;
    viewer->hovered = cursor != NULL;
    if (cursor) viewer->cursor = *cursor;
    pv_vec2 at = under_cursor(viewer);
    if (stage->hooks.hover) stage->hooks.hover(stage, cursor ? &at : NULL);
}

void viewer_seize(struct viewer *viewer) {
    struct stage *stage = viewer->stage;
    stage->idle = 0;
    pv_vec2 point = under_cursor(viewer);
    pick(viewer, point);
    viewer->taken = stage->hooks.press && stage->hooks.press(stage, point);
    if (viewer->taken) return;
    viewer->panning =
        !hand_seize(&viewer->hand, stage->world, point, hand_reach / viewer->camera.zoom);
}

void viewer_release(struct viewer *viewer) {
    struct stage *stage = viewer->stage;
    if (viewer->taken && stage->hooks.release) stage->hooks.release(stage, under_cursor(viewer));
    viewer->taken = viewer->panning = false;
    hand_release(&viewer->hand, stage->world);
}

void viewer_bite(struct viewer *viewer) {
    viewer->biting = true;
    viewer->bitten = under_cursor(viewer);
}

void viewer_stop_biting(struct viewer *viewer) { viewer->biting = false; }

void viewer_zoom(struct viewer *viewer, double factor) {
    double wanted = viewer->zoom_wanted * factor;
    viewer->zoom_wanted = wanted < zoom_least  ? zoom_least
                          : wanted > zoom_most ? zoom_most
                                               : wanted;
    viewer->zoom_about = viewer->cursor;
    viewer->fitted = false;
}

void viewer_pan(struct viewer *viewer, pv_vec2 by) {
    viewer->camera.center.x -= by.x / viewer->camera.zoom;
    viewer->camera.center.y -= by.y / viewer->camera.zoom;
    viewer->fitted = false;
}

void viewer_fill(struct viewer *viewer) {
    viewer->filled = viewer->fitted && !viewer->filled;
    viewer_fit(viewer);
    tell_size(viewer);
}

void viewer_fit(struct viewer *viewer) {
    viewer->camera = whole_view(viewer);
    viewer->zoom_wanted = viewer->camera.zoom;
    viewer->fitted = true;
}
