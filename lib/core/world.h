/* world.h - what a world is made of; included by the world's files only.
 *
 * Invariant: between calls every body's numbers are finite and within PV_MAX_COORDINATE; the
 * particles lie half a stick from the center each, along the body's rotation; contacts are sorted
 * by pair. Bodies are named by index, and everything is visited in order of index or pair, never of
 * address, so a run repeats bit for bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_WORLD_H
#define PV_CORE_WORLD_H

#include "base/base.h"
#include "base/math.h"
#include "core/matter.h"
#include "pixel/bits.h"
#include "pixel/material_map.h"
#include "shape/shape.h"

/// Pose of a body: center of mass and rotation.
typedef struct pv__pose {
    pv_vec2 center;
    pv_rotation turn;
} pv__pose;

/// A collision bitmap of a body in some pose. Upright ones borrow the mask's own words.
typedef struct pv__bitmap {
    /// World pixel of the bits' pixel (0, 0)
    int x, y;
    pv__bits bits;
    /// Owned words for turned ones
    uint64_t *room;
    /// Of room, in words
    int capacity;
    bool valid;
} pv__bitmap;

/// Motion that pv_body_move_to() asks for.
typedef struct pv__drive {
    /// That it is for; 0: none
    uint64_t step;
    /// The mean of that step [px/s]
    pv_vec2 velocity;
    /// [rad/s]
    double spin;
    /// Of the velocity since the step before [px/s]
    pv_vec2 change;
    /// The same of the spin [rad/s]
    double turn;
    /// Within the step [px/s^2]
    pv_vec2 acceleration;
    /// [rad/s^2]
    double twist;
} pv__drive;

/// A motion of a body's center and about it.
typedef struct pv__outlook {
    pv_vec2 center, velocity;
    double spin;
} pv__outlook;

/// Pixels of a body, and what follows from them. Bodies of a world that are made alike share one.
typedef struct pv__body_pixels {
    pv_mask *mask;
    /// Its picture at that scale, see pv__scaled_mask; a reference of its own
    pv_mask *form;
    /// Of the form; null in a world of pixel contacts
    const pv__shape *shape;
    /// Of its picture, (1, 1): as it is
    pv_vec2 scale;
    /// Center of mass in the form, and so in the shape [px]
    pv_vec2 pivot;
    /// The same in the mask [px]
    pv_vec2 picture_pivot;
    /// Of the farthest corner of its picture from its center [px]
    double reach;
    /// Of its form's pixels
    double area;
    /// The same, with a map of densities by their share of 255: its mass over its density
    double weight;
    /// For that mass
    double inertia;
    /// What the mask's pixels are made of, with a reference
    pv__material_view makeup;
    pv_collider stand_in;
    /// Of the mask among the world's, once it was saved; -1
    int mask_id;
    /// Bodies that have it, and others that hold it
    int wearers;
} pv__body_pixels;

/// State of a body in worlds of contacts by pixels.
typedef struct pv__pixel_motion {
    /// Of the substep's motion that was free
    double fraction;
    /// How the substep would have ended without contacts
    pv__outlook outlook;
    /// Where the substep began, and where the body touched
    pv__pose origin, touch;
    /// The first of those that it may touch among the world's, or -1
    int grounds;
    /// 0: moved on with the exit velocity, 1: at the touch, 2: back where it was
    int retreat;
    /// It has not got on for some time
    bool jammed;
    /// And is pushed out, so that what stops it must give way, too
    bool overlaps;
    /// It would have moved by next to nothing and stays where it was
    bool lingers;
    /// Of its pose, and of where the substep began
    pv__bitmap bitmap_now, bitmap_before;
} pv__pixel_motion;

typedef struct pv__body {
    /* motion: two particles of half the mass, now and one substep before (Jakobsen 2001) */
    pv_vec2 now[2], before[2];
    /// sqrt(inertia / mass), the radius of gyration of the pixels [px]
    double half_stick;

    /* numbers that snapshots have of every body, in their order */
    /// Of now
    pv__pose pose;
    /// Where it was when it was last asked whether it rests
    pv__pose still_pose;
    /// Where it was the time before
    pv__pose earlier_pose;
    /// For how long it has rested, as far as that is known [s]
    double still;
    /// Substep that made now - before [s]; 0 when the velocity was set since
    double verlet_dt0;
    double mass, inertia;
    double restitution, static_friction, kinetic_friction;
    /// The time between these poses, 0 for the first one [s]
    double still_span;
    /// The time since the last one [s]
    double still_since;
    /// How fast it was then, and by how much that differed from before [px/s]
    double pace;

    /// Of the last substep, gravity and forces [px/s^2]
    pv_vec2 acceleration;
    pv_vec2 force;
    double torque;

    /* numbers that most bodies leave as they are */
    double gravity_scale, linear_damping, angular_damping;
    double surface_speed, rolling_resistance;
    /// For how long it was stopped where it was [s]
    double stuck;
    /// In its own rotation
    pv_vec2 one_way;

    /* what is asked in every step */
    /// 0 for what contacts cannot move
    double inverse_mass, inverse_inertia;
    /// Odd while alive
    uint32_t generation;
    pv_body_type type;
    unsigned locks;
    /// Shared by all that fell asleep together; -1 awake
    int island;
    bool awake, sensor, disabled;
    /// A substep has ended with it where it is: nothing but contacts has moved it since
    bool settled;
    /// In the last substep
    bool touched;
    /// Integrated in this substep
    bool moved;
    /// As it was told: what was not told to fall asleep is awake
    bool told_awake;
    /// It fell asleep or woke since, and is listed
    bool changed;
    /// Of the world's bounds
    bool outside;
    /// Sensors have to look at it, though it may rest
    bool unseen;
    /// One more than the step in which it was told to be crushed; 0: it is not
    uint64_t crushed;
    /// One more than the step in which it was crowded last; 0: never
    uint64_t crowded;
    /// Step in which its mover was made, when it rests
    uint64_t gathered;
    /// Step in which matter may move it, so that it is stepped to the end
    uint64_t loaded;

    union { /* scratch, of one stage at a time */
        /// Of falling asleep
        struct {
            /// The least and the most of an island, kept by its root
            double still, pace;
            /// It lies on something that stays
            bool borne;
        } lair;
        /// Of finding contacts, solving and backtracking
        struct {
            pv_vec2 velocity;
            double spin;
        };
    };
    /// Its own of the world's; null in a world of contours
    pv__pixel_motion *pixel;

    /* what it is */
    /// Its pixels
    pv__body_pixels *guise;
    /// A digest of the mask's pixels, once it was changed; 0: never
    uint64_t looks;
    /// How many constraints hold it
    int holds;
    pv_filter filter;
    pv_fracture_def fracture;
    void *user_data;
    pv__drive drive;

    /* for the events */
    /// Where the step began, when there are sensors
    pv__pose began;
} pv__body;

