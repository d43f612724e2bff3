/* polygon_motion.c - place, velocity and momentum of polygons, from their corners.
 *
 * Invariant: a change of motion adds the velocities of a rigid body to the corners. Their distances
 * stay as they are.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "polygon/polygon_motion.h"
#include "base/error.h"
#include "collide/query_index.h"
#include "collide/wake_near.h"
#include "core/filter.h"
#include "core/handle.h"
#include "core/pose.h"
#include "core/wake.h"
#include "joint/constraint.h"
#include "matter/matter_contact.h"

/* ---- reads ---- */

pv_vec2 pv__polygon_velocity(const pv_world *world, const pv__polygon *q) {
    const pv__particles *p = &world->matter.particles;
    pv_vec2 way = {0, 0};
    for (int i = 0; i < q->corner_count; i++)
        way = pv__mad(way, q->shares[i], pv__particle_way(p, q->corners[i]));
    return pv__mul(1 / world->dt, way);
}

double pv__polygon_angular_velocity(const pv_world *world, const pv__polygon *q) {
    const pv__particles *p = &world->matter.particles;
    double momentum = 0, inertia = 0;
    pv_vec2 center = pv__polygon_center(world, q);
    for (int i = 0; i < q->corner_count; i++) {
        pv_vec2 r = pv__sub(p->now[q->corners[i]], center);
        momentum += q->shares[i] * pv__cross(r, pv__particle_way(p, q->corners[i]));
        inertia += q->shares[i] * pv__dot(r, r);
    }
    return inertia > 0 ? momentum / (inertia * world->dt) : 0;
}

pv__polygon_mass pv__polygon_mass_of(const pv_world *world, const pv__polygon *q) {
    const pv__particles *p = &world->matter.particles;
    pv__polygon_mass all = {0};
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

/* ---- places ---- */

/// Returns where a corner goes as its polygon turns about its center, which moves to a place.
static pv_vec2 corner_moved(const pv_world *world, int corner, pv_vec2 center, pv_vec2 to,
                            pv_rotation turn) {
    return pv__add(to, pv__rotate(turn, pv__sub(world->matter.particles.now[corner], center)));
}

pv_status pv__polygon_move(pv_error *e, pv_world *world, int index, const char *field, pv_vec2 to,
                           pv_rotation turn) {
    const pv__polygon *q = &world->matter.polygons[index];
    pv__particles *p = &world->matter.particles;
    pv_vec2 center = pv__polygon_center(world, q);
    pv_vec2 mean = pv__mul(world->dt, pv__polygon_velocity(world, q));
    for (int i = 0; i < q->corner_count; i++)
        if (!pv__placeable(corner_moved(world, q->corners[i], center, to, turn)))
            return pv__error_say(e, PV_ERROR_ARGUMENT, field,
                                 "%s puts a corner farther than %.9g px out along an axis", field,
                                 PV_MAX_COORDINATE);
    pv__wake_polygon(world, index);
    pv__wake_around(world, pv__polygon_box(world, q));
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i];
        pv_vec2 own = pv__rotate(turn, pv__sub(pv__particle_way(p, k), mean));
        p->now[k] = corner_moved(world, k, center, to, turn);
        p->was[k] = pv__sub(p->now[k], pv__add(mean, own));
        pv__constraint_ease_all_of(world, k, -1);
    }
    pv__index_update(world, pv__index_of_polygon(index));
    pv__wake_around(world, pv__polygon_box(world, q));
    return PV_OK;
}

/* ---- motion ---- */

/// Returns the gain of a corner's displacement in a substep [px] from gains of velocity and angular
/// velocity.
static pv_vec2 way_gained(const pv_world *world, const pv__polygon_mass *all, int corner,
                          pv_vec2 velocity, double angular) {
    pv_vec2 r = pv__sub(world->matter.particles.now[corner], all->center);
    return pv__mul(world->dt, pv__mad(velocity, angular, pv__perp(r)));
}

pv_status pv__polygon_add_motion(pv_error *e, pv_world *world, int index, const char *field,
                                 pv_vec2 velocity, double angular) {
    const pv__polygon *q = &world->matter.polygons[index];
    pv__particles *p = &world->matter.particles;
    pv__polygon_mass all = pv__polygon_mass_of(world, q);
    double most = PV_MAX_COORDINATE * world->dt;
    for (int i = 0; i < q->corner_count; i++) {
        if (!(p->data[q->corners[i]].mass > 0)) continue;
        pv_vec2 way = pv__add(pv__particle_way(p, q->corners[i]),
                              way_gained(world, &all, q->corners[i], velocity, angular));
        if (!(pv__abs(way.x) <= most && pv__abs(way.y) <= most))
            return pv__error_say(e, PV_ERROR_ARGUMENT, field,
                                 "%s makes a corner faster than %.9g px/s along an axis", field,
                                 PV_MAX_COORDINATE);
    }
    pv__wake_polygon(world, index);
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i];
        if (p->data[k].mass > 0)
            p->was[k] = pv__sub(p->was[k], way_gained(world, &all, k, velocity, angular));
    }
    return PV_OK;
}

pv_status pv__polygon_add_momentum(pv_error *e, pv_world *world, int index, pv_vec2 linear,
                                   double angular) {
    pv__polygon_mass all = pv__polygon_mass_of(world, &world->matter.polygons[index]);
    return pv__polygon_add_motion(e, world, index, "impulse", pv__mul(1 / all.mass, linear),
                                  all.inertia > 0 ? angular / all.inertia : 0);
}

void pv__polygon_add_force(pv_world *world, int index, pv_vec2 force, double torque) {
    const pv__polygon *q = &world->matter.polygons[index];
    pv__particles *p = &world->matter.particles;
    pv__polygon_mass all = pv__polygon_mass_of(world, q);
    double twist = all.inertia > 0 ? torque / all.inertia : 0;
    pv__wake_polygon(world, index);
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i];
        pv_vec2 gain =
            pv__mad(pv__mul(1 / all.mass, force), twist, pv__perp(pv__sub(p->now[k], all.center)));
        p->force[k] = pv__held2(pv__mad(p->force[k], p->data[k].mass, gain));
    }
    p->forced = true;
}

/* ---- contacts ---- */

void pv__polygon_set_filter(pv_world *world, int index, pv_filter filter) {
    pv__polygon *q = &world->matter.polygons[index];
    pv__wake_polygon(world, index);
    pv__wake_around(world, pv__polygon_box(world, q));
    q->filter = filter;
    for (int i = 0; i < q->corner_count; i++)
        world->matter.particles.filter[q->corners[i]] = filter;
    world->bodies.filtered = true;
}

void pv__polygon_set_material(pv_world *world, int index, pv__material material) {
    pv__polygon *q = &world->matter.polygons[index];
    pv__wake_polygon(world, index);
    q->material = material;
    for (int i = 0; i < q->corner_count; i++)
        world->matter.particles.data[q->corners[i]].material = material;
}
