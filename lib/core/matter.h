/* matter.h - particles, joints, polygons, liquids and force fields of a world.
 *
 * Invariant: slot 0 is no particle: it is pinned at the origin, for empty vector lanes. Every slot
 * that refers to a particle or a body belongs to a living one. Between calls every number is finite
 * and every place within PV_MAX_COORDINATE.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_MATTER_H
#define PV_CORE_MATTER_H

#include "base/base.h"
#include "base/math.h"
#include "base/pool.h"
#include "core/material.h"
#include "shape/shape.h"

/// Data of a particle that is used less often than its place
typedef struct pv__particle_data {
    /// Mass; 0: pinned
    double mass;
    double radius;
    pv__material material;
    /// Drag [1/s]
    double drag;
    void *user_data;
    /// Generation, odd while alive
    uint32_t generation;
    /// Next free slot of a free slot; 0 at the end
    int next_free;
    /// Number of constraints that hold the particle
    int joint_count;
    /// Polygon with this corner, or -1
    int polygon;
    /// Liquid of the particle, or -1
    int liquid;
    pv_bounce bounce;
    bool passes;
} pv__particle_data;

/// Bits of a particle that decide its integration
enum {
    /// Particle that a collider or constraint may touch in this step
    PV__MEETS = 1,
    /// Pinned particle, or free slot
    PV__STAYS = 2,
    /// Fast particle that a sprite has deflected in this substep or stride
    PV__DEFLECTED = 4,
    /// Particle of a composite
    PV__LISTED = 8,
    /// Particle that nothing holds, which takes strides in this step
    PV__STRIDES = 16,
    /// Particle that a sprite has hit in this stride
    PV__STRUCK = 32,
    /// Particle inside a body that it is tied to
    PV__INSIDE = 64,
};

/// Number of columns. All have the same capacity, a multiple of the vector width
enum { PV__PARTICLE_COLUMNS = 8 };

typedef struct pv__particles {
    /// Places, and places one substep before [px]
    pv_vec2 *now, *was;
    /// Part of the displacement of a substep that drag leaves for the next one, 0...1
    double *keep;
    /// Inverse mass; 0: pinned, or a free slot
    double *inverse_mass;
    /// Force for the whole step [mass px/s^2]
    pv_vec2 *force;
    /// Bits PV__MEETS and PV__STAYS
    unsigned char *bound;
    pv__particle_data *data;
    /// Filter; a corner uses the filter of its polygon
    pv_filter *filter;
    /// Number of slots in use, including slot 0 and free slots; capacity common to all columns, a
    /// multiple of 64, and capacity of each column
    int count, capacity, lengths[PV__PARTICLE_COLUMNS];
    /// First free slot, or 0
    int free;
    int living;
    /// True if any force is not 0
    bool forced;
} pv__particles;

/// End of a constraint
typedef struct pv__anchor {
    /// Slot of a particle, or 0
    int particle;
    /// Corners of a polygon that carry the anchor, or 0
    int corners[3];
    /// Weights of the corners; their sum is 1
    double weights[3];
    /// Index of a body, or -1; without body and particle the anchor is a point of the world
    int body;
    /// Point from the body's center in its own rotation, or the point of the world [px]
    pv_vec2 local;
    /// Scratch: arm from the body's center when the substep began [px]
    pv_vec2 lever;
} pv__anchor;

typedef struct pv__constraint {
    pv__slot slot;
    pv_joint_type type;
    pv__anchor a, b;
    double length, stiffness, damping, low, high, speed, max_force, break_force;
    /// Axis of a slider in a's rotation, of length 1
    pv_vec2 axis;
    /// Rotation of b relative to a at angle 0
    pv_rotation angle;
    /// Total angle of b relative to a since creation, over all turns [rad]
    double turned;
    /// Remaining tolerance of the anchors' distance, which shrinks in every substep [px]
    double grace;
    bool collide, keep_when_carved;
    void *user_data;
    /// Force of the last substep [mass px/s^2]
    double force;
    /// Sum of pushes so far in the substep, or in the last one [mass px]
    pv_vec2 push;
    /// Sum of pushes of torque [mass px^2]
    double twist;
    /// Unit vector from anchor to anchor when that substep began
    pv_vec2 along;
    /* scratch */
    /// True if the constraint is in the rows of the direct solver, and in no batch
    bool direct;
    /// Vector from anchor to anchor when the substep began [px]
    pv_vec2 gap_began;
    /// Length of that vector [px]
    double began;
    /// Push of the substep before [mass px]
    pv_vec2 gave;
    double gave_twist, gave_along;
} pv__constraint;

