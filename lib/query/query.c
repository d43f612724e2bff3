/* query.c - queries of a world between two steps, without changes to it.
 *
 * Invariant: every result derives from exact bitmaps of the current poses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "query/query.h"
#include "collide/manifold.h"
#include "collide/presolve.h"
#include "core/contact_list.h"
#include "core/filter.h"
#include "core/handle.h"
#include "core/pose.h"
#include "placed/placed_query.h"
#include "polygon/polygon.h"

/* ---- contacts ---- */

static int compare_contacts(const void *p, const void *q) {
    const pv_contact *x = p, *y = q;
    return pv__compare_pairs((int[]){(int)x->a.index, (int)x->b.index},
                             (int[]){(int)y->a.index, (int)y->b.index});
}

static bool of_living(const pv_world *world, const pv__manifold *m) {
    if (m->a < 0) return false;
    const pv__body *a = &world->bodies.items[m->a], *b = &world->bodies.items[m->b];
    return pv__body_is_present(a) && pv__body_is_present(b) && a->generation == m->generation_a &&
           b->generation == m->generation_b;
}

static pv_contact pixel_contact(const pv_world *world, const pv__contact *c) {
    double impulse = 0;
    for (int i = 0; i < c->count; i++) impulse += c->points[i].impulse_n;
    return (pv_contact){pv__handle_of_body(world, c->a),
                        pv__handle_of_body(world, c->b),
                        c->point,
                        c->normal,
                        impulse,
                        c->overlap};
}

static pv__firsts begin_contacts(pv_contact *contacts, int capacity) {
    return (pv__firsts){contacts, contacts ? capacity : 0, 0, sizeof *contacts, compare_contacts};
}

/// Takes the contact at an index of the world's table, if there is one.
static void take_contact(const pv_world *world, int place, pv__firsts *q) {
    pv_contact contact;
    if (world->def.contact_mode == PV_CONTACT_MODE_PIXELS) {
        contact = pixel_contact(world, &world->bitmaps.contacts[place]);
    } else {
        const pv__manifold *m = &world->manifolds.items[place];
        if (!of_living(world, m) || !pv__manifold_contact(world, m, &contact)) return;
    }
    pv__firsts_take(q, &contact);
}

/// Takes the contacts of polygons with a body, or all of them for the null id.
static void take_polygon_contacts(const pv_world *world, pv_body_id body, pv__firsts *q) {
    const pv_contact *all = world->events.polygon_contacts.items;
    for (int i = 0; i < world->events.polygon_contacts.count; i++) {
        const pv_contact *c = &all[i];
        if (body.index != 0 && !PV_ID_EQUALS(c->a, body) && !PV_ID_EQUALS(c->b, body)) continue;
        if (pv_body_is_enabled(world, c->a) && pv_body_is_enabled(world, c->b))
            pv__firsts_take(q, c);
    }
}

int pv_world_get_contacts(const pv_world *world, pv_contact *contacts, int capacity) {
    if (!world) return 0;
    pv__firsts q = begin_contacts(contacts, capacity);
    int places = world->def.contact_mode == PV_CONTACT_MODE_PIXELS ? world->bitmaps.contact_count
                                                                   : world->manifolds.count;
    for (int i = 0; i < places; i++) take_contact(world, i, &q);
    take_polygon_contacts(world, (pv_body_id){0, 0}, &q);
    return pv__firsts_end(&q);
}

/// Tells whether contacts of pixels are just being found and thus in no lists yet.
static bool unlisted(const pv_world *world) {
    return world->def.contact_mode == PV_CONTACT_MODE_PIXELS && world->broad_phase.index.stale;
}

int pv_body_get_contacts(const pv_world *world, pv_body_id body, pv_contact *contacts,
                         int capacity) {
    if (!pv_body_is_enabled(world, body)) return 0;
    const pv__body *b = pv__handle_body(world, body);
    int index = (int)body.index - 1;
    pv__firsts q = begin_contacts(contacts, capacity);
    take_polygon_contacts(world, body, &q);
    if (!b) return pv__firsts_end(&q);
    for (int i = 0; unlisted(world) && i < world->bitmaps.contact_count; i++)
        if (world->bitmaps.contacts[i].a == index || world->bitmaps.contacts[i].b == index)
            take_contact(world, i, &q);
    for (int link = unlisted(world) ? 0 : b->first_contact; link;
         link = pv__contact_list_next(world, link))
        take_contact(world, pv__contact_list_index(link), &q);
    return pv__firsts_end(&q);
}

/* ---- contact points ---- */

/// Contact points of a pair, a < b; turn is -1 for a query in reverse order
typedef struct query_places {
    pv_contact_point *points;
    int capacity, count;
    double turn;
} query_places;