/// Four numbers side by side; what contact_batch.h works on.
typedef double pv__four __attribute__((vector_size(32), aligned(8)));

/// Four answers, of all bits or none.
typedef int64_t pv__which __attribute__((vector_size(32), aligned(8)));

/// A body while it is stepped: hot and small.
typedef struct pv__solver_body {
    /// Velocity x, y, spin: of the chord of the last substep; and how far from the center turning
    /// shows
    pv__four motion;
    /// Center x, y, cosine and sine of the rotation
    pv__four pose;
} pv__solver_body;

/// Substeps that a body takes after the first one of a step, see substeps.c.
typedef enum pv__pace { PV__NO_PACE, PV__BRISK, PV__USUAL } pv__pace;

/// State of a solver body that is needed once a substep or once a step.
typedef struct pv__solver_state {
    /// Of motion in a substep, by gravity and forces
    pv__four gain;
    /// Motion when the step began
    pv__four was;
    /// Pose when the substep began
    pv__four from;
    /// Pose before matter moved it in the substep
    pv__four mark;
    /// Scratch of pixel_stop.c: pose after that
    pv__four pulled;
    /// Motion before contacts were solved in the substep
    pv__four unsolved;
    /// Of its farthest point [px]
    double reach;
    /// Length of its last substep [s]
    double h;
    /// No pace: it is not stepped after the first substep
    pv__pace pace;
    /// A lower mover of its island, or itself; 0: cannot be moved
    int island;
    bool damped;
    /// No damping, and no pair: nothing but its gain changes its motion, where there is no matter
    bool free;
    /// Out of the substeps: it goes through them in one stride
    bool flying;
    /// Not stepped any more
    bool quiet;
    /// Something bore on it when the step began
    bool pressed;
    /// Of its rim in the substep, at most [px/s]
    double rim_speed;
    /// By its rim in the substep [px/s]
    double gained;
    /// Rim of the island, where it is the lowest [px/s]
    double fastest;
    /// Of the island, where it is the lowest
    int members, restless;
    /// Of the island, where it is the lowest
    int swift;
    /// Of the island, where it is the lowest: inverse masses of its extremes
    double lightest, heaviest;
    /// Something kinematic moves the island
    bool led;
    /// Slow enough to be quiet; the island stands on something
    bool slow, anchored;
    /// Of the island, where it is the lowest: some may be left out
    bool rests;
    /// Held by pixels, not at rest
    bool roused;
    /// Scratch of solver_body.c: how far what it does concerns others
    int hops;
    /// Scratch of contact_solver.c
    int hop;
    /// Scratch of packing
    int turns;
    /// How fast it may get in the rest of the step, squeezed as it is; 0: as it will [px/s]
    double bound;
    /// One more than the kinematic body that squeezed it in this step; 0: none
    int crusher;
    /// Scratch of squeeze.c: the first that holds it, or -1
    int held;
} pv__solver_state;

