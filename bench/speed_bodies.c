/* speed_bodies.c - what a step of resting and stirred bodies costs, beside Chipmunk's.
 *
 * Invariant: both sides start from the same poses of the same outlines, never sleep, and are stepped in turns; what
 * the library's side overlaps by is told with every time.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "speed.h"

#include <math.h>
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/// Steps in which gravity turns once; also what is measured at most, in rounds of STEPS.
enum { TURN = 240, STEPS = 8, WALL = 64 };

static const double PI = 3.14159265358979323846, GOLDEN_ANGLE = 2.39996322972865332;

/// The time that a heap has to come to rest, that either side has to warm up, and to be measured [s].
static const double SETTLE_TIME = 16, WARM_TIME = 4, MEASURE_TIME = 8;

/* ---- Worlds ---- */

pv_world *open_world(bool sleeping) {
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, GRAVITY};
    def.sleeping = sleeping;
    pv_world *w = pv_world_create(&def, NULL);
    if (!w) exit(1);
    return w;
}

pv_body put(pv_world *world, pv_body_type type, const outline *o, double x, double y, double angle) {
    pv_body_def def = pv_body_def_default();
    pv_status status;
    def.type = type;
    def.mask = o->mask;
    def.position = (pv_vec2){x, y};
    def.angle = angle;
    def.restitution = 0;
    def.static_friction = def.kinetic_friction = FRICTION;
    def.user_data = (void *)(uintptr_t)o;
    pv_body body = pv_body_create(world, &def, &status);
    if (status != PV_OK) exit(1);
    return body;
}

/// One of the two that are compared.
typedef struct side {
    void *world;
    void (*step)(void *world, pv_vec2 gravity);
    bool stirred;
    long turned; ///< steps since gravity began to turn
} side;

static void step_world(void *world, pv_vec2 gravity) {
    pv_vec2 g = pv_world_gravity(world);
    if (g.x != gravity.x || g.y != gravity.y) pv_world_set_gravity(world, gravity);
    pv_world_step(world, STEP);
}

static void run_side(void *state, long steps) {
    side *s = state;
    for (; steps > 0; steps--) {
        double angle = s->stirred ? 2 * PI * (double)s->turned++ / TURN : 0;
        s->step(s->world, (pv_vec2){GRAVITY * sin(angle), GRAVITY * cos(angle)});
    }
}

/// Steps on, as far as the time allows.
static void settle(side *s, int steps, double time) {
    double end = now() + time;
    int done = 0;
    for (; done < steps && now() < end; done++) run_side(s, 1);
    if (done < steps) fprintf(stderr, "speed: no time for more than %d of %d steps\n", done, steps);
}

/// The library's world as it stands, in Chipmunk.
static chipmunk *twin_of(const pv_world *w) {
    chipmunk *c = chipmunk_open();
    if (!c) return NULL;
    for (pv_body b = pv_world_next_body(w, (pv_body){0}); pv_body_is_valid(w, b);
         b = pv_world_next_body(w, b)) {
        pv_vec2 at = pv_body_position(w, b);
        bool fixed = pv_body_get_type(w, b) == PV_BODY_STATIC;
        chipmunk_put(c, fixed, pv_body_user_data(w, b), at.x, at.y, pv_body_angle(w, b));
    }
    return c;
}

/* ---- Measuring ---- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void measure_steps(const subject *subjects, const long steps[], int count, double time, double milliseconds[]) {
    enum { MOST_ROUNDS = TURN / STEPS, LEAST_ROUNDS = 3 };
    double times[MOST_SUBJECTS][MOST_ROUNDS], end = now() + time;
    int rounds = 0;
    for (; rounds < MOST_ROUNDS && (rounds < LEAST_ROUNDS || now() < end); rounds++)
        for (int i = 0; i < count; i++) {
            double start = processor_time();
            subjects[i].run(subjects[i].state, steps[i]);
            times[i][rounds] = (processor_time() - start) / (double)steps[i];
        }
    for (int i = 0; i < count; i++) {
        qsort(times[i], (size_t)rounds, sizeof times[i][0], by_size);
        milliseconds[i] = 1e3 * times[i][rounds / 2];
    }
}

/* ---- Overlap ---- */

static bool meet(const pv_box *a, const pv_box *b) {
    return a->min.x < b->max.x && b->min.x < a->max.x && a->min.y < b->max.y && b->min.y < a->max.y;
}

