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
/// What turns its front to a step by less than 60 degrees holds it.
static const double FRONT = -0.5;

/* ---- what is in the way ---- */

bool pv__may_hold(const pv__walk *w, int index, const pv_box *box) {
    const pv__body *b = &w->world->bodies[index];
    if (!pv__solid(b) || index == w->own) return false;
    pv_box own = pv__current_box(w->world, index);
    if (!pv__boxes_meet(&own, box)) return false;
    if (w->own >= 0) return pv__bodies_meet(w->world, w->own, index);
    return pv__filters_agree(w->mover->filter, b->filter) && pv__is_granted(w->world, w->own, index);
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

bool pv__take(const pv__walk *w, int index, pv__obstacle *o) {
    o->asked = o->passes = false;
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
        if (!pv__may_hold(w, w->next, &box)) continue;
        if (w->count == PV__OBSTACLES) return;
        if (pv__take(w, w->next, &w->near[w->count])) turn_once(w, &w->near[w->count++]);
    }
}

static bool contains(pv_rect a, pv_rect b) {
    return b.x >= a.x && b.y >= a.y && b.x + b.w <= a.x + a.w && b.y + b.h <= a.y + a.h;
}

bool pv__hits(const pv__walk *w, const pv__obstacle *o, int x, int y) {
    pv__sprite own = {.bits = w->bits, .rect = rect_at(w, x, y), .upright = true};
    return pv__rect_meet(o->sprite.rect, own.rect).w > 0 && pv__sprites_hit(&o->sprite, &own);
}

/// The same of those that found no room; slots are counted on by the cursor.
static pv__obstacle *next_beyond(pv__walk *w, int *cursor, int x, int y) {
    pv__candidates near;
    pv_box box = box_of(rect_at(w, x, y));
    pv__swath swath = pv__swath_of(box);
    pv__candidates_begin(&near, w->world, &swath, w->next + *cursor - w->count);
    for (int slot; (slot = pv__candidates_next(&near)) >= 0;) {
        *cursor = slot + 1 - w->next + w->count;
        if (pv__may_hold(w, slot, &box) && pv__take(w, slot, &w->spare) && pv__hits(w, &w->spare, x, y))
            return &w->spare;
    }
    return NULL;
}

pv__obstacle *pv__next_hit(pv__walk *w, int *cursor, int x, int y) {
    pv_rect rect = rect_at(w, x, y);
    if (!contains(w->area, rect)) gather(w, rect);
    while (*cursor < w->count) {
        pv__obstacle *o = &w->near[(*cursor)++];
        if (pv__hits(w, o, x, y)) return o;
    }
    return w->next >= 0 ? next_beyond(w, cursor, x, y) : NULL;
}

bool pv__is_one_way(const pv__obstacle *o) { return o->body->one_way.x != 0 || o->body->one_way.y != 0; }

pv_vec2 pv__front_of(const pv__obstacle *o) { return pv__rotate(o->body->pose.turn, o->body->one_way); }

/// Tells whether a one-way body does not hold a step (dx, dy) into it.
static bool is_behind(const pv__walk *w, const pv__obstacle *o, int dx, int dy, bool feet) {
    pv_vec2 front = pv__front_of(o);
    bool held = pv__dot(front, pv__vec(dx, dy)) < FRONT || (feet && front.y < FRONT);
    return !held || w->mover->drop || pv__hits(w, o, w->x, w->y);
}

bool pv__lets_pass(pv__walk *w, pv__obstacle *o, int dx, int dy, bool feet) {
    if (w->carried && o->index == w->ground) return true;
    if ((w->carried || w->crushed) && pv__hits(w, o, w->x, w->y)) return true;
    if (pv__is_one_way(o) && is_behind(w, o, dx, dy, feet)) return true;
    return pv__goes_through(w, o, pv__direction(pv__vec(dx, dy)));
}

bool pv__blocked(pv__walk *w, int x, int y, int dx, int dy, bool feet) {
    pv__obstacle *o;
    for (int k = 0; (o = pv__next_hit(w, &k, x, y));)
        if (!pv__lets_pass(w, o, dx, dy, feet)) return true;
    return false;
}

bool pv__stands(pv__walk *w) { return pv__blocked(w, w->x, w->y + 1, 0, 1, false); }

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
    for (int k = 0; k <= w->mover->step && !(k > 0 && pv__blocked(w, w->x, w->y - k, 0, -1, false)); k++) {
        *rise = k;
        if (!pv__blocked(w, w->x + side, w->y - k, side, 0, feet))
            return k == 0 || !pv__is_too_steep(w, side, k);
    }
    return false;
}

/// How far down in the air, under a sloping ceiling.
static bool find_dip(pv__walk *w, int side, int *rise) {
    if (w->standing || w->carried) return false;
    for (int k = 1; k <= w->mover->step && !pv__blocked(w, w->x, w->y + k, 0, 1, false); k++) {
        *rise = -k;
        if (!pv__blocked(w, w->x + side, w->y + k, side, 0, false)) return true;
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

/// Measures how far to the side a pixel up or down leads on a slope; *held: that there is no way.
static int find_slip(pv__walk *w, int dy, bool *held) {
    *held = pv__blocked(w, w->x, w->y + dy, 0, dy, false);
    int slip = *held && dy > 0 ? pv__slip(w) : 0;
    *held &= slip == 0;
    return slip;
}

static bool go_along(pv__walk *w, int dy) {
    bool held;
    int slip = find_slip(w, dy, &held);
    if (held) return false;
    w->x += slip;
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
    bool free_x = true, free_y = true, held = false;
    for (int i = 0, j = 0; (free_x && i < across) || (free_y && j < along);) {
        bool first = w->standing && down > 0; /* off a ledge it falls for all of the step */
        bool aside =
            free_x && i < across &&
            (first || !free_y || j >= along || (2 * i + 1) * (int64_t)along < (2 * j + 1) * (int64_t)across);
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
    if (down != 0 && free_y) find_slip(w, down, &held);
    if (held) stop_along(w, down, false);
}
