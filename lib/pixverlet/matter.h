/* pixverlet/matter.h - particles, polygons, liquids, force fields and composites.
 *
 * Invariant: interactions of particles with each other and with bodies conserve momentum.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_MATTER_H
#define PIXVERLET_MATTER_H

#include "pixverlet/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup particles Particles
 *  Points with mass, moved by position Verlet (Jakobsen 2001) in the same world as the sprites.
 *  Particles and bodies collide in both directions. A body's tangent speed drags particles
 *  along. A body's one-way side blocks particles that come from it, and lets others through
 *  until they are out. @{ */

/// Bounce rules of a particle that hits something fast. All of them conserve linear and angular
/// momentum. Restitution sets the share of the approach speed that returns.
typedef enum pv_bounce {
    /// Bounce at the point of touch; the rest of the substep goes into the way back
    PV_BOUNCE_TOUCH = 0,
    /// Exchange of current and previous position: the particle leaves from its place at the start
    /// of the substep
    PV_BOUNCE_SWAP,
    /// Reflection, previous = 2 current - previous: the particle leaves from its place in the next
    /// substep. A particle deeper than its radius bounces as with PV_BOUNCE_TOUCH.
    PV_BOUNCE_REFLECT,
    /// No bounce: the particle is moved out of the object hit, which by itself ends the approach
    PV_BOUNCE_NONE
} pv_bounce;

/// The definition of a particle. pv_particle_def_default() returns one.
typedef struct pv_particle_def {
    /// Position [px]
    pv_vec2 position;
    /// Velocity [px/s]
    pv_vec2 velocity;
    /// Mass, 1e-9...1e12, or 0: pinned, moved only with pv_particle_set_position(); default 1
    double mass;
    /// Radius, 0...256; default 1 [px]. Distances to a sprite are exact within 4 px.
    double radius;
    /// Linear damping, >= 0 [1/s]; default 0. The formula is x' = (2 - d) x - (1 - d) x* + a h^2
    /// with d = min(1, linear_damping * h).
    double linear_damping;
    /// Restitution, 0...1; default 0
    double restitution;
    /// Static friction, up to 1e6; default -1: a negative value means 1.2 times the kinetic
    /// friction
    double static_friction;
    /// Kinetic friction, 0...1e6; default 0.5
    double friction;
    /// Bounce rule; default PV_BOUNCE_TOUCH
    pv_bounce bounce;
    /// Collision with bodies, polygons and composites; default true
    bool collides;
    /// Filter of the bodies and polygons it collides with; default: all
    pv_filter filter;
    /// Pointer of the caller
    void *user_data;
    /// Mark set by pv_particle_def_default()
    unsigned cookie;
} pv_particle_def;

/// Returns the default definition of a particle.
PV_API pv_particle_def pv_particle_def_default(void);

/// Creates a particle.
/// @return its id, or the null id with an error: PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE,
/// PV_ERROR_MEMORY or PV_ERROR_BUSY
PV_API pv_particle_id pv_particle_create(pv_world *world, const pv_particle_def *def,
                                         pv_error *error);

/// Destroys a particle, with the joints and the polygon that it belongs to; it leaves its liquid.
/// @return PV_ERROR_STALE_ID, PV_ERROR_ARGUMENT for a null world, or PV_ERROR_BUSY
PV_API pv_status pv_particle_destroy(pv_world *world, pv_particle_id particle);

/// Tells whether an id belongs to a living particle.
PV_API bool pv_particle_is_valid(const pv_world *world, pv_particle_id particle);

/* Reading. An id that is no longer valid gives zeros and null. */

/// Returns the position of a particle [px].
PV_API pv_vec2 pv_particle_get_position(const pv_world *world, pv_particle_id particle);
/// Returns the velocity of a particle, (current - previous) / substep [px/s].
PV_API pv_vec2 pv_particle_get_velocity(const pv_world *world, pv_particle_id particle);
/// Returns the mass of a particle; 0 if it is pinned.
PV_API double pv_particle_get_mass(const pv_world *world, pv_particle_id particle);
/// Returns the radius of a particle [px].
PV_API double pv_particle_get_radius(const pv_world *world, pv_particle_id particle);
/// Returns the caller's pointer of a particle.
PV_API void *pv_particle_get_user_data(const pv_world *world, pv_particle_id particle);

