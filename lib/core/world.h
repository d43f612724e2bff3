/* world.h - what a world is made of; included by the world's files only.
 *
 * Invariant: between calls every body's numbers are finite and within PV_MAX_COORDINATE; the particles lie half a
 * stick from the center each, along the body's rotation; contacts are sorted by pair. Bodies are named by index,
 * and everything is visited in order of index or pair, never of address, so a run repeats bit for bit.
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
    int x, y; ///< world pixel of the bits' pixel (0, 0)
    pv__bits bits;
    uint64_t *room; ///< owned words for turned ones
    int capacity;   ///< of room, in words
    bool valid;
} pv__bitmap;

/// Motion that pv_body_move_to() asks for.
typedef struct pv__drive {
    uint64_t step;        ///< that it is for; 0: none
    pv_vec2 velocity;     ///< the mean of that step [px/s]
    double spin;          ///< [rad/s]
    pv_vec2 change;       ///< of the velocity since the step before [px/s]
    double turn;          ///< the same of the spin [rad/s]
    pv_vec2 acceleration; ///< within the step [px/s^2]
    double twist;         ///< [rad/s^2]
} pv__drive;

/// A motion of a body's center and about it.
typedef struct pv__outlook {
    pv_vec2 center, velocity;
    double spin;
} pv__outlook;

/// Pixels of a body, and what follows from them. Bodies of a world that are made alike share one.
typedef struct pv__body_pixels {
    pv_mask *mask;
    pv_mask *form;          ///< its picture at that scale, see pv__scaled_mask; a reference of its own
    const pv__shape *shape; ///< of the form; null in a world of pixel contacts
    pv_vec2 scale;          ///< of its picture, (1, 1): as it is
    pv_vec2 pivot;          ///< center of mass in the form, and so in the shape [px]
    pv_vec2 picture_pivot;  ///< the same in the mask [px]
    double reach;           ///< of the farthest corner of its picture from its center [px]
    double area;            ///< of its form's pixels
    double weight;  ///< the same, with a map of densities by their share of 255: its mass over its density
    double inertia; ///< for that mass
    pv__material_view makeup; ///< what the mask's pixels are made of, with a reference
    pv_collider stand_in;
    int mask_id; ///< of the mask among the world's, once it was saved; -1
    int wearers; ///< bodies that have it, and others that hold it
} pv__body_pixels;

/// State of a body in worlds of contacts by pixels.
typedef struct pv__pixel_motion {
    double fraction;        ///< of the substep's motion that was free
    pv__outlook outlook;    ///< how the substep would have ended without contacts
    pv__pose origin, touch; ///< where the substep began, and where the body touched
    int grounds;            ///< the first of those that it may touch among the world's, or -1
    int retreat;            ///< 0: moved on with the exit velocity, 1: at the touch, 2: back where it was
    bool jammed;            ///< it has not got on for some time
    bool overlaps;          ///< and is pushed out, so that what stops it must give way, too
    bool lingers;           ///< it would have moved by next to nothing and stays where it was
    pv__bitmap bitmap_now, bitmap_before; ///< of its pose, and of where the substep began
} pv__pixel_motion;

typedef struct pv__body {
    /* motion: two particles of half the mass, now and one substep before (Jakobsen 2001) */
    pv_vec2 now[2], before[2];
    double half_stick; ///< sqrt(inertia / mass), the radius of gyration of the pixels [px]

    /* numbers that snapshots have of every body, in their order */
    pv__pose pose;         ///< of now
    pv__pose still_pose;   ///< where it was when it was last asked whether it rests
    pv__pose earlier_pose; ///< where it was the time before
    double still;          ///< for how long it has rested, as far as that is known [s]
    double verlet_dt0;     ///< substep that made now - before [s]; 0 when the velocity was set since
    double mass, inertia;
    double restitution, static_friction, kinetic_friction;
    double still_span;  ///< the time between these poses, 0 for the first one [s]
    double still_since; ///< the time since the last one [s]
    double pace;        ///< how fast it was then, and by how much that differed from before [px/s]

    pv_vec2 acceleration; ///< of the last substep, gravity and forces [px/s^2]
    pv_vec2 force;
    double torque;

    /* numbers that most bodies leave as they are */
    double gravity_scale, linear_damping, angular_damping;
    double surface_speed, rolling_resistance;
    double stuck;    ///< for how long it was stopped where it was [s]
    pv_vec2 one_way; ///< in its own rotation

    /* what is asked in every step */
    double inverse_mass, inverse_inertia; ///< 0 for what contacts cannot move
    uint32_t generation;                  ///< odd while alive
    pv_body_type type;
    unsigned locks;
    int island; ///< shared by all that fell asleep together; -1 awake
    bool awake, sensor, disabled;
    bool settled;      ///< a substep has ended with it where it is: nothing but contacts has moved it since
    bool touched;      ///< in the last substep
    bool moved;        ///< integrated in this substep
    bool told_awake;   ///< as it was told: what was not told to fall asleep is awake
    bool changed;      ///< it fell asleep or woke since, and is listed
    bool outside;      ///< of the world's bounds
    bool unseen;       ///< sensors have to look at it, though it may rest
    uint64_t crushed;  ///< one more than the step in which it was told to be crushed; 0: it is not
    uint64_t crowded;  ///< one more than the step in which it was crowded last; 0: never
    uint64_t gathered; ///< step in which its mover was made, when it rests
    uint64_t loaded;   ///< step in which matter may move it, so that it is stepped to the end

    union { /* scratch, of one stage at a time */
        struct {
            double still, pace; ///< the least and the most of an island, kept by its root
            bool borne;         ///< it lies on something that stays
        } lair;                 ///< of falling asleep
        struct {
            pv_vec2 velocity;
            double spin;
        }; ///< of finding contacts, solving and backtracking
    };
    pv__pixel_motion *pixel; ///< its own of the world's; null in a world of contours

    /* what it is */
    pv__body_pixels *guise; ///< its pixels
    uint64_t looks;         ///< a digest of the mask's pixels, once it was changed; 0: never
    int holds;              ///< how many constraints hold it
    pv_filter filter;
    pv_fracture_def fracture;
    void *user_data;
    pv__drive drive;

    /* for the events */
    pv__pose began; ///< where the step began, when there are sensors
} pv__body;

