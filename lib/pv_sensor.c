/* pv_sensor.c - who shares a pixel with a sensor.
 *
 * Invariant: those inside are sorted by sensor and visitor, and both are there; a pair of which neither has moved stays as it
 * was.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

#include <stdlib.h>

/// What moves farther in a step may have flown through what is there [px].
static const double FLOWN = 1;

static int compare_stays(const void *p, const void *q) {
    const pv__stay *a = p, *b = q;
    if (a->sensor.index != b->sensor.index) return a->sensor.index < b->sensor.index ? -1 : 1;
    if (a->visitor.index != b->visitor.index) return a->visitor.index < b->visitor.index ? -1 : 1;
    if (a->sensor.generation != b->sensor.generation)
        return a->sensor.generation < b->sensor.generation ? -1 : 1;
    return (a->visitor.generation > b->visitor.generation) - (a->visitor.generation < b->visitor.generation);
}

void pv__mark_beginnings(pv_world *world) {
    for (int i = 0; world->senses && i < world->awake_count; i++) {
        pv__body *b = &world->bodies[world->awake[i]];
        b->began = b->pose;
    }
}

static pv_moving way_of(const pv__body *b) {
    return (pv_moving){b->mask, pv__transform_of(b, b->awake ? b->began : b->pose),
                       pv__transform_of(b, b->pose)};
}

/// How far any point of it went, at most [px].
static double motion_of(const pv__body *b) {
    if (!b->awake) return 0;
    pv_vec2 turn = {b->pose.turn.c - b->began.turn.c, b->pose.turn.s - b->began.turn.s};
    return pv__length(pv__sub(b->pose.centre, b->began.centre)) + b->reach * pv__length(turn);
}

static bool flew_through(const pv__body *a, const pv__body *b) {
    if (motion_of(a) + motion_of(b) <= FLOWN) return false;
    pv_moving way_a = way_of(a), way_b = way_of(b);
    return pv_sweep(&way_a, &way_b, NULL);
}

/// Looks at the pairs of the step; those that share nothing are listed as well.
static void test_all(pv_world *world) {
    pv__list *tested = &world->events.tested;
    tested->count = 0;
    for (int i = 0; i < world->sensed_count; i++) {
        pv__pair pair = world->sensed[i];
        const pv__body *a = &world->bodies[pair.a], *b = &world->bodies[pair.b];
        bool inside = pv__bodies_overlap(world, pair), through = !inside && flew_through(a, b);
        pv_body first = pv__name_of(world, pair.a), second = pv__name_of(world, pair.b);
        pv__stay stay = {a->sensor ? first : second, a->sensor ? second : first, inside, through};
        pv__append(world, tested, &stay, sizeof stay);
    }
    if (tested->count > 1) qsort(tested->items, (size_t)tested->count, sizeof(pv__stay), compare_stays);
}

/// Whether a pair that was not looked at is as it was: nothing in it moves.
static bool stays(const pv_world *world, const pv__stay *s) {
    const pv__body *a = pv__body_of(world, s->sensor), *b = pv__body_of(world, s->visitor);
    return a && b && pv__present(a) && pv__present(b) && !a->awake && !b->awake &&
           pv__may_meet(world, (int)s->sensor.index - 1, (int)s->visitor.index - 1);
}

static void tell(pv_world *world, pv__list *list, const pv__stay *s) {
    pv_visit visit = {s->sensor, s->visitor};
    pv__append(world, list, &visit, sizeof visit);
}

static void go_on(pv_world *world, const pv__stay *old, bool inside) {
    if (inside)
        pv__append(world, &world->events.staying, old, sizeof *old);
    else
        tell(world, &world->events.leaves, old);
}

static void come(pv_world *world, const pv__stay *now) {
    if (now->inside || now->through) tell(world, &world->events.enters, now);
    if (now->inside) pv__append(world, &world->events.staying, now, sizeof *now);
    if (now->through) tell(world, &world->events.leaves, now);
}

void pv__tell_visits(pv_world *world) {
    pv__events *e = &world->events;
    if (!world->senses) return;
    test_all(world);
    const pv__stay *old = e->inside.items, *now = e->tested.items;
    int i = 0, j = 0;
    e->staying.count = 0;
    while (i < e->inside.count || j < e->tested.count) {
        int order = i == e->inside.count ? 1 : j == e->tested.count ? -1 : compare_stays(&old[i], &now[j]);
        if (order < 0)
            go_on(world, &old[i], stays(world, &old[i]));
        else if (order == 0)
            go_on(world, &old[i], now[j].inside);
        else
            come(world, &now[j]);
        i += order <= 0;
        j += order >= 0;
    }
    pv__list swap = e->inside;
    e->inside = e->staying;
    e->staying = swap;
}

int pv_sensor_visitors(const pv_world *world, pv_body sensor, pv_body *visitors, int capacity) {
    if (!pv__body_of(world, sensor)) return 0;
    const pv__stay *inside = world->events.inside.items;
    int count = 0;
    for (int i = 0; i < world->events.inside.count; i++) {
        const pv__stay *s = &inside[i];
        if (s->sensor.index != sensor.index || s->sensor.generation != sensor.generation) continue;
        if (!pv__body_of(world, s->visitor)) continue;
        if (visitors && count < capacity) visitors[count] = s->visitor;
        count++;
    }
    return count;
}
