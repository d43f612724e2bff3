/* polygon_events.c - contacts and hits of polygons with each other and with sprites.
 *
 * Invariant: a pair touches as long as one of its contacts is solved in a step, or both rest.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "polygon/polygon_events.h"
#include "core/events.h"
#include "core/handle.h"
#include "polygon/polygon_scratch.h"

/// Tells whether the speed of a flank at its point is that of its object. A corner of a rigid
/// polygon swings by itself, and an impact is solved with the whole polygon.
static bool is_of_object(const pv_world *world, const pv__flank *s) {
    return s->polygon < 0 || s->kind == PV__FLANK_WHOLE || world->matter.polygons[s->polygon].soft;
}

void pv__polygon_note_touches(pv_world *world, const pv__touch *touches, int count) {
    pv__blow *blow = &world->matter.polygon_room->blow;
    for (int i = 0; i < count; i++) {
        const pv__touch *t = &touches[i];
        double speed = t->closing / world->dt;
        blow->touched = true;
        blow->impulse += t->pushed / world->dt;
        if (!(speed > blow->speed) || !is_of_object(world, &t->a) || !is_of_object(world, &t->b))
            continue;
        blow->speed = speed;
        blow->point = t->point;
        blow->normal = t->normal;
        blow->from = t->a.polygon;
    }
}

void pv__polygon_note_blow(pv__meet *m, const pv__blow *blow) {
    m->blow.touched |= blow->touched;
    m->blow.impulse += blow->impulse;
    if (!(blow->speed > m->blow.speed)) return;
    m->blow.speed = blow->speed;
    m->blow.point = blow->point;
    m->blow.normal = pv__mul(blow->from == m->polygon ? 1 : -1, blow->normal);
}

/// Returns the event of a pair, a sprite before a polygon.
static pv_contact_event event_of(const pv_world *world, const pv__meet *m) {
    pv_body_id polygon = pv__handle_of_polygon(world, m->polygon);
    if (m->kind == PV__MEET_POLYGON)
        return (pv_contact_event){polygon, pv__handle_of_polygon(world, m->other)};
    return (pv_contact_event){pv__handle_of_body(world, m->other), polygon};
}

static void tell_hit(pv_world *world, const pv__meet *m, const pv_contact_event *pair) {
    const pv__blow *b = &m->blow;
    double side = m->kind == PV__MEET_POLYGON ? 1 : -1;
    pv_hit_event hit = {pair->a, pair->b, b->point, pv__mul(side, b->normal), b->speed, b->impulse};
    pv__events_append(world, &world->events.hits, &hit, sizeof hit);
}

/// Tells whether a polygon sleeps or is pinned.
static bool polygon_rests(const pv_world *world, const pv__polygon *q) {
    for (int i = 0; i < q->corner_count; i++)
        if (world->matter.particles.inverse_mass[q->corners[i]] > 0) return false;
    return true;
}

static bool rests(const pv_world *world, pv_body_id body) {
    const pv__body *b = pv__handle_body(world, body);
    int polygon = pv__handle_polygon(world, body);
    return polygon >= 0 ? polygon_rests(world, &world->matter.polygons[polygon])
                        : b && pv__body_is_present(b) && !b->awake;
}

void pv__polygon_tell(pv_world *world) {
    const pv__polygon_room *r = world->matter.polygon_room;
    pv__list *now = &world->events.spare;
    for (int i = 0; i < world->events.touching.count; i++) {
        pv_contact_event pair = ((pv_contact_event *)world->events.touching.items)[i];
        if (PV_ID_IS_POLYGON(pair.b) && rests(world, pair.a) && rests(world, pair.b))
            pv__events_append(world, now, &pair, sizeof pair);
    }
    if (!r || r->step != world->steps + 1) return;
    for (int i = 0; i < r->meet_count; i++) {
        const pv__meet *m = &r->meets[i];
        if (m->kind == PV__MEET_PARTICLE || !m->blow.touched) continue;
        pv_contact_event pair = event_of(world, m);
        pv__events_append(world, now, &pair, sizeof pair);
        if (m->blow.speed > world->def.hit_event_threshold) tell_hit(world, m, &pair);
    }
}
