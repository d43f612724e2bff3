/* test_viewer.c - the viewer's tools: files that change, tuning, figures, timings, recordings.
 *
 * Invariant: pictures are painted here, in a directory of the suite's own. Formulas give figures.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "support.h"

#include "platform/png_write.h"
#include "stage/reload.h"
#include "viewer/inspect.h"
#include "viewer/meter.h"
#include "viewer/viewer.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME "drawing.png"

/// Directory in which the suite was started, and that of the test
static char home[1024], place[64];

/// Stage and viewer of a test; either may be closed
static struct stage *stage;
static struct viewer viewer;

static void close_stage(void) {
    if (stage) stage_destroy(stage);
    stage = NULL;
}

static void close_viewer(void) {
    if (viewer.stage) viewer_close(&viewer);
    viewer.stage = NULL;
}

static void leave(void) {
    close_viewer();
    close_stage();
    char command[128];
    ck_assert_int_eq(chdir(home), 0);
    snprintf(command, sizeof command, "rm -rf '%s'", place);
    ck_assert_int_eq(system(command), 0);
}

/* ---- files ---- */

/// Paints a picture of one color with a transparent left part.
static void paint(const char *path, int width, int height, int empty, unsigned char red) {
    scoped_pixels canvas = {calloc((size_t)width * (size_t)height, 4), width, height, width * 4};
    for (int i = 0; i < width * height; i++) {
        unsigned char *pixel = canvas.pixels + 4 * i;
        pixel[0] = red;
        pixel[3] = i % width < empty ? 0 : 255;
    }
    ck_assert(png_write(path, &canvas));
}