/// State of a body that may be squeezed, by mover; of those that press each other the lowest has
/// the sums.
typedef struct pv__squeeze {
    /// The lowest of them
    int root;
    /// Of its contacts among the world's, or -1
    int first;
    /// 0: it is not, nor is what is near it
    int near;
    /// A bit for each of eight directions in which something immovable presses
    unsigned sides;
    /// The same of something kinematic
    unsigned led;
    /// Something kinematic presses them towards something immovable
    bool jammed;
    double mass;
    /// Of what presses so [px/s]
    double speed;
    /// The deepest that presses so, or -1
    int by;
    /// How deep [px]
    double by_depth;
    /// Of its own contacts, the deepest [px]
    double deep;
} pv__squeeze;

/// A contact of a body that is jammed.
typedef struct pv__pinch {
    /// Of the same body, or -1
    int next;
    /// Into the body; from its center to the contact [px]
    pv_vec2 normal, arm;
} pv__pinch;

/// From the centers of both bodies of a pair to a point [px].
typedef struct pv__levers {
    pv_vec2 a, b;
} pv__levers;

/// Contact point of a pair by pixels.
typedef struct pv__point {
    /// [px]
    pv_vec2 place;
    /// Accumulated in the substep, kept to start the next one [mass px/s]
    double impulse_n, impulse_t;
    /* scratch of the solve stage */
    pv__levers arm;
    double mass_n, mass_t, target, static_friction, kinetic_friction;
} pv__point;

typedef struct pv__pair {
    /// A < b
    int a, b;
} pv__pair;

/// A pair that does not press, in a world of pixels.
typedef struct pv__passing {
    pv__pair pair;
    uint32_t generation_a, generation_b;
    /// In which it was judged
    uint64_t step;
    bool until_apart;
} pv__passing;

/// A contact's spring.
typedef struct pv__spring {
    /// As in pv__batch
    double rate, softness;
    /// Share of what is too deep that is parted in a substep
    double parting;
} pv__spring;

/// Mixed material of a pair.
typedef struct pv__material {
    double restitution, static_friction, kinetic_friction, rolling;
    /// At which a's surface runs past b's along the tangent, the normal turned clockwise [px/s]
    double belt;
} pv__material;

/// One touching pair; a < b.
typedef struct pv__contact {
    int a, b;
    /// The mean of the shared pixels, and from a to b
    pv_vec2 point, normal;
    /// Already before the substep
    bool overlapped;
    /// It did not touch in the substep before
    bool fresh;
    /// The fastest of its points [px/s]
    double approach;
    /// Step in which it was told to be hit
    uint64_t hit;
    /// All impulses of the step that no hit has been told with yet [mass px/s]
    double given;
    /// The substep would have made its pixels meet
    bool stopped;
    /// How far to push apart what overlapped, giving no speed [px]
    double push;
    /// Of the substep's motion until they touched
    double fraction;
    /// It was hit faster than the bounce speed
    bool bounces;
    /// The least exit speed along the normal [px/s]
    double parting;
    /// Along the normal since the pixels last met, by what the bodies moved [px]
    double gap;
    int64_t overlap;
    /// How far along the normal it reaches, roughly [px]
    double depth;
    pv__material material;
    /// Angular; accumulated in the substep, and what a unit of relative spin takes
    double roll_impulse, roll_mass;
    /// The ends of a flat patch, or the mean alone
    pv__point points[2];
    int count;
} pv__contact;

