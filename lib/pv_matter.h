/* pv_matter.h - what a world holds besides bodies: particles, what joins them, and what is made of them.
 *
 * Invariant: particles are named by slot, and slot 0 is none: pinned at the origin, for those who look at lanes that are
 * empty. What names particles or bodies by slot is taken out with them, so slots are always of the living. Between calls
 * every number is finite and every place within PV_MAX_COORDINATE.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_H
#define PV_MATTER_H

#include "pv_base.h"
#include "pv_geom.h"
#include "pv_math.h"

/// What is asked of a particle less often than where it is.
typedef struct pv__grain {
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
} pv__grain;

/// Columns, all of the same capacity.
/// What is to be known of a particle before it is moved.
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
    pv__grain *grains;
    pv_filter *filter;   ///< of a corner its polygon's counts
    int count, capacity; ///< slots in use, slot 0 and free ones among them
    int free;            ///< head of the free slots' list, or 0
    int living;
    bool forced; ///< some force is not 0
} pv__particles;

/// An end of a constraint.
typedef struct pv__grip {
    int particle;      ///< slot, or 0
    int corners[3];    ///< of a polygon that bear the point, or 0
    double weights[3]; ///< of theirs; 1 in all
    int body;          ///< index, or -1; with neither it is a point of the world
    pv_vec2 local;     ///< of a body: from its centre, in its own rotation; else the point [px]
    pv_vec2 lever;     ///< scratch: of a body, from its centre when the substep began [px]
} pv__grip;

typedef struct pv__constraint {
    pv_constraint_type type;
    uint32_t generation; ///< odd while alive
    int next_free;       ///< of a free slot, or -1
    pv__grip a, b;
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

/// What a one-way body and a polygon that overlaps it are to each other, until they are apart.
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
typedef struct pv__thing {
    uint32_t generation; ///< odd while alive
    int next_free;       ///< of a free slot, or -1
    pv_particle *particles;
    pv_constraint *constraints;
    pv_body *bodies;
    pv_triangle *triangles;
    bool solid; ///< touches other solid things
    int particle_count, particle_capacity, constraint_count, constraint_capacity, body_count, body_capacity,
        triangle_count, triangle_capacity;
} pv__thing;

typedef struct pv__polygon {
    uint32_t generation; ///< odd while alive
    int next_free;       ///< of a free slot, or -1
    pv_polygon_hull hull;
    void *user_data;
    int corner_count, beam_count, piece_count, piece_room;
    int *corners;         ///< particles, clockwise on the screen
    pv_constraint *beams; ///< edges first, then those across; some may be gone
    int *pieces;          ///< convex ones: how many corners, then which, clockwise; all after each other
    pv_vec2 *rest;        ///< corners where it was made, from their centre of mass [px]
    double *shares;       ///< of the mass, by corner; 1 in all
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
    pv_force_def def;
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
    struct pv__direct *direct; ///< of pv_direct.h, or null
    int *levels;               ///< scratch of laying sticks, by particle
    int level_capacity;
    bool loose; ///< sticks and joints do not stand for the constraints any more
    pv__bar *bars;
    int bar_count, bar_capacity;
    pv_break *breaks, *new_breaks; ///< of the last step; what the next one will tell, besides its own
    int break_count, break_capacity, new_break_count, new_break_capacity;

    pv__near *nears; ///< by body, then by cell
    int near_capacity, near_count;
    int *cells, *sorted; ///< particles by hashed cell: first entries, and slots
    int cell_capacity, sorted_capacity;

    pv__thing *things; ///< slots
    int thing_count, thing_capacity, thing_free, solid_things;
    struct pv__skin *skin; ///< scratch of pv_skin.c, or null
    bool bare;             ///< it does not stand for the things any more
    bool last_round;       ///< of the substep: no sticks are relaxed any more, so previous places may be moved
    pv__polygon *polygons; ///< slots
    int polygon_count, polygon_capacity, polygon_free, polygons_living, polygons_asleep;
    pv__liquid *liquids; ///< slots
    int liquid_count, liquid_capacity, liquid_free, liquids_living;
    struct pv__liquid_room *liquid_room;   ///< scratch of pv_liquid.c, or null
    struct pv__polygon_room *polygon_room; ///< scratch of pv_polygon_contact.c, or null
    pv__crossing *crossings;               ///< by polygon, then by body
    int crossing_count, crossing_capacity;
    pv__force *forces; ///< slots
    int force_count, force_capacity, force_free, forces_living;
} pv__matter;

/// Where a grip on a polygon is, by where its corners are.
static inline pv_vec2 pv__on_corners(const pv__grip *g, const pv_vec2 *at) {
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

/* pv_particle.c */
/// Slot of a living particle of that name, or 0.
int pv__particle_of(const pv_world *world, pv_particle name);
pv_particle pv__particle_name(const pv_world *world, int slot);
/// Makes so many slots, slot 0 among them, in a world that has none; false without memory.
bool pv__add_particle_slots(pv_world *world, int count);
/// Makes room for so many more; false without memory.
bool pv__reserve_particles(pv_world *world, int more);
void pv__particles_free(pv_world *world);
/// Makes previous positions mean the same velocities for a substep of another length.
void pv__retime_particles(pv_world *world, double h);
/// Makes what constraints gave mean the same forces.
void pv__retime_joints(pv_world *world, double h);

