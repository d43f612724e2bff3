/* events.c - the events of a step, published at its end.
 *
 * Invariant: every array is in order of slots and belongs to the world, and stays unchanged until
 * the next step. A contact that has begun must end before it begins again.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/events.h"
#include "core/contact_list.h"
#include "core/handle.h"
#include "core/pose.h"
#include "core/tasks.h"

#include <string.h>

bool pv__events_append(pv_world *world, pv__list *list, const void *item, size_t size) {
    if (!pv__list_reserve(&world->def.allocator, list, list->count + 1, size)) {
        world->out_of_memory = true;
        return false;
    }
    memcpy((char *)list->items + (size_t)list->count++ * size, item, size);
    return true;
}

bool pv__events_reserve_meetings(pv_world *world, int pairs) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__events *e = &world->events;
    return pv__list_reserve(allocator, &e->contact_begins, e->contact_begins.count + pairs,
                            sizeof(pv_contact_event)) &&
           pv__list_reserve(allocator, &e->contact_ends, e->contact_ends.count + 2 * pairs,
                            sizeof(pv_contact_event));
}

static void list_meeting(pv_world *world, pv__list *list, pv_body_id a, pv_body_id b) {
    pv_contact_event meeting = {a, b};
    pv__events_append(world, list, &meeting, sizeof meeting);
}

static void append_all(pv_world *world, pv__list *list, const pv__list *more) {
    for (int i = 0; i < more->count; i++)
        pv__events_append(world, list, (const char *)more->items + (size_t)i * more->size,
                          more->size);
}

static void sort(pv__list *list, size_t size, int (*compare)(const void *, const void *)) {
    pv__sort(list->items, list->count, size, compare);
}

/* ---- contacts of contours ---- */

static void list_manifold(pv_world *world, pv__list *list, const pv__manifold *m) {
    list_meeting(world, list, (pv_body_id){(uint32_t)m->a + 1, m->generation_a},
                 (pv_body_id){(uint32_t)m->b + 1, m->generation_b});
}

void pv__events_tell_dropped(pv_world *world, pv__manifold *m) {
    if (!m->touches) return;
    list_manifold(world, &world->events.contact_ends, m);
    pv__contact_list_remove(world, m);
}

static bool is_close(const pv_world *world, const pv__manifold *m) {
    for (int i = 0; i < m->count; i++)
        if (m->points[i].impulse_n > 0 ||
            pv__contact_point_gap(world, m, &m->points[i]) <= PV_CONTACT_END_GAP)
            return true;
    return false;
}

/// Turns the impact of a manifold into a hit event, at its place at the end of the step.
static void tell_hit(pv_world *world, const pv__manifold *m) {
    const pv__impact *w = &m->impact;
    const pv__body *a = &world->bodies.items[m->a], *b = &world->bodies.items[m->b];
    pv__pose pose = pv__body_is_heavier(a, b) ? a->pose : b->pose;
    pv_vec2 arm = pv__rotate(pose.turn, pv__mul(1 / w->share, w->at));
    pv_hit_event hit = {pv__handle_of_body(world, m->a),
                        pv__handle_of_body(world, m->b),
                        pv__add(pose.center, arm),
                        pv__direction(w->normal),
                        w->speed,
                        w->impulse};
    pv__events_append(world, &world->events.hits, &hit, sizeof hit);
}

/// Publishes the changes of a manifold that touches, has touched or was pressed.
static void tell_contour_contact(pv_world *world, pv__manifold *m) {
    bool touched = m->touches;
    if (m->hit && m->struck) tell_hit(world, m);
    if (!touched && !m->pressed) return;
    m->touches = is_close(world, m);
    if (!touched) list_manifold(world, &world->events.contact_begins, m);
    if (!m->touches) list_manifold(world, &world->events.contact_ends, m);
    if (m->touches && !touched) pv__contact_list_add(world, m);
    if (touched && !m->touches) pv__contact_list_remove(world, m);
}

