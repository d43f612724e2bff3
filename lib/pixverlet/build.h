/* pixverlet/build.h - ropes, cloth, soft bodies, jelly, trees, grass, ragdolls, bridges and arms.
 *
 * Invariant: a builder makes all of a thing, or nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_BUILD_H
#define PIXVERLET_BUILD_H

#include "pixverlet/matter.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup builders Builders Things that games are full of. Each takes a def of its own with
 * defaults that work, returns the thing or the null name with a status, and makes either all of it
 * or nothing. @{ */

/// A rope, chain or strand of hair: particles in a row, held by sticks.
typedef struct pv_rope_def {
    /// Where its ends are; it is pinned to what they name; held by the world, an end has no
    /// mass
    pv_anchor from, to;
    /// That end hangs free, wherever it is made; default false
    bool from_free, to_free;
    /// 1...4096; default 16
    int segments;
    /// How much longer it is than the way from one end to the other, in that way, >= 0; default 0
    double slack;
    /// Of all; default 16
    double mass;
    /// Of its particles; default 1 [px]
    double radius;
    /// [1/s]; default 0.3
    double linear_damping;
    /// Stiffness between second neighbors; 0: none; default 0 [mass/s^2]
    double bend_stiffness;
    /// Of each stick; 0: never; default 0 [mass px/s^2]
    double break_force;
    /// Of its particles; default everybody
    pv_filter filter;
    /// Set by pv_rope_def_default()
    unsigned cookie;
} pv_rope_def;
/// The defaults named above.
PV_API pv_rope_def pv_rope_def_default(void);
/// It begins in an arc that sags; its particles are listed from one end to the other.
/// @return the null name with PV_ERROR_STALE_ID for an anchor that names nothing that lives;
/// PV_ERROR_ARGUMENT when both ends are at one place
PV_API pv_composite_id pv_rope_create(pv_world *world, const pv_rope_def *def, pv_status *status);

/// Cloth: a grid of particles, sticks along rows and columns, triangles for its texture.
typedef struct pv_cloth_def {
    /// Of its left upper corner [px]
    pv_vec2 top_left;
    /// Of particles, 2...1024 each; default 30
    int columns, rows;
    /// Between particles; default 8 [px]
    double spacing;
    /// Of each particle; default 1
    double mass;
    /// Of each; default 2 [px]
    double radius;
    /// [1/s]; default 0.3
    double linear_damping;
    /// Of rows and columns; 0: rigid; default 0 [mass/s^2]
    double stiffness;
    /// Of diagonals; 0: none; default 0 [mass/s^2]
    double shear_stiffness;
    /// In the top row every so many-th particle is pinned, and the last; 0: none; default 1
    int pin_every;
    /// A stick tears at; 0: never; default 0 [mass px/s^2]
    double break_force;
    /// Of its particles; default everybody
    pv_filter filter;
    /// Set by pv_cloth_def_default()
    unsigned cookie;
} pv_cloth_def;
/// The defaults named above.
PV_API pv_cloth_def pv_cloth_def_default(void);
/// Particles are listed row by row from the top.
PV_API pv_composite_id pv_cloth_create(pv_world *world, const pv_cloth_def *def, pv_status *status);

/// A soft body of given particles and triangles.
typedef struct pv_soft_body_def {
    /// In the world, 2...4096 of them; borrowed [px]
    const pv_vec2 *points;
    /// How many
    int point_count;
    /// Of points; borrowed, null when triangle_count is 0
    const int (*triangles)[3];
    /// 0...16384; without all_pairs at least 1
    int triangle_count;
    /// Null, or where each point is in the picture; borrowed
    const pv_vec2 *uvs;
    /// A stick between any two points (at most 64 of them), not only along triangles
    bool all_pairs;
    /// Of all; default 16
    double mass;
    /// Of its particles; default 2 [px]
    double radius;
    /// [1/s]; default 0.3
    double linear_damping;
    /// Default 0.2
    double restitution;
    /// As in pv_body_def; defaults -1, 0.5
    double static_friction, friction;
    /// Of its sticks, as a constraint's; stiffness 0: rigid; defaults 2000, 4
    double stiffness, damping;
    /// Of its particles; default everybody
    pv_filter filter;
    /// Set by pv_soft_body_def_default()
    unsigned cookie;
} pv_soft_body_def;
/// The defaults named above.
PV_API pv_soft_body_def pv_soft_body_def_default(void);
/// No two sticks join the same points. Those of all pairs are no stiffer than they can be together
/// without adding energy: 3e6/s^2 times the mass of a point, over the number of points.
PV_API pv_composite_id pv_soft_body_create(pv_world *world, const pv_soft_body_def *def,
                                           pv_status *status);

/// Jelly: a sprite whose outline and inside are soft; its triangles show the sprite's picture.
typedef struct pv_jelly_def {
    /// The sprite's pixels; borrowed for the call
    const pv_mask *mask;
    /// Of its center of mass [px]
    pv_vec2 position;
    /// [rad]
    double angle;
    /// Of its particles, 2...256; default 8 [px]
    double spacing;
    /// Mass of a pixel; default 0.05
    double density;
    /// [1/s]; default 0.3
    double linear_damping;
    /// Default 0.2
    double restitution;
    /// As in pv_body_def; defaults -1, 0.5
    double static_friction, friction;
    /// As in pv_soft_body_def; much softer ones crumple; defaults 8000, 50
    double stiffness, damping;
    /// Of its particles; default everybody
    pv_filter filter;
    /// Set by pv_jelly_def_default()
    unsigned cookie;
} pv_jelly_def;
/// The defaults named above.
PV_API pv_jelly_def pv_jelly_def_default(void);
/// Parts of the picture that do not touch are not joined, but for those that share a cell of the
/// grid.
/// @return the null name with PV_ERROR_EMPTY for a mask without solid pixels, PV_ERROR_TOO_LARGE
/// for a grid of more than 65536 cells
PV_API pv_composite_id pv_jelly_create(pv_world *world, const pv_jelly_def *def, pv_status *status);

