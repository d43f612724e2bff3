/* polygon_pairs.c - finds the candidate pairs of polygons in a step with swept boxes.
 *
 * Invariant: holds as in polygon_scratch.h. Boxes are swept at 1.5 times the initial speed of the
 * step and sorted by their left sides.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/broad_phase.h"
#include "core/body_bitmap.h"
#include "core/filter.h"
#include "core/handle.h"
#include "core/pose.h"
#include "core/wake.h"
#include "joint/constraint.h"
#include "matter/particle_collide.h"
#include "polygon/polygon_contact.h"
#include "polygon/polygon_presolve.h"
#include "polygon/polygon_scratch.h"
#include "polygon/polygon_seam.h"
#include "polygon/polygon_sleep.h"

/// Greatest number of vertical stripes in the search of particles for polygons.
enum { MOST_STRIPES = 1024 };

/* ---- memory ---- */

void pv__polygon_scratch_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__polygon_room *r = world->matter.polygon_room;
    if (!r) return;
    PV__FREE(allocator, r->meets, r->meet_capacity);
    PV__FREE(allocator, r->reaches, r->reach_capacity);
    PV__FREE(allocator, r->seams, r->seam_capacity);
    PV__FREE(allocator, r->apart, r->apart_capacity);
    PV__FREE(allocator, r->starts, r->start_capacity);
    PV__FREE(allocator, r->stripes, r->stripe_capacity);
    pv__free(allocator, r, 1, sizeof *r);
}

/// Tells whether joints exclude contact of a pair.
static bool is_barred(const pv_world *world, const pv__meet *m) {
    const pv__matter *matter = &world->matter;
    if (matter->bar_count == 0) return false;
    int other = m->kind == PV__MEET_BODY      ? m->other
                : m->kind == PV__MEET_POLYGON ? -matter->polygons[m->other].corners[0]
                                              : pv__constraint_name_bar(world, m->other);
    return pv__filter_is_barred(world, -matter->polygons[m->polygon].corners[0], other);
}

/// Tells whether the filters exclude contact of a pair.
static bool is_filtered_out(const pv_world *world, const pv__meet *m) {
    if (!world->bodies.filtered) return false;
    pv_filter other = m->kind == PV__MEET_BODY      ? world->bodies.items[m->other].filter
                      : m->kind == PV__MEET_POLYGON ? world->matter.polygons[m->other].filter
                                                    : world->matter.particles.filter[m->other];
    return !pv__filter_agrees(world->matter.polygons[m->polygon].filter, other);
}

/// Tells whether one of a pair may move in the step.
static bool may_move(const pv_world *world, const pv__meet *m) {
    const pv__polygon *q = &world->matter.polygons[m->polygon], *other = NULL;
    bool immovable = pv__polygon_is_immovable(world, q);
    if (m->kind == PV__MEET_PARTICLE) return true;
    if (m->kind == PV__MEET_POLYGON) {
        other = &world->matter.polygons[m->other];
        return (!immovable && !q->asleep) ||
               (!other->asleep && !pv__polygon_is_immovable(world, other));
    }
    if (world->bodies.items[m->other].type == PV_BODY_DYNAMIC) return true;
    return !immovable && (!q->asleep || world->bodies.items[m->other].awake);
}

static pv__meet meet_of(pv__meet_kind kind, int polygon, int other, int block) {
    return (pv__meet){.kind = kind, .polygon = polygon, .other = other, .block = block};
}

/// Tells whether the filter callback lets a pair collide. It is not asked about particles.
static bool is_granted(const pv_world *world, const pv__meet *m) {
    pv_body_id polygon = pv__handle_of_polygon(world, m->polygon);
    if (m->kind == PV__MEET_PARTICLE) return true;
    return m->kind == PV__MEET_POLYGON
               ? pv__filter_are_granted(world, polygon, pv__handle_of_polygon(world, m->other))
               : pv__filter_are_granted(world, pv__handle_of_body(world, m->other), polygon);
}

/// Tells whether a pair may touch in the step. A pair that is kept apart is noted for the seams;
/// without memory *good is false.
static bool may_touch(pv_world *world, const pv__meet *m, bool *good) {
    if (!may_move(world, m)) return false;
    if (!is_barred(world, m) && !is_filtered_out(world, m) && is_granted(world, m)) return true;
    *good = pv__polygon_note_apart(world, m);
    return false;
}

static bool append_meet(pv_world *world, pv__meet meet) {
    pv__polygon_room *r = world->matter.polygon_room;
    return PV__APPEND(&world->def.allocator, r->meets, r->meet_capacity, r->meet_count, meet);
}