/// The most pixels that two of them share.
static int64_t worst_overlap(const pv_placed *sprites, int count) {
    int64_t worst = 0;
    pv_box *boxes = malloc((size_t)count * sizeof *boxes);
    if (!boxes) exit(1);
    for (int i = 0; i < count; i++) boxes[i] = pv_placed_box(&sprites[i]);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            if (!meet(&boxes[i], &boxes[j])) continue;
            int64_t area = pv_placed_overlap_area(&sprites[i], &sprites[j]);
            if (area > worst) worst = area;
        }
    free(boxes);
    return worst;
}

static void report_overlap(const char *name, const char *whose, const pv_placed *sprites, int count) {
    char text[80];
    snprintf(text, sizeof text, "%s_overlap%s", name, whose);
    report(&(row){.name = text, .unit = "px", .value = (double)worst_overlap(sprites, count)});
}

static void report_overlaps(const char *name, const pv_world *w, const chipmunk *peer) {
    int n = 0;
    pv_placed *all = malloc((size_t)pv_world_get_stats(w).bodies * sizeof *all);
    if (!all) exit(1);
    for (pv_body b = pv_world_next_body(w, (pv_body){0}); pv_body_is_valid(w, b); b = pv_world_next_body(w, b))
        all[n++] = (pv_placed){pv_body_mask(w, b), pv_body_transform(w, b)};
    report_overlap(name, "", all, n);
    if (peer) {
        chipmunk_place(peer, all, n);
        report_overlap(name, "_chipmunk", all, n);
    }
    free(all);
}

/* ---- Scenes ---- */

/// A scene, and the part of Chipmunk's time that is the goal, 0 for none.
typedef struct scene {
    const char *name;
    outline kinds[2]; ///< in turns
    int count, columns, cell;
    double rest_goal, stirred_goal;
    bool stirred; ///< whether it is measured so, too
} scene;

static void compare(const char *name, const char *how, double goal, side *ours, side *peer) {
    double times[2] = {0};
    char text[80];
    measure_steps((subject[]){{run_side, ours, NULL}, {run_side, peer, NULL}}, (long[]){STEPS, STEPS},
                  peer->world ? 2 : 1, MEASURE_TIME, times);
    snprintf(text, sizeof text, "%s%s", name, how);
    report(&(row){text, "ms", times[0], goal * times[1], times[1], "Chipmunk"});
    report_overlaps(text, ours->world, peer->world);
}

/// A box in which all fits, with room for half as much again.
static void put_walls(pv_world *w, int width, int height, outline walls[2]) {
    walls[0] = outline_box(width + 2 * WALL, WALL);
    walls[1] = outline_box(WALL, height);
    for (int i = 0; i < 2; i++) {
        put(w, PV_BODY_STATIC, &walls[0], 0.5 * width, i ? -height - 0.5 * WALL : 0.5 * WALL, 0);
        put(w, PV_BODY_STATIC, &walls[1], i ? width + 0.5 * WALL : -0.5 * WALL, -0.5 * height, 0);
    }
}

/// Puts the middle of a square picture somewhere, so that it turns within its cell.
static void put_picture(pv_world *w, const outline *o, double x, double y, double angle) {
    pv_vec2 centroid = pv_mask_mass(o->mask).centroid;
    pv_transform t = pv_transform_default();
    t.pivot = (pv_vec2){0.5 * pv_mask_width(o->mask), 0.5 * pv_mask_height(o->mask)};
    t.position = (pv_vec2){x, y};
    t.rotation = pv_rotation_from_angle(angle);
    pv_vec2 at = pv_transform_point(&t, centroid);
    put(w, PV_BODY_DYNAMIC, o, at.x, at.y, angle);
}

static void put_heap(pv_world *w, const scene *s) {
    for (int i = 0; i < s->count; i++) {
        int line = i / s->columns, column = i % s->columns;
        double x = s->cell * (column + (line % 2 ? 1.0 : 0.5)), y = -s->cell * (line + 0.5);
        put_picture(w, &s->kinds[i % 2], x, y, GOLDEN_ANGLE * i);
    }
}

/// Says how many bodies the box has lost, for these cost nothing.
static void check_box(const pv_world *w, int width, int height) {
    int lost = 0;
    for (pv_body b = pv_world_next_body(w, (pv_body){0}); pv_body_is_valid(w, b);
         b = pv_world_next_body(w, b)) {
        pv_vec2 at = pv_body_position(w, b);
        bool in = at.x > 0 && at.x < width && at.y < 0 && at.y > -height;
        lost += !in && pv_body_get_type(w, b) == PV_BODY_DYNAMIC;
    }
    if (lost) fprintf(stderr, "speed: %d bodies have left their box\n", lost);
}

