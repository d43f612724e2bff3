/* stream_events.c - transfers events, and the state that the events of the next step need.
 *
 * Invariant: a restored world has all events of the last step, and repeats none of them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/events.h"
#include "snapshot/fields.h"

/// Pairs of ids: events of contacts and sensors, and visits of sensors.
static const pv__field_row pair_fields[] = {
    PV__ID(pv_contact_event, a, 0),
    PV__ID(pv_contact_event, b, 0),
};
static const pv__field_row name_fields[] = {{.type = PV__FIELD_UNSIGNED, .count = 2}};
static const pv__field_row hit_fields[] = {
    PV__ID(pv_hit_event, a, 0),
    PV__ID(pv_hit_event, b, 0),
    PV__DOUBLES(pv_hit_event, point, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv_hit_event, normal, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv_hit_event, speed, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv_hit_event, impulse, 0, PV__RANGE_FINITE),
};
static const pv__field_row contact_fields[] = {
    PV__ID(pv_contact, a, 0),
    PV__ID(pv_contact, b, 0),
    PV__DOUBLES(pv_contact, point, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv_contact, normal, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv_contact, impulse, 0, PV__RANGE_FINITE),
};
static const pv__field_row break_fields[] = {
    PV__ID(pv_joint_break_event, joint, 0),
    PV__DOUBLES(pv_joint_break_event, force, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv_joint_break_event, point, 0, PV__RANGE_FINITE),
    PV__POINTER(pv_joint_break_event, user_data),
    PV__FLAG(pv_joint_break_event, carved, 0),
};
static const pv__field_row split_fields[] = {
    PV__ID(pv_split_event, parent, 0),
    PV__ID(pv_split_event, child, 0),
    PV__INTS(pv_split_event, x, 0, 0, PV__MAX_SIDE),
    PV__INTS(pv_split_event, y, 0, 0, PV__MAX_SIDE),
};
static const pv__field_row dirt_fields[] = {
    PV__ID(pv_dirty_rect, body, 0),
    PV__INTS(pv_dirty_rect, rect, 0, 0, PV__MAX_SIDE),
};

static const pv__field_row index_fields[] = {{.type = PV__FIELD_BODY, .count = 1}};

#define LIST(name, type, fields)                                                                   \
    PV__LIST(pv__events, name.items, name.capacity, name.count, type, fields, 0)

/// Events of the last step and of carving, and the state to which the next step compares
static const pv__field_row told[] = {
    LIST(contact_begins, pv_contact_event, pair_fields),
    LIST(contact_ends, pv_contact_event, pair_fields),
    LIST(sensor_begins, pv_sensor_event, pair_fields),
    LIST(sensor_ends, pv_sensor_event, pair_fields),
    LIST(sleeps, pv_body_id, name_fields),
    LIST(wakes, pv_body_id, name_fields),
    LIST(out_of_bounds, pv_body_id, name_fields),
    LIST(hits, pv_hit_event, hit_fields),
    LIST(joint_breaks, pv_joint_break_event, break_fields),
    LIST(inside, pv__stay, pair_fields),
    LIST(touching, pv_contact_event, pair_fields),
    LIST(polygon_contacts, pv_contact, contact_fields),
    LIST(passing, pv_contact_event, pair_fields),
    LIST(splits, pv_split_event, split_fields),
    LIST(dirty_rects, pv_dirty_rect, dirt_fields),
    LIST(new_splits, pv_split_event, split_fields),
    LIST(new_dirt, pv_dirty_rect, dirt_fields),
    LIST(new_breaks, pv_joint_break_event, break_fields),
    LIST(changed, int, index_fields),
    PV__FLAG(pv__events, unseen, 0),
    PV__FLAG(pv__events, blind, 0),
};

void pv__stream_events(pv__stream *t, pv_world *world) {
    pv__events *e = &world->events;
    pv__fields_tape(t, world, e, PV__TABLE(told));
    for (int i = 0; t->reads && told[i].type == PV__FIELD_LIST; i++)
        ((pv__list *)(void *)((char *)e + told[i].offset))->size = told[i].list->size;
    if (!t->reads || t->broken) return;
    for (int i = 0; i < e->changed.count; i++) {
        pv__body *b = &world->bodies.items[((const int *)e->changed.items)[i]];
        t->broken |= b->changed; /* A body is listed once. */
        b->changed = true;
    }
    for (int i = 0; i < e->inside.count; i++) ((pv__stay *)e->inside.items)[i].inside = true;
    for (int i = 0; i < world->bodies.count && !t->broken; i++) {
        if (!world->bodies.items[i].sensor) continue;
        world->bodies.items[i].sensor_place = e->sensors.count;
        pv__stream_got(t, pv__events_append(world, &e->sensors, &i, sizeof i));
    }
}
