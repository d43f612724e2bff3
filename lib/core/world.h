/* world.h - the structures of a world; included by files of the library only.
 *
 * Invariant: between calls every body's numbers are finite and within PV_MAX_COORDINATE. Its
 * particles are half_stick from the center each, along its rotation; contacts are sorted by pair.
 * Everything is visited in order of index or pair, never of address, so a run repeats bit for bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_WORLD_H
#define PV_CORE_WORLD_H

#include "base/base.h"
#include "base/math.h"
#include "base/thread.h"
#include "core/grains.h"
#include "core/matter.h"
#include "pixel/bits.h"
#include "pixel/material_map.h"
#include "shape/shape.h"

/// Pose of a body: center of mass and rotation
typedef struct pv__pose {
    pv_vec2 center;
    pv_rotation turn;
} pv__pose;

/// Collision bitmap of a body in some pose; upright ones borrow the mask's words
typedef struct pv__bitmap {
    /// World pixel of the bits' pixel (0, 0)
    int x, y;
    pv__bits bits;
    /// Owned words, used if the body is turned
    uint64_t *room;
    /// Capacity of room, in words
    int capacity;
    bool valid;
} pv__bitmap;

/// Motion requested with pv_body_move_to()
typedef struct pv__drive {
    /// Step of the motion; 0: none
    uint64_t step;
    /// Mean velocity of that step [px/s]
    pv_vec2 velocity;
    /// Mean angular velocity of that step [rad/s]
    double spin;
    /// Change of the velocity since the step before [px/s]
    pv_vec2 change;
    /// Change of the angular velocity since the step before [rad/s]
    double turn;
    /// Acceleration within the step [px/s^2]
    pv_vec2 acceleration;
    /// Angular acceleration within the step [rad/s^2]
    double twist;
} pv__drive;

/// Motion of a body's center, and angular velocity
typedef struct pv__outlook {
    pv_vec2 center, velocity;
    double spin;
} pv__outlook;

/// Pixels of a body and derived data. Bodies of a world that are created alike share one.
typedef struct pv__body_pixels {
    pv_mask *mask;
    /// Mask scaled to the body's scale, see pv__scaled_mask; with a reference of its own
    pv_mask *form;
    /// Shape of the scaled mask; null in a world of pixel contacts
    const pv__shape *shape;
    /// Scale of the picture; (1, 1): unscaled
    pv_vec2 scale;
    /// Center of mass in the scaled mask, and so in the shape [px]
    pv_vec2 pivot;
    /// Center of mass in the mask [px]
    pv_vec2 picture_pivot;
    /// Distance of the picture's farthest corner from the center of mass [px]
    double reach;
    /// Radius of a solid disc around its center of mass in a world of pixel contacts; 0: other
    /// pixels [px]
    double round_radius;
    /// Number of solid pixels of the scaled mask
    double area;
    /// Ratio of mass to density: the area, with pixels weighted with their density's share of 255
    double weight;
    /// Inertia for a mass of weight
    double inertia;
    /// Materials of the mask's pixels, with a reference
    pv__material_view materials;
    pv_collider stand_in;
    /// Index of the mask among the world's saved masks; -1: not saved
    int mask_id;
    /// Number of bodies and other holders of this struct
    int wearers;
} pv__body_pixels;

/// Poses at the end of a substep, from the farthest to the nearest: moved on with the exit velocity,
/// at the touch, at the origin but moved on by whole pixels, at the origin
typedef enum pv__retreat {
    PV__RETREAT_NONE,
    PV__RETREAT_TOUCH,
    PV__RETREAT_WHOLE,
    PV__RETREAT_ORIGIN,
} pv__retreat;

/// State of a body in a world of pixel contacts
typedef struct pv__pixel_motion {
    /// Fraction of the substep's motion up to the first touch
    double fraction;
    /// Motion at the end of the substep without contacts
    pv__outlook outlook;
    /// Pose at the start of the substep, and pose at the touch
    pv__pose origin, touch;
    /// First of the body's grounds among the world's, or -1
    int grounds;
    pv__retreat retreat;
    /// True if the body has been stopped for some time
    bool jammed;
    /// True if the body overlaps and is pushed out, so that obstacles have to give way, too
    bool overlaps;
    /// True if the motion was negligible and the body stays at the origin
    bool lingers;
    /// Bitmap of the current pose, and of the pose at the start of the substep
    pv__bitmap bitmap_now, bitmap_before;
} pv__pixel_motion;

typedef struct pv__body {
    /* motion: two particles of half the mass, now and one substep before (Jakobsen 2001) */
    pv_vec2 now[2], before[2];
    /// Radius of gyration of the pixels, sqrt(inertia / mass) [px]
    double half_stick;

    /* numbers of every body in a snapshot, in its order */
    /// Pose of now
    pv__pose pose;
    /// Pose at the last test for rest
    pv__pose still_pose;
    /// Pose at the test before
    pv__pose earlier_pose;
    /// Known time at rest [s]
    double still;
    /// Substep that made now - before [s]; 0 if the velocity was set since
    double verlet_dt0;
    double mass, inertia;
    pv__material material;
    /// Time between the two tests, 0 for the first one [s]
    double still_span;
    /// Time since the last test [s]
    double still_since;
    /// Rim speed at the last test, or its change since the test before if that is greater [px/s]
    double pace;

    /// Acceleration of the last substep from gravity and forces [px/s^2]
    pv_vec2 acceleration;
    pv_vec2 force;
    double torque;

    /* numbers that most bodies leave at their defaults */
    double gravity_scale, linear_damping, angular_damping;
    double tangent_speed, rolling_resistance;
    /// Time for which contacts stopped the body in place [s]
    double stuck;
    /// One-way direction in the body's own rotation
    pv_vec2 one_way;

    /* data that every step reads */
    /// Inverse mass and inertia; 0 for a body that contacts cannot move
    double inverse_mass, inverse_inertia;
    /// Generation, odd while alive
    uint32_t generation;
    pv_body_type type;
    /// Place in the list of sensors, if it is one
    int sensor_place;
    /// Island of bodies that fell asleep together; -1: awake
    int island;
    /// Next body of its sleeping island, in a ring; itself while it is awake
    int island_next;
    /// Some of PV_LOCK_
    uint8_t locks;
    bool awake, sensor, disabled;
    /// True if a substep ended with the body in place, so that only contacts have moved it since
    bool settled;
    /// True if it touched another body in the last substep
    bool touched;
    /// True if it was integrated in this substep
    bool moved;
    /// Last published state of sleep; without a sleep event it is awake
    bool told_awake;
    /// True if it fell asleep or woke since, and is listed
    bool changed;
    /// True if it is outside the world's bounds
    bool outside;
    /// True if sensors have to test it, though it may rest
    bool unseen;
    /// One more than the last step in which it was reported as crushed; 0: not crushed
    uint64_t crushed;
    /// One more than the last step in which it was over the pair limit; 0: never
    uint64_t crowded;
    /// One more than the last step in which its solver body was made at rest
    uint64_t gathered;
    /// One more than the last step in which matter could move it, so that it stays active
    uint64_t loaded;

    union { /* scratch, of one stage at a time */
        /// Scratch of sleep
        struct {
            /// Least time at rest and greatest pace of an island, kept at its root
            double still, pace;
            /// True if the body rests on an immovable one
            bool borne;
        } lair;
        /// Scratch of collision detection, solver and backtracking
        struct {
            pv_vec2 velocity;
            double spin;
        };
    };
    /// Pixel motion among the world's; null in a world of contours
    pv__pixel_motion *pixel_motion;

    /* identity */
    /// Pixels, shared
    pv__body_pixels *pixels;
    /// Digest of the mask's pixels after a change; 0: never changed
    uint64_t looks;
    /// Number of constraints that hold it
    int joint_count;
    pv_filter filter;
    pv_fracture_def fracture;
    void *user_data;
    pv__drive drive;

    /* for the events */
    /// Pose at the start of the step, if there are sensors
    pv__pose began;
} pv__body;