/// Something that does not move and whose box a body's meets.
typedef struct pv__ground {
    int body;
    /// Of the same body's, or -1
    int next;
} pv__ground;

#define PV__MANIFOLD_POINTS 8

/// Contact point of two contours.
typedef struct pv__contact_point {
    /// Centers of curvature, from the body's center, in its own rotation [px]
    pv_vec2 anchor_a, anchor_b;
    /// From a to b
    pv_vec2 normal;
    /// Of the last substep [mass px/s]
    double impulse_n, impulse_t;
    /// When it was found [px]
    double gap;
    /// Of the surfaces there; 0: the anchor is on the surface [px]
    double radius_a, radius_b;
    /// Of the last substep [mass px^2/s]
    double impulse_roll;
    /// Names the vertex
    int key;
    bool slides;
} pv__contact_point;

/// Impulse of some points of a pair in a part of a step, hit or not.
typedef struct pv__impact {
    /// Slot
    int manifold;
    /// In which it was told
    int order;
    /// Fastest approach [px/s], all impulses together [mass px/s]
    double speed, impulse;
    /// Of the impulse, what points gave that came in faster than the hit speed
    double share;
    /// By that share, on the heavier one, from its center and in its own rotation [px]
    pv_vec2 at;
    /// By that share, from a to b
    pv_vec2 normal;
} pv__impact;

/// Manifold of a pair whose contours are near; a < b.
typedef struct pv__manifold {
    int a, b, count;
    uint32_t generation_a, generation_b;
    /// In which its boxes met last
    uint64_t step;
    bool made;
    /// How far its points may move until it is too old [px]
    double foreseen;
    /// How far apart the contours were, as far as that was looked for [px]
    double clearance;
    /// Poses that it was made for
    pv_vec2 apart;
    pv_rotation turn_a, turn_b;
    pv__material material;
    /// One cannot be moved, and one is so thin that pixels alone keep the pair apart
    bool slight;
    /// Something was given in this step
    bool pressed;
    /// And faster than the world's hit speed
    bool hit;
    /// When the last step ended
    bool touches;
    /// Judged so: it does not press in this step
    bool passes;
    /// Nor in the next ones
    bool until_apart;
    /// In this step
    bool judged;
    /// How many of its points are in lanes
    int packed;
    /// In which, part by part
    int lanes[PV__MANIFOLD_POINTS / 2];
    /// PV__MANIFOLD_POINTS of the world's presses
    pv__contact_point *points;
} pv__manifold;

/// Speed of rims up to which pairs are found in one step out of eight [px/s]: the way until then is
/// less than the room in boxes.
#define PV__HELD_SPEED 2

/// Depth from which on two discs are parted along the way that was found [px].
#define PV__DISC_DEPTH 0.25

/// Tells whether a manifold is of two discs that hardly overlapped when it was found: its normal is
/// measured in every substep. Only what a snapshot holds may decide this, for a restored world
/// packs its blocks anew.
static inline bool pv__manifold_is_of_discs(const pv__manifold *m) {
    const pv__contact_point *p = m->points;
    return m->count == 1 && p->radius_a > 0 && p->radius_b > 0 && p->gap > -PV__DISC_DEPTH;
}

/// When a pair of the step has to be looked at.
typedef struct pv__schedule {
    /// Of its manifold
    int slot;
    /// Substep
    int due;
    /// Bodies
    int a, b;
    bool fast;
} pv__schedule;

/// A manifold that is found or judged anew in a substep: detection marks it, and the solver takes
/// it up after that.
typedef struct pv__update {
    /// Its place in watches
    int watch;
    /// Of the manifold
    int slot;
    /// Found anew; else judged alone
    bool find;
    /// It had points, which are in blocks
    bool had;
    /// The way of the pair in the substep, and since the manifold was found [px]
    double each, moved;
} pv__update;

