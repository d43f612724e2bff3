/* wake.c - bodies and polygons that wake, each with its island.
 *
 * Invariant: an awake body has the island -1. The observation of rest restarts at every wake.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/wake.h"
#include "core/events.h"
#include "core/pose.h"
#include "core/world_lock.h"

void pv__wake_forget_rest(pv__body *b) {
    b->still = b->still_span = b->still_since = 0;
    b->earlier_pose = b->still_pose = b->pose;
}

static void sleep_rise(pv_world *world, pv__body *b) {
    world->bodies.awake_stale = world->manifolds.stale = true;
    world->solver.ordered = false;
    pv__events_note_change(world, b);
    b->began = b->pose;
    b->awake = true;
    b->island = -1;
}

static void awaken(pv_world *world, pv__body *b) {
    if (!b->awake) sleep_rise(world, b);
    world->solver.rested = false;
    b->stuck = 0;
    pv__wake_forget_rest(b);
}

void pv__wake_join_ring(pv_world *world, int root, int index) {
    pv__body *first = &world->bodies.items[root];
    if (index == root) return;
    world->bodies.items[index].island_next = first->island_next;
    first->island_next = index;
}

/// Wakes all bodies of a sleeping island, and dissolves its ring.
static void ring(pv_world *world, int first) {
    int i = first;
    do {
        pv__body *b = &world->bodies.items[i];
        int next = b->island_next;
        b->island_next = i;
        awaken(world, b);
        i = next;
    } while (i != first);
}

void pv__wake_body(pv_world *world, pv__body *b) {
    if (b->type == PV_BODY_STATIC || b->disabled) return;
    int island = b->island;
    ring(world, (int)(b - world->bodies.items));
    if (island >= 0) pv__wake_polygons_with(world, island);
}

void pv__wake_link_islands(pv_world *world) {
    for (int i = 0; i < world->bodies.count; i++) world->bodies.items[i].island_next = i;
    for (int i = 0; i < world->bodies.count; i++) {
        const pv__body *b = &world->bodies.items[i];
        bool sleeps = pv__body_is_alive(b) && b->island >= 0;
        if (sleeps && world->bodies.items[b->island].island == b->island)
            pv__wake_join_ring(world, b->island, i);
    }
}

void pv__wake_list_awake(pv_world *world) {
    if (!world->bodies.awake_stale) return;
    if (!pv__world_reserve_by_body(world, &world->bodies.awake, &world->bodies.awake_capacity,
                                   world->bodies.count, sizeof(int))) {
        world->out_of_memory = true;
        return;
    }
    world->bodies.awake_count = 0;
    for (int i = 0; i < world->bodies.count; i++)
        if (pv__body_is_alive(&world->bodies.items[i]) && world->bodies.items[i].awake)
            world->bodies.awake[world->bodies.awake_count++] = i;
    world->bodies.awake_stale = false;
}

pv_vec2 pv__polygon_mark(const pv_world *world, const pv__polygon *q, int i) {
    return world->matter.particles.now[q->corners[i * q->corner_count / 3]];
}

void pv__polygon_mark_all(const pv_world *world, pv__polygon *q) {
    q->still = 0;
    for (int i = 0; i < 3; i++) q->marks[i] = pv__polygon_mark(world, q, i);
}

/// Wakes a polygon: its corners get their masses back.
static void wake_corners(pv_world *world, pv__polygon *q) {
    pv__particles *p = &world->matter.particles;
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i];
        double mass = p->data[k].mass;
        p->inverse_mass[k] = mass > 0 ? 1 / mass : 0;
        p->bound[k] = (unsigned char)(PV__MEETS | (mass > 0 ? 0 : PV__STAYS));
    }
    q->asleep = q->called = false;
    pv__polygon_mark_all(world, q);
    world->matter.loose = true; /* the batches store masses */
}

void pv__wake_called_polygons(pv_world *world) {
    pv__matter *m = &world->matter;
    for (int i = 0; m->polygons_asleep > 0 && i < m->polygon_pool.count; i++) {
        if (!pv__polygon_is_alive(&m->polygons[i]) || !m->polygons[i].called) continue;
        wake_corners(world, &m->polygons[i]);
        m->polygons_asleep--;
    }
}

static void island_of(pv_world *world, int island, int bodies) {
    pv__matter *m = &world->matter;
    for (int i = 0; i < m->polygon_pool.count; i++) {
        pv__polygon *q = &m->polygons[i];
        if (pv__polygon_is_alive(q) && q->asleep &&
            (q->island == island || (bodies >= 0 && q->bodies == bodies)))
            q->called = true;
    }
    if (pv__world_lock_check(world) == PV_OK) pv__wake_called_polygons(world);
}

void pv__wake_polygon(pv_world *world, int index) {
    pv__polygon *q = &world->matter.polygons[index];
    int bodies = q->bodies;
    if (!q->asleep || q->called) return;
    island_of(world, q->island, bodies);
    if (bodies < 0 || bodies >= world->bodies.count || world->bodies.items[bodies].island != bodies)
        return;
    pv__wake_body(world, &world->bodies.items[bodies]);
}

void pv__wake_polygons_with(pv_world *world, int bodies) {
    if (world->matter.polygons_asleep > 0) island_of(world, -1, bodies);
}

void pv__wake_polygons_all(pv_world *world) {
    for (int i = 0; i < world->matter.polygon_pool.count; i++)
        if (pv__polygon_is_alive(&world->matter.polygons[i])) pv__wake_polygon(world, i);
}

void pv__wake_corner(pv_world *world, int particle) {
    int index = particle > 0 ? world->matter.particles.data[particle].polygon : -1;
    if (index >= 0) pv__wake_polygon(world, index);
}