/* Writing. Errors are PV_ERROR_STALE_ID, PV_ERROR_NOT_FINITE, PV_ERROR_BUSY and PV_ERROR_ARGUMENT
 * for a value out of range. On an error nothing changes. Velocities, displacements, forces and
 * impulses of a pinned particle are refused with PV_ERROR_ARGUMENT. */

/// Moves a particle to a position, with its velocity kept. This is a teleport: it hits nothing on
/// the way. A pinned particle gets no velocity.
PV_API pv_status pv_particle_set_position(pv_world *world, pv_particle_id particle,
                                          pv_vec2 position);
/// Sets the velocity of a particle [px/s].
PV_API pv_status pv_particle_set_velocity(pv_world *world, pv_particle_id particle,
                                          pv_vec2 velocity);
/// Sets the mass of a particle, 1e-9...1e12; 0 pins it in place.
PV_API pv_status pv_particle_set_mass(pv_world *world, pv_particle_id particle, double mass);
/// Applies a force for the whole next step [mass px/s^2]. Forces add up.
PV_API pv_status pv_particle_apply_force(pv_world *world, pv_particle_id particle, pv_vec2 force);
/// Applies an impulse [mass px/s].
PV_API pv_status pv_particle_apply_impulse(pv_world *world, pv_particle_id particle,
                                           pv_vec2 impulse);
/// Sets the caller's pointer of a particle.
PV_API pv_status pv_particle_set_user_data(pv_world *world, pv_particle_id particle,
                                           void *user_data);

/** @} */

/** @defgroup polygons Polygons
 *  Polygons with particles at their corners. Rigid or elastic joints run along the edges, and
 *  beams across hold the shape. Two polygons separate by the smallest overlap along the normals
 *  of their edges (separating axes). A body's tangent speed drags polygons along. A polygon that
 *  comes through a body's one-way side does so as a whole.
 *
 * A polygon is a body: its id works with the functions of bodies. Its type is PV_BODY_DYNAMIC, or
 * PV_BODY_STATIC if all its corners are pinned. Its angle is 0 at creation, and its inertia is that
 * of its corners. What only sprites have is refused with PV_ERROR_ARGUMENT: a mask, a scale, a
 * change of type or mass, locks, dampings, a tangent speed, a one-way side, carving.
 *
 * A polygon falls asleep together with everything that it touches, once none of it has moved by
 * more than 0.1 px for half a second. A hit, push, change or removal of one wakes all of them. A
 * polygon with a joint to another object or a touching particle stays awake. A sleeping polygon
 * acts like a pinned one. @{ */

/// Collider shapes of polygons.
typedef enum pv_polygon_collider {
    /// Boundary of the polygon
    PV_POLYGON_COLLIDER_EDGES = 0,
    /// Circle at each corner, with an eighth of the shortest edge as radius, and one in the middle:
    /// cheaper and rounder
    PV_POLYGON_COLLIDER_CIRCLES
} pv_polygon_collider;

/// The definition of a polygon. pv_polygon_def_default() returns one.
typedef struct pv_polygon_def {
    /// Outline in the world, in either direction, without crossing itself; borrowed [px]
    const pv_vec2 *points;
    /// Number of points, 3...64
    int point_count;
    /// Velocity [px/s]
    pv_vec2 velocity;
    /// Angular velocity about its middle [rad/s]
    double angular_velocity;
    /// Mass of all corners together, at most 1e12, with at least 1e-9 for each corner; 0: pinned;
    /// default -1: 1 for each px^2
    double mass;
    /// Restitution, 0...1; default 0.2
    double restitution;
    /// Static friction, up to 1e6; default -1: a negative value means 1.2 times the kinetic
    /// friction
    double static_friction;
    /// Kinetic friction, 0...1e6; default 0.5
    double friction;
    /// Linear damping of its corners, as in pv_particle_def; default 0 [1/s]
    double linear_damping;
    /// Stiffness of edges and beams; default 0: rigid [mass/s^2]
    double stiffness;
    /// Collider; default PV_POLYGON_COLLIDER_EDGES
    pv_polygon_collider collider;
    /// Filter of the bodies, polygons and particles it collides with; default: all
    pv_filter filter;
    /// Pointer of the caller
    void *user_data;
    /// Mark set by pv_polygon_def_default()
    unsigned cookie;
} pv_polygon_def;