/// Four numbers side by side, the type of contact_batch.h
typedef double pv__four __attribute__((vector_size(32), aligned(8)));
/// Upper halves of four numbers, where 20 bits behind the first one suffice
typedef int32_t pv__four_halves __attribute__((vector_size(16), aligned(8)));

/// Four truth values, of all bits or none
typedef int64_t pv__which __attribute__((vector_size(32), aligned(8)));

/// Body in the solver: hot and small
typedef struct pv__solver_body {
    /// Velocity x, y, and angular velocity: the chord of the last substep; radius in which turning
    /// moves the surface [px]
    pv__four motion;
    /// Center x, y, cosine and sine of the rotation
    pv__four pose;
} pv__solver_body;

/// State of a solver body that is used once a substep or once a step
typedef struct pv__solver_state {
    /// Gain of motion in a substep from gravity and forces
    pv__four gain;
    /// Motion when the step began
    pv__four was;
    /// Pose when the substep began
    pv__four from;
    /// Motion in the substep before contacts were solved
    pv__four unsolved;
    /// Distance of the farthest point from the center [px]
    double reach;
    /// Length of the last substep [s]
    double h;
    /// Bound of the rim's speed in the substep [px/s]
    double rim_speed;
    /// Change of the rim's velocity in the substep [px/s]
    double gained;
    /// Scratch of wake_reached.c: bounds of twice the energy that it may have in the next substep
    /// [mass px^2/s^2], and of its displacement then [px]
    double energy, way;
    /// Greatest speed for the rest of the step while squeezed; 0: no bound [px/s]
    double bound;
    /// Greatest rim speed of the island, kept at its lowest solver body [px/s]
    double fastest;
    /// Inverse masses of the lightest and the heaviest body of the island, kept at its lowest
    /// solver body
    double lightest, heaviest;
    /// Scratch of contact_batch.c: a bit for each of the first batch levels in use for the body
    uint64_t taken;
    /// Scratch of contact_batch.c: number of batch levels up to the last one in use for the body
    int turns;
    /// A lower solver body of its island, or itself; 0: immovable
    int island;
    /// Number of its group of islands from 1 on; 0: it is not awake
    int group;
    /// Numbers of bodies and of active ones in the island, kept at its lowest solver body
    int members, restless;
    /// Number of fast bodies in the island, kept at its lowest solver body
    int swift;
    /// Scratch of solver_body.c: number of contacts over which its motion keeps others active
    int hops;
    /// Scratch of contact_solver.c: contacts from a loaded body, plus 1
    int hop;
    /// One more than the index of the kinematic body that squeezed it in this step; -1: it lies in
    /// an immovable one; 0: none
    int crusher;
    /// Number of substeps of its flight through all of them in one stride; 0: it does not fly
    int flight;
    /// Scratch of squeeze.c: first of the contacts that hold it, or -1
    int held;
    /// Scratch of island_group.c: true if it is active in a group that waits
    bool waits;
    /// Strip of its position, see strips.c
    uint8_t strip;
    bool damped;
    /// True if nothing except the gain changes its motion: no damping, no pair, no matter
    bool free;
    /// True if it is inactive: not stepped any more
    bool quiet;
    /// True if it carried load when the step began
    bool pressed;
    /// True if a kinematic body touches the island
    bool led;
    /// True if it is slow enough to be inactive; true if the island is supported by an immovable
    /// body
    bool slow, anchored;
    /// True if some bodies of the island may be inactive, kept at its lowest solver body
    bool rests;
    /// True if pixels held it, so that it is not at rest
    bool roused;
    /// Scratch of broad_phase.c: true if it has left its box
    bool left;
    /// Scratch of pixel_stop.c: true if pixels stopped it since the sweeps in advance
    bool stopped;
    /// Scratch of pixel_stop.c: true if a stop moved it with another body; true if a wall stopped it
    /// in this round; true if it is a wall to others
    bool carried, held_up, pinned;
} pv__solver_state;