/// Four numbers side by side; what contact_batch.h works on.
typedef double pv__four __attribute__((vector_size(32), aligned(8)));

/// Four answers, of all bits or none.
typedef int64_t pv__which __attribute__((vector_size(32), aligned(8)));

/// A body while it is stepped: hot and small.
typedef struct pv__solver_body {
    pv__four
        motion; ///< velocity x, y, spin: of the chord of the last substep; and how far from the center turning shows
    pv__four pose; ///< center x, y, cosine and sine of the rotation
} pv__solver_body;

/// Substeps that a body takes after the first one of a step, see substeps.c.
typedef enum pv__pace { PV__NO_PACE, PV__BRISK, PV__USUAL } pv__pace;

/// State of a solver body that is needed once a substep or once a step.
typedef struct pv__solver_state {
    pv__four gain;     ///< of motion in a substep, by gravity and forces
    pv__four was;      ///< motion when the step began
    pv__four from;     ///< pose when the substep began
    pv__four mark;     ///< pose before matter moved it in the substep
    pv__four pulled;   ///< scratch of pixel_stop.c: pose after that
    pv__four unsolved; ///< motion before contacts were solved in the substep
    double reach;      ///< of its farthest point [px]
    double h;          ///< length of its last substep [s]
    pv__pace pace;     ///< no pace: it is not stepped after the first substep
    int island;        ///< a lower mover of its island, or itself; 0: cannot be moved
    bool damped;
    bool free;   ///< no damping, and no pair: nothing but its gain changes its motion, where there is no matter
    bool flying; ///< out of the substeps: it goes through them in one stride
    bool quiet;  ///< not stepped any more
    bool pressed;              ///< something bore on it when the step began
    double rim_speed;          ///< of its rim in the substep, at most [px/s]
    double gained;             ///< by its rim in the substep [px/s]
    double fastest;            ///< rim of the island, where it is the lowest [px/s]
    int members, restless;     ///< of the island, where it is the lowest
    int swift;                 ///< of the island, where it is the lowest
    double lightest, heaviest; ///< of the island, where it is the lowest: inverse masses of its extremes
    bool led;                  ///< something kinematic moves the island
    bool slow, anchored;       ///< slow enough to be quiet; the island stands on something
    bool rests;                ///< of the island, where it is the lowest: some may be left out
    bool roused;               ///< held by pixels, not at rest
    int hops;                  ///< scratch of solver_body.c: how far what it does concerns others
    int hop;                   ///< scratch of contact_solver.c
    int turns;                 ///< scratch of packing
    double bound; ///< how fast it may get in the rest of the step, squeezed as it is; 0: as it will [px/s]
    int crusher;  ///< one more than the kinematic body that squeezed it in this step; 0: none
    int held;     ///< scratch of squeeze.c: the first that holds it, or -1
} pv__solver_state;

