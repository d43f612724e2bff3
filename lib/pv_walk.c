/* pv_walk.c - the pixels that a mover goes over, and what stops it there.
 *
 * Invariant: a step leads from one pixel to the next, and only to places where nothing that holds shares a pixel with the mask;
 * what does so from the start holds only where that is said.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_seek.h"
#include "pv_walk.h"

#include <stdlib.h>

/// Around the mover, where obstacles are gathered at once [px].
#define MARGIN 24
/// What a body's way in a step counts for at most [px].
static const double FASTEST = 256;
/// What turns its front to a step by less than 60 degrees holds it.
static const double FRONT = -0.5;

/* ---- what is in the way ---- */

static bool may_hold(const pv__walk *w, int index, const pv_box *box) {
    const pv__body *b = &w->world->bodies[index];
    if (!pv__solid(b) || index == w->own) return false;
    pv_box own = pv__current_box(w->world, index);
    if (!pv__boxes_meet(&own, box)) return false;
    return w->own >= 0 ? pv__may_meet(w->world, w->own, index) : pv__filters_agree(w->mover->filter, b->filter);
}

/// Turns a sprite once for all that is asked in the area, while there is room.
static void turn_once(pv__walk *w, pv__obstacle *o) {
    pv__sprite *s = &o->sprite;
    pv_rect part = pv__rect_meet(s->rect, w->area);
    size_t need = pv__word_count(part.w, part.h);
    if (s->upright || need == 0 || need > PV__OBSTACLE_ROOM - w->used) return;
    o->turned = (pv__bits){part.w, part.h, w->room + w->used};
    pv__raster(s->bits, &s->map, part.x, part.y, &o->turned);
    w->used += need;
    s->bits = &o->turned;
    s->rect = part;
    s->upright = true;
}

static bool take(const pv__walk *w, int index, pv__obstacle *o) {
    o->body = &w->world->bodies[index];
    o->index = index;
    pv_placed placed = pv__placed_of(o->body);
    return pv__sprite_of(&placed, &o->sprite) == PV_OK;
}

static pv_box box_of(pv_rect r) {
    return pv__box_widened((pv_box){{r.x, r.y}, {(double)r.x + r.w, (double)r.y + r.h}}, PV__SEEK_ROOM);
}

static pv_rect rect_at(const pv__walk *w, int x, int y) { return (pv_rect){x, y, w->bits->w, w->bits->h}; }

static pv_rect join(pv_rect a, pv_rect b) {
    int x = pv__sooner(a.x, b.x), y = pv__sooner(a.y, b.y);
    return (pv_rect){x, y, pv__later(a.x + a.w, b.x + b.w) - x, pv__later(a.y + a.h, b.y + b.h) - y};
}

/// Makes an area around where the mover is and what it asks about.
static void gather(pv__walk *w, pv_rect asked) {
    w->area = pv__rect_grown(join(rect_at(w, w->x, w->y), asked), MARGIN);
    w->count = 0;
    w->used = 0;
    pv_box box = box_of(w->area);
    pv__candidates near;
    pv__swath swath = pv__swath_of(box);
    pv__candidates_begin(&near, w->world, &swath, 0);
    while ((w->next = pv__candidates_next(&near)) >= 0) {
        if (!may_hold(w, w->next, &box)) continue;
        if (w->count == PV__OBSTACLES) return;
        if (take(w, w->next, &w->near[w->count])) turn_once(w, &w->near[w->count++]);
    }
}

static bool contains(pv_rect a, pv_rect b) {
    return b.x >= a.x && b.y >= a.y && b.x + b.w <= a.x + a.w && b.y + b.h <= a.y + a.h;
}

static bool hits(const pv__walk *w, const pv__obstacle *o, int x, int y) {
    pv__sprite own = {.bits = w->bits, .rect = rect_at(w, x, y), .upright = true};
    return pv__rect_meet(o->sprite.rect, own.rect).w > 0 && pv__sprites_hit(&o->sprite, &own);
}

/// The same of those that found no room; slots are counted on by the cursor.
static const pv__obstacle *next_beyond(pv__walk *w, int *cursor, int x, int y) {
    pv__candidates near;
    pv_box box = box_of(rect_at(w, x, y));
    pv__swath swath = pv__swath_of(box);
    pv__candidates_begin(&near, w->world, &swath, w->next + *cursor - w->count);
    for (int slot; (slot = pv__candidates_next(&near)) >= 0;) {
        *cursor = slot + 1 - w->next + w->count;
        if (may_hold(w, slot, &box) && take(w, slot, &w->spare) && hits(w, &w->spare, x, y)) return &w->spare;
    }
    return NULL;
}

