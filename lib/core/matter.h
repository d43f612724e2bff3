/* matter.h - what a world holds besides bodies: particles, what joins them, and what is made of them.
 *
 * Invariant: particles are named by slot, and slot 0 is none: pinned at the origin, for those who look at lanes that are
 * empty. What names particles or bodies by slot is taken out with them, so slots are always of the living. Between calls
 * every number is finite and every place within PV_MAX_COORDINATE.
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
    double mass; ///< 0: pinned
    double radius, restitution, static_friction, kinetic_friction;
    double drag; ///< [1/s]
    void *user_data;
    uint32_t generation; ///< odd while alive
    int next_free;       ///< of a free slot; 0 at the end
    int holds;           ///< how many constraints hold it
    int polygon;         ///< that it is a corner of, or -1
    int liquid;          ///< that it is part of, or -1
    pv_bounce bounce;
    bool passes;
} pv__particle_data;

/// Columns, all of the same capacity.
/// Bits of a particle that decide how it is moved.
enum {
    PV__MEETS = 1, ///< something may touch or hold it in this step
    PV__STAYS = 2, ///< it is pinned, or there is none
};

/// Columns, all of the same capacity, a multiple of those that are moved together.
typedef struct pv__particles {
    pv_vec2 *now, *was;   ///< places; was: one substep before [px]
    double *keep;         ///< the part of its way in a substep that drag leaves it for the next one, 0...1
    double *inverse_mass; ///< 0: pinned, or a free slot
    pv_vec2 *force;       ///< for the whole step [mass px/s^2]
    unsigned char *bound; ///< PV__MEETS, PV__STAYS
    pv__particle_data *grains;
    pv_filter *filter;   ///< of a corner its polygon's counts
    int count, capacity; ///< slots in use, slot 0 and free ones among them
    int free;            ///< head of the free slots' list, or 0
    int living;
    bool forced; ///< some force is not 0
} pv__particles;

/// An end of a constraint.
typedef struct pv__anchor {
    int particle;      ///< slot, or 0
    int corners[3];    ///< of a polygon that bear the point, or 0
    double weights[3]; ///< of theirs; 1 in all
    int body;          ///< index, or -1; with neither it is a point of the world
    pv_vec2 local;     ///< of a body: from its center, in its own rotation; else the point [px]
    pv_vec2 lever;     ///< scratch: of a body, from its center when the substep began [px]
} pv__anchor;

typedef struct pv__constraint {
    pv_joint_type type;
    uint32_t generation; ///< odd while alive
    int next_free;       ///< of a free slot, or -1
    pv__anchor a, b;
    double length, stiffness, damping, low, high, speed, max_force, break_force;
    pv_vec2 axis;      ///< of a slider: in a's rotation, of length 1
    pv_rotation angle; ///< b's rotation less a's where its angle is 0
    double turned;     ///< whole angle of b less a since it was made, over many turns [rad]
    double grace; ///< how far its anchors may still be from where they are to be: less in every substep [px]
    bool collide, keep_when_carved;
    void *user_data;
    double force;  ///< given in the last substep
    pv_vec2 push;  ///< given so far in the substep, or in the last one [mass px]
    double twist;  ///< the same [mass px^2]
    pv_vec2 along; ///< from anchor to anchor when that substep began, of length 1
    /* scratch */
    bool direct;       ///< it is in the direct solver's rows, and in no lane
    pv_vec2 gap_began; ///< from anchor to anchor when the substep began [px]
    double began;      ///< its length [px]
    pv_vec2 gave;      ///< in the substep before [mass px]
    double gave_twist, gave_along;
} pv__constraint;

/// A particle and a body that may meet in this step.
typedef struct pv__near {
    int particle, body;
    int due;  ///< substep before which they cannot touch
    int held; ///< of a one-way body: the last substep of the step in which it held the particle, or -1
} pv__near;

/// Relation of a one-way body and a polygon that overlaps it, until they are apart.
typedef enum pv__passage {
    PV__CLEAR = 0,
    PV__HELD,   ///< it came from where the body holds
    PV__PASSING ///< it did not
} pv__passage;

/// The same, from a step to the next.
typedef struct pv__crossing {
    int polygon, body;
    uint32_t polygon_generation, body_generation;
    pv__passage passage; ///< not apart
} pv__crossing;

/// A thing of many parts.
typedef struct pv__composite {
    uint32_t generation; ///< odd while alive
    int next_free;       ///< of a free slot, or -1
    pv_particle_id *particles;
    pv_joint_id *constraints;
    pv_body_id *bodies;
    pv_triangle *triangles;
    bool solid; ///< touches other solid things
    int particle_count, particle_capacity, constraint_count, constraint_capacity, body_count, body_capacity,
        triangle_count, triangle_capacity;
} pv__composite;

