/* mover_obstacle.c - finds the bodies near a mover that may hold it.
 *
 * Invariant: obstacles come in order of slots.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/anchor.h"
#include "core/filter.h"
#include "core/handle.h"
#include "core/pose.h"
#include "mover/mover.h"
#include "query/query.h"

/// Margin around the mover in which obstacles are gathered at once [px]
#define OBSTACLE_MARGIN 24

int pv__mover_index_of(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    int polygon = pv__handle_polygon(world, body);
    if (polygon >= 0) return pv__index_of_polygon(polygon);
    return b && pv__body_is_solid(b) ? (int)(b - world->bodies.items) : -1;
}

/// Tells whether a body may hold the mover, and its box overlaps another box.
static bool may_hold(const pv__walk *w, int index, const pv_box *box) {
    bool polygon = pv__index_is_polygon(index);
    const pv__body *b = polygon ? NULL : &w->world->bodies.items[index];
    pv_box theirs = pv__index_current_box(w->world, index);
    if ((b && !pv__body_is_solid(b)) || index == w->own || !pv__boxes_meet(&theirs, box))
        return false;
    if (b && w->own >= 0) return pv__filter_bodies_meet(w->world, w->own, index);
    const pv_filter *filter =
        b ? &b->filter : &w->world->matter.polygons[pv__index_polygon(index)].filter;
    pv_filter own = w->own >= 0 ? w->world->bodies.items[w->own].filter : w->mover->filter;
    pv_body_id name = w->own >= 0 ? pv__index_handle(w->world, w->own) : pv_null_body;
    return pv__filter_agrees(own, *filter) &&
           pv__filter_are_granted(w->world, name, pv__index_handle(w->world, index));
}

/// Turns a sprite once for all queries in the area, if there is room.
static void walk_turn_once(pv__walk *w, pv__obstacle *o) {
    pv__sprite *s = &o->sprite;
    pv_rect part = pv__rect_meet(s->rect, w->area);
    size_t need = pv__bits_word_count(part.w, part.h);
    if (s->upright || need == 0 || need > PV__OBSTACLE_ROOM - w->used) return;
    o->turned = (pv__bits){part.w, part.h, w->room + w->used};
    pv__raster(s->bits, &s->map, part.x, part.y, &o->turned);
    w->used += need;
    s->bits = &o->turned;
    s->rect = part;
    s->upright = true;
}

bool pv__mover_take(const pv__walk *w, int index, pv__obstacle *o) {
    o->asked = o->passes = false;
    o->body = pv__index_is_polygon(index) ? NULL : &w->world->bodies.items[index];
    o->index = index;
    pv_placed placed = pv__query_placed(w->world, index);
    return placed.mask && pv__placed_sprite_of(&placed, &o->sprite) == PV_OK;
}

void pv__mover_seek(const pv__walk *w, pv_rect around, int first, pv__nearby *near) {
    pv_vec2 from = {around.x, around.y}, size = {around.w, around.h};
    near->box = pv__box_widened((pv_box){from, pv__add(from, size)}, PV__SEEK_ROOM);
    pv__swath swath = pv__query_swath_of(near->box);
    pv__index_candidates_begin(&near->candidates, w->world, &swath, first);
}

int pv__mover_next_near(const pv__walk *w, pv__nearby *near) {
    for (int index; (index = pv__index_candidates_next(&near->candidates)) >= 0;)
        if (may_hold(w, index, &near->box)) return index;
    return PV__NONE;
}

void pv__mover_gather(pv__walk *w, pv_rect asked) {
    w->area =
        pv__rect_grown(pv__rect_join(pv__mover_rect_at(w, w->x, w->y), asked), OBSTACLE_MARGIN);
    w->count = 0;
    w->used = 0;
    pv__nearby near;
    pv__mover_seek(w, w->area, 0, &near);
    while ((w->next = pv__mover_next_near(w, &near)) >= 0 && w->count < PV__OBSTACLES)
        if (pv__mover_take(w, w->next, &w->near[w->count])) walk_turn_once(w, &w->near[w->count++]);
}

bool pv__mover_hits(const pv__walk *w, const pv__obstacle *o, int x, int y) {
    pv__sprite own = {.bits = w->bits, .rect = pv__mover_rect_at(w, x, y), .upright = true};
    return pv__rect_meet(o->sprite.rect, own.rect).w > 0 &&
           pv__placed_sprites_hit(&o->sprite, &own);
}

/// Returns the next obstacle among the bodies for which there is no room. The cursor continues
/// through their slots.
static pv__obstacle *next_beyond(pv__walk *w, int *cursor, int x, int y) {
    pv__nearby near;
    pv__mover_seek(w, pv__mover_rect_at(w, x, y), w->next + *cursor - w->count, &near);
    for (int slot; (slot = pv__mover_next_near(w, &near)) >= 0;) {
        *cursor = slot + 1 - w->next + w->count;
        if (pv__mover_take(w, slot, &w->spare) && pv__mover_hits(w, &w->spare, x, y))
            return &w->spare;
    }
    return NULL;
}

pv__obstacle *pv__mover_next_hit(pv__walk *w, int *cursor, int x, int y) {
    pv_rect rect = pv__mover_rect_at(w, x, y);
    if (!pv__rect_contains(w->area, rect)) pv__mover_gather(w, rect);
    while (*cursor < w->count) {
        pv__obstacle *o = &w->near[(*cursor)++];
        if (pv__mover_hits(w, o, x, y)) return o;
    }
    return w->next >= 0 ? next_beyond(w, cursor, x, y) : NULL;
}

bool pv__mover_obstacle_is_one_way(const pv__obstacle *o) {
    return o->body && pv__body_is_one_way(o->body);
}