const pv__obstacle *pv__next_hit(pv__walk *w, int *cursor, int x, int y) {
    pv_rect rect = rect_at(w, x, y);
    if (!contains(w->area, rect)) gather(w, rect);
    while (*cursor < w->count) {
        const pv__obstacle *o = &w->near[(*cursor)++];
        if (hits(w, o, x, y)) return o;
    }
    return w->next >= 0 ? next_beyond(w, cursor, x, y) : NULL;
}

static bool is_one_way(const pv__obstacle *o) { return o->body->one_way.x != 0 || o->body->one_way.y != 0; }

static pv_vec2 front_of(const pv__obstacle *o) { return pv__rotate(o->body->pose.turn, o->body->one_way); }

bool pv__lets_pass(const pv__walk *w, const pv__obstacle *o, int dx, int dy, bool feet) {
    if (w->carried && (o->index == w->ground || hits(w, o, w->x, w->y))) return true;
    if (!is_one_way(o)) return false;
    pv_vec2 front = front_of(o);
    bool held = pv__dot(front, pv__vec(dx, dy)) < FRONT || (feet && front.y < FRONT);
    return !held || w->mover->drop || hits(w, o, w->x, w->y);
}

/// Whether a step (dx, dy) may not lead to a place.
/// @param feet it may be climbed on: what is to be stood on holds from the side, too
static bool blocked(pv__walk *w, int x, int y, int dx, int dy, bool feet) {
    const pv__obstacle *o;
    for (int k = 0; (o = pv__next_hit(w, &k, x, y));)
        if (!pv__lets_pass(w, o, dx, dy, feet)) return true;
    return false;
}

bool pv__stands(pv__walk *w) { return blocked(w, w->x, w->y + 1, 0, 1, false); }

void pv__gather(pv__walk *w) { gather(w, rect_at(w, w->x, w->y)); }

/* ---- going ---- */

bool pv__follow(pv__walk *w, int limit) {
    int from = w->y;
    for (int k = 0; k <= limit; k++, w->y++)
        if (pv__stands(w)) return true;
    w->y = from;
    return false;
}

/// How far up the mover has to go for a step to the side.
static bool find_rise(pv__walk *w, int side, bool feet, int *rise) {
    for (int k = 0; k <= w->mover->step && !(k > 0 && blocked(w, w->x, w->y - k, 0, -1, false)); k++) {
        *rise = k;
        if (!blocked(w, w->x + side, w->y - k, side, 0, feet)) return true;
    }
    return false;
}

/// How far down in the air, under a sloping ceiling.
static bool find_dip(pv__walk *w, int side, int *rise) {
    if (w->standing || w->carried) return false;
    for (int k = 1; k <= w->mover->step && !blocked(w, w->x, w->y + k, 0, 1, false); k++) {
        *rise = -k;
        if (!blocked(w, w->x + side, w->y + k, side, 0, false)) return true;
    }
    return false;
}

static bool has_way(pv__walk *w, int side, int *rise) {
    return find_rise(w, side, true, rise) || find_rise(w, side, false, rise) || find_dip(w, side, rise);
}

bool pv__go_aside(pv__walk *w, int side) {
    int rise, from = w->y;
    if (!has_way(w, side, &rise)) return false;
    w->x += side;
    w->y -= rise;
    if (w->standing) pv__follow(w, w->mover->snap);
    if (w->y != from) w->rest.y = 0;
    return true;
}

static bool go_along(pv__walk *w, int dy) {
    if (blocked(w, w->x, w->y + dy, 0, dy, false)) return false;
    w->y += dy;
    return true;
}

/// How many pixels a way leads on; the rest is kept. Halves are rounded down, as pv__map_of() does.
static int pixels_of(double *rest, double way) {
    int64_t count = -pv__floor(0.5 - (*rest + way));
    *rest += way - (double)count;
    return (int)count;
}

static int sign(double x) { return (x > 0) - (x < 0); }

/// Stops the mover at what is beside it, also when it has not come a pixel farther.
static void stop_aside(pv__walk *w, int side) {
    w->wall = side;
    if (w->rest.x * side > 0) w->rest.x = 0;
}

static void stop_along(pv__walk *w, int dy, bool grounds) {
    if (w->rest.y * dy > 0) w->rest.y = 0;
    if (dy < 0)
        w->ceiling = true;
    else
        w->standing |= grounds;
}