/// Candidate pair of a particle and a body in this step
typedef struct pv__near {
    int particle, body;
    /// First substep in which they can touch, or first stride
    int due;
    /// Last substep or stride of the step in which the one-way body held the particle, or -1
    int held;
} pv__near;

/// Candidate pairs in a step, by body, then by cell
typedef struct pv__nears {
    pv__near *items;
    int count, capacity;
} pv__nears;

/// Particles that take strides over several substeps, because nothing holds them
typedef struct pv__strides {
    /// Number of strides in the step; 0: these particles take every substep
    int count;
    /// Candidate pairs of these particles
    pv__nears nears;
    /// Poses of the bodies of these pairs when the stride began, by body
    struct pv__pose *poses;
    int pose_capacity;
} pv__strides;

/// Relation of a one-way body and an overlapping polygon, until they are apart
typedef enum pv__passage {
    PV__CLEAR = 0,
    /// Polygon that came from the side on which the body holds
    PV__HELD,
    /// Polygon that came from another side
    PV__PASSING
} pv__passage;

/// Relation of a one-way body and a polygon that persists from a step to the next
typedef struct pv__crossing {
    int polygon, body;
    uint32_t polygon_generation, body_generation;
    /// Relation; never PV__CLEAR here
    pv__passage passage;
} pv__crossing;

/// Particle inside a body that it is tied to, with which it does not collide until it is out
typedef struct pv__inside_pair {
    int particle, body;
    uint32_t particle_generation, body_generation;
} pv__inside_pair;

/// Composite of particles, joints, bodies and triangles
typedef struct pv__composite {
    pv__slot slot;
    pv_particle_id *particles;
    pv_joint_id *constraints;
    pv_body_id *bodies;
    pv_triangle *triangles;
    /// True if it collides with other solid composites
    bool solid;
    int particle_count, particle_capacity, constraint_count, constraint_capacity, body_count,
        body_capacity, triangle_count, triangle_capacity;
} pv__composite;

typedef struct pv__polygon {
    pv__slot slot;
    pv_polygon_collider hull;
    void *user_data;
    /// Pixels of the polygon at creation, and the center of mass in them [px]; null if they are too
    /// many
    pv_mask *mask;
    pv_vec2 pivot;
    int corner_count, beam_count, piece_count, piece_room;
    /// Particles of the corners, clockwise on the screen
    int *corners;
    /// Joints: edges first, then diagonals; some may be destroyed
    pv_joint_id *beams;
    /// Convex pieces: corner count, then corners clockwise, one piece after the other
    int *pieces;
    /// Corners at creation, from their center of mass [px]
    pv_vec2 *rest;
    /// Shares of the mass per corner; their sum is 1
    double *shares;
    pv__material material;
    /// Radius of the disc in the middle; 0 for collision with edges [px]
    double middle;
    bool soft, asleep;
    /// Flags of the last report: asleep, and outside the bounds of the world
    bool told_asleep, outside;
    pv_filter filter;
    /// Places of three corners when motion was last seen [px]
    pv_vec2 marks[3];
    /// Time since that motion [s]
    double still;
    /// Island of polygons that it sleeps in, or -1
    int island;
    /// Island of bodies that sleeps with it, or -1
    int bodies;
    /* scratch of a step */
    /// True if it wakes at the end of the step
    bool called;
    /// Place of the mask when the step began; set if there are sensors
    pv_transform began;
    /// First seam in the step's list, and their number
    int first_seam, seam_count;
    /// True if some member of the island touches a body or a pinned particle; kept at the island's
    /// root
    bool borne;
    double island_still;
    /* scratch of a substep */
    pv_box box;
} pv__polygon;

