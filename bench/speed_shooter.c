/* speed_shooter.c - bullets that fly through bodies and rays that end at them, with the step,
 * beside a rival.
 *
 * Invariant: each cell of the room has a body, at any number of cells. Both sides cast the same
 * rays.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_scenes.h"

#include <math.h>
#include <pixverlet.h>
#include <stdlib.h>

/// Rays per frame, frames until they repeat, width of a cell, and the category of bullets
enum { RAYS = 3000, VOLLEYS = 4, CELL = 96, BULLET = 2 };

static const double DRIFT = 40, BULLET_SPEED = 400, RANGE = 500;

/// Opens a room full of bodies that drift, weightless.
static void open_room(scene *s, const film *f) {
    int i = 0;
    open_heap(s, &f->heap);
    s->ours.gravity = 0;
    pv_world *w = s->ours.world;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b))
        if (pv_body_get_type(w, b) == PV_BODY_DYNAMIC)
            pv_body_set_velocity(w, b, layout_heading(i++, DRIFT));
}

/// Returns a film of a room with a body in each cell.
static film film_of_room(const char *name, double goal, const outline *kinds[MOST_KINDS],
                         int count) {
    film f = {.heap = {.name = name, .count = count, .cell = CELL}, .frames = TURN, .goal = goal};
    f.heap.columns = (int)ceil(sqrt(count));
    for (int k = 0; k < MOST_KINDS; k++) f.heap.kinds[k] = kinds[k];
    return f;
}

/* ---- Bullets ---- */

/// Wraps the position of a body that leaves the room to the other side.
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

static void fly_rival(side *s) { rival_shift(s->world, wrap, s->scene); }

static void put_bullet(pv_world *w, const outline *bullet, pv_vec2 at, pv_vec2 velocity) {
    pv_body_def def = pv_body_def_default();
    def.mask = bullet->mask;
    def.user_data = (void *)(uintptr_t)bullet;
    def.sensor = true;
    def.filter = (pv_filter){BULLET, 1, 0};
    def.position = at;
    def.velocity = velocity;
    if (!pv_body_is_valid(w, pv_body_create(w, &def, NULL))) exit(1);
}

static void open_range(scene *s, const film *f) {
    open_room(s, f);
    for (int i = 0; i < f->bullets; i++)
        put_bullet(s->ours.world, f->bullet, layout_spread(s->width, s->height, i),
                   layout_heading(i, BULLET_SPEED));
}

void measure_bullets(const char *name, double goal, const outline *kinds[MOST_KINDS], int bodies,
                     int bullets) {
    outline bullet = outline_disc(4);
    film f = film_of_room(name, goal, kinds, bodies);
    f.open = open_range;
    f.act[0] = fly_ours;
    f.act[1] = fly_rival;
    f.bullet = &bullet;
    f.bullets = bullets;
    film_measure(&f);
    outline_free(&bullet);
}

/* ---- Rays ---- */

static segment rays[VOLLEYS][RAYS];

static const segment *volley(const side *s) { return rays[s->steps % VOLLEYS]; }

/// Opens a room, and aims all rays.
static void open_gallery(scene *s, const film *f) {
    open_room(s, f);
    for (int i = 0; i < VOLLEYS * RAYS; i++) {
        pv_vec2 from = layout_spread(s->width, s->height, i), way = layout_heading(i, RANGE);
        rays[i / RAYS][i % RAYS] = (segment){from, {from.x + way.x, from.y + way.y}};
    }
}

static void cast_ours(side *s) {
    const segment *ray = volley(s);
    pv_cast_hit hit;
    for (int i = 0; i < RAYS; i++)
        sink += pv_world_cast_ray(s->world, ray[i].from, ray[i].to, PV_CAST_CLOSEST, NULL, &hit, 1);
}

static void cast_rival(side *s) { sink += rival_cast(s->world, volley(s), RAYS); }

static void measure_rays(const char *name, double goal, const outline *kinds[MOST_KINDS],
                         int count) {
    film f = film_of_room(name, goal, kinds, count);
    f.open = open_gallery;
    f.act[0] = cast_ours;
    f.act[1] = cast_rival;
    film_measure(&f);
}

void speed_shooter(const outline *kinds[MOST_KINDS]) {
    measure_bullets("shooter_bullets_300", 1, kinds, 300, 3000);
    measure_rays("shooter_rays_300", 0.33, kinds, 300);
    measure_rays("shooter_rays_3000", 0.2, kinds, 3000);
}
