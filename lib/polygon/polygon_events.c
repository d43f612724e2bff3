/* polygon_events.c - contacts and hits of polygons with each other and with sprites.
 *
 * Invariant: a pair touches as long as one of its contacts is solved in a step, or both rest.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "polygon/polygon_events.h"
#include "core/events.h"
#include "core/handle.h"
#include "core/pose.h"
#include "polygon/polygon_scratch.h"
#include "polygon/polygon_seam.h"
#include "polygon/polygon_sleep.h"

/// Tells whether the speed of a flank at its point is that of its object. A corner of a rigid
/// polygon can swing by itself, but the whole polygon is solved at an impact.
static bool is_of_object(const pv_world *world, const pv__flank *s) {
    return s->polygon < 0 || s->kind == PV__FLANK_WHOLE || world->matter.polygons[s->polygon].soft;
}

pv_vec2 pv__polygon_join_normals(pv_vec2 sum, pv_vec2 normal) {
    pv_vec2 both = pv__add(sum, normal);
    return pv__length(both) > PV__NEGLIGIBLE ? both : sum;
}

void pv__polygon_note_touches(pv_world *world, const pv__touch *touches, int count) {
    pv__polygon_room *room = world->matter.polygon_room;
    pv__blow *blow = &room->blow;
    for (int i = 0; i < count; i++) {
        const pv__touch *t = &touches[i];
        double speed = t->closing / world->dt, press = t->pushed / world->dt;
        pv_vec2 normal = pv__mul(t->a.polygon == room->meet->polygon ? 1 : -1, t->normal);
        blow->impulse += press;
        blow->press += press;
        blow->points = pv__add(blow->points, t->point);
        blow->normals = pv__polygon_join_normals(blow->normals, normal);
        blow->count++;
        if (!(speed > blow->speed) || !is_of_object(world, &t->a) || !is_of_object(world, &t->b))
            continue;
        blow->speed = speed;
        blow->point = t->point;
        blow->normal = normal;
    }
}

void pv__polygon_note_blow(pv__meet *m, const pv__blow *blow) {
    pv__blow *all = &m->blow;
    if (blow->count == 0) return;
    all->impulse += blow->impulse;
    if (all->substep != blow->substep || all->count == 0) {
        all->substep = blow->substep;
        all->points = all->normals = pv__vec(0, 0);
        all->press = all->count = 0;
    }
    all->points = pv__add(all->points, blow->points);
    all->normals = pv__polygon_join_normals(all->normals, blow->normals);
    all->press += blow->press;
    all->count += blow->count;
    if (!(blow->speed > all->speed)) return;
    all->speed = blow->speed;
    all->point = blow->point;
    all->normal = blow->normal;
}

pv_contact_event pv__polygon_event_of(const pv_world *world, const pv__meet *m) {
    pv_body_id polygon = pv__handle_of_polygon(world, m->polygon);
    if (m->kind == PV__MEET_POLYGON)
        return (pv_contact_event){polygon, pv__handle_of_polygon(world, m->other)};
    return (pv_contact_event){pv__handle_of_body(world, m->other), polygon};
}

static bool rests(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    int polygon = pv__handle_polygon(world, body);
    return polygon >= 0 ? !pv__polygon_is_drowsy(world, &world->matter.polygons[polygon])
                        : b && pv__body_is_present(b) && !b->awake;
}

bool pv__polygon_pair_rests(const pv_world *world, pv_body_id a, pv_body_id b) {
    return rests(world, a) && rests(world, b);
}

/// Keeps the pairs that rest.
static void keep_resting(pv_world *world) {
    pv__events *e = &world->events;
    for (int i = 0; i < e->touching.count; i++) {
        pv_contact_event pair = ((pv_contact_event *)e->touching.items)[i];
        if (PV_ID_IS_POLYGON(pair.b) && pv__polygon_pair_rests(world, pair.a, pair.b))
            pv__events_append(world, &e->spare, &pair, sizeof pair);
    }
    for (int i = 0; i < e->polygon_contacts.count; i++) {
        const pv_contact *contact = (pv_contact *)e->polygon_contacts.items + i;
        if (pv__polygon_pair_rests(world, contact->a, contact->b))
            pv__events_append(world, &e->spare_contacts, contact, sizeof *contact);
    }
}

/// Tells whether the contact of a resting pair is kept from the last step.
static bool is_kept(const pv_world *world, const pv_contact_event *pair) {
    const pv_contact *all = world->events.polygon_contacts.items;
    int count = world->events.polygon_contacts.count;
    if (count == 0 || !pv__polygon_pair_rests(world, pair->a, pair->b)) return false;
    pv_contact wanted = {.a = pair->a, .b = pair->b};
    return pv__sorted_has(all, count, sizeof *all, &wanted, pv__compare_handles);
}

/// Adds a pair that touched: its contact in the last substep that had one, and its hit.
static void tell_pair(pv_world *world, const pv__meet *m) {
    pv__events *e = &world->events;
    const pv__blow *b = &m->blow;
    pv_contact_event pair = pv__polygon_event_of(world, m);
    double side = m->kind == PV__MEET_POLYGON ? 1 : -1;
    pv_contact contact = {.a = pair.a,
                          .b = pair.b,
                          .point = pv__mul(1.0 / b->count, b->points),
                          .normal = pv__direction(pv__mul(side, b->normals)),
                          .impulse = b->press};
    pv_hit_event hit = {pair.a, pair.b, b->point, pv__mul(side, b->normal), b->speed, b->impulse};
    pv__events_append(world, &e->spare, &pair, sizeof pair);
    if (!is_kept(world, &pair))
        pv__events_append(world, &e->spare_contacts, &contact, sizeof contact);
    if (b->speed > world->def.hit_event_threshold)
        pv__events_append(world, &e->hits, &hit, sizeof hit);
}

void pv__polygon_tell(pv_world *world) {
    const pv__polygon_room *r = pv__polygon_list(world);
    pv__events *e = &world->events;
    e->spare_contacts.count = 0;
    keep_resting(world);
    for (int i = 0; r && i < r->meet_count; i++)
        if (r->meets[i].kind != PV__MEET_PARTICLE && r->meets[i].blow.count > 0)
            tell_pair(world, &r->meets[i]);
    pv__sort(e->spare_contacts.items, e->spare_contacts.count, sizeof(pv_contact),
             pv__compare_handles);
    pv__exchange(&e->polygon_contacts, &e->spare_contacts, sizeof e->spare_contacts);
}

/// Publishes a change of a polygon's state, and keeps the state that was published.
static void tell_state(pv_world *world, int index, bool now, bool *told, pv__list *list) {
    pv_body_id name = pv__handle_of_polygon(world, index);
    if (now == *told || (list && !pv__events_append(world, list, &name, sizeof name))) return;
    *told = now;
}

void pv__polygon_tell_states(pv_world *world) {
    pv__events *e = &world->events;
    const pv_box *bounds = &world->def.bounds;
    bool bounded = bounds->max.x >= bounds->min.x && bounds->max.y >= bounds->min.y;
    for (int i = 0; i < world->matter.polygon_pool.count; i++) {
        pv__polygon *q = &world->matter.polygons[i];
        if (!pv__slot_lives(&q->slot)) continue;
        tell_state(world, i, q->asleep, &q->told_asleep, q->asleep ? &e->sleeps : &e->wakes);
        if (!bounded || q->asleep || pv__polygon_is_immovable(world, q)) continue;
        pv_box box = pv__polygon_outer_box(world, q);
        bool outside = !pv__boxes_meet(&box, bounds);
        tell_state(world, i, outside, &q->outside, outside ? &e->out_of_bounds : NULL);
    }
}
