/* polygon_cast.c - where a segment meets a polygon.
 *
 * Invariant: a segment meets an outline where it goes in through an edge.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/world.h"
#include "polygon/polygon.h"
#include "shape/convex.h"

/// Takes the place where a segment goes in through an edge, if it is the first one so far.
static void cross_edge(pv_vec2 from, pv_vec2 way, pv_vec2 a, pv_vec2 b, pv_ray_hit *hit) {
    pv_vec2 normal = pv__convex_normal(a, b), along = pv__sub(b, a), off = pv__sub(a, from);
    double speed = pv__dot(normal, way), gap = pv__dot(normal, off);
    if (!(speed < 0) || gap > 0 || gap < speed * hit->fraction) return;
    double fraction = gap / speed;
    pv_vec2 point = pv__mad(from, fraction, way);
    double at = pv__dot(along, pv__sub(point, a));
    if (at >= 0 && at <= pv__dot(along, along))
        *hit = (pv_ray_hit){.fraction = fraction, .point = point, .normal = normal};
}

bool pv__polygon_cast(const pv_world *world, const pv__polygon *q, pv_vec2 from, pv_vec2 to,
                      pv_ray_hit *hit) {
    const pv_vec2 *now = world->matter.particles.now;
    *hit = (pv_ray_hit){.fraction = 1};
    if (pv__polygon_holds(world, q, from)) {
        hit->fraction = 0;
        hit->point = from;
        return true;
    }
    for (int i = 0; i < q->corner_count; i++)
        cross_edge(from, pv__sub(to, from), now[q->corners[i]],
                   now[q->corners[i + 1 < q->corner_count ? i + 1 : 0]], hit);
    return hit->normal.x != 0 || hit->normal.y != 0;
}