/// Adds a pair that may touch. Returns false without memory.
static bool add_meet(pv_world *world, pv__meet meet) {
    bool good = true;
    return may_touch(world, &meet, &good) ? append_meet(world, meet) : good;
}

static bool add_reach(pv_world *world, pv__reach reach) {
    pv__polygon_room *r = world->matter.polygon_room;
    return PV__APPEND(&world->def.allocator, r->reaches, r->reach_capacity, r->reach_count, reach);
}

/* ---- boxes of a step ---- */

static pv_box box_of_polygon(const pv_world *world, const pv__polygon *q, double dt) {
    double way = 0;
    for (int i = 0; i < q->corner_count; i++)
        way = pv__max(way, pv__particle_swept_way(world, q->corners[i], dt));
    return pv__box_widened(pv__polygon_outer_box(world, q), way);
}

static pv_box box_of_body(const pv_world *world, const pv__body *b, double dt) {
    return b->awake ? pv__particle_swept_body(world, b, dt)
                    : pv__box_widened(pv__pose_box(b, b->pose), PV__SWEPT_MARGIN);
}

/* ---- bodies ---- */

static bool meet_body(pv_world *world, int polygon, const pv_box *box, int body, double dt) {
    pv__body *b = &world->bodies.items[body];
    const pv__shape *shape = pv__particle_shape_of(b);
    if (!shape) return false;
    pv__meet pair = meet_of(PV__MEET_BODY, polygon, body, -1);
    bool good = true;
    if (!may_touch(world, &pair, &good)) return good;
    if (b->type == PV_BODY_DYNAMIC) b->loaded = world->steps + 1;
    world->matter.polygon_room->one_way |= pv__body_is_one_way(b);
    pv_box swept = box_of_body(world, b, dt), now = pv__pose_box(b, b->pose);
    pv_box local = pv__box_widened(pv__polygon_box_on(b, b->pose, box), now.min.x - swept.min.x);
    int blocks = shape->circle_radius > 0 ? 1 : shape->block_count;
    for (int i = -1; i < blocks; i++) {
        if (i >= 0 && shape->circle_radius == 0 && !pv__boxes_meet(&local, &shape->blocks[i].box))
            continue;
        if (!append_meet(world, meet_of(PV__MEET_BODY, polygon, body, i))) return false;
    }
    return true;
}

static bool meet_resting(pv_world *world, const pv__reach *mine, double dt) {
    int count = pv__broad_phase_find_resting(world, &mine->box);
    for (int i = 0; i < count; i++) {
        int body = world->broad_phase.grid.near[i];
        pv_box box = box_of_body(world, &world->bodies.items[body], dt);
        if (world->bodies.items[body].awake || !pv__body_is_solid(&world->bodies.items[body]) ||
            !pv__boxes_meet(&mine->box, &box))
            continue;
        if (!meet_body(world, mine->polygon, &mine->box, body, dt)) return false;
    }
    return true;
}

/* ---- sweep and sort ---- */

static int compare_reaches(const void *p, const void *q) {
    const pv__reach *a = p, *b = q;
    if (a->box.min.x != b->box.min.x) return a->box.min.x < b->box.min.x ? -1 : 1;
    return a->polygon != b->polygon ? (a->polygon < b->polygon ? -1 : 1)
                                    : (a->body > b->body) - (a->body < b->body);
}

static int compare_meets(const void *p, const void *q) {
    const pv__meet *a = p, *b = q;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->polygon != b->polygon) return a->polygon < b->polygon ? -1 : 1;
    if (a->other != b->other) return a->other < b->other ? -1 : 1;
    return (a->block > b->block) - (a->block < b->block);
}

static bool list_reaches(pv_world *world, double dt) {
    const pv__matter *m = &world->matter;
    for (int i = 0; i < m->polygon_pool.count; i++)
        if (pv__slot_lives(&m->polygons[i].slot) &&
            !add_reach(world, (pv__reach){box_of_polygon(world, &m->polygons[i], dt), i, -1}))
            return false;
    for (int i = 0; i < world->bodies.count; i++)
        if (pv__body_is_solid(&world->bodies.items[i]) && world->bodies.items[i].awake &&
            !add_reach(world, (pv__reach){box_of_body(world, &world->bodies.items[i], dt), -1, i}))
            return false;
    return true;
}

