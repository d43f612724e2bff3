/* speed_moving.c - steps of moving bodies beside Chipmunk's, and the depths of bodies.
 *
 * Invariant: six runs differ by 1e-6 px in the bodies' start. In each run both sides do the same
 * frames in turns.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_scenes.h"

#include <math.h>
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 6, WARM = 90, FRAMES = 30, MOST_FRAMES = 240, FRAMES_A_LOOK = 4 };

static const double GOLDEN_ANGLE = 2.39996322972865332, NUDGE = 1e-6, CROWD_SPEED = 80;

/// Time of a run to warm up and to be filmed, and of a comparison of sizes [s]
static const double WARM_TIME = 6, FILM_TIME = 5, GROWTH_TIME = 4;

/* ---- Films ---- */

/// Manner in which bodies are moved.
typedef struct drive {
    /// Function before the first step, or null
    void (*prepare)(scene *s, int run);
    /// Functions of the library's side and of Chipmunk's
    void (*act[2])(side *side);
    /// Steps before the film, and in it
    int warm, frames;
} drive;

/// Bodies in motion. Goals are parts of Chipmunk's time.
typedef struct motion {
    const drive *drive;
    heap heap;
    /// Goal of the median frame, or of the mean if worst_goal is set
    double goal;
    /// Goal of the worst frame, 0: none
    double worst_goal;
} motion;

/// Times of frames of both sides [s], and depth on the library's side [px]
typedef struct film {
    double times[2][RUNS][MOST_FRAMES], depth;
    int frames[RUNS];
} film;

static void nudge(pv_world *w, int run) {
    int i = 0;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b)) {
        if (pv_body_get_type(w, b) != PV_BODY_DYNAMIC) continue;
        double way = GOLDEN_ANGLE * (i++ * RUNS + run);
        pv_vec2 at = pv_body_get_position(w, b);
        pv_body_set_position(w, b, (pv_vec2){at.x + NUDGE * cos(way), at.y + NUDGE * sin(way)});
    }
}

static double time_frame(side *s) {
    double start = processor_time();
    if (!s->world) return 0;
    run_side(s, 1);
    return processor_time() - start;
}

static void film_frames(film *f, const drive *how, scene *s, int run) {
    double end = now() + FILM_TIME;
    int done = 0;
    for (; done < how->frames && (done == 0 || now() < end); done++) {
        f->times[0][run][done] = time_frame(&s->ours);
        f->times[1][run][done] = time_frame(&s->peer);
        if (done % FRAMES_A_LOOK == 0) f->depth = fmax(f->depth, worst_depth(s->ours.world));
    }
    if (done < how->frames)
        fprintf(stderr, "speed: no time for more than %d of %d frames\n", done, how->frames);
    f->frames[run] = done;
}

static void film_run(film *f, const motion *m, int run) {
    const drive *how = m->drive;
    scene s;
    open_heap(&s, &m->heap);
    nudge(s.ours.world, run);
    if (how->prepare) how->prepare(&s, run);
    open_peer(&s);
    s.ours.act = how->act[0];
    s.peer.act = how->act[1];
    settle(&s.ours, how->warm, WARM_TIME);
    settle(&s.peer, how->warm, WARM_TIME);
    film_frames(f, how, &s, run);
    check_box(&s);
    close_scene(&s);
}

/// Returns the median frame of one side [ms].
static double median_frame(const film *f, int which) {
    double all[RUNS * MOST_FRAMES];
    int count = 0;
    for (int run = 0; run < RUNS; run++)
        for (int i = 0; i < f->frames[run]; i++) all[count++] = f->times[which][run][i];
    return 1e3 * median(all, count);
}

/// Finds the medians over runs of the mean and of the worst frame of one side [ms].
static void mean_and_worst(const film *f, int which, double *mean, double *worst) {
    double means[RUNS] = {0}, worsts[RUNS] = {0};
    for (int run = 0; run < RUNS; run++)
        for (int i = 0; i < f->frames[run]; i++) {
            means[run] += f->times[which][run][i] / f->frames[run];
            worsts[run] = fmax(worsts[run], f->times[which][run][i]);
        }
    *mean = 1e3 * median(means, RUNS);
    *worst = 1e3 * median(worsts, RUNS);
}

static void report_beside(const char *name, const char *what, double goal, const double times[2]) {
    char text[80];
    snprintf(text, sizeof text, "%s%s", name, what);
    report(&(row){text, "ms", times[0], goal * times[1], times[1], "Chipmunk"});
}

