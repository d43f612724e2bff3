/* mover_start.c - sets up a mover's state for a call, and finds the ground that carries it.
 *
 * Invariant: the world is only read.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/anchor.h"
#include "core/handle.h"
#include "mover/mover.h"
#include "query/query.h"

#include <string.h>

pv_vec2 pv__mover_local_point(const pv_world *world, int index, pv_vec2 point) {
    pv_body_id body = pv__index_handle(world, index);
    return pv__unrotate(pv_body_get_transform(world, body).rotation,
                        pv__sub(point, pv_body_get_position(world, body)));
}

pv_transform pv_mover_get_transform(const pv_mover *mover) {
    pv_transform t = pv_transform_identity();
    if (mover) {
        t.position = mover->position;
        t.pivot = mover->pivot;
    }
    return t;
}

void pv__mover_pixel_of(const pv_mover *m, int *x, int *y) {
    pv_transform t = pv_mover_get_transform(m);
    pv__map map = pv__raster_map_of(&t);
    *x = map.x0 - (int)(map.u >> 32);
    *y = map.y0 - (int)(map.v >> 32);
}

void pv__mover_start(pv__walk *w, const pv_world *world, const pv_mover *m, pv_vec2 velocity,
                     double dt) {
    const pv__body *own = pv__handle_body(world, m->body),
                   *ground = pv__handle_body(world, m->ground);
    int on = m->grounded || m->sliding ? pv__mover_index_of(world, m->ground) : -1;
    w->world = world;
    w->mover = m;
    w->bits = m->mask ? &m->mask->bits : &own->pixels->mask->bits;
    w->own = own ? (int)(own - world->bodies.items) : -1;
    w->dt = dt;
    w->velocity = velocity;
    bool left = ground && m->drop_through && pv__body_is_one_way(ground);
    w->ground = left || on == w->own ? -1 : on;
    w->standing = w->carried = w->crushed = w->ceiling = false;
    w->wall = w->downhill = 0;
    w->limited = m->max_slope < PV__ALL_SLOPES;
    w->limit = pv__rotation(m->max_slope);
    memcpy(w->passing, m->passing, sizeof w->passing);
    pv__mover_pixel_of(m, &w->x, &w->y);
    w->rest = pv__sub(pv__sub(m->position, m->pivot), pv__vec(w->x, w->y));
    pv__mover_gather(w, pv__mover_rect_at(w, w->x, w->y));
    pv__mover_keep_passing(w);
}

/// Tells whether a body holds the mover from below at an offset from its pose.
static bool held_at(pv__walk *w, pv__obstacle *o, pv_vec2 offset) {
    pv_placed placed = pv__query_placed(w->world, o->index);
    placed.transform.position = pv__add(placed.transform.position, offset);
    return pv__placed_sprite_of(&placed, &o->sprite) == PV_OK &&
           pv__mover_hits(w, o, w->x, w->y + 1) && !pv__mover_lets_pass(w, o, 0, 1, false);
}

/// Makes a body that sinks from under the mover its ground.
static bool board(pv__walk *w, pv_mover *m, int index) {
    pv__obstacle *o = &w->spare;
    pv_vec2 feet = pv__vec(w->x + 0.5 * w->bits->w, w->y + w->bits->h);
    pv_vec2 way = pv__mul(w->dt, pv__mover_velocity_of(w, index, feet));
    if (way.y <= w->velocity.y * w->dt || !pv__mover_take(w, index, o)) return false;
    if (held_at(w, o, pv__vec(0, 0)))
        way = pv__vec(0, 0);
    else if (!held_at(w, o, pv__mul(-1, way)))
        return false;
    m->grounded = true;
    m->ground = pv__index_handle(w->world, index);
    m->ground_point = feet;
    m->ground_local_point = pv__mover_local_point(w->world, index, pv__add(feet, way));
    w->ground = index;
    return true;
}

void pv__mover_board(pv__walk *w, pv_mover *m) {
    if (m->sliding || m->crushed || m->velocity.x != 0 || m->velocity.y != 0 || w->velocity.y < 0)
        return;
    pv__nearby near;
    pv__mover_seek(w, w->area, 0, &near);
    for (int index; (index = pv__mover_next_near(w, &near)) >= 0;)
        if (board(w, m, index)) return;
}