/// State of a body that may be squeezed, by mover; of those that press each other the lowest has the sums.
typedef struct pv__squeeze {
    int root;       ///< the lowest of them
    int first;      ///< of its contacts among the world's, or -1
    int near;       ///< 0: it is not, nor is what is near it
    unsigned sides; ///< a bit for each of eight directions in which something immovable presses
    unsigned led;   ///< the same of something kinematic
    bool jammed;    ///< something kinematic presses them towards something immovable
    double mass;
    double speed;    ///< of what presses so [px/s]
    int by;          ///< the deepest that presses so, or -1
    double by_depth; ///< how deep [px]
    double deep;     ///< of its own contacts, the deepest [px]
} pv__squeeze;

/// A contact of a body that is jammed.
typedef struct pv__pinch {
    int next;            ///< of the same body, or -1
    pv_vec2 normal, arm; ///< into the body; from its center to the contact [px]
} pv__pinch;

/// From the centers of both bodies of a pair to a point [px].
typedef struct pv__levers {
    pv_vec2 a, b;
} pv__levers;

/// Contact point of a pair by pixels.
typedef struct pv__point {
    pv_vec2 place;               ///< [px]
    double impulse_n, impulse_t; ///< accumulated in the substep, kept to start the next one [mass px/s]
    /* scratch of the solve stage */
    pv__levers arm;
    double mass_n, mass_t, target, static_friction, kinetic_friction;
} pv__point;

typedef struct pv__pair {
    int a, b; ///< a < b
} pv__pair;

/// A pair that does not press, in a world of pixels.
typedef struct pv__passing {
    pv__pair pair;
    uint32_t generation_a, generation_b;
    uint64_t step; ///< in which it was judged
    bool until_apart;
} pv__passing;

/// A contact's spring.
typedef struct pv__spring {
    double rate, softness; ///< as in pv__batch
    double parting;        ///< share of what is too deep that is parted in a substep
} pv__spring;

/// Mixed material of a pair.
typedef struct pv__material {
    double restitution, static_friction, kinetic_friction, rolling;
    double belt; ///< at which a's surface runs past b's along the tangent, the normal turned clockwise [px/s]
} pv__material;

/// One touching pair; a < b.
typedef struct pv__contact {
    int a, b;
    pv_vec2 point, normal; ///< the mean of the shared pixels, and from a to b
    bool overlapped;       ///< already before the substep
    bool fresh;            ///< it did not touch in the substep before
    double approach;       ///< the fastest of its points [px/s]
    uint64_t hit;          ///< step in which it was told to be hit
    double given;          ///< all impulses of the step that no hit has been told with yet [mass px/s]
    bool stopped;          ///< the substep would have made its pixels meet
    double push;           ///< how far to push apart what overlapped, giving no speed [px]
    double fraction;       ///< of the substep's motion until they touched
    bool bounces;          ///< it was hit faster than the bounce speed
    double parting;        ///< the least exit speed along the normal [px/s]
    double gap;            ///< along the normal since the pixels last met, by what the bodies moved [px]
    int64_t overlap;
    double depth; ///< how far along the normal it reaches, roughly [px]
    pv__material material;
    double roll_impulse,
        roll_mass;       ///< angular; accumulated in the substep, and what a unit of relative spin takes
    pv__point points[2]; ///< the ends of a flat patch, or the mean alone
    int count;
} pv__contact;

/// Something that does not move and whose box a body's meets.
typedef struct pv__ground {
    int body;
    int next; ///< of the same body's, or -1
} pv__ground;

#define PV__MANIFOLD_POINTS 8