typedef struct pv__polygon {
    uint32_t generation; ///< odd while alive
    int next_free;       ///< of a free slot, or -1
    pv_polygon_collider hull;
    void *user_data;
    int corner_count, beam_count, piece_count, piece_room;
    int *corners;       ///< particles, clockwise on the screen
    pv_joint_id *beams; ///< edges first, then those across; some may be gone
    int *pieces;        ///< convex ones: how many corners, then which, clockwise; all after each other
    pv_vec2 *rest;      ///< corners where it was made, from their center of mass [px]
    double *shares;     ///< of the mass, by corner; 1 in all
    double static_friction, kinetic_friction, restitution;
    double middle; ///< radius of the disc in the middle; 0 for edges [px]
    bool soft, asleep;
    pv_filter filter;
    pv_vec2 marks[3]; ///< where three of its corners were when it was last seen to move [px]
    double still;     ///< how long that is ago [s]
    int island;       ///< that it sleeps in, or -1
    int bodies;       ///< island of bodies that sleeps with it, or -1
    /* scratch of a step */
    bool called; ///< it wakes when the step is over
    bool borne;  ///< the root of an island: something of it touches a body, or what is pinned
    double island_still;
    /* scratch of a substep */
    pv_box box;
} pv__polygon;

typedef struct pv__liquid {
    uint32_t generation; ///< odd while alive
    int next_free;       ///< of a free slot, or -1
    int count;           ///< of its particles
    pv_liquid_def def;
} pv__liquid;

typedef struct pv__force {
    uint32_t generation; ///< odd while alive
    int next_free;       ///< of a free slot, or -1
    pv_force_field_def def;
    double gone; ///< how far its gusts have gone with the air [px]
} pv__force;

/// Anchors that were joined or put where they are not to be come together no faster than this: they would be shot away else
/// [px/s], [rad/s].
#define PV__EASE 1000.0
#define PV__EASE_ANGLE 50.0

struct pv__sticks;
struct pv__body;

/// Two that do not meet, a < b. A body is named by its index, all else by minus a particle's slot: its own, or that of the first
/// corner of the polygon that it is part of.
typedef struct pv__bar {
    int a, b;
} pv__bar;

typedef struct pv__matter {
    pv__particles particles;

    pv__constraint *constraints; ///< slots
    int constraint_count, constraint_capacity, constraint_free, constraints_living;
    struct pv__sticks *sticks; ///< sticks, ropes and struts between particles, four abreast, in order
    int stick_count, stick_capacity;
    int *joints; ///< all other constraints, in order
    int joint_count, joint_capacity;
    struct pv__direct *direct; ///< of direct.h, or null
    int *levels;               ///< scratch of laying sticks, by particle
    int level_capacity;
    bool loose; ///< sticks and joints do not stand for the constraints any more
    pv__bar *bars;
    int bar_count, bar_capacity;
    pv_joint_break_event *breaks,
        *new_breaks; ///< of the last step; what the next one will tell, besides its own
    int break_count, break_capacity, new_break_count, new_break_capacity;

    pv__near *nears; ///< by body, then by cell
    int near_capacity, near_count;
    int *cells, *sorted; ///< particles by hashed cell: first entries, and slots
    int cell_capacity, sorted_capacity;

    pv__composite *things; ///< slots
    int thing_count, thing_capacity, thing_free, solid_things;
    struct pv__surfaces *skin; ///< scratch of surface.c, or null
    bool bare;                 ///< it does not stand for the things any more
    bool last_round;       ///< of the substep: no sticks are relaxed any more, so previous places may be moved
    pv__polygon *polygons; ///< slots
    int polygon_count, polygon_capacity, polygon_free, polygons_living, polygons_asleep;
    pv__liquid *liquids; ///< slots
    int liquid_count, liquid_capacity, liquid_free, liquids_living;
    struct pv__liquid_room *liquid_room;   ///< scratch of liquid.c, or null
    struct pv__polygon_room *polygon_room; ///< scratch of polygon_contact.c, or null
    pv__crossing *crossings;               ///< by polygon, then by body
    int crossing_count, crossing_capacity;
    pv__force *forces; ///< slots
    int force_count, force_capacity, force_free, forces_living;
} pv__matter;

/// Returns where a grip on a polygon is, by where its corners are.
static inline pv_vec2 pv__particle_on_corners(const pv__anchor *g, const pv_vec2 *at) {
    pv_vec2 sum = pv__mul(g->weights[0], at[g->corners[0]]);
    return pv__mad(pv__mad(sum, g->weights[1], at[g->corners[1]]), g->weights[2], at[g->corners[2]]);
}

/// Gives a particle an impulse times the substep, push [mass px]; carry of its way is gone at once: 1 moves it and leaves
/// its previous position, 0 changes its velocity alone.
static inline void pv__particle_push(pv__particles *p, int i, pv_vec2 push, double carry) {
    double w = p->inverse_mass[i];
    p->now[i] = pv__mad(p->now[i], carry * w, push);
    p->was[i] = pv__mad(p->was[i], (carry - 1) * w, push);
}

#endif
