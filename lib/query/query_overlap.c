/* query_overlap.c - overlap queries of bodies with a point, a box, a disc or a mask.
 *
 * Invariant: bodies are tested in the order of slots, each by its own pixels in its pose. Queries
 * change nothing and allocate no memory.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/body_bitmap.h"
#include "core/pose.h"
#include "core/report.h"
#include "matter/particle_collide.h"
#include "placed/placed.h"
#include "placed/placed_query.h"
#include "polygon/polygon.h"
#include "query/query.h"
#include "shape/distance_field.h"

/// Shape of an overlap query
typedef struct shape {
    bool (*meets)(const struct shape *shape, const pv_placed *body);
    /// Box that a body's box has to overlap
    pv_box box;
    pv_vec2 center;
    double radius;
    const pv_placed *placed;
} shape;

static bool point_meets(const shape *s, const pv_placed *body) {
    return pv__placed_point(body, s->center);
}
static bool box_meets(const shape *s, const pv_placed *body) {
    return pv__placed_rectangle(body, s->box);
}
static bool disc_meets(const shape *s, const pv_placed *body) {
    return pv__placed_circle(body, s->center, s->radius);
}
static bool mask_meets(const shape *s, const pv_placed *body) {
    return pv_placed_test_overlap(s->placed, body);
}

/// Tells whether a shape meets a candidate: a point by a polygon's outline, and all else by pixels.
static bool find_meets(const pv_world *world, int body, const shape *s,
                       const pv_query_filter *filter) {
    pv_box box = pv__index_current_box(world, body);
    if (!pv__query_asks_about(world, body, filter) || !pv__boxes_meet(&box, &s->box) ||
        !pv__query_accepts(world, pv__index_handle(world, body), filter))
        return false;
    if (pv__index_is_polygon(body) && s->meets == point_meets)
        return pv__polygon_holds(world, &world->matter.polygons[pv__index_polygon(body)],
                                 s->center);
    pv_placed pixels = pv__query_placed(world, body);
    return pixels.mask && s->meets(s, &pixels);
}

static int find_bodies(const pv_world *world, const shape *s, const pv_query_filter *filter,
                       pv_body_id *bodies, int capacity) {
    int count = 0;
    pv__candidates near;
    pv__swath swath = pv__query_swath_of(s->box);
    pv__index_candidates_begin(&near, world, &swath, 0);
    for (int i; (i = pv__index_candidates_next(&near)) >= 0;) {
        if (!find_meets(world, i, s, filter)) continue;
        if (bodies && count < capacity) bodies[count] = pv__index_handle(world, i);
        count++;
    }
    return count;
}

/// Begins a query: checks its world.
static bool begin(pv_error *e, const char *function, const pv_world *world) {
    pv__error_begin(function, e, NULL);
    return pv__check_pointer(e, "world", world);
}

int pv_world_query_point(const pv_world *world, pv_vec2 point, const pv_query_filter *filter,
                         pv_body_id *bodies, int capacity) {
    pv_error e;
    if (!begin(&e, __func__, world) || !pv__check_place(&e, "point", point))
        return pv__refuse(world, &e), 0;
    shape s = {.meets = point_meets, .box = {point, point}, .center = point};
    return find_bodies(world, &s, filter, bodies, capacity);
}

static bool check_box(pv_error *e, const pv_box *box) {
    return pv__check_place(e, "box", box->min) && pv__check_place(e, "box", box->max) &&
           ((box->min.x <= box->max.x && box->min.y <= box->max.y) ||
            pv__error_say(e, PV_ERROR_ARGUMENT, "box", "box.min exceeds box.max") == PV_OK);
}

int pv_world_query_box(const pv_world *world, pv_box box, const pv_query_filter *filter,
                       pv_body_id *bodies, int capacity) {
    pv_error e;
    if (!begin(&e, __func__, world) || !check_box(&e, &box)) return pv__refuse(world, &e), 0;
    shape s = {.meets = box_meets, .box = box};
    return find_bodies(world, &s, filter, bodies, capacity);
}

int pv_world_query_circle(const pv_world *world, pv_vec2 center, double radius,
                          const pv_query_filter *filter, pv_body_id *bodies, int capacity) {
    pv_error e;
    if (!begin(&e, __func__, world) || !pv__check_place(&e, "center", center) ||
        !pv__check_range(&e, "radius", radius, 0, PV_MAX_COORDINATE))
        return pv__refuse(world, &e), 0;
    pv_box box = pv__box_widened((pv_box){center, center}, radius);
    shape s = {.meets = disc_meets, .box = box, .center = center, .radius = radius};
    return find_bodies(world, &s, filter, bodies, capacity);
}

int pv_world_query_mask(const pv_world *world, const pv_placed *placed,
                        const pv_query_filter *filter, pv_body_id *bodies, int capacity) {
    pv_error e;
    if (!begin(&e, __func__, world) ||
        pv__error_about(&e, pv__placed_check(placed), "placed") != PV_OK)
        return pv__refuse(world, &e), 0;
    shape s = {.meets = mask_meets, .placed = placed};
    s.box = pv__box_widened(pv__placed_bounds(placed), PV__SEEK_ROOM);
    return find_bodies(world, &s, filter, bodies, capacity);
}

/* ---- distances ---- */

pv_status pv_body_compute_distance(const pv_world *world, pv_body_id body, pv_vec2 point,
                                   double *distance, pv_vec2 *normal) {
    pv_error e;
    const pv__body *b = NULL;
    if (!begin(&e, __func__, world) || !pv__check_pointer(&e, "distance", distance) ||
        !(b = pv__check_body(&e, world, "body", body)) || !pv__check_place(&e, "point", point))
        return pv__refuse(world, &e);
    const pv__shape *own = pv__particle_shape_of(b);
    if (!own) return pv__refuse_memory(world, &e);
    pv_vec2 gradient, local = pv__pose_into_picture(b, b->pose, point);
    *distance = pv__field_at(own, local, &gradient);
    double steepness = pv__length(gradient);
    if (normal)
        *normal = steepness > 0 ? pv__mul(1.0 / steepness, pv__rotate(b->pose.turn, gradient))
                                : pv__vec(0, 0);
    return PV_OK;
}
