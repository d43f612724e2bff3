/* pixverlet/joint.h - anchors, and joints of bodies, particles, polygons and the world.
 *
 * Invariant: a joint lives no longer than the objects that it holds.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_JOINT_H
#define PIXVERLET_JOINT_H

#include "pixverlet/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup constraints Joints
 *  Joints of particles, bodies, polygons and the world. The solver moves the ends of a joint
 *  along their directions from the start of the substep (SHAKE, Ryckaert, Ciccotti and Berendsen
 *  1977). The ends share the motion in proportion to their effective inverse masses. Linear and
 *  angular momentum are therefore conserved, and angular velocities do not decay. Stiffness is
 *  that of XPBD (Macklin, Mueller and Chentanez 2016), so it does not depend on the number of
 *  iterations. Joints of bodies are solved together (docs/ARCHITECTURE.md): light bodies bear
 *  loads of 1000 times their mass. @{ */

/// An anchor, one end of a joint: a particle, a point of a body or polygon, or a point of the
/// world. The first id that is not null counts.
typedef struct pv_anchor {
    /// Particle, or the null id
    pv_particle_id particle;
    /// Body whose material at the point is the anchor, or the null id; three corners of a polygon
    /// carry its anchor
    pv_body_id body;
    /// Point in the world at the joint's creation [px]; ignored for a particle, and refused far
    /// from a body, as in pv_anchor_body()
    pv_vec2 point;
} pv_anchor;

/* These functions only fill in an anchor. pv_joint_create() and other functions that take
 * anchors check it. */

/// Returns an anchor on a particle.
static inline pv_anchor pv_anchor_particle(pv_particle_id particle) {
    return PV_LITERAL(pv_anchor){particle, pv_null_body, PV_VEC2(0, 0)};
}
/// Returns an anchor on the material of a body at a point of the world [px]. For a point of its
/// picture, use pv_body_to_world(). A point outside the body also moves with it. It may be up to
/// 256 px away from the body's bounds, or 8 times their longer side if that is more.
static inline pv_anchor pv_anchor_body(pv_body_id body, pv_vec2 point) {
    return PV_LITERAL(pv_anchor){pv_null_particle, body, point};
}
/// Returns an anchor at a point of the world [px].
static inline pv_anchor pv_anchor_world(pv_vec2 point) {
    return PV_LITERAL(pv_anchor){pv_null_particle, pv_null_body, point};
}

/// Types of joints.
typedef enum pv_joint_type {
    /// Distance joint: the anchors stay length apart; with stiffness and damping it is a spring
    PV_JOINT_DISTANCE = 0,
    /// Rope joint: the anchors stay at most length apart
    PV_JOINT_ROPE,
    /// Strut: the anchors stay at least length apart
    PV_JOINT_STRUT,
    /// Pin joint: the anchors stay at one place; between two bodies it is a hinge
    PV_JOINT_PIN,
    /// Weld joint: a pin whose bodies do not turn relative to each other
    PV_JOINT_WELD,
    /// Angle limit: the angle of b's body relative to a's, 0 at creation, stays within
    /// lower...upper
    PV_JOINT_ANGLE_LIMIT,
    /// Motor: b's body turns at motor_speed relative to a's
    PV_JOINT_MOTOR,
    /// Slider: b's anchor stays on the line through a's anchor along axis, which turns with a's
    /// body. Its distance along axis from the place at creation stays within lower...upper. Two
    /// bodies do not turn relative to each other.
    PV_JOINT_SLIDER,
    /// Mouse joint: a's anchor is pulled to b's, a point of the world that pv_joint_set_target()
    /// moves
    PV_JOINT_MOUSE
} pv_joint_type;

/// The definition of a joint. pv_joint_def_default() returns one.
typedef struct pv_joint_def {
    /// Joint type; default PV_JOINT_DISTANCE
    pv_joint_type type;
    /// Anchors, at most one of them in the world. An angle limit and a motor take a body at each
    /// end, or the world at one.
    pv_anchor a, b;
    /// Length of a distance joint, rope or strut [px]; default -1: a negative value means the
    /// present distance
    double length;
    /// Stiffness of every type except motor, 0 or 1e-200...1e12; default 0: rigid [mass/s^2], of
    /// angles [mass px^2/s^2]
    double stiffness;
    /// Damping in addition to stiffness, 0...1e12; default 0 [mass/s], of angles [mass px^2/s]
    double damping;
    /// Limits of an angle limit [rad] or slider [px], lower <= upper; default: unlimited
    double lower, upper;
    /// Axis of a slider in the world at creation, of any length except 0
    pv_vec2 axis;
    /// Motor speed, |x| <= 1e6 [rad/s]
    double motor_speed;
    /// Largest force [mass px/s^2] or torque [mass px^2/s^2] of the joint, >= 0; default 0:
    /// unlimited
    double max_force;
    /// Force or torque above which the joint breaks, >= 0; default 0: never
    double break_force;
    /// Collision of the joined bodies with each other, and of bodies and polygons with particles
    /// joined to them; default false. Particles inside the body that are connected to such a
    /// particle do not collide with the body either, until they are out.
    bool collide_connected;
    /// Survival of the joint if the pixels at an anchor are carved away; default false: the joint
    /// is released
    bool keep_when_carved;
    /// Pointer of the caller
    void *user_data;
    /// Mark set by pv_joint_def_default()
    unsigned cookie;
} pv_joint_def;