/// Poses of a solver body in a world with matter
typedef struct pv__pull {
    /// Pose before matter moved the body in the substep, and pose after it
    pv__four before, after;
} pv__pull;

/// State of a body that may be squeezed, by solver body. The lowest of several bodies in contact
/// has their sums.
typedef struct pv__squeeze {
    /// Lowest body of the group in contact
    int root;
    /// First of its contacts among world->pinches, or -1
    int first;
    /// Nearness to a squeezed body in contacts, counted down; 0: not near
    int near;
    /// A bit for each of eight directions in which an immovable body pushes
    unsigned sides;
    /// Same bits for moving kinematic bodies and deep contacts
    unsigned led;
    /// True if a kinematic body pushes the group towards an immovable one
    bool jammed;
    double mass;
    /// Greatest speed of the kinematic bodies that push [px/s]
    double speed;
    /// Index of the deepest kinematic body that pushes, or -1
    int by;
    /// Depth in that body [px]
    double by_depth;
    /// Greatest depth of its own contacts [px]
    double deep;
} pv__squeeze;

/// Contact of a body that may be squeezed
typedef struct pv__pinch {
    /// Next contact of the same body, or -1
    int next;
    /// Normal into the body; arm from its center to the contact [px]
    pv_vec2 normal, arm;
} pv__pinch;

/// Arms from the centers of both bodies of a pair to a point [px]
typedef struct pv__levers {
    pv_vec2 a, b;
} pv__levers;

/// Contact point of a pair of pixels
typedef struct pv__point {
    /// Place in the world [px]
    pv_vec2 place;
    /// Impulses accumulated in the substep, kept to start the next one [mass px/s]
    double impulse_n, impulse_t;
    /* scratch of the solve stage */
    pv__levers arm;
    double mass_n, mass_t, target, static_friction, kinetic_friction;
} pv__point;

typedef struct pv__pair {
    /// Indices, a < b
    int a, b;
} pv__pair;

/// Pair that presolve lets pass, in a world of pixels
typedef struct pv__passing {
    pv__pair pair;
    uint32_t generation_a, generation_b;
    /// Step of its presolve
    uint64_t step;
    bool until_apart;
} pv__passing;

/// Spring of a contact
typedef struct pv__spring {
    /// Coefficients as in pv__batch
    double rate, softness;
    /// Share of the excess depth that is resolved in a substep
    double parting;
} pv__spring;

/// Mixed material of a pair
typedef struct pv__pair_material {
    pv__material mixed;
    /// Rolling resistance [px]
    double rolling;
    /// Speed of a's surface relative to b's along the tangent, the normal turned clockwise [px/s]
    double tangent_speed;
} pv__pair_material;

/// Touching pair; a < b
typedef struct pv__contact {
    int a, b;
    /// Mean of the shared pixels, and normal from a to b
    pv_vec2 point, normal;
    /// True if the bodies overlapped before the substep
    bool overlapped;
    /// True if the pair did not touch in the substep before
    bool fresh;
    /// Greatest approach speed of its points [px/s]
    double approach;
    /// One more than the last step in which it was a hit
    uint64_t hit;
    /// Sum of the step's impulses that no hit event has reported yet [mass px/s]
    double given;
    /// True if the substep would have made its pixels overlap
    bool stopped;
    /// Distance to push overlapping bodies apart, without a change of velocity [px]
    double push;
    /// Fraction of the substep's motion up to the touch
    double fraction;
    /// True if the approach was faster than the restitution threshold
    bool bounces;
    /// Distance along the normal when it was measured, and greatest motion of the bodies since [px]
    double gap, drift;
    int64_t overlap;
    /// Depth of the overlap along the normal, roughly [px]
    double depth;
    pv__pair_material material;
    /// Rolling friction: angular impulse accumulated in the substep, and angular mass
    double roll_impulse, roll_mass;
    /// Ends of a flat patch, or the mean alone
    pv__point points[2];
    int count;
} pv__contact;

/// Immovable body whose box overlaps the box of another body
typedef struct pv__ground {
    int body;
    /// Next ground of the same body, or -1
    int next;
} pv__ground;

/// Greatest number of points of a manifold, and number of those beside its slot
#define PV__MANIFOLD_POINTS 8
#define PV__MANIFOLD_NEAR 2

/// Contact point of two contours
typedef struct pv__contact_point {
    /// Centers of curvature, from the body's center, in its own rotation [px]
    pv_vec2 anchor_a, anchor_b;
    /// Normal from a to b
    pv_vec2 normal;
    /// Impulses of the last substep [mass px/s]
    double impulse_n, impulse_t;
    /// Gap at the last update [px]
    double gap;
    /// Radii of the surfaces at the point; 0: the anchor is on the surface [px]
    double radius_a, radius_b;
    /// Angular impulse of the last substep [mass px^2/s]
    double impulse_roll;
    /// Identifier of the vertex
    int key;
    bool slides;
} pv__contact_point;

/// Impulses of points of a pair in a step, with or without a hit
typedef struct pv__impact {
    /// Greatest approach speed [px/s], and sum of all impulses [mass px/s]
    double speed, impulse;
    /// Part of the impulse from points faster than the hit threshold
    double share;
    /// Sum of places weighted with that part, on the heavier body, from its center, in its own
    /// rotation [px]
    pv_vec2 at;
    /// Sum of normals weighted with that part, from a to b
    pv_vec2 normal;
} pv__impact;

