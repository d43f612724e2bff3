/* wake_near.c - waking of bodies near a place.
 *
 * Invariant: boxes decide alone: bodies whose boxes do not overlap sleep on.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/wake_near.h"
#include "collide/broad_phase.h"
#include "core/pose.h"
#include "core/wake.h"

static void wake_polygons_within(pv_world *world, const pv_box *box) {
    const pv__matter *m = &world->matter;
    for (int i = 0; m->polygons_asleep > 0 && i < m->polygon_pool.count; i++) {
        const pv__polygon *q = &m->polygons[i];
        if (!pv__polygon_is_alive(q) || !q->asleep) continue;
        pv_box other = pv__polygon_outer_box(world, q);
        if (pv__boxes_meet(box, &other)) pv__wake_polygon(world, i);
    }
}

void pv__wake_within(pv_world *world, const pv_box *near) {
    int count = pv__broad_phase_find_resting(world, near);
    for (int i = 0; i < count; i++) {
        pv__body *b = &world->bodies.items[world->broad_phase.grid.near[i]];
        if (b->awake || b->type == PV_BODY_STATIC) continue;
        pv_box box = pv__pose_box(b, b->pose);
        if (pv__boxes_meet(near, &box)) pv__wake_body(world, b);
    }
    wake_polygons_within(world, near);
}

void pv__wake_around(pv_world *world, pv_box box) {
    box = pv__box_widened(box, PV__SEEK_ROOM);
    pv__wake_within(world, &box);
}

void pv__wake_near(pv_world *world, int index) {
    const pv__body *b = &world->bodies.items[index];
    pv__wake_around(world, pv__pose_box(b, b->pose));
}