/* pv_drift.c */
/// Moves every particle by a substep of position Verlet; those that nothing touches by all substeps in the first.
void pv__drift(pv_world *world, double h, int substep);
/// Stops what the last substep's pushes would have out of the numbers.
void pv__settle_particles(pv_world *world);

/* pv_constraint.c */
/// What a def may ask for.
bool pv__stiffness_in_range(double stiffness);
/// Counts how many ends of constraints particles and bodies are held by.
void pv__count_grip(pv_world *world, const pv__grip *grip, int by);
/// A living constraint of that name, or null.
pv__constraint *pv__constraint_of(const pv_world *world, pv_constraint name);
pv_constraint pv__constraint_name(const pv_world *world, int slot);
/// Takes a constraint out, without waking what it held.
void pv__drop_constraint(pv_world *world, int slot);
/// Makes room for so many more constraints that are let go; false without memory.
bool pv__reserve_let_go(pv_world *world, int more);
/// Takes a constraint out whose anchor's pixels are gone, and notes it for the next step to tell; there must be room.
void pv__let_go(pv_world *world, int slot);
/// The same of all that hold a particle or a body; one of them is none, 0 or -1.
void pv__drop_constraints_of(pv_world *world, int particle, int body);
/// Wakes the bodies that constraints join to a particle or a body.
void pv__wake_joined(pv_world *world, int particle, int body);
/// The same when it was put elsewhere: those constraints come to where they are to be by and by.
void pv__ease_joined(pv_world *world, int particle, int body);
/// Whether constraints keep two from meeting.
bool pv__is_barred(const pv_world *world, int a, int b);
/// What a particle is named by in a bar.
int pv__bar_name(const pv_world *world, int particle);
/// Lists such pairs anew; false without memory.
bool pv__list_bars(pv_world *world);

/* pv_stick.c */
/// Lays sticks into lanes and lists the other constraints, if any came or went; false without memory.
bool pv__lay_sticks(pv_world *world, double h);
/// Takes out what breaks and, when the substep is the last one, tells the table what the lanes gave.
void pv__read_sticks(pv_world *world, double h, bool last);

/* pv_joint.c */
/// One round over a constraint that is not in lanes.
void pv__relax_joint(pv_world *world, pv__constraint *c, double h);
/// Levers and what was given, at the start of a substep.
void pv__start_joint(pv_world *world, pv__constraint *c, double h);
/// What it gave, as a force or torque.
double pv__joint_force(const pv__constraint *c, double h);
/// Parts of what a constraint holds, one number each.
typedef enum pv__joint_part {
    PV__PART_LENGTH = 1,
    PV__PART_X = 2,
    PV__PART_Y = 4,
    PV__PART_ACROSS = 8, ///< a slider's line
    PV__PART_ANGLE = 16
} pv__joint_part;
/// Push and twist of an end, or how an error feels them.
typedef struct pv__joint_lever {
    double x, y, turn;
} pv__joint_lever;
/// Parts that a constraint holds whatever force that takes; 0 for none.
int pv__joint_parts(const pv__constraint *c);
/// Sets what a unit of a part gives both ends, where the substep began.
void pv__joint_gives(const pv_world *world, const pv__constraint *c, pv__joint_part part, pv__joint_lever *a,
                     pv__joint_lever *b);
/// Sets how fast a part's error goes as its ends move and turn, where they are now.
void pv__joint_feels(const pv_world *world, const pv__constraint *c, pv__joint_part part, pv__joint_lever *a,
                     pv__joint_lever *b);
/// Returns what a part has given in the substep [mass px], [mass px^2].
double pv__joint_given(const pv_world *world, const pv__constraint *c, pv__joint_part part);
/// Measures how far a part is off, less what its softness leaves; bounded [px], [rad].
double pv__joint_missing(const pv_world *world, const pv__constraint *c, pv__joint_part part, double h);
/// Returns what softness adds to a part's way by a unit of push [1/mass].
double pv__joint_softness(const pv__constraint *c, double h);

/* pv_direct.c */
/// Solves joints of bodies together in a substep, once they have started.
void pv__solve_direct(pv_world *world, double h);

/* pv_direct_layout.c */
/// Chooses the constraints that are solved directly, and in which order; false without memory.
bool pv__lay_direct(pv_world *world);
void pv__direct_free(pv_world *world);

