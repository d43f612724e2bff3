/* speed_shooter.c - bullets that fly through bodies and rays that end at them, with the step,
 * beside Chipmunk.
 *
 * Invariant: each cell of the room has a body, at any number of cells. Neither side sees other
 * rays.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_scenes.h"

#include <math.h>
#include <pixverlet.h>
#include <stdlib.h>

/// Rays of a frame, frames until they come again, width of a cell, and the category of bullets.
enum { RAYS = 3000, VOLLEYS = 4, CELL = 96, BULLET = 2 };

static const double GOLDEN_ANGLE = 2.39996322972865332, DRIFT = 40, BULLET_SPEED = 400, RANGE = 500,
                    WARM_TIME = 5;

/// Steps of the R2 sequence, whose fractions spread evenly over a square.
static const double SPREAD_X = 0.75487766624669276, SPREAD_Y = 0.56984029099805327;

static pv_vec2 spread(const scene *s, int i) {
    return (pv_vec2){s->width * fmod(SPREAD_X * i + 0.5, 1),
                     -s->height * fmod(SPREAD_Y * i + 0.5, 1)};
}

static pv_vec2 heading(int i, double length) {
    return (pv_vec2){length * cos(GOLDEN_ANGLE * i), length * sin(GOLDEN_ANGLE * i)};
}

/// Opens both sides of a room full of bodies that drift, weightless.
static void open_room(scene *s, const outline *kinds[MOST_KINDS], int count) {
    heap h = {.count = count, .columns = (int)ceil(sqrt(count)), .cell = CELL};
    int i = 0;
    for (int k = 0; k < MOST_KINDS; k++) h.kinds[k] = kinds[k];
    open_heap(s, &h);
    s->ours.gravity = 0;
    pv_world *w = s->ours.world;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b))
        if (pv_body_get_type(w, b) == PV_BODY_DYNAMIC)
            pv_body_set_velocity(w, b, heading(i++, DRIFT));
}

static void measure_room(const char *name, double goal, scene *s, void (*ours)(side *),
                         void (*peer)(side *)) {
    open_peer(s);
    s->ours.act = ours;
    s->peer.act = peer;
    settle(&s->ours, 60, WARM_TIME);
    settle(&s->peer, 60, WARM_TIME);
    compare(name, goal, s);
    close_scene(s);
}

/* ---- Bullets ---- */

/// Returns the place on the other side for a body that leaves the room.
static pv_vec2 wrap(const scene *s, pv_vec2 at) {
    at.x -= s->width * floor(at.x / s->width);
    at.y -= s->height * ceil(at.y / s->height);
    return at;
}

static void fly_ours(side *s) {
    pv_world *w = s->world;
    sink += pv_world_get_events(w).sensor_begin_count;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b)) {
        pv_vec2 at = pv_body_get_position(w, b), to = wrap(s->scene, at);
        if (pv_body_get_filter(w, b).category_bits == BULLET && (at.x != to.x || at.y != to.y))
            pv_body_set_position(w, b, to);
    }
}

static void fly_chipmunk(side *s) { chipmunk_shift(s->world, wrap, s->scene); }

static void put_bullets(scene *s, const outline *bullet, int count) {
    pv_body_def def = pv_body_def_default();
    def.mask = bullet->mask;
    def.user_data = (void *)(uintptr_t)bullet;
    def.sensor = true;
    def.filter = (pv_filter){BULLET, 1, 0};
    for (int i = 0; i < count; i++) {
        def.position = spread(s, i);
        def.velocity = heading(i, BULLET_SPEED);
        if (!pv_body_is_valid(s->ours.world, pv_body_create(s->ours.world, &def, NULL))) exit(1);
    }
}

void measure_bullets(const char *name, double goal, const outline *kinds[MOST_KINDS], int bodies,
                     int bullets) {
    if (!wanted(name)) return;
    scene s;
    outline bullet = outline_disc(4);
    open_room(&s, kinds, bodies);
    put_bullets(&s, &bullet, bullets);
    measure_room(name, goal, &s, fly_ours, fly_chipmunk);
    outline_free(&bullet);
}

/* ---- Rays ---- */

static segment rays[VOLLEYS][RAYS];

static const segment *volley(const side *s) { return rays[s->steps % VOLLEYS]; }

static void aim(const scene *s) {
    for (int i = 0; i < VOLLEYS * RAYS; i++) {
        pv_vec2 from = spread(s, i), way = heading(i, RANGE);
        rays[i / RAYS][i % RAYS] = (segment){from, {from.x + way.x, from.y + way.y}};
    }
}

static void cast_ours(side *s) {
    const segment *ray = volley(s);
    pv_cast_hit hit;
    for (int i = 0; i < RAYS; i++)
        sink += pv_world_cast_ray(s->world, ray[i].from, ray[i].to, PV_CAST_CLOSEST, NULL, &hit, 1);
}

static void cast_chipmunk(side *s) { sink += chipmunk_cast(s->world, volley(s), RAYS); }

static void measure_rays(const char *name, double goal, const outline *kinds[MOST_KINDS],
                         int count) {
    if (!wanted(name)) return;
    scene s;
    open_room(&s, kinds, count);
    aim(&s);
    measure_room(name, goal, &s, cast_ours, cast_chipmunk);
}

void speed_shooter(const outline *kinds[MOST_KINDS]) {
    measure_bullets("shooter_bullets_300", 0.7, kinds, 300, 3000);
    measure_rays("shooter_rays_300", 0.33, kinds, 300);
    measure_rays("shooter_rays_3000", 0.2, kinds, 3000);
}