/// Contact point of two contours.
typedef struct pv__contact_point {
    pv_vec2 anchor_a, anchor_b;  ///< centers of curvature, from the body's center, in its own rotation [px]
    pv_vec2 normal;              ///< from a to b
    double impulse_n, impulse_t; ///< of the last substep [mass px/s]
    double gap;                  ///< when it was found [px]
    double radius_a, radius_b;   ///< of the surfaces there; 0: the anchor is on the surface [px]
    double impulse_roll;         ///< of the last substep [mass px^2/s]
    int key;                     ///< names the vertex
    bool slides;
} pv__contact_point;

/// Impulse of some points of a pair in a part of a step, hit or not.
typedef struct pv__impact {
    int manifold;          ///< slot
    int order;             ///< in which it was told
    double speed, impulse; ///< fastest approach [px/s], all impulses together [mass px/s]
    double share;          ///< of the impulse, what points gave that came in faster than the hit speed
    pv_vec2 at;            ///< by that share, on the heavier one, from its center and in its own rotation [px]
    pv_vec2 normal;        ///< by that share, from a to b
} pv__impact;

/// Manifold of a pair whose contours are near; a < b.
typedef struct pv__manifold {
    int a, b, count;
    uint32_t generation_a, generation_b;
    uint64_t step; ///< in which its boxes met last
    bool made;
    double foreseen;  ///< how far its points may move until it is too old [px]
    double clearance; ///< how far apart the contours were, as far as that was looked for [px]
    pv_vec2 apart;    ///< poses that it was made for
    pv_rotation turn_a, turn_b;
    pv__material material;
    bool slight;      ///< one cannot be moved, and one is so thin that pixels alone keep the pair apart
    bool pressed;     ///< something was given in this step
    bool hit;         ///< and faster than the world's hit speed
    bool touches;     ///< when the last step ended
    bool passes;      ///< judged so: it does not press in this step
    bool until_apart; ///< nor in the next ones
    bool judged;      ///< in this step
    int packed;       ///< how many of its points are in lanes
    int lanes[PV__MANIFOLD_POINTS / 2]; ///< in which, part by part
    pv__contact_point *points;          ///< PV__MANIFOLD_POINTS of the world's presses
} pv__manifold;

/// Speed of rims up to which pairs are found in one step out of eight [px/s]: the way until then is less than the room in boxes.
#define PV__HELD_SPEED 2

/// Depth from which on two discs are parted along the way that was found [px].
#define PV__DISC_DEPTH 0.25

/// Tells whether a manifold is of two discs that hardly overlapped when it was found: its normal is measured in every substep. Only
/// what a snapshot holds may decide this, for a restored world packs its blocks anew.
static inline bool pv__manifold_is_of_discs(const pv__manifold *m) {
    const pv__contact_point *p = m->points;
    return m->count == 1 && p->radius_a > 0 && p->radius_b > 0 && p->gap > -PV__DISC_DEPTH;
}

/// When a pair of the step has to be looked at.
typedef struct pv__schedule {
    int slot; ///< of its manifold
    int due;  ///< substep
    int a, b; ///< bodies
    bool fast;
} pv__schedule;

/// A manifold that is found or judged anew in a substep: detection marks it, and the solver takes it up after that.
typedef struct pv__update {
    int watch;          ///< its place in watches
    int slot;           ///< of the manifold
    bool find;          ///< found anew; else judged alone
    bool had;           ///< it had points, which are in blocks
    double each, moved; ///< the way of the pair in the substep, and since the manifold was found [px]
} pv__update;

/// A box in whole pixels, counted as broad_phase.c does.
typedef struct pv__frame {
    uint32_t left, top, right, bottom;
} pv__frame;

/// A body as the grids that find pairs see it.
typedef struct pv__proxy {
    pv__frame frame;
    uint32_t x, y;  ///< its cell
    int next;       ///< in the cell's chain, or -1
    uint8_t level;  ///< cells are 2^level px wide
    bool linked;    ///< rests, and stands in its cell's chain
    bool seeks;     ///< it was dynamic and no sensor when it was fitted: others need not be to touch it
    bool senses;    ///< it was a sensor then: it is in no pair
    bool displaced; ///< in the list of such
} pv__proxy;

