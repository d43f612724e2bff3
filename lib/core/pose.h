/* pose.h - the interface of pose.c: poses, velocities and particles of a body, each out of the
 * others.
 *
 * Invariant: as in pose.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_POSE_H
#define PV_CORE_POSE_H

#include "core/world.h"

/// Returns the center of two particles.
pv_vec2 pv__pose_particles_center(const pv_vec2 p[2]);
/// Turns r by the angle whose sine is s, |s| < 1 and the angle less than a quarter turn; keeps
/// length 1.
pv_rotation pv__pose_turned_by_sine(pv_rotation r, double s);
/// Returns the sine of the turn from before to now.
double pv__pose_turn_sine(const pv__body *b);
/// Sine of the turn from one substep to the next is kept below this, a little less than a quarter
/// turn.
#define PV__MAX_SINE 0.9999

/// The current particles become the previous ones, with their bitmap.
void pv__pose_advance_to(pv__body *b, pv__pose pose);
/// Pose before the last substep.
pv__pose pv__pose_before(const pv__body *b);
/// Pose at a fraction of the last substep's motion.
pv__pose pv__pose_at(const pv__body *b, double fraction);
/// The pose turned by an angle and moved.
pv__pose pv__pose_moved(pv__pose pose, pv_vec2 by, double angle);
/// Puts the current particles into a pose; the previous ones stay.
void pv__pose_set(pv__body *b, pv__pose pose);
/// Puts the previous particles where velocity and spin say, for the world's substep.
void pv__pose_set_motion(const pv_world *world, pv__body *b, pv_vec2 velocity, double spin);
/// Velocity and spin at the end of the last substep.
pv_vec2 pv__pose_velocity(const pv_world *world, const pv__body *b);
double pv__pose_angular_velocity(const pv_world *world, const pv__body *b);
/// Motion of the particles in the last substep: the way of the center, and the angle.
typedef struct pv__chord {
    pv_vec2 way;
    double angle;
} pv__chord;
pv__chord pv__pose_chord_of(const pv__body *b);
/// Says that it is elsewhere than its bitmap shows.
static inline void pv__pose_forget_now(pv__body *b) {
    if (b->pixel) b->pixel->bitmap_now.valid = false;
}
/// Says that the previous particles are others than their bitmap shows.
static inline void pv__pose_forget_before(pv__body *b) {
    if (b->pixel) b->pixel->bitmap_before.valid = false;
}
/// Makes room in an array for so many bodies at least, all that bodies has room for, and one more;
/// false without memory.
bool pv__world_reserve_by_body(const pv_world *world, void *items, int *capacity, int bodies,
                               size_t size);
pv__pose pv__pose_of_solver_body(const pv_world *world, int body);
/// The box of a body's turned picture in a pose.
pv_box pv__pose_box(const pv__body *b, pv__pose pose);
/// Returns where a point of a manifold is on a's surface, and how far b's is from it along the
/// normal, as the bodies are now [px].
pv_vec2 pv__contact_point_place(const pv_world *world, const pv__manifold *m,
                                const pv__contact_point *p);
double pv__contact_point_gap(const pv_world *world, const pv__manifold *m,
                             const pv__contact_point *p);
/// Tells whether there is anything for the stages below to do.
bool pv__world_has_matter(const pv_world *world);
/// The box of its corners.
pv_box pv__polygon_box(const pv_world *world, const pv__polygon *polygon);
/// Returns what a polygon may touch with, discs and all.
static inline pv_box pv__polygon_outer_box(const pv_world *world, const pv__polygon *q) {
    return pv__box_widened(pv__polygon_box(world, q),
                           world->matter.particles.grains[q->corners[0]].radius);
}
/// Its pose and velocity become the body's, for those who look there.
void pv__pose_show_solver_body(pv_world *world, int body);

#endif
