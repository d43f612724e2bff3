/* shared_world.h - shared by the suites of matter, joints and movers: the world of the running
 * test, its content, and its momenta.
 *
 * Invariant: there is one such world at a time. A test that includes this ends with close_world().
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SHARED_WORLD_H
#define SHARED_WORLD_H

#include "support.h"

/// Returns the place of the pointer to the world of the running test.
static inline pv_world **world_of_test(void) {
    static pv_world *world;
    return &world;
}

/// Destroys the world of the running test, also at its end.
static inline void close_world(void) {
    pv_world_destroy(*world_of_test());
    *world_of_test() = NULL;
}

/// Replaces the world of the running test by a new one.
static inline pv_world *next_world(pv_world_def def) {
    close_world();
    *world_of_test() = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(*world_of_test());
    return *world_of_test();
}

/// Returns the default def with a gravity straight down [px/s^2].
static inline pv_world_def with_gravity(double gravity) {
    return WITH(pv_world_def_default(), it.gravity = (pv_vec2){0, gravity});
}

/// Opens a world with a contact mode and a gravity straight down in place of the last one.
static inline pv_world *next_world_by(int contacts, double gravity) {
    return next_world(WITH(with_gravity(gravity), it.contact_mode = (pv_contact_mode)contacts));
}

/// Steps the world of the running test by some sixtieths of a second.
static inline void step_times(int count) {
    for (int i = 0; i < count; i++) step_well(*world_of_test(), 1.0 / 60);
}

/* Places and velocities in the world of the running test. */

static inline pv_vec2 body_at(pv_body_id b) { return pv_body_get_position(*world_of_test(), b); }
static inline pv_vec2 body_v(pv_body_id b) { return pv_body_get_velocity(*world_of_test(), b); }
static inline pv_vec2 particle_at(pv_particle_id p) {
    return pv_particle_get_position(*world_of_test(), p);
}
static inline pv_vec2 particle_v(pv_particle_id p) {
    return pv_particle_get_velocity(*world_of_test(), p);
}
static inline pv_vec2 polygon_at(pv_body_id q) { return pv_body_get_position(*world_of_test(), q); }

static inline void expect_point(pv_vec2 is, double x, double y, double tolerance) {
    ck_assert_vec_eq_tol(is, x, y, tolerance);
}

/// Adds a full rectangle to the world of the running test.
static inline pv_body_id put_box(pv_body_type type, int width, int height, double x, double y) {
    return put(*world_of_test(), box_mask(width, height), x, y, of_type(type));
}

static inline pv_joint_def joint_of(pv_joint_type type, pv_anchor a, pv_anchor b) {
    return WITH(pv_joint_def_default(), it.type = type, it.a = a, it.b = b);
}

/// Creates a joint in the world of the running test.
static inline pv_joint_id join_by(pv_joint_def def) {
    return CREATE_WELL(joint, *world_of_test(), def);
}

static inline pv_joint_id join(pv_joint_type type, pv_anchor a, pv_anchor b) {
    return join_by(joint_of(type, a, b));
}

/// Returns the distance between the anchors of a joint.
static inline double gap_of(pv_joint_id c) {
    pv_anchor ends[2];
    ck_assert_int_eq(pv_joint_get_anchors(*world_of_test(), c, ends), PV_OK);
    return vec_distance(ends[0].point, ends[1].point);
}

/// Tells whether two filters let their owners touch, by the documented rule.
static inline bool filters_agree(pv_filter a, pv_filter b) {
    if (a.group_index == b.group_index && a.group_index > 0) return true;
    if (a.group_index == b.group_index && a.group_index < 0) return false;
    return (a.category_bits & b.mask_bits) != 0 && (b.category_bits & a.mask_bits) != 0;
}

/// Mass, momentum, and angular momentum about the origin of all that can move. Sizes are the sums
/// of the magnitudes added up.
typedef struct momenta {
    double mass, x, y, turn, size, turn_size;
} momenta;

static inline void add_momenta(momenta *s, double mass, pv_vec2 at, pv_vec2 v, double spin) {
    s->mass += mass;
    s->x += mass * v.x;
    s->y += mass * v.y;
    s->turn += mass * (at.x * v.y - at.y * v.x) + spin;
    s->size += mass * hypot(v.x, v.y);
    s->turn_size += mass * hypot(at.x, at.y) * hypot(v.x, v.y) + fabs(spin);
}

static inline momenta momenta_of(const pv_world *w) {
    momenta s = {0};
    for (pv_particle_id p = pv_null_particle; (p = pv_world_get_next_particle(w, p)).index;)
        add_momenta(&s, pv_particle_get_mass(w, p), pv_particle_get_position(w, p),
                    pv_particle_get_velocity(w, p), 0);
    for (pv_body_id b = pv_null_body; (b = pv_world_get_next_body(w, b)).index;)
        if (pv_body_get_type(w, b) == PV_BODY_DYNAMIC)
            add_momenta(&s, pv_body_get_mass(w, b), pv_body_get_position(w, b),
                        pv_body_get_velocity(w, b),
                        pv_body_get_inertia(w, b) * pv_body_get_angular_velocity(w, b));
    return s;
}

/// Checks that the momenta have not changed by more than tolerances.
static inline void expect_kept_momenta(const momenta *was, const pv_world *w, double size,
                                       double turn) {
    momenta is = momenta_of(w);
    ck_assert_double_eq_tol(is.x, was->x, size);
    ck_assert_double_eq_tol(is.y, was->y, size);
    ck_assert_double_eq_tol(is.turn, was->turn, turn);
}

/// Runs a scenario that tells whether it got all its memory. It runs once with all of it, then with
/// each allocation refused in turn. No bytes may leak.
static inline void refuse_each(bool (*live)(purse *mine)) {
    purse all = {0};
    ck_assert(live(&all));
    ck_assert_int_eq(all.live_bytes, 0);
    for (long i = 1; i <= all.calls; i++) {
        purse some = {.fail_at = i};
        ck_assert_msg(!live(&some), "call %ld of %ld", i, all.calls);
        ck_assert_int_eq(some.live_bytes, 0);
    }
}

#endif