/// Box of a body in the grid, and its links in lists.
typedef struct pv__place {
    pv_box box;         ///< holds the body until pairs are found anew [px]
    int previous;       ///< in the cell's chain, or -1
    int next_displaced; ///< or -1
} pv__place;

/// An awake body in its row of cells.
typedef struct pv__entry {
    pv__frame frame;
    uint32_t y; ///< of its cell
    int body;
} pv__entry;

/// A mask that snapshots name.
typedef struct pv__kept_mask {
    pv_mask *mask;   ///< with a reference; null where it was forgotten
    uint64_t digest; ///< of its pixels
    bool used;       ///< scratch: some body has it
    int body;        ///< scratch: one that has it, and more; -1 for none yet
    pv__material_view
        weighed; ///< what a body of it was made of when it was saved, with its sums; the map is only known by its id
} pv__kept_mask;

/// A material map that snapshots name.
typedef struct pv__kept_map {
    pv_material_map *map; ///< with a reference; null where it was forgotten
    bool used;            ///< scratch: some body has it
} pv__kept_map;

/// One of those that a crowded body is kept from, and how far apart both are, as pair_limit.c has it.
typedef struct pv__crowd_mate {
    double apart;
    int other;
} pv__crowd_mate;

#define PV__CROWD_KEPT 8

/// Crowd around a body.
typedef struct pv__crowd {
    pv_box box;     ///< that it is in now [px]
    double fill;    ///< part of the box that its pixels are
    int64_t layers; ///< how many times over all that is there would cover the box
    bool full;      ///< there is no room for them
    bool grounded;  ///< it meets what cannot be moved
    double fastest; ///< how fast it may get in the step, if it is full [px/s]
    int mates;      ///< the first of its mates among the world's, if it is full
    int count;      ///< of these, PV__CROWD_KEPT at most
} pv__crowd;

/// An array that grows.
typedef struct pv__list {
    void *items;
    int count, capacity;
} pv__list;

/// A sensor and a body whose boxes met in a step.
typedef struct pv__stay {
    pv_body_id sensor, visitor;
    bool inside; ///< they share a pixel
} pv__stay;

/// One that holds a body.
typedef struct pv__hold {
    int next;       ///< of the same body, or -1
    int other;      ///< which one
    pv_vec2 normal; ///< into the body
    double depth;   ///< [px]
} pv__hold;

/// Events of the last step, and what they need of the one before.
typedef struct pv__events {
    pv__list begins, ends;          ///< of pv_contact_event
    pv__list hits;                  ///< of pv_hit_event
    pv__list blows;                 ///< of pv__impact: what hits are made of
    pv__list enters, leaves;        ///< of pv_sensor_event
    pv__list sleeps, wakes, strays; ///< of pv_body_id
    pv__list changed;               ///< int: bodies that fell asleep or woke since this was told
    pv__list sensors;               ///< int: bodies that are
    pv__list inside;                ///< of pv__stay, sorted by sensor and visitor
    pv__list tested, staying;       ///< of pv__stay: scratch
    pv__list touching;              ///< pv_contact_event: contacts of pixels when the last step ended
    pv__list met, spare;            ///< of pv_contact_event: scratch of the same
    pv__list crushes;               ///< of pv_crush
    pv__list releases;              ///< of pv_body_id
    pv__list holds;                 ///< of pv__hold: scratch of squeeze.c
    pv__list splits, dirt;          ///< of pv_split_event, of pv_dirty_rect
    pv__list new_splits, new_dirt;  ///< of the same: what the next step will tell
    bool unseen;                    ///< some body is
    bool blind;                     ///< sensors could not look for lack of memory: everything is unseen
} pv__events;

typedef struct pv__level {
    int count;
    uint32_t widest;  ///< side of the largest frame that has been there since it was empty [px]
    pv__frame extent; ///< around all these
} pv__level;

typedef struct pv__levels {
    pv__level at[31];
    uint32_t used; ///< a bit for each that is not empty
} pv__levels;

typedef struct pv__grid {
    pv__proxy *proxies; ///< by body
    pv__place *places;
    int *near;   ///< what was found; room for one more than all bodies
    int *chains; ///< first resting body of each slot, or -1; a power of two of them
    int *starts; ///< first entry of each slot
    pv__entry *entries;
    int proxy_capacity, place_capacity, near_capacity, chain_count, start_capacity, entry_capacity;
    int slots, entry_count;
    int fitted;    ///< awake bodies, with those that are no entry
    uint32_t laid; ///< a bit for each level that has entries
    int displaced; ///< head of the list of bodies that came, went, fell asleep or were put elsewhere, or -1
    pv__levels awake, resting;
} pv__grid;