static void measure_heap(scene *s) {
    outline walls[2];
    int rows = (s->count + s->columns - 1) / s->columns;
    int width = s->cell * s->columns + s->cell / 2, height = s->cell * rows * 3 / 2;
    side ours = {open_world(false), step_world, false, 0};
    put_walls(ours.world, width, height, walls);
    put_heap(ours.world, s);
    settle(&ours, 600, SETTLE_TIME);
    side peer = {twin_of(ours.world), chipmunk_step, false, 0};
    if (peer.world) settle(&peer, 120, WARM_TIME);
    compare(s->name, "_rest", s->rest_goal, &ours, &peer);
    if (s->stirred) {
        ours.stirred = peer.stirred = true;
        settle(&ours, TURN / 2, WARM_TIME);
        if (peer.world) settle(&peer, TURN / 2, WARM_TIME);
        compare(s->name, "_stirred", s->stirred_goal, &ours, &peer);
    }
    check_box(ours.world, width, height);
    if (peer.world) chipmunk_close(peer.world);
    pv_world_destroy(ours.world);
    for (int i = 0; i < 2; i++) outline_free(&walls[i]);
}

/// A world, and a buffer that its snapshot fits in.
typedef struct album {
    pv_world *world;
    void *buffer;
    size_t capacity;
} album;

static void save_and_restore(void *state, long repeats) {
    album *a = state;
    for (size_t size; repeats > 0; repeats--)
        if (pv_world_save(a->world, 0, a->buffer, a->capacity, &size) != PV_OK ||
            pv_world_restore(a->world, a->buffer, size) != PV_OK)
            exit(1);
}

/// Taking a world back, which is what a rollback does, beside one of its steps.
static void measure_snapshots(side *ours) {
    album a = {.world = ours->world, .capacity = pv_world_snapshot_size(ours->world, 0)};
    double times[2];
    a.buffer = malloc(a.capacity);
    if (!a.buffer) exit(1);
    measure_steps((subject[]){{run_side, ours, NULL}, {save_and_restore, &a, NULL}}, (long[]){STEPS, STEPS}, 2,
                  MEASURE_TIME, times);
    report(&(row){.name = "snapshot_820", .unit = "ms", .value = times[1], .goal = 0.25 * times[0]});
    report(&(row){.name = "snapshot_820_bytes", .unit = "bytes", .value = (double)a.capacity});
    free(a.buffer);
}

static void measure_pyramid(int base, double goal) {
    outline box = outline_box(32, 32), ground = outline_box(base * 48, WALL);
    side ours = {open_world(false), step_world, false, 0};
    put(ours.world, PV_BODY_STATIC, &ground, 0, 0.5 * WALL, 0);
    for (int line = 0; line < base; line++)
        for (int i = 0; i < base - line; i++)
            put(ours.world, PV_BODY_DYNAMIC, &box, 34 * (i - 0.5 * (base - 1 - line)), -32 * line - 16, 0);
    side peer = {twin_of(ours.world), chipmunk_step, false, 0};
    settle(&ours, 300, SETTLE_TIME);
    if (peer.world) settle(&peer, 300, WARM_TIME);
    compare("pyramid_40", "", goal, &ours, &peer);
    if (peer.world) chipmunk_close(peer.world);
    measure_snapshots(&ours);
    pv_world_destroy(ours.world);
    outline_free(&box);
    outline_free(&ground);
}

void speed_bodies(void) {
    outline disc = outline_disc(16), star = outline_star(32), c = outline_letter_c(32);
    scene scenes[] = {{"circles_1000", {disc, disc}, 1000, 40, 17, 0.45, 0.75, true},
                      {"concave_500", {star, c}, 500, 25, 33, 0.15, 0.5, true},
                      {"concave_2000", {star, c}, 2000, 50, 33, 0.06, 0, false},
                      {"circles_5000", {disc, disc}, 5000, 80, 17, 0, 0, false}};
    measure_pyramid(40, 0.28);
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) measure_heap(&scenes[i]);
    speed_growth();
    outline_free(&disc);
    outline_free(&star);
    outline_free(&c);
}