/// Place of a manifold in the contact batches: none, after the earlier manifolds of its bodies, or
/// anywhere
typedef enum pv__lineup { PV__LEFT_OUT, PV__IN_ORDER, PV__IN_ANY_ORDER } pv__lineup;

/// Manifold of a candidate pair of contours; a < b
typedef struct pv__manifold {
    int a, b, count;
    uint32_t generation_a, generation_b;
    /// Number of its points in contact batches
    int packed : 8;
    /// Scratch of contact_batch.c
    pv__lineup lineup : 8;
    bool made;
    /// True if its points are in a block
    bool wide;
    /// True if its contact batches need extra data; scratch of contact_batch.c
    bool extra;
    /// True if one body is immovable, and one is so thin that only pixels keep the pair apart
    bool slight;
    /// True if it exchanged an impulse in this step
    bool pressed;
    /// True if its approach was faster than the world's hit threshold
    bool hit;
    /// True if its batches have reported an impulse in this step
    bool struck;
    /// True if the bodies touched when the last step ended
    bool touches;
    /// True if presolve lets the pair pass in this step
    bool passes;
    /// True if presolve lets the pair pass until it is apart
    bool until_apart;
    /// True if presolve has seen the pair in this step
    bool judged;
    /// True if pixels have held one body at the other, which sleeps, in this step
    bool stops;
    /// Last step in which its boxes overlapped
    uint64_t step;
    /// Motion of its points until the next update [px]
    double foreseen;
    /// Distance of the contours at the last update, up to a limit of the search [px]
    double clearance;
    /// Poses at the last update
    pv_vec2 apart;
    pv_rotation turn_a, turn_b;
    pv__pair_material material;
    /// Points, with room for PV__MANIFOLD_POINTS in a block, or for PV__MANIFOLD_NEAR
    pv__contact_point *points;
    /// Index of block and vector lane for each part
    int lanes[PV__MANIFOLD_POINTS / 2];
    /// Impacts that its batches have reported in this step, if it is struck
    pv__impact impact;
} pv__manifold;

/// Rim speed up to which pairs are found in one step of eight [px/s]. The displacement until then
/// is less than the margin of boxes.
#define PV__HELD_SPEED 2

/// Depth from which two discs are parted along the normal of the last update [px]
#define PV__DISC_DEPTH 0.25

/// Tells whether a manifold is of two discs that hardly overlapped at the last update. Their normal
/// is measured in every substep. Only saved data may decide this, because a restored world packs
/// its batches anew.
static inline bool pv__manifold_is_of_discs(const pv__manifold *m) {
    const pv__contact_point *p = m->points;
    return m->count == 1 && p->radius_a > 0 && p->radius_b > 0 && p->gap > -PV__DISC_DEPTH;
}

/// Entry of the update schedule: a pair of the step
typedef struct pv__schedule {
    /// Slot of its manifold
    int slot;
    /// Substep of the next visit
    int due;
    /// Indices of the bodies
    int a, b;
    /// Relative speed up to which it needs no visit before it is due [px/s]
    double most;
    /// True if pixels test its motion
    bool fast;
    /// Scratch of pixel_stop.c: work of a sweep in advance, and next pair of its chunk with one
    int work, next;
} pv__schedule;

/// Manifold with an update or a presolve in a substep. Detection marks it, and the solver takes it
/// over afterwards.
typedef struct pv__update {
    /// Index in the update schedule; -1 behind the last one of a chunk
    int watch;
    /// Slot of the manifold
    int slot;
    /// True for an update, false for presolve alone
    bool find;
    /// True if it had points, which are in batches
    bool had;
    /// Scratch of contact_batch.c: true if its points keep their lanes, and if a block of theirs has
    /// no extra data yet
    bool alike, lacks;
    /// Motion of the pair in the substep, and since the last update of the manifold [px]
    double each, moved;
} pv__update;

/// Box in whole pixels, counted as in broad_phase.c
typedef struct pv__frame {
    uint32_t left, top, right, bottom;
} pv__frame;

/// Body in the grids of the broad phase
typedef struct pv__proxy {
    pv__frame frame;
    /// Cell
    uint32_t x, y;
    /// Next body in the cell's chain, or -1
    int next;
    /// Level of the cell, which is 2^level px wide
    uint8_t level;
    /// True if it rests and is in its cell's chain
    bool linked;
    /// True if it was dynamic and no sensor at the last fit; only then may others be anything
    bool seeks;
    /// True if it was a sensor at the last fit, and thus in no pair
    bool senses;
    /// True if it is in the list of displaced bodies
    bool displaced;
} pv__proxy;

/// Box of a body in the grid, and its links in lists
typedef struct pv__place {
    /// Box that holds the body until the next search for pairs [px]
    pv_box box;
    /// Previous body in the cell's chain, or -1
    int previous;
    /// Next displaced body, or -1
    int next_displaced;
} pv__place;

/// Awake body in its row of cells
typedef struct pv__entry {
    pv__frame frame;
    /// Row of the cell
    uint32_t y;
    int body;
} pv__entry;

/// Mask in snapshots
typedef struct pv__kept_mask {
    /// Mask, with a reference; null after it was forgotten
    pv_mask *mask;
    /// Digest of its pixels
    uint64_t digest;
    /// Scratch: true if some body has it
    bool used;
    /// Scratch: a body with the mask, or -1
    int body;
    /// Material view of one of its bodies at the last save, with its sums; of the map only the id
    pv__material_view weighed;
} pv__kept_mask;