static void measure_motion(const motion *m) {
    if (!wanted(m->heap.name)) return;
    film f = {.depth = 0};
    double times[2], worst[2];
    char text[80];
    for (int run = 0; run < RUNS; run++) film_run(&f, m, run);
    for (int i = 0; i < 2; i++) {
        mean_and_worst(&f, i, &times[i], &worst[i]);
        if (m->worst_goal == 0) times[i] = median_frame(&f, i);
    }
    report_beside(m->heap.name, "", m->goal, times);
    if (m->worst_goal > 0) report_beside(m->heap.name, "_worst", m->worst_goal, worst);
    snprintf(text, sizeof text, "%s_depth", m->heap.name);
    report(&(row){.name = text, .unit = "px", .value = f.depth});
}

/* ---- Stirred ---- */

/// Begins to turn gravity, at another angle in each run.
static void stir(scene *s, int run) {
    begin_to_stir(&s->ours);
    s->ours.steps = run * TURN / RUNS;
}

/* ---- Crowds ---- */

/// Returns a velocity toward the middle of the heap, and none there.
static pv_vec2 press(const scene *s, pv_vec2 at) {
    pv_vec2 way = {0.5 * s->width - at.x, -s->height / 3.0 - at.y};
    double speed = fmin(CROWD_SPEED / hypot(way.x, way.y), 1 / STEP);
    return (pv_vec2){speed * way.x, speed * way.y};
}

static void press_ours(side *s) { drive_ours(s, press); }

static void press_chipmunk(side *s) { chipmunk_drive(s->world, press, s->scene); }

/// Removes gravity and rotation.
static void lock(scene *s, int run) {
    (void)run;
    pv_world *w = s->ours.world;
    s->ours.gravity = 0;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b))
        pv_body_set_motion_locks(w, b, PV_LOCK_ROTATION);
}

/* ---- Growth ---- */

/// Reports the exponent of the time from 500 to 8000 bodies, in twenty lines each.
static void measure_growth(const heap *h) {
    if (!wanted(h->name)) return;
    scene s[2];
    double times[2];
    for (int i = 0; i < 2; i++) {
        heap sized = *h;
        sized.count = i ? 8000 : 500;
        sized.columns = sized.count / 20;
        open_heap(&s[i], &sized);
        begin_to_stir(&s[i].ours);
        settle(&s[i].ours, WARM, 4 * WARM_TIME);
    }
    measure_steps((subject[]){{run_side, &s[0].ours, NULL}, {run_side, &s[1].ours, NULL}},
                  (long[]){16, 1}, 2, GROWTH_TIME, times);
    report(&(row){
        .name = h->name, .unit = "of n", .value = log(times[1] / times[0]) / log(16), .goal = 1.1});
    for (int i = 0; i < 2; i++) close_scene(&s[i]);
}

/* ---- The section ---- */

void speed_moving(void) {
    outline disc = outline_disc(16), octagon = outline_octagon(24), box = outline_box(24, 24),
            star = outline_star(32), c = outline_letter_c(32);
    const heap sizes[] = {{"exponent_circles", {&disc}, 0, 0, 17},
                          {"exponent_boxes", {&box}, 0, 0, 34},
                          {"exponent_concave", {&star, &c}, 0, 0, 33}};
    const drive stirred = {stir, {NULL, NULL}, WARM, FRAMES},
                falling = {NULL, {NULL, NULL}, 0, MOST_FRAMES},
                crowd = {lock, {press_ours, press_chipmunk}, WARM, FRAMES};
    const motion motions[] = {
        {&stirred, {"stirred_circles_1000", {&disc}, 1000, 40, 17}, 0.65, 0},
        {&stirred, {"stirred_octagons_1000", {&octagon}, 1000, 40, 26}, 0.5, 0},
        {&stirred, {"stirred_boxes_500", {&box}, 500, 25, 34}, 0.75, 0},
        {&stirred, {"stirred_concave_500", {&star, &c}, 500, 25, 33}, 0.55, 0},
        {&stirred, {"stirred_concave_2000", {&star, &c}, 2000, 100, 33}, 0.55, 0},
        {&falling,
         {"falling_mixed_1000", {&disc, &octagon, &box, &star, &c}, 1000, 32, 40},
         0.6,
         0.6},
        {&crowd, {"crowd_discs_2000", {&disc}, 2000, 45, 17}, 0.85, 0},
        {&crowd, {"crowd_sprites_2000", {&star, &c}, 2000, 45, 33}, 0.28, 0},
    };
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) measure_motion(&motions[i]);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) measure_growth(&sizes[i]);
    speed_shooter((const outline *[]){&disc, &octagon, &box, &star, &c});
    speed_still();
    speed_memory();
    outline_free(&disc);
    outline_free(&octagon);
    outline_free(&box);
    outline_free(&star);
    outline_free(&c);
}
