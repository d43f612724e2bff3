/* pixverlet/build.h - ropes, cloth, soft bodies, jelly, trees, grass, ragdolls, bridges and
 * arms.
 *
 * Invariant: a builder creates a whole composite, or nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_BUILD_H
#define PIXVERLET_BUILD_H

#include "pixverlet/matter.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup builders Builders
 *  Ready-made composites for games. Each has a definition with working defaults and returns the
 *  composite, or the null id with an error. A builder creates all of it or nothing. Common
 *  errors are PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE, PV_ERROR_MEMORY and PV_ERROR_BUSY. @{ */

/// The definition of a rope, chain or strand of hair: a row of particles with a joint between
/// neighbors.
typedef struct pv_rope_def {
    /// Anchors to which its two ends are pinned. An end held by the world has no mass. The rope may
    /// begin inside a sprite: it does not collide with that sprite until it is out.
    pv_anchor from, to;
    /// Free ends: their anchors only give their first places; default false
    bool from_free, to_free;
    /// Number of segments, 1...4096; default 16
    int segments;
    /// Extra length as a share of the distance between the ends, >= 0; default 0
    double slack;
    /// Mass of the whole rope; default 16
    double mass;
    /// Radius of its particles; default 1 [px]
    double radius;
    /// Linear damping; default 0.3 [1/s]
    double linear_damping;
    /// Bending stiffness between second neighbors; default 0: none [mass/s^2]
    double bend_stiffness;
    /// Force above which a joint breaks; default 0: never [mass px/s^2]
    double break_force;
    /// Filter of its particles; default: all
    pv_filter filter;
    /// Mark set by pv_rope_def_default()
    unsigned cookie;
} pv_rope_def;
/// Returns the default definition of a rope.
PV_API pv_rope_def pv_rope_def_default(void);
/// Creates a rope in an arc that sags. Its particles are listed from one end to the other.
/// @return the null id with PV_ERROR_STALE_ID for an anchor whose object does not live, or with
/// PV_ERROR_ARGUMENT for both ends at one place
PV_API pv_composite_id pv_rope_create(pv_world *world, const pv_rope_def *def, pv_error *error);

/// The definition of a cloth: a grid of particles, joints along rows and columns, and triangles for
/// its texture.
typedef struct pv_cloth_def {
    /// Position of its upper left corner [px]
    pv_vec2 top_left;
    /// Numbers of particles in a row and in a column, 2...1024; default 30
    int columns, rows;
    /// Distance between neighboring particles; default 8 [px]
    double spacing;
    /// Mass of each particle; default 1
    double mass;
    /// Radius of each particle; default 2 [px]
    double radius;
    /// Linear damping; default 0.3 [1/s]
    double linear_damping;
    /// Stiffness of rows and columns; default 0: rigid [mass/s^2]
    double stiffness;
    /// Stiffness of diagonals; default 0: none [mass/s^2]
    double shear_stiffness;
    /// Interval between pinned particles in the top row; the last one is pinned, too; 0: none;
    /// default 1
    int pin_every;
    /// Force above which a joint tears; default 0: never [mass px/s^2]
    double break_force;
    /// Filter of its particles; default: all
    pv_filter filter;
    /// Mark set by pv_cloth_def_default()
    unsigned cookie;
} pv_cloth_def;
/// Returns the default definition of a cloth.
PV_API pv_cloth_def pv_cloth_def_default(void);
/// Creates a cloth. Its particles are listed row by row from the top.
PV_API pv_composite_id pv_cloth_create(pv_world *world, const pv_cloth_def *def, pv_error *error);

/// The definition of a soft body from given particles and triangles.
typedef struct pv_soft_body_def {
    /// Positions of the particles in the world; borrowed [px]
    const pv_vec2 *points;
    /// Number of points, 2...4096
    int point_count;
    /// Triangles as indices of points; borrowed, null if triangle_count is 0
    const int (*triangles)[3];
    /// Number of triangles, 0...16384; at least 1 without all_pairs
    int triangle_count;
    /// Texture coordinates of the points, borrowed, or null
    const pv_vec2 *uvs;
    /// Joints between all pairs of points, at most 64 points; default false: joints along triangles
    /// only
    bool all_pairs;
    /// Mass of the whole body; default 16
    double mass;
    /// Radius of its particles; default 2 [px]
    double radius;
    /// Linear damping; default 0.3 [1/s]
    double linear_damping;
    /// Restitution; default 0.2
    double restitution;
    /// Static friction, default -1, and kinetic friction, default 0.5; as in pv_body_def
    double static_friction, friction;
    /// Stiffness [mass/s^2], default 2000, and damping [mass/s], default 4, of its joints;
    /// stiffness 0: rigid
    double stiffness, damping;
    /// Filter of its particles; default: all
    pv_filter filter;
    /// Mark set by pv_soft_body_def_default()
    unsigned cookie;
} pv_soft_body_def;
/// Returns the default definition of a soft body.
PV_API pv_soft_body_def pv_soft_body_def_default(void);
/// Creates a soft body. No two joints connect the same points. With all_pairs the stiffness is
/// limited to the largest that adds no energy. The limit is 3e6/s^2 times the mass of a point,
/// over the number of points.
PV_API pv_composite_id pv_soft_body_create(pv_world *world, const pv_soft_body_def *def,
                                           pv_error *error);

