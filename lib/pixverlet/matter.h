/* pixverlet/matter.h - particles, polygons, liquids, force fields and composites.
 *
 * Invariant: momentum is conserved by all that particles do to each other and to bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_MATTER_H
#define PIXVERLET_MATTER_H

#include "pixverlet/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup particles Particles Points with mass, moved by position Verlet (Jakobsen 2001) in the
 * same world as the sprites. They and bodies hit each other both ways. A body's running surface
 * draws them along, its one-way side holds those that come from there and lets all others through
 * until they are out. @{ */

/// What a particle does when it hits something fast. All of them conserve momentum, linear and
/// angular; restitution tells how much of the approach comes back.
typedef enum pv_bounce {
    /// Back to the touch, turned round there, and on for the rest of the substep
    PV_BOUNCE_TOUCH = 0,
    /// Current and previous position change places: it leaves from where the substep began
    PV_BOUNCE_SWAP,
    /// Previous = 2 current - previous: it leaves from where it is, in the next substep; what came
    /// in deeper than its radius does as by touch
    PV_BOUNCE_REFLECT,
    /// Moved out of what it hit: it loses its approach by itself
    PV_BOUNCE_NONE
} pv_bounce;

/// What a particle is made of. Get one from pv_particle_def_default().
typedef struct pv_particle_def {
    /// [px]
    pv_vec2 position;
    /// [px/s]
    pv_vec2 velocity;
    /// 1e-9...1e12, or 0: pinned, moved by nothing but pv_particle_set_position(); default 1
    double mass;
    /// 0...256; within 4 px of a sprite exact; default 1 [px]
    double radius;
    /// >= 0: x' = (2 - d) x - (1 - d) x* + a h^2 with d = min(1, drag * h); default 0 [1/s]
    double linear_damping;
    /// 0...1; default 0
    double restitution;
    /// Static friction, up to 1e6; default -1: negative means 1.2 times the friction
    double static_friction;
    /// Kinetic friction, 0...1e6; default 0.5
    double friction;
    /// Default touch
    pv_bounce bounce;
    /// Collision with bodies, polygons and composites; default true
    bool collides;
    /// Which bodies and polygons it meets, as bodies do; default everybody
    pv_filter filter;
    /// The caller's
    void *user_data;
    /// Set by pv_particle_def_default()
    unsigned cookie;
} pv_particle_def;

/// The defaults named above.
PV_API pv_particle_def pv_particle_def_default(void);

/// Puts a particle into a world.
/// @return its name, or the null name with a status
PV_API pv_particle_id pv_particle_create(pv_world *world, const pv_particle_def *def,
                                         pv_status *status);

/// Takes a particle out, with the constraints, polygons and liquids that hold it.
PV_API pv_status pv_particle_destroy(pv_world *world, pv_particle_id particle);

/// Tells whether the name names a living particle.
PV_API bool pv_particle_is_valid(const pv_world *world, pv_particle_id particle);

/* Reading. A stale name gives zeros and null. */

/// [px]
PV_API pv_vec2 pv_particle_get_position(const pv_world *world, pv_particle_id particle);
/// Returns where it was one substep before [px].
PV_API pv_vec2 pv_particle_get_previous_position(const pv_world *world, pv_particle_id particle);
/// (current - previous) / substep [px/s].
PV_API pv_vec2 pv_particle_get_velocity(const pv_world *world, pv_particle_id particle);
/// 0 when it is pinned.
PV_API double pv_particle_get_mass(const pv_world *world, pv_particle_id particle);
/// [px]
PV_API double pv_particle_get_radius(const pv_world *world, pv_particle_id particle);
/// Whom it meets; zeros for a stale name.
PV_API pv_filter pv_particle_get_filter(const pv_world *world, pv_particle_id particle);
/// The caller's pointer.
PV_API void *pv_particle_get_user_data(const pv_world *world, pv_particle_id particle);

/* Writing: PV_ERROR_STALE_ID, _NOT_FINITE or _ARGUMENT (out of range) with nothing changed. */