/// Material map in snapshots
typedef struct pv__kept_map {
    /// Map, with a reference; null after it was forgotten
    pv_material_map *map;
    /// Scratch: true if some body has it
    bool used;
} pv__kept_map;

/// Kept neighbor of a body over the pair limit, and their distance as in pair_limit.c
typedef struct pv__crowd_mate {
    double apart;
    int other;
} pv__crowd_mate;

#define PV__CROWD_KEPT 8

/// Data of a body for the pair limit
typedef struct pv__crowd {
    /// Current box [px]
    pv_box box;
    /// Share of the box that its pixels fill
    double fill;
    /// Number of times that all bodies there would cover the box, in units of pair_limit.c
    int64_t layers;
    /// True if the body is over the pair limit
    bool full;
    /// True if it overlaps an immovable body
    bool grounded;
    /// Greatest speed in the step, if it is over the pair limit [px/s]
    double fastest;
    /// First of its kept neighbors among world->mates, if it is over the pair limit
    int mates;
    /// Number of kept neighbors, PV__CROWD_KEPT at most
    int count;
} pv__crowd;

/// Sensor and body whose boxes overlapped in a step
typedef struct pv__stay {
    pv_body_id sensor, visitor;
    /// True if they share a pixel
    bool inside;
    /// True if one has passed through the other in the step, and they had not shared a pixel
    bool through;
} pv__stay;

/// Contact that holds a body
typedef struct pv__hold {
    /// Next contact of the same body, or -1
    int next;
    /// Index of the other body
    int other;
    /// Normal into the body
    pv_vec2 normal;
    /// Depth [px]
    double depth;
} pv__hold;

/// Events of the last step, and the data that they need of the step before
typedef struct pv__events {
    /// Begin and end events of contacts: pv_contact_event
    pv__list contact_begins, contact_ends;
    /// Hit events: pv_hit_event
    pv__list hits;
    /// Begin and end events of sensors: pv_sensor_event
    pv__list sensor_begins, sensor_ends;
    /// Bodies that fell asleep, woke, or left the bounds: pv_body_id
    pv__list sleeps, wakes, out_of_bounds;
    /// Bodies that fell asleep or woke since the last report: int
    pv__list changed;
    /// Sensors among the bodies: int
    pv__list sensors;
    /// Overlaps of sensors: pv__stay, sorted by sensor and visitor
    pv__list inside;
    /// Scratch of the sensor test: pv__stay
    pv__list tested, staying;
    /// Contacts of pixels when the last step ended: pv_contact_event
    pv__list touching;
    /// Scratch of the contacts of pixels: pv_contact_event
    pv__list met, spare;
    /// Crush events: pv_crush
    pv__list crushes;
    /// Bodies that are no longer crushed: pv_body_id
    pv__list releases;
    /// Number of bodies and particles that the step has stopped short of the finite numbers
    pv__counter frozen_count;
    /// Scratch of squeeze.c: pv__hold
    pv__list holds;
    /// Splits and dirty rects: pv_split_event, pv_dirty_rect
    pv__list splits, dirty_rects;
    /// Splits and dirty rects that the next step will publish
    pv__list new_splits, new_dirt;
    /// True if any body is unseen
    bool unseen;
    /// True if the last sensor test lacked memory, so that every body counts as unseen
    bool blind;
} pv__events;

typedef struct pv__level {
    int count;
    /// Side of the largest frame on the level since it was empty [px]
    uint32_t widest;
    /// Frame around all frames of the level
    pv__frame extent;
} pv__level;

typedef struct pv__levels {
    pv__level at[31];
    /// A bit for each level that is not empty
    uint32_t used;
} pv__levels;

typedef struct pv__grid {
    /// Proxies and places, by body
    pv__proxy *proxies;
    pv__place *places;
    /// Result of a search; room for one more than all bodies
    int *near;
    /// First resting body of each slot, or -1; the length is a power of two
    int *chains;
    /// Number of small resting bodies in the squares of each slot
    int *squares;
    /// First entry of each slot
    int *starts;
    pv__entry *entries;
    int proxy_capacity, place_capacity, near_capacity, chain_count, square_count, start_capacity,
        entry_capacity;
    int slots, entry_count;
    /// Number of awake bodies, including bodies without an entry
    int fitted;
    /// A bit for each level with entries
    uint32_t laid;
    /// First displaced body, or -1: it came, went, fell asleep or was moved
    int displaced;
    pv__levels awake, resting;
} pv__grid;

/// Place of a body in the index: up to four cells of a level whose cells hold its box
typedef struct pv__index_spot {
    /// Box of its picture [px]
    pv_box box;
    /// Next link in the chain of each cell, from the upper left one, or -1; see query_index.c
    int next[4];
    /// Upper left cell
    uint32_t x, y;
    /// Level of the cells, which are 2^level px wide
    uint8_t level;
    /// Lowest level at its entry, which depends on the number of bodies around it
    uint8_t least;
    /// 1: it extends into the next cell to the right, or down
    uint8_t wide, tall;
    bool listed;
    /// Scratch of a step: true if its cells are those of its body
    bool settled;
} pv__index_spot;

/// Index of bodies for queries
typedef struct pv__index {
    /// Spots, by body
    pv__index_spot *spots;
    /// First link of each slot, or -1; the length is a power of two
    int *chains;
    int spot_capacity, chain_count;
    /// Number of bodies on each level
    int counts[32];
    /// A bit for each level that is not empty
    uint32_t used;
    /// True while a step moves the bodies
    bool stale;
} pv__index;

/// Number of pixels that a new body is compared with
#define PV__RECENT 16

