/* polygon_motion.c - position, velocity and momentum of polygons, from their corners.
 *
 * Invariant: a change of motion adds the velocities of a rigid body to the corners. Their distances
 * stay as they are.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/error.h"
#include "collide/wake_near.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/wake.h"
#include "joint/constraint.h"
#include "polygon/polygon.h"

#include <float.h>

/* ---- reads ---- */

pv_vec2 pv__polygon_center(const pv_world *world, const pv__polygon *q) {
    pv_vec2 center = {0, 0};
    for (int i = 0; i < q->corner_count; i++)
        center = pv__mad(center, q->shares[i], world->matter.particles.now[q->corners[i]]);
    return center;
}

pv_vec2 pv_polygon_get_position(const pv_world *world, pv_polygon_id polygon) {
    const pv__polygon *q = pv__polygon_find(world, polygon);
    return q ? pv__polygon_center(world, q) : pv__vec(0, 0);
}

double pv_polygon_get_angle(const pv_world *world, pv_polygon_id polygon) {
    const pv__polygon *q = pv__polygon_find(world, polygon);
    double c = 0, s = 0;
    if (!q) return 0;
    pv_vec2 center = pv__polygon_center(world, q);
    for (int i = 0; i < q->corner_count; i++) {
        pv_vec2 r = pv__sub(world->matter.particles.now[q->corners[i]], center);
        c += q->shares[i] * pv__dot(q->rest[i], r);
        s += q->shares[i] * pv__cross(q->rest[i], r);
    }
    return pv__atan2(s, c);
}

/// Returns the displacement of a corner in the last substep [px].
static pv_vec2 polygon_way_of(const pv_world *world, int corner) {
    return pv__sub(world->matter.particles.now[corner], world->matter.particles.was[corner]);
}

pv_vec2 pv_polygon_get_velocity(const pv_world *world, pv_polygon_id polygon) {
    const pv__polygon *q = pv__polygon_find(world, polygon);
    pv_vec2 way = {0, 0};
    for (int i = 0; q && i < q->corner_count; i++)
        way = pv__mad(way, q->shares[i], polygon_way_of(world, q->corners[i]));
    return q ? pv__mul(1 / world->dt, way) : way;
}

double pv_polygon_get_angular_velocity(const pv_world *world, pv_polygon_id polygon) {
    const pv__polygon *q = pv__polygon_find(world, polygon);
    double momentum = 0, inertia = 0;
    if (!q) return 0;
    pv_vec2 center = pv__polygon_center(world, q);
    for (int i = 0; i < q->corner_count; i++) {
        pv_vec2 r = pv__sub(world->matter.particles.now[q->corners[i]], center);
        momentum += q->shares[i] * pv__cross(r, polygon_way_of(world, q->corners[i]));
        inertia += q->shares[i] * pv__dot(r, r);
    }
    return inertia > 0 ? momentum / (inertia * world->dt) : 0;
}

/* ---- writes ---- */

/// Mass, center and inertia of the corners that are not pinned
typedef struct polygon_mass {
    double mass, inertia;
    pv_vec2 center;
} polygon_mass;

static polygon_mass mass_of(const pv_world *world, const pv__polygon *q) {
    const pv__particles *p = &world->matter.particles;
    polygon_mass all = {0};
    for (int i = 0; i < q->corner_count; i++) all.mass += p->data[q->corners[i]].mass;
    for (int i = 0; i < q->corner_count && all.mass > 0; i++)
        all.center =
            pv__mad(all.center, p->data[q->corners[i]].mass / all.mass, p->now[q->corners[i]]);
    for (int i = 0; i < q->corner_count; i++) {
        pv_vec2 r = pv__sub(p->now[q->corners[i]], all.center);
        all.inertia += p->data[q->corners[i]].mass * pv__dot(r, r);
    }
    return all;
}

/// Returns the index of a polygon that is to move, and its mass; or -1 with a filled error.
static int polygon_begin_motion(pv_error *e, const pv_world *world, pv_polygon_id polygon,
                                polygon_mass *all) {
    int index = pv__polygon_begin(e, world, polygon);
    if (index < 0) return -1;
    *all = mass_of(world, &world->matter.polygons[index]);
    if (all->mass > 0) return index;
    pv__error_say(e, PV_ERROR_ARGUMENT, "polygon", "polygon has only pinned corners");
    return -1;
}

/// Returns the gain of a corner's displacement in a substep [px] from gains of velocity and angular
/// velocity.
static pv_vec2 way_gained(const pv_world *world, const polygon_mass *all, int corner,
                          pv_vec2 velocity, double angular) {
    pv_vec2 r = pv__sub(world->matter.particles.now[corner], all->center);
    return pv__mul(world->dt, pv__add(velocity, pv__mul(angular, pv__vec(-r.y, r.x))));
}