void pv__travel(pv__walk *w, pv_vec2 way) {
    int right = sign(way.x), down = sign(way.y), unused;
    int across = abs(pixels_of(&w->rest.x, way.x)), along = abs(pixels_of(&w->rest.y, way.y));
    bool free_x = true, free_y = true;
    for (int i = 0, j = 0; (free_x && i < across) || (free_y && j < along);) {
        bool aside = free_x && i < across &&
                     (!free_y || j >= along || (2 * i + 1) * (int64_t)along < (2 * j + 1) * (int64_t)across);
        if (aside) {
            free_x = pv__go_aside(w, right);
            i++;
        } else {
            free_y = go_along(w, down);
            j++;
            if (!free_y) stop_along(w, down, true);
        }
    }
    if (!free_x) w->rest.x = 0;
    if (!free_y) w->rest.y = 0;
    if (right != 0 && !(free_x && has_way(w, right, &unused))) stop_aside(w, right);
    if (down != 0 && free_y && blocked(w, w->x, w->y + down, 0, down, false)) stop_along(w, down, false);
}

/* ---- out of what has moved into it ---- */

static pv_vec2 way_in(const pv__walk *w, const pv__obstacle *o) {
    pv_vec2 middle = pv__vec(w->x + 0.5 * w->bits->w, w->y + 0.5 * w->bits->h);
    pv_vec2 velocity = pv_body_velocity_at(w->world, pv__name_of(w->world, o->index), middle);
    pv_vec2 way = pv__mul(w->dt, velocity);
    return pv__vec(pv__clamp(way.x, -FASTEST, FASTEST), pv__clamp(way.y, -FASTEST, FASTEST));
}

/// Whether a one-way body came to overlap the mover with its front: it lifts it.
static bool has_lifted(const pv__walk *w, const pv__obstacle *o) {
    pv_vec2 front = front_of(o), way = way_in(w, o);
    if (pv__dot(front, way) <= 0) return false;
    pv_vec2 back = pv__add(way, front);
    pv__obstacle whole; /* what is at hand was cut out of the area */
    return take(w, o->index, &whole) &&
           !hits(w, &whole, w->x + (int)pv__floor(back.x + 0.5), w->y + (int)pv__floor(back.y + 0.5));
}

/// Whether an obstacle that shares pixels with the mover, where that is, has to let go of it.
static bool catches(const pv__walk *w, const pv__obstacle *o) {
    return !is_one_way(o) || (!w->mover->drop && (o->index == w->ground || has_lifted(w, o)));
}

typedef enum room_at { FREE, CAUGHT, SHUT } room_at;

/// What a step out of what catches the mover comes to.
static room_at look(pv__walk *w, int x, int y, int dx, int dy) {
    const pv__obstacle *o;
    room_at found = FREE;
    for (int k = 0; (o = pv__next_hit(w, &k, x, y));) {
        if (hits(w, o, w->x, w->y))
            found = catches(w, o) ? CAUGHT : found;
        else if (!pv__lets_pass(w, o, dx, dy, false))
            return SHUT;
    }
    return found;
}

/// How many steps lead out; 0 for none.
static int steps_out(pv__walk *w, int dx, int dy, int limit) {
    room_at at = CAUGHT;
    int k = 0;
    while (at == CAUGHT && k < limit) {
        k++;
        at = look(w, w->x + k * dx, w->y + k * dy, dx, dy);
    }
    return at == FREE ? k : 0;
}

static void put_out(pv__walk *w, int dx, int dy) {
    w->x += dx;
    w->y += dy;
    if (dx != 0) w->rest.x = 0;
    if (dy != 0) w->rest.y = 0;
}

bool pv__push_out(pv__walk *w) {
    static const int ways[8][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    int best = 0, best_x = 0, best_y = 0;
    if (look(w, w->x, w->y, 0, 0) == FREE) return true;
    int lift = w->standing ? steps_out(w, 0, -1, pv__sooner(w->mover->step, w->mover->push)) : 0;
    for (int i = 0; i < 8 && lift == 0; i++) {
        int dx = ways[i][0], dy = ways[i][1], k = steps_out(w, dx, dy, w->mover->push);
        int size = k * k * (dx * dx + dy * dy);
        if (size == 0 || (best > 0 && size >= best)) continue;
        best = size;
        best_x = k * dx;
        best_y = k * dy;
    }
    put_out(w, best_x, best_y - lift);
    return best > 0 || lift > 0;
}
