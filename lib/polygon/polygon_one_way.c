/* polygon_one_way.c - polygons at one-way bodies: held, or let through as a whole.
 *
 * Invariant: the state of a pair is decided at its first contact. It lasts until no part of the
 * polygon is in the body, even across steps. Separate pairs have no stored state.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/body_bitmap.h"
#include "core/pose.h"
#include "matter/particle_collide.h"
#include "polygon/polygon_contact.h"
#include "polygon/polygon_motion.h"
#include "polygon/polygon_scratch.h"
#include "shape/distance_field.h"

/* ---- from step to step ---- */

static pv__crossing crossing_of(const pv_world *world, const pv__meet *m) {
    return (pv__crossing){m->polygon, m->other, world->matter.polygons[m->polygon].slot.generation,
                          world->bodies.items[m->other].generation, m->passage};
}

bool pv__polygon_keep_crossings(pv_world *world) {
    pv__matter *m = &world->matter;
    const pv__polygon_room *r = pv__polygon_list(world);
    m->crossing_count = 0;
    for (int i = 0; r && i < r->meet_count; i++) {
        if (r->meets[i].passage == PV__CLEAR) continue;
        if (!PV__APPEND(&world->def.allocator, m->crossings, m->crossing_capacity,
                        m->crossing_count, crossing_of(world, &r->meets[i])))
            return false;
    }
    return true;
}

/// Tells whether a segment in a body's picture gets deeper into it than a depth [px].
static bool dips_in(const pv__shape *shape, pv_vec2 from, pv_vec2 to, double depth) {
    pv_vec2 way = pv__sub(to, from);
    double length = pv__length(way);
    for (double gone = 0; gone < length;) {
        double off = pv__field_at(shape, pv__mad(from, gone / length, way), NULL);
        if (off < -depth) return true;
        gone += pv__max(off, PV__LEAST_LOOK);
    }
    return false;
}

/// Tells whether a polygon's edge, or one of its discs, gets deeper into a body than a depth [px].
static bool reaches_in(const pv_world *world, const pv__meet *m, pv__pose pose, bool discs,
                       double depth) {
    const pv__polygon *q = &world->matter.polygons[m->polygon];
    const pv__particles *p = &world->matter.particles;
    const pv__body *b = &world->bodies.items[m->other];
    const pv__shape *shape = pv__particle_shape_of(b);
    if (!shape) return false;
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i], next = q->corners[(i + 1) % q->corner_count];
        pv_vec2 from = pv__pose_into_picture(b, pose, p->now[k]),
                to = pv__pose_into_picture(b, pose, p->now[next]);
        if (discs ? pv__field_at(shape, from, NULL) - p->data[k].radius < -depth
                  : dips_in(shape, from, to, depth))
            return true;
    }
    pv_vec2 middle = pv__pose_into_picture(b, pose, pv__polygon_center(world, q));
    return discs && pv__field_at(shape, middle, NULL) - q->middle < -depth;
}

void pv__polygon_recall_crossings(pv_world *world) {
    const pv__matter *m = &world->matter;
    for (int i = 0; i < m->polygon_room->meet_count; i++) {
        pv__meet *meet = &m->polygon_room->meets[i];
        if (meet->kind != PV__MEET_BODY || !pv__body_is_one_way(&world->bodies.items[meet->other]))
            continue;
        pv__crossing c = crossing_of(world, meet);
        int at = pv__sorted_place(m->crossings, m->crossing_count, sizeof c, &c, pv__compare_pairs);
        if (at < m->crossing_count &&
            memcmp(&m->crossings[at], &c, offsetof(pv__crossing, passage)) == 0)
            meet->passage = m->crossings[at].passage;
        else if (reaches_in(world, meet, world->bodies.items[meet->other].pose,
                            pv__polygon_has_discs(world, meet->polygon), PV__DEEP))
            meet->passage = PV__PASSING;
    }
}

/* ---- in a round ---- */

static bool holds(const pv_world *world, const pv__touch *t) {
    int body = t->b.body;
    return pv__one_way_holds_at(&world->bodies.items[body], pv__body_pose_now(world, body).turn,
                                pv__mul(-1, t->normal));
}

/// Tells whether the state of a pair lasts without contacts.
static bool lasts(const pv_world *world, const pv__meet *m) {
    if (m->passage == PV__CLEAR) return false;
    pv__pose pose = pv__body_pose_now(world, m->other);
    bool held = m->passage == PV__HELD;
    return reaches_in(world, m, pose, held && pv__polygon_has_discs(world, m->polygon),
                      held ? -PV__PIXEL_ROOM : 0);
}

pv__passage pv__polygon_judge_crossing(const pv_world *world, const pv__meet *m,
                                       const pv__touch *touches, int count) {
    if (count == 0) return lasts(world, m) ? m->passage : PV__CLEAR;
    if (m->passage != PV__CLEAR) return m->passage;
    for (int i = 0; i < count; i++)
        if (holds(world, &touches[i])) return PV__HELD;
    return PV__PASSING;
}