/// A box in whole pixels, counted as broad_phase.c does.
typedef struct pv__frame {
    uint32_t left, top, right, bottom;
} pv__frame;

/// A body as the grids that find pairs see it.
typedef struct pv__proxy {
    pv__frame frame;
    /// Its cell
    uint32_t x, y;
    /// In the cell's chain, or -1
    int next;
    /// Cells are 2^level px wide
    uint8_t level;
    /// Rests, and stands in its cell's chain
    bool linked;
    /// It was dynamic and no sensor when it was fitted: others need not be to touch it
    bool seeks;
    /// It was a sensor then: it is in no pair
    bool senses;
    /// In the list of such
    bool displaced;
} pv__proxy;

/// Box of a body in the grid, and its links in lists.
typedef struct pv__place {
    /// Holds the body until pairs are found anew [px]
    pv_box box;
    /// In the cell's chain, or -1
    int previous;
    /// Or -1
    int next_displaced;
} pv__place;

/// An awake body in its row of cells.
typedef struct pv__entry {
    pv__frame frame;
    /// Of its cell
    uint32_t y;
    int body;
} pv__entry;

/// A mask that snapshots name.
typedef struct pv__kept_mask {
    /// With a reference; null where it was forgotten
    pv_mask *mask;
    /// Of its pixels
    uint64_t digest;
    /// Scratch: some body has it
    bool used;
    /// Scratch: one that has it, and more; -1 for none yet
    int body;
    /// What a body of it was made of when it was saved, with its sums; the map is only known by its
    /// id
    pv__material_view weighed;
} pv__kept_mask;

/// A material map that snapshots name.
typedef struct pv__kept_map {
    /// With a reference; null where it was forgotten
    pv_material_map *map;
    /// Scratch: some body has it
    bool used;
} pv__kept_map;

/// One of those that a crowded body is kept from, and how far apart both are, as pair_limit.c has
/// it.
typedef struct pv__crowd_mate {
    double apart;
    int other;
} pv__crowd_mate;

#define PV__CROWD_KEPT 8

/// Crowd around a body.
typedef struct pv__crowd {
    /// That it is in now [px]
    pv_box box;
    /// Part of the box that its pixels are
    double fill;
    /// How many times over all that is there would cover the box
    int64_t layers;
    /// There is no room for them
    bool full;
    /// It meets what cannot be moved
    bool grounded;
    /// How fast it may get in the step, if it is full [px/s]
    double fastest;
    /// The first of its mates among the world's, if it is full
    int mates;
    /// Of these, PV__CROWD_KEPT at most
    int count;
} pv__crowd;

/// An array that grows.
typedef struct pv__list {
    void *items;
    int count, capacity;
} pv__list;

/// A sensor and a body whose boxes met in a step.
typedef struct pv__stay {
    pv_body_id sensor, visitor;
    /// They share a pixel
    bool inside;
} pv__stay;

/// One that holds a body.
typedef struct pv__hold {
    /// Of the same body, or -1
    int next;
    /// Which one
    int other;
    /// Into the body
    pv_vec2 normal;
    /// [px]
    double depth;
} pv__hold;

/// Events of the last step, and what they need of the one before.
typedef struct pv__events {
    /// Of pv_contact_event
    pv__list begins, ends;
    /// Of pv_hit_event
    pv__list hits;
    /// Of pv__impact: what hits are made of
    pv__list blows;
    /// Of pv_sensor_event
    pv__list enters, leaves;
    /// Of pv_body_id
    pv__list sleeps, wakes, strays;
    /// Int: bodies that fell asleep or woke since this was told
    pv__list changed;
    /// Int: bodies that are
    pv__list sensors;
    /// Of pv__stay, sorted by sensor and visitor
    pv__list inside;
    /// Of pv__stay: scratch
    pv__list tested, staying;
    /// pv_contact_event: contacts of pixels when the last step ended
    pv__list touching;
    /// Of pv_contact_event: scratch of the same
    pv__list met, spare;
    /// Of pv_crush
    pv__list crushes;
    /// Of pv_body_id
    pv__list releases;
    /// Number of bodies and particles that the step has stopped short of the finite numbers
    int frozen_count;
    /// Of pv__hold: scratch of squeeze.c
    pv__list holds;
    /// Of pv_split_event, of pv_dirty_rect
    pv__list splits, dirt;
    /// Of the same: what the next step will tell
    pv__list new_splits, new_dirt;
    /// Some body is
    bool unseen;
    /// Sensors could not look for lack of memory: everything is unseen
    bool blind;
} pv__events;

