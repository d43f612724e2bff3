/* pixverlet/body.h - bodies made of sprites: definitions, properties, forces and contacts.
 *
 * Invariant: a function that changes a body wakes it. Reads of an id that is no longer valid give
 * zeros.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_BODY_H
#define PIXVERLET_BODY_H

#include "pixverlet/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup bodies Bodies
 *  Sprites as two particles at a fixed distance. @{ */

/// Types of bodies.
typedef enum pv_body_type {
    /// Immovable body
    PV_BODY_STATIC = 0,
    /// Body moved only at the velocity and angular velocity that the caller sets, as if of infinite
    /// mass
    PV_BODY_KINEMATIC,
    /// Body moved by forces and contacts
    PV_BODY_DYNAMIC
} pv_body_type;

/// Collider shapes that replace the pixels in contacts. In a world of pixel contacts, the pixels
/// whose centers are inside the shape collide. Queries and sensors use the body's own pixels.
typedef enum pv_collider {
    /// Pixels themselves
    PV_COLLIDER_PIXELS = 0,
    /// Circle around the pixels' centroid, with their area
    PV_COLLIDER_CIRCLE,
    /// Smallest box around the pixels, upright in the picture; it turns with the body
    PV_COLLIDER_BOX
} pv_collider;

/// Motions of a dynamic body that only setters such as pv_body_set_position() and
/// pv_body_set_velocity() can change, or-ed together.
enum {
    /// Velocity along x, as if of infinite mass in that direction
    PV_LOCK_X = 1,
    /// Velocity along y, as if of infinite mass in that direction
    PV_LOCK_Y = 2,
    /// Angular velocity
    PV_LOCK_ROTATION = 4
};

/// The definition of a body. pv_body_def_default() returns one. Its total mass, from mass or
/// density, must be 1e-9...1e12.
typedef struct pv_body_def {
    /// Body type; default PV_BODY_DYNAMIC
    pv_body_type type;
    /// Mask with at least one solid pixel; the body takes a reference
    pv_mask *mask;
    /// Position of the center of mass [px]
    pv_vec2 position;
    /// Angle, |x| <= 1e6 [rad]
    double angle;
    /// Velocity of the center of mass, |x|, |y| <= PV_MAX_COORDINATE [px/s]
    pv_vec2 velocity;
    /// Angular velocity, |x| <= 1e6 [rad/s]
    double angular_velocity;
    /// Mass of a pixel, 1e-6...1e6; default 1. With a material map it is the mass of a pixel of
    /// density 255.
    double density;
    /// Total mass, which overrides density; 0: from density; default 0
    double mass;
    /// Restitution, 0...1; default 0.2
    double restitution;
    /// Static friction, up to 1e6; default -1: a negative value means 1.2 times the kinetic
    /// friction
    double static_friction;
    /// Kinetic friction, 0...1e6; default 0.5
    double friction;
    /// Rolling resistance, 0...1e6 [px]; default 0: the lever arm that turns the load into a torque
    /// against rolling
    double rolling_resistance;
    /// Collider; default PV_COLLIDER_PIXELS. After a cut it is fitted to the remaining pixels.
    pv_collider collider;
    /// Factor on the world's gravity, |x| <= 1e3; default 1
    double gravity_scale;
    /// Linear damping, 0...1e6 [1/s]; default 0. The formula is x' = x + (1 - d)(x - x*) + a h^2
    /// with d = min(1, linear_damping * h), as for particles. Under gravity the speed stays below g
    /// / linear_damping.
    double linear_damping;
    /// Angular damping, 0...1e6 [1/s]; default 0. The formula is the same as for linear_damping.
    double angular_damping;
    /// Motion locks, some of PV_LOCK_; default 0
    unsigned motion_locks;
    /// Tangent speed of the surface along its outline, |x| <= 1e6 [px/s]; default 0. Positive runs
    /// clockwise on the screen, like a conveyor. A round body rolls on it at a third of that speed
    /// if nothing resists.
    double tangent_speed;
    /// One-way normal in the picture's coordinates, of any length; default (0, 0): no one-way side.
    /// The body blocks bodies that come from this side. It lets all others pass until they are out.
    /// (0, -1) makes a platform.
    pv_vec2 one_way_normal;
    /// Scale along the picture's axes, sizes 1/16...16, mirrored if negative; default (1, 1). The
    /// solid pixels are those that its transform draws, and density applies to them. one_way_normal
    /// and tangent_speed are not mirrored.
    pv_vec2 scale;
    /// Sensor: contacts ignore it, and events report bodies that share a pixel with it; default
    /// false
    bool sensor;
    /// Presence in the world, which pv_body_set_enabled() changes; default true
    bool enabled;
    /// Filter of the bodies it collides with; default: all
    pv_filter filter;
    /// Material map of hardness and density, to which the body takes a reference; default null:
    /// uniform
    pv_material_map *material_map;
    /// Position of the mask's (0, 0) in the map; the mask must lie within the map
    pv_point material_map_offset;
    /// Pointer of the caller
    void *user_data;
    /// Mark set by pv_body_def_default()
    unsigned cookie;
} pv_body_def;

