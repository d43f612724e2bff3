/* polygon_sleep.c - puts resting polygons to sleep with all that they touch, and wakes them.
 *
 * Invariant: a sleeping polygon's corners have no inverse mass, so nothing moves them. All polygons
 * of its island hold the lowest index among them, and their sleeping island of bodies or -1. A
 * polygon that wakes during a step moves from the next step on.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "polygon/polygon_sleep.h"
#include "collide/query_index.h"
#include "core/handle.h"
#include "core/pose.h"
#include "core/wake.h"
#include "polygon/polygon_motion.h"
#include "polygon/polygon_scratch.h"

/// Greatest displacement of a resting polygon [px], as a constant and a factor of gravity [s^2],
/// and the time of rest [s]. A polygon that starts to slide moves farther, at any gravity.
static const double STILL_REACH = 0.1, STILL_FALL = 3e-4, POLYGON_SLEEP_STILL_TIME = 0.5;
/// Share of the displacement of a polygon at rest that a step takes back
static const double LEAD = 0.5;

bool pv__polygon_is_drowsy(const pv_world *world, const pv__polygon *q) {
    for (int i = 0; pv__polygon_is_alive(q) && !q->asleep && i < q->corner_count; i++)
        if (world->matter.particles.inverse_mass[q->corners[i]] > 0) return true;
    return false;
}

/* ---- impacts ---- */

static double speed_of(const pv_world *world, const pv__polygon *q) {
    const pv__particles *p = &world->matter.particles;
    double way = 0;
    for (int i = 0; i < q->corner_count; i++)
        way = pv__max(way, pv__length(pv__particle_way(p, q->corners[i])));
    return way / world->dt;
}

/// Object in a possible impact.
typedef struct comer {
    double speed, mass;
    pv_box box;
} comer;

static comer comer_of_polygon(const pv_world *world, int polygon) {
    const pv__polygon *q = &world->matter.polygons[polygon];
    return (comer){speed_of(world, q), pv__polygon_mass_of(world, q).mass,
                   pv__polygon_outer_box(world, q)};
}

/// Returns the other object of a pair.
static comer comer_of(const pv_world *world, const pv__meet *m) {
    const pv__particles *p = &world->matter.particles;
    if (m->kind == PV__MEET_POLYGON) return comer_of_polygon(world, m->other);
    if (m->kind == PV__MEET_PARTICLE) {
        pv_vec2 at = p->now[m->other];
        return (comer){pv__length(pv__particle_way(p, m->other)) / world->dt,
                       p->data[m->other].mass,
                       pv__box_widened((pv_box){at, at}, p->data[m->other].radius)};
    }
    const pv__body *b = &world->bodies.items[m->other];
    pv__chord chord = b->awake ? pv__pose_chord_of(b) : (pv__chord){{0, 0}, 0};
    double speed = (pv__length(chord.way) + pv__abs(chord.angle) * b->pixels->reach) / world->dt;
    return (comer){speed, b->type == PV_BODY_DYNAMIC ? b->mass : PV__MOST_MASS,
                   pv__pose_box(b, b->pose)};
}

/// Tells whether an impact would move a sleeping object.
static bool is_hit(const comer *sleeper, const comer *c, double dt) {
    pv_box mine = pv__box_widened(sleeper->box, 1.5 * c->speed * dt + PV__PIXEL_ROOM);
    return c->speed * c->mass >= PV__WAKING_SPEED * sleeper->mass && pv__boxes_meet(&mine, &c->box);
}

static bool wake_if_hit(pv_world *world, int index, const comer *own, const comer *c, double dt) {
    const pv__polygon *q = &world->matter.polygons[index];
    if (!q->asleep || q->called || !is_hit(own, c, dt)) return false;
    pv__wake_polygon(world, index);
    return true;
}

bool pv__polygon_wake_hit(pv_world *world, double dt) {
    pv__matter *m = &world->matter;
    const pv__polygon_room *r = m->polygon_room;
    bool woken = false;
    for (int i = 0; m->polygons_asleep > 0 && i < r->meet_count; i++) {
        const pv__meet *meet = &r->meets[i];
        bool two = meet->kind == PV__MEET_POLYGON;
        if (!m->polygons[meet->polygon].asleep && !(two && m->polygons[meet->other].asleep))
            continue;
        comer one = comer_of_polygon(world, meet->polygon), other = comer_of(world, meet);
        woken |= wake_if_hit(world, meet->polygon, &one, &other, dt);
        if (two) woken |= wake_if_hit(world, meet->other, &other, &one, dt);
    }
    if (woken) pv__wake_called_polygons(world);
    return woken;
}