static void tell_contour_contacts(pv_world *world) {
    pv__manifold *busy[PV__CHUNK_LIGHT], *all = world->manifolds.items;
    const int *active = world->manifolds.active;
    for (int i = 0, end = world->manifolds.active_count; i < end;) {
        int count = 0, stop = pv__sooner(end, i + PV__CHUNK_LIGHT);
        for (; i < stop; i++) {
            pv__manifold *m = busy[count] = pv__listed_manifold(all, active, i, end);
            count += m->touches | m->pressed | m->hit;
        }
        for (int k = 0; k < count; k++) tell_contour_contact(world, busy[k]);
    }
}

static int compare_hits(const void *p, const void *q) {
    const pv_hit_event *a = p, *b = q;
    return pv__compare_handles(&(pv_contact_event){a->a, a->b}, &(pv_contact_event){b->a, b->b});
}

/* ---- contacts of pixels and polygons ---- */

/// Compares hits by pair, then by falling speed. The order is total, so the result does not depend
/// on the sorting algorithm.
static int compare_hits_of_all(const void *p, const void *q) {
    const pv_hit_event *a = p, *b = q;
    int by_pair = compare_hits(p, q);
    if (by_pair) return by_pair;
    if (a->speed != b->speed) return a->speed > b->speed ? -1 : 1;
    return (a->impulse < b->impulse) - (a->impulse > b->impulse);
}

/// Notes the begin and the hits of a contact. From a hit on, each substep of the step reports the
/// impulses that are not reported yet.
static void tell_touch(pv_world *world, pv__contact *c) {
    double impulse = 0;
    for (int i = 0; i < c->count; i++) impulse += c->points[i].impulse_n;
    pv_body_id a = pv__handle_of_body(world, c->a), b = pv__handle_of_body(world, c->b);
    if (c->fresh) list_meeting(world, &world->events.met, a, b);
    c->given += impulse;
    if (c->approach > world->def.hit_event_threshold) c->hit = world->steps + 1;
    if (c->hit != world->steps + 1) return;
    pv_hit_event hit = {a, b, c->point, c->normal, c->approach, c->given};
    c->given = 0;
    pv__events_append(world, &world->events.hits, &hit, sizeof hit);
}

void pv__events_tell_touches(pv_world *world) {
    for (int i = 0; i < world->bitmaps.contact_count; i++)
        tell_touch(world, &world->bitmaps.contacts[i]);
}

/// Merges the hits of each pair into the fastest one, with the sum of all impulses.
static void merge_hits(pv__list *list) {
    pv_hit_event *hits = list->items;
    int kept = 0;
    sort(list, sizeof *hits, compare_hits_of_all);
    for (int i = 0; i < list->count; i++) {
        if (kept > 0 && compare_hits(&hits[kept - 1], &hits[i]) == 0)
            hits[kept - 1].impulse += hits[i].impulse;
        else
            hits[kept++] = hits[i];
    }
    list->count = kept;
}

/// Tells whether a sorted list has a contact event, and moves the cursor up to its place.
static bool has(const pv__list *list, int *cursor, const pv_contact_event *m) {
    const pv_contact_event *items = list->items;
    while (*cursor < list->count && pv__compare_handles(&items[*cursor], m) < 0) ++*cursor;
    return *cursor < list->count && pv__compare_handles(&items[*cursor], m) == 0;
}

/// Adds the touching pairs to those of polygons, for comparison in the next step.
static void list_touching(pv_world *world, pv__list *now) {
    for (int i = 0; i < world->bitmaps.contact_count; i++) {
        const pv__contact *c = &world->bitmaps.contacts[i];
        list_meeting(world, now, pv__handle_of_body(world, c->a), pv__handle_of_body(world, c->b));
    }
}

/// Gathers all pairs that touched in the step, at its end, or at the end of the step before.
/// Without memory it returns false, and the events follow in the next step.
static bool gather_meetings(pv_world *world) {
    bool before = world->out_of_memory;
    pv__events *e = &world->events;
    world->out_of_memory = false;
    append_all(world, &e->met, &e->touching);
    list_touching(world, &e->spare);
    sort(&e->spare, sizeof(pv_contact_event), pv__compare_handles);
    append_all(world, &e->met, &e->spare);
    bool gathered = !world->out_of_memory && pv__events_reserve_meetings(world, e->met.count);
    world->out_of_memory = before || !gathered;
    return gathered;
}