static void add_place(query_places *p, pv_vec2 point, pv_vec2 normal, double impulse) {
    if (p->count < p->capacity)
        p->points[p->count] = (pv_contact_point){point, pv__mul(p->turn, normal), impulse};
    p->count++;
}

static void add_presses(const pv_world *world, const pv__manifold *m, query_places *p) {
    for (int i = 0; i < m->count && m->touches; i++) {
        const pv__contact_point *q = &m->points[i];
        if (q->impulse_n > 0 || pv__contact_point_gap(world, m, q) <= PV_CONTACT_END_GAP)
            add_place(p, pv__contact_point_place(world, m, q), q->normal, q->impulse_n);
    }
}

int pv_body_get_contact_points(const pv_world *world, pv_body_id a, pv_body_id b,
                               pv_contact_point *points, int capacity) {
    if (!pv__handle_body(world, a) || !pv__handle_body(world, b)) return 0;
    bool in_order = a.index < b.index;
    int first = (int)(in_order ? a.index : b.index) - 1,
        second = (int)(in_order ? b.index : a.index) - 1;
    query_places p = {points, points && capacity > 0 ? capacity : 0, 0, in_order ? 1 : -1};
    const pv__manifold *m = pv__manifold_between(world, first, second);
    if (m && of_living(world, m)) add_presses(world, m, &p);
    for (int i = 0; i < world->bitmaps.contact_count; i++) {
        const pv__contact *c = &world->bitmaps.contacts[i];
        for (int k = 0; c->a == first && c->b == second && k < c->count; k++)
            add_place(&p, c->points[k].place, c->normal, c->points[k].impulse_n);
    }
    return p.count;
}

static bool holds(const pv_world *world, int body, pv_vec2 point) {
    if (pv__index_is_polygon(body))
        return pv__polygon_holds(world, &world->matter.polygons[pv__index_polygon(body)], point);
    pv_placed pixels = pv__query_placed(world, body);
    return pv__body_is_solid(&world->bodies.items[body]) && pv__placed_point(&pixels, point);
}

pv_body_id pv_world_pick_body(const pv_world *world, pv_vec2 point) {
    if (!world || !pv__placeable(point)) return (pv_body_id){0, 0};
    int top = -1; /* the last one: polygons come after all sprites */
    pv__candidates near;
    pv__swath swath = pv__query_swath_of(pv__box_widened((pv_box){point, point}, PV__SEEK_ROOM));
    pv__index_candidates_begin(&near, world, &swath, 0);
    for (int i; (i = pv__index_candidates_next(&near)) >= 0;)
        if (holds(world, i, point)) top = i;
    return top >= 0 ? pv__index_handle(world, top) : (pv_body_id){0, 0};
}

static bool worth_asking(const pv_world *world, const pv__body *a, const pv_box *box, int other) {
    const pv__body *b = &world->bodies.items[other];
    int own = (int)(a - world->bodies.items);
    if (!pv__body_is_solid(b) || !pv__filter_may_meet(world, own, other) ||
        pv__presolve_passes(world, pv__manifold_between(world, own, other), own, other) ||
        (a->type != PV_BODY_DYNAMIC && b->type != PV_BODY_DYNAMIC))
        return false;
    pv_box other_box = pv__index_current_box(world, other);
    return pv__boxes_meet(box, &other_box);
}

int64_t pv_world_compute_overlap_area(const pv_world *world) {
    int64_t sum = 0;
    for (int i = 0; world && i < world->bodies.count; i++) {
        const pv__body *a = &world->bodies.items[i];
        if (!pv__body_is_solid(a)) continue;
        pv_box box = pv__index_current_box(world, i);
        pv_placed own = pv__query_placed_of(a);
        pv__candidates near;
        pv__swath swath = pv__query_swath_of(box);
        pv__index_candidates_begin(&near, world, &swath, i + 1);
        for (int j; (j = pv__index_candidates_next(&near)) >= 0;) {
            if (pv__index_is_polygon(j)) break; /* sprites come first */
            if (!worth_asking(world, a, &box, j)) continue;
            pv_placed other = pv__query_placed_of(&world->bodies.items[j]);
            sum += pv_placed_compute_overlap_area(&own, &other);
        }
    }
    return sum;
}

pv_world_stats pv_world_get_stats(const pv_world *world) {
    pv_world_stats stats = {0};
    if (!world) return stats;
    for (int i = 0; i < world->bodies.count; i++) {
        const pv__body *b = &world->bodies.items[i];
        stats.bodies += pv__body_is_alive(b);
        stats.awake += pv__body_is_alive(b) && b->awake && b->type == PV_BODY_DYNAMIC;
    }
    stats.particles = world->matter.particles.living;
    stats.joints = world->matter.constraint_pool.living;
    stats.polygons = world->matter.polygon_pool.living;
    stats.contacts = pv_world_get_contacts(world, NULL, 0);
    return stats;
}