void pv__polygon_load_bodies(pv_world *world, double dt) {
    const pv__polygon_room *r = world->matter.polygon_room;
    for (int i = 0; i < r->meet_count; i++) {
        const pv__meet *m = &r->meets[i];
        if (m->kind != PV__MEET_BODY) continue;
        pv__body *b = &world->bodies.items[m->other];
        if (b->type != PV_BODY_DYNAMIC) continue;
        b->loaded = world->steps + 1;
        if (b->awake) continue;
        comer c = comer_of_polygon(world, m->polygon), sleeper = comer_of(world, m);
        if (is_hit(&sleeper, &c, dt)) pv__wake_body(world, b);
    }
}

/* ---- sleep ---- */

/// Tells whether a polygon has joints other than its own beams.
static bool is_joined(const pv_world *world, const pv__polygon *q) {
    int holds = 0;
    for (int i = 0; i < q->corner_count; i++)
        holds += world->matter.particles.data[q->corners[i]].joint_count;
    for (int i = 0; i < q->beam_count; i++)
        holds -= 2 * (pv__handle_constraint(world, q->beams[i]) != NULL);
    return holds > 0;
}

/// Updates the rest time of a polygon. A displaced or joined polygon does not rest.
static void watch(const pv_world *world, pv__polygon *q, double dt) {
    double most = 0, reach = pv__max(STILL_REACH, STILL_FALL * pv__length(world->def.gravity));
    for (int i = 0; i < 3; i++)
        most = pv__max(most, pv__length(pv__sub(pv__polygon_mark(world, q, i), q->marks[i])));
    if (most > reach || is_joined(world, q))
        pv__polygon_mark_all(world, q);
    else
        q->still += dt;
}

/// Joins two polygons that touch into an island. Wakes a sleeping one if the other is awake.
static void touch_polygons(pv_world *world, int a, int b) {
    pv__polygon *all = world->matter.polygons;
    bool drowsy_a = pv__polygon_is_drowsy(world, &all[a]),
         drowsy_b = pv__polygon_is_drowsy(world, &all[b]);
    all[a].borne |= !drowsy_b;
    all[b].borne |= !drowsy_a;
    if (drowsy_a && drowsy_b) {
        int root_a = PV__ROOT(all, island, a), root_b = PV__ROOT(all, island, b);
        all[pv__later(root_a, root_b)].island = pv__sooner(root_a, root_b);
    }
    if (all[a].asleep && drowsy_b) pv__wake_polygon(world, a);
    if (all[b].asleep && drowsy_a) pv__wake_polygon(world, b);
}

/// Wakes a sleeping polygon or body if the other is awake. A polygon on a moving kinematic body
/// does not rest.
static void touch_body(pv_world *world, int polygon, int body) {
    pv__polygon *q = &world->matter.polygons[polygon];
    pv__body *b = &world->bodies.items[body];
    q->borne = true;
    if (b->type == PV_BODY_STATIC) return;
    if (b->type == PV_BODY_KINEMATIC && b->awake) q->still = 0;
    if (q->asleep && b->awake) pv__wake_polygon(world, polygon);
    if (pv__polygon_is_drowsy(world, q) && !b->awake && b->type == PV_BODY_DYNAMIC)
        pv__wake_body(world, b);
}

/// Handles a pair that touches. A polygon that touches a movable particle does not rest.
static void touch(pv_world *world, const pv__meet *m) {
    if (m->kind == PV__MEET_POLYGON)
        touch_polygons(world, m->polygon, m->other);
    else if (m->kind == PV__MEET_BODY)
        touch_body(world, m->polygon, m->other);
    else if (world->matter.particles.inverse_mass[m->other] > 0)
        world->matter.polygons[m->polygon].still = 0;
}

/// Calls a function for each pair that touched in the step.
static void for_touched(pv_world *world, const pv__polygon_room *r,
                        void (*act)(pv_world *world, const pv__meet *m)) {
    for (int i = 0; i < r->meet_count; i++)
        if (r->meets[i].blow.count > 0) act(world, &r->meets[i]);
}

/// Takes back a share of a resting polygon's creep and keeps its velocity. An accelerated polygon
/// still gets away.
static void lead_back(pv_world *world, const pv__polygon *q) {
    pv__particles *p = &world->matter.particles;
    pv_vec2 middle = {0, 0}, off = {0, 0};
    for (int i = 0; i < 3; i++) {
        pv_vec2 at = pv__polygon_mark(world, q, i);
        middle = pv__mad(middle, 1.0 / 3, at);
        off = pv__mad(off, 1.0 / 3, pv__sub(q->marks[i], at));
    }
    double turn = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        pv_vec2 at = pv__polygon_mark(world, q, i), r = pv__sub(at, middle);
        turn += pv__cross(r, pv__sub(pv__sub(q->marks[i], at), off));
        size += pv__dot(r, r);
    }
    turn *= size > 0 ? LEAD / size : 0;
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i];
        pv_vec2 by = pv__mad(pv__mul(LEAD, off), turn, pv__perp(pv__sub(p->now[k], middle)));
        if (p->inverse_mass[k] == 0) continue;
        p->now[k] = pv__add(p->now[k], by);
        p->was[k] = pv__add(p->was[k], by);
    }
    pv__index_update(world, pv__index_of_polygon((int)(q - world->matter.polygons)));
}