static void tell_listed_contacts(pv_world *world) {
    pv__events *e = &world->events;
    pv__list *all = &e->met;
    if (!gather_meetings(world)) return;
    sort(all, sizeof(pv_contact_event), pv__compare_handles);
    int before = 0, after = 0;
    for (int i = 0; i < all->count; i++) {
        const pv_contact_event *m = (pv_contact_event *)all->items + i;
        if (i > 0 && pv__compare_handles(m - 1, m) == 0) continue;
        if (!has(&e->touching, &before, m))
            pv__events_append(world, &e->contact_begins, m, sizeof *m);
        if (!has(&e->spare, &after, m)) pv__events_append(world, &e->contact_ends, m, sizeof *m);
    }
    pv__exchange(&e->touching, &e->spare, sizeof e->spare);
}

/* ---- sleep, and bounds ---- */

bool pv__events_reserve_changes(pv_world *world, int bodies) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__events *e = &world->events;
    return pv__world_reserve_by_body(world, &world->bodies.awake, &world->bodies.awake_capacity,
                                     bodies, sizeof(int)) &&
           pv__list_reserve(allocator, &e->changed, bodies, sizeof(int)) &&
           pv__list_reserve(allocator, &e->sleeps, bodies, sizeof(pv_body_id)) &&
           pv__list_reserve(allocator, &e->wakes, bodies, sizeof(pv_body_id));
}

void pv__events_note_change(pv_world *world, pv__body *b) {
    int index = (int)(b - world->bodies.items);
    if (b->changed) return;
    b->changed = true;
    pv__events_append(world, &world->events.changed, &index, sizeof index);
}

static int compare_ints(const void *p, const void *q) {
    return (*(const int *)p > *(const int *)q) - (*(const int *)p < *(const int *)q);
}

/// Publishes the bodies that fell asleep or woke, unless they have changed back since.
static void tell_changes(pv_world *world) {
    pv__events *e = &world->events;
    sort(&e->changed, sizeof(int), compare_ints);
    for (int i = 0; i < e->changed.count; i++) {
        int index = ((int *)e->changed.items)[i];
        pv__body *b = &world->bodies.items[index];
        pv_body_id name = pv__handle_of_body(world, index);
        b->changed = false;
        if (!pv__body_is_present(b) || b->type == PV_BODY_STATIC || b->awake == b->told_awake)
            continue;
        b->told_awake = b->awake;
        pv__events_append(world, b->awake ? &e->wakes : &e->sleeps, &name, sizeof name);
    }
    e->changed.count = 0;
}

static void tell_strays(pv_world *world) {
    const pv_box *bounds = &world->def.bounds;
    if (bounds->max.x < bounds->min.x || bounds->max.y < bounds->min.y) return;
    for (int i = 0; i < world->bodies.awake_count; i++) {
        pv__body *b = &world->bodies.items[world->bodies.awake[i]];
        pv_box box = pv__pose_box(b, b->pose);
        bool outside = !pv__boxes_meet(&box, bounds);
        pv_body_id name = pv__handle_of_body(world, world->bodies.awake[i]);
        if (outside == b->outside) continue;
        if (!outside || pv__events_append(world, &world->events.out_of_bounds, &name, sizeof name))
            b->outside = outside;
    }
}

/* ---- carving ---- */

bool pv__events_reserve_news(pv_world *world, int more) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__list *splits = &world->events.new_splits, *dirt = &world->events.new_dirt;
    return pv__list_reserve(allocator, splits, splits->count + more, sizeof(pv_split_event)) &&
           pv__list_reserve(allocator, dirt, dirt->count + more, sizeof(pv_dirty_rect));
}

void pv__events_note_dirty_rect(pv_world *world, pv_body_id body, pv_rect rect) {
    pv__list *list = &world->events.new_dirt;
    pv_dirty_rect *dirt = list->items;
    for (int i = list->count - 1; i >= 0 && i >= list->count - 4; i--) {
        if (!PV_ID_EQUALS(dirt[i].body, body)) continue;
        dirt[i].rect = pv__rect_join(dirt[i].rect, rect);
        return;
    }
    dirt[list->count++] = (pv_dirty_rect){body, rect};
}