/// Place of a body in the index: up to four cells of a level in which none is smaller than its box.
typedef struct pv__index_spot {
    pv_box box;         ///< of its picture [px]
    int next[4];        ///< in the chain of each cell, from the upper left one, or -1; see query_index.c
    uint32_t x, y;      ///< the upper left cell
    uint8_t level;      ///< cells are 2^level px wide
    uint8_t least;      ///< level that it is on or above, by how many there were around when it came
    uint8_t wide, tall; ///< 1: it reaches into the next cell to the right, down
    bool listed;
} pv__index_spot;

/// The index in which queries look bodies up.
typedef struct pv__index {
    pv__index_spot *spots; ///< by body
    int *chains;           ///< the first of each slot, or -1; a power of two of them
    int spot_capacity, chain_count;
    int counts[32]; ///< bodies of each level
    uint32_t used;  ///< a bit for each level that is not empty
    bool stale;     ///< bodies move: a step is under way
} pv__index;

struct pv_world {
    pv_world_def def;
    double dt;                       ///< of the last substep, which scales now - before; [s]
    int substeps;                    ///< of the running step
    double h;                        ///< length of the running substep [s]
    pv__spring spring, fixed_spring; ///< of contacts in it, and of those with a body that cannot be moved
    int paced[3];                    ///< bodies of each pace in this step
    uint64_t steps;

    pv__body *bodies;                         ///< slots; a free one has an even generation
    int body_count, body_capacity, body_free; ///< body_free: head of the free slots' list through island, or -1
    int made;                                 ///< the body that was made last: the next one may be alike
    pv__body_pixels *spare_guise;             ///< room for the next one, or null
    pv__pixel_motion *pixel_motions;          ///< by body, in a world of pixel contacts
    int pixel_motion_capacity;

    pv__grid grid;
    pv__index index;
    int *around;       ///< scratch: how many pairs of the step a body is in
    pv__crowd *crowds; ///< by body, of those that the step's pairs name, when some are crowded
    pv__crowd_mate *mates;
    int around_capacity, crowd_capacity, mate_capacity;
    bool crowded;                  ///< some body is, in this step
    pv__pair *pairs, *spare_pairs; ///< spare: scratch of sorting
    int pair_count, pair_capacity, spare_pair_capacity;
    pv__contact *contacts, *old_contacts;
    pv__ground *grounds;
    int ground_count, ground_capacity;
    struct pv__ledger *ledgers; ///< of islands, by their roots; scratch of bitmap_solver.c
    int ledger_capacity;
    int contact_count, contact_capacity, old_contact_count, old_contact_capacity;

    pv__manifold *manifolds; ///< slots; a free one has a < 0 and the next free one in b
    int manifold_count, manifold_capacity, manifold_free;
    pv__contact_point
        *presses; ///< PV__MANIFOLD_POINTS of each slot: those who look at all manifolds need not come by them
    int press_capacity;
    int *table; ///< slots by their pair, or -1; a power of two of them
    int table_size;
    int *active, *was_active; ///< slots of the step's pairs, sorted by pair, and of the last step's
    int active_count, active_capacity, was_active_count, was_active_capacity;
    pv__schedule *watches; ///< of those of active that are still stepped
    int watch_count, watch_capacity;
    pv__update *updates; ///< manifolds that are marked in this substep
    int update_count, update_capacity;
    pv__passing *passing; ///< sorted by pair
    int passing_count, passing_capacity;
    bool judges;   ///< some body has been one-way, or the caller judges contacts
    bool filtered; ///< some body, particle or polygon has had a filter of its own
    bool drives;   ///< some body was driven to a place in this step or the last one
    bool stale;    ///< bodies woke or were destroyed since the last step: manifolds that slept may have to go