/// Puts it somewhere, keeping its velocity. A teleport: nothing in between is hit. A pinned one
/// gets no velocity.
PV_API pv_status pv_particle_set_position(pv_world *world, pv_particle_id particle,
                                          pv_vec2 position);
/// Moves the current position alone, so that it gets the velocity of that way as well.
PV_API pv_status pv_particle_displace(pv_world *world, pv_particle_id particle, pv_vec2 by);
/// [px/s]; PV_ERROR_ARGUMENT for a pinned one, as for forces and impulses.
PV_API pv_status pv_particle_set_velocity(pv_world *world, pv_particle_id particle,
                                          pv_vec2 velocity);
/// 1e-9...1e12; 0 pins it where it is.
PV_API pv_status pv_particle_set_mass(pv_world *world, pv_particle_id particle, double mass);
/// Sets the restitution, 0...1.
PV_API pv_status pv_particle_set_restitution(pv_world *world, pv_particle_id particle,
                                             double restitution);
/// Sets the kinetic friction, 0...1e6, and the static friction to 1.2 times as much.
PV_API pv_status pv_particle_set_friction(pv_world *world, pv_particle_id particle,
                                          double friction);
/// Sets the static friction, up to 1e6; a negative one means 1.2 times the kinetic friction.
PV_API pv_status pv_particle_set_static_friction(pv_world *world, pv_particle_id particle,
                                                 double static_friction);
/// [1/s]
PV_API pv_status pv_particle_set_linear_damping(pv_world *world, pv_particle_id particle,
                                                double drag);
/// Whom it meets from now on; what is near it wakes. Corners of a polygon meet whom the polygon
/// meets.
PV_API pv_status pv_particle_set_filter(pv_world *world, pv_particle_id particle, pv_filter filter);
/// A force for the whole next step [mass px/s^2]; forces add up.
PV_API pv_status pv_particle_apply_force(pv_world *world, pv_particle_id particle, pv_vec2 force);
/// A sudden change of momentum [mass px/s].
PV_API pv_status pv_particle_apply_impulse(pv_world *world, pv_particle_id particle,
                                           pv_vec2 impulse);
/// The caller's pointer.
PV_API pv_status pv_particle_set_user_data(pv_world *world, pv_particle_id particle,
                                           void *user_data);

/** @} */

/** @defgroup polygons Polygons Bodies of particles at the corners of a polygon: sticks along its
 * edges, beams across that hold its shape, and the smallest overlap along the edges' normals
 * (separating axes) where two meet. A body's running surface draws them along; one that comes
 * through its one-way side does so as a whole. @{ */

/// What a polygon meets others with.
typedef enum pv_polygon_collider {
    /// Its boundary
    PV_POLYGON_COLLIDER_EDGES = 0,
    /// A disc at each corner, of an eighth of the shortest edge in radius, and one in its middle:
    /// cheaper, and rounder
    PV_POLYGON_COLLIDER_CIRCLES
} pv_polygon_collider;

/// What a polygon is made of. Get one from pv_polygon_def_default().
typedef struct pv_polygon_def {
    /// Its outline in the world, either way round, not crossing itself; borrowed [px]
    const pv_vec2 *points;
    /// 3...64
    int point_count;
    /// [px/s]
    pv_vec2 velocity;
    /// About its middle [rad/s]
    double angular_velocity;
    /// Of all its corners together, at most 1e12 and 1e-9 for each; 0: pinned; default -1: one for
    /// each px^2
    double mass;
    /// 0...1; default 0.2
    double restitution;
    /// Static friction, up to 1e6; default -1: negative means 1.2 times the friction
    double static_friction;
    /// Kinetic friction, 0...1e6; default 0.5
    double friction;
    /// Of its corners, as a particle's [1/s]; default 0
    double linear_damping;
    /// Of edges and beams; 0: rigid; default 0 [mass/s^2]
    double stiffness;
    /// Default edges
    pv_polygon_collider collider;
    /// Which bodies, polygons and particles it meets, as bodies do; default everybody
    pv_filter filter;
    /// The caller's
    void *user_data;
    /// Set by pv_polygon_def_default()
    unsigned cookie;
} pv_polygon_def;