/// Returns the default definition of a joint.
PV_API pv_joint_def pv_joint_def_default(void);

/// Creates a joint between two anchors.
/// @return its id, or the null id with an error: PV_ERROR_STALE_ID for an anchor whose object does
/// not live; PV_ERROR_ARGUMENT for a distance joint of length 0 (use a pin), ends that share a
/// body, a particle or a corner of a polygon, a point too far from its polygon and values out of
/// range; PV_ERROR_NOT_FINITE, PV_ERROR_MEMORY or PV_ERROR_BUSY
PV_API pv_joint_id pv_joint_create(pv_world *world, const pv_joint_def *def, pv_error *error);

/* Makers of the usual joints, with one call each. A null body is the world; only one of the two may
 * be null. Angles and distances are measured from the present poses. Other members are those of
 * pv_joint_def_default(). Each returns the id of the joint. A refused call gives the null id, and
 * the world's report hook gets the reason. It is PV_ERROR_STALE_ID for a body or anchor that does
 * not live, and PV_ERROR_ARGUMENT for two equal ends and for values out of range. Other reasons are
 * PV_ERROR_NOT_FINITE, PV_ERROR_MEMORY and PV_ERROR_BUSY. */

/// Creates a pin joint of two bodies at a point of the world [px].
/// @return its id, or the null id with a report
PV_API pv_joint_id pv_joint_create_pin(pv_world *world, pv_body_id a, pv_body_id b, pv_vec2 point);
/// Creates a weld joint of two bodies at a point of the world [px].
/// @return its id, or the null id with a report
PV_API pv_joint_id pv_joint_create_weld(pv_world *world, pv_body_id a, pv_body_id b, pv_vec2 point);
/// Creates a slider: b slides along a line that turns with a. If b is the world, a slides. The line
/// goes through the position of the body that slides.
/// @param axis direction of the line in the world, of any length except 0
/// @param lower,upper limits of the sliding body's travel along axis [px], lower <= upper
/// @return its id, or the null id with a report
PV_API pv_joint_id pv_joint_create_slider(pv_world *world, pv_body_id a, pv_body_id b, pv_vec2 axis,
                                          double lower, double upper);
/// Creates an angle limit of two bodies.
/// @param lower,upper limits of the angle of b relative to a [rad], lower <= upper
/// @return its id, or the null id with a report
PV_API pv_joint_id pv_joint_create_angle_limit(pv_world *world, pv_body_id a, pv_body_id b,
                                               double lower, double upper);
/// Creates a motor that turns b relative to a.
/// @param speed |speed| <= 1e6 [rad/s]
/// @param max_torque largest torque, >= 0 [mass px^2/s^2]; 0: unlimited
/// @return its id, or the null id with a report
PV_API pv_joint_id pv_joint_create_motor(pv_world *world, pv_body_id a, pv_body_id b, double speed,
                                         double max_torque);
/// Creates a rigid distance joint, as long as its anchors are apart now.
/// @return its id, or the null id with a report, also for anchors at one place
PV_API pv_joint_id pv_joint_create_distance(pv_world *world, pv_anchor a, pv_anchor b);
/// Creates a rope joint.
/// @param length largest distance of the anchors [px]; < 0: as far as they are apart now
/// @return its id, or the null id with a report
PV_API pv_joint_id pv_joint_create_rope(pv_world *world, pv_anchor a, pv_anchor b, double length);
/// Creates a spring: a distance joint, as long as its anchors are apart now. Its stiffness and
/// damping are computed from the present masses and inertias at the anchors. Without other forces
/// it swings at this frequency, whatever they are. Two anchors that cannot move count as mass 1.
/// @param hertz frequency without damping, 1e-6...1e6 [Hz]; the stiffness is at most 1e12
/// @param damping_ratio 0...1e6; 0: it swings forever; 1: it settles fastest without overshoot
/// @return its id, or the null id with a report, also for anchors at one place
PV_API pv_joint_id pv_joint_create_spring(pv_world *world, pv_anchor a, pv_anchor b, double hertz,
                                          double damping_ratio);
