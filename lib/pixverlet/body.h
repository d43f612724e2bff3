/* pixverlet/body.h - bodies made of sprites: definitions, properties, forces and contacts.
 *
 * Invariant: a function that changes a body wakes it; reads of an id that is not valid give zeros.
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
 *  Sprites as two particles joined by a stick. @{ */

/// What moves a body.
typedef enum pv_body_type {
    /// Nothing
    PV_BODY_STATIC = 0,
    /// Its own velocity and spin only, as if of infinite mass
    PV_BODY_KINEMATIC,
    /// Forces and contacts
    PV_BODY_DYNAMIC
} pv_body_type;

/// What contacts are made of in place of the pixels: a circle or a box, as in Cheng (2003). For
/// contours only.
typedef enum pv_collider {
    /// Nothing: the pixels themselves
    PV_COLLIDER_PIXELS = 0,
    /// A circle of the pixels' area about their centroid
    PV_COLLIDER_CIRCLE,
    /// The smallest box that holds the pixels, upright in the picture, turning with it
    PV_COLLIDER_BOX
} pv_collider;

/// What nothing but pv_body_set_position(), _set_velocity() and the like changes of a dynamic body,
/// or-ed together.
enum {
    /// Its velocity along x: as if of infinite mass that way
    PV_LOCK_X = 1,
    /// The same along y
    PV_LOCK_Y = 2,
    /// Its spin
    PV_LOCK_ROTATION = 4
};

/// Describes a body to be made. Get one from pv_body_def_default(). Its whole mass, given or by
/// density, is 1e-9...1e12.
typedef struct pv_body_def {
    /// Default dynamic
    pv_body_type type;
    /// Its solid pixels, at least one; the body takes a reference of its own
    pv_mask *mask;
    /// Of the center of mass [px]
    pv_vec2 position;
    /// [rad]
    double angle;
    /// Of the center of mass [px/s]
    pv_vec2 velocity;
    /// [rad/s]
    double angular_velocity;
    /// Mass of a pixel, with a map of one of density 255, 1e-6...1e6; default 1
    double density;
    /// The whole mass, in place of density; 0: by density; default 0
    double mass;
    /// 0...1; default 0.2
    double restitution;
    /// Static friction, up to 1e6; default -1: negative means 1.2 times the friction
    double static_friction;
    /// Kinetic friction, 0...1e6; default 0.5
    double friction;
    /// >= 0: what rolls is held back by a torque of so much times its load [px]; default 0
    double rolling_resistance;
    /// What contours are made of; default its pixels. The bitmaps judge by its pixels always
    pv_collider collider;
    /// Its share of the world's gravity, |x| <= 1e3; default 1
    double gravity_scale;
    /// 0...1e6, as a particle's drag: x' = x + (1 - d)(x - x*) + a h^2 with d = min(1, damping *
    /// h), so under gravity it gets no faster than g / damping; default 0 [1/s]
    double linear_damping;
    /// 0...1e6, the same of its spin; default 0 [1/s]
    double angular_damping;
    /// Some of PV_LOCK_; default 0
    unsigned motion_locks;
    /// At which its surface runs along its outline, clockwise on the screen, |x| <= 1e6: a
    /// conveyor; what is round rolls on it at a third of that, if nothing resists; default 0 [px/s]
    double tangent_speed;
    /// In its picture: it holds what comes from there and lets all else pass until it is through;
    /// (0, -1): a platform; default (0, 0): it holds everybody
    pv_vec2 one_way_normal;
    /// Sizes 1/16...16, mirrored where negative; what its transform draws is solid, and so dense;
    /// one_way and surface_speed are not mirrored; default (1, 1)
    pv_vec2 scale;
    /// It touches nobody, and the events tell who shares a pixel with it; default false
    bool sensor;
    /// Presence in the world, which pv_body_set_enabled() changes; default true
    bool enabled;
    /// Whom it meets; default everybody
    pv_filter filter;
    /// How hard and dense its pixels are; the body takes a reference; default null: all alike
    pv_material_map *material_map;
    /// On the map, what the mask's (0, 0) is on; the mask lies within the map
    pv_point material_map_offset;
    /// The caller's
    void *user_data;
    /// Set by pv_body_def_default()
    unsigned cookie;
} pv_body_def;

/// The defaults named above.
PV_API pv_body_def pv_body_def_default(void);