typedef struct pv__level {
    int count;
    /// Side of the largest frame that has been there since it was empty [px]
    uint32_t widest;
    /// Around all these
    pv__frame extent;
} pv__level;

typedef struct pv__levels {
    pv__level at[31];
    /// A bit for each that is not empty
    uint32_t used;
} pv__levels;

typedef struct pv__grid {
    /// By body
    pv__proxy *proxies;
    pv__place *places;
    /// What was found; room for one more than all bodies
    int *near;
    /// First resting body of each slot, or -1; a power of two of them
    int *chains;
    /// First entry of each slot
    int *starts;
    pv__entry *entries;
    int proxy_capacity, place_capacity, near_capacity, chain_count, start_capacity, entry_capacity;
    int slots, entry_count;
    /// Awake bodies, with those that are no entry
    int fitted;
    /// A bit for each level that has entries
    uint32_t laid;
    /// Head of the list of bodies that came, went, fell asleep or were put elsewhere, or -1
    int displaced;
    pv__levels awake, resting;
} pv__grid;

/// Place of a body in the index: up to four cells of a level in which none is smaller than its box.
typedef struct pv__index_spot {
    /// Of its picture [px]
    pv_box box;
    /// In the chain of each cell, from the upper left one, or -1; see query_index.c
    int next[4];
    /// The upper left cell
    uint32_t x, y;
    /// Cells are 2^level px wide
    uint8_t level;
    /// Level that it is on or above, by how many there were around when it came
    uint8_t least;
    /// 1: it reaches into the next cell to the right, down
    uint8_t wide, tall;
    bool listed;
} pv__index_spot;

/// The index in which queries look bodies up.
typedef struct pv__index {
    /// By body
    pv__index_spot *spots;
    /// The first of each slot, or -1; a power of two of them
    int *chains;
    int spot_capacity, chain_count;
    /// Bodies of each level
    int counts[32];
    /// A bit for each level that is not empty
    uint32_t used;
    /// Bodies move: a step is under way
    bool stale;
} pv__index;

struct pv_world {
    pv_world_def def;
    /// Of the last substep, which scales now - before; [s]
    double dt;
    /// Of the running step
    int substeps;
    /// Length of the running substep [s]
    double h;
    /// Of contacts in it, and of those with a body that cannot be moved
    pv__spring spring, fixed_spring;
    /// Bodies of each pace in this step
    int paced[3];
    uint64_t steps;

    /// Slots; a free one has an even generation
    pv__body *bodies;
    /// body_free: head of the free slots' list through island, or -1
    int body_count, body_capacity, body_free;
    /// The body that was made last: the next one may be alike
    int made;
    /// Room for the next one, or null
    pv__body_pixels *spare_guise;
    /// By body, in a world of pixel contacts
    pv__pixel_motion *pixel_motions;
    int pixel_motion_capacity;

    pv__grid grid;
    pv__index index;
    /// Scratch: how many pairs of the step a body is in
    int *around;
    /// By body, of those that the step's pairs name, when some are crowded
    pv__crowd *crowds;
    pv__crowd_mate *mates;
    int around_capacity, crowd_capacity, mate_capacity;
    /// Some body is, in this step
    bool crowded;
    /// Spare: scratch of sorting
    pv__pair *pairs, *spare_pairs;
    int pair_count, pair_capacity, spare_pair_capacity;
    pv__contact *contacts, *old_contacts;
    pv__ground *grounds;
    int ground_count, ground_capacity;
    /// Of islands, by their roots; scratch of bitmap_solver.c
    struct pv__ledger *ledgers;
    int ledger_capacity;
    int contact_count, contact_capacity, old_contact_count, old_contact_capacity;

