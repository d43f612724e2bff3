/* speed_moving.c - scenes where all bodies move, or rest without sleep, beside a rival.
 *
 * Invariant: films begin at the bodies' first step, or once they have settled. Stirred ones are a
 * whole turn of gravity long.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_scenes.h"

#include <math.h>
#include <pixverlet.h>

/// Heights of a low and of a high lid, in heights of the heap
#define LOW 1.5
#define HIGH 3

/// Steps until a heap rests, and runs of the rival where it is slow
enum { SETTLE = 360, SLOW_RUNS = 2 };

static const double CROWD_SPEED = 80;

/* ---- Crowds ---- */

/// Returns a velocity toward the middle of the heap, slower close to it.
static pv_vec2 press(const scene *s, pv_vec2 at) {
    pv_vec2 way = {0.5 * s->width - at.x, -s->height / 3.0 - at.y};
    double speed = fmin(CROWD_SPEED / hypot(way.x, way.y), 1 / STEP);
    return (pv_vec2){speed * way.x, speed * way.y};
}

static void press_ours(side *s) { drive_ours(s, press); }

static void press_rival(side *s) { rival_drive(s->world, press, s->scene); }

/// Opens a heap without gravity or rotation.
static void open_crowd(scene *s, const film *f) {
    open_heap(s, &f->heap);
    pv_world *w = s->ours.world;
    s->ours.gravity = 0;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b))
        pv_body_set_motion_locks(w, b, PV_LOCK_ROTATION);
}

/* ---- The section ---- */

static void open_pile(scene *s, const film *f) { open_pyramid(s, f->heap.columns, f->heap.seed); }

/// Heap that is stirred: its lids, and the goals of its times and depth
typedef struct stirring {
    const char *name;
    const heap *heap;
    int settle, rival_runs;
    double lids[2], goal, depth_goal;
} stirring;

/// Films a heap while gravity turns once.
static void film_stirring(const stirring *s) {
    film f = {.heap = *s->heap,
              .open = film_open_heap,
              .settle = s->settle,
              .frames = TURN,
              .rival_runs = s->rival_runs,
              .stirred = true,
              .lids = {s->lids[0], s->lids[1]},
              .goal = s->goal,
              .depth_goal = s->depth_goal};
    f.heap.name = s->name;
    film_measure(&f);
}

static void film_stirrings(const outline *kinds[MOST_KINDS]) {
    heap discs = {.kinds = {kinds[0]}, .count = 1000, .columns = 40, .cell = 17},
         octagons = {.kinds = {kinds[1]}, .count = 1000, .columns = 40, .cell = 27},
         boxes = {.kinds = {kinds[2]}, .count = 500, .columns = 25, .cell = 35},
         few = {.kinds = {kinds[3], kinds[4]}, .count = 500, .columns = 25, .cell = 34},
         many = {.kinds = {kinds[3], kinds[4]}, .count = 2000, .columns = 100, .cell = 34};
    const stirring all[] = {
        {"stirred_circles_1000_low", &discs, 0, 0, {LOW, LOW}, 0.9, 0.6},
        {"stirred_circles_1000_high", &discs, 0, 0, {HIGH, HIGH}, 0.9, 0.6},
        {"stirred_circles_1000_settled", &discs, SETTLE, 0, {LOW, HIGH}, 0.9, 0.6},
        {"stirred_octagons_1000_low", &octagons, 0, 0, {LOW, LOW}, 0.9, 1.3},
        {"stirred_octagons_1000_high", &octagons, 0, 0, {HIGH, HIGH}, 0.9, 1.3},
        {"stirred_boxes_500_low", &boxes, 0, 0, {LOW, LOW}, 0.9, 1},
        {"stirred_boxes_500_high", &boxes, 0, 0, {HIGH, HIGH}, 0.9, 1},
        {"stirred_concave_500_low", &few, 0, 0, {LOW, LOW}, 0.35, 3},
        {"stirred_concave_500_high", &few, 0, 0, {HIGH, HIGH}, 0.35, 3},
        {"stirred_concave_2000_both", &many, 0, SLOW_RUNS, {LOW, HIGH}, 0.2, 3},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) film_stirring(&all[i]);
}

static void film_others(const outline *kinds[MOST_KINDS]) {
    const outline *disc = kinds[0], *star = kinds[3], *c = kinds[4];
    const film films[] = {
        {.heap = {"falling_mixed_1000", {disc, kinds[1], kinds[2], star, c}, 1000, 32, 40, 0, 0},
         .open = film_open_heap,
         .frames = TURN,
         .goal = 0.5,
         .worst_goal = 0.6,
         .depth_goal = 5},
        {.heap = {"crowd_discs_2000", {disc}, 2000, 45, 17, 0, 0},
         .open = open_crowd,
         .act = {press_ours, press_rival},
         .frames = TURN / 2,
         .goal = 0.45,
         .depth_goal = 0.1},
        {.heap = {"crowd_sprites_2000", {star, c}, 2000, 45, 34, 0, 0},
         .open = open_crowd,
         .act = {press_ours, press_rival},
         .frames = TURN / 2,
         .rival_runs = SLOW_RUNS,
         .goal = 0.28,
         .depth_goal = 3},
        {.heap = {"rest_circles_1000", {disc}, 1000, 40, 17, 0, 0},
         .open = film_open_heap,
         .settle = SETTLE,
         .frames = TURN / 2,
         .goal = 0.4,
         .depth_goal = 0.3},
        {.heap = {"rest_concave_500", {star, c}, 500, 25, 34, 0, 0},
         .open = film_open_heap,
         .settle = SETTLE,
         .frames = TURN / 2,
         .goal = 0.12,
         .depth_goal = 1},
        {.heap = {"rest_pyramid_40", {NULL}, 0, 40, 0, 0, 0},
         .open = open_pile,
         .settle = SETTLE,
         .frames = TURN / 2,
         .goal = 0.26,
         .depth_goal = 0.3},
    };
    for (size_t i = 0; i < sizeof films / sizeof *films; i++) film_measure(&films[i]);
}

void speed_moving(void) {
    outline disc = outline_disc(16), octagon = outline_octagon(24), box = outline_box(24, 24),
            star = outline_star(32), c = outline_letter_c(32);
    const outline *kinds[MOST_KINDS] = {&disc, &octagon, &box, &star, &c};
    film_stirrings(kinds);
    film_others(kinds);
    speed_shooter(kinds);
    speed_still();
    speed_memory();
    outline_free(&disc);
    outline_free(&octagon);
    outline_free(&box);
    outline_free(&star);
    outline_free(&c);
}
