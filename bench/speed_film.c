/* speed_film.c - films of whole scenes: times of the steps of both sides, and depths of bodies.
 *
 * Invariant: runs shift the bodies at the start by fractions of a pixel. In each run both sides do
 * the same frames, in turns long enough that cold caches hardly count.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_scenes.h"

#include <math.h>
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 6, QUICK_RUNS = 2, TAKE = 60, FRAMES_A_LOOK = 12, MOST_LOOKS = TURN / FRAMES_A_LOOK };

/// Greatest time for a scene to settle [s]
static const double SETTLE_TIME = 30;

/// Bodies of a scene, in the order of their creation
typedef struct cast {
    int count;
    solid_kind *kinds;
    pv_placed *sprites;
} cast;

/// Figures of one side
typedef struct roll {
    /// Times of all frames of all runs, and the worst of each run [ms]
    double times[RUNS * TURN], worst[RUNS];
    int frames;
    /// Greatest depth [px]
    double depth;
    /// Places of all bodies in some frames of a run
    pv_placed *looks;
    int look_count;
} roll;

/* ---- Depth ---- */

static void open_cast(cast *c, const scene *s) {
    const pv_world *w = s->ours.world;
    *c = (cast){.count = (int)pv_world_get_stats(w).bodies};
    c->kinds = malloc((size_t)c->count * sizeof *c->kinds);
    c->sprites = malloc((size_t)c->count * sizeof *c->sprites);
    if (!c->kinds || !c->sprites) exit(1);
    s->ours.place(w, c->sprites, c->count);
    int i = 0;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b))
        c->kinds[i++] =
            (solid_kind){pv_body_get_user_data(w, b), pv_body_get_type(w, b) == PV_BODY_DYNAMIC};
}

static void close_cast(cast *c) {
    free(c->kinds);
    free(c->sprites);
}

/// Notes the places of all bodies; measuring depths right away would flush the caches.
static void look(roll *r, const side *s, const cast *c) {
    pv_placed *to = &r->looks[r->look_count++ * c->count];
    memcpy(to, c->sprites, (size_t)c->count * sizeof *to);
    s->place(s->world, to, c->count);
}

static void open_looks(roll *r, const cast *c) {
    r->look_count = 0;
    r->looks = malloc((size_t)(MOST_LOOKS * c->count) * sizeof *r->looks);
    if (!r->looks) exit(1);
}

/// Measures the depth in all looks of a run.
static void close_looks(roll *r, const cast *c) {
    for (int i = 0; i < r->look_count; i++)
        r->depth = fmax(r->depth, worst_depth(&r->looks[i * c->count], c->kinds, c->count));
    free(r->looks);
    r->looks = NULL;
}

/* ---- Runs ---- */

static double time_frame(side *s) {
    double start = processor_time();
    run_side(s, 1);
    return 1e3 * (processor_time() - start);
}

/// Films frames of one side. Runs look at different frames.
static void film_take(roll *r, side *s, const cast *c, int first, int run) {
    for (int i = first; i < first + TAKE; i++) {
        double time = time_frame(s);
        r->times[r->frames++] = time;
        r->worst[run] = fmax(r->worst[run], time);
        if (r->looks && i % FRAMES_A_LOOK == 2 * run) look(r, s, c);
    }
}

static void open_film(scene *s, const film *f, int run) {
    film seeded = *f;
    seeded.heap.seed = run + 1;
    seeded.heap.lid = f->lids[run % 2];
    f->open(s, &seeded);
    if (f->rival_runs == 0 || run < f->rival_runs) open_peer(s);
    side *sides[2] = {&s->ours, &s->peer};
    for (int i = 0; i < 2; i++) {
        sides[i]->act = f->act[i];
        settle(sides[i], f->settle, SETTLE_TIME);
        if (f->stirred) begin_to_stir(sides[i]);
    }
}

static void film_takes(roll rolls[2], side *const sides[2], const cast *c, int frames, int run) {
    for (int first = 0; first < frames; first += TAKE)
        for (int k = 0; k < 2; k++) {
            int i = (first / TAKE + run + k) % 2;
            if (sides[i]->world) film_take(&rolls[i], sides[i], c, first, run);
        }
}

static void film_run(roll rolls[2], const film *f, int run) {
    scene s;
    cast c;
    open_film(&s, f, run);
    open_cast(&c, &s);
    for (int i = 0; f->depth_goal > 0 && i < 2; i++) open_looks(&rolls[i], &c);
    film_takes(rolls, (side *const[]){&s.ours, &s.peer}, &c, f->frames, run);
    for (int i = 0; f->depth_goal > 0 && i < 2; i++) close_looks(&rolls[i], &c);
    if (f->depth_goal > 0 && s.width > 0) check_box(&s);
    close_cast(&c);
    close_scene(&s);
}

/* ---- Rows ---- */

static double mean(const double *values, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += values[i];
    return count > 0 ? sum / count : 0;
}

static void report_times(const film *f, const char *what, double goal, const double times[2]) {
    char text[80];
    snprintf(text, sizeof text, "%s%s", f->heap.name, what);
    report(&(row){text, "ms", times[0], goal * times[1], times[1], rival_name});
}

static void report_depth(const film *f, const roll rolls[2]) {
    char text[80];
    snprintf(text, sizeof text, "%s_depth", f->heap.name);
    report(&(row){text, "px", rolls[0].depth, f->depth_goal, rolls[1].depth, rival_name});
}

void film_open_heap(scene *s, const film *f) { open_heap(s, &f->heap); }

void film_measure(const film *f) {
    static roll rolls[2];
    double means[2] = {0}, late[2] = {0}, worst[2] = {0};
    int runs = quick ? QUICK_RUNS : RUNS;
    if (!wanted(f->heap.name)) return;
    memset(rolls, 0, sizeof rolls);
    for (int run = 0; run < runs; run++) film_run(rolls, f, run);
    for (int i = 0; i < 2 && rolls[i].frames > 0; i++) {
        means[i] = mean(rolls[i].times, rolls[i].frames);
        late[i] = quantile(rolls[i].times, rolls[i].frames, 0.95);
        worst[i] = median(rolls[i].worst, runs);
    }
    report_times(f, "", f->goal, means);
    report_times(f, "_p95", f->goal, late);
    if (f->worst_goal > 0) report_times(f, "_worst", f->worst_goal, worst);
    if (f->depth_goal > 0) report_depth(f, rolls);
}