    int *awake; ///< bodies that are awake, in order
    int awake_count, awake_capacity;
    bool roster_stale; ///< a body woke, fell asleep, came or went since awake was made
    int *restless;     ///< those of awake that are still being stepped
    int restless_count, restless_capacity;
    int flown_count,
        flying_count;        ///< of awake: sensors that go through the step in one stride, and others that do
    pv__solver_body *movers; ///< by body, the first being an immovable one that empty lanes use
    pv__solver_state *courses;
    int mover_capacity, course_capacity;
    struct pv__batch *blocks;
    int block_count, block_capacity;
    int *sweep; ///< blocks that are solved, in order
    int sweep_count, sweep_capacity;
    struct pv__load *loaded; ///< blocks that are solved to convergence in this substep
    int loaded_count, loaded_capacity;
    bool narrowed;  ///< what rests is left out of it
    int laid_count; ///< blocks that stand in order; the others came later
    struct pv__batch_part *packed;
    int packed_count, packed_capacity;
    int64_t sweep_work; ///< what sweeps may still cost in this step
    int *enlarged;      ///< bodies that have left their boxes in this step
    int enlarged_count, enlarged_capacity;
    int64_t enlarge_budget; ///< bodies that enlarged boxes may still find in this step
    bool fast;              ///< a pair moves so far in a substep that soft contacts may not stop it
    bool held;              ///< this step's pairs are those of the last one
    bool watched;           ///< watches are those of the step's pairs
    bool joined;            ///< islands of courses are those of the last step's pairs
    bool rested;            ///< after the first substep of the last step, all was quiet
    bool laid;   ///< blocks hold all that the last step's pairs press, in order, and nothing has changed since
    bool repack; ///< what is in blocks is not what has to be solved
    const struct pv__batch_kernel *lanes;
    const struct pv__stick_kernel *stick_kernel;

    bool *
        jolts; ///< by mover: matter or a blow has changed its velocity by much, so its pairs have to be looked at
    int jolt_capacity;
    bool jolted; ///< some is

    pv__squeeze *squeezes; ///< by mover; scratch of a substep
    pv__pinch *pinches;    ///< contacts of these
    int squeeze_capacity, pinch_capacity, pinch_count;
    int crushes;     ///< bodies that were crushed in the last step
    bool kinematics; ///< something kinematic is in a pair of the step
    bool jammed;     ///< something is pressed from two sides that do not give way, in this substep
    bool squeezed;   ///< something was squeezed in this step

    pv__matter matter;

    pv__events events;
    bool senses; ///< there has been a sensor

    pv__kept_mask *masks; ///< of all snapshots
    int mask_count, mask_capacity;
    pv__kept_map *maps; ///< the same
    int map_count, map_capacity;
    bool mapped;   ///< there has been a body with a map
    bool restored; ///< what is laid is not in blocks: they were not saved

    pv__bitmap scratch[2]; ///< bitmaps of poses in between
    pv_world_profile profile;
    double lap;     ///< when the stage began that is being timed [s]
    unsigned flags; ///< PV_STEP_ of the running step
};

/// Tells whether two bodies of one of the step's pairs are both crowded.
static inline bool pv__pair_is_crowded(const pv_world *world, int a, int b) {
    return world->crowded && world->crowds[a].full && world->crowds[b].full;
}

/// Tells whether, besides, one of them may be pushed into what cannot be moved.
static inline bool pv__pair_is_pressed(const pv_world *world, int a, int b) {
    return pv__pair_is_crowded(world, a, b) && (world->crowds[a].grounded || world->crowds[b].grounded);
}

static inline bool pv__body_is_alive(const pv__body *b) { return b->generation & 1; }

/// Tells whether it lives and is enabled: what is not can neither move nor be met.
static inline bool pv__body_is_present(const pv__body *b) { return (b->generation & 1) && !b->disabled; }

/// Tells whether others can touch it.
static inline bool pv__body_is_solid(const pv__body *b) { return pv__body_is_present(b) && !b->sensor; }

/// Tells whether a moves less by what both give each other; of two alike the first one.
static inline bool pv__body_is_heavier(const pv__body *a, const pv__body *b) {
    return a->inverse_mass <= b->inverse_mass;
}

/// Thickness of what contours hold apart by themselves: half of it, at the thickest place [px].
#define PV__THICK 1.75

/// Tells whether a body is so thin that its contour may not tell its sides.
static inline bool pv__body_is_thin(const pv__body *b) { return b->guise->shape->core_depth < PV__THICK; }

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
