/* polygon_cast.c - the first polygon that a ray meets.
 *
 * Invariant: a ray meets an outline where it goes in through an edge. Of equal fractions the
 * polygon with the lowest slot counts.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/handle.h"
#include "core/wake.h"
#include "polygon/polygon.h"
#include "shape/convex.h"

/// Segment from its start, and the nearest hit so far
typedef struct polygon_ray {
    pv_vec2 from, way;
    pv_polygon_hit hit;
} polygon_ray;

/// Tells whether a segment may meet a box.
static bool ray_meets_box(const polygon_ray *r, const pv_box *box) {
    pv_vec2 to = pv__add(r->from, r->way);
    return pv__max(r->from.x, to.x) >= box->min.x && pv__min(r->from.x, to.x) <= box->max.x &&
           pv__max(r->from.y, to.y) >= box->min.y && pv__min(r->from.y, to.y) <= box->max.y;
}

/// Notes where the ray goes in through an edge, if that is nearer than the last hit.
static void cross_edge(polygon_ray *r, pv_polygon_id polygon, pv_vec2 a, pv_vec2 b) {
    pv_vec2 normal = pv__convex_normal(a, b), along = pv__sub(b, a), off = pv__sub(a, r->from);
    double speed = pv__dot(normal, r->way), gap = pv__dot(normal, off);
    if (!(speed < 0) || gap > 0 || !(gap > speed * r->hit.fraction)) return;
    double fraction = gap / speed;
    pv_vec2 point = pv__mad(r->from, fraction, r->way);
    double at = pv__dot(along, pv__sub(point, a));
    if (at >= 0 && at <= pv__dot(along, along))
        r->hit = (pv_polygon_hit){polygon, fraction, point, normal};
}

/// Casts a ray at one polygon.
static void meet_polygon(const pv_world *world, polygon_ray *r, int index) {
    const pv__polygon *q = &world->matter.polygons[index];
    const pv_vec2 *now = world->matter.particles.now;
    pv_polygon_id id = pv__handle_of_polygon(world, index);
    pv_box box = pv_polygon_get_bounds(world, id);
    if (!ray_meets_box(r, &box)) return;
    if (pv__polygon_holds(world, q, r->from)) {
        r->hit = (pv_polygon_hit){id, 0, r->from, {0, 0}};
        return;
    }
    for (int i = 0; i < q->corner_count; i++)
        cross_edge(r, id, now[q->corners[i]], now[q->corners[i + 1 < q->corner_count ? i + 1 : 0]]);
}

bool pv_world_cast_ray_polygon(const pv_world *world, pv_vec2 from, pv_vec2 to, uint32_t mask_bits,
                               pv_polygon_hit *hit) {
    polygon_ray r = {from, pv__sub(to, from), {.fraction = 1}};
    if (hit) *hit = (pv_polygon_hit){.fraction = 1};
    if (!world || !pv__finite2(from) || !pv__finite2(to)) return false;
    const pv__matter *m = &world->matter;
    for (int i = 0; i < m->polygon_pool.count && r.hit.fraction > 0; i++)
        if (pv__polygon_is_alive(&m->polygons[i]) &&
            m->polygons[i].filter.category_bits & mask_bits)
            meet_polygon(world, &r, i);
    if (!pv_polygon_is_valid(world, r.hit.polygon)) return false;
    if (hit) *hit = r.hit;
    return true;
}