/// Bodies of a world.
typedef struct pv__bodies {
    /// Bodies by slot; a free one has an even generation
    pv__body *items;
    /// Number of slots and capacity; first free slot, linked through island, or -1
    int count, capacity, free;
    /// Indices of created bodies of different pixels, which the next one may share, and the oldest
    int recent[PV__RECENT], oldest;
    /// Memory for the pixels of the next body, or null
    pv__body_pixels *spare_pixels;
    /// Pixel motions by body, in a world of pixel contacts
    pv__pixel_motion *pixel_motions;
    int pixel_motion_capacity;
    /// Awake bodies, in order
    int *awake;
    int awake_count, awake_capacity;
    /// True if awake is out of date
    bool awake_stale;
    /// True if some body, particle or polygon has had a filter of its own
    bool filtered;
    /// True if some body was driven to a place in this step or the last one
    bool driven;
    /// True if the world has ever had a sensor
    bool sensing;
    /// True if a body has ever had a material map
    bool mapped;
} pv__bodies;

/// Boxes of bodies, and the candidate pairs of a step.
typedef struct pv__broad_phase {
    pv__grid grid;
    pv__index index;
    /// Scratch: number of the step's pairs with a body
    int *around;
    /// Pair limit data by body, for bodies in the step's pairs
    pv__crowd *crowds;
    pv__crowd_mate *mates;
    int around_capacity, crowd_capacity, mate_capacity;
    /// True if any body is over the pair limit in this step
    bool crowded;
    /// Candidate pairs of the step, and scratch of their sorting
    pv__pair *pairs, *spare_pairs;
    int pair_count, pair_capacity, spare_pair_capacity;
    /// Bodies that have left their boxes in this step
    int *enlarged;
    int enlarged_count, enlarged_capacity;
    /// Number of bodies that enlarged boxes may still find in this step
    int64_t enlarge_budget;
    /// True if this step uses the pairs of the last one
    bool held;
} pv__broad_phase;

/// Scratch memory of a worker
typedef struct pv__worker {
    /// Bitmaps of two bodies
    pv__bitmap bitmaps[2];
    /// Result of a search; room for one more than all bodies
    int *near;
    /// Candidate pairs that it has found
    pv__pair *pairs;
    int near_capacity, pair_capacity, pair_count;
    char apart[PV__OWN_LINES];
} pv__worker;

/// Items of a stage that one worker handles at a time
typedef struct pv__chunk {
    /// Items first ... end - 1
    int first, end;
    /// Chunks of the same level, level_first ... level_end - 1; lower levels come before
    int level_first, level_end;
} pv__chunk;

/// Contacts of a world of pixel contacts.
typedef struct pv__bitmap_contacts {
    pv__contact *contacts, *old_contacts;
    int contact_count, contact_capacity, old_contact_count, old_contact_capacity;
    pv__ground *grounds;
    int ground_count, ground_capacity;
    /// Number of the substep, from 0 on again and again; scratch of backtrack.c
    int turn;
    /// Energy balances of islands by root; scratch of bitmap_solver.c
    struct pv__ledger *ledgers;
    int ledger_capacity;
} pv__bitmap_contacts;

/// Manifolds, and the schedule of their updates.
typedef struct pv__manifolds {
    /// Manifolds by slot; a free one has a < 0 and the next free one in b
    pv__manifold *items;
    int count, capacity, free;
    /// Contact points, PV__MANIFOLD_NEAR of each slot, apart from the manifolds for the speed of
    /// loops over these
    pv__contact_point *points;
    int point_capacity;
    /// Room for more points, see contact_points.h
    struct pv__point_blocks *blocks;
    /// Hash table of slots by pair, or -1; the length is a power of two
    int *table;
    int table_size;
    /// Slots of the step's pairs, sorted by pair, and of the last step's pairs
    int *active, *was_active;
    int active_count, active_capacity, was_active_count, was_active_capacity;
    /// Update schedule of the active slots that are still stepped
    pv__schedule *schedule;
    int schedule_count, schedule_capacity;
    /// True if the update schedule has the step's pairs
    bool scheduled;
    /// Manifolds that are marked in this substep
    pv__update *updates;
    int update_count, update_capacity;
    /// Pairs that presolve lets pass, sorted by pair
    pv__passing *passing;
    int passing_count, passing_capacity;
    /// True if some body has been one-way, or there is a presolve callback
    bool presolved;
    /// True if bodies woke or were destroyed since the last step, so that sleeping manifolds may be
    /// obsolete
    bool stale;
} pv__manifolds;

/// Progress of a group of islands in a step
typedef struct pv__progress {
    /// True if the first substep is over, or if all are long; true if it has begun, or then the others
    bool later, begun;
    /// The next substep, the end of these, and the usual number of substeps
    int next, end, usual;
    /// Length of a substep [s]
    double each;
    /// True if the group may wait until all others have ended their step, and if it does
    bool may_wait, waits;
} pv__progress;