/// Returns the default definition of a body.
PV_API pv_body_def pv_body_def_default(void);

/// Returns the default definition of a body with a type, a mask and a position [px].
PV_API pv_body_def pv_body_def_at(pv_body_type type, pv_mask *mask, double x, double y);
/// Sets the position of a definition so that its picture's corner (0, 0) is at a point. Set mask,
/// angle, scale and material map first. At scales other than 1 the corner may be off by half a
/// pixel. Does nothing for null and for a definition without a mask.
PV_API void pv_body_def_set_top_left(pv_body_def *def, pv_vec2 top_left);

/// Creates a body.
/// @return its id, or the null id with an error: PV_ERROR_EMPTY for a mask without solid pixels;
/// PV_ERROR_ARGUMENT, also for a map that does not cover the mask and for a total mass out of
/// range; PV_ERROR_NOT_FINITE, PV_ERROR_MEMORY, PV_ERROR_TOO_LARGE or PV_ERROR_BUSY
PV_API pv_body_id pv_body_create(pv_world *world, const pv_body_def *def, pv_error *error);

/// Destroys a body and wakes the bodies that touched it.
/// @return PV_ERROR_STALE_ID, PV_ERROR_ARGUMENT for a null world, or PV_ERROR_BUSY
PV_API pv_status pv_body_destroy(pv_world *world, pv_body_id body);

/// Tells whether an id belongs to a living body.
PV_API bool pv_body_is_valid(const pv_world *world, pv_body_id body);

/* Reading. An id that is no longer valid gives zeros, (1, 0) for the rotation and null for
 * pointers. */

/// Returns the pixels of a body in its present pose, for all functions of placed.h. The mask is
/// borrowed until the body changes; null for an id that is no longer valid.
PV_API pv_placed pv_body_get_placed(const pv_world *world, pv_body_id body);
/// Tells whether two bodies share a pixel of the world now, whatever their filters.
PV_API bool pv_body_test_overlap(const pv_world *world, pv_body_id a, pv_body_id b);
/// Tells whether a point of the world is in a solid pixel of a body.
PV_API bool pv_body_test_point(const pv_world *world, pv_body_id body, pv_vec2 point);
/// Maps a point of a body's picture to the world [px]; an id that is no longer valid gives the
/// point.
PV_API pv_vec2 pv_body_to_world(const pv_world *world, pv_body_id body, pv_vec2 picture_point);
/// Maps a point of the world to a body's picture [px]; an id that is no longer valid gives the
/// point.
PV_API pv_vec2 pv_body_to_local(const pv_world *world, pv_body_id body, pv_vec2 point);