/// The defaults named above.
PV_API pv_polygon_def pv_polygon_def_default(void);

/// Puts a polygon into a world. One that is not convex is cut into convex pieces, which share its
/// corners.
/// @return its name, or the null name with a status: PV_ERROR_ARGUMENT for less than 3 or more than
/// 64 points, ones that coincide, an outline that crosses itself, or one without area
PV_API pv_polygon_id pv_polygon_create(pv_world *world, const pv_polygon_def *def,
                                       pv_status *status);

/// Takes it out, with its corners and beams.
PV_API pv_status pv_polygon_destroy(pv_world *world, pv_polygon_id polygon);

/// Tells whether the name names a living polygon.
PV_API bool pv_polygon_is_valid(const pv_world *world, pv_polygon_id polygon);

/// Copies its corners out, in order, turning clockwise on the screen.
/// @return how many there are; 0 for a stale name
PV_API int pv_polygon_get_corners(const pv_world *world, pv_polygon_id polygon,
                                  pv_particle_id *corners, int capacity);
/// Copies its beams out.
/// @return how many there are; 0 for a stale name
PV_API int pv_polygon_get_joints(const pv_world *world, pv_polygon_id polygon, pv_joint_id *beams,
                                 int capacity);
/// Center of mass [px].
PV_API pv_vec2 pv_polygon_get_position(const pv_world *world, pv_polygon_id polygon);
/// Returns how far it has turned since it was made, by its corners, in (-pi, pi] [rad].
PV_API double pv_polygon_get_angle(const pv_world *world, pv_polygon_id polygon);
/// Of the center of mass [px/s].
PV_API pv_vec2 pv_polygon_get_velocity(const pv_world *world, pv_polygon_id polygon);
/// Angular momentum over inertia [rad/s].
PV_API double pv_polygon_get_angular_velocity(const pv_world *world, pv_polygon_id polygon);
/// The box of its corners [px].
PV_API pv_box pv_polygon_get_bounds(const pv_world *world, pv_polygon_id polygon);
/// Whom it meets; zeros for a stale name.
PV_API pv_filter pv_polygon_get_filter(const pv_world *world, pv_polygon_id polygon);
/// Returns whether it is awake. One falls asleep with all that it touches once none of that has
/// moved by more than 0.1 px for half a second; it wakes with all of that when one of these is hit,
/// pushed, changed or taken out. One that a constraint holds or a particle touches stays awake.
/// What sleeps acts as what is pinned. False for a stale name.
PV_API bool pv_polygon_is_awake(const pv_world *world, pv_polygon_id polygon);
/// The caller's pointer.
PV_API void *pv_polygon_get_user_data(const pv_world *world, pv_polygon_id polygon);
/// Wakes it with all that sleeps with it.
PV_API pv_status pv_polygon_wake(pv_world *world, pv_polygon_id polygon);
/// A force on all of it for the whole next step [mass px/s^2], shared by mass.
PV_API pv_status pv_polygon_apply_force(pv_world *world, pv_polygon_id polygon, pv_vec2 force);
/// Whom it meets from now on; what is near it wakes.
PV_API pv_status pv_polygon_set_filter(pv_world *world, pv_polygon_id polygon, pv_filter filter);

/** @} */

/** @defgroup liquids Liquids Particles that keep a distance from each other: double density
 * relaxation (Clavet, Beaudoin and Poulin 2005). @{ */

/// What a liquid is like. Get one from pv_liquid_def_default(). The defaults are for particles of
/// radius 3 and a mass of 1, which then have 26 px^2 each; for others let reach be four times the
/// radius. Its speed of sound is about density times the root of stiffness; where that is too fast
/// for the substep, it is softer. Particles of different liquids feel each other, too.
typedef struct pv_liquid_def {
    /// How far its particles feel each other, 2...64; default 12 [px]
    double interaction_radius;
    /// That it strives for: sum of (1 - distance / reach)^2 over the others; default 2.2
    double rest_density;
    /// How hard; default 1e6 [px^2/s^2 a unit of density]
    double stiffness;
    /// How hard near ones are kept apart, by (1 - distance / reach)^3; default 5000 [px^2/s^2]
    double near_stiffness;
    /// How fast neighbors come to one speed along the line that joins them; default 60 [1/s]
    double viscosity;
    /// Set by pv_liquid_def_default()
    unsigned cookie;
} pv_liquid_def;

