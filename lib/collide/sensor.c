/* sensor.c - overlaps of bodies with sensors.
 *
 * Invariant: the overlaps are sorted by sensor and visitor, and both bodies exist. A pair of bodies
 * that neither moved nor came stays unchanged. The test follows the end of the step, so that it
 * misses no body that an impact deflected.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/sensor.h"
#include "collide/broad_phase.h"
#include "collide/collide_bitmap.h"
#include "core/events.h"
#include "core/filter.h"
#include "core/handle.h"

/// Motion in a step from which a body may have passed through another one unseen [px]
static const double FLOWN = 1;
/// Distance of two boxes from which on no pixel is shared, with a margin [px]
static const double SENSOR_NEAR = 2;

static int compare_stays(const void *p, const void *q) {
    const pv__stay *a = p, *b = q;
    if (a->sensor.index != b->sensor.index) return a->sensor.index < b->sensor.index ? -1 : 1;
    if (a->visitor.index != b->visitor.index) return a->visitor.index < b->visitor.index ? -1 : 1;
    if (a->sensor.generation != b->sensor.generation)
        return a->sensor.generation < b->sensor.generation ? -1 : 1;
    return (a->visitor.generation > b->visitor.generation) -
           (a->visitor.generation < b->visitor.generation);
}

void pv__sensor_mark_beginnings(pv_world *world) {
    for (int i = 0; world->bodies.sensing && i < world->bodies.awake_count; i++) {
        pv__body *b = &world->bodies.items[world->bodies.awake[i]];
        b->began = b->pose;
    }
}

static pv_swept sensor_way_of(const pv__body *b) {
    return (pv_swept){b->pixels->mask, pv__body_transform(b, b->awake ? b->began : b->pose),
                      pv__body_transform(b, b->pose)};
}

/// Returns a bound of the displacement of any point of a body in the step [px].
static double sensor_motion_of(const pv__body *b) {
    if (!b->awake) return 0;
    pv_vec2 turn = {b->pose.turn.c - b->began.turn.c, b->pose.turn.s - b->began.turn.s};
    return pv__length(pv__sub(b->pose.center, b->began.center)) +
           b->pixels->reach * pv__length(turn);
}

static bool flew_through(const pv__body *a, const pv__body *b) {
    if (sensor_motion_of(a) + sensor_motion_of(b) <= FLOWN) return false;
    pv_swept way_a = sensor_way_of(a), way_b = sensor_way_of(b);
    return pv_swept_cast(&way_a, &way_b, NULL);
}

/// Tells whether a body may overlap other bodies than before.
static bool is_new(const pv_world *world, int index) {
    return world->events.blind || world->bodies.items[index].awake ||
           world->bodies.items[index].unseen;
}

/// Tells whether the pictures of two bodies may share a pixel in their current poses.
static bool are_near(const pv_world *world, int a, int b) {
    const pv_box *p = &world->broad_phase.index.spots[a].box,
                 *q = &world->broad_phase.index.spots[b].box;
    return p->min.x <= q->max.x + SENSOR_NEAR && q->min.x <= p->max.x + SENSOR_NEAR &&
           p->min.y <= q->max.y + SENSOR_NEAR && q->min.y <= p->max.y + SENSOR_NEAR;
}

/// Tests a pair and lists it, even if it shares no pixel.
static void sensor_test(pv_world *world, int sensor, int visitor) {
    bool inside = are_near(world, sensor, visitor) &&
                  pv__collide_bodies_overlap(world, (pv__pair){sensor, visitor});
    pv__stay stay = {pv__handle_of_body(world, sensor), pv__handle_of_body(world, visitor), inside};
    pv__events_append(world, &world->events.tested, &stay, sizeof stay);
}

static void test_sensor(pv_world *world, int sensor) {
    bool fresh = is_new(world, sensor);
    int count = pv__broad_phase_find_met(world, sensor,
                                         fresh || world->events.unseen || world->events.blind);
    for (int i = 0; i < count; i++) {
        int visitor = world->broad_phase.grid.near[i];
        if ((fresh || is_new(world, visitor)) && pv__filter_may_sense(world, sensor, visitor))
            sensor_test(world, sensor, visitor);
    }
}

/// Tests all pairs that may have changed.
static void test_all(pv_world *world) {
    pv__events *e = &world->events;
    pv__broad_phase_lay_out_ways(world);
    e->tested.count = 0;
    for (int i = 0; i < e->sensors.count; i++) {
        int sensor = ((int *)e->sensors.items)[i];
        if (pv__body_is_present(&world->bodies.items[sensor])) test_sensor(world, sensor);
    }
    if (e->tested.count > 1)
        pv__sort(e->tested.items, e->tested.count, sizeof(pv__stay), compare_stays);
}

static void mark_seen(pv_world *world) {
    for (int i = 0; world->events.unseen && i < world->bodies.count; i++)
        world->bodies.items[i].unseen = false;
    world->events.unseen = world->events.blind = false;
}

/// Reserves memory for all possible events; returns false without memory.
static bool reserve_visits(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__events *e = &world->events;
    int most = e->inside.count + e->tested.count;
    return pv__reserve(allocator, &e->staying.items, &e->staying.capacity, most,
                       sizeof(pv__stay)) &&
           pv__reserve(allocator, &e->sensor_begins.items, &e->sensor_begins.capacity, most,
                       sizeof(pv_sensor_event)) &&
           pv__reserve(allocator, &e->sensor_ends.items, &e->sensor_ends.capacity, most,
                       sizeof(pv_sensor_event));
}

/// Tests all sensors. Without memory it returns false, and the next step tests everything.
static bool sensor_look(pv_world *world) {
    bool before = world->out_of_memory;
    world->out_of_memory = false;
    test_all(world);
    bool looked = !world->out_of_memory && reserve_visits(world);
    world->out_of_memory = before || !looked;
    world->events.blind |= !looked;
    return looked;
}

/// Tells whether a pair that was not tested is unchanged: neither body moved.
static bool sensor_stays(const pv_world *world, const pv__stay *s) {
    const pv__body *a = pv__handle_body(world, s->sensor), *b = pv__handle_body(world, s->visitor);
    return a && b && pv__body_is_present(a) && pv__body_is_present(b) &&
           !is_new(world, (int)s->sensor.index - 1) && !is_new(world, (int)s->visitor.index - 1) &&
           pv__filter_may_meet(world, (int)s->sensor.index - 1, (int)s->visitor.index - 1);
}

static void sensor_tell(pv_world *world, pv__list *list, const pv__stay *s) {
    pv_sensor_event visit = {s->sensor, s->visitor};
    pv__events_append(world, list, &visit, sizeof visit);
}

static void sensor_go_on(pv_world *world, const pv__stay *old, bool inside) {
    if (inside)
        pv__events_append(world, &world->events.staying, old, sizeof *old);
    else
        sensor_tell(world, &world->events.sensor_ends, old);
}

static void sensor_come(pv_world *world, const pv__stay *now) {
    bool through = !now->inside && flew_through(&world->bodies.items[now->sensor.index - 1],
                                                &world->bodies.items[now->visitor.index - 1]);
    if (now->inside || through) sensor_tell(world, &world->events.sensor_begins, now);
    if (now->inside) pv__events_append(world, &world->events.staying, now, sizeof *now);
    if (through) sensor_tell(world, &world->events.sensor_ends, now);
}

void pv__sensor_tell_visits(pv_world *world) {
    pv__events *e = &world->events;
    if (!world->bodies.sensing || !sensor_look(world)) return;
    const pv__stay *old = e->inside.items, *now = e->tested.items;
    int i = 0, j = 0;
    e->staying.count = 0;
    while (i < e->inside.count || j < e->tested.count) {
        int order = i == e->inside.count   ? 1
                    : j == e->tested.count ? -1
                                           : compare_stays(&old[i], &now[j]);
        if (order < 0)
            sensor_go_on(world, &old[i], sensor_stays(world, &old[i]));
        else if (order == 0)
            sensor_go_on(world, &old[i], now[j].inside);
        else
            sensor_come(world, &now[j]);
        i += order <= 0;
        j += order >= 0;
    }
    pv__list swap = e->inside;
    e->inside = e->staying;
    e->staying = swap;
    mark_seen(world);
}

int pv_body_get_sensor_overlaps(const pv_world *world, pv_body_id sensor, pv_body_id *visitors,
                                int capacity) {
    if (!pv__handle_body(world, sensor)) return 0;
    const pv__stay *inside = world->events.inside.items;
    int count = 0;
    for (int i = 0; i < world->events.inside.count; i++) {
        const pv__stay *s = &inside[i];
        if (s->sensor.index != sensor.index || s->sensor.generation != sensor.generation) continue;
        if (!pv__handle_body(world, s->visitor)) continue;
        if (visitors && count < capacity) visitors[count] = s->visitor;
        count++;
    }
    return count;
}
