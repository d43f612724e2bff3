/* sensor.c - overlaps of bodies with sensors.
 *
 * Invariant: the overlaps are sorted by sensor and visitor, and both bodies exist. A pair whose
 * bodies neither moved nor are new stays unchanged. The test comes at the end of the step, so that
 * it misses no body that an impact deflected.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/sensor.h"
#include "collide/broad_phase.h"
#include "collide/query_index.h"
#include "core/events.h"
#include "core/filter.h"
#include "core/handle.h"
#include "core/pose.h"
#include "core/tasks.h"

#include <limits.h>

static void mark_some(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) {
        pv__body *b = &world->bodies.items[world->bodies.awake[i]];
        b->began = b->pose;
    }
}

void pv__sensor_mark_beginnings(pv_world *world) {
    if (!world->bodies.sensing) return;
    pv__tasks_run(world, world->bodies.awake_count, PV__CHUNK_LIGHT, mark_some, NULL);
    for (int i = 0; i < world->matter.polygon_pool.count; i++) {
        pv__polygon *q = &world->matter.polygons[i];
        if (pv__slot_lives(&q->slot)) q->began = pv__polygon_placed(world, q).transform;
    }
}

static pv_swept way_of(const pv__body *b) {
    return (pv_swept){b->pixels->mask, pv__body_transform(b, b->awake ? b->began : b->pose),
                      pv__body_transform(b, b->pose)};
}

/// Returns a bound of the displacement of any point of a body in the step [px].
static double motion_of(const pv__body *b) {
    if (!b->awake) return 0;
    pv_vec2 turn = {b->pose.turn.c - b->began.turn.c, b->pose.turn.s - b->began.turn.s};
    return pv__length(pv__sub(b->pose.center, b->began.center)) +
           b->pixels->reach * pv__length(turn);
}

/// Returns a bound of the displacement of any point of a polygon in the step [px].
static double motion_of_polygon(const pv_world *world, const pv__polygon *q) {
    pv_transform now = pv__polygon_placed(world, q).transform;
    pv_box box = pv__polygon_box(world, q);
    pv_vec2 turn = {now.rotation.c - q->began.rotation.c, now.rotation.s - q->began.rotation.s};
    return pv__length(pv__sub(now.position, q->began.position)) +
           pv__length(pv__sub(box.max, box.min)) * pv__length(turn);
}

/// Tells whether a body may overlap other bodies than before.
static bool is_new(const pv_world *world, int index) {
    return world->events.blind || world->bodies.items[index].awake ||
           world->bodies.items[index].unseen;
}

/// Tells whether the pictures of two bodies may share a pixel in their current poses.
static bool are_near(const pv_world *world, int a, int b) {
    pv_box p = pv__box_widened(pv__index_current_box(world, a), PV__SEEK_ROOM),
           q = pv__index_current_box(world, b);
    return pv__boxes_meet(&p, &q);
}

/// Lists a sensor's pairs that may have changed.
static void list_visitors(pv_world *world, pv__worker *w, int sensor) {
    const pv__events *e = &world->events;
    bool fresh = is_new(world, sensor);
    int count = pv__broad_phase_find_met(world, sensor, fresh || e->unseen || e->blind, w->near);
    if (!pv__broad_phase_make_room(world, w, count)) return;
    for (int i = 0; i < count; i++) {
        int visitor = w->near[i];
        if ((fresh || is_new(world, visitor)) && pv__filter_may_sense(world, sensor, visitor))
            w->pairs[w->pair_count++] = (pv__pair){sensor, visitor};
    }
}

static void list_some(pv_world *world, void *stage, int first, int end) {
    const int *sensors = world->events.sensors.items;
    pv__worker *w = pv__tasks_worker(world);
    (void)stage;
    for (int i = first; i < end; i++)
        if (pv__body_is_present(&world->bodies.items[sensors[i]]))
            list_visitors(world, w, sensors[i]);
}

/// Joins the pairs of all workers and sorts them, so that the workers don't affect their order.
/// Returns false without memory.
static bool sensor_join(pv_world *world) {
    pv__list *tested = &world->events.tested;
    int64_t sum = 0;
    for (int i = 0; i < world->worker_count; i++) sum += world->workers[i].pair_count;
    if (sum > INT_MAX ||
        !pv__list_reserve(&world->def.allocator, tested, (int)sum, sizeof(pv__stay)))
        return false;
    pv__stay *stay = tested->items;
    for (int i = 0; i < world->worker_count; i++) {
        const pv__worker *w = &world->workers[i];
        for (int k = 0; k < w->pair_count; k++)
            *stay++ = (pv__stay){.sensor = pv__handle_of_body(world, w->pairs[k].a),
                                 .visitor = pv__handle_of_body(world, w->pairs[k].b)};
    }
    tested->count = (int)sum;
    if (sum > 1) pv__sort(tested->items, tested->count, sizeof(pv__stay), pv__compare_handles);
    return true;
}

/// Returns the greatest motion of a polygon in the step [px].
static double motion_of_polygons(const pv_world *world) {
    const pv__matter *m = &world->matter;
    double most = 0;
    for (int i = 0; i < m->polygon_pool.count; i++)
        if (pv__slot_lives(&m->polygons[i].slot))
            most = pv__max(most, motion_of_polygon(world, &m->polygons[i]));
    return most;
}

/// Lists the polygons near a sensor that may have changed; none moved farther than most. Returns
/// false without memory.
static bool list_polygons(pv_world *world, int sensor, double most) {
    const pv__body *s = &world->bodies.items[sensor];
    pv_box box = pv__box_widened(pv__pose_box(s, s->pose), PV__SEEK_ROOM + motion_of(s));
    pv__swath swath = {.reach = pv__box_widened(box, most)};
    pv__candidates near;
    pv__index_candidates_begin(&near, world, &swath, pv__index_of_polygon(0));
    for (int i; (i = pv__index_candidates_next(&near)) >= 0;) {
        const pv__polygon *q = &world->matter.polygons[pv__index_polygon(i)];
        if (!q->mask || (q->asleep && !is_new(world, sensor)) ||
            !pv__filter_agrees(s->filter, q->filter))
            continue;
        pv_box own = pv__box_widened(pv__index_current_box(world, i), motion_of_polygon(world, q));
        pv__stay stay = {.sensor = pv__handle_of_body(world, sensor),
                         .visitor = pv__index_handle(world, i)};
        if (pv__boxes_meet(&box, &own) &&
            !pv__events_append(world, &world->events.tested, &stay, sizeof stay))
            return false;
    }
    return true;
}

/// Adds the polygons near all sensors to the listed sprites.
static bool list_all_polygons(pv_world *world) {
    const int *sensors = world->events.sensors.items;
    pv__list *tested = &world->events.tested;
    int sprites = tested->count;
    double most = motion_of_polygons(world);
    for (int i = 0; world->matter.polygon_pool.living > 0 && i < world->events.sensors.count; i++)
        if (pv__body_is_present(&world->bodies.items[sensors[i]]) &&
            !list_polygons(world, sensors[i], most))
            return false;
    if (tested->count > sprites)
        pv__sort(tested->items, tested->count, sizeof(pv__stay), pv__compare_handles);
    return true;
}

/// Removes the pairs that the filter callback denies.
static void ask_for_visits(pv_world *world) {
    pv__list *tested = &world->events.tested;
    pv__stay *stays = tested->items;
    int kept = 0;
    for (int i = 0; i < tested->count; i++)
        if (stays[i].sensor.index < stays[i].visitor.index
                ? pv__filter_are_granted(world, stays[i].sensor, stays[i].visitor)
                : pv__filter_are_granted(world, stays[i].visitor, stays[i].sensor))
            stays[kept++] = stays[i];
    tested->count = kept;
}

/// Tells whether a pair overlapped when the last step ended.
static bool was_inside(const pv_world *world, const pv__stay *s) {
    return pv__sorted_has(world->events.inside.items, world->events.inside.count, sizeof *s, s,
                          pv__compare_handles);
}

/// Tests a sensor and a visitor, which is a sprite or a polygon.
static void test(const pv_world *world, pv__stay *s) {
    int polygon = pv__handle_polygon(world, s->visitor), sensor = (int)s->sensor.index - 1,
        visitor = polygon >= 0 ? pv__index_of_polygon(polygon) : (int)s->visitor.index - 1;
    const pv__body *a = &world->bodies.items[sensor];
    pv_swept way_a = way_of(a), way_b;
    double motion = motion_of(a);
    if (polygon >= 0) {
        const pv__polygon *q = &world->matter.polygons[polygon];
        way_b = (pv_swept){q->mask, q->began, pv__polygon_placed(world, q).transform};
        motion += motion_of_polygon(world, q);
    } else {
        const pv__body *b = &world->bodies.items[visitor];
        way_b = way_of(b);
        motion += motion_of(b);
    }
    pv_placed at_a = {way_a.mask, way_a.to}, at_b = {way_b.mask, way_b.to};
    s->inside = are_near(world, sensor, visitor) && pv_placed_test_overlap(&at_a, &at_b);
    s->through = !s->inside && motion > PV__UNSEEN && !was_inside(world, s) &&
                 pv_swept_cast(&way_a, &way_b, NULL);
}

static void test_some(pv_world *world, void *stage, int first, int end) {
    pv__stay *stays = stage;
    for (int i = first; i < end; i++) test(world, &stays[i]);
}

/// Tests all pairs that may have changed; returns false without memory.
static bool test_all(pv_world *world) {
    world->events.tested.count = 0;
    if (!pv__broad_phase_equip(world)) return false;
    pv__broad_phase_lay_out_ways(world);
    pv__tasks_run(world, world->events.sensors.count, PV__CHUNK_HEAVY, list_some, NULL);
    if (world->out_of_memory || !sensor_join(world) || !list_all_polygons(world)) return false;
    if (world->def.filter_callback) ask_for_visits(world);
    pv__tasks_run(world, world->events.tested.count, PV__CHUNK_HEAVY, test_some,
                  world->events.tested.items);
    return !world->out_of_memory;
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
    return pv__list_reserve(allocator, &e->staying, most, sizeof(pv__stay)) &&
           pv__list_reserve(allocator, &e->sensor_begins, most, sizeof(pv_sensor_event)) &&
           pv__list_reserve(allocator, &e->sensor_ends, most, sizeof(pv_sensor_event));
}

/// Tests all sensors. Without memory it returns false, and the next step tests everything.
static bool sensor_look(pv_world *world) {
    bool before = world->out_of_memory;
    world->out_of_memory = false;
    bool looked = test_all(world) && reserve_visits(world);
    world->out_of_memory = before || !looked;
    world->events.blind |= !looked;
    return looked;
}

/// Tells whether a pair that was not tested is unchanged: neither body moved.
static bool sensor_stays(const pv_world *world, const pv__stay *s) {
    int polygon = pv__handle_polygon(world, s->visitor), sensor = (int)s->sensor.index - 1,
        visitor = (int)s->visitor.index - 1;
    const pv__body *a = pv__handle_body(world, s->sensor), *b = pv__handle_body(world, s->visitor);
    if (!a || !pv__body_is_present(a) || is_new(world, sensor)) return false;
    if (polygon >= 0) return world->matter.polygons[polygon].asleep;
    return b && pv__body_is_present(b) && !is_new(world, visitor) &&
           pv__filter_may_meet(world, sensor, visitor);
}

static void tell(pv_world *world, pv__list *list, const pv__stay *s) {
    pv_sensor_event visit = {s->sensor, s->visitor};
    pv__events_append(world, list, &visit, sizeof visit);
}

static void go_on(pv_world *world, const pv__stay *old, bool inside) {
    if (inside)
        pv__events_append(world, &world->events.staying, old, sizeof *old);
    else
        tell(world, &world->events.sensor_ends, old);
}

static void come(pv_world *world, const pv__stay *now) {
    if (now->inside || now->through) tell(world, &world->events.sensor_begins, now);
    if (now->inside) pv__events_append(world, &world->events.staying, now, sizeof *now);
    if (now->through) tell(world, &world->events.sensor_ends, now);
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
                                           : pv__compare_handles(&old[i], &now[j]);
        if (order < 0)
            go_on(world, &old[i], sensor_stays(world, &old[i]));
        else if (order == 0)
            go_on(world, &old[i], now[j].inside);
        else
            come(world, &now[j]);
        i += order <= 0;
        j += order >= 0;
    }
    pv__exchange(&e->inside, &e->staying, sizeof e->staying);
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
        if (!pv_body_is_valid(world, s->visitor)) continue;
        if (visitors && count < capacity) visitors[count] = s->visitor;
        count++;
    }
    return count;
}