/// The defaults named above.
PV_API pv_liquid_def pv_liquid_def_default(void);

/// Makes a liquid without particles.
PV_API pv_liquid_id pv_liquid_create(pv_world *world, const pv_liquid_def *def, pv_status *status);
/// Takes it out; its particles stay, dry.
PV_API pv_status pv_liquid_destroy(pv_world *world, pv_liquid_id liquid);
/// Tells whether the name names a living liquid.
PV_API bool pv_liquid_is_valid(const pv_world *world, pv_liquid_id liquid);
/// Makes a particle part of it, and of no other one. Along sprites it slips, whatever its friction.
PV_API pv_status pv_liquid_add_particle(pv_world *world, pv_liquid_id liquid,
                                        pv_particle_id particle);
/// Returns how many particles it has; 0 for a stale name.
PV_API int pv_liquid_get_particle_count(const pv_world *world, pv_liquid_id liquid);
/// Copies its particles out, in order of their slots.
/// @return how many there are in all, as pv_world_get_contacts(); 0 for a stale name
PV_API int pv_liquid_get_particles(const pv_world *world, pv_liquid_id liquid,
                                   pv_particle_id *particles, int capacity);

/** @} */

/** @defgroup forces Forces
 *  What acts on particles and bodies of an area in every step. @{ */

/// What a force does.
typedef enum pv_force_field_type {
    /// Draws along with moving air, the more the larger a thing is
    PV_FORCE_FIELD_WIND = 0,
    /// Pulls to a point
    PV_FORCE_FIELD_ATTRACTOR,
    /// Lifts and slows what is in a liquid: the area
    PV_FORCE_FIELD_BUOYANCY
} pv_force_field_type;

/// What a force is like. Get one from pv_force_field_def_default().
typedef struct pv_force_field_def {
    /// What it does
    pv_force_field_type type;
    /// Where it acts; empty: everywhere, but buoyancy is of the liquid there; default empty [px]
    pv_box area;
    /// Of the air, or of the liquid's flow [px/s]
    pv_vec2 velocity;
    /// How much of the wind comes and goes, 0...1; default 0
    double gust;
    /// From gust to gust along the wind, >= 1; default 400 [px]
    double gust_length;
    /// Of wind: force for each px of a thing's width and px/s; default 0.2 [mass/s/px]
    double drag_coefficient;
    /// Of the attractor [px]
    pv_vec2 point;
    /// Acceleration at reach, or where reach is 0 everywhere; < 0 repels [px/s^2]
    double strength;
    /// > 0: the pull falls with the square of the distance, and nearer by evenly to 0; 0: even [px]
    double radius;
    /// Of the liquid, mass of a px^2; default 1
    double density;
    /// Of the liquid: how fast what is as dense comes to its speed; default 1 [1/s]
    double linear_damping;
    /// Set by pv_force_field_def_default()
    unsigned cookie;
} pv_force_field_def;

/// The defaults named above.
PV_API pv_force_field_def pv_force_field_def_default(void);

/// Puts a force into a world. Bodies that sleep are not woken by one, but by pv_world_explode()
/// they are.
PV_API pv_force_field_id pv_force_field_create(pv_world *world, const pv_force_field_def *def,
                                               pv_status *status);
/// Takes it out.
PV_API pv_status pv_force_field_destroy(pv_world *world, pv_force_field_id force);
/// Tells whether the name names a living force.
PV_API bool pv_force_field_is_valid(const pv_world *world, pv_force_field_id force);
/// Changes it; its gusts go on.
PV_API pv_status pv_force_field_set_def(pv_world *world, pv_force_field_id force,
                                        const pv_force_field_def *def);