/// A tree that sways: branches of sticks that spring back to their angles.
typedef struct pv_tree_def {
    /// Where it stands, pinned [px]
    pv_vec2 root;
    /// Of the trunk with its branches [px]; default 160
    double height;
    /// Forks from trunk to twig, 0...8; default 5
    int depth;
    /// Of the trunk's first piece; thinner ones weigh less; default 8
    double mass;
    /// How hard its first piece straightens; default 80000 [mass/s^2]
    double stiffness;
    /// [1/s]; default 1
    double linear_damping;
    /// Of how it has grown
    uint64_t seed;
    /// Of its particles; default everybody
    pv_filter filter;
    /// Set by pv_tree_def_default()
    unsigned cookie;
} pv_tree_def;
/// The defaults named above.
PV_API pv_tree_def pv_tree_def_default(void);
/// Particles are listed from the root on, then two that are pinned beside it. Its 2^(depth + 1) - 1
/// branches are sticks, each to the next particle, and listed before what holds their angles.
PV_API pv_composite_id pv_tree_create(pv_world *world, const pv_tree_def *def, pv_status *status);

/// Grass: blades along a line, on the side that gravity comes from.
typedef struct pv_grass_def {
    /// The ground under it [px]
    pv_vec2 from, to;
    /// 1...4096; default 40
    int blade_count;
    /// Of a blade, 1...16; default 3
    int segments;
    /// Of a blade, about [px]; default 24
    double height;
    /// How hard its tip straightens; below it does harder [mass/s^2]; default 3
    double stiffness;
    /// [1/s]; default 2
    double linear_damping;
    /// Of how it has grown
    uint64_t seed;
    /// Of its particles; default everybody
    pv_filter filter;
    /// Set by pv_grass_def_default()
    unsigned cookie;
} pv_grass_def;
/// The defaults named above.
PV_API pv_grass_def pv_grass_def_default(void);
/// Particles are listed blade by blade along the line, each from the ground to its tip.
PV_API pv_composite_id pv_grass_create(pv_world *world, const pv_grass_def *def, pv_status *status);

/// A ragdoll of particles and sticks (Jakobsen 2001, section 6), with struts that keep knees and
/// elbows from folding.
typedef struct pv_ragdoll_def {
    /// Of the neck [px]
    pv_vec2 position;
    /// From head to foot; default 64 [px]
    double height;
    /// Of all; default 16
    double mass;
    /// [1/s]; default 0.3
    double linear_damping;
    /// Default 0.1
    double restitution;
    /// As in pv_body_def; defaults -1, 0.5
    double static_friction, friction;
    /// Of its particles; default everybody
    pv_filter filter;
    /// Set by pv_ragdoll_def_default()
    unsigned cookie;
} pv_ragdoll_def;
/// The defaults named above.
PV_API pv_ragdoll_def pv_ragdoll_def_default(void);
/// The first particle is the head, whose radius is that of the head.
PV_API pv_composite_id pv_ragdoll_create(pv_world *world, const pv_ragdoll_def *def,
                                         pv_status *status);

/// A bridge of sprite planks, each hinged to the next and the outer ones to the world.
typedef struct pv_bridge_def {
    /// Of a plank, lying along x; each takes a reference
    pv_mask *mask;
    /// Where it is hung up [px]
    pv_vec2 from, to;
    /// 1...256; default 12
    int plank_count;
    /// Of a plank; default 1
    double density;
    /// Of each hinge; 0: never; default 0 [mass px/s^2]
    double break_force;
    /// Of each plank
    void *user_data;
    /// Of each plank; default everybody
    pv_filter filter;
    /// Set by pv_bridge_def_default()
    unsigned cookie;
} pv_bridge_def;
/// The defaults named above.
PV_API pv_bridge_def pv_bridge_def_default(void);
/// Its planks are listed from one end to the other.
PV_API pv_composite_id pv_bridge_create(pv_world *world, const pv_bridge_def *def,
                                        pv_status *status);

/// A robotic arm: sticks from a pinned base to a hand, which a drag leads to a target: inverse
/// kinematics by relaxing.
typedef struct pv_arm_def {
    /// [px]
    pv_vec2 base;
    /// Of its limbs, from the base; borrowed [px]
    const double *lengths;
    /// 1...32
    int length_count;
    /// Where the hand wants to be at first [px]
    pv_vec2 target;
    /// Of each joint; default 1
    double mass;
    /// The drag's greatest force; default 20000 [mass px/s^2]
    double max_force;
    /// Set by pv_arm_def_default()
    unsigned cookie;
} pv_arm_def;
/// The defaults named above.
PV_API pv_arm_def pv_arm_def_default(void);
/// Its last particle is the hand, its last constraint the drag: pv_joint_set_anchor_point(..., 1,
/// target) moves it.
PV_API pv_composite_id pv_arm_create(pv_world *world, const pv_arm_def *def, pv_status *status);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
