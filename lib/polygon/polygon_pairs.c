/* polygon_pairs.c - finds the candidate pairs of polygons in a step with swept boxes.
 *
 * Invariant: boxes are swept at 1.5 times the step's initial speed, so pairs are missed only if a
 * speed rises by more than half. Boxes are sorted by their left sides.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/broad_phase.h"
#include "core/body_bitmap.h"
#include "core/filter.h"
#include "core/pose.h"
#include "joint/constraint.h"
#include "matter/particle_collide.h"
#include "polygon/polygon_contact.h"
#include "polygon/polygon_events.h"
#include "polygon/polygon_presolve.h"
#include "polygon/polygon_scratch.h"
#include "polygon/polygon_seam.h"
#include "polygon/polygon_sleep.h"

/* ---- memory ---- */

void pv__polygon_scratch_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__polygon_room *r = world->matter.polygon_room;
    if (!r) return;
    PV__FREE(allocator, r->meets, r->meet_capacity);
    PV__FREE(allocator, r->reaches, r->reach_capacity);
    PV__FREE(allocator, r->seams, r->seam_capacity);
    PV__FREE(allocator, r->apart, r->apart_capacity);
    PV__FREE(allocator, r->links, r->link_capacity);
    pv__free(allocator, r, 1, sizeof *r);
}

/* ---- pairs ---- */

/// Tells whether filters or joints exclude contact of a pair. All corners share their polygon's
/// filter, and one id in excluded pairs.
static bool is_excluded(const pv_world *world, const pv__meet *m) {
    const pv__polygon *all = world->matter.polygons;
    int mine = all[m->polygon].corners[0];
    if (m->kind == PV__MEET_BODY) return !pv__particle_may_meet(world, mine, m->other);
    int other = m->kind == PV__MEET_POLYGON ? all[m->other].corners[0] : m->other;
    return !pv__particle_agrees(world, mine, other) ||
           pv__filter_is_barred(world, -mine, pv__constraint_name_bar(world, other));
}

/// Tells whether one of a pair may move in the step.
static bool may_move(const pv_world *world, const pv__meet *m) {
    const pv__polygon *all = world->matter.polygons, *q = &all[m->polygon];
    if (m->kind == PV__MEET_PARTICLE || pv__polygon_is_drowsy(world, q)) return true;
    if (m->kind == PV__MEET_POLYGON) return pv__polygon_is_drowsy(world, &all[m->other]);
    const pv__body *b = &world->bodies.items[m->other];
    return b->type == PV_BODY_DYNAMIC || (b->awake && !pv__polygon_is_immovable(world, q));
}

/// Tells whether the filter callback lets a pair collide. It is not asked about particles.
static bool is_granted(const pv_world *world, const pv__meet *m) {
    if (m->kind == PV__MEET_PARTICLE) return true;
    pv_contact_event pair = pv__polygon_event_of(world, m);
    return pv__filter_are_granted(world, pair.a, pair.b);
}

/// Adds a pair that may touch in the step. A pair that must not collide is noted for the seams
/// instead. Returns false without memory.
static bool add_meet(pv_world *world, pv__meet_kind kind, int polygon, int other) {
    pv__polygon_room *r = world->matter.polygon_room;
    pv__meet meet = {.kind = kind, .polygon = polygon, .other = other};
    if (!may_move(world, &meet)) return true;
    if (is_excluded(world, &meet) || !is_granted(world, &meet))
        return pv__polygon_note_apart(world, &meet);
    return PV__APPEND(&world->def.allocator, r->meets, r->meet_capacity, r->meet_count, meet);
}

static bool meet_body(pv_world *world, int polygon, int body) {
    return pv__particle_shape_of(&world->bodies.items[body]) &&
           add_meet(world, PV__MEET_BODY, polygon, body);
}

/* ---- sweep and sort ---- */

