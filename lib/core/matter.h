/* matter.h - what a world holds besides bodies: particles, what joins them, and what is made of
 * them.
 *
 * Invariant: particles are named by slot, and slot 0 is none: pinned at the origin, for those who
 * look at lanes that are empty. What names particles or bodies by slot is taken out with them, so
 * slots are always of the living. Between calls every number is finite and every place within
 * PV_MAX_COORDINATE.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_MATTER_H
#define PV_CORE_MATTER_H

#include "base/base.h"
#include "base/math.h"
#include "shape/shape.h"

/// Data of a particle that is needed less often than its place.
typedef struct pv__particle_data {
    /// 0: pinned
    double mass;
    double radius, restitution, static_friction, kinetic_friction;
    /// [1/s]
    double drag;
    void *user_data;
    /// Odd while alive
    uint32_t generation;
    /// Of a free slot; 0 at the end
    int next_free;
    /// How many constraints hold it
    int holds;
    /// That it is a corner of, or -1
    int polygon;
    /// That it is part of, or -1
    int liquid;
    pv_bounce bounce;
    bool passes;
} pv__particle_data;

/// Columns, all of the same capacity.
/// Bits of a particle that decide how it is moved.
enum {
    /// Something may touch or hold it in this step
    PV__MEETS = 1,
    /// It is pinned, or there is none
    PV__STAYS = 2,
};

/// Columns, all of the same capacity, a multiple of those that are moved together.
typedef struct pv__particles {
    /// Places; was: one substep before [px]
    pv_vec2 *now, *was;
    /// The part of its way in a substep that drag leaves it for the next one, 0...1
    double *keep;
    /// 0: pinned, or a free slot
    double *inverse_mass;
    /// For the whole step [mass px/s^2]
    pv_vec2 *force;
    /// PV__MEETS, PV__STAYS
    unsigned char *bound;
    pv__particle_data *grains;
    /// Of a corner its polygon's counts
    pv_filter *filter;
    /// Slots in use, slot 0 and free ones among them
    int count, capacity;
    /// Head of the free slots' list, or 0
    int free;
    int living;
    /// Some force is not 0
    bool forced;
} pv__particles;

/// An end of a constraint.
typedef struct pv__anchor {
    /// Slot, or 0
    int particle;
    /// Of a polygon that bear the point, or 0
    int corners[3];
    /// Of theirs; 1 in all
    double weights[3];
    /// Index, or -1; with neither it is a point of the world
    int body;
    /// Of a body: from its center, in its own rotation; else the point [px]
    pv_vec2 local;
    /// Scratch: of a body, from its center when the substep began [px]
    pv_vec2 lever;
} pv__anchor;

typedef struct pv__constraint {
    pv_joint_type type;
    /// Odd while alive
    uint32_t generation;
    /// Of a free slot, or -1
    int next_free;
    pv__anchor a, b;
    double length, stiffness, damping, low, high, speed, max_force, break_force;
    /// Of a slider: in a's rotation, of length 1
    pv_vec2 axis;
    /// B's rotation less a's where its angle is 0
    pv_rotation angle;
    /// Whole angle of b less a since it was made, over many turns [rad]
    double turned;
    /// How far its anchors may still be from where they are to be: less in every substep [px]
    double grace;
    bool collide, keep_when_carved;
    void *user_data;
    /// Given in the last substep
    double force;
    /// Given so far in the substep, or in the last one [mass px]
    pv_vec2 push;
    /// The same [mass px^2]
    double twist;
    /// From anchor to anchor when that substep began, of length 1
    pv_vec2 along;
    /* scratch */
    /// It is in the direct solver's rows, and in no lane
    bool direct;
    /// From anchor to anchor when the substep began [px]
    pv_vec2 gap_began;
    /// Its length [px]
    double began;
    /// In the substep before [mass px]
    pv_vec2 gave;
    double gave_twist, gave_along;
} pv__constraint;

/// A particle and a body that may meet in this step.
typedef struct pv__near {
    int particle, body;
    /// Substep before which they cannot touch
    int due;
    /// Of a one-way body: the last substep of the step in which it held the particle, or -1
    int held;
} pv__near;

/// Relation of a one-way body and a polygon that overlaps it, until they are apart.
typedef enum pv__passage {
    PV__CLEAR = 0,
    /// It came from where the body holds
    PV__HELD,
    /// It did not
    PV__PASSING
} pv__passage;

/// The same, from a step to the next.
typedef struct pv__crossing {
    int polygon, body;
    uint32_t polygon_generation, body_generation;
    /// Not apart
    pv__passage passage;
} pv__crossing;

/// A thing of many parts.
typedef struct pv__composite {
    /// Odd while alive
    uint32_t generation;
    /// Of a free slot, or -1
    int next_free;
    pv_particle_id *particles;
    pv_joint_id *constraints;
    pv_body_id *bodies;
    pv_triangle *triangles;
    /// Touches other solid things
    bool solid;
    int particle_count, particle_capacity, constraint_count, constraint_capacity, body_count,
        body_capacity, triangle_count, triangle_capacity;
} pv__composite;