/// Makes a file some seconds newer, as file times may be coarse.
static void age(const char *path, int seconds) {
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    const struct timespec then = {info.st_mtim.tv_sec + seconds, 0}, times[2] = {then, then};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void open_stage(void) {
    stage = stage_create(1);
    ck_assert_ptr_nonnull(stage);
    stage_set_view(stage, 600, 300);
}

static int64_t pixels_of(pv_body_id body) {
    return pv_mask_count_pixels(pv_body_get_mask(stage->world, body));
}

static pv_body_id add_drawing(void) {
    pv_status status = PV_OK;
    pv_body_id body = stage_add_file(stage, FILE_NAME, (pv_vec2){100, 100}, &status);
    ck_assert_int_eq(status, PV_OK);
    ck_assert(stage_is_body(body));
    return body;
}

static pv_body_id open_drawing(void) {
    paint(FILE_NAME, 40, 20, 0, 10);
    open_stage();
    return add_drawing();
}

static void check_taken(int seconds) {
    pv_status status = PV_ERROR_BUSY;
    age(FILE_NAME, seconds);
    ck_assert_ptr_nonnull(stage_reload(stage, &status));
    ck_assert_int_eq(status, PV_OK);
}

static void repaint(int width, int height, int empty) {
    paint(FILE_NAME, width, height, empty, 200);
    check_taken(5);
}

START_TEST(a_body_follows_its_file) {
    pv_status status = PV_ERROR_BUSY;
    pv_body_id body = open_drawing(), other = stage_add(stage, "ball", 300, 100, 0);
    double ball = pv_body_get_mass(stage->world, other);
    ck_assert_ptr_null(stage_reload(stage, &status)); /* nothing has changed */
    repaint(40, 20, 10);
    ck_assert_int_eq(pixels_of(body), 30 * 20);
    ck_assert_int_eq(stage_sprite_of(stage, body)->image->pixels[39 * 4], 200);
    /* The density stays, and so do the places of pixels. */
    ck_assert_double_eq_tol(pv_body_get_mass(stage->world, body), 600, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_position(stage->world, body).x, 105, 1e-9);
    ck_assert_double_eq(pv_body_get_mass(stage->world, other), ball);
    ck_assert_ptr_null(stage_reload(stage, &status)); /* told once */
}

START_TEST(all_bodies_of_a_file_follow_it) {
    paint(FILE_NAME, 8, 8, 0, 10);
    open_stage();
    pv_body_id bodies[9];
    for (int i = 0; i < 9; i++) bodies[i] = add_drawing();
    repaint(8, 8, 4);
    for (int i = 0; i < 9; i++) ck_assert_int_eq(pixels_of(bodies[i]), 32);
    steps_well(stage->world, 60);
}

START_TEST(a_picture_of_another_size_keeps_its_middle) {
    pv_body_id body = open_drawing();
    repaint(60, 30, 0);
    ck_assert_vec_eq_tol(pv_body_get_position(stage->world, body), 100, 100, 1e-9);
    ck_assert_int_eq(pv_mask_get_width(pv_body_get_mask(stage->world, body)), 60);
}

/// Checks that a bad change of the file is reported once and changes nothing.
static void check_refused(pv_body_id body, int seconds, pv_status wanted) {
    pv_status status = PV_OK;
    const pv_mask *mask = pv_body_get_mask(stage->world, body);
    const pv_image *image = stage_sprite_of(stage, body)->image;
    age(FILE_NAME, seconds);
    ck_assert_ptr_eq(stage_reload(stage, &status), stage_sprite_of(stage, body));
    ck_assert_int_eq(status, wanted);
    ck_assert_ptr_eq(pv_body_get_mask(stage->world, body), mask);
    ck_assert_ptr_eq(stage_sprite_of(stage, body)->image, image);
    ck_assert_int_eq(pv_mask_count_pixels(mask), 800);
    ck_assert_ptr_null(stage_reload(stage, &status));
}

START_TEST(a_broken_file_changes_nothing) {
    char half[4096];
    pv_body_id body = open_drawing();
    paint(FILE_NAME, 40, 20, 3, 10);
    FILE *file = fopen(FILE_NAME, "rb");
    size_t size = fread(half, 1, sizeof half, file);
    fclose(file);
    for (int part = 0; part < 4; part++) {
        write_file(FILE_NAME, half, size * (size_t)part / 4);
        check_refused(body, 5 + part, PV_ERROR_FORMAT);
    }
    paint(FILE_NAME, 40, 20, 40, 10);
    check_refused(body, 20, PV_ERROR_EMPTY);
    write_file(FILE_NAME, half, size); /* once whole again, it is read */
    check_taken(30);
    ck_assert_int_eq(pixels_of(body), 37 * 20);
}

START_TEST(a_file_that_is_gone_is_waited_for) {
    pv_status status = PV_OK;
    pv_body_id body = open_drawing();
    ck_assert_int_eq(unlink(FILE_NAME), 0);
    ck_assert_ptr_null(stage_reload(stage, &status));
    repaint(40, 20, 20);
    ck_assert_int_eq(pixels_of(body), 400);
}

START_TEST(what_was_carved_stays_carved) {
    pv_body_id body = open_drawing();
    stage_soften(stage, body, NULL);
    ck_assert_int_gt(stage_bite(stage, STAGE_SOFT, (pv_vec2){120, 100}, 6), 0);
    pv_world_step(stage->world, 1.0 / 60);
    stage_follow(stage);
    int64_t left = pixels_of(body);
    repaint(40, 20, 30);
    ck_assert_int_eq(pixels_of(body), left);
}

/* ---- the viewer ---- */

static void fill(struct stage *yards) {
    pv_body_def def = pv_body_def_default();
    stage_set_view(yards, 320, 180);
    def.type = PV_BODY_STATIC;
    def.position = (pv_vec2){160, 170};
    stage_add_def(yards, "plank", def);
    stage_add(yards, "crate", 160, 90, .4);
}

static const struct scene yard = {"yard", "a crate over a plank", fill, NULL};

static pv_world *seen(void) { return viewer.stage->world; }
static uint64_t hash(void) { return pv_world_compute_hash(seen()); }

static void open_scene(const struct scene *scene, int width, int height, int files) {
    static char name[] = FILE_NAME;
    char *const names[] = {name};
    close_viewer();
    ck_assert_int_eq(viewer_open(&viewer, scene, 1, names, files), EXIT_SUCCESS);
    viewer_resize(&viewer, width, height);
}

/// Makes a fresh directory beside the build for a test, and opens a viewer of the yard.
static void enter(void) {
    ck_assert_ptr_nonnull(getcwd(home, sizeof home));
    snprintf(place, sizeof place, "viewer-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(place));
    ck_assert_int_eq(chdir(place), 0);
    open_scene(&yard, 320, 180, 0);
}

static void run(int steps) {
    for (int i = 0; i < steps; i++) viewer_advance(&viewer, SCENE_STEP);
}

static void step_exactly(int steps) {
    for (int i = 0; i < steps; i++) viewer_single_step(&viewer);
}

/// Returns the first dynamic body, and puts the cursor on it.
static pv_body_id point_at_body(void) {
    pv_body_id body = {0};
    do body = pv_world_get_next_body(seen(), body);
    while (pv_body_get_type(seen(), body) != PV_BODY_DYNAMIC);
    viewer.cursor = camera_to_screen(&viewer.camera, viewer.width, viewer.height,
                                     pv_body_get_position(seen(), body));
    return body;
}

static void seize_at(double x, double y) {
    viewer.cursor = (pv_vec2){x, y};
    viewer_seize(&viewer);
}

START_TEST(the_viewer_looks_at_files_four_times_a_second) {
    paint(FILE_NAME, 10, 10, 0, 10);
    open_scene(&yard, 320, 180, 1);
    viewer.paused = true;
    run(20);
    paint(FILE_NAME, 10, 10, 5, 10);
    age(FILE_NAME, 5);
    run(16);
    ck_assert_str_eq(viewer.message, FILE_NAME ": as it is now");
    write_file(FILE_NAME, "PNG?", 4);
    run(16);
    ck_assert_ptr_nonnull(strstr(viewer.message, FILE_NAME ": "));
    ck_assert_ptr_nonnull(strstr(viewer.message, "stays as it was"));
}

START_TEST(tuned_numbers_hold_for_all_bodies) {
    viewer_tune(&viewer, TUNING_GRAVITY_X, 97);
    viewer_tune(&viewer, TUNING_STATIC_FRICTION, 1.02);
    /* Rounded to the notch */
    ck_assert_vec_eq_tol(pv_world_get_gravity(seen()), 100, 320, 1e-300);
    viewer.cursor = (pv_vec2){40, 40};
    viewer_spawn(&viewer);
    run(2);
    int count = 0;
    pv_body_id body = pv_world_get_next_body(seen(), (pv_body_id){0});
    for (; stage_is_body(body); body = pv_world_get_next_body(seen(), body), count++) {
        pv_body_def def = pv_body_get_def(seen(), body);
        ck_assert_double_eq_tol(def.static_friction, 1, 1e-12);
        ck_assert_double_eq(def.friction, pv_body_def_default().friction);
        ck_assert_double_eq(def.restitution, pv_body_def_default().restitution);
    }
    ck_assert_int_eq(count, 3);
}

START_TEST(numbers_stay_in_their_ranges) {
    struct tuning tuning = {{0}, {0}};
    for (int knob = 0; knob < TUNING_KNOBS; knob++) {
        const struct tuning_range *range = &tuning_ranges[knob];
        tuning_set(&tuning, (enum tuning_knob)knob, 1e9);
        ck_assert_double_eq_tol(tuning.value[knob], range->most, 1e-9);
        tuning_set(&tuning, (enum tuning_knob)knob, -1e9);
        ck_assert_double_eq(tuning.value[knob], range->least);
        tuning_set(&tuning, (enum tuning_knob)knob, NAN);
        ck_assert_double_eq(tuning.value[knob], range->least);
    }
}

START_TEST(what_is_as_tuned_sleeps_on) {
    viewer_tune(&viewer, TUNING_RESTITUTION, 0);
    viewer_tune(&viewer, TUNING_GRAVITY_Y, 400);
    run(600);
    ck_assert_int_eq(pv_world_get_stats(seen()).awake, 0);
}

/// Returns the hash of the yard's world with a number of substeps, after some steps.
static uint64_t hash_with(int substeps, int steps) {
    pv_world_def def = pv_world_def_default();
    close_stage();
    stage = stage_create(1);
    def.substeps = substeps;
    stage_set_world(stage, &def);
    fill(stage);
    for (int i = 0; i < steps; i++) pv_world_step(stage->world, SCENE_STEP);
    return pv_world_compute_hash(stage->world);
}

START_TEST(substeps_start_the_scene_again) {
    step_exactly(50);
    ck_assert_uint_eq(hash(), hash_with(16, 50)); /* contours' default */
    viewer_tune(&viewer, TUNING_SUBSTEPS, 4);
    ck_assert_uint_eq(hash(), hash_with(4, 0));
    step_exactly(50);
    ck_assert_uint_eq(hash(), hash_with(4, 50));
    viewer_restart(&viewer);
    step_exactly(50);
    ck_assert_uint_eq(hash(), hash_with(4, 50));
    viewer_untune(&viewer);
    step_exactly(50);
    ck_assert_uint_eq(hash(), hash_with(16, 50));
    ck_assert_uint_ne(hash_with(4, 50), hash_with(16, 50));
}

START_TEST(contacts_by_pixels_stay_for_later_scenes) {
    step_exactly(50);
    uint64_t own = hash();
    viewer_set_contacts(&viewer, true);
    step_exactly(50);
    ck_assert_uint_ne(hash(), own);
    viewer_restart(&viewer);
    ck_assert(viewer.stage->rules.by_pixels);
    viewer_set_contacts(&viewer, false);
    step_exactly(50);
    ck_assert_uint_eq(hash(), own);
}

static int workers_of(pv_task_pool *pool) {
    pv_world_def def = pv_world_def_default();
    pv_task_pool_attach(pool, &def);
    return def.worker_count;
}

START_TEST(workers_stay_for_later_scenes) {
    ck_assert_int_eq(viewer.workers, 1);
    for (int workers = 2; workers <= VIEWER_MAX_WORKERS; workers *= 2) {
        viewer_change_workers(&viewer);
        ck_assert_int_eq(viewer.workers, workers);
        ck_assert_int_eq(workers_of(viewer.stage->pool), workers);
    }
    viewer_tune(&viewer, TUNING_SUBSTEPS, 4);
    ck_assert_int_eq(workers_of(viewer.stage->pool), VIEWER_MAX_WORKERS);
    step_exactly(50);
    ck_assert_uint_eq(hash(), hash_with(4, 50));
    viewer_change_workers(&viewer);
    ck_assert_int_eq(viewer.workers, 1);
    ck_assert_ptr_null(viewer.stage->pool);
    ck_assert(!viewer_set_workers(&viewer, -1));
    ck_assert_int_eq(viewer.workers, 1);
    ck_assert(viewer_set_workers(&viewer, 3));
    viewer_restart(&viewer);
    ck_assert_int_eq(workers_of(viewer.stage->pool), 3);
}

START_TEST(another_scene_is_not_tuned) {
    viewer_tune(&viewer, TUNING_GRAVITY_Y, -400);
    viewer_restart(&viewer);
    run(2);
    ck_assert_double_eq(pv_world_get_gravity(seen()).y, -400);
    viewer_start(&viewer, scene_find("drop"));
    run(2);
    ck_assert_double_eq(pv_world_get_gravity(seen()).y, 320);
    ck_assert_str_eq(viewer.message, scene_find("drop")->description);
}

START_TEST(overlays_do_not_disturb_the_world) {
    scoped_pixels canvas = {calloc(320 * 180, 4), 320, 180, 320 * 4};
    step_exactly(10);
    uint64_t before = hash();
    viewer_toggle_overlays(&viewer);
    ck_assert_uint_ne(viewer.overlays, 0);
    viewer.overlays = PV_DEBUG_ALL | VIEW_FIELD;
    viewer_draw(&viewer, &canvas);
    ck_assert_uint_eq(hash(), before);
    viewer_toggle_overlays(&viewer);
    ck_assert_uint_eq(viewer.overlays, 0);
}

/* ---- figures ---- */

static const char *said(const struct inspect_line *lines, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(lines[i].name, name) == 0) return lines[i].text;
    ck_abort_msg("nothing is said of %s", name);
    return NULL;
}

START_TEST(the_inspector_tells_what_formulae_do) {
    struct inspect_shape shape;
    struct inspect_line lines[INSPECT_LINES];
    paint(FILE_NAME, 30, 20, 0, 10);
    open_stage();
    pv_body_id body = add_drawing();
    pv_body_set_velocity(stage->world, body, (pv_vec2){12, -7});
    ck_assert(inspect_measure(stage->world, body, &shape));
    ck_assert_int_eq(shape.pixels, 600);
    ck_assert_int_eq(shape.parts, 1);
    ck_assert_int_ge(shape.contour_points, 4);
    ck_assert_int_le(shape.contour_points, 100); /* at most the rim of its pixels */
    ck_assert_uint_gt(shape.bytes, 600 / 8);
    int count = inspect_describe(stage, body, &shape, lines);
    ck_assert_int_le(count, INSPECT_LINES);
    ck_assert_str_eq(said(lines, count, "sprite"), "drawing");
    ck_assert_str_eq(said(lines, count, "type"), "dynamic, awake");
    ck_assert_str_eq(said(lines, count, "mass"), "600");
    ck_assert_str_eq(said(lines, count, "inertia"), "65000"); /* m (w^2 + h^2) / 12 */
    ck_assert_str_eq(said(lines, count, "center"), "15.00, 10.00 px in 30 x 20");
    ck_assert_str_eq(said(lines, count, "position"), "100.00, 100.00 px");
    ck_assert_str_eq(said(lines, count, "velocity"), "12.0, -7.0 px/s");
    ck_assert_str_eq(said(lines, count, "pixels"), "600");
    ck_assert_str_eq(said(lines, count, "restitution"), "0.20");
}

START_TEST(what_a_mask_takes_grows_with_it) {
    struct inspect_shape small, large;
    scoped_world *world = pv_world_create(NULL, NULL);
    pv_body_id a = put(world, disc_mask(10), 0, 0, pv_body_def_default()),
               b = put(world, disc_mask(100), 400, 0, pv_body_def_default());
    uint64_t before = pv_world_compute_hash(world);
    ck_assert(inspect_measure(world, a, &small) && inspect_measure(world, b, &large));
    ck_assert_int_gt(large.contour_points, small.contour_points);
    ck_assert_uint_gt(large.bytes, small.bytes + (200 * 200 - 20 * 20) / 8);
    ck_assert_uint_eq(pv_world_compute_hash(world), before);
    pv_body_destroy(world, a);
    ck_assert(!inspect_measure(world, a, &small));
}

START_TEST(a_click_picks_by_the_pixel) {
    seize_at(160, 90);
    ck_assert_str_eq(strrchr(stage_sprite_of(viewer.stage, viewer.picked)->path, '/'),
                     "/crate.png");
    viewer_release(&viewer);
    run(1);
    const pv_mask *mask = pv_body_get_mask(seen(), viewer.picked);
    ck_assert_int_eq(viewer.shape.pixels, pv_mask_count_pixels(mask));
    seize_at(10, 10);
    ck_assert(!stage_is_body(viewer.picked));
}

/* ---- timings ---- */

START_TEST(the_meter_remembers_the_last_steps) {
    struct meter meter = {.count = 0};
    struct meter_stage stages[METER_STAGES];
    ck_assert_int_eq(meter_steps(&meter), 0);
    for (int i = 1; i <= METER_STEPS + 60; i++) {
        pv_world_profile profile = {.solve = 2, .total = i, .shared = 3};
        meter_add(&meter, &profile);
    }
    ck_assert_int_eq(meter_steps(&meter), METER_STEPS);
    ck_assert_double_eq(meter_step(&meter, 0), 61);
    ck_assert_double_eq(meter_step(&meter, METER_STEPS - 1), METER_STEPS + 60);
    ck_assert_double_eq(meter_longest(&meter), METER_STEPS + 60);
    ck_assert_double_eq_tol(meter.mean.shared, 3, 1e-12);
    meter_get_stages(&meter, stages);
    for (int i = 0; i < METER_STAGES; i++)
        ck_assert_double_eq_tol(stages[i].seconds, strcmp(stages[i].name, "solve") ? 0 : 2, 1e-12);
}

/* ---- recordings ---- */

START_TEST(a_press_on_nothing_moves_the_view) {
    seize_at(2, 2);
    ck_assert(viewer.panning);
    viewer_release(&viewer);
    ck_assert(!viewer.panning);
    point_at_body();
    viewer_seize(&viewer);
    ck_assert(!viewer.panning);
}

START_TEST(the_whole_view_has_a_whole_number_of_pixels_per_pixel) {
    double width = viewer.stage->view.max.x, height = viewer.stage->view.max.y;
    viewer_resize(&viewer, (int)(width * 2.7), (int)(height * 2.7));
    ck_assert_double_eq(viewer.camera.zoom, 2);
    viewer_fill(&viewer);
    ck_assert_double_gt(viewer.camera.zoom, 2.6);
    viewer_fill(&viewer);
    ck_assert_double_eq(viewer.camera.zoom, 2);
    viewer_resize(&viewer, (int)(width / 2), (int)(height / 2)); /* it cannot be enlarged */
    ck_assert_double_eq_tol(viewer.camera.zoom, .5, .01);
}

START_TEST(bodies_that_leave_are_told_of) {
    pv_body_id body = point_at_body();
    viewer.message_left = 0;
    pv_body_set_position(seen(), body, (pv_vec2){-20000, 0});
    viewer_advance(&viewer, SCENE_STEP * 1.5);
    ck_assert_str_eq(viewer.message, "a body left the scene");
}

/// Plays two seconds, and the last second again. Returns true if it ends the same.
static bool comes_again(const char *scene) {
    open_scene(scene_find(scene), 1280, 720, 0);
    step_exactly(20 * REWIND_STEPS);
    pv_world *world = seen();
    int moments = viewer.rewind.count, back = moments - 11;
    uint64_t end = pv_world_compute_hash(world);
    viewer_scrub(&viewer, (double)back / (moments - 1));
    ck_assert(viewer.paused);
    ck_assert_double_lt(viewer_scrubbed(&viewer), .6);
    bool moved = pv_world_compute_hash(world) != end;
    viewer_scrub(&viewer, 1);
    moved &= pv_world_compute_hash(world) == end;
    viewer_scrub(&viewer, (double)back / (moments - 1));
    step_exactly(10 * REWIND_STEPS);
    bool same = pv_world_compute_hash(world) == end;
    ck_assert_int_eq(viewer.rewind.count, moments);
    return moved && same;
}

START_TEST(the_last_seconds_come_again) {
    static const char *const scenes[] = {"drop", "castle", "shatter", "sand", "waterfall", "dig"};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        ck_assert_msg(comes_again(scenes[i]), "%s", scenes[i]);
}

START_TEST(carved_pictures_come_again) {
    open_scene(scene_find("pyramid"), 1280, 720, 0);
    scoped_pixels canvas = {calloc(1280 * 720, 4), 1280, 720, 1280 * 4};
    step_exactly(REWIND_STEPS);
    pv_world *world = seen();
    pv_body_id body = point_at_body();
    pv_vec2 at = pv_body_get_position(world, body);
    viewer.cursor = at;
    viewer_bite(&viewer);
    step_exactly(2 * REWIND_STEPS);
    viewer_stop_biting(&viewer);
    ck_assert(!stage_is_body(pv_world_pick_body(world, at)));
    ck_assert_int_gt(pv_grains_get_stats(world, viewer.stage->grains).grains, 0);
    viewer_scrub(&viewer, 0);
    ck_assert(stage_is_body(pv_world_pick_body(world, at)));
    const struct sprite *sprite = stage_sprite_of(viewer.stage, body);
    ck_assert_ptr_nonnull(sprite);
    int hidden = 0;
    for (int i = 0; i < sprite->image->width * sprite->image->height; i++)
        hidden += sprite->image->pixels[i * 4 + 3] == 0;
    ck_assert_int_le(hidden, sprite->image->width * sprite->image->height / 10);
    viewer_draw(&viewer, &canvas);
}

START_TEST(pictures_of_what_is_gone_are_freed_with_the_history) {
    open_scene(scene_find("pyramid"), 1280, 720, 0);
    pv_world *world = seen();
    step_exactly(REWIND_STEPS);
    stage_bite(viewer.stage, ~0u, (pv_vec2){640, 600}, 30);
    viewer_single_step(&viewer);
    ck_assert_ptr_nonnull(viewer.stage->copies);
    for (pv_body_id b; stage_is_body(b = pv_world_get_next_body(world, (pv_body_id){0}));)
        pv_body_destroy(world, b);
    viewer_single_step(&viewer);
    ck_assert_ptr_nonnull(viewer.stage->copies); /* an earlier moment may show them */
    rewind_clear(&viewer.rewind, viewer.stage);
    ck_assert_ptr_null(viewer.stage->copies);
}

START_TEST(going_back_lets_go) {
    step_exactly(REWIND_STEPS);
    pv_world *world = seen();
    point_at_body();
    viewer_seize(&viewer);
    ck_assert(hand_holds(&viewer.hand, world));
    step_exactly(2 * REWIND_STEPS);
    viewer_scrub(&viewer, 1); /* the last moment, in which the body is held */
    ck_assert(!hand_holds(&viewer.hand, world));
    ck_assert_int_eq(pv_world_get_stats(world).joints, 0);
}

RUN_TESTS_IN("viewer", enter, leave, 1)