static bool meet_resting(pv_world *world, const pv__reach *mine) {
    int count = pv__broad_phase_find_resting(world, &mine->box);
    for (int i = 0; i < count; i++) {
        int body = world->broad_phase.grid.near[i];
        const pv__body *b = &world->bodies.items[body];
        if (b->awake || !pv__body_is_solid(b)) continue;
        pv_box box = pv__box_widened(pv__pose_box(b, b->pose), PV__SWEPT_MARGIN);
        if (pv__boxes_meet(&mine->box, &box) && !meet_body(world, mine->polygon, body))
            return false;
    }
    return true;
}

static int compare_reaches(const void *p, const void *q) {
    const pv__reach *a = p, *b = q;
    if (a->box.min.x != b->box.min.x) return a->box.min.x < b->box.min.x ? -1 : 1;
    return pv__compare_pairs(a, b);
}

static int compare_meets(const void *p, const void *q) {
    const pv__meet *a = p, *b = q;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return pv__compare_pairs(a, b);
}

static pv_box box_of_polygon(const pv_world *world, const pv__polygon *q, double dt) {
    double way = 0;
    for (int i = 0; i < q->corner_count; i++)
        way = pv__max(way, pv__particle_swept_way(world, q->corners[i], dt));
    return pv__box_widened(pv__polygon_outer_box(world, q), way);
}

/// Lists the polygons and the awake bodies; returns false without memory.
static bool list_reaches(pv_world *world, double dt) {
    const pv__matter *m = &world->matter;
    pv__polygon_room *r = m->polygon_room;
    if (!PV__RESERVE(&world->def.allocator, r->reaches, r->reach_capacity,
                     m->polygon_pool.count + world->bodies.count))
        return false;
    for (int i = 0; i < m->polygon_pool.count; i++)
        if (pv__slot_lives(&m->polygons[i].slot))
            r->reaches[r->reach_count++] =
                (pv__reach){i, -1, box_of_polygon(world, &m->polygons[i], dt)};
    for (int i = 0; i < world->bodies.count; i++) {
        const pv__body *b = &world->bodies.items[i];
        if (pv__body_is_solid(b) && b->awake)
            r->reaches[r->reach_count++] =
                (pv__reach){-1, i, pv__particle_swept_body(world, b, dt)};
    }
    return true;
}

static bool meet_two(pv_world *world, const pv__reach *p, const pv__reach *q) {
    const pv__polygon *all = world->matter.polygons;
    if (p->polygon < 0 && q->polygon < 0) return true;
    int a = pv__sooner(p->polygon, q->polygon), b = pv__later(p->polygon, q->polygon);
    if (a < 0) return meet_body(world, b, pv__later(p->body, q->body));
    if (pv__polygon_is_immovable(world, &all[a]) && pv__polygon_is_immovable(world, &all[b]))
        return pv__polygon_add_seams(world, a, b);
    return add_meet(world, PV__MEET_POLYGON, a, b);
}

static bool sweep(pv_world *world) {
    const pv__polygon_room *r = world->matter.polygon_room;
    for (int i = 0; i < r->reach_count; i++) {
        const pv__reach *p = &r->reaches[i];
        for (int j = i + 1; j < r->reach_count && r->reaches[j].box.min.x < p->box.max.x; j++)
            if (pv__boxes_meet(&p->box, &r->reaches[j].box) && !meet_two(world, p, &r->reaches[j]))
                return false;
        if (p->polygon >= 0 && !meet_resting(world, p)) return false;
    }
    return true;
}

/* ---- particles ---- */

static int stripe_of(const pv__polygon_room *r, double x) {
    double i = (x - r->left) / r->width;
    return (int)pv__clamp(i, 0, PV__STRIPES - 1);
}

/// Adds a reach in front of the stripes that it overlaps. Returns false without memory.
static bool add_to_stripes(pv_world *world, int reach) {
    pv__polygon_room *r = world->matter.polygon_room;
    const pv_box *box = &r->reaches[reach].box;
    int last = stripe_of(r, box->max.x);
    for (int i = stripe_of(r, box->min.x); i <= last; i++) {
        if (!PV__APPEND(&world->def.allocator, r->links, r->link_capacity, r->link_count,
                        (pv__stripe_link){reach, r->stripes[i]}))
            return false;
        r->stripes[i] = r->link_count - 1;
    }
    return true;
}