/// Returns the type of a body; PV_BODY_STATIC for an id that is no longer valid.
PV_API pv_body_type pv_body_get_type(const pv_world *world, pv_body_id body);
/// Returns the position of a body's center of mass [px].
PV_API pv_vec2 pv_body_get_position(const pv_world *world, pv_body_id body);
/// Returns the angle of a body in (-pi, pi] [rad].
PV_API double pv_body_get_angle(const pv_world *world, pv_body_id body);
/// Returns the velocity of a body's center of mass [px/s].
PV_API pv_vec2 pv_body_get_velocity(const pv_world *world, pv_body_id body);
/// Returns the angular velocity of a body [rad/s].
PV_API double pv_body_get_angular_velocity(const pv_world *world, pv_body_id body);
/// Returns the velocity of a body's material at a point of the world [px/s].
PV_API pv_vec2 pv_body_get_velocity_at(const pv_world *world, pv_body_id body, pv_vec2 point);
/// Returns the mass of a body's pixels, even for static and kinematic bodies.
PV_API double pv_body_get_mass(const pv_world *world, pv_body_id body);
/// Returns the moment of inertia of a body's pixels about the center of mass [mass px^2].
PV_API double pv_body_get_inertia(const pv_world *world, pv_body_id body);
/// Returns the mask of a body, borrowed; it lives as long as the body keeps it.
PV_API const pv_mask *pv_body_get_mask(const pv_world *world, pv_body_id body);
/// Returns the transform that draws a body's picture in the world; pv_transform_identity() for an
/// id that is no longer valid.
PV_API pv_transform pv_body_get_transform(const pv_world *world, pv_body_id body);
/// Returns a definition that recreates a body in its present state. It also tells what has no
/// getter: friction, restitution, damping and locks. Its mask is borrowed and its mass is set. For
/// a polygon it describes a sprite with the polygon's pixels. For an id that is no longer valid it
/// lacks the cookie, and pv_body_create() refuses it.
PV_API pv_body_def pv_body_get_def(const pv_world *world, pv_body_id body);
/// Returns the bounds of a body's turned picture [px].
PV_API pv_box pv_body_get_bounds(const pv_world *world, pv_body_id body);
/// Returns the filter of a body; zeros for an id that is no longer valid.
PV_API pv_filter pv_body_get_filter(const pv_world *world, pv_body_id body);
/// Returns the caller's pointer of a body.
PV_API void *pv_body_get_user_data(const pv_world *world, pv_body_id body);
/// Tells whether a body is enabled; false for an id that is no longer valid.
PV_API bool pv_body_is_enabled(const pv_world *world, pv_body_id body);
/// Tells whether a body is awake; false for static bodies.
PV_API bool pv_body_is_awake(const pv_world *world, pv_body_id body);

/* Writing. Each of these except pv_body_set_user_data() wakes the body and everything that touches
 * it. Errors are PV_ERROR_STALE_ID, PV_ERROR_NOT_FINITE, PV_ERROR_BUSY and PV_ERROR_ARGUMENT for a
 * value out of range. On an error nothing changes. Velocities and forces of a static body are
 * refused with PV_ERROR_ARGUMENT. */

/// Moves a body to a position. Its velocity and angular velocity stay. This is a teleport: it hits
/// nothing on the way.
PV_API pv_status pv_body_set_position(pv_world *world, pv_body_id body, pv_vec2 position);
/// Sets the angle of a body about its center of mass, |angle| <= 1e6 [rad]. Velocity and angular
/// velocity stay.
PV_API pv_status pv_body_set_angle(pv_world *world, pv_body_id body, double angle);

/// Sets the velocity of the center [px/s]; the angular velocity stays.
PV_API pv_status pv_body_set_velocity(pv_world *world, pv_body_id body, pv_vec2 velocity);

/// Sets the angular velocity [rad/s], clamped to a quarter turn per substep.
PV_API pv_status pv_body_set_angular_velocity(pv_world *world, pv_body_id body,
                                              double angular_velocity);

/// Applies a force at the center of mass for the whole next step [mass px/s^2]. Forces add up.
/// Cheng (2003) section 2.3.
PV_API pv_status pv_body_apply_force(pv_world *world, pv_body_id body, pv_vec2 force);
/// Applies a force at a point of the world for the whole next step [mass px/s^2].
PV_API pv_status pv_body_apply_force_at(pv_world *world, pv_body_id body, pv_vec2 force,
                                        pv_vec2 point);
/// Applies a torque for the whole next step [mass px^2/s^2].
PV_API pv_status pv_body_apply_torque(pv_world *world, pv_body_id body, double torque);
/// Applies an impulse at the center of mass [mass px/s].
PV_API pv_status pv_body_apply_impulse(pv_world *world, pv_body_id body, pv_vec2 impulse);
/// Applies an impulse at a point of the world [mass px/s].
PV_API pv_status pv_body_apply_impulse_at(pv_world *world, pv_body_id body, pv_vec2 impulse,
                                          pv_vec2 point);