void pv__polygon_watch_all(pv_world *world, double dt) {
    pv__matter *m = &world->matter;
    const pv__polygon_room *r = pv__polygon_list(world);
    if (!r) return;
    for (int i = 0; i < m->polygon_pool.count; i++) {
        pv__polygon *q = &m->polygons[i];
        q->borne = false;
        if (!pv__polygon_is_drowsy(world, q)) continue;
        watch(world, q, dt);
        q->island = i;
        q->bodies = -1;
        q->island_still = PV__BOUNDLESS;
    }
    for_touched(world, r, touch);
    for (int i = 0; i < m->polygon_pool.count; i++) {
        const pv__polygon *q = &m->polygons[i];
        if (!pv__polygon_is_drowsy(world, q)) continue;
        pv__polygon *root = &m->polygons[PV__ROOT(m->polygons, island, i)];
        root->island_still = pv__min(root->island_still, q->still);
        root->borne |= q->borne;
    }
    for (int i = 0; i < m->polygon_pool.count; i++) {
        const pv__polygon *q = &m->polygons[i];
        if (!pv__polygon_is_drowsy(world, q)) continue;
        pv__polygon *root = &m->polygons[PV__ROOT(m->polygons, island, i)];
        /* An island without support that moves does not rest, however slow it is. */
        if (!root->borne && speed_of(world, q) > 0)
            root->island_still = 0;
        else if (q->still > dt)
            lead_back(world, q);
    }
}

static bool bears(const pv_world *world, const pv__meet *m) {
    if (m->kind != PV__MEET_BODY ||
        !pv__polygon_is_drowsy(world, &world->matter.polygons[m->polygon]))
        return false;
    const pv__body *b = &world->bodies.items[m->other];
    return b->awake && b->type == PV_BODY_DYNAMIC;
}

/// Limits the rest time of a body to that of the polygons that touch it.
static void temper(pv_world *world, const pv__meet *m) {
    if (!bears(world, m)) return;
    const pv__polygon *all = world->matter.polygons;
    pv__body *b = &world->bodies.items[m->other];
    b->lair.still = pv__min(b->lair.still,
                            all[PV__ROOT(world->matter.polygons, island, m->polygon)].island_still);
    /* A body without support does not rest. */
    b->lair.borne = true;
}

void pv__polygon_join_bodies(pv_world *world, void (*act)(pv_world *world, int a, int b)) {
    pv__polygon *all = world->matter.polygons;
    const pv__polygon_room *r = pv__polygon_list(world);
    if (!r) return;
    for_touched(world, r, temper);
    for (int i = 0; i < r->meet_count; i++) {
        const pv__meet *m = &r->meets[i];
        if (m->blow.count == 0 || !bears(world, m)) continue;
        pv__polygon *root = &all[PV__ROOT(all, island, m->polygon)];
        if (root->bodies >= 0) act(world, root->bodies, m->other);
        root->bodies = m->other;
    }
}

static void put_to_sleep(pv_world *world, pv__polygon *q) {
    pv__particles *p = &world->matter.particles;
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i];
        p->was[k] = p->now[k];
        p->inverse_mass[k] = 0;
        p->bound[k] = PV__STAYS;
    }
    q->asleep = true;
    world->matter.polygons_asleep++;
    world->matter.loose = true;
}

void pv__polygon_rest_all(pv_world *world) {
    pv__matter *m = &world->matter;
    if (!pv__polygon_list(world)) return;
    for (int i = m->polygon_pool.count - 1; i >= 0;
         i--) { /* Members precede their roots, as roots have lower indices. */
        pv__polygon *q = &m->polygons[i];
        if (!pv__polygon_is_drowsy(world, q)) continue;
        const pv__polygon *root = &m->polygons[PV__ROOT(m->polygons, island, i)];
        const pv__body *bearer = root->bodies >= 0 ? &world->bodies.items[root->bodies] : NULL;
        bool rests = root->island_still >= POLYGON_SLEEP_STILL_TIME && (!bearer || !bearer->awake);
        q->island = rests ? PV__ROOT(m->polygons, island, i) : -1;
        q->bodies = rests && bearer ? bearer->island : -1;
        if (rests) put_to_sleep(world, q);
    }
}