typedef struct pv__liquid {
    pv__slot slot;
    /// Number of its particles
    int count;
    pv_liquid_def def;
} pv__liquid;

typedef struct pv__force {
    pv__slot slot;
    pv_force_field_def def;
    /// Distance that the air has carried the gusts [px]
    double gone;
} pv__force;

/// Greatest speeds at which misplaced anchors come together [px/s], [rad/s]. Faster corrections
/// would shoot the bodies away.
#define PV__EASE 1000.0
#define PV__EASE_ANGLE 50.0

struct pv__sticks;
struct pv__body;

/// Pair whose collision is disabled, a < b. A body is given by its index, any other collider by
/// minus the slot of a particle: for a polygon, its first corner.
typedef struct pv__bar {
    int a, b;
} pv__bar;

typedef struct pv__matter {
    pv__particles particles;

    /// Constraints by slot
    pv__constraint *constraints;
    pv__pool constraint_pool;
    /// Sticks, ropes and struts between particles, four per vector, in order
    struct pv__sticks *sticks;
    int stick_count, stick_capacity;
    /// Slots of all other constraints, in order
    int *joints;
    int joint_count, joint_capacity;
    /// Scratch of direct.h, or null
    struct pv__direct *direct;
    /// Scratch of the batching of particle joints, by particle
    int *levels;
    int level_capacity;
    /// True if sticks and joints are out of date
    bool loose;
    pv__bar *bars;
    int bar_count, bar_capacity;

    /// Candidate pairs of particles that take every substep
    pv__nears nears;
    pv__strides strides;
    /// Particles inside bodies, by particle, then by body
    pv__inside_pair *insides;
    int inside_count, inside_capacity;
    /// Scratch: true if pairs were added that are not followed along joints yet
    bool inside_grew;
    /// Scratch: last body in which deep particles were looked for, or -1
    int inside_searched;
    /// Particles by hashed cell: first entries, and slots
    int *cells, *sorted;
    int cell_capacity, sorted_capacity;
    /// Scratch: greatest displacements of particles in a step [px]
    double *ways;
    /// Scratch: slots of particles in the cells
    int *slots;
    int way_capacity, slot_capacity;
    /// Scratch: places of deflected particles when the substep began, and of others when the stride
    /// began [px], by particle
    pv_vec2 *starts;
    int start_capacity;
    /// True if any particle is deflected
    bool deflected;

    /// Composites by slot
    pv__composite *composites;
    pv__pool composite_pool;
    int solid_composites;
    /// Scratch of surface.c, or null
    struct pv__surfaces *skin;
    /// True if the skin is out of date
    bool bare;
    /// True in the last round of the substep; no later round uses previous places, so they may
    /// change
    bool last_round;
    /// Polygons by slot
    pv__polygon *polygons;
    pv__pool polygon_pool;
    int polygons_asleep;
    /// Liquids by slot
    pv__liquid *liquids;
    pv__pool liquid_pool;
    /// Scratch of liquid.c, or null
    struct pv__liquid_room *liquid_room;
    /// Scratch of polygon_contact.c, or null
    struct pv__polygon_room *polygon_room;
    /// Crossings, by polygon, then by body
    pv__crossing *crossings;
    int crossing_count, crossing_capacity;
    /// Force fields by slot
    pv__force *forces;
    pv__pool force_pool;
} pv__matter;

/// Returns the place of an anchor on a polygon for the given places of the corners.
static inline pv_vec2 pv__particle_on_corners(const pv__anchor *g, const pv_vec2 *at) {
    pv_vec2 sum = pv__mul(g->weights[0], at[g->corners[0]]);
    return pv__mad(pv__mad(sum, g->weights[1], at[g->corners[1]]), g->weights[2],
                   at[g->corners[2]]);
}

/// Pushes a particle with an impulse times the substep [mass px]. With carry 1 it moves and its
/// previous place stays; with carry 0 only its velocity changes.
static inline void pv__particle_push(pv__particles *p, int i, pv_vec2 push, double carry) {
    double w = p->inverse_mass[i];
    p->now[i] = pv__mad(p->now[i], carry * w, push);
    p->was[i] = pv__mad(p->was[i], (carry - 1) * w, push);
}

#endif
