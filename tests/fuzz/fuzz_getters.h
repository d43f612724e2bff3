/* fuzz_getters.h - what holds in any world: finite numbers, steps in time, exact snapshots.
 *
 * Invariant: the checks change a world only by stepping it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef FUZZ_GETTERS_H
#define FUZZ_GETTERS_H

#include "fuzz_world.h"

#include <math.h>
#include <time.h>

static inline bool finite2(pv_vec2 v) { return isfinite(v.x) && isfinite(v.y); }
static inline bool finite_box(pv_box b) { return finite2(b.min) && finite2(b.max); }

/* ---- getters ---- */

static inline void check_body_getters(const pv_world *world, pv_body_id b) {
    pv_transform t = pv_body_get_transform(world, b);
    pv_body_def def = pv_body_get_def(world, b);
    CHECK(finite2(pv_body_get_position(world, b)) && finite2(pv_body_get_velocity(world, b)));
    CHECK(isfinite(pv_body_get_angle(world, b)) &&
          isfinite(pv_body_get_angular_velocity(world, b)));
    CHECK(fabs(hypot(t.rotation.c, t.rotation.s) - 1) < 1e-6 && finite2(t.position));
    CHECK(isfinite(pv_body_get_mass(world, b)) && isfinite(pv_body_get_inertia(world, b)));
    CHECK(finite2(pv_body_get_velocity_at(world, b, (pv_vec2){0, 0})));
    CHECK(finite2(def.position) && finite2(def.velocity) && isfinite(def.mass));
    CHECK(!def.enabled || finite_box(pv_body_get_bounds(world, b)));
}

static inline void check_bodies_getters(const pv_world *world) {
    for (pv_body_id b = {0}; (b = pv_world_get_next_body(world, b)).index;)
        check_body_getters(world, b);
    for (pv_particle_id p = {0}; (p = pv_world_get_next_particle(world, p)).index;)
        CHECK(finite2(pv_particle_get_position(world, p)) &&
              finite2(pv_particle_get_velocity(world, p)) &&
              isfinite(pv_particle_get_mass(world, p)) &&
              isfinite(pv_particle_get_radius(world, p)));
}

static inline void check_joint_getters(const pv_world *world) {
    for (pv_joint_id j = {0}; (j = pv_world_get_next_joint(world, j)).index;) {
        pv_anchor ends[2];
        CHECK(pv_joint_get_anchors(world, j, ends) == PV_OK);
        CHECK(finite2(ends[0].point) && finite2(ends[1].point));
        CHECK(isfinite(pv_joint_get_length(world, j)) && isfinite(pv_joint_get_force(world, j)));
    }
    for (pv_body_id p = {0}; (p = pv_world_get_next_polygon(world, p)).index;)
        CHECK(finite2(pv_body_get_position(world, p)) && isfinite(pv_body_get_angle(world, p)) &&
              finite2(pv_body_get_velocity(world, p)) &&
              isfinite(pv_body_get_angular_velocity(world, p)) &&
              finite_box(pv_body_get_bounds(world, p)));
    for (pv_composite_id c = {0}; (c = pv_world_get_next_composite(world, c)).index;)
        CHECK(finite2(pv_composite_get_position(world, c)));
}

static inline void check_event_getters(const pv_world *world) {
    pv_contact contacts[64];
    pv_events e = pv_world_get_events(world);
    int count = pv_world_get_contacts(world, contacts, 64);
    for (int i = 0; i < count && i < 64; i++)
        CHECK(finite2(contacts[i].point) && finite2(contacts[i].normal) &&
              isfinite(contacts[i].impulse));
    for (int i = 0; i < e.hit_count; i++)
        CHECK(finite2(e.hits[i].point) && finite2(e.hits[i].normal) && isfinite(e.hits[i].speed) &&
              isfinite(e.hits[i].impulse));
    for (int i = 0; i < e.joint_break_count; i++)
        CHECK(finite2(e.joint_breaks[i].point) && isfinite(e.joint_breaks[i].force));
}

static inline void check_getters(const pv_world *world) {
    check_bodies_getters(world);
    check_joint_getters(world);
    check_event_getters(world);
}

/* ---- steps ---- */

/// Longest time of a step of 1/60 s [s]: ten times what is promised for a thousand objects
#define MOST_STEP_TIME 1.5

/// Takes a step of any allowed length, and checks the world after it.
static inline void step_in_time(pv_world *world, double dt) {
    clock_t began = clock();
    pv_status s = pv_world_step(world, dt);
    double took = (double)(clock() - began) / CLOCKS_PER_SEC;
    CHECK(s == PV_OK || s == PV_ERROR_MEMORY);
    CHECK(took < MOST_STEP_TIME * fmax(1, 60 * dt)); /* Longer steps have more substeps. */
    check_getters(world);
}

/// Checks that a world's own snapshot restores in another world, and that both go on alike.
static inline void check_goes_on(pv_world *world, pv_world *other, double dt, int count) {
    bytes b = saved(world, PV_SNAPSHOT_PIXELS);
    CHECK(pv_world_restore(other, b.at, b.size) == PV_OK);
    CHECK(pv_world_compute_hash(other) == pv_world_compute_hash(world));
    for (int i = 0; i < count; i++) {
        step_in_time(world, dt);
        step_in_time(other, dt);
        CHECK(pv_world_compute_hash(other) == pv_world_compute_hash(world));
    }
    free(b.at);
}

#endif
