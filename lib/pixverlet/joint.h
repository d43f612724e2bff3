/* pixverlet/joint.h - anchors, and joints of bodies, particles and the world.
 *
 * Invariant: a joint lives as long as both things that it holds.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_JOINT_H
#define PIXVERLET_JOINT_H

#include "pixverlet/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup constraints Constraints What holds particles, bodies and the world together. Each is
 * satisfied by moving its ends along the directions that they had when the substep began (SHAKE,
 * Ryckaert, Ciccotti and Berendsen 1977), shared by their effective inverse masses: momentum is
 * conserved, linear and angular, and spins do not decay. Stiffness is that of XPBD (Macklin,
 * Mueller and Chentanez 2016), so it does not depend on the number of relaxations. Joints of bodies
 * are solved together (docs/MATTER.md): light ones bear loads of 1000 times their mass. @{ */

/// An end of a constraint: a particle, a point of a body or of a polygon, or a point of the world.
typedef struct pv_anchor {
    /// Where it names one, that
    pv_particle_id particle;
    /// Else, where it names one, the material of that body at point
    pv_body_id body;
    /// Else, where it names one, the material of that polygon at point, borne by three of its
    /// corners
    pv_polygon_id polygon;
    /// In the world when the constraint is made [px]; of a particle it is not heeded
    pv_vec2 point;
} pv_anchor;

/* These put together what pv_joint_create() and the like will judge, and judge nothing themselves.
 * */

/// An anchor on a particle.
PV_API pv_anchor pv_anchor_particle(pv_particle_id particle);
/// An anchor on the material of a body that is at a point of the world now.
PV_API pv_anchor pv_anchor_body(pv_body_id body, pv_vec2 point);
/// The same on a polygon; points beside it go with it as well.
PV_API pv_anchor pv_anchor_polygon(pv_polygon_id polygon, pv_vec2 point);
/// An anchor on a point of the world.
PV_API pv_anchor pv_anchor_world(pv_vec2 point);

/// What a constraint keeps as it is.
typedef enum pv_joint_type {
    /// The anchors are length apart; with stiffness and damping a spring
    PV_JOINT_DISTANCE = 0,
    /// At most length apart
    PV_JOINT_ROPE,
    /// At least length apart
    PV_JOINT_STRUT,
    /// The anchors are at one place; of two bodies that is a hinge
    PV_JOINT_PIN,
    /// As a pin, and b's body does not turn relative to a's
    PV_JOINT_WELD,
    /// The angle of b's body less that of a's, 0 when it is made, is within low...high
    PV_JOINT_ANGLE_LIMIT,
    /// B's body turns at speed relative to a's
    PV_JOINT_MOTOR,
    /// B's anchor is on the line through a's along axis, which turns with a's body, low...high from
    /// where it is when it is made; two bodies do not turn relative
    PV_JOINT_SLIDER,
    /// A's anchor is drawn to b's, a point of the world that may be moved: a mouse
    PV_JOINT_MOUSE
} pv_joint_type;

/// What a constraint is made of. Get one from pv_joint_def_default().
typedef struct pv_joint_def {
    /// Default stick
    pv_joint_type type;
    /// Not both of the world; angle and motor: a body each, or the world for one
    pv_anchor a, b;
    /// Of stick, rope and strut; < 0: as far as they are apart now; default -1 [px]
    double length;
    /// Of all but motor; 0: rigid; else 1e-200...1e12; default 0 [mass/s^2], of angles [mass
    /// px^2/s^2]
    double stiffness;
    /// Beside stiffness; default 0 [mass/s], of angles [mass px^2/s]
    double damping;
    /// Of angle [rad] and slider [px], low <= high; defaults without bound
    double lower, upper;
    /// Of slider: direction in the world when it is made, of any length but 0
    pv_vec2 axis;
    /// Of motor [rad/s]
    double motor_speed;
    /// It never gives more; 0: no bound; default 0 [mass px/s^2], torques [mass px^2/s^2]
    double max_force;
    /// It breaks when it would have to give more; 0: never; default 0
    double break_force;
    /// Whether bodies that it joins meet each other, too, and bodies and polygons what is pinned to
    /// them; default false
    bool collide_connected;
    /// Whether it stays when the pixels that an anchor is on are carved away; else it is let go;
    /// default false
    bool keep_when_carved;
    /// The caller's
    void *user_data;
    /// Set by pv_joint_def_default()
    unsigned cookie;
} pv_joint_def;

/// The defaults named above.
PV_API pv_joint_def pv_joint_def_default(void);

/// Joins two anchors.
/// @return its name, or the null name with a status: PV_ERROR_STALE_ID when an anchor names nothing
/// that lives, PV_ERROR_ARGUMENT for a stick of length 0 (that is a pin), two ends that are the
/// same, and what is out of range
PV_API pv_joint_id pv_joint_create(pv_world *world, const pv_joint_def *def, pv_status *status);

/// Takes it out. Constraints go with the particles and bodies that they hold, too.
PV_API pv_status pv_joint_destroy(pv_world *world, pv_joint_id constraint);

/// Tells whether the name names a living constraint.
PV_API bool pv_joint_is_valid(const pv_world *world, pv_joint_id constraint);

/* Reading. A stale name gives zeros and null. */

/// Its type; PV_JOINT_DISTANCE for a stale name.
PV_API pv_joint_type pv_joint_get_type(const pv_world *world, pv_joint_id constraint);
/// Returns where its anchors are [px].
PV_API pv_status pv_joint_get_points(const pv_world *world, pv_joint_id constraint,
                                     pv_vec2 points[2]);
/// Returns what holds its ends: names of particles and bodies, and where they are now.
PV_API pv_status pv_joint_get_anchors(const pv_world *world, pv_joint_id constraint,
                                      pv_anchor anchors[2]);
/// Rest length of stick, rope and strut [px].
PV_API double pv_joint_get_length(const pv_world *world, pv_joint_id constraint);
/// Returns what it gave in the last substep, >= 0 [mass px/s^2]; of angle and motor the torque
/// [mass px^2/s^2].
PV_API double pv_joint_get_force(const pv_world *world, pv_joint_id constraint);
/// The caller's pointer.
PV_API void *pv_joint_get_user_data(const pv_world *world, pv_joint_id constraint);

/* Writing. These wake the bodies that it holds. */

/// [px] > 0, of stick, rope and strut.
PV_API pv_status pv_joint_set_length(pv_world *world, pv_joint_id constraint, double length);
/// Moves an anchor that is a point of the world: 0 for a, 1 for b.
PV_API pv_status pv_joint_set_anchor_point(pv_world *world, pv_joint_id constraint, int end,
                                           pv_vec2 point);
/// Of motor [rad/s].
PV_API pv_status pv_joint_set_motor_speed(pv_world *world, pv_joint_id constraint, double speed);
/// Of angle [rad] and slider [px].
PV_API pv_status pv_joint_set_limits(pv_world *world, pv_joint_id constraint, double low,
                                     double high);

/// A constraint that broke, or was let go.
typedef struct pv_joint_break_event {
    /// Its name, which is stale now
    pv_joint_id joint;
    /// That it would have had to give [mass px/s^2], or torque; 0 if it was let go
    double force;
    /// Midway between its anchors [px]
    pv_vec2 point;
    /// The constraint's
    void *user_data;
    /// It was let go, for the pixels that an anchor was on were carved away
    bool carved;
} pv_joint_break_event;

/** @} */

#ifdef __cplusplus
}
#endif

#endif