/// Lists polygons by the stripes that they overlap, in order of their reaches.
static bool make_stripes(pv_world *world) {
    pv__polygon_room *r = world->matter.polygon_room;
    double right = -PV__BOUNDLESS;
    r->left = PV__BOUNDLESS;
    for (int i = 0; i < r->reach_count; i++) {
        if (r->reaches[i].polygon < 0) continue;
        r->left = pv__min(r->left, r->reaches[i].box.min.x);
        right = pv__max(right, r->reaches[i].box.max.x);
    }
    r->width = pv__max((right - r->left) / PV__STRIPES, 1);
    r->link_count = 0;
    for (int i = 0; i < PV__STRIPES; i++) r->stripes[i] = PV__NONE;
    for (int i = r->reach_count - 1; i >= 0; i--)
        if (r->reaches[i].polygon >= 0 && !add_to_stripes(world, i)) return false;
    return true;
}

/// Adds the pairs of a particle in a stripe. Each pair is added in the first stripe that both
/// overlap.
static bool meet_in_stripe(pv_world *world, int particle, const pv_box *box, int stripe) {
    const pv__polygon_room *r = world->matter.polygon_room;
    for (int i = r->stripes[stripe]; i >= 0; i = r->links[i].next) {
        const pv__reach *p = &r->reaches[r->links[i].reach];
        int first = stripe_of(r, pv__max(p->box.min.x, box->min.x));
        if (first != stripe || !pv__boxes_meet(&p->box, box)) continue;
        if (!add_meet(world, PV__MEET_PARTICLE, p->polygon, particle)) return false;
        world->matter.particles.bound[particle] |= PV__MEETS;
    }
    return true;
}

static bool meet_particles(pv_world *world, double dt) {
    const pv__particles *p = &world->matter.particles;
    const pv__polygon_room *r = world->matter.polygon_room;
    for (int i = 1; i < p->count; i++) {
        const pv__particle_data *g = &p->data[i];
        if (!(g->generation & 1) || g->polygon >= 0 || g->passes) continue;
        pv_box box = pv__particle_swept_box(world, i, dt);
        for (int k = stripe_of(r, box.min.x); k <= stripe_of(r, box.max.x); k++)
            if (!meet_in_stripe(world, i, &box, k)) return false;
    }
    return true;
}

/// Lists all candidate pairs except sleeping ones. Returns false without memory.
static bool list_meets(pv_world *world, double dt) {
    pv__matter *m = &world->matter;
    if (!m->polygon_room)
        m->polygon_room = pv__alloc(&world->def.allocator, 1, sizeof *m->polygon_room);
    pv__polygon_room *r = m->polygon_room;
    if (r) r->meet_count = r->reach_count = r->seam_count = r->apart_count = 0;
    for (int i = 0; i < m->polygon_pool.count; i++) m->polygons[i].seam_count = 0;
    if (!r || !list_reaches(world, dt)) return false;
    r->round = r->substep = 0;
    r->step = world->steps + 1;
    pv__sort(r->reaches, r->reach_count, sizeof *r->reaches, compare_reaches);
    bool swept = sweep(world);
    pv__polygon_finish_seams(world);
    pv__sort(r->meets, r->meet_count, sizeof *r->meets, compare_meets);
    return swept &&
           (m->particles.living == 0 || (make_stripes(world) && meet_particles(world, dt)));
}

bool pv__polygon_find_pairs(pv_world *world, double dt) {
    pv__matter *m = &world->matter;
    if (m->polygon_room) m->polygon_room->meet_count = m->polygon_room->reach_count = 0;
    if (m->polygon_pool.living == 0) return true;
    bool listed = list_meets(world, dt);
    while (listed && pv__polygon_wake_hit(world, dt)) listed = list_meets(world, dt);
    if (!m->polygon_room) return false;
    pv__polygon_recall_crossings(world);
    pv__polygon_recall_passing(world);
    pv__polygon_load_bodies(world, dt);
    return listed;
}