/// Returns the default definition of a polygon.
PV_API pv_polygon_def pv_polygon_def_default(void);

/// Creates a polygon. A polygon that is not convex is cut into convex pieces, which share its
/// corners.
/// @return its id, or the null id with an error: PV_ERROR_ARGUMENT for fewer than 3 or more than 64
/// points, equal points, an outline that crosses itself or one without area, and values out of
/// range; PV_ERROR_NOT_FINITE, PV_ERROR_MEMORY or PV_ERROR_BUSY
PV_API pv_body_id pv_polygon_create(pv_world *world, const pv_polygon_def *def, pv_error *error);

/// Copies the corners of a polygon to an array, in clockwise order on the screen.
/// @return the number of all corners; 0 for a sprite and for an id that is no longer valid
PV_API int pv_body_get_corners(const pv_world *world, pv_body_id polygon, pv_particle_id *corners,
                               int capacity);

/// Overlap of two polygons: the shortest way out along the normal of an edge of either outline.
typedef struct pv_polygon_overlap {
    /// Length of the way; 0 without an overlap [px]
    double depth;
    /// Unit vector from the first polygon to the second one
    pv_vec2 normal;
    /// Corners at the ends of the edge
    pv_particle_id edge[2];
    /// Corner of the other polygon that is farthest behind it
    pv_particle_id corner;
} pv_polygon_overlap;

/// Computes the overlap of two polygons where they are, by the axis of least overlap: Bitterli
/// (2009), "A Verlet based approach for 2D game physics", DetectCollision. For concave polygons it
/// is the deepest overlap of two convex pieces. Filters, pins and colliders do not matter.
/// @param overlap null, or gets the overlap; zeros if there is none
/// @return true if they overlap; false for a sprite, for an id that is no longer valid and if both
/// are the same polygon
PV_API bool pv_polygon_compute_overlap(const pv_world *world, pv_body_id a, pv_body_id b,
                                       pv_polygon_overlap *overlap);

/** @} */

/** @defgroup liquids Liquids
 *  Particles that keep a distance from each other: double density relaxation (Clavet, Beaudoin
 *  and Poulin 2005). The functions with a status return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE,
 *  PV_ERROR_STALE_ID, PV_ERROR_MEMORY or PV_ERROR_BUSY, with nothing changed. @{ */

/// The definition of a liquid. pv_liquid_def_default() returns one. The defaults suit particles of
/// radius 3 and mass 1, which then take 26 px^2 each. For other radii interaction_radius is best
/// four times the radius. The speed of sound is about density times the square root of stiffness. A
/// liquid whose sound is too fast for the substep becomes softer. Particles of different liquids
/// interact, too.
typedef struct pv_liquid_def {
    /// Interaction radius of its particles, 2...64; default 12 [px]
    double interaction_radius;
    /// Rest density, 1e-300...1e6; default 2.2. Density is the sum of (1 - distance /
    /// interaction_radius)^2 over the other particles.
    double rest_density;
    /// Stiffness toward the rest density, 0...1e12; default 1e6 [px^2/s^2 per unit of density]
    double stiffness;
    /// Stiffness that keeps near particles apart, weighted (1 - distance / interaction_radius)^3,
    /// 0...1e12; default 5000 [px^2/s^2]
    double near_stiffness;
    /// Rate at which neighbors reach a common speed along the line between them, 0...1e6; default
    /// 60 [1/s]
    double viscosity;
    /// Mark set by pv_liquid_def_default()
    unsigned cookie;
} pv_liquid_def;

/// Returns the default definition of a liquid.
PV_API pv_liquid_def pv_liquid_def_default(void);

/// Creates a liquid without particles.
PV_API pv_liquid_id pv_liquid_create(pv_world *world, const pv_liquid_def *def, pv_error *error);
/// Destroys a liquid; its particles stay as ordinary particles.
PV_API pv_status pv_liquid_destroy(pv_world *world, pv_liquid_id liquid);
/// Tells whether an id belongs to a living liquid.
PV_API bool pv_liquid_is_valid(const pv_world *world, pv_liquid_id liquid);
/// Adds a particle to a liquid and takes it out of any other. It slides on sprites without
/// friction.
PV_API pv_status pv_liquid_add_particle(pv_world *world, pv_liquid_id liquid,
                                        pv_particle_id particle);