static bool meet_two(pv_world *world, const pv__reach *p, const pv__reach *q, double dt) {
    if (p->polygon >= 0 && q->polygon >= 0) {
        bool in_order = p->polygon < q->polygon;
        int a = in_order ? p->polygon : q->polygon, b = in_order ? q->polygon : p->polygon;
        const pv__polygon *all = world->matter.polygons;
        if (pv__polygon_is_immovable(world, &all[a]) && pv__polygon_is_immovable(world, &all[b]))
            return pv__polygon_add_seams(world, a, b);
        return add_meet(world, meet_of(PV__MEET_POLYGON, a, b, 0));
    }
    if (p->polygon < 0 && q->polygon < 0) return true;
    const pv__reach *polygon = p->polygon >= 0 ? p : q, *body = polygon == p ? q : p;
    return meet_body(world, polygon->polygon, &polygon->box, body->body, dt);
}

static bool sweep(pv_world *world, double dt) {
    const pv__polygon_room *r = world->matter.polygon_room;
    for (int i = 0; i < r->reach_count; i++) {
        const pv__reach *p = &r->reaches[i];
        for (int j = i + 1; j < r->reach_count && r->reaches[j].box.min.x < p->box.max.x; j++) {
            const pv__reach *q = &r->reaches[j];
            if (!pv__boxes_meet(&p->box, &q->box)) continue;
            if (!meet_two(world, p, q, dt)) return false;
        }
        if (p->polygon >= 0 && !meet_resting(world, p, dt)) return false;
    }
    return true;
}

/* ---- particles ---- */

static int stripe_of(const pv__polygon_room *r, double x) {
    double i = (x - r->left) / r->width;
    return i < 0 ? 0 : i >= r->stripe_count ? r->stripe_count - 1 : (int)i;
}

/// Lists polygons by the vertical stripes that they overlap, with a counting sort.
static bool make_stripes(pv_world *world) {
    pv__polygon_room *r = world->matter.polygon_room;
    double right = -PV__BOUNDLESS;
    int entries = 0, polygons = world->matter.polygon_pool.living;
    r->left = PV__BOUNDLESS;
    for (int i = 0; i < r->reach_count; i++) {
        if (r->reaches[i].polygon < 0) continue;
        r->left = pv__min(r->left, r->reaches[i].box.min.x);
        right = pv__max(right, r->reaches[i].box.max.x);
    }
    r->stripe_count = 2 * polygons < MOST_STRIPES ? 2 * polygons : MOST_STRIPES;
    r->width = pv__max((right - r->left) / r->stripe_count, 1);
    if (!PV__RESERVE(&world->def.allocator, r->starts, r->start_capacity, r->stripe_count + 1))
        return false;
    for (int i = 0; i <= r->stripe_count; i++) r->starts[i] = 0;
    for (int i = 0; i < r->reach_count; i++) {
        const pv__reach *p = &r->reaches[i];
        if (p->polygon < 0) continue;
        for (int k = stripe_of(r, p->box.min.x); k <= stripe_of(r, p->box.max.x); k++, entries++)
            r->starts[k]++;
    }
    if (!PV__RESERVE(&world->def.allocator, r->stripes, r->stripe_capacity, entries)) return false;
    for (int i = 1; i <= r->stripe_count; i++) r->starts[i] += r->starts[i - 1];
    for (int i = r->reach_count - 1; i >= 0; i--) {
        const pv__reach *p = &r->reaches[i];
        if (p->polygon < 0) continue;
        for (int k = stripe_of(r, p->box.min.x); k <= stripe_of(r, p->box.max.x); k++)
            r->stripes[--r->starts[k]] = i;
    }
    return true;
}

/// Adds the pairs of a particle in a stripe. Each pair counts in the first stripe that both
/// overlap.
static bool meet_in_stripe(pv_world *world, int particle, const pv_box *box, int stripe) {
    const pv__polygon_room *r = world->matter.polygon_room;
    for (int i = r->starts[stripe]; i < r->starts[stripe + 1]; i++) {
        const pv__reach *p = &r->reaches[r->stripes[i]];
        int first = stripe_of(r, pv__max(p->box.min.x, box->min.x));
        if (first != stripe || !pv__boxes_meet(&p->box, box)) continue;
        if (!add_meet(world, meet_of(PV__MEET_PARTICLE, p->polygon, particle, 0))) return false;
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
    r->one_way = false;
    pv__sort(r->reaches, r->reach_count, sizeof *r->reaches, compare_reaches);
    bool swept = sweep(world, dt);
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
    if (m->polygon_room->one_way) pv__polygon_recall_crossings(world);
    pv__polygon_recall_passing(world);
    pv__polygon_wake_bodies_hit(world, dt);
    return listed;
}