/// Applies an angular impulse [mass px^2/s].
PV_API pv_status pv_body_apply_angular_impulse(pv_world *world, pv_body_id body, double impulse);

/// Sets the filter of a body.
PV_API pv_status pv_body_set_filter(pv_world *world, pv_body_id body, pv_filter filter);
/// Sets the restitution of a body, 0...1.
PV_API pv_status pv_body_set_restitution(pv_world *world, pv_body_id body, double restitution);
/// Sets the kinetic friction, 0...1e6, and the static friction to 1.2 times as much.
PV_API pv_status pv_body_set_friction(pv_world *world, pv_body_id body, double friction);
/// Sets the static friction, up to 1e6; a negative value means 1.2 times the kinetic friction.
PV_API pv_status pv_body_set_static_friction(pv_world *world, pv_body_id body,
                                             double static_friction);
/// Sets the rolling resistance, 0...1e6 [px].
PV_API pv_status pv_body_set_rolling_resistance(pv_world *world, pv_body_id body,
                                                double rolling_resistance);
/// Sets the type of a body. A body that becomes static loses its velocity.
PV_API pv_status pv_body_set_type(pv_world *world, pv_body_id body, pv_body_type type);
/// Sets the total mass, 1e-9...1e12; the inertia changes in proportion.
PV_API pv_status pv_body_set_mass(pv_world *world, pv_body_id body, double mass);
/// Sets the mask of a body, for example the next frame of an animation. Every point of the picture
/// stays where it is in the world. Angle, scale, total mass and the velocity of the material stay,
/// too. The center of mass may move; it takes the velocity that the old material had at its new
/// place. The inertia follows from the pixels. Contacts push out bodies that now overlap, without
/// adding velocity. Joints keep their places. The material map keeps its place in the picture.
/// @param mask at least one solid pixel at the body's scale; the body takes a reference
/// @param offset position of the new mask's pixel (0, 0) in the old mask [px]. It is (0, 0) for a
/// pv_frame, which has the size of the whole frame. For frames aligned at their pivots it is the
/// old pivot minus the new one.
/// @return the errors above; PV_ERROR_EMPTY, PV_ERROR_MEMORY or PV_ERROR_TOO_LARGE;
/// PV_ERROR_ARGUMENT also for a mask that the body's map does not cover; with nothing changed
PV_API pv_status pv_body_set_mask(pv_world *world, pv_body_id body, pv_mask *mask, pv_vec2 offset);
/// Sets the scale of a body about the middle of its mask. The middle stays in place; (-1, 1) turns
/// a character around. The mass of a pixel stays, so a body of twice the size weighs four times as
/// much. A mirrored body weighs the same. The material at the middle keeps its velocity, and the
/// body its angular velocity. Joints keep their places in the picture. The mask caches data of its
/// first few scales, so a flip costs little from the second time on.
/// @param scale sizes 1/16...16, as in pv_body_def
/// @return PV_ERROR_ARGUMENT also for a resulting mass outside 1e-9...1e12; PV_ERROR_EMPTY if no
/// pixel would be left; PV_ERROR_TOO_LARGE also for a body with a map of densities and a box over
/// 2^26 px; the rest as pv_body_set_mask()
PV_API pv_status pv_body_set_scale(pv_world *world, pv_body_id body, pv_vec2 scale);
/// Sets the factor on the world's gravity, |x| <= 1e3, as in pv_body_def.
PV_API pv_status pv_body_set_gravity_scale(pv_world *world, pv_body_id body, double scale);
/// Sets the linear damping, 0...1e6, as in pv_body_def [1/s].
PV_API pv_status pv_body_set_linear_damping(pv_world *world, pv_body_id body, double damping);
/// Sets the angular damping, 0...1e6, as in pv_body_def [1/s].
PV_API pv_status pv_body_set_angular_damping(pv_world *world, pv_body_id body, double damping);
/// Sets the motion locks, some of PV_LOCK_. A locked body keeps its present velocity;
/// pv_body_set_velocity() can stop it.
PV_API pv_status pv_body_set_motion_locks(pv_world *world, pv_body_id body, unsigned locks);
/// Sets the tangent speed of the surface, as in pv_body_def, |x| <= 1e6 [px/s].
PV_API pv_status pv_body_set_tangent_speed(pv_world *world, pv_body_id body, double speed);
/// Sets the one-way normal, as in pv_body_def, of any length; (0, 0) removes it.
PV_API pv_status pv_body_set_one_way_normal(pv_world *world, pv_body_id body, pv_vec2 normal);
/// Enables a body, or takes it out of the world with its state kept. A disabled body does not move
/// or collide. Queries do not find it and debug drawing leaves it out. Its joints hold nothing
/// meanwhile. The events of the next step report its contact ends and sensor ends.
PV_API pv_status pv_body_set_enabled(pv_world *world, pv_body_id body, bool enabled);
/// Moves a kinematic body to a target by the end of the next step, of length dt. The body stands
/// still after that step unless the function is called again. Called in every step, it follows any
/// path and carries the bodies on it. The velocity changes as smoothly as that of the path.
/// @param angle target angle, reached by the shorter turn [rad]
/// @param dt length of the next step, 1e-9...1 [s]
/// @return PV_ERROR_ARGUMENT also for a body that is not kinematic, and for a speed beyond the
/// range of pv_body_def
PV_API pv_status pv_body_move_to(pv_world *world, pv_body_id body, pv_vec2 position, double angle,
                                 double dt);