static int compare_dirt(const void *p, const void *q) {
    const pv_dirty_rect *a = p, *b = q;
    const int64_t of_a[] = {a->body.index, a->body.generation, a->rect.x,
                            a->rect.y,     a->rect.w,          a->rect.h},
                  of_b[] = {b->body.index, b->body.generation, b->rect.x,
                            b->rect.y,     b->rect.w,          b->rect.h};
    for (size_t i = 0; i < sizeof of_a / sizeof *of_a; i++)
        if (of_a[i] != of_b[i]) return of_a[i] < of_b[i] ? -1 : 1;
    return 0;
}

/// Merges the dirty rects of each living body into one.
static void merge_dirt(const pv_world *world, pv__list *list) {
    pv_dirty_rect *dirt = list->items;
    int kept = 0;
    sort(list, sizeof *dirt, compare_dirt);
    for (int i = 0; i < list->count; i++) {
        if (!pv__handle_body(world, dirt[i].body)) continue;
        if (kept > 0 && PV_ID_EQUALS(dirt[kept - 1].body, dirt[i].body))
            dirt[kept - 1].rect = pv__rect_join(dirt[kept - 1].rect, dirt[i].rect);
        else
            dirt[kept++] = dirt[i];
    }
    list->count = kept;
}

static void turn_over(pv__list *told, pv__list *news) {
    pv__exchange(told, news, sizeof *told);
    news->count = 0;
}

void pv__events_tell_news(pv_world *world) {
    pv__events *e = &world->events;
    append_all(world, &e->joint_breaks, &e->new_breaks);
    e->new_breaks.count = 0;
    merge_dirt(world, &e->new_dirt);
    turn_over(&e->splits, &e->new_splits);
    turn_over(&e->dirty_rects, &e->new_dirt);
}

/* ---- all ---- */

void pv__events_clear(pv_world *world) {
    pv__events *e = &world->events;
    for (pv__list *list = (pv__list *)e; list < &e->changed; list++) list->count = 0;
    e->frozen_count = 0;
    for (int i = 0; i < world->bitmaps.contact_count; i++) world->bitmaps.contacts[i].given = 0;
}

void pv__events_tell(pv_world *world) {
    pv__events *e = &world->events;
    if (world->def.contact_mode == PV_CONTACT_MODE_PIXELS) {
        tell_listed_contacts(world);
        pv__contact_list_fill(world);
        merge_hits(&e->hits);
    } else {
        tell_contour_contacts(world);
        tell_listed_contacts(world);
        sort(&e->contact_ends, sizeof(pv_contact_event), pv__compare_handles);
        if (e->met.count > 0) {
            sort(&e->contact_begins, sizeof(pv_contact_event), pv__compare_handles);
            sort(&e->hits, sizeof(pv_hit_event), compare_hits);
        }
    }
    tell_strays(world);
    tell_changes(world);
}

void pv__events_free(pv_world *world) {
    pv__lists_free(&world->def.allocator, (const pv__list *)&world->events,
                   offsetof(pv__events, frozen_count) / sizeof(pv__list));
}

/// Initializers of an array of events and of its length
#define TELL(one) .one##s = e->one##s.items, .one##_count = e->one##s.count

pv_events pv_world_get_events(const pv_world *world) {
    if (!world) return (pv_events){0};
    const pv__events *e = &world->events;
    return (pv_events){
        TELL(contact_begin),
        TELL(contact_end),
        TELL(hit),
        TELL(sensor_begin),
        TELL(sensor_end),
        TELL(sleep),
        TELL(wake),
        .out_of_bounds = e->out_of_bounds.items,
        .out_of_bounds_count = e->out_of_bounds.count,
        TELL(joint_break),
        TELL(split),
        TELL(dirty_rect),
        .crushes = e->crushes.items,
        .crush_count = e->crushes.count,
        TELL(release),
        .frozen_count = e->frozen_count,
    };
}