/// Creates a mouse joint that pulls a body's material at a point of the world [px] to that point.
/// pv_joint_set_target() then moves the target. Per unit of the body's mass its stiffness is 400,
/// its damping 40 and its largest force 6000. Stiffness and damping are at most 1e12.
/// @return its id, or the null id with a report
PV_API pv_joint_id pv_joint_create_mouse(pv_world *world, pv_body_id body, pv_vec2 point);

/// Destroys a joint. A joint is also destroyed with either object that it holds.
/// @return PV_ERROR_STALE_ID, PV_ERROR_ARGUMENT for a null world, or PV_ERROR_BUSY
PV_API pv_status pv_joint_destroy(pv_world *world, pv_joint_id joint);

/// Tells whether an id belongs to a living joint.
PV_API bool pv_joint_is_valid(const pv_world *world, pv_joint_id joint);

/* Reading. An id that is no longer valid gives zeros and null. The functions with a status
 * return PV_ERROR_STALE_ID for it, and PV_ERROR_ARGUMENT for a null array. */

/// Copies the joints of a body to an array, in slot order; those of a polygon are its edges and
/// beams, in the order of their creation.
/// @param joints destination; may be null if capacity is 0
/// @param capacity size of the array, in ids
/// @return the number of all joints of the body, which may exceed capacity; 0 for an id that is no
/// longer valid
PV_API int pv_body_get_joints(const pv_world *world, pv_body_id body, pv_joint_id *joints,
                              int capacity);
/// Returns the type of a joint; PV_JOINT_DISTANCE for an id that is no longer valid.
PV_API pv_joint_type pv_joint_get_type(const pv_world *world, pv_joint_id joint);
/// Gets both anchors: the ids of their objects and their present places.
PV_API pv_status pv_joint_get_anchors(const pv_world *world, pv_joint_id joint,
                                      pv_anchor anchors[2]);
/// Returns the rest length of a distance joint, rope or strut [px].
PV_API double pv_joint_get_length(const pv_world *world, pv_joint_id joint);
/// Returns the force of a joint in the last substep, >= 0 [mass px/s^2]. For an angle limit and a
/// motor it is the torque [mass px^2/s^2].
PV_API double pv_joint_get_force(const pv_world *world, pv_joint_id joint);
/// Returns the caller's pointer of a joint.
PV_API void *pv_joint_get_user_data(const pv_world *world, pv_joint_id joint);

/* Writing. These wake the bodies that the joint holds. Errors are PV_ERROR_STALE_ID,
 * PV_ERROR_NOT_FINITE, PV_ERROR_BUSY and PV_ERROR_ARGUMENT for a value out of range or a wrong
 * type. On an error nothing changes. */

/// Sets the length of a distance joint, rope or strut [px], > 0.
PV_API pv_status pv_joint_set_length(pv_world *world, pv_joint_id joint, double length);
/// Moves the target of a mouse joint, a point of the world [px].
PV_API pv_status pv_joint_set_target(pv_world *world, pv_joint_id joint, pv_vec2 point);
/// Sets the largest force [mass px/s^2] or torque [mass px^2/s^2] of a joint, >= 0. 0: unlimited.
PV_API pv_status pv_joint_set_max_force(pv_world *world, pv_joint_id joint, double max_force);
/// Sets the force or torque above which a joint breaks, >= 0. 0: never.
PV_API pv_status pv_joint_set_break_force(pv_world *world, pv_joint_id joint, double break_force);
/// Sets stiffness and damping of a joint of every type except motor, as in pv_joint_def. A
/// stiffness of 0 makes it rigid; a mouse joint then gets both from the mass that it pulls.
/// @param stiffness 0 or 1e-200...1e12 [mass/s^2], of angles [mass px^2/s^2]
/// @param damping 0...1e12 [mass/s], of angles [mass px^2/s]
PV_API pv_status pv_joint_set_spring(pv_world *world, pv_joint_id joint, double stiffness,
                                     double damping);
/// Sets the speed of a motor, |speed| <= 1e6 [rad/s].
PV_API pv_status pv_joint_set_motor_speed(pv_world *world, pv_joint_id joint, double speed);
/// Sets the limits of an angle limit [rad] or slider [px], low <= high.
PV_API pv_status pv_joint_set_limits(pv_world *world, pv_joint_id joint, double low, double high);

/// A joint that broke or was released.
typedef struct pv_joint_break_event {
    /// Id of the joint, which is no longer valid
    pv_joint_id joint;
    /// Force [mass px/s^2] or torque that the joint would have needed; 0 for a released joint
    double force;
    /// Point midway between its anchors [px]
    pv_vec2 point;
    /// Caller's pointer of the joint
    void *user_data;
    /// Release because the pixels at an anchor were carved away
    bool carved;
} pv_joint_break_event;

/** @} */

#ifdef __cplusplus
}
#endif

#endif
