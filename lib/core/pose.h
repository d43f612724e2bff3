/* pose.h - the interface of pose.c: conversion between poses, velocities and particles of a body.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_POSE_H
#define PV_CORE_POSE_H

#include "core/world.h"

/// Returns the center of two particles.
pv_vec2 pv__pose_particles_center(const pv_vec2 p[2]);
/// Returns a rotation turned by the angle with sine s, |s| < 1, less than a quarter turn. The
/// result has length 1.
pv_rotation pv__pose_turned_by_sine(pv_rotation r, double s);
/// Returns the sine of the turn from the previous to the current rotation.
double pv__pose_turn_sine(const pv__body *b);
/// Greatest sine of the turn in a substep, a little less than that of a quarter turn
#define PV__MAX_SINE 0.9999

/// Makes the current particles the previous ones, with their bitmap, and sets the current pose.
void pv__pose_advance_to(pv__body *b, pv__pose pose);
/// Returns the pose before the last substep.
pv__pose pv__pose_before(const pv__body *b);
/// Returns the pose at a fraction of the last substep's motion.
pv__pose pv__pose_at(const pv__body *b, double fraction);
/// Returns the pose turned by an angle and moved.
pv__pose pv__pose_moved(pv__pose pose, pv_vec2 by, double angle);
/// Places the previous particles so that the body has a velocity and an angular velocity, for the
/// world's substep.
void pv__pose_set_motion(const pv_world *world, pv__body *b, pv_vec2 velocity, double spin);
/// Returns the velocity at the end of the last substep [px/s].
pv_vec2 pv__pose_velocity(const pv_world *world, const pv__body *b);
/// Returns the angular velocity at the end of the last substep [rad/s].
double pv__pose_angular_velocity(const pv_world *world, const pv__body *b);
/// Motion of the particles in the last substep: displacement of the center [px], and angle [rad]
typedef struct pv__chord {
    pv_vec2 way;
    double angle;
} pv__chord;
/// Returns the chord of a body's last substep.
pv__chord pv__pose_chord_of(const pv__body *b);
/// Marks the bitmap of the current pose as out of date.
static inline void pv__pose_forget_now(pv__body *b) {
    if (b->pixel_motion) b->pixel_motion->bitmap_now.valid = false;
}
/// Marks the bitmap of the previous pose as out of date.
static inline void pv__pose_forget_before(pv__body *b) {
    if (b->pixel_motion) b->pixel_motion->bitmap_before.valid = false;
}
/// Puts two particles of a body into a pose.
static inline void pv__pose_put_stick(const pv__body *b, pv_vec2 p[2], pv__pose pose) {
    pv_vec2 arm = {b->half_stick * pose.turn.c, b->half_stick * pose.turn.s};
    p[0] = pv__sub(pose.center, arm);
    p[1] = pv__add(pose.center, arm);
}
/// Moves the current particles into a pose; the previous ones stay.
static inline void pv__pose_set(pv__body *b, pv__pose pose) {
    b->pose = pose;
    pv__pose_put_stick(b, b->now, pose);
    pv__pose_forget_now(b);
}
/// Reserves an array by body, for at least the capacity of world->bodies, and one more. Returns
/// false without memory.
bool pv__world_reserve_by_body(const pv_world *world, void *items, int *capacity, int bodies,
                               size_t size);
/// Returns the pose of a solver body.
static inline pv__pose pv__pose_of_solver_body(const pv_world *world, int body) {
    pv__four p = world->solver.bodies[body + 1].pose;
    return (pv__pose){{p[0], p[1]}, {p[2], p[3]}};
}
/// Returns a point in the coordinates of a body's picture.
static inline pv_vec2 pv__pose_into_picture(const pv__body *b, pv__pose pose, pv_vec2 point) {
    return pv__add(b->pixels->pivot, pv__unrotate(pose.turn, pv__sub(point, pose.center)));
}
/// Returns the box of a body's turned picture in a pose.
pv_box pv__pose_box(const pv__body *b, pv__pose pose);
/// Returns the box of a body's picture and of the pixels of its contacts.
pv_box pv__pose_outer_box(const pv__body *b, pv__pose pose);
/// Returns the current place of a contact point on a's surface [px].
pv_vec2 pv__contact_point_place(const pv_world *world, const pv__manifold *m,
                                const pv__contact_point *p);
/// Returns the current gap of a contact point along its normal [px].
double pv__contact_point_gap(const pv_world *world, const pv__manifold *m,
                             const pv__contact_point *p);
/// Returns the number of substeps in a step of length dt [s], given the usual number. With
/// contours, substeps have the same length in long and usual steps, so both are equally stable.
int pv__world_count_substeps(const pv_world *world, int usual, double dt);
/// Tells whether the world has particles, constraints or force fields.
bool pv__world_has_matter(const pv_world *world);
/// Returns the box of a polygon's corners.
pv_box pv__polygon_box(const pv_world *world, const pv__polygon *polygon);
/// Returns the box of a polygon widened by the radius of its corners.
static inline pv_box pv__polygon_outer_box(const pv_world *world, const pv__polygon *q) {
    return pv__box_widened(pv__polygon_box(world, q),
                           world->matter.particles.data[q->corners[0]].radius);
}
/// Returns the position of a polygon's center of mass [px].
pv_vec2 pv__polygon_center(const pv_world *world, const pv__polygon *polygon);
/// Returns the rotation of a polygon since its creation.
pv_rotation pv__polygon_rotation(const pv_world *world, const pv__polygon *polygon);
/// Returns a polygon's pixels, in its shape at creation; the mask is null if they are too many.
pv_placed pv__polygon_placed(const pv_world *world, const pv__polygon *polygon);
/// Copies pose and velocity of a solver body into its body, for code that reads the body.
void pv__pose_show_solver_body(pv_world *world, int body);

#endif