/// Throws particles and bodies away from a point, at once. A body is as large as its pixels look
/// from there, gaps left out, and is thrown along the middle of them; from a hole in it, nothing
/// is. Nothing shelters what is behind it.
/// @param reach what is farther stays [px] > 0; the pixels' nearest place counts
/// @param impulse for each px of a thing's width at the point itself; less in proportion farther
/// out [mass px/s/px]
/// @return PV_ERROR_MEMORY with nothing thrown, where an outline of pixels had to be made
PV_API pv_status pv_world_explode(pv_world *world, pv_vec2 point, double reach, double impulse);

/** @} */

/** @defgroup matter Matter
 *  Things of many parts: made, drawn, pushed and taken out as one. @{ */

/// A piece of a thing's skin.
typedef struct pv_triangle {
    /// Particles of the thing
    pv_particle_id corners[3];
    /// Where they are in the picture, (0, 0)...(1, 1)
    pv_vec2 uv[3];
    /// Once one of these that are named is gone, so is the triangle
    pv_joint_id joints[3];
} pv_triangle;

/// Makes a thing without parts.
PV_API pv_composite_id pv_composite_create(pv_world *world, pv_status *status);
/// Takes it out with all its parts that are still there.
PV_API pv_status pv_composite_destroy(pv_world *world, pv_composite_id matter);
/// Tells whether the name names a living thing.
PV_API bool pv_composite_is_valid(const pv_world *world, pv_composite_id matter);

/* Each part belongs to one thing at most; the thing does not notice when a part is taken out by
 * itself, but it is not listed any more. */

/// Makes a particle part of a thing.
PV_API pv_status pv_composite_add_particle(pv_world *world, pv_composite_id matter,
                                           pv_particle_id particle);
/// Makes a constraint part of a thing.
PV_API pv_status pv_composite_add_joint(pv_world *world, pv_composite_id matter,
                                        pv_joint_id constraint);
/// Makes a body part of a thing.
PV_API pv_status pv_composite_add_body(pv_world *world, pv_composite_id matter, pv_body_id body);
/// Makes a triangle part of a thing, which lists its corners clockwise on the screen, as they are
/// now.
PV_API pv_status pv_composite_add_triangle(pv_world *world, pv_composite_id matter,
                                           const pv_triangle *triangle);

/* These copy the parts that are still there out, in the order in which they were added, and return
 * how many there are in all, as pv_world_get_contacts(); 0 for a stale name. */

/// Its particles.
PV_API int pv_composite_get_particles(const pv_world *world, pv_composite_id matter,
                                      pv_particle_id *particles, int capacity);
/// Its constraints.
PV_API int pv_composite_get_joints(const pv_world *world, pv_composite_id matter,
                                   pv_joint_id *constraints, int capacity);
/// Its bodies.
PV_API int pv_composite_get_bodies(const pv_world *world, pv_composite_id matter,
                                   pv_body_id *bodies, int capacity);
/// Its triangles.
PV_API int pv_composite_get_triangles(const pv_world *world, pv_composite_id matter,
                                      pv_triangle *triangles, int capacity);

/// Mean of its particles' places, by mass, where all are pinned plain [px].
PV_API pv_vec2 pv_composite_get_position(const pv_world *world, pv_composite_id matter);
/// Sets whether it touches other solid things from now on: its particles their surfaces, and theirs
/// its own, with the radius, restitution and friction of the particles, as far as filters let them.
/// The surface of a thing with triangles is their outline, without thickness; that of one without
/// is its rigid sticks and ropes, as thick as their ends. Things that a constraint joins, unless it
/// collides, do not touch, nor particles that pass. What lies in an outline by more than 32 px is
/// not parted from it. Default false, but jelly and soft bodies are built solid.
PV_API pv_status pv_matter_set_solid(pv_world *world, pv_composite_id matter, bool solid);
/// Returns whether it touches other solid things; false for a stale name.
PV_API bool pv_matter_is_solid(const pv_world *world, pv_composite_id matter);
/// Accelerates all its particles and bodies for the whole next step [px/s^2]: a key that is held.
PV_API pv_status pv_composite_apply_acceleration(pv_world *world, pv_composite_id matter,
                                                 pv_vec2 acceleration);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