/// Solver bodies, and the batches of their contacts.
typedef struct pv__solver {
    /// Springs of contacts in the running substep, and of contacts with an immovable body
    pv__spring spring, fixed_spring;
    /// Awake bodies that go through the step together: all, or those of a group of islands
    int *members;
    int member_count, member_capacity;
    /// Active bodies: members that are still stepped
    int *active;
    int active_count, active_capacity;
    /// Pairs of the schedule of an awake and a sleeping body
    pv__schedule *fringe;
    int fringe_count, fringe_capacity;
    /// True if the next substep reaches a sleeping body of one of these
    bool reaches;
    /// Number of the group of islands that is stepped, and its progress
    int group;
    pv__progress progress;
    /// Number of awake sensors, and of other awake bodies, that go through the step in one stride
    int flown_count, flying_count;
    /// Solver bodies and their states, by body + 1; the first is an immovable one for empty lanes
    pv__solver_body *bodies;
    pv__solver_state *states;
    int body_capacity, state_capacity;
    /// Pulls by solver body
    pv__pull *pulls;
    int pull_capacity;
    struct pv__batch *batches;
    int batch_count, batch_capacity;
    /// Extra data of blocks; the first one is that of all plain blocks
    struct pv__batch_extra *extras;
    int extra_count, extra_capacity;
    /// Marks of the blocks
    struct pv__block_mark *marks;
    int mark_capacity;
    /// Bits of lanes that have to be filled, by block
    pv__flags *stale;
    int stale_capacity;
    /// Batches of the sweep, in order
    int *sweep;
    int sweep_count, sweep_capacity;
    /// Blocks of the sweep by level, for several workers
    int *order;
    int order_capacity;
    /// Blocks of the running operation: sweep or order
    const int *blocks;
    /// Chunks of order
    pv__chunk *chunks;
    int chunk_count, chunk_capacity;
    /// True if the chunks are those of the sweep
    bool chunked;
    /// Batches that are solved to convergence in this substep
    struct pv__load *loaded;
    int loaded_count, loaded_capacity;
    /// Normal impulses when a substep with an impact began, two for each block
    pv__four *before;
    int before_capacity;
    struct pv__batch_part *packed;
    int packed_count, packed_capacity;
    /// True if the sweep leaves out inactive bodies
    bool narrowed;
    /// Number of strips of the blocks, see strips.c
    int strip_count;
    /// Number of batches in order; later ones are behind them
    int ordered_count;
    /// True if batches hold all loaded points of the last step's pairs, in order, without a change
    /// since
    bool ordered;
    /// True if the batches are out of date
    bool repack;
    /// True after a restore: batches were not saved, though ordered may be true
    bool restored;
    /// True if a pair moves so far in a substep that soft contacts may not stop it
    pv__flag fast;
    /// True if a pair of the schedule has a thin body and an immovable one
    pv__flag slight;
    /// True if the islands in states are from the last step's pairs
    bool joined;
    /// True if all bodies were inactive after the first substep of the last step
    bool rested;
    /// Remaining budget of pixel sweeps in this step
    int64_t pixel_budget;
    /// True if pixels have stopped a body since states forgot it
    bool any_stopped;
    /// True if a stop may have carried a body into a wall
    bool any_carried;
    /// Flags by solver body: matter or an impact has changed its velocity so much that its pairs
    /// need a visit
    bool *disturbed;
    int disturbed_capacity;
    /// True if any of these flags is set
    pv__flag any_disturbed;
    /// Numbers of the last impacts of solver bodies, 0 before the first of the step, and of the last
    /// one of all
    uint64_t *hits;
    int hit_capacity;
    uint64_t last_hit;
    const struct pv__batch_kernel *kernel;
    const struct pv__stick_kernel *stick_kernel;
} pv__solver;

/// Bodies that are squeezed between others that do not give way.
typedef struct pv__squeezes {
    /// Squeezes by solver body, if a kinematic body is in a pair; scratch of a substep
    pv__squeeze *items;
    int capacity;
    /// Contacts of bodies that may be squeezed
    pv__pinch *pinches;
    int pinch_count, pinch_capacity;
    /// Number of bodies that were crushed in the last step
    int crushes;
    /// True if a kinematic body is in a pair of the step
    bool kinematics;
    /// True if a body is pushed from two sides that do not give way, in this substep
    bool jammed;
    /// True if a body was squeezed in this step
    bool squeezed;
} pv__squeezes;

/// Lists and scratch memory of a group of islands. They stand in a world while it steps the group.
typedef struct pv__island_context {
    struct pv__island_context *next;
    pv__solver solver;
    int *slots;
    pv__schedule *schedule;
    pv__update *updates;
    int slot_count, slot_capacity, schedule_count, schedule_capacity, update_count, update_capacity;
    pv__pinch *pinches;
    int pinch_capacity;
    bool squeezed;
    int substeps;
    double h;
    pv_world_profile profile;
    double stage_begin;
} pv__island_context;

/// Islands that go through a step together
typedef struct pv__island_group {
    /// Numbers of its bodies and pairs, and ends of both in the sorted lists
    int bodies, pairs, body_end, pair_end;
    /// Its context while it waits, or null
    pv__island_context *context;
} pv__island_group;

/// Groups of islands of a step, see island_group.c
typedef struct pv__island_groups {
    pv__island_group *items;
    int count, capacity;
    /// Bodies and manifold slots by group
    int *bodies, *slots;
    int body_capacity, slot_capacity;
    /// Number of candidate pairs before any group ran; later ones met within the step
    int known;
    /// Contexts that no group has, and the lock for them; null without a lock
    pv__island_context *spare;
    pv__lock *lock;
    /// Sum of the stage times of all groups
    pv_world_profile spent;
    /// Sums of all groups, see pv__solver and pv__squeezes
    int flown_count, flying_count;
    bool rested, squeezed;
} pv__island_groups;

/// Masks and material maps that snapshots name by number.
typedef struct pv__snapshots {
    pv__kept_mask *masks;
    int mask_count, mask_capacity;
    pv__kept_map *maps;
    int map_count, map_capacity;
} pv__snapshots;

struct pv_world {
    pv_world_def def;
    /// Length of the last substep, which scales now - before [s]
    double dt;
    /// Substeps of the running step
    int substeps;
    /// Length of the running substep [s]
    double h;
    uint64_t steps;
    pv__bodies bodies;
    pv__broad_phase broad_phase;
    pv__bitmap_contacts bitmaps;
    pv__manifolds manifolds;
    pv__solver solver;
    pv__squeezes squeeze;
    pv__island_groups groups;
    pv__matter matter;
    pv__grain_sets grains;
    pv__events events;
    pv__snapshots snapshot;
    pv_world_profile profile;
    /// Start of the stage that is being timed [s]
    double stage_begin;
    /// Failure of memory in the running step: contacts or events were left out
    pv__flag out_of_memory;
    /// Scratch memory by worker
    pv__worker *workers;
    int worker_count;
    /// Workers at shared stages, see tasks.c; null with one worker
    struct pv__crew *crew;
};