/* pv_relax.c */
/// Takes a constraint out that had to give too much, and tells of it.
void pv__break(pv_world *world, int slot, double force);

/* pv_near.c */
/// Which particles may meet which bodies in a step; wakes those that are hit. False without memory.
bool pv__find_near(pv_world *world, double dt);

/* pv_strike.c */
/// What particles meet of a body: its contour and field, also in a world of pixel contacts; null without memory.
const pv__shape *pv__shape_of(const struct pv__body *b);
/// Where a particle is in a body.
typedef struct pv__dent {
    bool struck;
    pv_vec2 normal; ///< out of the body
    double depth;   ///< to be moved out by; of one that is not in it < 0 [px]
} pv__dent;
/// Whether and how some particles struck a body in the substep; false without a shape.
bool pv__find_dents(const pv_world *world, int body, const int *particles, int count, pv__dent *dents);
/// Moves particles out of bodies, both ways, with restitution and friction; corners of polygons are left to those.
void pv__strike(pv_world *world, int substep);

/* pv_polygon.c */
/// Index of a living polygon of that name, or -1.
int pv__polygon_of(const pv_world *world, pv_polygon name);
/// The box of its corners.
pv_box pv__polygon_box(const pv_world *world, const pv__polygon *polygon);
/// Name of the polygon that a particle is a corner of; the null name for none.
pv_polygon pv__polygon_holding(const pv_world *world, int particle);
/// Where its centre of mass is.
pv_vec2 pv__polygon_centre(const pv_world *world, const pv__polygon *polygon);
/// Wakes bodies whose boxes meet one: what rests on what was there will fall.
void pv__wake_around(pv_world *world, pv_box box);
/// Takes a polygon out with its beams; its corners stay.
void pv__drop_polygon(pv_world *world, int index);
void pv__polygons_free(pv_world *world);
/* pv_polygon_sleep.c */
/// Wakes a polygon with its island; in the midst of a step when that is over.
void pv__wake_polygon(pv_world *world, int index);
/// The same of the one that a particle is a corner of, if it is.
void pv__wake_corner(pv_world *world, int particle);
/// The same of all that sleep with an island of bodies, that meet a box, or that there are.
void pv__wake_polygons_with(pv_world *world, int bodies);
void pv__wake_polygons_within(pv_world *world, const pv_box *box);
void pv__wake_all_polygons(pv_world *world);
/// Wakes those of the step's list that are hit hard; whether there were any.
bool pv__wake_hit_polygons(pv_world *world, double dt);
/// Wakes what was called.
void pv__rouse_polygons(pv_world *world);
/// Watches how long polygons have rested when a step is over, and makes islands of them.
void pv__watch_polygons(pv_world *world, double dt);
/// Bodies on polygons of one island are of one island, and as restless as these.
void pv__join_by_polygons(pv_world *world, void (*join)(pv_world *world, int a, int b));
/// Puts islands that have rested to sleep, once bodies are.
void pv__rest_polygons(pv_world *world);

/* pv_polygon_contact.c */
void pv__polygon_room_free(pv_world *world);
/// Which polygons may meet which others, particles and bodies in a step; false without memory.
bool pv__find_polygon_pairs(pv_world *world, double dt);
/// Remembers until the next step what comes through one-way bodies and what they hold; false without memory.
bool pv__keep_crossings(pv_world *world);
/// One round over all that overlaps.
void pv__relax_polygons(pv_world *world);

/* pv_liquid.c */
/// Moves the particles of liquids apart and together, once a substep.
void pv__relax_liquids(pv_world *world, double h);
/// Makes the room that liquids need, once; false without memory.
bool pv__open_liquids(pv_world *world);
/// A particle leaves its liquid.
void pv__leave_liquid(pv_world *world, int particle);
void pv__liquids_free(pv_world *world);

/* pv_force.c */
/// Adds what the forces do in a step to the forces of particles and of bodies that are awake.
void pv__apply_forces(pv_world *world, double dt);
void pv__forces_free(pv_world *world);

/* pv_matter.c */
/// A living thing of that name, or null.
pv__thing *pv__thing_of(const pv_world *world, pv_matter name);
void pv__things_free(pv_world *world);
/* pv_skin.c */
void pv__skin_free(pv_world *world);
/* pv_graze.c */
/// Which particles may touch which solid things in a step; false without memory.
bool pv__find_grazes(pv_world *world, double dt);
/// One round over all that touches.
void pv__relax_grazes(pv_world *world, int substep);

/// Whether there is anything for the stages below to do.
bool pv__has_matter(const pv_world *world);
/// What a step of matter does first, the substeps, and last.
void pv__begin_matter(pv_world *world, double dt);
void pv__step_matter(pv_world *world, double h, int substep);
void pv__end_matter(pv_world *world);

#endif