typedef struct pv__polygon {
    /// Odd while alive
    uint32_t generation;
    /// Of a free slot, or -1
    int next_free;
    pv_polygon_collider hull;
    void *user_data;
    int corner_count, beam_count, piece_count, piece_room;
    /// Particles, clockwise on the screen
    int *corners;
    /// Edges first, then those across; some may be gone
    pv_joint_id *beams;
    /// Convex ones: how many corners, then which, clockwise; all after each other
    int *pieces;
    /// Corners where it was made, from their center of mass [px]
    pv_vec2 *rest;
    /// Of the mass, by corner; 1 in all
    double *shares;
    double static_friction, kinetic_friction, restitution;
    /// Radius of the disc in the middle; 0 for edges [px]
    double middle;
    bool soft, asleep;
    pv_filter filter;
    /// Where three of its corners were when it was last seen to move [px]
    pv_vec2 marks[3];
    /// How long that is ago [s]
    double still;
    /// That it sleeps in, or -1
    int island;
    /// Island of bodies that sleeps with it, or -1
    int bodies;
    /* scratch of a step */
    /// It wakes when the step is over
    bool called;
    /// The root of an island: something of it touches a body, or what is pinned
    bool borne;
    double island_still;
    /* scratch of a substep */
    pv_box box;
} pv__polygon;

typedef struct pv__liquid {
    /// Odd while alive
    uint32_t generation;
    /// Of a free slot, or -1
    int next_free;
    /// Of its particles
    int count;
    pv_liquid_def def;
} pv__liquid;

typedef struct pv__force {
    /// Odd while alive
    uint32_t generation;
    /// Of a free slot, or -1
    int next_free;
    pv_force_field_def def;
    /// How far its gusts have gone with the air [px]
    double gone;
} pv__force;

/// Anchors that were joined or put where they are not to be come together no faster than this: they
/// would be shot away else [px/s], [rad/s].
#define PV__EASE 1000.0
#define PV__EASE_ANGLE 50.0

struct pv__sticks;
struct pv__body;

/// Two that do not meet, a < b. A body is named by its index, all else by minus a particle's slot:
/// its own, or that of the first corner of the polygon that it is part of.
typedef struct pv__bar {
    int a, b;
} pv__bar;

typedef struct pv__matter {
    pv__particles particles;

    /// Slots
    pv__constraint *constraints;
    int constraint_count, constraint_capacity, constraint_free, constraints_living;
    /// Sticks, ropes and struts between particles, four abreast, in order
    struct pv__sticks *sticks;
    int stick_count, stick_capacity;
    /// All other constraints, in order
    int *joints;
    int joint_count, joint_capacity;
    /// Of direct.h, or null
    struct pv__direct *direct;
    /// Scratch of laying sticks, by particle
    int *levels;
    int level_capacity;
    /// Sticks and joints do not stand for the constraints any more
    bool loose;
    pv__bar *bars;
    int bar_count, bar_capacity;
    /// Of the last step; what the next one will tell, besides its own
    pv_joint_break_event *breaks, *new_breaks;
    int break_count, break_capacity, new_break_count, new_break_capacity;

    /// By body, then by cell
    pv__near *nears;
    int near_capacity, near_count;
    /// Particles by hashed cell: first entries, and slots
    int *cells, *sorted;
    int cell_capacity, sorted_capacity;

    /// Slots
    pv__composite *things;
    int thing_count, thing_capacity, thing_free, solid_things;
    /// Scratch of surface.c, or null
    struct pv__surfaces *skin;
    /// It does not stand for the things any more
    bool bare;
    /// Of the substep: no sticks are relaxed any more, so previous places may be moved
    bool last_round;
    /// Slots
    pv__polygon *polygons;
    int polygon_count, polygon_capacity, polygon_free, polygons_living, polygons_asleep;
    /// Slots
    pv__liquid *liquids;
    int liquid_count, liquid_capacity, liquid_free, liquids_living;
    /// Scratch of liquid.c, or null
    struct pv__liquid_room *liquid_room;
    /// Scratch of polygon_contact.c, or null
    struct pv__polygon_room *polygon_room;
    /// By polygon, then by body
    pv__crossing *crossings;
    int crossing_count, crossing_capacity;
    /// Slots
    pv__force *forces;
    int force_count, force_capacity, force_free, forces_living;
} pv__matter;

/// Returns where a grip on a polygon is, by where its corners are.
static inline pv_vec2 pv__particle_on_corners(const pv__anchor *g, const pv_vec2 *at) {
    pv_vec2 sum = pv__mul(g->weights[0], at[g->corners[0]]);
    return pv__mad(pv__mad(sum, g->weights[1], at[g->corners[1]]), g->weights[2],
                   at[g->corners[2]]);
}

/// Gives a particle an impulse times the substep, push [mass px]; carry of its way is gone at once:
/// 1 moves it and leaves its previous position, 0 changes its velocity alone.
static inline void pv__particle_push(pv__particles *p, int i, pv_vec2 push, double carry) {
    double w = p->inverse_mass[i];
    p->now[i] = pv__mad(p->now[i], carry * w, push);
    p->was[i] = pv__mad(p->was[i], (carry - 1) * w, push);
}

#endif