/// The definition of a jelly: a sprite whose outline and inside are soft. Its triangles show the
/// sprite's picture.
typedef struct pv_jelly_def {
    /// Mask of the sprite, borrowed for the call
    const pv_mask *mask;
    /// Position of its center of mass [px]
    pv_vec2 position;
    /// Angle [rad]
    double angle;
    /// Distance between its particles, 2...256; default 8 [px]
    double spacing;
    /// Mass of a pixel; default 0.05
    double density;
    /// Linear damping; default 0.3 [1/s]
    double linear_damping;
    /// Restitution; default 0.2
    double restitution;
    /// Static friction, default -1, and kinetic friction, default 0.5; as in pv_body_def
    double static_friction, friction;
    /// Stiffness, default 8000, and damping, default 50; as in pv_soft_body_def. A much softer
    /// jelly crumples.
    double stiffness, damping;
    /// Filter of its particles; default: all
    pv_filter filter;
    /// Mark set by pv_jelly_def_default()
    unsigned cookie;
} pv_jelly_def;
/// Returns the default definition of a jelly.
PV_API pv_jelly_def pv_jelly_def_default(void);
/// Creates a jelly. Parts of the picture that do not touch are not joined, except those in one cell
/// of the grid.
/// @return the null id with PV_ERROR_EMPTY for a mask without solid pixels, or with
/// PV_ERROR_TOO_LARGE for a grid of more than 65536 cells
PV_API pv_composite_id pv_jelly_create(pv_world *world, const pv_jelly_def *def, pv_error *error);

/// The definition of a tree that sways: branches that spring back to their angles.
typedef struct pv_tree_def {
    /// Position of the root, which is pinned [px]
    pv_vec2 root;
    /// Height of the trunk with its branches; default 160 [px]
    double height;
    /// Number of forks from trunk to twig, 0...8; default 5
    int depth;
    /// Mass of the trunk's first piece; thinner pieces weigh less; default 8
    double mass;
    /// Stiffness that straightens the first piece; default 80000 [mass/s^2]
    double stiffness;
    /// Linear damping; default 1 [1/s]
    double linear_damping;
    /// Seed of its random shape
    uint64_t seed;
    /// Filter of its particles; default: all
    pv_filter filter;
    /// Mark set by pv_tree_def_default()
    unsigned cookie;
} pv_tree_def;
/// Returns the default definition of a tree.
PV_API pv_tree_def pv_tree_def_default(void);
/// Creates a tree. Its particles are listed from the root on, then two pinned ones beside the root.
/// Its 2^(depth + 1) - 1 branches are joints, each to the next particle. They are listed before the
/// joints that hold their angles.
PV_API pv_composite_id pv_tree_create(pv_world *world, const pv_tree_def *def, pv_error *error);

/// The definition of grass: blades along a line, on the side that gravity comes from.
typedef struct pv_grass_def {
    /// Ends of the ground line [px]
    pv_vec2 from, to;
    /// Number of blades, 1...4096; default 40
    int blade_count;
    /// Number of segments in a blade, 1...16; default 3
    int segments;
    /// Approximate height of a blade; default 24 [px]
    double height;
    /// Stiffness that straightens the tip of a blade; lower parts are stiffer; default 3 [mass/s^2]
    double stiffness;
    /// Linear damping; default 2 [1/s]
    double linear_damping;
    /// Seed of its random shape
    uint64_t seed;
    /// Filter of its particles; default: all
    pv_filter filter;
    /// Mark set by pv_grass_def_default()
    unsigned cookie;
} pv_grass_def;
/// Returns the default definition of grass.
PV_API pv_grass_def pv_grass_def_default(void);
/// Creates grass. Its particles are listed blade by blade along the line, each from the ground to
/// the tip.
PV_API pv_composite_id pv_grass_create(pv_world *world, const pv_grass_def *def, pv_error *error);

/// The definition of a ragdoll of particles and joints (Jakobsen 2001, section 6). Struts keep
/// knees and elbows from folding.
typedef struct pv_ragdoll_def {
    /// Position of the neck [px]
    pv_vec2 position;
    /// Height from head to foot; default 64 [px]
    double height;
    /// Mass of the whole ragdoll; default 16
    double mass;
    /// Linear damping; default 0.3 [1/s]
    double linear_damping;
    /// Restitution; default 0.1
    double restitution;
    /// Static friction, default -1, and kinetic friction, default 0.5; as in pv_body_def
    double static_friction, friction;
    /// Filter of its particles; default: all
    pv_filter filter;
    /// Mark set by pv_ragdoll_def_default()
    unsigned cookie;
} pv_ragdoll_def;
/// Returns the default definition of a ragdoll.
PV_API pv_ragdoll_def pv_ragdoll_def_default(void);
/// Creates a ragdoll. Its first particle is the head, with the head's radius.
PV_API pv_composite_id pv_ragdoll_create(pv_world *world, const pv_ragdoll_def *def,
                                         pv_error *error);

/// The definition of a bridge of sprite planks, each hinged to the next. The outer planks are
/// hinged to the world.
typedef struct pv_bridge_def {
    /// Mask of a plank that lies along x; each plank takes a reference
    pv_mask *mask;
    /// Ends of the bridge [px]
    pv_vec2 from, to;
    /// Number of planks, 1...256; default 12
    int plank_count;
    /// Density of a plank; default 1
    double density;
    /// Force above which a hinge breaks; default 0: never [mass px/s^2]
    double break_force;
    /// Caller's pointer of each plank
    void *user_data;
    /// Filter of each plank; default: all
    pv_filter filter;
    /// Mark set by pv_bridge_def_default()
    unsigned cookie;
} pv_bridge_def;
/// Returns the default definition of a bridge.
PV_API pv_bridge_def pv_bridge_def_default(void);
/// Creates a bridge. Its planks are listed from one end to the other.
PV_API pv_composite_id pv_bridge_create(pv_world *world, const pv_bridge_def *def, pv_error *error);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