    /// Slots; a free one has a < 0 and the next free one in b
    pv__manifold *manifolds;
    int manifold_count, manifold_capacity, manifold_free;
    /// PV__MANIFOLD_POINTS of each slot: those who look at all manifolds need not come by them
    pv__contact_point *presses;
    int press_capacity;
    /// Slots by their pair, or -1; a power of two of them
    int *table;
    int table_size;
    /// Slots of the step's pairs, sorted by pair, and of the last step's
    int *active, *was_active;
    int active_count, active_capacity, was_active_count, was_active_capacity;
    /// Of those of active that are still stepped
    pv__schedule *watches;
    int watch_count, watch_capacity;
    /// Manifolds that are marked in this substep
    pv__update *updates;
    int update_count, update_capacity;
    /// Sorted by pair
    pv__passing *passing;
    int passing_count, passing_capacity;
    /// Some body has been one-way, or the caller judges contacts
    bool judges;
    /// Some body, particle or polygon has had a filter of its own
    bool filtered;
    /// Some body was driven to a place in this step or the last one
    bool drives;
    /// Bodies woke or were destroyed since the last step: manifolds that slept may have to go
    bool stale;

    /// Bodies that are awake, in order
    int *awake;
    int awake_count, awake_capacity;
    /// A body woke, fell asleep, came or went since awake was made
    bool roster_stale;
    /// Those of awake that are still being stepped
    int *restless;
    int restless_count, restless_capacity;
    /// Of awake: sensors that go through the step in one stride, and others that do
    int flown_count, flying_count;
    /// By body, the first being an immovable one that empty lanes use
    pv__solver_body *movers;
    pv__solver_state *courses;
    int mover_capacity, course_capacity;
    struct pv__batch *blocks;
    int block_count, block_capacity;
    /// Blocks that are solved, in order
    int *sweep;
    int sweep_count, sweep_capacity;
    /// Blocks that are solved to convergence in this substep
    struct pv__load *loaded;
    int loaded_count, loaded_capacity;
    /// What rests is left out of it
    bool narrowed;
    /// Blocks that stand in order; the others came later
    int laid_count;
    struct pv__batch_part *packed;
    int packed_count, packed_capacity;
    /// What sweeps may still cost in this step
    int64_t sweep_work;
    /// Bodies that have left their boxes in this step
    int *enlarged;
    int enlarged_count, enlarged_capacity;
    /// Bodies that enlarged boxes may still find in this step
    int64_t enlarge_budget;
    /// A pair moves so far in a substep that soft contacts may not stop it
    bool fast;
    /// This step's pairs are those of the last one
    bool held;
    /// Watches are those of the step's pairs
    bool watched;
    /// Islands of courses are those of the last step's pairs
    bool joined;
    /// After the first substep of the last step, all was quiet
    bool rested;
    /// Blocks hold all that the last step's pairs press, in order, and nothing has changed since
    bool laid;
    /// What is in blocks is not what has to be solved
    bool repack;
    const struct pv__batch_kernel *lanes;
    const struct pv__stick_kernel *stick_kernel;

    /// By mover: matter or a blow has changed its velocity by much, so its pairs have to be looked
    /// at
    bool *jolts;
    int jolt_capacity;
    /// Some is
    bool jolted;

    /// By mover; scratch of a substep
    pv__squeeze *squeezes;
    /// Contacts of these
    pv__pinch *pinches;
    int squeeze_capacity, pinch_capacity, pinch_count;
    /// Bodies that were crushed in the last step
    int crushes;
    /// Something kinematic is in a pair of the step
    bool kinematics;
    /// Something is pressed from two sides that do not give way, in this substep
    bool jammed;
    /// Something was squeezed in this step
    bool squeezed;

    pv__matter matter;

    pv__events events;
    /// There has been a sensor
    bool senses;

    /// Of all snapshots
    pv__kept_mask *masks;
    int mask_count, mask_capacity;
    /// The same
    pv__kept_map *maps;
    int map_count, map_capacity;
    /// There has been a body with a map
    bool mapped;
    /// What is laid is not in blocks: they were not saved
    bool restored;

    /// Bitmaps of poses in between
    pv__bitmap scratch[2];
    pv_world_profile profile;
    /// When the stage began that is being timed [s]
    double lap;
    /// Memory failed in the running step, so that contacts or events were left out
    bool out_of_memory;
};