/// Sets the caller's pointer of a body.
PV_API pv_status pv_body_set_user_data(pv_world *world, pv_body_id body, void *user_data);
/// Wakes a body and everything that touches it.
PV_API pv_status pv_body_wake(pv_world *world, pv_body_id body);

/// Copies the contacts of one body in the last step to an array, in order of the pairs. The body is
/// a in some contacts and b in others. The time grows with the number of its own contacts and those
/// of all polygons; within a step of pixel contacts, with that of all.
/// @param contacts destination; may be null if capacity is 0
/// @param capacity size of the array, in contacts
/// @return the number of all contacts of the body; 0 for an id that is no longer valid
PV_API int pv_body_get_contacts(const pv_world *world, pv_body_id body, pv_contact *contacts,
                                int capacity);

/// One of up to eight contact points of two bodies.
typedef struct pv_contact_point {
    /// Contact point in the world [px]
    pv_vec2 point;
    /// Contact normal from the first body to the second, of length 1; in a corner the points have
    /// different normals
    pv_vec2 normal;
    /// Normal impulse in the last substep [mass px/s], >= 0
    double impulse;
} pv_contact_point;

/// Copies the contact points of two bodies at the end of the last step to an array. pv_contact has
/// their mean. For example, a body in the corner of a level touches both the floor and the wall.
/// The rest is as in pv_body_get_contacts(); 0 for two bodies that do not touch, and for polygons.
PV_API int pv_body_get_contact_points(const pv_world *world, pv_body_id a, pv_body_id b,
                                      pv_contact_point *points, int capacity);

/// Copies the bodies that shared a pixel with a sensor at the end of the last step to an array, in
/// slot order. The rest is as in pv_body_get_contacts().
PV_API int pv_body_get_sensor_overlaps(const pv_world *world, pv_body_id sensor,
                                       pv_body_id *visitors, int capacity);

/// Computes the distance of a point from the contour of a body, using the distance field of its
/// contacts. It is accurate to 0.3 px within 4 px of the contour. Farther away, its size is only
/// known to exceed 3.7 px; inside, it is at most 8 px. In a world of pixel contacts the first call
/// builds the contour of the mask.
/// @param point [px]
/// @param distance gets the distance, < 0 inside [px]
/// @param normal null, or gets the direction out of the body, of length 1; (0, 0) if the field has
/// none
/// @return PV_ERROR_STALE_ID, PV_ERROR_NOT_FINITE, PV_ERROR_ARGUMENT beyond PV_MAX_COORDINATE, or
/// PV_ERROR_MEMORY, with nothing written
PV_API pv_status pv_body_compute_distance(const pv_world *world, pv_body_id body, pv_vec2 point,
                                          double *distance, pv_vec2 *normal);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