/// Returns an active manifold, and fetches one that a loop over all will need soon.
static inline pv__manifold *pv__active_manifold(const pv_world *world, int i) {
    const pv__manifolds *all = &world->manifolds;
    int ahead = i + 8 < all->active_count ? i + 8 : i;
    __builtin_prefetch(&all->items[all->active[ahead]]);
    return &all->items[all->active[i]];
}

/// Tells whether both bodies of a pair are over the pair limit.
static inline bool pv__pair_is_crowded(const pv_world *world, int a, int b) {
    return world->broad_phase.crowded && world->broad_phase.crowds[a].full &&
           world->broad_phase.crowds[b].full;
}

/// Tells whether both bodies of a pair are over the pair limit, and one overlaps an immovable body.
static inline bool pv__pair_is_pressed(const pv_world *world, int a, int b) {
    return pv__pair_is_crowded(world, a, b) &&
           (world->broad_phase.crowds[a].grounded || world->broad_phase.crowds[b].grounded);
}

/// Default fracture rules
#define PV__FRACTURE_DEFAULT                                                                       \
    ((pv_fracture_def){.connectivity = PV_CONNECTIVITY_4,                                          \
                       .min_part_pixels = 12,                                                      \
                       .keep_static = true,                                                        \
                       .cookie = PV__COOKIE})

static inline bool pv__body_is_alive(const pv__body *b) { return b->generation & 1; }

/// Tells whether a body is alive and enabled, so that it can move and collide.
static inline bool pv__body_is_present(const pv__body *b) {
    return (b->generation & 1) && !b->disabled;
}

/// Tells whether others can touch a body.
static inline bool pv__body_is_solid(const pv__body *b) {
    return pv__body_is_present(b) && !b->sensor;
}

/// Tells whether a moves no more than b under equal impulses.
static inline bool pv__body_is_heavier(const pv__body *a, const pv__body *b) {
    return a->inverse_mass <= b->inverse_mass;
}

/// Thickness up to which contours may not keep bodies apart: half of it, at the thickest place [px]
#define PV__THICK 1.75
/// Depth in an immovable body from which contacts lead a thin one out, without regard to pixels [px]
#define PV__BURIED 2

/// Tells whether a body is so thin that its contour may not distinguish its sides.
static inline bool pv__body_is_thin(const pv__body *b) {
    return b->pixels->shape->core_depth < PV__THICK;
}

/// Returns the part of a direction that a body's locks leave free.
static inline pv_vec2 pv__body_unlocked(const pv__body *b, pv_vec2 v) {
    return (pv_vec2){b->locks & PV_LOCK_X ? 0 : v.x, b->locks & PV_LOCK_Y ? 0 : v.y};
}

/// Returns the gain of the center's speed along n, of length 1, for a unit of impulse along n.
static inline double pv__body_center_yield(const pv__body *b, pv_vec2 n) {
    if (!(b->locks & (PV_LOCK_X | PV_LOCK_Y))) return b->inverse_mass;
    pv_vec2 free = pv__body_unlocked(b, n);
    return b->inverse_mass * pv__dot(free, free);
}

/// Tells whether a body is driven to a place in this step.
static inline bool pv__body_is_driven(const pv_world *world, const pv__body *b) {
    return b->drive.step == world->steps + 1;
}

/// Returns a body's angular acceleration from torques, or from its drive [rad/s^2].
static inline double pv__body_angular_acceleration(const pv_world *world, const pv__body *b) {
    if (b->type != PV_BODY_DYNAMIC) return pv__body_is_driven(world, b) ? b->drive.twist : 0;
    return b->torque * b->inverse_inertia;
}

/// Returns a body's acceleration from gravity and forces, or from its drive [px/s^2].
static inline pv_vec2 pv__body_acceleration(const pv_world *world, const pv__body *b) {
    if (b->type != PV_BODY_DYNAMIC)
        return pv__body_is_driven(world, b) ? b->drive.acceleration : (pv_vec2){0, 0};
    pv_vec2 gravity = pv__mul(b->gravity_scale, world->def.gravity);
    return pv__body_unlocked(b, pv__mad(gravity, b->inverse_mass, b->force));
}

static inline bool pv__body_is_damped(const pv__body *b) {
    return b->linear_damping > 0 || b->angular_damping > 0;
}

/// Returns the part of a displacement that damping leaves for the next substep.
static inline double pv__kept(double damping, double h) { return 1 - pv__min(1, damping * h); }

static inline pv_body_id pv__handle_of_body(const pv_world *world, int index) {
    return (pv_body_id){(uint32_t)index + 1, world->bodies.items[index].generation};
}

/// Returns the transform from a body's mask to the world; pixels are drawn and tested with it.
static inline pv_transform pv__body_transform(const pv__body *b, pv__pose pose) {
    return (pv_transform){pose.center, pose.turn, b->pixels->picture_pivot, b->pixels->scale};
}

/// Returns the transform from a body's scaled mask and shape to the world.
static inline pv_transform pv__body_form_transform(const pv__body *b, pv__pose pose) {
    return (pv_transform){pose.center, pose.turn, b->pixels->pivot, {1, 1}};
}

/// Tells whether the running substep is a long one.
static inline bool pv__world_is_brisk(const pv_world *world) { return world->h > world->dt; }

#endif