/// Puts a body into a world.
/// @return its name, or the null name with a status: PV_ERROR_EMPTY for a mask without solid
/// pixels, PV_ERROR_ARGUMENT also for a map that the mask does not lie within, and for a mass by
/// density out of range
PV_API pv_body_id pv_body_create(pv_world *world, const pv_body_def *def, pv_status *status);

/// Takes a body out; what rested on it wakes.
PV_API pv_status pv_body_destroy(pv_world *world, pv_body_id body);

/// Tells whether the name names a living body.
PV_API bool pv_body_is_valid(const pv_world *world, pv_body_id body);

/* Reading. A stale name gives zeros, (1, 0) for the rotation, null for pointers. */

/// Its type; PV_BODY_STATIC for a stale name.
PV_API pv_body_type pv_body_get_type(const pv_world *world, pv_body_id body);
/// Center of mass [px].
PV_API pv_vec2 pv_body_get_position(const pv_world *world, pv_body_id body);
/// In (-pi, pi] [rad].
PV_API double pv_body_get_angle(const pv_world *world, pv_body_id body);
/// As cosine and sine.
PV_API pv_rotation pv_body_get_rotation(const pv_world *world, pv_body_id body);
/// Of the center of mass [px/s].
PV_API pv_vec2 pv_body_get_velocity(const pv_world *world, pv_body_id body);
/// [rad/s].
PV_API double pv_body_get_angular_velocity(const pv_world *world, pv_body_id body);
/// Of the material at a point of the world [px/s].
PV_API pv_vec2 pv_body_get_velocity_at(const pv_world *world, pv_body_id body, pv_vec2 point);
/// The mass of its pixels, also where the type makes it immovable.
PV_API double pv_body_get_mass(const pv_world *world, pv_body_id body);
/// About the center of mass, of its pixels [mass px^2].
PV_API double pv_body_get_inertia(const pv_world *world, pv_body_id body);
/// Borrowed; lives as long as the body.
PV_API const pv_mask *pv_body_get_mask(const pv_world *world, pv_body_id body);
/// Its map, or null; borrowed, lives as long as the body. Where the body's pixels are on it,
/// pv_body_get_def() says.
PV_API const pv_material_map *pv_body_get_material_map(const pv_world *world, pv_body_id body);
/// From its picture to the world: what to draw it with; pv_transform_identity() for a stale name.
PV_API pv_transform pv_body_get_transform(const pv_world *world, pv_body_id body);
/// All that it is made of, as it is now: a def that makes one like it, with its mask borrowed and
/// its mass given. Without a cookie, so that nothing is made of it, for a stale name.
PV_API pv_body_def pv_body_get_def(const pv_world *world, pv_body_id body);
/// The box of its turned picture [px].
PV_API pv_box pv_body_get_bounds(const pv_world *world, pv_body_id body);
/// Whom it meets; zeros for a stale name.
PV_API pv_filter pv_body_get_filter(const pv_world *world, pv_body_id body);
/// The caller's pointer.
PV_API void *pv_body_get_user_data(const pv_world *world, pv_body_id body);
/// Tells whether it is there; false for a stale name.
PV_API bool pv_body_is_enabled(const pv_world *world, pv_body_id body);
/// Tells whether it is awake; false for static bodies.
PV_API bool pv_body_is_awake(const pv_world *world, pv_body_id body);

/* Writing. Every one of these wakes the body and what touches it, and returns PV_ERROR_STALE_ID,
 * _NOT_FINITE or _ARGUMENT (out of range) with nothing changed. On a static body velocities and
 * forces are PV_ERROR_ARGUMENT. */

/// Puts it somewhere, keeping velocity and spin. A teleport: nothing in between is hit.
PV_API pv_status pv_body_set_position(pv_world *world, pv_body_id body, pv_vec2 position);
/// Turns it about its center to an angle [rad], keeping velocity and spin.
PV_API pv_status pv_body_set_angle(pv_world *world, pv_body_id body, double angle);

/// Sets the velocity of the center [px/s]; the angular velocity stays.
PV_API pv_status pv_body_set_velocity(pv_world *world, pv_body_id body, pv_vec2 velocity);

/// Sets the angular velocity [rad/s], clamped to a quarter turn per substep.
PV_API pv_status pv_body_set_angular_velocity(pv_world *world, pv_body_id body,
                                              double angular_velocity);