/// Copies the particles of a liquid to an array, in slot order.
/// @return the number of all its particles, as in pv_world_get_contacts(); 0 for an id that is no
/// longer valid
PV_API int pv_liquid_get_particles(const pv_world *world, pv_liquid_id liquid,
                                   pv_particle_id *particles, int capacity);

/** @} */

/** @defgroup forces Force fields
 *  Force fields that act on particles and bodies of an area in every step. The functions with a
 *  status return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE, PV_ERROR_STALE_ID, PV_ERROR_MEMORY or
 *  PV_ERROR_BUSY, with nothing changed. @{ */

/// Types of force fields.
typedef enum pv_force_field_type {
    /// Wind: drags objects along with moving air, larger ones more
    PV_FORCE_FIELD_WIND = 0,
    /// Attractor: pulls to a point
    PV_FORCE_FIELD_ATTRACTOR,
    /// Buoyancy: lifts and slows objects in a liquid that fills the area
    PV_FORCE_FIELD_BUOYANCY
} pv_force_field_type;

/// The definition of a force field. pv_force_field_def_default() returns one.
typedef struct pv_force_field_def {
    /// Type of the force field
    pv_force_field_type type;
    /// Area in which it acts [px]; default empty: everywhere. Buoyancy needs an area, which its
    /// liquid fills.
    pv_box area;
    /// Velocity of the air, or of the liquid's flow [px/s]
    pv_vec2 velocity;
    /// Share of the wind that comes and goes, 0...1; default 0
    double gust;
    /// Distance between gusts along the wind, >= 1; default 400 [px]
    double gust_length;
    /// Drag coefficient of wind: force per px of an object's width and per px/s, >= 0; default 0.2
    /// [mass/s/px]
    double drag_coefficient;
    /// Point of the attractor [px]
    pv_vec2 point;
    /// Acceleration toward the attractor at radius, or everywhere if radius is 0; negative repels
    /// [px/s^2]
    double strength;
    /// Radius of the attractor, >= 0 [px]. Beyond it the pull falls with the square of the
    /// distance, and inside linearly to 0. 0 means the same pull at every distance.
    double radius;
    /// Density of the liquid, mass per px^2, 1e-300...1e12; default 1
    double density;
    /// Linear damping in the liquid: rate at which an object of its density reaches its velocity,
    /// >= 0; default 1 [1/s]
    double linear_damping;
    /// Mark set by pv_force_field_def_default()
    unsigned cookie;
} pv_force_field_def;

/// Returns the default definition of a force field.
PV_API pv_force_field_def pv_force_field_def_default(void);

/// Creates a force field. A force field does not wake sleeping bodies; pv_world_explode() does.
PV_API pv_force_field_id pv_force_field_create(pv_world *world, const pv_force_field_def *def,
                                               pv_error *error);
/// Destroys a force field.
PV_API pv_status pv_force_field_destroy(pv_world *world, pv_force_field_id force);
/// Tells whether an id belongs to a living force field.
PV_API bool pv_force_field_is_valid(const pv_world *world, pv_force_field_id force);
/// Sets the definition of a force field; its gusts continue.
PV_API pv_status pv_force_field_set_def(pv_world *world, pv_force_field_id force,
                                        const pv_force_field_def *def);

/// Throws particles and bodies away from a point at once. A body's size is the width of its pixels
/// as seen from the point, without gaps. It is thrown along the mean direction to them. A body with
/// the point in one of its holes is not thrown. Objects do not shelter others behind them.
/// @param reach distance beyond which objects stay in place, > 0 [px]; the nearest pixel counts
/// @param impulse impulse for each px of an object's width at the point itself; it falls linearly
/// with the distance [mass px/s/px]
/// @return PV_ERROR_MEMORY if an outline of pixels could not be made; PV_ERROR_ARGUMENT,
/// PV_ERROR_NOT_FINITE or PV_ERROR_BUSY; with nothing thrown
PV_API pv_status pv_world_explode(pv_world *world, pv_vec2 point, double reach, double impulse);

/** @} */

/** @defgroup matter Composites
 *  Objects of many parts, which are created, drawn, pushed and destroyed as one. The functions
 *  with a status return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE, PV_ERROR_STALE_ID,
 *  PV_ERROR_MEMORY or PV_ERROR_BUSY, with nothing changed. @{ */

