/* speed_scenes.c - worlds for comparisons with a rival: heaps in a box, and a pyramid.
 *
 * Invariant: both sides start from the same poses and velocities of the same outlines. They never
 * sleep, and are stepped in turns.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_scenes.h"

#include <math.h>
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WALL = 64 };

static const double PI = 3.14159265358979323846;

/// Longest time of a comparison [s]
static const double MEASURE_TIME = 8;

/* ---- Worlds ---- */

pv_world *open_world(bool sleeping) {
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, GRAVITY};
    def.enable_sleep = sleeping;
    pv_world *w = pv_world_create(&def, NULL);
    if (!w) exit(1);
    return w;
}

pv_body_id put(pv_world *world, pv_body_type type, const outline *o, double x, double y,
               double angle) {
    pv_body_def def = pv_body_def_default();
    pv_error error;
    def.type = type;
    def.mask = o->mask;
    def.position = (pv_vec2){x, y};
    def.angle = angle;
    def.restitution = 0;
    def.static_friction = def.friction = FRICTION;
    def.user_data = (void *)(uintptr_t)o;
    pv_body_id body = pv_body_create(world, &def, &error);
    if (error.status != PV_OK) exit(1);
    return body;
}

static void step_world(void *world, pv_vec2 gravity) {
    pv_vec2 g = pv_world_get_gravity(world);
    if (g.x != gravity.x || g.y != gravity.y) pv_world_set_gravity(world, gravity);
    pv_world_step(world, STEP);
}

static void place_ours(const void *world, pv_placed *sprites, int count) {
    const pv_world *w = world;
    int i = 0;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0});
         i < count && pv_body_is_valid(w, b); b = pv_world_get_next_body(w, b))
        sprites[i++] = (pv_placed){pv_body_get_mask(w, b), pv_body_get_transform(w, b)};
}

void run_side(void *state, long steps) {
    side *s = state;
    for (; steps > 0; steps--) {
        double angle = s->stirred ? 2 * PI * (double)s->steps / TURN : 0;
        if (s->act) s->act(s);
        s->step(s->world, (pv_vec2){s->gravity * sin(angle), s->gravity * cos(angle)});
        s->steps++;
    }
}

void begin_to_stir(side *s) {
    s->stirred = true;
    s->steps = 0;
}

void drive_ours(side *s, by_place velocity) {
    pv_world *w = s->world;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b))
        if (pv_body_get_type(w, b) == PV_BODY_DYNAMIC)
            pv_body_set_velocity(w, b, velocity(s->scene, pv_body_get_position(w, b)));
}

void settle(side *s, int steps, double time) {
    double end = now() + time;
    int done = 0;
    if (!s->world) return;
    for (; done < steps && now() < end; done++) run_side(s, 1);
    if (done < steps) fprintf(stderr, "speed: no time for more than %d of %d steps\n", done, steps);
}

void open_peer(scene *s) {
    const pv_world *w = s->ours.world;
    rival *r = rival_open();
    s->peer = s->ours;
    s->peer.world = r;
    s->peer.step = rival_step;
    s->peer.place = rival_place;
    if (!r) return;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b)) {
        pv_body_def def = pv_body_get_def(w, b);
        rival_put(r, &def);
    }
}

void close_scene(scene *s) {
    if (s->peer.world) rival_close(s->peer.world);
    pv_world_destroy(s->ours.world);
    for (int i = 0; i < 2; i++) outline_free(&s->parts[i]);
}

/* ---- Measuring ---- */

double processor_time(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void measure_steps(const subject *subjects, const long steps[], int count, double time,
                   double milliseconds[]) {
    enum { MOST_ROUNDS = TURN / STEPS, LEAST_ROUNDS = 3 };
    double times[MOST_SUBJECTS][MOST_ROUNDS], end = now() + time;
    int rounds = 0;
    for (; rounds < MOST_ROUNDS && (rounds < LEAST_ROUNDS || now() < end); rounds++)
        for (int i = 0; i < count; i++) {
            double start = processor_time();
            subjects[i].run(subjects[i].state, steps[i]);
            times[i][rounds] = (processor_time() - start) / (double)steps[i];
        }
    for (int i = 0; i < count; i++) milliseconds[i] = 1e3 * median(times[i], rounds);
}

void compare(const char *name, double goal, scene *s) {
    double times[2] = {0};
    measure_steps((subject[]){{run_side, &s->ours, NULL}, {run_side, &s->peer, NULL}},
                  (long[]){STEPS, STEPS}, s->peer.world ? 2 : 1, MEASURE_TIME, times);
    report(&(row){name, "ms", times[0], goal * times[1], times[1], rival_name});
}

/* ---- Heaps ---- */

static void put_walls(pv_world *w, int width, int height, outline walls[2]) {
    walls[0] = outline_box(width + 2 * WALL, WALL);
    walls[1] = outline_box(WALL, height);
    for (int i = 0; i < 2; i++) {
        put(w, PV_BODY_STATIC, &walls[0], 0.5 * width, i ? -height - 0.5 * WALL : 0.5 * WALL, 0);
        put(w, PV_BODY_STATIC, &walls[1], i ? width + 0.5 * WALL : -0.5 * WALL, -0.5 * height, 0);
    }
}

/// Creates a body with the middle of its square picture at a point, so that it rotates within its
/// cell.
static void put_picture(pv_world *w, const outline *o, place p) {
    pv_vec2 centroid = pv_mask_compute_mass(o->mask).centroid;
    pv_transform t = pv_transform_identity();
    t.pivot = (pv_vec2){0.5 * pv_mask_get_width(o->mask), 0.5 * pv_mask_get_height(o->mask)};
    t.position = p.at;
    t.rotation = pv_rotation_from_angle(p.angle);
    pv_vec2 at = pv_transform_to_world(&t, centroid);
    put(w, PV_BODY_DYNAMIC, o, at.x, at.y, p.angle);
}

void open_scene(scene *s, pv_world *world) {
    *s = (scene){.ours = {.world = world,
                          .step = step_world,
                          .place = place_ours,
                          .scene = s,
                          .gravity = GRAVITY}};
}

void open_heap(scene *s, const heap *h) {
    open_scene(s, open_world(false));
    s->width = heap_width(h);
    s->height = heap_height(h);
    put_walls(s->ours.world, s->width, s->height, s->parts);
    for (int i = 0; i < h->count; i++)
        put_picture(s->ours.world, heap_outline(h, i), heap_place(h, i));
}

void check_box(const scene *s) {
    const pv_world *w = s->ours.world;
    int lost = 0;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b)) {
        pv_vec2 at = pv_body_get_position(w, b);
        bool in = at.x > 0 && at.x < s->width && at.y < 0 && at.y > -s->height;
        lost += !in && pv_body_get_type(w, b) == PV_BODY_DYNAMIC;
    }
    if (lost) fprintf(stderr, "speed: %d bodies have left their box\n", lost);
}

/* ---- The pyramid ---- */

void open_pyramid(scene *s, int base, int seed) {
    open_scene(s, open_world(false));
    s->parts[0] = outline_box(32, 32);
    s->parts[1] = outline_box(base * 48, WALL);
    put(s->ours.world, PV_BODY_STATIC, &s->parts[1], 0, 0.5 * WALL, 0);
    for (int line = 0, n = 0; line < base; line++)
        for (int i = 0; i < base - line; i++)
            put(s->ours.world, PV_BODY_DYNAMIC, &s->parts[0],
                34 * (i - 0.5 * (base - 1 - line)) + layout_shift(seed, n++).x, -32 * line - 16, 0);
}