/// A force at the center for the whole next step [mass px/s^2]; forces add up. Cheng (2003) section
/// 2.3.
PV_API pv_status pv_body_apply_force(pv_world *world, pv_body_id body, pv_vec2 force);
/// A force at a point of the world for the whole next step.
PV_API pv_status pv_body_apply_force_at(pv_world *world, pv_body_id body, pv_vec2 force,
                                        pv_vec2 point);
/// A torque for the whole next step [mass px^2/s^2].
PV_API pv_status pv_body_apply_torque(pv_world *world, pv_body_id body, double torque);
/// Adds an impulse at the center of mass [mass px/s].
PV_API pv_status pv_body_apply_impulse(pv_world *world, pv_body_id body, pv_vec2 impulse);
/// Adds an angular impulse [mass px^2/s].
PV_API pv_status pv_body_apply_angular_impulse(pv_world *world, pv_body_id body, double impulse);
/// Adds an impulse at a point of the world [mass px/s].
PV_API pv_status pv_body_apply_impulse_at(pv_world *world, pv_body_id body, pv_vec2 impulse,
                                          pv_vec2 point);

/// Whom it meets from now on.
PV_API pv_status pv_body_set_filter(pv_world *world, pv_body_id body, pv_filter filter);
/// Sets the restitution, 0...1.
PV_API pv_status pv_body_set_restitution(pv_world *world, pv_body_id body, double restitution);
/// Sets the kinetic friction, 0...1e6, and the static friction to 1.2 times as much.
PV_API pv_status pv_body_set_friction(pv_world *world, pv_body_id body, double friction);
/// Sets the static friction, up to 1e6; a negative one means 1.2 times the kinetic friction.
PV_API pv_status pv_body_set_static_friction(pv_world *world, pv_body_id body,
                                             double static_friction);
/// Sets the rolling resistance, 0...1e6 [px].
PV_API pv_status pv_body_set_rolling_resistance(pv_world *world, pv_body_id body, double lever);
/// Returns what moves it from now on. What becomes static loses its velocity.
PV_API pv_status pv_body_set_type(pv_world *world, pv_body_id body, pv_body_type type);
/// Its whole mass, 1e-9...1e12; the inertia changes in proportion.
PV_API pv_status pv_body_set_mass(pv_world *world, pv_body_id body, double mass);
/// Changes its pixels: the next frame of an animation. Places of the picture stay where they are in
/// the world; so do its angle, its scale, its whole mass, and the velocity of its material: that of
/// its center of mass, which may be elsewhere now, is what the old material had there. Inertia
/// follows from the pixels. What then lies in others is pushed out as by contacts, which leaves no
/// velocity; constraints hold on where they did. Its material map lies under the new mask as it did
/// under the old one.
/// @param mask at least one solid pixel at the body's scale; the body takes a reference of its own
/// @param offset the place in the old mask where the new one's pixel (0, 0) comes to lie [px]: (0,
/// 0) for a pv_frame, which has the size of the whole frame; the old pivot less the new one for
/// frames that are to agree at pivots of their own
/// @return PV_ERROR_EMPTY, PV_ERROR_MEMORY or PV_ERROR_TOO_LARGE too, PV_ERROR_ARGUMENT too for a
/// mask that its map does not cover, with nothing changed
PV_API pv_status pv_body_set_mask(pv_world *world, pv_body_id body, pv_mask *mask, pv_vec2 offset);
/// Stretches or mirrors its picture about the middle of its mask, which stays where it is: (-1, 1)
/// turns a character round. The mass of a pixel is kept, so that what is twice as large weighs four
/// times as much, and a mirrored one the same. Material at the middle keeps its velocity, and so
/// does the spin. Constraints hold on to the same place of the picture. The mask keeps what was
/// made for its first few scales, so a flip costs little from the second time on.
/// @param scale sizes 1/16...16, as in pv_body_def
/// @return PV_ERROR_ARGUMENT too where its mass would not be 1e-9...1e12; PV_ERROR_EMPTY where no
/// pixel would be left; PV_ERROR_TOO_LARGE, with a map of densities where its box would be over
/// 2^26 px; else as pv_body_set_mask()
PV_API pv_status pv_body_set_scale(pv_world *world, pv_body_id body, pv_vec2 scale);
/// Its share of gravity, as in pv_body_def.
PV_API pv_status pv_body_set_gravity_scale(pv_world *world, pv_body_id body, double scale);
/// Sets the linear damping, as in pv_body_def [1/s].
PV_API pv_status pv_body_set_linear_damping(pv_world *world, pv_body_id body, double damping);
/// Sets the angular damping, as in pv_body_def [1/s].
PV_API pv_status pv_body_set_angular_damping(pv_world *world, pv_body_id body, double damping);
/// Some of PV_LOCK_. What it moves at already it keeps: set its velocity, too, to stop it.
PV_API pv_status pv_body_set_motion_locks(pv_world *world, pv_body_id body, unsigned locks);
/// Returns how fast its surface runs, as in pv_body_def [px/s].
PV_API pv_status pv_body_set_tangent_speed(pv_world *world, pv_body_id body, double speed);
/// From where it holds, as in pv_body_def; of any length.
PV_API pv_status pv_body_set_one_way_normal(pv_world *world, pv_body_id body, pv_vec2 direction);
/// Takes it out of the world, with what it is and where, or puts it in again: disabled, it does not
/// move, is not met, found or drawn, and what is joined to it hangs on nothing. The next step's
/// events tell of ended contacts and left sensors.
PV_API pv_status pv_body_set_enabled(pv_world *world, pv_body_id body, bool enabled);
/// Drives a kinematic body so that it is somewhere when the next step, of length dt, ends; after
/// that step it stands still unless it is told again. So it goes along any path and carries what
/// stands on it: step by step the velocity changes as smoothly as that of the path.
/// @param angle where it is turned to, by the shorter way [rad]
/// @param dt length of the next step, 1e-9...1 [s]
/// @return PV_ERROR_ARGUMENT too for a body that is not kinematic, and where it would be faster
/// than a def may ask for
PV_API pv_status pv_body_move_to(pv_world *world, pv_body_id body, pv_vec2 position, double angle,
                                 double dt);