/// A triangle of a composite's skin.
typedef struct pv_triangle {
    /// Corners, particles of the composite
    pv_particle_id corners[3];
    /// Texture coordinates of the corners, (0, 0)...(1, 1)
    pv_vec2 uv[3];
    /// Joints that the triangle depends on, or null ids; it vanishes with any of them
    pv_joint_id joints[3];
} pv_triangle;

/// Creates a composite without parts.
PV_API pv_composite_id pv_composite_create(pv_world *world, pv_error *error);
/// Destroys a composite with all its parts that still live.
PV_API pv_status pv_composite_destroy(pv_world *world, pv_composite_id composite);
/// Tells whether an id belongs to a living composite.
PV_API bool pv_composite_is_valid(const pv_world *world, pv_composite_id composite);

/* Each part belongs to one composite at most. Destroying a part by itself does not affect the
 * composite, which no longer lists the part. */

/// Adds a particle to a composite.
PV_API pv_status pv_composite_add_particle(pv_world *world, pv_composite_id composite,
                                           pv_particle_id particle);
/// Adds a joint to a composite.
PV_API pv_status pv_composite_add_joint(pv_world *world, pv_composite_id composite,
                                        pv_joint_id joint);
/// Adds a body to a composite.
PV_API pv_status pv_composite_add_body(pv_world *world, pv_composite_id composite, pv_body_id body);
/// Adds a triangle to a composite, which lists its corners clockwise on the screen as they are now.
PV_API pv_status pv_composite_add_triangle(pv_world *world, pv_composite_id composite,
                                           const pv_triangle *triangle);

/* These copy the living parts to an array, in the order in which they were added. They return the
 * number of all parts, as in pv_world_get_contacts(); 0 for an id that is no longer valid. */

/// Copies the particles of a composite to an array.
PV_API int pv_composite_get_particles(const pv_world *world, pv_composite_id composite,
                                      pv_particle_id *particles, int capacity);
/// Copies the joints of a composite to an array.
PV_API int pv_composite_get_joints(const pv_world *world, pv_composite_id composite,
                                   pv_joint_id *constraints, int capacity);
/// Copies the bodies of a composite to an array.
PV_API int pv_composite_get_bodies(const pv_world *world, pv_composite_id composite,
                                   pv_body_id *bodies, int capacity);
/// Copies the triangles of a composite to an array.
PV_API int pv_composite_get_triangles(const pv_world *world, pv_composite_id composite,
                                      pv_triangle *triangles, int capacity);

/// A corner of a triangle for a GPU.
typedef struct pv_vertex {
    /// Place in the world [px]
    float x, y;
    /// Texture coordinates
    float u, v;
} pv_vertex;

/// Copies the triangles of a composite to an array of vertices, three for each. Their order is that
/// of pv_composite_get_triangles(). A triangle's three vertices are all copied, or none of them.
/// @param capacity size of the array, in vertices
/// @return the number of all vertices, which may exceed capacity; 0 for an id that is no longer
/// valid
PV_API int pv_composite_get_mesh(const pv_world *world, pv_composite_id composite,
                                 pv_vertex *vertices, int capacity);

/// Returns the mean position of a composite's particles, weighted by mass [px]. It is unweighted if
/// all are pinned.
PV_API pv_vec2 pv_composite_get_position(const pv_world *world, pv_composite_id composite);
/// Returns the heading of a composite: the direction from its center of mass to its first living
/// particle, in (-pi, pi] [rad]; 0 without particles. The function is for composites that keep
/// their shape.
PV_API double pv_composite_get_angle(const pv_world *world, pv_composite_id composite);
/// Sets whether a composite collides with other solid composites; default false. Jelly and soft
/// bodies are created solid. Its particles then collide with the surfaces of the others, and theirs
/// with its own. Radius, restitution and friction are those of the particles, and filters apply.
///
/// The surface of a composite with triangles is their outline, without thickness. The surface of
/// others is their rigid distance joints and ropes, as thick as their ends. Two composites with a
/// joint between them do not collide unless it has collide_connected. Particles that do not collide
/// are left out. An overlap of more than 32 px is not resolved.
PV_API pv_status pv_composite_set_solid(pv_world *world, pv_composite_id composite, bool solid);
/// Applies an acceleration to all particles and bodies of a composite for the whole next step
/// [px/s^2].
PV_API pv_status pv_composite_apply_acceleration(pv_world *world, pv_composite_id composite,
                                                 pv_vec2 acceleration);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