/// Adds a motion to the corners that are not pinned; refuses one that makes one of them too fast.
static pv_status add_motion(pv_error *e, pv_world *world, int index, const polygon_mass *all,
                            const char *field, pv_vec2 velocity, double angular) {
    const pv__polygon *q = &world->matter.polygons[index];
    pv__particles *p = &world->matter.particles;
    double most = PV_MAX_COORDINATE * world->dt;
    for (int i = 0; i < q->corner_count; i++) {
        if (!(p->data[q->corners[i]].mass > 0)) continue;
        pv_vec2 way = pv__add(polygon_way_of(world, q->corners[i]),
                              way_gained(world, all, q->corners[i], velocity, angular));
        if (!(pv__abs(way.x) <= most && pv__abs(way.y) <= most)) {
            pv__error_say(e, PV_ERROR_ARGUMENT, field,
                          "%s makes a corner faster than %.9g px/s along an axis", field,
                          PV_MAX_COORDINATE);
            return pv__refuse(world, e);
        }
    }
    pv__wake_polygon(world, index);
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i];
        if (p->data[k].mass > 0)
            p->was[k] = pv__sub(p->was[k], way_gained(world, all, k, velocity, angular));
    }
    return PV_OK;
}

pv_status pv_polygon_set_position(pv_world *world, pv_polygon_id polygon, pv_vec2 position) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    int index = pv__polygon_begin(e, world, polygon);
    if (index < 0 || !pv__check_place(e, "position", position)) return pv__refuse(world, e);
    const pv__polygon *q = &world->matter.polygons[index];
    pv__particles *p = &world->matter.particles;
    pv_vec2 by = pv__sub(position, pv__polygon_center(world, q));
    for (int i = 0; i < q->corner_count; i++)
        if (!pv__placeable(pv__add(p->now[q->corners[i]], by))) {
            pv__error_say(e, PV_ERROR_ARGUMENT, "position",
                          "position puts a corner farther than %.9g px out along an axis",
                          PV_MAX_COORDINATE);
            return pv__refuse(world, e);
        }
    pv__wake_polygon(world, index);
    pv__wake_around(world, pv__polygon_box(world, q));
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i];
        p->now[k] = pv__add(p->now[k], by);
        p->was[k] = pv__add(p->was[k], by);
        pv__constraint_ease_all_of(world, k, -1);
    }
    pv__wake_around(world, pv__polygon_box(world, q));
    return PV_OK;
}

pv_status pv_polygon_set_velocity(pv_world *world, pv_polygon_id polygon, pv_vec2 velocity) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    polygon_mass all;
    int index = polygon_begin_motion(e, world, polygon, &all);
    if (index < 0 || !pv__check_vector(e, "velocity", velocity, PV_MAX_COORDINATE))
        return pv__refuse(world, e);
    pv_vec2 gain = pv__sub(velocity, pv_polygon_get_velocity(world, polygon));
    return add_motion(e, world, index, &all, "velocity", gain, 0);
}

pv_status pv_polygon_set_angular_velocity(pv_world *world, pv_polygon_id polygon,
                                          double angular_velocity) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    polygon_mass all;
    int index = polygon_begin_motion(e, world, polygon, &all);
    if (index < 0 || !pv__check_range(e, "angular_velocity", angular_velocity, PV__RANGE_SPIN))
        return pv__refuse(world, e);
    double gain = angular_velocity - pv_polygon_get_angular_velocity(world, polygon);
    return add_motion(e, world, index, &all, "angular_velocity", pv__vec(0, 0), gain);
}

pv_status pv_polygon_apply_impulse_at(pv_world *world, pv_polygon_id polygon, pv_vec2 impulse,
                                      pv_vec2 point) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    polygon_mass all;
    int index = polygon_begin_motion(e, world, polygon, &all);
    if (index < 0 || !pv__check_vector(e, "impulse", impulse, DBL_MAX) ||
        !pv__check_place(e, "point", point))
        return pv__refuse(world, e);
    double turn =
        all.inertia > 0 ? pv__cross(pv__sub(point, all.center), impulse) / all.inertia : 0;
    return add_motion(e, world, index, &all, "impulse", pv__mul(1 / all.mass, impulse), turn);
}

pv_status pv_polygon_apply_force(pv_world *world, pv_polygon_id polygon, pv_vec2 force) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    polygon_mass all;
    int index = polygon_begin_motion(e, world, polygon, &all);
    if (index < 0 || !pv__check_vector(e, "force", force, DBL_MAX)) return pv__refuse(world, e);
    const pv__polygon *q = &world->matter.polygons[index];
    pv__particles *p = &world->matter.particles;
    pv__wake_polygon(world, index);
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i];
        p->force[k] = pv__held2(pv__mad(p->force[k], p->data[k].mass / all.mass, force));
    }
    p->forced = true;
    return PV_OK;
}