/// The caller's pointer.
PV_API pv_status pv_body_set_user_data(pv_world *world, pv_body_id body, void *user_data);
/// Wakes it and what touches it.
PV_API pv_status pv_body_wake(pv_world *world, pv_body_id body);

/// The same of one body, still in order of the pairs: a is the body in some of them and b in
/// others. Looks at all contacts. 0 for a stale name.
PV_API int pv_body_get_contacts(const pv_world *world, pv_body_id body, pv_contact *contacts,
                                int capacity);

/// Where two bodies touch: one of up to eight places.
typedef struct pv_contact_point {
    /// In the world [px]
    pv_vec2 point;
    /// From the first body to the second, of length 1; in a corner they differ from place to place
    pv_vec2 normal;
    /// Along the normal in the last substep [mass px/s], >= 0
    double impulse;
} pv_contact_point;

/// The places where two bodies touched when the last step ended, of which pv_contact has the mean:
/// who stands in a corner of a level touches its floor and its wall. Else as
/// pv_body_get_contacts(); 0 for two that do not touch.
PV_API int pv_body_get_contact_points(const pv_world *world, pv_body_id a, pv_body_id b,
                                      pv_contact_point *points, int capacity);

/// The bodies that shared a pixel with a sensor when the last step ended, in order of slots; else
/// as pv_body_get_contacts().
PV_API int pv_body_get_sensor_overlaps(const pv_world *world, pv_body_id sensor,
                                       pv_body_id *visitors, int capacity);

/// Returns how far a point is from the contour of a body, by the field that contacts are made by:
/// good to 0.3 px within 4 px of the contour. Where it is farther, only that is told: some number
/// beyond 3.7 px, inside no more than 8 px. In a world of pixel contacts the contour is that of the
/// mask and made at the first call.
/// @param point [px]
/// @param distance gets it, < 0 inside [px]
/// @param normal null, or gets the way out of the body, of length 1; (0, 0) where the field does
/// not tell
/// @return PV_ERROR_STALE_ID, PV_ERROR_NOT_FINITE, PV_ERROR_ARGUMENT beyond PV_MAX_COORDINATE,
/// PV_ERROR_MEMORY; with nothing written
PV_API pv_status pv_body_compute_distance(const pv_world *world, pv_body_id body, pv_vec2 point,
                                          double *distance, pv_vec2 *normal);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