/// Tells whether two bodies of one of the step's pairs are both crowded.
static inline bool pv__pair_is_crowded(const pv_world *world, int a, int b) {
    return world->crowded && world->crowds[a].full && world->crowds[b].full;
}

/// Tells whether, besides, one of them may be pushed into what cannot be moved.
static inline bool pv__pair_is_pressed(const pv_world *world, int a, int b) {
    return pv__pair_is_crowded(world, a, b) &&
           (world->crowds[a].grounded || world->crowds[b].grounded);
}

static inline bool pv__body_is_alive(const pv__body *b) { return b->generation & 1; }

/// Tells whether it lives and is enabled: what is not can neither move nor be met.
static inline bool pv__body_is_present(const pv__body *b) {
    return (b->generation & 1) && !b->disabled;
}

/// Tells whether others can touch it.
static inline bool pv__body_is_solid(const pv__body *b) {
    return pv__body_is_present(b) && !b->sensor;
}

/// Tells whether a moves less by what both give each other; of two alike the first one.
static inline bool pv__body_is_heavier(const pv__body *a, const pv__body *b) {
    return a->inverse_mass <= b->inverse_mass;
}

/// Thickness of what contours hold apart by themselves: half of it, at the thickest place [px].
#define PV__THICK 1.75

/// Tells whether a body is so thin that its contour may not tell its sides.
static inline bool pv__body_is_thin(const pv__body *b) {
    return b->guise->shape->core_depth < PV__THICK;
}

/// Returns what of a direction its locks leave.
static inline pv_vec2 pv__body_unlocked(const pv__body *b, pv_vec2 v) {
    return (pv_vec2){b->locks & PV_LOCK_X ? 0 : v.x, b->locks & PV_LOCK_Y ? 0 : v.y};
}

/// Returns how much speed along n, of length 1, a unit of impulse along n gives its center.
static inline double pv__body_center_yield(const pv__body *b, pv_vec2 n) {
    if (!(b->locks & (PV_LOCK_X | PV_LOCK_Y))) return b->inverse_mass;
    pv_vec2 free = pv__body_unlocked(b, n);
    return b->inverse_mass * pv__dot(free, free);
}

/// Tells whether it is driven to a place in this step.
static inline bool pv__body_is_driven(const pv_world *world, const pv__body *b) {
    return b->drive.step == world->steps + 1;
}

/// Returns what torques give its spin [rad/s^2].
static inline double pv__body_angular_acceleration(const pv_world *world, const pv__body *b) {
    if (b->type != PV_BODY_DYNAMIC) return pv__body_is_driven(world, b) ? b->drive.twist : 0;
    return b->torque * b->inverse_inertia;
}

/// Returns what gravity and forces give it, or what drives it [px/s^2].
static inline pv_vec2 pv__body_acceleration(const pv_world *world, const pv__body *b) {
    if (b->type != PV_BODY_DYNAMIC)
        return pv__body_is_driven(world, b) ? b->drive.acceleration : (pv_vec2){0, 0};
    pv_vec2 gravity = pv__mul(b->gravity_scale, world->def.gravity);
    return pv__body_unlocked(b, pv__mad(gravity, b->inverse_mass, b->force));
}

static inline bool pv__body_is_damped(const pv__body *b) {
    return b->linear_damping > 0 || b->angular_damping > 0;
}

/// The part of a way that damping leaves for the next substep.
static inline double pv__kept(double damping, double h) { return 1 - pv__min(1, damping * h); }

static inline pv_body_id pv__handle_of_body(const pv_world *world, int index) {
    return (pv_body_id){(uint32_t)index + 1, world->bodies[index].generation};
}

/// From its mask to the world; by this its pixels are drawn and judged.
static inline pv_transform pv__body_transform(const pv__body *b, pv__pose pose) {
    return (pv_transform){pose.center, pose.turn, b->guise->picture_pivot, b->guise->scale};
}

/// From its form, and its shape, to the world.
static inline pv_transform pv__body_form_transform(const pv__body *b, pv__pose pose) {
    return (pv_transform){pose.center, pose.turn, b->guise->pivot, {1, 1}};
}

/// Tells whether the running substep is a long one.
static inline bool pv__world_is_brisk(const pv_world *world) { return world->h > world->dt; }

/// Gap beyond which a contact ends [px].
#define PV__TOUCHING 0.1

#endif
